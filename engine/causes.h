/* causes.h - what would help: the estimate of a machine with twice as much of one resource.
 *
 * Each trial changes user-visible parameters on a copy of the machine and solves the model again
 * with the same profile.  It skips machines that the checks in gpu/machine/check refuse, resources
 * that are unlimited, and parameters that would need another profile (SMs, warps, sub-cores).  Of
 * two saturated stations neither alone helps, so those are tried in pairs.
 *
 * The saving is a share of the time, not of the cycles, so that clocks can be compared.  Where the
 * job's calibration corrects estimates, each machine that saves or costs something is estimated in
 * full and corrected as an answer of its own would be, so that a comparison with it says the same.
 * Cost: some fifteen estimates of at most CAUSE_LAUNCHES launches, and one in full of each machine
 * that is corrected.  Source: docs/models/estimator.md, "What would help". */
#pragma once

#include "answer/what_if.h"
#include "base/text/json.h"
#include "estimator/model/estimate.h"

#include <stdbool.h>

struct engine_job;

/* The job must have its profile; m, x: its estimate, not corrected, and its explanation.  false: no
 * memory. */
bool causes_find(const struct engine_job *job, const struct metrics *m, const struct explanation *x,
                 struct causes *c);
/* The station that the best cause relieves, or of a pair the better part; NULL: none, or no cause.
 */
const char *causes_station(const struct causes *c);
/* Writes the array "what_helps", if it was requested. */
void causes_json(const struct causes *c, struct json *j);
