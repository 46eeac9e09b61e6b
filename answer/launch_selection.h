/* launch_selection.h - which launches of a program a run covers: --kernel N[-M] and --kernel
 * NAME. */
#pragma once

#include "answer/answer.h"

/* [program_launches] true for selected launches; the caller frees it with mem_free.  NULL: *e names
 * the launch or name that does not exist. */
bool *launch_selection_find(const struct program *p, const struct run_opts *o, struct error *e);

/* The next range of consecutive selected launches at or after `from`; false: there is none. */
struct launch_range {
    uint32_t first, n;
};
bool launch_selection_next(const bool *selected, uint32_t launches, uint32_t from,
                           struct launch_range *r);
