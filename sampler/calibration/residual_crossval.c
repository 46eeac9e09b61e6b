/* residual_crossval.c - see residual_crossval.h. */
#include "sampler/calibration/residual_crossval.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "sampler/constants.h"

#include <math.h>
#include <string.h>

/* A program's points are dealt one after another. */
static void deal_folds(const struct gp_data *d, uint32_t *fold)
{
    for (uint32_t i = 0; i < d->n; i++) {
        fold[i] = 0;
        for (uint32_t j = 0; j < i; j++)
            fold[i] += d->group[j] == d->group[i];
        fold[i] %= CROSS_FOLDS;
    }
}

struct training_fold {
    struct gp_data d;
    double *x, *y, *sd;
    int32_t *group;
};

static void take_others(struct training_fold *r, const struct gp_data *d, const uint32_t *fold,
                        uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        if (fold[i] == k) continue;
        memcpy(r->x + (size_t)n * d->width, d->x + (size_t)i * d->width, d->width * sizeof *r->x);
        r->y[n] = d->y[i];
        r->sd[n] = d->sd[i];
        r->group[n++] = d->group[i];
    }
    r->d = (struct gp_data){
        .n = n, .width = d->width, .x = r->x, .group = r->group, .y = r->y, .sd = r->sd};
}

static bool one_fold(const struct gp_data *d, const struct gp_data *others,
                     const struct gp_kernel *middle, const uint32_t *fold, uint32_t k,
                     struct gp_value *out, struct error *e)
{
    struct gp *g = mem_new(1, sizeof *g);
    bool ok = g ? gp_fit(g, others, middle, true, e) : error_no_memory(e);
    for (uint32_t i = 0; ok && i < d->n; i++) {
        if (fold[i] != k) continue;
        ok = gp_predict(g, d->x + (size_t)i * d->width, d->group[i], &out[i], e);
        out[i].sd = hypot(hypot(out[i].sd, g->kernel.noise), d->sd[i]);
    }
    if (g) gp_fini(g);
    mem_free(g);
    return ok;
}

bool residual_fold(const struct gp_data *d, const struct gp_kernel *middle, struct gp_value *out,
                   struct error *e)
{
    for (uint32_t i = 0; i < d->n; i++)
        out[i] = (struct gp_value){.sd = -1};
    if (d->n < CROSS_POINTS) return true;
    uint32_t *fold = mem_new(d->n, sizeof *fold);
    struct training_fold r = {.x = mem_new((size_t)d->n * (d->width + 2), sizeof *r.x),
                              .group = mem_new(d->n, sizeof *r.group)};
    bool ok = (fold && r.x && r.group) || error_no_memory(e);
    if (ok) deal_folds(d, fold);
    for (uint32_t k = 0; ok && k < CROSS_FOLDS; k++) {
        r.y = r.x + (size_t)d->n * d->width;
        r.sd = r.y + d->n;
        take_others(&r, d, fold, k);
        ok = one_fold(d, &r.d, middle, fold, k, out, e);
    }
    mem_free(fold);
    mem_free(r.x);
    mem_free(r.group);
    return ok;
}

/* --- a program's level --- */

/* Of program p; true: the constant errs no more. left_out[]: what it leaves, of every point without
 * that point. */
static bool judge_level(struct residual_program *g, int32_t p, const struct gp_data *d,
                        const struct gp_value *out, double *left_out)
{
    double n = 0, sum = 0, off = 0, square = 0, process = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->group[i] != p || out[i].sd < 0) continue;
        n++;
        sum += d->y[i];
        process += fabs(d->y[i] - out[i].mean);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->group[i] != p || out[i].sd < 0) continue;
        left_out[i] = d->y[i] - (sum - d->y[i]) / (n - 1 + LEVEL_BELIEF);
        off += fabs(left_out[i]);
        square += left_out[i] * left_out[i];
    }
    g->level = sum / (n + LEVEL_BELIEF);
    g->level_sd = n > 0 ? sqrt(square / n) : 0;
    return n >= LEVEL_POINTS && off <= process;
}

void residual_choose_level(struct residual *r, const struct gp_data *d, const struct gp_value *out,
                           double *left_out)
{
    for (uint32_t p = 0; p < r->programs; p++) {
        struct residual_program *g = &r->program[p];
        g->level_alone = judge_level(g, (int32_t)p, d, out, left_out);
        for (uint32_t i = 0; i < d->n && !g->level_alone; i++)
            if (d->group[i] == (int32_t)p && out[i].sd >= 0) left_out[i] = d->y[i] - out[i].mean;
    }
}

double residual_stretch(double *z, uint32_t n)
{
    static const double normal = 1.6448536269514722;
    if (n == 0) return 1;
    sort_doubles(z, n);
    double at = fmin(0.9 * n, n - 1);
    uint32_t k = (uint32_t)at;
    double q = k + 1 < n ? z[k] + (at - k) * (z[k + 1] - z[k]) : z[n - 1];
    return exp(n / (n + STRETCH_BELIEF) * log(fmax(q / normal, STRETCH_LEAST)));
}
