/* term_list.h - all terms of the estimate in the order in which they work. */
#pragma once

#include "estimator/terms/term.h"

extern const struct term term_list[];
extern const uint32_t term_list_n;

/* Lets the terms of a stage work, in their order.  scripts/ablation.sh leaves some out. */
void term_list_run(struct launch_model *m, enum term_stage stage);
