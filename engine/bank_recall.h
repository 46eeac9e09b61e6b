/* bank_recall.h - what the bank of runs teaches about a program's estimates.
 *
 * A run of the bank corrects estimates together with an estimate of its own machine
 * (calibration/calibrate.h).  The bank keeps these estimates by the estimator's version; those that
 * it lacks are made and left there.  A first estimate of a program makes at most one profile more
 * for this: other machines' estimates wait until their profiles are there. */
#pragma once

#include "calibration/bank/bank.h"
#include "calibration/calibrate.h"

struct program;
struct run_opts;

/* Makes `out` a calibration of the runs that `from` (may be NULL) has of the programs, and of those
 * that the bank has of them on machines like m (SIMILAR_MACHINES), of which estimates are asked.
 * ready: whether it has any run; false: the caller goes on with `from`.  A bank that cannot be read
 * teaches nothing (bank_trouble has the line).  The caller calls calibration_fini in either case.
 * false: no memory. */
bool bank_recall(struct bank *b, const struct calibration *from, const struct range_model *ranges,
                 const struct machine *m, const struct program *const *program, uint32_t programs,
                 const struct run_opts *o, struct calibration *out, bool *ready, struct error *e);
