/* correction.h - corrects an estimate as runs of its program say (calibration/calibrate.h). */
#pragma once

#include "engine/engine_job.h"

/* Corrects the times, and states how far the cycles may be off.  Without a calibration it does
 * nothing. */
void correction_apply(const struct engine_job *job, struct answer *a);
