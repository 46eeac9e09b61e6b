/* launch_selection.h - which launches of a program a run is about: --kernel N[-M] and --kernel
 * NAME. */
#ifndef PLUMB_SAMPLER_ANSWER_LAUNCH_SELECTION_H
#define PLUMB_SAMPLER_ANSWER_LAUNCH_SELECTION_H

#include "sampler/answer/answer.h"

/* mem_free it: [program_launches] true for what is selected.  NULL: *e says which launch or name is
 * not there. */
bool *launch_selection_find(const struct program *p, const struct run_opts *o, struct error *e);

/* The next run of consecutive selected launches at or after `from`; false: no more. */
struct launch_range {
    uint32_t first, n;
};
bool launch_selection_next(const bool *selected, uint32_t launches, uint32_t from,
                           struct launch_range *r);

#endif
