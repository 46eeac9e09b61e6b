/* pass_plan.h - how much of a program the pass looks at.
 *
 * A program whose exact pass is foretold to cost little is looked at whole. The cost is counted in
 * transactions of the L1 and in instructions, never timed, so that a profile is the same wherever
 * it is made. Transactions are foretold from a few warps, spread evenly over the program's
 * instructions. */
#pragma once

#include "estimator/profile/profile.h"
#include "estimator/reuse/followed_lines.h"

struct pass_plan {
    uint32_t full; /* SMs that are run in full, of view->sms */
    struct followed_lines followed;
};
/* PROFILE_EXACT: all SMs, all lines, as for a short program; else what a profile of so many warp
 * instructions needs. */
struct pass_plan pass_plan_of(const struct profile_view *v, uint64_t instructions,
                              enum profile_detail detail);
/* Warp instructions of all launches. */
uint64_t pass_instructions(const struct program *p);
/* What an exact pass costs, in transactions. A program that cannot be read is foretold to cost
 * INFINITY; whoever profiles it then says why. */
double pass_foretold_cost(const struct program *p, const struct profile_view *v);
