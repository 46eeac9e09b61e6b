/* cache_levels.c - see cache_levels.h. */
#include "estimator/cache/cache_levels.h"

#include "estimator/cache/partition_model.h"
#include "estimator/cache/replacement_model.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>

/* Adds `weight` times the parts of the curve that concern lines. */
static void curve_add(struct curve *to, const struct curve *from, double weight)
{
    const float *add = (const float *)from;
    float *sum = (float *)to, w = (float)weight;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += w * add[i];
}

static void l1_policy(struct hit_law *law, const struct launch_profile *p,
                      const struct cache_params *c, double room)
{
    struct curve all = p->l1_read;
    if (c->repl == REPL_LRU) return;
    if (c->write_miss != WRITE_MISS_NO_ALLOCATE) curve_add(&all, &p->l1_write, 1);
    hit_law_policy(law, c->repl, &all, room);
}

static void l1_find(struct cache_levels *v, const struct launch_profile *p,
                    const struct cached_machine *c)
{
    const struct profile_view *view = c->view;
    const struct l1_params *l1 = c->l1;
    double lines = c->l1_lines;
    struct geometry_view g = {.lines = lines, .sets = l1->cache.sets};
    set_view_find(&view->l1_at, PROFILE_L1_BOUND_BYTES / view->l1_line, lines / g.sets, &g);
    struct hit_law law;
    hit_law_init(&law, &g);
    l1_policy(&law, p, &l1->cache, lines * c->sms);
    struct level_hits *h = &v->l1;
    h->reads = p->loads;
    h->writes = p->stores + p->atomics;
    h->read_hits = math_smaller(curve_hits(&p->l1_read, &law), h->reads);
    h->write_hits = math_smaller(curve_hits(&p->l1_write, &law), h->writes);
    h->effective_lines =
        p->loads > 0 ? curve_effective_lines(&p->l1_read, h->read_hits, lines) : lines;
    double more = curve_full_hits(&p->l1_read, h->effective_lines * (4.0 / 3)),
           fewer = curve_full_hits(&p->l1_read, h->effective_lines * (3.0 / 4));
    v->l1_knee = math_over(more - fewer, p->loads);
    double far = p->wait_far.total > 0 ? curve_full_hits(&p->wait_far, h->effective_lines) : 0;
    v->wait_misses = p->wait_far.total > 0 ? 1 - far / (double)p->wait_far.total : 0;
}

/* Reads that hit the view's own L1. */
static double own_hits(const struct launch_profile *p, const struct profile_view *view)
{
    struct geometry_view g = {.lines = (double)view->l1_sets * view->l1_ways,
                              .sets = view->l1_sets};
    struct hit_law law;
    if (g.lines <= 0) return 0;
    set_view_find(&view->l1_at, PROFILE_L1_BOUND_BYTES / view->l1_line, view->l1_ways, &g);
    hit_law_init(&law, &g);
    return curve_hits(&p->l1_read, &law);
}

/* The effective capacity, from the hits that the curve has in this L2. */
static double effective_lines(const struct curve *c, const struct hit_law *law)
{
    double lines = law->g.lines;
    return c->total > 0 ? curve_effective_lines(c, curve_hits(c, law), lines) : lines;
}

/* Write-backs from the chains of writes: the writes that were not overwritten while they were in a
 * cache of that capacity. */
static double writebacks_of(const struct curve *c, double lines)
{
    double n = (double)c->total - curve_full_hits(c, lines);
    return n < COUNTED_ACCESS ? 0 : n;
}

/* The same by the law of the cache: a line is written back where some access between two writes
 * would have missed it.  Where victims are not the oldest, what is far inside a set may stay, and
 * chains do not say how much that is: their lines choose sets at random. */
static double evicted_dirty(const struct curve *c, struct hit_law *law, enum repl_kind repl)
{
    uint32_t org = law->g.org;
    if (repl == REPL_RANDOM || repl == REPL_FIFO) law->g.org = ORG_NONE;
    double n = (double)c->total - curve_hits(c, law);
    law->g.org = org;
    return n < COUNTED_ACCESS ? 0 : n;
}

static void l2_policy(struct hit_law *law, const struct launch_profile *p,
                      const struct cache_params *c)
{
    struct curve all = p->l2_read;
    if (c->repl == REPL_LRU) return;
    if (c->write_miss != WRITE_MISS_NO_ALLOCATE) curve_add(&all, &p->l2_write, 1);
    hit_law_policy(law, c->repl, &all, law->g.lines);
}

/* Less than half an access in the whole launch counts as none: sums in single precision leave a
 * remainder where all accesses hit. */
static double whole_hits(double hits, double of)
{
    return of - hits < COUNTED_ACCESS ? of : hits;
}

/* The share of the L2's reads that miss, though the L2 would have their lines if it were fully
 * associative. */
static double conflict_share(const struct cache_levels *v, const struct curve *c, double lines)
{
    return math_larger(0, math_over(curve_full_hits(c, lines) - v->l2.read_hits, v->l2.reads));
}

/* Hits of what an L2 like this would fetch: reads and, where stores fetch, stores. */
static double fetch_hits(const struct launch_profile *p, const struct hit_law *law, bool stores)
{
    return curve_hits(&p->l2_read, law) + (stores ? curve_hits(&p->l2_write, law) : 0);
}

/* The share of the L2's write-backs that a write-back L3 keeps. If the L2s are emptied at launches,
 * their write-backs do not show how long a line stays, so all are taken as kept. An L3 that does
 * not allocate on writes passes on the lines that it lacks: those whose first access is a store
 * that does not fetch. */
static double l3_kept(const struct cache_levels *v, const struct launch_profile *p,
                      const struct l3_params *l3, const struct hit_law *law, bool fetch)
{
    double gone =
        p->l2_old.total > 0 ? 0 : writebacks_of(&p->l2_writeback, law->g.lines) / v->writebacks;
    double fresh = v->l2.writes - curve_hits(&p->l2_write, law);
    bool around = l3->write_miss == L3_WRITE_MISS_AROUND && !fetch;
    double lacks = around ? math_smaller(1, fresh / v->writebacks) : 0;
    return (1 - math_smaller(1, gone)) * (1 - lacks);
}

/* Of the hits that the curves of reads have, those of atomics that pass the L2. */
static double near_atomics(const struct cache_levels *v, const struct launch_profile *p)
{
    return math_larger(0, v->passing - p->atomics_new);
}

/* What the L2 fetches hits the L3 if it would hit an L2 of the L3's size. A write that goes around
 * the L3 takes its block along: the next read does not find it. What the L2 writes stays if the
 * L3's copy has not left before the next write: as often as an L2 of its size would keep it. */
static void l3_find(struct cache_levels *v, const struct launch_profile *p,
                    const struct hit_law *l2, const struct cache_params *c,
                    const struct l3_params *l3, uint32_t line)
{
    double lines = l3->kb * 1024.0 / line;
    bool stores = c->write_miss == WRITE_MISS_FETCH;
    struct geometry_view g = {.lines = lines, .sets = lines / l3->cache.ways, .org = ORG_NONE};
    struct hit_law law;
    hit_law_init(&law, &g);
    double above = v->copies.partitions > 1 ? v->l2.read_hits + (stores ? v->l2.write_hits : 0)
                                            : fetch_hits(p, l2, stores);
    double more = fetch_hits(p, &law, stores) - near_atomics(v, p) - above;
    if (l3->write == L3_WRITE_AROUND)
        more -= curve_hits(&p->l2_written, &law) - curve_hits(&p->l2_written, l2);
    v->l3.fetched = math_smaller(1, math_over(math_larger(0, more), v->fetches));
    v->l3.lines = math_larger(lines, v->l2.effective_lines);
    if (l3->write == L3_WRITE_BACK && v->writebacks > 0)
        v->l3.kept = l3_kept(v, p, l3, &law, stores);
}

/* Hits that a curve has in a cache of that many lines, whose sets have the L2's ways. */
static double hits_in(const struct curve *c, const struct cache_params *l2, double lines)
{
    struct geometry_view g = {.lines = lines, .sets = lines / l2->ways, .org = ORG_NONE};
    struct hit_law law;
    hit_law_init(&law, &g);
    return curve_hits(c, &law);
}

/* Hits where a line has a home: in a slice whose SMs work, or in another. */
static double home_hits(const struct curve *c, const struct l2_params *l2,
                        const struct partition_view *k, double idle)
{
    double hits = (1 - idle) * hits_in(c, &l2->cache, k->home);
    return idle > 0 ? hits + idle * hits_in(c, &l2->cache, k->idle) : hits;
}

/* Reads that a partition's own slices serve: at most all but the first in each partition that reads
 * a line. */
static double near_hits(const struct cache_levels *v, const struct launch_profile *p,
                        const struct l2_params *l2, const struct partition_view *k)
{
    double first = k->readers * (double)p->l2_read.far;
    double most = math_larger(0, v->l2.reads - first);
    return math_smaller(most, hits_in(&p->l2_read, &l2->cache, k->near));
}

/* SMs that read a line of the L2: reads that miss the L1 in each SM, for each line. */
static double sharers_of(const struct launch_profile *p)
{
    return math_over((double)p->l2_read.total, (double)p->l2_read.far);
}

/* Of the lines that come to the L2, those that a read brings. */
static double read_first(const struct launch_profile *p)
{
    double read = (double)p->l2_read.far, stored = (double)p->l2_write.far;
    return read + stored > 0 ? read / (read + stored) : 1;
}

/* The hits of an L2 in partitions. Where lines have homes, one in `partitions` is near; of others,
 * a read hits a copy, or its home. */
static void partitions_find(struct cache_levels *v, const struct launch_profile *p,
                            const struct l2_params *l2, double lines, uint32_t all_sms, double sms)
{
    struct partition_view k;
    struct level_hits *h = &v->l2;
    partition_view_find(&k, l2, lines, all_sms, sms, sharers_of(p), read_first(p));
    double own = near_hits(v, p, l2, &k), far = 1 - 1 / k.partitions;
    v->copies.partitions = k.partitions;
    v->copies.active = k.active;
    if (l2_are_several(l2)) {
        own = math_larger(0, own - hits_in(&p->l2_old, &l2->cache, k.near));
        double passes = math_over(p->atomics, h->reads), stays = 1 - math_smaller(1, passes);
        v->passing = math_smaller(p->atomics, h->reads);
        h->read_hits = math_larger(0, own - near_atomics(v, p));
        double stored = math_smaller(h->write_hits, hits_in(&p->l2_write, &l2->cache, k.near)),
               old = hits_in(&p->l2_write_old, &l2->cache, k.near);
        h->write_hits = stays * math_larger(0, stored - old);
    } else {
        double there = home_hits(&p->l2_read, l2, &k, k.idle_homes);
        /* a store removes the copies that the next reads would have hit */
        own = math_larger(0, own - hits_in(&p->l2_written, &l2->cache, k.near));
        v->copies.hits = far * own;
        v->copies.fetches = far * math_larger(0, h->reads - p->atomics - own);
        v->copies.writes = far * (h->writes + p->atomics);
        h->read_hits =
            (1 - far) * home_hits(&p->l2_read, l2, &k, 0) + far * math_larger(own, there);
        h->write_hits = (1 - far) * home_hits(&p->l2_write, l2, &k, 0) +
                        far * home_hits(&p->l2_write, l2, &k, k.idle_homes);
    }
    h->read_hits = whole_hits(h->read_hits, h->reads);
    h->write_hits = whole_hits(h->write_hits, h->writes);
    double whole =
        l2_are_several(l2) ? lines : (1 - k.idle_homes) * k.mixed + k.idle_homes * k.idle;
    double share = math_over(h->read_hits, h->reads);
    h->effective_lines = whole;
    if (p->l2_read.total > 0)
        h->effective_lines =
            curve_effective_lines(&p->l2_read, share * (double)p->l2_read.total, whole);
}

/* The lines of a victim cache count as ways that the sets share, because LRU order continues
 * there. Reads that would hit the view's own L1, but not this one, come back soon: they hit. */
static void l2_find(struct cache_levels *v, const struct launch_profile *p,
                    const struct cached_machine *of)
{
    const struct profile_view *view = of->view;
    const struct l2_params *l2 = of->l2;
    const struct cache_params *c = &l2->cache;
    double sets = (double)l2->banks * c->sets, beside = (double)l2->banks * l2->vc.entries;
    struct geometry_view g = {.lines = sets * c->ways + beside, .sets = sets};
    set_view_find(&view->l2_at, PROFILE_L2_BOUND_BYTES / view->l2_line, g.lines / sets, &g);
    struct hit_law law;
    hit_law_init(&law, &g);
    l2_policy(&law, p, c);
    struct level_hits *h = &v->l2;
    double more = own_hits(p, view) - v->l1.read_hits;
    h->reads = math_larger(0, (double)p->l2_read.total + more);
    h->writes = (double)p->l2_write.total;
    h->read_hits = whole_hits(math_larger(0, curve_hits(&p->l2_read, &law) + more), h->reads);
    h->write_hits = whole_hits(curve_hits(&p->l2_write, &law), h->writes);
    h->effective_lines = effective_lines(&p->l2_read, &law);
    v->l2_conflicts = conflict_share(v, &p->l2_read, g.lines);
    if (l2->partitions > 1) partitions_find(v, p, l2, g.lines, of->all_sms, of->sms);
    v->fetches = h->reads - h->read_hits;
    if (c->write_miss == WRITE_MISS_FETCH) v->fetches += h->writes - h->write_hits;
    bool back = c->write == WRITE_BACK;
    if (back && l2->partitions > 1)
        v->writebacks = writebacks_of(&p->l2_writeback, h->effective_lines);
    else if (back)
        v->writebacks = evicted_dirty(&p->l2_writeback, &law, c->repl);
    if (v->passing > 0) /* atomics that pass the L2 leave nothing dirty there */
        v->writebacks *= math_over(p->stores, p->stores + p->atomics);
    v->written_through = back ? 0 : h->writes;
    if (back && c->write_miss == WRITE_MISS_NO_ALLOCATE)
        v->written_through = h->writes - h->write_hits;
    v->written_through += v->passing;
    if (l3_is_there(of->l3)) l3_find(v, p, &law, c, of->l3, c->line_bytes);
}

/* Leaves out stores that an L1 holds: their sectors go down once, when all of them have come, so
 * the stores that do not reach the L2 would all have hit there. */
static void leave_out(struct cache_levels *v, double kept, const struct cache_params *l2)
{
    v->l2.writes = math_larger(0, v->l2.writes - kept);
    v->l2.write_hits = math_larger(0, v->l2.write_hits - kept);
    if (l2->write != WRITE_BACK) v->written_through = v->l2.writes + v->passing;
}

void cache_levels_find(struct cache_levels *v, const struct launch_profile *p,
                       const struct cached_machine *c)
{
    bool looks = c->l1->enabled && c->l1->bypass != BYPASS_ALL;
    *v = (struct cache_levels){.l1_bypassed = looks ? p->bypasses : p->loads};
    if (looks && c->l1_lines > 0)
        l1_find(v, p, c);
    else
        v->wait_misses = 1;
    v->l1.reads = p->loads;
    v->l1.writes = p->stores + p->atomics;
    l2_find(v, p, c);
    leave_out(v, p->stores - p->sent, &c->l2->cache);
}

static double clamp_to(double v, double most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

/* The L1's misses reach the L2; its read misses are at most all its reads. */
void cache_levels_in_phase(struct cache_levels *v, const struct phase *phase)
{
    double l1 = phase->misses[PHASE_L1], l2 = phase->misses[PHASE_L2];
    double missed = v->l1.reads - v->l1.read_hits, miss = missed;
    if (v->l1.read_hits > 0) /* without an L1 all accesses always miss it */
        miss = clamp_to(missed * l1, v->l1.reads);
    /* what passes the L2 is no miss of the curves, and goes on in every phase */
    double fetched = v->l2.reads - v->l2.read_hits - v->passing,
           written = v->l2.writes - v->l2.write_hits;
    v->l1.read_hits = v->l1.reads - miss;
    v->l2.reads = math_larger(0, v->l2.reads + miss - missed);
    v->l2.read_hits =
        v->l2.reads - clamp_to(math_larger(0, fetched) * l2 + v->passing, v->l2.reads);
    v->l2.write_hits = v->l2.writes - clamp_to(written * l2, v->l2.writes);
    v->wait_misses = clamp_to(v->wait_misses * l1, 1);
    v->fetches = math_larger(0, v->fetches - v->passing) * l2 + v->passing;
    v->writebacks *= l2;
}

struct level_merges cache_levels_merges(const struct curve *ages, double hits, double age)
{
    double n = curve_full_hits(ages, age), passed = n > 0 ? curve_mean_below(ages, age) : 0;
    return (struct level_merges){math_smaller(n, hits), 1 - math_over(passed, age)};
}
