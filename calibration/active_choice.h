/* active_choice.h - which runs reduce a calibration's error most.
 *
 * It answers two questions separately.  Which program: the variance that n runs leave of a program
 * is taken as spread^2 / n, where its spread is the standard deviation of log(simulated /
 * estimated) in the runs so far.  The next run goes to the program with which the sum over the
 * programs falls most, so that in the end each has runs in proportion to its spread.  Which
 * machine: each program's candidates are points in the space of their own estimates, the logarithm
 * of cycles, the shares of stations and hit rates, because the estimator's error depends on how the
 * program uses the machine.  The candidates are sorted greedily: next comes the one that lowers the
 * sum of all candidates' distances to the nearest chosen one most (greedy medians; within 1 - 1/e
 * of the best reduction).  A program's runs are the first of its order.
 *
 * Source: Neyman 1934 for shares by spread; Nemhauser, Wolsey & Fisher 1978 for greedy medians;
 * compared with other methods in docs/notebook/validation.md. */
#pragma once

#include "base/error.h"
#include "calibration/residual_model.h"

#include <stdbool.h>
#include <stdint.h>

enum { ACTIVE_CHOICE_COLUMNS = RESIDUAL_FEATURES + 1 };
/* The coordinates of a machine for its program, from the estimate. */
void active_choice_features(const struct residual_point *estimated,
                            double x[ACTIVE_CHOICE_COLUMNS]);

/* x[n][width].  order[count]: indices of the candidates, count <= n.  first: the candidate that
 * comes first; UINT32_MAX: any. */
bool active_choice_order(const double *x, uint32_t n, uint32_t width, uint32_t first,
                         uint32_t count, uint32_t *order, struct error *e);

struct active_program {
    /* runs: requested so far, at least one; room: the most that can be requested */
    uint32_t runs, room;
    uint32_t known;      /* number of runs that gave cycles */
    double sum, squares; /* of their log(simulated / estimated) */
    double spread;       /* active_program_find_spreads: its standard deviation */
};

/* Records another run's log(simulated / estimated). */
void active_program_note(struct active_program *p, double y);
/* Computes the spreads.  A program's own spread is averaged with that of all programs, which weighs
 * as much as one run: two or three runs that agree by chance do not show a spread of 0.  A program
 * whose runs all fail has spread 0, so that it gets no more of them. */
void active_program_find_spreads(struct active_program *p, uint32_t programs);
/* The program to run next, among equals the one with the fewest runs; UINT32_MAX: no program has
 * room. */
uint32_t active_program_next(const struct active_program *p, uint32_t programs);
