/* features.h - what a curve shows: plateaus, knees between them, saturation.
 *
 * A plateau is a run of points whose values lie within 3 % of each other and whose x spans a factor
 * of 1.4 or more; the longest is found first, then those in what it leaves.  Of two neighbours that
 * differ by less than 10 % only the longer counts.  A knee lies where the curve crosses the
 * geometric mean of two neighbouring plateaus. */
#pragma once

#include "cards/probe/curve.h"

enum { PROBE_PLATEAUS = 16 };

struct probe_plateau {
    double low, high; /* x of its ends */
    double value;     /* mean */
};

/* In ascending order of x; returns their number, at most PROBE_PLATEAUS. */
uint32_t probe_plateaus(const struct probe_curve *c, struct probe_plateau out[PROBE_PLATEAUS]);
static inline double probe_middle(const struct probe_plateau *p)
{
    return __builtin_sqrt(p->low * p->high);
}
/* The first x between two x's where the curve crosses a level, between points in the logarithms of
 * both; NAN: nowhere. */
double probe_crossing(const struct probe_curve *c, double from, double to, double level);
/* The mean of the points from that x on; NAN: there are none. */
double probe_mean_from(const struct probe_curve *c, double from);
/* The x with which the last third of a curve's points begins. */
double probe_last_third(const struct probe_curve *c);
