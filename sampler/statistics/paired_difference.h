/* paired_difference.h - compares two machines on the same intervals: their ratio has a smaller
 * error than either total, because most of an interval's peculiarities affect both machines alike.
 *
 * The ratio of cycles is linearised: its spread is that of (second - ratio x first) / first
 * (Cochran 6.4), with the weights of the first machine's sample. */
#ifndef PLUMB_SAMPLER_STATISTICS_PAIRED_DIFFERENCE_H
#define PLUMB_SAMPLER_STATISTICS_PAIRED_DIFFERENCE_H

#include "sampler/run/sampling.h"

/* The relative systematic error that placement and warm-up leave in a ratio: part of it is the same
 * on both machines and cancels (docs/models/sampling.md). */
#define PLACING_OF_RATIO 0.015

/* Fills *a from run[s->r.runs], the other machine's runs of the units that *s has run.  Several
 * threads may call it. */
bool paired_fill(const struct sampling *s, const struct interval_run *run, struct answer *a,
                 struct error *e);
/* For two machines that were simulated whole: the ratio is exact. */
void paired_exact(const struct answer *first, struct answer *second);

#endif
