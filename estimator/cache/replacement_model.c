/* replacement_model.c - see replacement_model.h. */
#include "estimator/cache/replacement_model.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>
#include <string.h>

enum { BINS = REUSE_SET_BUCKETS + HISTOGRAM_BUCKETS };

/* Distances and the accesses in them: buckets of the whole cache, or ways of a set. */
struct bins {
    uint32_t n;
    double count[BINS], time[BINS];
    double total, ways, sets, room;
};

/* t(d) in the middle of each bin, which has `width` lines. */
static void find_times(struct bins *b, const double *width)
{
    double beyond = b->total, t = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        double missing = (beyond - 0.5 * b->count[i]) / b->total, least = 1 / b->total;
        double pace = 1 / (missing > least ? missing : least);
        b->time[i] = t + 0.5 * width[i] * pace;
        t += width[i] * pace;
        beyond -= b->count[i];
    }
}

static void bins_of_cache(struct bins *b, const struct curve *c, const struct hit_law *h)
{
    double width[BINS];
    b->n = HISTOGRAM_BUCKETS;
    b->total = (double)c->total;
    b->ways = h->g.lines / h->g.sets;
    b->sets = h->g.sets;
    for (uint32_t i = 0; i < b->n; i++) {
        b->count[i] = (double)c->near[i];
        width[i] = hit_curve_bucket_low(i + 1) - hit_curve_bucket_low(i);
    }
    find_times(b, width);
}

static uint32_t set_bins(const struct hit_law *h)
{
    return h->g.org_ways < REUSE_WAYS ? histogram_bucket(h->g.org_ways) : REUSE_SET_BUCKETS;
}

/* Distances inside the set as far as they are recorded, then those of the whole cache divided by
 * the number of sets. */
static void bins_of_sets(struct bins *b, const struct curve *c, const struct hit_law *h)
{
    double width[BINS], sets = h->g.sets, left = (double)c->total - (double)c->far, beyond = 0;
    uint32_t known = set_bins(h);
    b->n = known;
    b->total = (double)c->total;
    b->ways = h->g.lines / h->g.sets;
    b->sets = 1;
    for (uint32_t i = 0; i < known; i++) {
        b->count[i] = (double)c->in_set[h->g.org][i];
        left -= b->count[i];
        width[i] = hit_curve_bucket_low(i + 1) - hit_curve_bucket_low(i);
    }
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (hit_curve_bucket_low(i) < h->g.org_ways * sets) continue;
        b->count[b->n] = (double)c->near[i];
        beyond += (double)c->near[i];
        width[b->n++] = (hit_curve_bucket_low(i + 1) - hit_curve_bucket_low(i)) / sets;
    }
    for (uint32_t i = known; i < b->n; i++)
        b->count[i] *= left > 0 ? math_over(left, beyond) : 0;
    find_times(b, width);
}

/* The probability of a hit after x fills. */
static double random_hit(const struct bins *b, double x)
{
    double lines = b->ways * b->sets;
    return lines > 1 ? exp(x * log1p(-1 / lines)) : x < 1;
}

/* Fills p[] for e evictions per access. */
static void random_law(const struct bins *b, double e, double *p)
{
    for (uint32_t i = 0; i < b->n; i++)
        p[i] = random_hit(b, e * b->time[i]);
}

static double miss_ratio(const struct bins *b, const double *p)
{
    double hits = 0;
    for (uint32_t i = 0; i < b->n; i++)
        hits += b->count[i] * p[i];
    return 1 - hits / b->total;
}

/* Starts with LRU's misses as evictions; half steps lead to the misses that sustain themselves.  If
 * the cache never fills, only some sets overflow, and LRU's law applies. */
static void fixed_point(const struct bins *b, enum repl_kind kind, double *p)
{
    double lru[BINS], least = miss_ratio(b, p), m = least, filling = b->room / b->total;
    memcpy(lru, p, b->n * sizeof *lru);
    for (uint32_t i = 0; i < MISS_RATIO_STEPS && m > filling; i++) {
        random_law(b, m - filling, p);
        double next = miss_ratio(b, p);
        if (fabs(next - m) < MISS_RATIO_EXACT) break;
        m = (1 - DAMPING) * m + DAMPING * next;
    }
    if (m <= filling || (kind == REPL_FIFO && miss_ratio(b, p) < least))
        memcpy(p, lru, b->n * sizeof *p);
}

static double mean_from(const struct bins *b, const double *p, uint32_t from)
{
    double n = 0, hits = 0;
    for (uint32_t i = from; i < b->n; i++) {
        n += b->count[i];
        hits += b->count[i] * p[i];
    }
    return math_over(hits, n);
}

void hit_law_policy(struct hit_law *h, enum repl_kind kind, const struct curve *all, double room)
{
    struct bins b = {.room = room};
    if ((kind != REPL_RANDOM && kind != REPL_FIFO) || all->total <= 0) return;
    bins_of_cache(&b, all, h);
    fixed_point(&b, kind, h->p);
    if (h->g.org == ORG_NONE) return;
    double p[BINS] = {0};
    bins_of_sets(&b, all, h);
    memcpy(p, h->set_p, sizeof h->set_p);
    fixed_point(&b, kind, p);
    memcpy(h->set_p, p, sizeof h->set_p);
    h->set_tail = mean_from(&b, p, set_bins(h));
}
