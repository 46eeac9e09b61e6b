/* l1_banks.h - accesses per cycle that the banks of an L1 let through.
 *
 * Accesses enter in order, `ports` a cycle, until one finds its bank taken; it is the first of the
 * next cycle.  With random addresses every cycle has the same distribution, and its mean is the sum
 * over k of the probability that the first k all find their banks free.  Neighbouring sectors of
 * one line lie in different banks and do not conflict. */
#pragma once

#include "gpu/machine/params/l1.h"

/* run: mean number of sectors of a line that an instruction accesses.  Returns `ports` without
 * banks. */
double l1_accesses_per_cycle(const struct l1_params *l1, double run);
