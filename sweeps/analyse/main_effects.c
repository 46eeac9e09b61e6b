/* main_effects.c - see main_effects.h. */
#include "sweeps/analyse/main_effects.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct factor {
    uint32_t axis, groups;
    uint32_t *of; /* [point] group */
    double ss, swing;
    uint32_t degrees;
    bool cut; /* its groups are bins of several values */
};

struct analysis {
    const struct results *r;
    uint32_t *machine; /* [point] */
    double *v;         /* [point] logarithm of the value */
    double mean, total;
    struct factor *factor;
    uint32_t points, factors;
    bool even;
    double *sum;     /* [groups] workspace */
    uint32_t *count; /* [groups] workspace */
    int64_t *level;  /* [2 * points] workspace */
};

/* A pair of axes has at most this many groups, or as many as there are points. */
enum { CELLS_MAX = EFFECTS_LEVELS * EFFECTS_LEVELS };

static int by_level(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t place_of(const int64_t *used, uint32_t n, int64_t level)
{
    uint32_t at = 0;
    while (at < n && used[at] != level)
        at++;
    return at;
}

/* The bin of a level: how many of the cuts between bins lie at or below it. */
static uint32_t bin_of(const int64_t *sorted, uint32_t points, int64_t level)
{
    uint32_t bin = 0;
    for (uint32_t i = 1; i < EFFECTS_BINS; i++)
        bin += level >= sorted[(uint64_t)i * points / EFFECTS_BINS];
    return bin;
}

static void group_levels(struct analysis *x, struct factor *f)
{
    int64_t *level = x->level, *sorted = x->level + x->points, used[EFFECTS_LEVELS + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->points; i++) {
        uint32_t l = x->r->machine[x->machine[i]].level[f->axis];
        level[i] = sorted[i] = l == RESULTS_NONE ? -1 : (int64_t)l;
    }
    qsort(sorted, x->points, sizeof *sorted, by_level);
    for (uint32_t i = 0; i < x->points && n <= EFFECTS_LEVELS; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) used[n++] = sorted[i];
    bool many = n > EFFECTS_LEVELS;
    f->cut = many;
    f->groups = many ? EFFECTS_BINS : n;
    for (uint32_t i = 0; i < x->points; i++)
        f->of[i] = many ? bin_of(sorted, x->points, level[i]) : place_of(used, n, level[i]);
}

/* The sum of squares between groups; *used: how many groups have members. */
static double variance_between(struct analysis *x, const uint32_t *a, const uint32_t *b,
                               uint32_t width, uint32_t groups, uint32_t *used)
{
    double ss = 0;
    *used = 0;
    memset(x->sum, 0, groups * sizeof *x->sum);
    memset(x->count, 0, groups * sizeof *x->count);
    for (uint32_t i = 0; i < x->points; i++) {
        uint32_t g = b ? a[i] * width + b[i] : a[i];
        x->sum[g] += x->v[i];
        x->count[g]++;
    }
    for (uint32_t g = 0; g < groups; g++) {
        if (x->count[g] == 0) continue;
        double d = x->sum[g] / x->count[g] - x->mean;
        ss += x->count[g] * d * d;
        (*used)++;
    }
    return ss;
}

/* Subtracts the share that chance alone would explain, unless the points fill the grid. */
static double share_of(const struct analysis *x, double ss, uint32_t degrees)
{
    if (x->even || x->points < 2) return ss / x->total;
    double rest = x->points - 1.0 - degrees;
    return fmax(0, (ss - degrees * (x->total - ss) / fmax(1, rest)) / x->total);
}

static void main_effect(struct analysis *x, struct factor *f)
{
    uint32_t used;
    double lo = INFINITY, hi = -INFINITY;
    f->ss = variance_between(x, f->of, NULL, 1, f->groups, &used);
    f->degrees = used - 1;
    for (uint32_t g = 0; g < f->groups; g++) {
        if (x->count[g] == 0) continue;
        lo = fmin(lo, x->sum[g] / x->count[g]);
        hi = fmax(hi, x->sum[g] / x->count[g]);
    }
    f->swing = exp(hi - lo);
}

static double interaction(struct analysis *x, const struct factor *a, const struct factor *b)
{
    uint32_t used;
    double ss = variance_between(x, a->of, b->of, b->groups, a->groups * b->groups, &used);
    double more = (double)used - 1 - a->degrees - b->degrees;
    return share_of(x, fmax(0, ss - a->ss - b->ss), more > 0 ? (uint32_t)more : 0);
}

/* Whether every combination of levels occurs exactly once. */
static bool fills_grid(const struct analysis *x)
{
    double cells = 1;
    bool cut = false;
    for (uint32_t f = 0; f < x->factors; f++) {
        cells *= x->factor[f].groups;
        cut |= x->factor[f].cut;
    }
    if (cut || cells != x->points) return false;
    bool *seen = mem_new(x->points, sizeof *seen), once = seen != NULL;
    for (uint32_t i = 0; i < x->points && once; i++) {
        uint32_t cell = 0;
        for (uint32_t f = 0; f < x->factors; f++)
            cell = cell * x->factor[f].groups + x->factor[f].of[i];
        once = !seen[cell];
        seen[cell] = true;
    }
    mem_free(seen);
    return once;
}

static bool find_points(struct analysis *x, const double *value)
{
    uint32_t n = x->r->n_machines ? x->r->n_machines : 1;
    x->machine = mem_new(n, sizeof *x->machine);
    x->v = mem_new(n, sizeof *x->v);
    x->level = mem_new(2 * (size_t)n, sizeof *x->level);
    if (!x->machine || !x->v || !x->level) return false;
    for (uint32_t m = 0; m < x->r->n_machines; m++) {
        if (!(value[m] > 0)) continue;
        x->machine[x->points] = m;
        x->v[x->points] = log(value[m]);
        x->mean += x->v[x->points++];
    }
    if (x->points) x->mean /= x->points;
    for (uint32_t i = 0; i < x->points; i++)
        x->total += (x->v[i] - x->mean) * (x->v[i] - x->mean);
    return true;
}

/* Finds the axes on which the points differ. */
static bool find_factors(struct analysis *x)
{
    x->factor = mem_new(x->r->n_axes ? x->r->n_axes : 1, sizeof *x->factor);
    x->sum = mem_new(CELLS_MAX, sizeof *x->sum);
    x->count = mem_new(CELLS_MAX, sizeof *x->count);
    if (!x->factor || !x->sum || !x->count) return false;
    for (uint32_t a = 0; a < x->r->n_axes; a++) {
        struct factor *f = &x->factor[x->factors];
        f->axis = a;
        if (!f->of) f->of = mem_new(x->points ? x->points : 1, sizeof *f->of);
        if (!f->of) return false;
        group_levels(x, f);
        x->factors += f->groups > 1;
    }
    return true;
}

static int by_share(const void *a, const void *b)
{
    const struct effect *x = a, *y = b;
    if (x->share < y->share || x->share > y->share) return x->share > y->share ? -1 : 1;
    if (x->axis != y->axis) return x->axis < y->axis ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

static bool fill_effects(struct effects *out, struct analysis *x)
{
    uint32_t most = x->factors * (x->factors + 1) / 2;
    out->points = x->points;
    out->even = x->even = fills_grid(x);
    if (x->points < 2 || most == 0 || !(x->total > 0)) return true;
    out->effect = mem_new(most, sizeof *out->effect);
    if (!out->effect) return false;
    for (uint32_t i = 0; i < x->factors; i++) {
        struct factor *f = &x->factor[i];
        main_effect(x, f);
        out->effect[out->n++] = (struct effect){.axis = f->axis,
                                                .other = RESULTS_NONE,
                                                .share = share_of(x, f->ss, f->degrees),
                                                .swing = f->swing};
    }
    for (uint32_t i = 0; i < x->factors; i++)
        for (uint32_t k = i + 1; k < x->factors; k++)
            out->effect[out->n++] =
                (struct effect){.axis = x->factor[i].axis,
                                .other = x->factor[k].axis,
                                .share = interaction(x, &x->factor[i], &x->factor[k])};
    qsort(out->effect, out->n, sizeof *out->effect, by_share);
    return true;
}

bool effects_find(struct effects *out, const struct results *r, const double *value)
{
    struct analysis x = {.r = r};
    *out = (struct effects){0};
    bool ok = find_points(&x, value) && find_factors(&x) && fill_effects(out, &x);
    for (uint32_t a = 0; x.factor && a < r->n_axes; a++)
        mem_free(x.factor[a].of);
    mem_free(x.factor);
    mem_free(x.machine);
    mem_free(x.v);
    mem_free(x.level);
    mem_free(x.sum);
    mem_free(x.count);
    return ok;
}

void effects_fini(struct effects *x)
{
    mem_free(x->effect);
    *x = (struct effects){0};
}
