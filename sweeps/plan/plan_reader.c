/* plan_reader.c - see plan_reader.h. */
#include "sweeps/plan/plan_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool loading_refuse(struct loading *l, const struct conf_node *at, const char *fmt, ...)
{
    char what[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    errors_add(l->all, "%s:%" PRIu32 ": %s", conf_file(at), conf_line(at), what);
    return false;
}

const char *loading_keep(struct loading *l, const char *s)
{
    const char *copy = arena_strdup(&l->plan->arena, s);
    if (!copy) errors_add(l->all, "out of memory");
    return copy;
}

void loading_pass_on(struct loading *l, const struct conf_node *at, const char *key,
                     struct errors *found)
{
    for (uint32_t i = 0; i < found->n; i++)
        loading_refuse(l, at, "%s: %s", key, found->item[i].text);
    errors_fini(found);
}

const char *loading_text(struct loading *l, const struct conf_node *n, const char *expected)
{
    const char *s = conf_text(n);
    if (s && *s) return s;
    loading_refuse(l, n, "%s: expected %s", conf_name(n) ? conf_name(n) : "list", expected);
    return NULL;
}

bool loading_count(struct loading *l, const struct conf_node *n, uint64_t *v)
{
    int64_t whole;
    if (!conf_int(n, &whole) || whole < 0)
        return loading_refuse(l, n, "%s: expected a whole number of at least 0", conf_name(n));
    *v = (uint64_t)whole;
    return true;
}
