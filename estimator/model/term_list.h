/* term_list.h - all terms of the estimate in the order in which they work. */
#pragma once

#include "estimator/model/estimate.h"
#include "estimator/terms/term.h"

extern const struct term term_list[];
extern const uint32_t term_list_n;

/* Lets the terms of a stage work, in their order.  scripts/ablation.sh leaves some out. */
void term_list_run(struct launch_model *m, enum term_stage stage);
/* The same, and names each of them in to[]; added[]: by how much it changed *cycles, a part of the
 * model. Returns their number. */
uint32_t term_list_trace(struct launch_model *m, enum term_stage stage, const double *cycles,
                         struct term_cycles *to, double *added);
