/* legal_values.h - which values of an open range the machine takes, so that a design draws only
 * those: a capacity of whole sets, a clock of whole kHz. Legal is what machine_set accepts on one
 * of the sweep's machines, with nothing else changed. */
#pragma once

#include "sweeps/plan/plan.h"

/* Of an axis that has none yet: finds the legal values of a whole-number parameter, or the decimals
 * that a real one may have. Where none of its values is legal by itself, the axis is left as it is.
 * false: *e, no memory. */
bool legal_values_find(struct plan *p, struct axis *a, struct error *e);
/* The legal value at t in 0..1 of the range, on the axis's scale: each takes the part of the range
 * that is nearest to it. precondition: a->n_legal > 0. */
double legal_value_at(const struct axis *a, double t);
/* Adds "l2.bank_kb: drawn from the 4 legal values ..."; "" for an axis that takes all. */
void legal_values_say(const struct axis *a, struct text *out);
