/* rank_correlation.h - how well one list of numbers orders another (Kendall's tau), and summaries
 * of relative errors. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Pairs of points whose true values differ by more than RANK_NEAR of the larger one are asked
 * about; nearer ones are a matter of taste. */

struct rank_correlation {
    uint64_t concordant, discordant, tied; /* tied: both guesses are equal */
};
/* Adds all pairs among n points. */
void rank_add(struct rank_correlation *r, const double *truth, const double *guess, uint32_t n);
/* Kendall's tau: (concordant - discordant) / pairs; NaN without pairs. */
double rank_tau(const struct rank_correlation *r);

/* Statistics of |guess / truth - 1|.  All are NaN when n = 0. */
struct error_summary {
    double mean, median, p90, worst;
};
/* Sorts e[n] in place. */
struct error_summary error_summarise(double *e, uint32_t n);
