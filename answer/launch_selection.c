/* launch_selection.c - see launch_selection.h. */
#include "answer/launch_selection.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <string.h>

static bool check_range(const struct program *p, const struct run_opts *o, struct error *e)
{
    uint32_t have = program_launches(p);
    if (have == 0) return error_input(e, "%s: the program has no kernel launch", program_name(p));
    if (o->launches == 0 && o->launch0 == 0) return true;
    if (o->launches > 0 && o->launch0 < have && o->launches <= have - o->launch0) return true;
    return error_input(e, "%s: no kernel launches %u-%u; allowed: 0-%u", program_name(p),
                       o->launch0, o->launch0 + (o->launches ? o->launches - 1 : 0), have - 1);
}

/* Reports the name, with the program's first kernels or the one most similar to it. */
static bool no_such_name(const struct program *p, const char *name, struct error *e)
{
    const char *guess = program_launch(p, 0)->name;
    for (uint32_t l = 0; l < program_launches(p); l++) {
        const char *have = program_launch(p, l)->name;
        if (text_closest(name, &have, 1)) guess = have;
    }
    return error_input(e, "%s: no kernel is called '%s'; there is '%s'", program_name(p), name,
                       guess);
}

bool *launch_selection_find(const struct program *p, const struct run_opts *o, struct error *e)
{
    if (!check_range(p, o, e)) return NULL;
    uint32_t launches = program_launches(p), found = 0;
    bool *selected = mem_new(launches, sizeof(*selected));
    if (!selected) {
        error_no_memory(e);
        return NULL;
    }
    uint32_t end = o->launches ? o->launch0 + o->launches : launches;
    for (uint32_t l = o->launch0; l < end; l++) {
        selected[l] = !o->kernel_name || strcmp(program_launch(p, l)->name, o->kernel_name) == 0;
        found += selected[l];
    }
    if (found) return selected;
    mem_free(selected);
    no_such_name(p, o->kernel_name, e);
    return NULL;
}

bool launch_selection_next(const bool *selected, uint32_t launches, uint32_t from,
                           struct launch_range *r)
{
    while (from < launches && !selected[from])
        from++;
    r->first = from;
    while (from < launches && selected[from])
        from++;
    r->n = from - r->first;
    return r->n > 0;
}
