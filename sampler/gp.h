/* gp.h - Gaussian-process regression on a few hundred points: what is left over when a model has
 * said what it can.
 *
 * y_i = f(x_i) + noise; f has mean 0 and a covariance that is a sum of terms.  A term looks at some
 * columns of x: amplitude^2 x Matern-5/2(distance / length), between all points or only between
 * points of one group; without columns it is a constant.  A point's noise is the common one and its
 * own.  Amplitudes, lengths and noise are those of the largest marginal likelihood, under
 * log-normal priors, found by a simplex search (GSL).
 *
 * Memory: gp_fit copies what it needs; gp_fini frees.  A fitted gp may serve many threads.
 * Source: Rasmussen & Williams 2006, algorithm 2.1 and equations 4.17, 5.8, 5.12. */
#ifndef PLUMB_SAMPLER_GP_H
#define PLUMB_SAMPLER_GP_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { GP_TERMS_MAX = 6, GP_NO_GROUP = -1 };

struct gp_term {
    uint32_t from, width; /* columns; width 0: a constant */
    bool within_group;
    double amplitude, length; /* of the prior's middle, then as fitted */
};
struct gp_kernel {
    struct gp_term term[GP_TERMS_MAX];
    uint32_t terms;
    double noise; /* standard deviation; as above */
};

struct gp_data {
    uint32_t n, width;
    const double *x;      /* [n][width] */
    const int32_t *group; /* [n] 0.. */
    const double *y;      /* [n] */
    const double *sd;     /* [n] each point's own noise */
};

struct gp {
    struct gp_kernel kernel;
    uint32_t n, width;
    double *x, *y, *sd; /* copies */
    int32_t *group;
    double *chol;    /* [n][n] lower triangle of K + noise */
    double *alpha;   /* [n] (K + noise)^-1 y */
    double evidence; /* log marginal likelihood */
};

struct gp_value {
    double mean, sd; /* of f alone, without noise */
};

/* k: the middle of the priors.  learn: false takes it as it is. */
bool gp_fit(struct gp *g, const struct gp_data *d, const struct gp_kernel *k, bool learn,
            struct error *e);
void gp_fini(struct gp *g);
/* group: GP_NO_GROUP for one that no point has. */
bool gp_predict(const struct gp *g, const double *x, int32_t group, struct gp_value *v,
                struct error *e);
/* Each point from all others: mean of f there, and the standard deviation that y should have around
 * it, noise included.  out[n] */
bool gp_leave_one_out(const struct gp *g, struct gp_value *out, struct error *e);
/* By how much the summed variance at the candidates x[n][width] would fall if candidate i were
 * observed with the common noise.  out[n].  What active learning asks (Cohn 1996). */
bool gp_gain(const struct gp *g, const double *x, const int32_t *group, uint32_t n, double *out,
             struct error *e);

#endif
