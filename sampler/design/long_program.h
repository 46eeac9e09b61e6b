/* long_program.h - what of a long program is profiled before it is sampled: of each launch its
 * first waves.
 *
 * A profile of the whole costs as much as half a simulation, and the sampler needs it only to tell
 * launches apart, and for a control variate, which may be wrong: both are then taken for the whole
 * launch, in proportion to its instructions.
 *
 * How long a program must be for sampling to cost less than simulating depends on the machine: an
 * interval moves all of its resident warps on.  Of a program of short launches the first waves are
 * most of it: the profile alone then costs about what simulating does.
 *
 * Windows swing for some hundred instructions per warp after they were placed, about what the run
 * does: an interval shall be long enough to meet both sides (docs/models/sampling.md), and, with
 * the longest warm-up before each of two of a stratum, cost no more than six intervals. */
#ifndef PLUMB_SAMPLER_DESIGN_LONG_PROGRAM_H
#define PLUMB_SAMPLER_DESIGN_LONG_PROGRAM_H

#include "base/error.h"
#include "trace/program/program.h"

struct machine;

/* Intervals of long programs, in instructions per resident warp.  A program is long,
 * and few of them say enough, from so many intervals and so many warp instructions on; not where
 * its heads (long_program_open) are more than a third.  SMs of few warps do what these do at the
 * time, and the pass does not say when: an interval is as long as their CTAs there. */
enum {
    LONG_INTERVAL = 192,
    LONG_FEW_WARPS = 4, /* of an SM */
    LONG_INTERVALS = 200,
    LONG_FROM = 10000000,
    LONG_WAVES = 4,
    LONG_PART = 32,
    LONG_MOST = 3
};

uint64_t long_program_instructions(const struct program *p); /* of all launches */
uint32_t long_program_resident_warps(const struct machine *m,
                                     const struct launch *l); /* warps at once, >= 1 */
/* Warp instructions of the launch's last wave of CTAs where it has some, fewer than there are SMs,
 * and SMs have room for more than one; 0: else, and where it is the only wave. */
uint64_t long_program_drain(const struct machine *m, const struct program *p, uint32_t launch);
/* Least length of an interval: a wave of CTAs where SMs have few warps, else 0. */
uint64_t long_program_least_interval(const struct machine *m, const struct program *p,
                                     uint32_t launch);
/* The first `most` instructions (0: all) of what is selected.  selected[launches]; NULL: all. */
uint64_t long_program_selected(const struct program *p, const bool *selected, uint64_t most);
/* Whether what is selected is long: the first `most` instructions of it (0: all).
 * selected[launches]; NULL: all. */
bool long_program_is_long(const struct machine *m, const struct program *p, const bool *selected,
                          uint64_t most);
/* A view of p, to be closed; *h = NULL: all of it is to be profiled. */
bool long_program_open(const struct machine *m, const struct program *p, struct program **h,
                       struct error *e);

#endif
