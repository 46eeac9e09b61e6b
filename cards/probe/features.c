/* features.c - see features.h. */
#include "cards/probe/features.h"

#include "cards/constants.h"

#include <math.h>
#include <string.h>

struct plateau_finder {
    const struct probe_curve *c;
    struct probe_plateau *out;
    uint32_t n;
};

static double span_of(const struct probe_plateau *p)
{
    return log(p->high / p->low);
}

/* The run from `first` on whose values lie within PROBE_FLAT of each other, before `end`. */
static size_t run_end(const struct probe_curve *c, size_t first, size_t end)
{
    double low = c->point[first].value, high = low;
    size_t i = first + 1;
    for (; i < end; i++) {
        low = fmin(low, c->point[i].value);
        high = fmax(high, c->point[i].value);
        if (high > low * (1 + PROBE_FLAT)) break;
    }
    return i;
}

static double mean_of(const struct probe_curve *c, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += c->point[i].value;
    return sum / (double)(end - first);
}

/* Finds the longest plateau of points first .. end - 1, then those on both sides of it. */
static void find_plateaus(struct plateau_finder *f, size_t first, size_t end)
{
    struct probe_plateau best = {0};
    size_t best_first = 0, best_end = 0;
    for (size_t i = first; i < end; i++) {
        struct probe_plateau p = {.low = f->c->point[i].x, .high = f->c->point[end - 1].x};
        if (best_end && span_of(&p) <= span_of(&best)) break; /* the rest is shorter */
        size_t stop = run_end(f->c, i, end);
        p.high = f->c->point[stop - 1].x;
        if (!(p.low > 0) || p.high < p.low * PROBE_SPAN) continue;
        if (best_end && span_of(&p) <= span_of(&best)) continue;
        p.value = mean_of(f->c, i, stop);
        best = p;
        best_first = i;
        best_end = stop;
    }
    if (!best_end || f->n == PROBE_PLATEAUS) return;
    find_plateaus(f, first, best_first);
    if (f->n < PROBE_PLATEAUS) f->out[f->n++] = best;
    find_plateaus(f, best_end, end);
}

/* Removes the shorter of two neighbours of nearly one level. */
static bool remove_one(struct plateau_finder *f)
{
    for (uint32_t i = 0; i + 1 < f->n; i++) {
        const struct probe_plateau *a = &f->out[i], *b = a + 1;
        if (fabs(log(b->value / a->value)) >= log(1 + PROBE_APART)) continue;
        uint32_t gone = span_of(a) < span_of(b) ? i : i + 1;
        memmove(&f->out[gone], &f->out[gone + 1], (f->n - gone - 1) * sizeof *f->out);
        f->n--;
        return true;
    }
    return false;
}

uint32_t probe_plateaus(const struct probe_curve *c, struct probe_plateau out[PROBE_PLATEAUS])
{
    struct plateau_finder f = {.c = c, .out = out};
    find_plateaus(&f, 0, c->n);
    while (remove_one(&f))
        continue;
    return f.n;
}

double probe_crossing(const struct probe_curve *c, double from, double to, double level)
{
    for (size_t i = 0; i + 1 < c->n; i++) {
        const struct probe_point *a = &c->point[i], *b = a + 1;
        if (b->x <= from || a->x >= to || a->x == b->x) continue;
        if ((a->value < level) == (b->value < level)) continue;
        double part = log(level / a->value) / log(b->value / a->value);
        return a->x * pow(b->x / a->x, part);
    }
    return NAN;
}

double probe_mean_from(const struct probe_curve *c, double from)
{
    size_t first = 0;
    while (first < c->n && c->point[first].x < from)
        first++;
    return first < c->n ? mean_of(c, first, c->n) : NAN;
}

double probe_last_third(const struct probe_curve *c)
{
    return c->n ? c->point[c->n * 2 / 3].x : NAN;
}
