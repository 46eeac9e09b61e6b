/* hit_curve.c - see hit_curve.h. */
#include "estimator/profile/hit_curve.h"

#include "base/memory/thread_block.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>
#include <string.h>

enum { LAWS_KEPT = 16 };

double hit_curve_bucket_low(uint32_t b)
{
    if (b < 16) return b;
    return (double)((uint64_t)(16 + b % 16) << (b - 16) / 16);
}

static double bucket_middle(uint32_t b)
{
    return 0.5 * (hit_curve_bucket_low(b) + hit_curve_bucket_low(b + 1) - 1);
}

void hit_tally_add(struct hit_tally *t, uint32_t distance, const uint8_t *in_set, uint32_t n_orgs)
{
    t->total += 1;
    if (distance == REUSE_FAR)
        t->far += 1;
    else
        t->near[histogram_bucket(distance)] += 1;
    for (uint32_t o = 0; o < n_orgs; o++)
        if (in_set[o] < REUSE_SET_BUCKETS) t->in_set[o][in_set[o]] += 1;
}

void hit_tally_clear(struct hit_tally *t)
{
    if (t->total != 0) *t = (struct hit_tally){0};
}

void hit_tally_merge(struct hit_tally *to, const struct hit_tally *from)
{
    if (from->total == 0) return;
    to->total += from->total;
    to->far += from->far;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        to->near[b] += from->near[b];
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        for (uint32_t w = 0; w < REUSE_SET_BUCKETS; w++)
            to->in_set[o][w] += from->in_set[o][w];
}

/* Spreads n accesses evenly over a range of distances. */
static void add_range(struct hit_tally *to, double n, double low, double high)
{
    uint32_t b = histogram_bucket((uint64_t)low);
    for (; b < HISTOGRAM_BUCKETS && hit_curve_bucket_low(b) < high; b++) {
        double from = fmax(low, hit_curve_bucket_low(b)),
               end = fmin(high, hit_curve_bucket_low(b + 1));
        to->near[b] += n * (end - from) / (high - low);
    }
}

void hit_tally_scale(struct hit_tally *t, double accesses, double distance)
{
    if (accesses == 1 && distance == 1) return;
    const struct hit_tally was = *t;
    t->total *= accesses;
    t->far *= accesses;
    memset(t->near, 0, sizeof t->near);
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (was.near[b] != 0) /* below 0: distances that grew since an earlier tally */
            add_range(t, was.near[b] * accesses, hit_curve_bucket_low(b) * distance,
                      hit_curve_bucket_low(b + 1) * distance);
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        for (uint32_t w = 0; w < REUSE_SET_BUCKETS; w++)
            t->in_set[o][w] *= accesses;
}

void hit_tally_curve(const struct hit_tally *t, struct curve *c)
{
    c->total = (float)t->total;
    c->far = (float)t->far;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        c->near[b] = (float)t->near[b];
    double below = 0, sum = 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
        if (b % CURVE_STEP == 0) c->below[b / CURVE_STEP] = (float)below;
        if (b % CURVE_STEP == 0) c->sum_below[b / CURVE_STEP] = (float)sum;
        if (t->near[b] == 0) continue;
        below += t->near[b];
        sum += t->near[b] * bucket_middle(b);
    }
    for (uint32_t o = 0; o < REUSE_ORGS; o++)
        for (uint32_t w = 0; w < REUSE_SET_BUCKETS; w++)
            c->in_set[o][w] = (float)t->in_set[o][w];
}

/* For large associativity: the normal approximation with continuity correction. */
static double normal_hit(double d, double ways, double sets)
{
    double mean = d / sets, sd = sqrt(mean * (1 - 1 / sets));
    return 0.5 * erfc((mean + 0.5 - ways) / (sd * sqrt(2)));
}

double hit_curve_binomial(double d, double ways, double sets)
{
    if (sets <= 1) return d < ways ? 1 : 0;
    if (d < ways) return 1;
    double mean = d / sets;
    if (mean > ways + 10 * sqrt(ways + 1)) return 0;
    if (ways > 256) return normal_hit(d, ways, sets);
    double q = 1 / (sets - 1), term = exp(d * log1p(-1 / sets)), sum = 0;
    double k = 0;
    for (; k + 1 <= ways; k++) {
        sum += term;
        term *= (d - k) * q / (k + 1);
    }
    sum += term * (ways - k); /* a fractional number of ways is interpolated between whole ones */
    return sum < 1 ? sum : 1;
}

static double bucket_hit(uint32_t b, double ways, double sets, double lines)
{
    double low = hit_curve_bucket_low(b), high = hit_curve_bucket_low(b + 1);
    if (sets > 1) return hit_curve_binomial(0.5 * (low + high - 1), ways, sets);
    double share = (lines - low) / (high - low);
    return share <= 0 ? 0 : share < 1 ? share : 1;
}

static void law_find(double p[HISTOGRAM_BUCKETS], double lines, double sets)
{
    uint32_t b = 0;
    for (; b < HISTOGRAM_BUCKETS; b++) {
        p[b] = bucket_hit(b, lines / sets, sets, lines);
        if (p[b] <= 0) break;
    }
    for (; b < HISTOGRAM_BUCKETS; b++)
        p[b] = 0;
}

struct kept_laws {
    struct hit_law_of {
        double lines, sets, p[HISTOGRAM_BUCKETS];
    } of[LAWS_KEPT];
    uint32_t next;
};

/* Caches the law: every launch needs the same few geometries, and so do machines that differ in
 * other parameters. */
static const double *law_of(double lines, double sets)
{
    static _Thread_local void *block;
    struct kept_laws *kept = THREAD_BLOCK(struct kept_laws, block);
    for (uint32_t i = 0; i < LAWS_KEPT; i++)
        if (kept->of[i].lines == lines && kept->of[i].sets == sets) return kept->of[i].p;
    struct hit_law_of *law = &kept->of[kept->next++ % LAWS_KEPT];
    law->lines = lines;
    law->sets = sets;
    law_find(law->p, lines, sets);
    return law->p;
}

void hit_law_init(struct hit_law *h, const struct geometry_view *g)
{
    h->g = *g;
    double ways = g->lines / g->sets;
    memcpy(h->p, law_of(g->lines, g->sets), sizeof h->p);
    for (uint32_t b = 0; b < REUSE_SET_BUCKETS; b++) {
        double share = (ways - hit_curve_bucket_low(b)) /
                       (hit_curve_bucket_low(b + 1) - hit_curve_bucket_low(b));
        h->set_p[b] = math_smaller(1, math_larger(0, share));
    }
    h->set_tail = 0;
}

static double law_hits(const struct curve *c, const struct hit_law *h)
{
    double hits = 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS && h->p[b] > 0; b++)
        hits += c->near[b] * h->p[b];
    return hits;
}

/* Repeated accesses at distances beyond the recorded ones of a set. */
static double set_beyond(const struct curve *c, uint32_t org)
{
    double n = (double)c->total - (double)c->far;
    for (uint32_t b = 0; b < REUSE_SET_BUCKETS; b++)
        n -= (double)c->in_set[org][b];
    return n > 0 ? n : 0;
}

static double set_hits(const struct curve *c, uint32_t org, const struct hit_law *h)
{
    double hits = 0;
    for (uint32_t b = 0; b < REUSE_SET_BUCKETS && h->set_p[b] > 0; b++)
        hits += c->in_set[org][b] * h->set_p[b];
    if (h->set_tail > 0) hits += h->set_tail * set_beyond(c, org);
    return hits;
}

/* Buckets and total are rounded one by one: the buckets may add up to more. */
static double at_most_all(const struct curve *c, double hits)
{
    return math_smaller(hits, (double)c->total);
}

double curve_hits(const struct curve *c, const struct hit_law *h)
{
    bool in_sets = h->g.org != ORG_NONE && h->g.sets > 1;
    return at_most_all(c, in_sets ? set_hits(c, h->g.org, h) : law_hits(c, h));
}

/* The bucket that contains a capacity, and the share of it that lies below. */
static uint32_t cut_bucket(double lines, double *share)
{
    double low, most = hit_curve_bucket_low(HISTOGRAM_BUCKETS);
    uint32_t b =
        lines < most ? histogram_bucket(lines > 0 ? (uint64_t)lines : 0) : HISTOGRAM_BUCKETS - 1;
    low = hit_curve_bucket_low(b);
    *share = (lines - low) / (hit_curve_bucket_low(b + 1) - low);
    *share = math_smaller(1, math_larger(0, *share));
    return b;
}

double curve_full_hits(const struct curve *c, double lines)
{
    double share;
    uint32_t cut = cut_bucket(lines, &share);
    double hits = (double)c->below[cut / CURVE_STEP];
    for (uint32_t b = cut - cut % CURVE_STEP; b < cut; b++)
        hits += (double)c->near[b];
    return at_most_all(c, hits + share * (double)c->near[cut]);
}

double curve_mean_below(const struct curve *c, double lines)
{
    double share, n = curve_full_hits(c, lines);
    uint32_t cut = cut_bucket(lines, &share);
    double sum = (double)c->sum_below[cut / CURVE_STEP];
    for (uint32_t b = cut - cut % CURVE_STEP; b < cut; b++)
        sum += (double)c->near[b] * bucket_middle(b);
    return math_over(sum + share * (double)c->near[cut] * bucket_middle(cut), n);
}

double curve_effective_lines(const struct curve *c, double hits, double lines)
{
    /* where the curve is flat, some lost hits must not mean that the cache is small */
    double slope = FLAT_CURVE * (double)c->total / lines, seen = 0;
    hits += slope * lines;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
        double low = hit_curve_bucket_low(b), width = hit_curve_bucket_low(b + 1) - low;
        double rise = c->near[b] + slope * width;
        if (seen + rise > hits) return low + (hits - seen) / rise * width;
        seen += rise;
    }
    return lines;
}
