/* active_choice.c - see active_choice.h. */
#include "calibration/active_choice.h"

#include "base/memory/alloc.h"
#include "calibration/constants.h"

#include <math.h>
#include <string.h>

/* --- machines --- */

/* Features are shares: a difference of a tenth weighs as much as 1 % of the cycles. */
void active_choice_features(const struct residual_point *estimated, double x[ACTIVE_CHOICE_COLUMNS])
{
    for (uint32_t i = 0; i < RESIDUAL_FEATURES; i++)
        x[i] = TEACH_OF_SHARE * estimated->feature[i];
    x[RESIDUAL_FEATURES] = estimated->estimate;
}

struct ordering {
    uint32_t n;
    double *apart; /* [n][n] */
    double *least; /* [n] distance to the nearest chosen candidate */
    bool *taken;   /* [n] */
};

static void find_distances(struct ordering *o, const double *x, uint32_t width)
{
    for (uint32_t i = 0; i < o->n; i++) {
        o->least[i] = INFINITY;
        for (uint32_t j = 0; j < o->n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < width; k++) {
                double d = x[(size_t)i * width + k] - x[(size_t)j * width + k];
                sum += d * d;
            }
            o->apart[(size_t)i * o->n + j] = sqrt(sum);
        }
    }
}

static double sum_with(const struct ordering *o, uint32_t candidate)
{
    const double *apart = o->apart + (size_t)candidate * o->n;
    double sum = 0;
    for (uint32_t i = 0; i < o->n; i++)
        sum += fmin(o->least[i], apart[i]);
    return sum;
}

static uint32_t best_candidate(const struct ordering *o)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < o->n; i++) {
        if (o->taken[i]) continue;
        double sum = sum_with(o, i);
        if (best != UINT32_MAX && sum >= least) continue;
        least = sum;
        best = i;
    }
    return best;
}

static void take_candidate(struct ordering *o, uint32_t candidate)
{
    o->taken[candidate] = true;
    for (uint32_t i = 0; i < o->n; i++)
        o->least[i] = fmin(o->least[i], o->apart[(size_t)candidate * o->n + i]);
}

bool active_choice_order(const double *x, uint32_t n, uint32_t width, uint32_t first,
                         uint32_t count, uint32_t *order, struct error *e)
{
    struct ordering o = {.n = n,
                         .apart = mem_new((size_t)n * n, sizeof(double)),
                         .least = mem_new(n, sizeof(double)),
                         .taken = mem_new(n, sizeof(bool))};
    bool ok = (o.apart && o.least && o.taken) || error_no_memory(e);
    if (ok) find_distances(&o, x, width);
    for (uint32_t i = 0; ok && i < count; i++) {
        order[i] = i == 0 && first != UINT32_MAX ? first : best_candidate(&o);
        take_candidate(&o, order[i]);
    }
    mem_free(o.apart);
    mem_free(o.least);
    mem_free(o.taken);
    return ok;
}

/* --- programs --- */

void active_program_note(struct active_program *p, double y)
{
    p->known++;
    p->sum += y;
    p->squares += y * y;
}

static double squares_about_mean(const struct active_program *p)
{
    return p->known ? fmax(p->squares - p->sum * p->sum / p->known, 0) : 0;
}

void active_program_find_spreads(struct active_program *p, uint32_t programs)
{
    double squares = 0, freedom = 0;
    for (uint32_t i = 0; i < programs; i++) {
        squares += squares_about_mean(&p[i]);
        freedom += p[i].known > 1 ? p[i].known - 1 : 0;
    }
    double all = freedom > 0 ? squares / freedom : 1;
    for (uint32_t i = 0; i < programs; i++)
        p[i].spread = p[i].known ? sqrt((squares_about_mean(&p[i]) + all) / p[i].known) : 0;
}

/* The reduction of the program's remaining variance by one more run. */
static double fall_of(const struct active_program *p)
{
    return p->spread * p->spread / p->runs / (p->runs + 1);
}

static bool comes_before(const struct active_program *a, const struct active_program *b)
{
    double fall = fall_of(a), other = fall_of(b);
    return fall > other || (fall == other && a->runs < b->runs);
}

uint32_t active_program_next(const struct active_program *p, uint32_t programs)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < programs; i++)
        if (p[i].runs < p[i].room && (best == UINT32_MAX || comes_before(&p[i], &p[best])))
            best = i;
    return best;
}
