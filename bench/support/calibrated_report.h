/* calibrated_report.h - for sampler_calibrated: how far calibrated estimates are off. */
#pragma once

#include "bench/support/calibrated_choice.h"

/* Over all choices of training points. */
struct summary {
    uint32_t n, programs, found, raw_found; /* choices; programs; those whose best is found */
    double error, tau, held, width;
};

/* Prints the errors of programs from..to-1 at the points that no calibration was made from; adds
 * them to *all unless it is NULL. */
void report_errors(const struct bed *b, const char *name, const char *what, uint32_t from,
                   uint32_t to, struct summary *all);

/* Counts the programs whose best design is found. */
void count_found(const struct bed *b, struct summary *all);

/* Prints the means over all choices. */
void print_summary(const char *base, const char *how, const struct summary *s);
