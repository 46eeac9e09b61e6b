/* row_locality.c - see row_locality.h. */
#include "estimator/dram/row_locality.h"

#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "estimator/constants.h"
#include "estimator/dram/block_replay.h"
#include "estimator/dram/unevenness.h"
#include "estimator/math_util.h"

#include <math.h>

enum { SAMPLE_TOGETHER = 8 };
static const uint32_t windows[LOAD_WINDOWS] = {32, 256, 2048, 16384, 131072};

/* --- unequal load --- */

/* Whether a sampled access lies beside the one before, of one SM: where it goes, that one goes,
 * too. */
static bool beside_last(const struct sampled *last, const struct sampled *a, uint64_t together)
{
    return last && last->sm == a->sm && last->addr / together == a->addr / together;
}

/* Whether two accesses of one SM to one channel go there because they are neighbours: blocks of
 * slices that share a channel lie side by side. */
static bool neighbours(const struct map *map, uint64_t from, uint64_t addr)
{
    return (addr > from ? addr - from : from - addr) < map_shared_bytes(map);
}

/* Adds an access of any SM. With partitions each SM asks the slice of its own; a store or an atomic
 * that comes to another than its home goes on to it, and only there others for its line meet it. */
static void add_to_slices(struct load *l, const struct map *map, const struct sampled *a,
                          bool beside)
{
    uint32_t home = map_slice(map, a->addr), parts = map->several ? 1 : map->partitions;
    double own = a->kind == SAMPLED_READ ? 1.0 / parts : 1, before = l->clump;
    if (map->several) home %= map->near_slices;
    load_add(l, home, own * a->sectors, beside);
    if (parts == 1) return;
    double each = 1.0 / parts, more = l->clump - before;
    l->clump += (parts - 1) * (each / own) * (each / own) * more;
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t near = map_near_slice(map, home, i);
        if (near == home) continue;
        l->at[near] += each * a->sectors;
        l->n += each * a->sectors;
    }
}

/* Whether a sampled access comes to these queues. */
static bool comes(const struct sampled *a, const struct row_stream *f, uint16_t l1, uint16_t l2,
                  enum even_queues of)
{
    bool misses = sampled_misses(a, l1, of == EVEN_SLICES ? 0 : l2);
    bool passes = f->atomics_go && a->kind == SAMPLED_ATOMIC;
    if (of == EVEN_FETCHES) return misses && !passes;
    if (of == EVEN_CHANNELS) return misses || passes || (f->hits_load && a->kind == SAMPLED_WRITE);
    return misses || (of == EVEN_HOMES && a->kind != SAMPLED_READ);
}

double row_locality_even(const struct spread_sample *s, const struct map *map,
                         const struct row_stream *f, enum even_queues of)
{
    struct load l = {0};
    const struct sampled *last = NULL;
    bool channels = of == EVEN_CHANNELS, hot = channels && f->atomics_go,
         near = map->several && (of == EVEN_SLICES || of == EVEN_FETCHES);
    uint32_t all = channels ? map->channels : map->slices, queues = near ? map->near_slices : all;
    uint32_t before = 0; /* where `last` went */
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        if (!comes(a, f, l1, l2, of)) continue;
        uint32_t to = channels ? map_channel(map, a->addr) : map_slice(map, a->addr) % queues;
        bool beside = beside_last(last, a, f->together);
        if (channels)
            beside =
                last && last->sm == a->sm && to == before && neighbours(map, last->addr, a->addr);
        if (of == EVEN_SLICES)
            add_to_slices(&l, map, a, beside);
        else
            load_add(&l, to, (hot && a->kind == SAMPLED_ATOMIC ? 2 : 1) * a->sectors, beside);
        last = a;
        before = to;
    }
    return all / (hot ? uneven_hot : uneven_hottest)(&l, queues);
}

/* --- rows --- */

static void place_access(struct memory_access *to, uint64_t addr, const struct map *map,
                         double bursts, double times, bool write, uint16_t sm)
{
    *to = (struct memory_access){.addr = addr,
                                 .channel = map_channel(map, addr),
                                 .sm = sm,
                                 .bursts = times * bursts,
                                 .once = bursts,
                                 .write = write};
}

/* Whether a sampled access that misses, or that is a store or an atomic, reads from memory and
 * writes to it. */
static void find_reads_and_writes(const struct sampled *a, const struct row_stream *f, bool misses,
                                  bool *read, bool *write)
{
    bool store = a->kind == SAMPLED_WRITE, both = f->atomics_go && a->kind == SAMPLED_ATOMIC;
    *read = both || (misses && (!store || f->stores_fetch));
    *write = both || (store && (misses ? f->stores_go : f->hits_go));
}

/* Writes that come after neighbouring accesses: of stores whose lines must arrive first, and of
 * lines that a stream evicts. */
struct following {
    uint32_t n;
    struct {
        uint64_t addr;
        double bursts, times;
    } at[SAMPLE_TOGETHER];
};

static void add_follower(struct following *w, uint64_t addr, double bursts, double times)
{
    w->at[w->n].addr = addr;
    w->at[w->n].bursts = bursts;
    w->at[w->n++].times = times;
}

static uint32_t place_following(struct following *w, const struct map *map, uint16_t sm,
                                struct memory_access *to)
{
    uint32_t n = 0;
    while (w->n--)
        place_access(&to[n++], w->at[w->n].addr, map, w->at[w->n].bursts, w->at[w->n].times, true,
                     sm);
    w->n = 0;
    return n;
}

/* The writes of a store, with its share of the stores to the same place that come too soon to be
 * sampled. */
static double times_written(const struct row_stream *f, bool write, double *due)
{
    *due += write ? f->again : 0;
    double more = floor(*due);
    *due -= more;
    return 1 + more;
}

/* Appends the block's reads and written-through stores as sampled; after neighbouring accesses it
 * appends their later writes and their share of write-backs. */
static uint32_t place_block(const struct block_sample *s, uint32_t b, const struct map *map,
                            const struct row_stream *f, struct memory_access *to, double *runs)
{
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines),
             sm = 0;
    struct following later = {0};
    uint64_t block = 0;
    double due = 0.5, soon = 0.5;
    uint32_t n = 0;
    bool read, write;
    for (uint32_t i = 0; i < s->n[b] && i < f->block; i++) {
        const struct sampled *a = &s->at[b][i];
        bool misses = sampled_misses(a, l1, l2);
        find_reads_and_writes(a, f, misses, &read, &write);
        if (!misses && !write) continue;
        bool next = a->addr / f->together == block;
        if (!next || later.n == SAMPLE_TOGETHER) n += place_following(&later, map, sm, to + n);
        if (!next || !n) *runs += 1;
        block = a->addr / f->together;
        sm = a->sm;
        double times = times_written(f, write, &soon), bursts = a->sectors * f->bursts_per_sector;
        if (read || write) {
            place_access(&to[n], a->addr, map, bursts, read ? 1 : times, !read, sm);
            to[n++].next = next;
        }
        if (read && write) { /* it is written when the line has arrived */
            add_follower(&later, a->addr, bursts, times);
            continue;
        }
        due += misses ? math_smaller(1, f->writebacks) : 0;
        if (due < 1) continue;
        due -= 1;
        add_follower(&later, a->addr >= f->behind ? a->addr - f->behind : a->addr + f->behind,
                     bursts, 1);
    }
    return n;
}

static bool beside_placed(const struct map *map, const struct memory_access *last,
                          const struct memory_access *p)
{
    bool same = last->sm == p->sm && last->channel == p->channel;
    return p->next || (same && neighbours(map, last->addr, p->addr));
}

/* Adds the load of n consecutive accesses; neighbours count as one clump. */
static void uneven_window(struct unevenness *u, const struct memory_access *p, uint32_t n,
                          const struct map *map)
{
    struct load l;
    load_clear(&l, map->channels);
    for (uint32_t i = 0; i < n; i++)
        load_add(&l, p[i].channel, p[i].once, i > 0 && beside_placed(map, &p[i - 1], &p[i]));
    uneven_add(u, &l, map->channels);
}

static void uneven_windows(struct unevenness u[BLOCK_WINDOWS], const struct memory_access *p,
                           uint32_t n, const struct map *map)
{
    for (uint32_t k = 0; k < BLOCK_WINDOWS; k++)
        for (uint32_t i = 0; i < n; i += windows[k])
            uneven_window(&u[k], p + i, n - i < windows[k] ? n - i : windows[k], map);
}

/* The channels' loads in windows of the sample that is spread over the launch. Where the sample is
 * dense, neighbours are in it together: they count as one clump, as in a block's windows. */
struct courses {
    uint32_t n;
    struct load_of {
        uint32_t channel;
        bool beside; /* the access before */
        double bursts;
    } at[SAMPLE_SPREAD];
};

static void courses_find(struct courses *c, const struct spread_sample *s, const struct map *map,
                         const struct row_stream *f)
{
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines);
    const struct sampled *last = NULL;
    bool read, write;
    c->n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        bool misses = sampled_misses(a, l1, l2);
        find_reads_and_writes(a, f, misses, &read, &write);
        if (!misses && !write) continue;
        uint32_t to = map_channel(map, a->addr);
        bool same = last && last->sm == a->sm && c->at[c->n - 1].channel == to;
        c->at[c->n++] = (struct load_of){to, same && neighbours(map, last->addr, a->addr),
                                         (read && write ? 2 : 1) * a->sectors};
        last = a;
    }
}

/* chance: the relative variance of a channel's load in a window that random choice gives; that of
 * which accesses are in the sample comes on top. */
static struct unevenness courses_uneven(const struct courses *c, uint32_t window, uint32_t channels,
                                        double chance)
{
    struct unevenness u = {0};
    for (uint32_t i = 0; i + window <= c->n; i += window) {
        struct load l;
        load_clear(&l, channels);
        for (uint32_t k = i; k < i + window; k++)
            load_add(&l, c->at[k].channel, c->at[k].bursts, k > i && c->at[k].beside);
        uneven_add(&u, &l, channels);
    }
    u.chance += chance * u.mean;
    uneven_allow(&u, channels);
    return u;
}

void row_locality_over_time(struct row_locality *r, const struct spread_sample *s, double each,
                            const struct map *map, const struct row_stream *f)
{
    static _Thread_local void *block;
    struct courses *c = THREAD_BLOCK(struct courses, block);
    courses_find(c, s, map, f);
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++) {
        double least = math_larger(WINDOW_LEAST, map->channels);
        uint32_t samples = (uint32_t)math_larger(least, windows[k] / each);
        bool longer = k >= BLOCK_WINDOWS;
        if (longer) r->hottest[k] = r->hottest[k - 1];
        if (longer) r->among[k] = r->among[k - 1];
        if (2 * samples > c->n) {
            if (!longer || samples > least || c->n < WINDOW_LEAST) continue;
            samples = c->n;
        }
        double chance = r->chance * windows[BLOCK_WINDOWS - 1] / (samples * each);
        struct unevenness u = courses_uneven(c, samples, map->channels, chance);
        double hottest = uneven_ratio(&u, map->channels), among = uneven_among(&u, map->channels);
        if (longer) hottest = math_larger(hottest, uneven_hidden(&u, map->channels));
        r->hottest[k] = (longer ? math_smaller : math_larger)(r->hottest[k], hottest);
        r->among[k] = (longer ? math_larger : math_smaller)(r->among[k], among);
    }
}

/* Where no piece was long enough: each run of neighbours opens its row, the others wait for banks
 * by chance, and the data bus is all that takes time. */
static void locality_of(struct row_locality *r, const struct block_sums *s,
                        const struct dram_params *d)
{
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        const struct replay_sum *t = &s->t[k];
        double waiting = math_smaller(block_replay_depths[k], dram_bank_count(d));
        r->hit[k] = t->looked > 0 ? t->hits / t->looked : 1 - 1 / r->run;
        r->banks[k] = t->looked > 0 ? math_larger(1, t->banks / t->looked) : waiting;
        r->service[k] = t->bursts > 0 ? t->clocks / t->bursts : dram_held_clocks(d);
    }
    r->replayed = d->model == DRAM_BANKS ? s->replayed : INFINITY;
}

struct placed_block {
    struct memory_access at[PLACED_MOST];
};
_Static_assert(sizeof(struct memory_access) == 32, "its digest sees no padding");

/* What is known of a stream after some of its blocks. */
struct tried {
    struct block_sums sums;
    struct unevenness u[BLOCK_WINDOWS];
};
struct kept_tries {
    struct memo memo;
    struct tried at[MEMO_PLACES];
};

/* Tries another block.  Caches and write-backs that send the same to memory are tried once: *key is
 * the digest of all that was tried before, and of the channels. */
static void try_block(struct tried *t, struct digest *key, const struct memory_access *placed,
                      uint32_t n, double weight, const struct map *map, const struct dram_params *d)
{
    static _Thread_local void *block;
    struct kept_tries *kept = THREAD_BLOCK(struct kept_tries, block);
    bool found;
    *key = digest_join(*key, digest_bytes(placed, n * sizeof *placed));
    *key = digest_join(*key, digest_bytes(&weight, sizeof weight));
    struct tried *k = &kept->at[memo_place(&kept->memo, *key, &found)];
    if (!found) {
        uneven_windows(t->u, placed, n, map);
        if (d->model == DRAM_BANKS) block_replay(&t->sums, placed, n, map, d, weight);
        *k = *t;
    }
    *t = *k;
}

void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       const struct dram_params *d, const struct row_stream *f)
{
    static _Thread_local void *block;
    struct memory_access *placed = THREAD_BLOCK(struct placed_block, block)->at;
    const struct dram_params read = block_replay_params(d);
    struct digest key =
        digest_join(digest_bytes(map, sizeof *map), digest_bytes(&read, sizeof read));
    struct tried t = {.sums = {.replayed = 0}};
    double runs = 0, bursts = 0, most = 0;
    for (uint32_t b = 0; b < s->blocks; b++)
        most = math_larger(most, s->each[b]);
    for (uint32_t b = 0; b < s->blocks; b++) {
        double weight = s->each[b] / most, block_runs = 0;
        uint32_t n = place_block(s, b, map, f, placed, &block_runs);
        for (uint32_t i = 0; i < n; i++)
            bursts += weight * placed[i].once;
        runs += weight * block_runs;
        try_block(&t, &key, placed, n, weight, map, d);
    }
    r->chance = math_over(t.u[BLOCK_WINDOWS - 1].chance, t.u[BLOCK_WINDOWS - 1].mean);
    for (uint32_t k = 0; k < BLOCK_WINDOWS; k++) {
        uneven_allow(&t.u[k], map->channels);
        r->hottest[k] = uneven_ratio(&t.u[k], map->channels);
        r->among[k] = uneven_among(&t.u[k], map->channels);
    }
    for (uint32_t k = BLOCK_WINDOWS; k < LOAD_WINDOWS; k++) {
        r->hottest[k] = r->hottest[k - 1];
        r->among[k] = r->among[k - 1];
    }
    r->run = runs > 0 ? math_larger(1, bursts / runs / (1 + math_smaller(1, f->writebacks))) : 1;
    locality_of(r, &t.sums, d);
}

/* v is known at n depths, which lie eight times apart; depth: relative to the first. */
static double at_depth(const double *v, uint32_t n, double depth)
{
    double t = log(depth) / log(8);
    if (t <= 0) return v[0];
    if (t >= n - 1) return v[n - 1];
    uint32_t i = (uint32_t)t;
    return v[i] + (t - i) * (v[i + 1] - v[i]);
}

double row_locality_hottest(const struct row_locality *r, double together)
{
    return at_depth(r->hottest, LOAD_WINDOWS, together / windows[0]);
}

double row_locality_late(const struct row_locality *r, double together, double queued)
{
    double most = 1, longest = windows[LOAD_WINDOWS - 1];
    for (double n = math_smaller(math_larger(1, together), longest); n <= longest; n *= 2)
        most = math_larger(most, row_locality_hottest(r, n) - queued / n);
    return most;
}

double row_locality_among(const struct row_locality *r, double together)
{
    return at_depth(r->among, LOAD_WINDOWS, together / windows[0]);
}

double row_locality_at(const double v[ROW_DEPTHS], double depth)
{
    return at_depth(v, ROW_DEPTHS, depth / block_replay_depths[0]);
}

double row_locality_doubt(const struct row_locality *r)
{
    double replayed = math_larger(PIECE_LEAST, r->replayed), enough = BLOCK_ENOUGH;
    return replayed < enough ? PIECE_SCATTER * sqrt(1 / replayed - 1 / enough) : 0;
}
