/* stratified.h - estimates from a stratified sample with a control variate: pure functions.
 *
 * The population is divided into strata of N_h units each; in each stratum n_h units were drawn at
 * random without replacement and observed.  Totals are estimated by weights, the same ones for
 * every metric, so that ratios of totals stay consistent:
 *
 *   stratified   w = N_h / n_h
 *   regression   w = N_h / n_h + (X - X^) k_h (x - x_h) / S
 *                k_h = N_h (N_h - n_h) / (n_h (n_h - 1)),  S = sum k_h (x - x_h)^2
 *                X: known total of the control variate x, X^: its stratified estimate
 *
 * The second is the combined regression estimator with the slope b that minimises the estimated
 * variance (Cochran 1977, section 7.10): the weighted sum of y is Y^ + b (X - X^).
 *
 * Variances are those of stratified sampling with finite-population correction (Cochran 5.6) of the
 * residuals y - b x; degrees of freedom are Satterthwaite's (Cochran 5.4), less one for the slope.
 * A stratum observed in full adds no variance; one with n_h = 1 < N_h has no variance estimate, and
 * callers must avoid it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stratum_size {
    uint32_t units; /* N_h */
    double x_total; /* total of the control variate over all units */
};

struct stratified {
    const struct stratum_size *stratum;
    uint32_t strata;
    const uint32_t *of; /* [n] stratum of each observation */
    const double *x;    /* [n] control variate of each observation; NULL: none */
    uint32_t n;
};

struct spread {
    double variance; /* of the estimated total */
    double df;       /* > 0; infinite when every stratum was observed in full */
};

/* w[n].  false: the control variate does not vary within the strata (or x is NULL); then w has the
 * plain stratified weights. */
bool stratified_weights(const struct stratified *s, double *w);
/* The spread of the total of y; with_x: after regression on x, else plainly stratified. */
struct spread stratified_spread(const struct stratified *s, const double *y, bool with_x);

/* Weights above 0 that reproduce the totals of units and of x: w = N_h / n_h exp(l k_h n_h / N_h (x
 * - x_h)), normalised to add up to N_h in each stratum (raking: Deville & Sarndal 1992, case 2; it
 * agrees with the regression to first order).  false: no l gives the total of x. */
bool stratified_rake(const struct stratified *s, double *w);
/* The slope of y on x within the strata that minimises the variance; false: x does not vary (or is
 * NULL). */
bool stratified_slope(const struct stratified *s, const double *y, double *b);

/* Half width of the two-sided confidence interval. */
double spread_half_width(const struct spread *v, double confidence);
/* Converts a normal half width at 95 % confidence to another confidence. */
double stratified_half_width_at(double of_95, double confidence);

/* Hands `add` further units to strata, one after another to the stratum where it lowers the
 * variance most for its cost: the exact optimum for whole numbers (Wright 2014), which rounds
 * Neyman's n_h ~ N_h S_h / sqrt(c_h) (Cochran 5.5).  n[] holds the present allocation and is
 * increased, never above N[]. false: every stratum is full. */
struct allocation {
    const uint32_t *units; /* N_h */
    const double *sd;      /* S_h */
    const double *cost;    /* c_h of one unit */
    uint32_t strata;
};
bool allocation_next(const struct allocation *a, uint32_t *n, uint32_t *chosen);
double allocation_variance(const struct allocation *a,
                           const uint32_t *n); /* predicted variance of the total */
