/* launch_solve.h - solves single launches of a profile for one machine. */
#pragma once

#include "estimator/model/estimate.h"
#include "estimator/model/launch_model_solve.h"

struct launch_solver {
    const struct profile *p;
    const struct est_params *e;
    struct map map;
    struct placed_pages *pages; /* NULL: none are placed */
};
/* Call launch_solver_fini even if it fails. false: the profile is of another view of the program,
 * or there is no memory for a page table. */
bool launch_solver_init(struct launch_solver *s, const struct profile *p,
                        const struct est_params *e, struct error *err);
void launch_solver_fini(struct launch_solver *s);

/* The results for one launch, to which its own are added; any of the three may be NULL. */
struct launch_answer {
    struct metrics *m;
    struct rows_left *rows; /* [PAGE_MEMORIES]; requires m */
    struct explanation *x;
    double *cycles;
};
bool launch_solve(const struct launch_solver *s, uint32_t launch, const struct launch_answer *a,
                  struct error *err);

/* The lines of the L2 that are in use before the launch, where its estimate depends on them. */
double launch_filled_lines(const struct profile *p, uint32_t launch, const struct l2_params *l2);
