/* residual_crossval.c - see residual_crossval.h. */
#include "calibration/residual_crossval.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "calibration/constants.h"

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

/* --- what is used for a program --- */

void residual_order_add(struct residual_order *o, const struct residual_point *pts,
                        const struct gp_data *d, int32_t group, const double *correction,
                        double *room)
{
    double *truth = room, *guess = room + d->n, first = 0;
    for (int corrected = 0; corrected < 2; corrected++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < d->n; i++) {
            if (d->group[i] != group) continue;
            if (n == 0) first = pts[i].estimate;
            double estimate = pts[i].estimate - first;
            truth[n] = exp(estimate + pts[i].y);
            guess[n++] = exp(estimate + (corrected ? correction[i] : 0));
        }
        rank_add(corrected ? &o->after : &o->before, truth, guess, n);
    }
}

double residual_order_lost(const struct residual_order *o)
{
    double pairs = (double)(o->before.concordant + o->before.discordant + o->before.tied);
    if (!(pairs > 0)) return 0;
    double lost = rank_tau(&o->before) - rank_tau(&o->after), swapped = fmax(0, lost) * pairs / 2;
    return lost - 2 * sqrt(swapped) * 2 / pairs;
}

/* Mean errors of a program at points left out. */
struct program_errors {
    double process, level, nothing; /* means of sizes */
    double level_square, nothing_square;
    uint32_t n;
};

/* level[n]: the mean of the program's other points, less what believes in 0. */
static void find_level(struct residual_program *g, int32_t p, const struct gp_data *d,
                       double *level)
{
    double n = 0, sum = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->group[i] != p) continue;
        n++;
        sum += d->y[i];
    }
    for (uint32_t i = 0; i < d->n; i++)
        if (d->group[i] == p) level[i] = (sum - d->y[i]) / (n - 1 + LEVEL_BELIEF);
    g->level = sum / (n + LEVEL_BELIEF);
}

static struct program_errors errors_of(int32_t p, const struct gp_data *d, const double *process,
                                       const double *level)
{
    struct program_errors e = {.n = 0};
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->group[i] != p) continue;
        double off = d->y[i] - level[i];
        e.n++;
        e.process += fabs(d->y[i] - process[i]);
        e.level += fabs(off);
        e.level_square += off * off;
        e.nothing += fabs(d->y[i]);
        e.nothing_square += d->y[i] * d->y[i];
    }
    return e;
}

/* A constant changes no order; the process may. */
static enum residual_use better_use(const struct program_errors *e, bool worse_order)
{
    if (e->n < LEVEL_POINTS) return RESIDUAL_PROCESS;
    double constant = fmin(e->level, e->nothing);
    if (!worse_order && e->process < constant) return RESIDUAL_PROCESS;
    return e->level <= e->nothing ? RESIDUAL_LEVEL : RESIDUAL_NOTHING;
}

static void choose_for(struct residual *r, int32_t p, const struct residual_point *pts,
                       const struct gp_data *d, const double *process, double *left_out,
                       double *level, double *room)
{
    struct residual_program *g = &r->program[p];
    find_level(g, p, d, level);
    struct program_errors e = errors_of(p, d, process, level);
    struct residual_order order = {.before = {0}};
    residual_order_add(&order, pts, d, p, process, room);
    bool worse_order = residual_order_lost(&order) > ORDER_WORSE;
    g->use = better_use(&e, worse_order);
    g->worse_order = worse_order && g->use != better_use(&e, false);
    if (g->use == RESIDUAL_NOTHING) g->level = 0;
    g->level_sd = sqrt((g->use == RESIDUAL_NOTHING ? e.nothing_square : e.level_square) / e.n);
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->group[i] != p) continue;
        const double used[RESIDUAL_USES] = {
            [RESIDUAL_PROCESS] = process[i], [RESIDUAL_LEVEL] = level[i]};
        left_out[i] = d->y[i] - used[g->use];
    }
}

bool residual_choose_use(struct residual *r, const struct residual_point *pts,
                         const struct gp_data *d, const double *process, double *left_out,
                         struct error *e)
{
    double *level = mem_new(3 * (size_t)d->n, sizeof *level);
    if (!level) return error_no_memory(e);
    for (uint32_t p = 0; p < r->programs; p++)
        choose_for(r, (int32_t)p, pts, d, process, left_out, level, level + d->n);
    mem_free(level);
    return true;
}

double residual_stretch(double *z, uint32_t n)
{
    static const double normal = 1.9599639845400545;
    if (n == 0) return 1;
    sort_doubles(z, n);
    double at = fmin(0.95 * n, n - 1);
    uint32_t k = (uint32_t)at;
    double q = k + 1 < n ? z[k] + (at - k) * (z[k + 1] - z[k]) : z[n - 1];
    return exp(n / (n + STRETCH_BELIEF) * log(fmax(q / normal, STRETCH_LEAST)));
}
