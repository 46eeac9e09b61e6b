/* long_program.h - long programs, of which only each launch's first waves are profiled before they
 * are sampled.
 *
 * A profile of the whole program costs about half as much as simulating it.  The sampler uses it
 * only to group launches and as a control variate, and neither needs to be exact; so the first
 * waves represent the whole launch, in proportion to its instructions.
 *
 * The length from which sampling is cheaper than simulating depends on the machine, because an
 * interval advances all of its resident warps.  In a program of short launches the first waves are
 * most of the program; then the profile alone costs about as much as the simulation.
 *
 * After placement a window's rate oscillates for some hundred instructions per warp, about as the
 * whole run's does.  An interval should be long enough to average over this
 * (docs/models/sampling.md) and, with the longest warm-up before each of two intervals of a
 * stratum, cost no more than six intervals. */
#pragma once

#include "base/error.h"
#include "trace/program/program.h"

struct machine;

/* What a sample at first use costs, in prices of simulating the whole program: the profile, whose
 * instructions cost about as much as simulated ones; the functional pass; intervals with their
 * warm-up. */
struct sample_price {
    double profile, pass, intervals;
};
double sample_price_sum(const struct sample_price *price);

/* A program is long from LONG_FROM warp instructions on, if its price is at most SAMPLE_WORTH.  SMs
 * of few warps do what these do at the time, and the pass does not say when: an interval is as long
 * as their CTAs there. */

uint64_t long_program_instructions(const struct program *p); /* of all launches */
uint32_t long_program_resident_warps(const struct machine *m,
                                     const struct launch *l); /* resident warps, >= 1 */
/* Warp instructions of the launch's last wave of CTAs, if that wave has fewer CTAs than there are
 * SMs, is not the only one, and an SM has room for more than one CTA; else 0. */
uint64_t long_program_drain(const struct machine *m, const struct program *p, uint32_t launch);
/* Smallest length of an interval: a wave of CTAs if SMs have few warps, else 0. */
uint64_t long_program_least_interval(const struct machine *m, const struct program *p,
                                     uint32_t launch);
/* The number of selected instructions, at most `most` (0: no limit).  selected[launches]; NULL:
 * all. */
uint64_t long_program_selected(const struct program *p, const bool *selected, uint64_t most);
/* The price that the program's size alone tells: of the heads' profile (long_program_open), of a
 * whole pass, and of FIRST_UNITS intervals.  Counts the first `most` instructions (0: all) of
 * selected[launches]; NULL: all. */
struct sample_price long_program_price(const struct machine *m, const struct program *p,
                                       const bool *selected, uint64_t most);
/* Whether that part of the program is long. */
bool long_program_is_long(const struct machine *m, const struct program *p, const bool *selected,
                          uint64_t most);
/* Opens a view of p's first waves, which the caller closes; *h = NULL: all of p is to be
 * profiled. */
bool long_program_open(const struct machine *m, const struct program *p, struct program **h,
                       struct error *e);
