/* points.c - see points.h. */
#include "cards/probe/points.h"

#include "cards/constants.h"
#include "cards/probe/features.h"
#include "cards/probe/programs.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdlib.h>

enum { STRIDES = 17, LANES = 32, BLOCK_KB = 512, SM_THREADS = 2048 };

/* The i-th of n numbers from a to b at equal ratios. */
static double between(double a, double b, uint32_t i, uint32_t n)
{
    return n > 1 ? a * pow(b / a, (double)i / (n - 1)) : a;
}

/* One CTA per SM, or two of more than 256 threads. */
static void default_stream(const struct machine *m, double threads, struct probe_point *pt)
{
    uint32_t whole = (uint32_t)threads / LANES * LANES;
    pt->ctas = whole > 512 ? 2 : 1;
    pt->block = whole / pt->ctas / LANES * LANES;
    pt->x = probe_stream_threads(m, pt);
}

static double default_x(const struct machine *m, enum probe_id id, uint32_t i, uint32_t n)
{
    double reach = PROBE_REACH * probe_last_cache_bytes(m) / PROBE_KB;
    double resident = PROBE_REACH * BLOCK_KB * m->sm.count; /* beyond what CTAs of one time share */
    switch (probe_experiments[id].kind) {
    case PROBE_LATENCY: return round(between(2, reach, i, n) * 8) / 8;
    case PROBE_CACHE:
        if (id == PROBE_L2_READ)
            return BLOCK_KB * round(between(3, fmax(resident, reach) / BLOCK_KB, i, n));
        return 4 * round(between(1, fmax(64, reach / 4), i, n));
    case PROBE_STREAM:
    case PROBE_STRIDE: break;
    }
    return i;
}

uint32_t probe_default_points(const struct machine *m, enum probe_id id, uint32_t most,
                              struct probe_point *point)
{
    bool strides = probe_experiments[id].kind == PROBE_STRIDE;
    uint32_t kept = 0, n = strides && most > STRIDES ? STRIDES : most;
    double lanes = fmin((double)m->sm.max_warps * m->sm.warp_width, SM_THREADS);
    for (uint32_t i = 0; i < n; i++) {
        struct probe_point pt = {.id = id, .ctas = 1};
        if (probe_experiments[id].kind == PROBE_STREAM)
            default_stream(m, between(LANES, lanes, i, n), &pt);
        else
            pt.x = default_x(m, id, i, n);
        bool again = kept && point[kept - 1].x >= pt.x;
        if (!again && probe_can_run(m, &pt, NULL)) point[kept++] = pt;
    }
    return kept;
}

uint32_t probe_all_points(enum probe_id id, uint32_t asked)
{
    static const uint32_t usual[] = {[PROBE_LATENCY] = 30,
                                     [PROBE_STREAM] = 10,
                                     [PROBE_CACHE] = 12,
                                     [PROBE_STRIDE] = PROBE_POINTS_MAX};
    return asked ? asked : usual[probe_experiments[id].kind];
}

static bool is_refined(enum probe_id id)
{
    enum probe_kind kind = probe_experiments[id].kind;
    return kind == PROBE_LATENCY || kind == PROBE_CACHE;
}

/* Some are left for where the curve turns out to jump. */
uint32_t probe_first_points(enum probe_id id, uint32_t asked)
{
    uint32_t all = probe_all_points(id, asked);
    return is_refined(id) && all > 3 ? all * 2 / 3 : all;
}

/* --- points of a measured curve --- */

struct point_choice {
    const struct machine *m;
    const struct probe_curve *curve;
    struct probe_point *point;
    uint32_t n, most;
};

/* Adds the measured point that is nearest to x, unless it is there. */
static void choose_near(struct point_choice *c, double x)
{
    const struct probe_point *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < c->curve->n; i++) {
        double away = fabs(log((c->curve->point[i].x + 1e-9) / (x + 1e-9)));
        if (away >= nearest) continue;
        nearest = away;
        best = &c->curve->point[i];
    }
    for (uint32_t i = 0; i < c->n; i++)
        if (c->point[i].x == best->x) return;
    if (c->n == c->most) return;
    c->point[c->n] = *best;
    c->point[c->n].extra[0] = '\0';
    c->n++;
}

static void choose_spread(struct point_choice *c, double from, double to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        choose_near(c, between(from, to, i, n));
}

/* The middles of plateaus, and the knees between them. */
static void choose_plateaus(struct point_choice *c)
{
    struct probe_plateau p[PROBE_PLATEAUS];
    uint32_t n = probe_plateaus(c->curve, p);
    for (uint32_t i = 0; i < n; i++)
        choose_near(c, probe_middle(&p[i]));
    for (uint32_t i = 0; i + 1 < n; i++) {
        double knee = probe_crossing(c->curve, probe_middle(&p[i]), probe_middle(&p[i + 1]),
                                     sqrt(p[i].value * p[i + 1].value));
        if (isfinite(knee)) choose_near(c, knee);
    }
}

/* The machine's number of SMs may differ from the card's, and its threads with it. */
static void settle_threads(const struct machine *m, struct probe_point *pt)
{
    double ctas = round(pt->x / ((double)m->sm.count * pt->block));
    if (!pt->ctas) pt->ctas = ctas > 1 ? (uint32_t)ctas : 1;
    pt->x = probe_stream_threads(m, pt);
}

static int ascending_x(const void *a, const void *b)
{
    const struct probe_point *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

uint32_t probe_points_of_curve(const struct machine *m, const struct probe_curve *curve,
                               uint32_t most, struct probe_point *point)
{
    struct point_choice c = {.m = m, .curve = curve, .point = point, .most = most};
    const struct probe_point *first = &curve->point[0], *last = &curve->point[curve->n - 1];
    double third = probe_last_third(curve);
    switch (probe_experiments[first->id].kind) {
    case PROBE_STREAM:
        choose_spread(&c, third, last->x, most > 3 ? 3 : 1);
        choose_spread(&c, first->x, third, most > 3 ? most - 3 : most);
        break;
    case PROBE_STRIDE:
        for (size_t i = 0; i < curve->n; i++)
            choose_near(&c, curve->point[i].x);
        break;
    case PROBE_LATENCY:
    case PROBE_CACHE:
        choose_near(&c, first->x);
        choose_near(&c, last->x);
        choose_plateaus(&c);
        choose_spread(&c, first->x, last->x, most);
    }
    for (uint32_t i = 0; i < c.n; i++)
        if (probe_experiments[first->id].kind == PROBE_STREAM) settle_threads(m, &point[i]);
    qsort(point, c.n, sizeof *point, ascending_x);
    return c.n;
}

/* --- points where a curve jumps --- */

/* An x that can be run near the middle of a and b; 0: there is none between them. */
static double middle_between(enum probe_id id, const struct probe_curve *measured, double a,
                             double b)
{
    double middle = sqrt(a * b), grid = id == PROBE_L2_READ       ? BLOCK_KB
                                        : id == PROBE_SHARED_READ ? 4
                                                                  : 0.125;
    double best = 0;
    for (size_t i = 0; measured && i < measured->n; i++) {
        double x = measured->point[i].x;
        bool nearer = !(best > 0) || fabs(log(x / middle)) < fabs(log(best / middle));
        if (x > a && x < b && nearer) best = x;
    }
    if (!measured) best = round(middle / grid) * grid;
    return best > a && best < b ? best : 0;
}

bool probe_next_point(const struct probe_curve *have, const struct probe_curve *measured,
                      struct probe_point *pt)
{
    double largest = PROBE_JUMP;
    *pt = (struct probe_point){.ctas = 1};
    for (size_t i = 0; i + 1 < have->n; i++) {
        const struct probe_point *a = &have->point[i], *b = a + 1;
        double jump = fabs(log(b->value / a->value));
        if (!is_refined(a->id) || jump <= largest || b->x < a->x * PROBE_NEAR) continue;
        double x = middle_between(a->id, measured, a->x, b->x);
        if (!(x > 0)) continue;
        largest = jump;
        pt->id = a->id;
        pt->x = x;
    }
    return pt->x > 0;
}
