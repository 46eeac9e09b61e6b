/* explain.h - explains an estimate: stations, bottleneck, unmodelled parameters. */
#pragma once

#include "estimator/launch/launch_model.h"
#include "estimator/model/estimate.h"

/* Adds `times` equal launches; shares are weighted by cycles until explain_finish.  *m is the same
 * afterwards. */
void explain_add(struct explanation *x, struct launch_model *m, double times);
/* explain_join: adds another explanation, before explain_finish. */
void explain_join(struct explanation *x, const struct explanation *more);
void explain_finish(struct explanation *x, const struct est_params *e, double cycles);
