/* row_locality.c - see row_locality.h. */
#include "estimator/dram/row_locality.h"

#include "base/memory/rng.h"
#include "base/memory/thread_block.h"
#include "estimator/constants.h"
#include "estimator/dram/channel_replay.h"
#include "estimator/dram/unevenness.h"
#include "estimator/model/math_util.h"

#include <math.h>
#include <string.h>

enum { MAX_SMS = 256, NO_UNIT = UINT16_MAX, SAMPLE_TOGETHER = 8 };
enum { PIECE = 384 }; /* the most bursts in one channel's piece of a block */
static const uint32_t depths[ROW_DEPTHS] = {2, 16, 128};
static const uint32_t lengths[ROW_DEPTHS] = {128, 208, PIECE}; /* bursts of a piece */
static const uint32_t windows[LOAD_WINDOWS] = {32, 256, 2048, 16384, 131072};

/* --- unequal load --- */

/* Whether a sampled access lies beside the one before, of one SM: where it goes, that one goes,
 * too. */
static bool beside_last(const struct sampled *last, const struct sampled *a, uint64_t together)
{
    return last && last->sm == a->sm && last->addr / together == a->addr / together;
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

double row_locality_even_slices(const struct spread_sample *s, const struct map *map,
                                double l1_lines)
{
    struct load l = {0};
    uint32_t queues = map->several ? map->near_slices : map->slices;
    const struct sampled *last = NULL;
    uint64_t together = UINT64_C(1) << map->interleave_shift;
    uint16_t l1 = profile_sample_bucket(l1_lines);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        if (!sampled_misses(a, l1, 0)) continue;
        add_to_slices(&l, map, a, beside_last(last, a, together));
        last = a;
    }
    return map->slices / uneven_hottest(&l, queues);
}

double row_locality_even_homes(const struct spread_sample *s, const struct map *map,
                               const struct row_stream *f)
{
    struct load l = {0};
    const struct sampled *last = NULL;
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        if (a->kind == SAMPLED_READ && !sampled_misses(a, l1, l2)) continue;
        load_add(&l, map_slice(map, a->addr), a->sectors, beside_last(last, a, f->together));
        last = a;
    }
    return map->slices / uneven_hottest(&l, map->slices);
}

double row_locality_even_fetches(const struct spread_sample *s, const struct map *map,
                                 const struct row_stream *f)
{
    struct load l = {0};
    const struct sampled *last = NULL;
    uint32_t queues = map->several ? map->near_slices : map->slices;
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        bool passes = f->atomics_go && a->kind == SAMPLED_ATOMIC;
        if (passes || !sampled_misses(a, l1, l2)) continue;
        load_add(&l, map_slice(map, a->addr) % queues, a->sectors,
                 beside_last(last, a, f->together));
        last = a;
    }
    return map->slices / uneven_hottest(&l, queues);
}

double row_locality_even_channels(const struct spread_sample *s, const struct map *map,
                                  const struct row_stream *f)
{
    struct load l = {0};
    const struct sampled *last = NULL;
    uint16_t l1 = profile_sample_bucket(f->l1_lines), l2 = profile_sample_bucket(f->l2_lines);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        bool both = f->atomics_go && a->kind == SAMPLED_ATOMIC;
        bool goes = both || sampled_misses(a, l1, l2) || (f->hits_load && a->kind == SAMPLED_WRITE);
        if (!goes) continue;
        load_add(&l, map_channel(map, a->addr), (both ? 2 : 1) * a->sectors,
                 beside_last(last, a, f->together));
        last = a;
    }
    return map->channels / (f->atomics_go ? uneven_hot : uneven_hottest)(&l, map->channels);
}

/* --- rows --- */

struct memory_access { /* a sampled access on its way to memory */
    uint64_t addr;
    uint32_t channel;
    uint16_t sm;
    bool next; /* its address follows that of the access before */
    bool write;
    double bursts, once; /* once: bursts to consecutive addresses that are repeated later */
};

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
        double times;
    } at[SAMPLE_TOGETHER];
};

static void add_follower(struct following *w, uint64_t addr, double times)
{
    w->at[w->n].addr = addr;
    w->at[w->n++].times = times;
}

static uint32_t place_following(struct following *w, const struct map *map, double bursts,
                                uint16_t sm, struct memory_access *to)
{
    uint32_t n = 0;
    while (w->n--)
        place_access(&to[n++], w->at[w->n].addr, map, bursts, w->at[w->n].times, true, sm);
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
    for (uint32_t i = 0; i < s->n[b]; i++) {
        const struct sampled *a = &s->at[b][i];
        bool misses = sampled_misses(a, l1, l2);
        find_reads_and_writes(a, f, misses, &read, &write);
        if (!misses && !write) continue;
        bool next = a->addr / f->together == block;
        if (!next || later.n == SAMPLE_TOGETHER)
            n += place_following(&later, map, f->bursts_per_sector, sm, to + n);
        if (!next || !n) *runs += 1;
        block = a->addr / f->together;
        sm = a->sm;
        double times = times_written(f, write, &soon), bursts = a->sectors * f->bursts_per_sector;
        if (read || write) {
            place_access(&to[n], a->addr, map, bursts, read ? 1 : times, !read, sm);
            to[n++].next = next;
        }
        if (read && write) { /* it is written when the line has arrived */
            add_follower(&later, a->addr, times);
            continue;
        }
        due += misses ? math_smaller(1, f->writebacks) : 0;
        if (due < 1) continue;
        due -= 1;
        add_follower(&later, a->addr >= f->behind ? a->addr - f->behind : a->addr + f->behind, 1);
    }
    return n;
}

/* A block's requests to one channel.  A unit is what an SM requests at once; units are chained per
 * SM. */
struct sm_queue {
    uint16_t head, tail, next, n; /* next: the unit to send next; NO_UNIT: none */
};
struct sm_queues {
    uint32_t n;
    struct sm_queue sm[MAX_SMS];
    uint16_t order[MAX_SMS];          /* SMs in the order of their first request */
    uint16_t after[2 * SAMPLE_BLOCK]; /* indices in the block */
};

static void lanes_find(struct sm_queues *l, const struct memory_access *p, uint32_t n,
                       uint32_t channel)
{
    memset(l->sm, 0xff, sizeof l->sm);
    l->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct sm_queue *s = &l->sm[p[i].sm % MAX_SMS];
        if (p[i].channel != channel) continue;
        if (s->head == NO_UNIT) {
            l->order[l->n++] = p[i].sm % MAX_SMS;
            s->head = (uint16_t)i;
            s->n = 0;
        } else {
            l->after[s->tail] = (uint16_t)i;
        }
        l->after[i] = NO_UNIT;
        s->tail = (uint16_t)i;
        s->n++;
    }
}

/* SMs drift: each is somewhere else in the first part of its share of the block. */
static void lanes_shift(struct sm_queues *l)
{
    for (uint32_t k = 0; k < l->n; k++) {
        struct sm_queue *s = &l->sm[l->order[k]];
        uint32_t skip = (uint32_t)(rng_splitmix64(l->order[k]) % s->n) / DRIFT_PART;
        for (s->next = s->head; skip; skip--)
            s->next = l->after[s->next];
    }
}

/* Stores that recur soon are interleaved: each goes in turn to where one of the last stores
 * went. */
enum { RECENT_STORES = 8 };
struct stores {
    uint32_t n, turn;
    struct replay_request at[RECENT_STORES];
};

static uint32_t replay_unit(const struct memory_access *u, const struct map *map,
                            uint32_t burst_bytes, struct stores *recent, struct replay_request *to,
                            uint32_t room)
{
    uint32_t n = 0;
    for (; n < (uint32_t)u->bursts && n < room; n++) {
        if (recent->n && n >= (uint32_t)u->once) {
            uint32_t kept = recent->n < RECENT_STORES ? recent->n : RECENT_STORES;
            to[n] = recent->at[recent->turn++ % kept];
            continue;
        }
        struct coord at = map_addr(map, u->addr + (uint64_t)n * burst_bytes);
        to[n] = (struct replay_request){.row = at.row,
                                        .bank = at.flat_bank,
                                        .column = (uint16_t)(at.column / burst_bytes),
                                        .write = u->write};
        if (u->write) recent->at[recent->n++ % RECENT_STORES] = to[n];
    }
    return n;
}

/* Merges the SMs' requests as a network arbitrates: round robin, by units of neighbours that an SM
 * sends back to back. */
static uint32_t lanes_merge(struct sm_queues *l, const struct memory_access *p,
                            const struct map *map, uint32_t burst_bytes, struct replay_request *to)
{
    struct stores recent = {0};
    uint32_t n = 0, left = 0;
    for (uint32_t k = 0; k < l->n; k++)
        left += l->sm[l->order[k]].n;
    for (uint32_t k = 0; left && n < PIECE; k = k + 1 < l->n ? k + 1 : 0) {
        struct sm_queue *s = &l->sm[l->order[k]];
        bool more = s->n > 0;
        while (more && n < PIECE) {
            uint32_t i = s->next;
            n += replay_unit(&p[i], map, burst_bytes, &recent, to + n, PIECE - n);
            s->next = l->after[i] == NO_UNIT ? s->head : l->after[i];
            s->n--;
            left--;
            more = s->n && s->next == i + 1 && p[s->next].next;
        }
    }
    return n;
}

/* The sums over a block's pieces so far, at every depth. */
struct heard {
    struct replay_sum t[ROW_DEPTHS];
    uint32_t pieces[ROW_DEPTHS];
};

static bool same_sums(const struct replay_sum *a, const struct replay_sum *b)
{
    if (a->bursts <= 0 || b->bursts <= 0 || a->looked <= 0 || b->looked <= 0) return false;
    return fabs(a->clocks / a->bursts * b->bursts / b->clocks - 1) < PIECES_ALIKE &&
           fabs(a->hits / a->looked - b->hits / b->looked) < PIECES_ALIKE;
}

/* Replays one channel's piece of the block.  `before`: the sums of earlier blocks; depths at which
 * this block confirms them are not replayed again.  false: no depth is left. */
static bool replay_piece(struct heard *h, const struct replay_sum before[ROW_DEPTHS],
                         const struct memory_access *p, uint32_t n, uint32_t channel,
                         const struct map *map, const struct dram_params *d)
{
    struct sm_queues lanes;
    struct replay_request r[PIECE];
    bool more = false;
    lanes_find(&lanes, p, n, channel);
    lanes_shift(&lanes);
    uint32_t bursts = lanes_merge(&lanes, p, map, d->bus_bytes * d->burst_length, r);
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        if (h->pieces[k] && same_sums(&h->t[k], &before[k])) continue;
        h->pieces[k]++;
        channel_replay(&h->t[k], d, r, bursts < lengths[k] ? bursts : lengths[k], depths[k], 1);
        more |= !same_sums(&h->t[k], &before[k]);
    }
    return more;
}

/* Replays two channels of the block: the first one with requests, and another. */
static void replay_block(struct replay_sum t[ROW_DEPTHS], const struct memory_access *p, uint32_t n,
                         const struct map *map, const struct dram_params *d, double weight)
{
    struct heard h = {0};
    uint32_t first = n ? p[0].channel : 0, i = 0;
    if (!n) return;
    while (i < n && p[i].channel == first)
        i++;
    if (replay_piece(&h, t, p, n, first, map, d) && i < n)
        replay_piece(&h, t, p, n, p[i].channel, map, d);
    for (uint32_t k = 0; k < ROW_DEPTHS; k++)
        replay_sum_add(&t[k], &h.t[k], weight / h.pieces[k]);
}

/* Adds the load of n consecutive accesses; neighbours count as one clump. */
static void uneven_window(struct unevenness *u, const struct memory_access *p, uint32_t n,
                          uint32_t channels)
{
    struct load l;
    load_clear(&l, channels);
    for (uint32_t i = 0; i < n; i++)
        load_add(&l, p[i].channel, p[i].once, p[i].next);
    uneven_add(u, &l, channels);
}

static void uneven_windows(struct unevenness u[BLOCK_WINDOWS], const struct memory_access *p,
                           uint32_t n, uint32_t channels)
{
    for (uint32_t k = 0; k < BLOCK_WINDOWS; k++)
        for (uint32_t i = 0; i < n; i += windows[k])
            uneven_window(&u[k], p + i, n - i < windows[k] ? n - i : windows[k], channels);
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
        c->at[c->n++] =
            (struct load_of){map_channel(map, a->addr), beside_last(last, a, f->together),
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
        if (2 * samples > c->n) continue;
        double chance = r->chance * windows[BLOCK_WINDOWS - 1] / (samples * each);
        struct unevenness u = courses_uneven(c, samples, map->channels, chance);
        double hottest = uneven_ratio(&u, map->channels), among = uneven_among(&u, map->channels);
        r->hottest[k] = (longer ? math_smaller : math_larger)(r->hottest[k], hottest);
        r->among[k] = (longer ? math_larger : math_smaller)(r->among[k], among);
    }
}

static void locality_of(struct row_locality *r, const struct replay_sum t[ROW_DEPTHS],
                        const struct dram_params *d)
{
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        double data = dram_burst_clocks(d);
        r->hit[k] = t[k].looked > 0 ? t[k].hits / t[k].looked : 0;
        r->banks[k] = t[k].looked > 0 ? math_larger(1, t[k].banks / t[k].looked) : 1;
        r->service[k] = t[k].bursts > 0 ? t[k].clocks / t[k].bursts : data;
    }
}

struct placed_block {
    struct memory_access at[2 * SAMPLE_BLOCK];
};

void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       const struct dram_params *d, const struct row_stream *f)
{
    static _Thread_local void *block;
    struct memory_access *placed = THREAD_BLOCK(struct placed_block, block)->at;
    struct replay_sum t[ROW_DEPTHS] = {{0}};
    struct unevenness u[BLOCK_WINDOWS] = {{0}};
    double runs = 0, bursts = 0, most = 0;
    for (uint32_t b = 0; b < s->blocks; b++)
        most = math_larger(most, s->each[b]);
    for (uint32_t b = 0; b < s->blocks; b++) {
        double weight = s->each[b] / most, block_runs = 0;
        uint32_t n = place_block(s, b, map, f, placed, &block_runs);
        for (uint32_t i = 0; i < n; i++)
            bursts += weight * placed[i].once;
        runs += weight * block_runs;
        uneven_windows(u, placed, n, map->channels);
        bool counts = s->blocks == 1 || weight > BLOCK_LIGHT;
        if (d->model == DRAM_BANKS && counts) replay_block(t, placed, n, map, d, weight);
    }
    r->chance = math_over(u[BLOCK_WINDOWS - 1].chance, u[BLOCK_WINDOWS - 1].mean);
    for (uint32_t k = 0; k < BLOCK_WINDOWS; k++) {
        uneven_allow(&u[k], map->channels);
        r->hottest[k] = uneven_ratio(&u[k], map->channels);
        r->among[k] = uneven_among(&u[k], map->channels);
    }
    for (uint32_t k = BLOCK_WINDOWS; k < LOAD_WINDOWS; k++) {
        r->hottest[k] = r->hottest[k - 1];
        r->among[k] = r->among[k - 1];
    }
    r->run = runs > 0 ? math_larger(1, bursts / runs / (1 + math_smaller(1, f->writebacks))) : 1;
    locality_of(r, t, d);
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

double row_locality_among(const struct row_locality *r, double together)
{
    return at_depth(r->among, LOAD_WINDOWS, together / windows[0]);
}

double row_locality_at(const double v[ROW_DEPTHS], double depth)
{
    return at_depth(v, ROW_DEPTHS, depth / depths[0]);
}
