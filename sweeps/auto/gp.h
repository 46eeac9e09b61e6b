/* gp.h - Gaussian-process regression on a few hundred points, for the residual of a model.
 *
 * y_i = f(x_i) + noise; f has mean 0 and a covariance that is a sum of terms.  A term is
 *     amplitude^2 x shape(a, b) [x load_of_a's_group x load_of_b's_group]
 * over some columns of x, between all points or only between points of one group.  Shapes: a
 * constant; a plane, 1 + a.b; Matern-5/2 or the squared exponential of a distance in which every
 * column has its own length scale (or all share one).  A group's load is its weight in a term that
 * all groups share; it is 1 for a group without points.  A point's noise is the common noise and
 * its own.
 *
 * Amplitudes, lengths, loads and noise maximise the posterior, under log-normal priors, by gradient
 * steps (Adam).  If there are many points, an evenly chosen subset determines them; predictions use
 * all points.
 *
 * Units: columns should run over about 0..1; y is a logarithm of a ratio. Memory: gp_fit copies
 * what it needs; gp_fini frees.  Several threads may use a fitted gp. Source: Rasmussen & Williams
 * 2006, algorithm 2.1 and equations 2.7, 4.17, 5.1, 5.8, 5.9, 5.12; loads: Bonilla, Chai & Williams
 * 2008 with one task factor; Kingma & Ba 2015. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { GP_TERMS_MAX = 6, GP_LENGTHS_MAX = 1024, GP_GROUPS_MAX = 1024, GP_NO_GROUP = -1 };

enum gp_shape { GP_CONSTANT, GP_PLANE, GP_MATERN, GP_SQUARED };

struct gp_term {
    enum gp_shape shape;
    uint32_t from, width; /* columns */
    bool within_group, loaded;
    bool one_length; /* all its columns share one length */
    double amplitude;
    double length; /* median of the prior, for each of its columns */
};
struct gp_kernel {
    struct gp_term term[GP_TERMS_MAX];
    uint32_t terms;
    double noise; /* standard deviation */
    /* Standard deviations of the priors, in logarithms; 0: no prior. */
    double amplitude_sd, length_sd, noise_sd, load_sd;
    double length[GP_LENGTHS_MAX]; /* learned, one term's lengths after another's */
    double load[GP_GROUPS_MAX];    /* learned, by group */
};
/* The number of lengths that the term has. */
uint32_t gp_lengths(const struct gp_term *t);
/* Sets lengths to the priors' medians and loads to 1.  false: there are more columns than room. */
bool gp_kernel_start(struct gp_kernel *k);

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
    double mean, sd; /* of f, without noise */
};

/* k, which gp_kernel_start has set: the medians of the priors.  learn: false uses k unchanged.
 * false: also after an interrupt. */
bool gp_fit(struct gp *g, const struct gp_data *d, const struct gp_kernel *k, bool learn,
            struct error *e);
void gp_fini(struct gp *g);
/* group: GP_NO_GROUP for a group without points. */
bool gp_predict(const struct gp *g, const double *x, int32_t group, struct gp_value *v,
                struct error *e);
/* As gp_predict; work has room for n numbers. */
struct gp_value gp_at(const struct gp *g, const double *x, int32_t group, double *work);
/* Predicts each point from all others: the mean of f and the standard deviation of y around it,
 * noise included.  out[n] */
bool gp_leave_one_out(const struct gp *g, struct gp_value *out, struct error *e);
