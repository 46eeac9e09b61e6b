/* error.c - see error.h. A newline in an error's text becomes a space, so that one error is one
 * line. Other control characters are shown as in all texts. */
#include "base/error.h"

#include "base/memory/alloc.h"
#include "base/shown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill_error(struct error *e, enum error_kind kind, const char *fmt, va_list args)
{
    if (!e) return;
    e->kind = kind;
    if (vsnprintf(e->text, sizeof e->text, fmt, args) < 0) e->text[0] = '\0';
    for (char *p = e->text; *p; p++)
        if (*p == '\n' || *p == '\r') *p = ' ';
    shown_clean(e->text, strlen(e->text), false);
}

bool error_input(struct error *e, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill_error(e, ERROR_INPUT, fmt, args);
    va_end(args);
    return false;
}

bool error_run(struct error *e, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill_error(e, ERROR_RUN, fmt, args);
    va_end(args);
    return false;
}

bool error_no_memory(struct error *e)
{
    return error_run(e, "out of memory");
}

bool error_interrupted(struct error *e, const char *doing)
{
    error_run(e, "interrupted while %s", doing);
    if (e) e->kind = ERROR_INTERRUPTED;
    return false;
}

static struct error *new_item(struct errors *es)
{
    size_t cap = es->cap;
    if (!mem_grow(&es->item, &cap, (size_t)es->n + 1, sizeof *es->item)) {
        es->overflow = true;
        return NULL;
    }
    es->cap = (uint32_t)cap;
    return &es->item[es->n++];
}

void errors_add(struct errors *es, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill_error(new_item(es), ERROR_INPUT, fmt, args);
    va_end(args);
}

void errors_add_error(struct errors *es, const struct error *e)
{
    struct error *item = new_item(es);
    if (item) *item = *e;
}

void errors_fini(struct errors *es)
{
    mem_free(es->item);
    *es = (struct errors){0};
}
