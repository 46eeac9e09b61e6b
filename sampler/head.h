/* head.h - what of a long program is profiled before it is sampled: of each launch its first waves.
 *
 * A profile of the whole costs as much as half a simulation, and the sampler needs it only to tell
 * launches apart, and for a control variate, which may be wrong: both are then taken for the whole
 * launch, in proportion to its instructions. */
#ifndef PLUMB_SAMPLER_HEAD_H
#define PLUMB_SAMPLER_HEAD_H

#include "base/error.h"
#include "trace/program.h"

struct machine;

/* From so many warp instructions on a program is long: few and short intervals say enough. */
enum { HEAD_LONG = 10000000, HEAD_WAVES = 4 };

uint64_t head_instructions(const struct program *p); /* of all launches */
/* A view of p, to be closed; *h = NULL: all of it is to be profiled. */
bool head_open(const struct machine *m, const struct program *p, struct program **h,
               struct error *e);

#endif
