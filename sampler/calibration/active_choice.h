/* active_choice.h - which runs teach a calibration most.
 *
 * Two questions, answered apart.  Which program: the variance that n runs leave of a program is
 * taken as spread^2 / n, its spread the standard deviation of log(simulated / estimated) in the
 * runs so far; the next run goes where the sum over the programs falls most, so that in the end
 * each has runs in proportion to its spread.  Which machine: each program's candidates lie where
 * its own estimates put them, the logarithm of their cycles and what they say of stations and hit
 * rates, for what the estimator errs by goes with what the program feels.  They are put in the
 * order in which the distances of all candidates to the nearest one taken, summed, fall most
 * (greedy medians; within 1 - 1/e of the best fall).  A program's runs are the first of its order.
 *
 * Source: Neyman 1934 for shares by spread; Nemhauser, Wolsey & Fisher 1978 for greedy medians;
 * measured against others in docs/notebook/validation.md. */
#ifndef PLUMB_SAMPLER_CALIBRATION_ACTIVE_CHOICE_H
#define PLUMB_SAMPLER_CALIBRATION_ACTIVE_CHOICE_H

#include "base/error.h"
#include "sampler/calibration/residual_model.h"

#include <stdbool.h>
#include <stdint.h>

enum { ACTIVE_CHOICE_COLUMNS = RESIDUAL_FEATURES + 1 };
/* Where the estimate puts a machine for its program. */
void active_choice_features(const struct residual_point *estimated,
                            double x[ACTIVE_CHOICE_COLUMNS]);

/* x[n][width].  order[count]: indices of the candidates, count <= n.  first: taken before the
 * others; UINT32_MAX: none. */
bool active_choice_order(const double *x, uint32_t n, uint32_t width, uint32_t first,
                         uint32_t count, uint32_t *order, struct error *e);

struct active_program {
    uint32_t runs, room; /* asked for so far, at least one; that can be asked for */
    uint32_t known;      /* that gave cycles */
    double sum, squares; /* of their log(simulated / estimated) */
    double spread;       /* active_program_find_spreads: its standard deviation */
};

/* Another run's log(simulated / estimated). */
void active_program_note(struct active_program *p, double y);
/* A program has its own spread, with one run's belief in that of all: two or three that happen to
 * agree do not say that it has none.  One whose runs all fail has none: it teaches nothing. */
void active_program_find_spreads(struct active_program *p, uint32_t programs);
/* The program that the next run is of, among equals that with the fewest; UINT32_MAX: there is no
 * room anywhere. */
uint32_t active_program_next(const struct active_program *p, uint32_t programs);

#endif
