/* causes.h - what would help: the estimate of a machine that has twice as much of one resource.
 *
 * Each try turns parameters that a user could turn, on a copy of the machine, and solves the same
 * profile again.  What machine_check refuses, what is without limit already, and what would need
 * another profile (SMs, warps, sub-cores) is not tried.  Stations that are busy together hide each
 * other, since neither alone helps: those are tried in pairs.
 *
 * What it saves is a share of the time, not of the cycles, so that clocks can be compared.  Of a
 * calibration the coefficients count, not the residual, which knows no cause.
 * Cost: some thirty estimates.  Source: docs/models/estimator.md, "What would help". */
#ifndef PLUMB_ENGINE_CAUSES_H
#define PLUMB_ENGINE_CAUSES_H

#include "base/text/json.h"
#include "sampler/answer/what_if.h"

#include <stdbool.h>

struct engine_job;

/* Those that save at least so much are told. */
extern const double CAUSE_LEAST;

/* The job has its profile.  false: no memory. */
bool causes_find(const struct engine_job *job, struct causes *c);
/* The array "what_helps", where somebody asked. */
void causes_json(const struct causes *c, struct json *j);

#endif
