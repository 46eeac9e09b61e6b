/* est_params.h - a machine as the estimator takes it. */
#ifndef PLUMB_SAMPLER_DESIGN_EST_PARAMS_H
#define PLUMB_SAMPLER_DESIGN_EST_PARAMS_H

#include "estimator/model/estimate.h"

struct machine;

/* Pointers into *m; a machine that machine_load accepted. */
struct est_params est_params_of(const struct machine *m);

#endif
