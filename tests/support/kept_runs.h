/* kept_runs.h - what tests of calibration files say that their runs were simulated as. */
#pragma once

#include "calibration/calibrate.h"

enum { KEPT_RUNS_MAX = 64 };

/* Lets c have kept runs: metric k of run i is 1000 (i + 1) + k, the program's name "".
 * precondition: c->n <= KEPT_RUNS_MAX.  The runs are static: set c->kept to NULL before
 * calibration_fini. */
void keep_example_runs(struct calibration *c);
