/* programs.c - see programs.h. */
#include "cli/parse/programs.h"

#include "base/memory/alloc.h"
#include "trace/suite/suite.h"

static bool add_program(struct programs *p, const char *spec, struct error *e)
{
    if (!mem_grow(&p->spec, &p->cap, (size_t)p->n + 1, sizeof *p->spec)) return error_no_memory(e);
    p->spec[p->n] = mem_strdup(spec);
    if (!p->spec[p->n]) return error_no_memory(e);
    p->n++;
    return true;
}

static bool add_suite(struct programs *p, const char *spec, struct error *e)
{
    struct suite s;
    if (!suite_read(&s, spec, e)) return false;
    bool ok = true;
    p->suite = true;
    for (uint32_t i = 0; i < s.n && ok; i++)
        ok = add_program(p, s.entry[i].path, e);
    suite_fini(&s);
    return ok;
}

bool programs_expand(struct programs *p, const char *const *word, uint32_t n, struct error *e)
{
    bool ok = true;
    *p = (struct programs){0};
    for (uint32_t i = 0; i < n && ok; i++)
        ok = suite_is(word[i]) ? add_suite(p, word[i], e) : add_program(p, word[i], e);
    return ok;
}

bool programs_are_list(const struct programs *p)
{
    return p->suite || p->n > 1;
}

void programs_fini(struct programs *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        mem_free(p->spec[i]);
    mem_free(p->spec);
    *p = (struct programs){0};
}
