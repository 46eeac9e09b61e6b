/* paired_difference.h - compares two machines on the same intervals: their ratio has a smaller
 * error than either total, because most of an interval's peculiarities affect both machines alike.
 *
 * The ratio of cycles is linearised: its spread is that of (second - ratio x first) / first
 * (Cochran 6.4), with the weights of the first machine's sample. */
#pragma once

#include "sampler/run/sampling.h"

/* Fills *a from run[s->r.runs], what *s has run as the other machine ran it.  Any number of
 * threads. */
bool paired_fill(const struct sampling *s, const struct interval_run *run, struct answer *a,
                 struct error *e);
/* For two machines that were simulated whole: the ratio is exact. */
void paired_exact(const struct answer *first, struct answer *second);
