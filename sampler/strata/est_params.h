/* est_params.h - translates a machine into the estimator's parameters. */
#pragma once

#include "estimator/model/estimate.h"

struct machine;

/* The result points into *m, which machine_load must have accepted. */
struct est_params est_params_of(const struct machine *m);
/* The view that a profile for the machine must have. */
struct profile_view est_view_of(const struct machine *m);
