/* surrogate.c - see surrogate.h. */
#include "sweeps/auto/surrogate.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "sweeps/constants.h"

#include <math.h>

/* The priors' middles.  Two runs at the same place differ by nothing, near ones by one or two
 * percent: the noise is what no smooth function says. */
static void kernel_of(struct gp_kernel *k, double variance, uint32_t width)
{
    double deviation = sqrt(fmax(variance, SURROGATE_VARIANCE));
    *k = (struct gp_kernel){
        .terms = 2,
        .noise = SURROGATE_NOISE,
        .length_sd = 1,
        .noise_sd = SURROGATE_NOISE_SD,
        .term = {{GP_SQUARED, 0, width, false, false, false, deviation, 1},
                 {GP_PLANE, 0, width, false, false, false, deviation, 0}},
    };
    gp_kernel_start(k);
}

/* The rank of the 90 % quantile counts the next point among the known ones (Vovk 2005).  The factor
 * is at least 1, because few points seldom show the largest errors. */
static bool find_stretch(struct surrogate *s, struct error *e)
{
    static const double Z_90 = 1.6448536269514722;
    double *z = mem_new(s->n, sizeof *z);
    if (!z) return error_no_memory(e);
    for (uint32_t i = 0; i < s->n; i++) /* residual over its standard deviation */
        z[i] = fabs(surrogate_left_out(s, i)) / s->left_out[i].sd;
    sort_doubles(z, s->n);
    uint32_t at = (uint32_t)ceil(0.9 * (s->n + 1));
    s->stretch = fmax(1, z[(at < s->n ? at : s->n) - 1] / Z_90);
    mem_free(z);
    return true;
}

static bool learn_lengths(struct surrogate *s, const double *x, double *y, double *sd,
                          int32_t *group, uint32_t width, struct error *e)
{
    struct gp_kernel *k = mem_new(1, sizeof *k);
    double variance = 0;
    for (uint32_t i = 0; i < s->n; i++)
        variance += y[i] * y[i] / s->n;
    const struct gp_data d = {.n = s->n, .width = width, .x = x, .group = group, .y = y, .sd = sd};
    if (k) kernel_of(k, variance, width);
    bool ok = k ? gp_fit(&s->gp, &d, k, true, e) : error_no_memory(e);
    mem_free(k);
    return ok;
}

bool surrogate_fit(struct surrogate *s, const double *x, const double *y, uint32_t n,
                   uint32_t width, struct error *e)
{
    *s = (struct surrogate){.n = n, .left_out = mem_new(n, sizeof *s->left_out)};
    double *level = mem_new(n, sizeof *level), *sd = mem_new(n, sizeof *sd);
    int32_t *group = mem_new(n, sizeof *group);
    bool ok = (s->left_out && level && sd && group) || error_no_memory(e);
    for (uint32_t i = 0; i < n; i++)
        s->mean += y[i] / n;
    for (uint32_t i = 0; ok && i < n; i++)
        level[i] = y[i] - s->mean;
    ok = ok && learn_lengths(s, x, level, sd, group, width, e) &&
         gp_leave_one_out(&s->gp, s->left_out, e) && find_stretch(s, e);
    mem_free(level);
    mem_free(sd);
    mem_free(group);
    return ok;
}

void surrogate_fini(struct surrogate *s)
{
    gp_fini(&s->gp);
    mem_free(s->left_out);
    s->left_out = NULL;
}

struct surrogate_value surrogate_at(const struct surrogate *s, const double *x, double *work)
{
    struct gp_value v = gp_at(&s->gp, x, 0, work);
    return (struct surrogate_value){.mean = s->mean + v.mean,
                                    .sd = s->stretch * hypot(v.sd, s->gp.kernel.noise)};
}

double surrogate_left_out(const struct surrogate *s, uint32_t i)
{
    return s->gp.y[i] - s->left_out[i].mean;
}
