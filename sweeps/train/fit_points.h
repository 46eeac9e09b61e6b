/* fit_points.h - the runs that a calibration is fitted to: what the fit knows of each, and the
 * profiles that their estimates share. */
#pragma once

#include "calibration/calibrate.h"
#include "engine/profile_pool.h"

struct fit_points {
    struct cal_point *at; /* [runs] */
    double (
        *value)[METRICS_KEYS_MAX]; /* [runs] the run's metrics, to which at[].simulated points */
    struct profile_pool profiles;
};

void fit_points_init(struct fit_points *f);
/* Once, before the first run. */
bool fit_points_make_room(struct fit_points *f, uint32_t runs, struct error *e);
void fit_points_fini(struct fit_points *f);
