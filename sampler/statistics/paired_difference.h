/* paired_difference.h - two machines on the same intervals: how they differ is told more closely
 * than how long either takes, since what is odd about an interval is odd on both.
 *
 * The ratio of cycles is linearised: its spread is that of (second - ratio x first) / first
 * (Cochran 6.4), with the weights of the first machine's sample. */
#ifndef PLUMB_SAMPLER_STATISTICS_PAIRED_DIFFERENCE_H
#define PLUMB_SAMPLER_STATISTICS_PAIRED_DIFFERENCE_H

#include "sampler/run/sampling.h"

/* What placing and warming leave of a ratio, relative: part of their error is the same on both
 * machines (docs/models/sampling.md). */
#define PLACING_OF_RATIO 0.015

/* Fills *a from run[s->r.runs], what *s has run as the other machine ran it.  Any number of
 * threads. */
bool paired_fill(const struct sampling *s, const struct interval_run *run, struct answer *a,
                 struct error *e);
/* Both were simulated whole: the ratio is exact. */
void paired_exact(const struct answer *first, struct answer *second);

#endif
