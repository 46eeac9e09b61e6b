/* block_replay.c - see block_replay.h. */
#include "estimator/dram/block_replay.h"

#include "base/memory/rng.h"
#include "base/memory/thread_block.h"
#include "estimator/constants.h"
#include "estimator/dram/unevenness.h"
#include "estimator/math_util.h"
#include "gpu/machine/params/sm.h"

#include <math.h>
#include <string.h>

enum { NO_UNIT = UINT16_MAX };
const uint32_t block_replay_depths[ROW_DEPTHS] = {2, 16, REPLAY_DEPTH};
/* Bursts of a piece. The longest has reads that fill a channel's queue BLOCK_QUEUES times, and as
 * many writes. */
static const uint32_t lengths[ROW_DEPTHS] = {128, 208, REPLAY_MOST};

/* --- which channels --- */

/* The block's accesses by channel, each channel's in order. */
struct channel_lists {
    uint32_t bursts[MAX_QUEUES], first[MAX_QUEUES + 1];
    uint16_t at[PLACED_MOST]; /* indices in the block */
};

static void lists_find(struct channel_lists *l, const struct memory_access *p, uint32_t n,
                       uint32_t channels)
{
    memset(l->bursts, 0, channels * sizeof *l->bursts);
    memset(l->first, 0, (channels + 1) * sizeof *l->first);
    for (uint32_t i = 0; i < n; i++) {
        l->bursts[p[i].channel] += (uint32_t)p[i].bursts;
        l->first[p[i].channel]++;
    }
    for (uint32_t i = 1; i <= channels; i++) /* ends, which become beginnings */
        l->first[i] += l->first[i - 1];
    for (uint32_t i = n; i--;)
        l->at[--l->first[p[i].channel]] = (uint16_t)i;
}

/* The channels that are full enough, in an order of chance: the fullest ones are not like the
 * others. */
static uint32_t channels_to_replay(const struct channel_lists *l, uint32_t channels,
                                   uint32_t to[MAX_QUEUES])
{
    struct rng r;
    uint32_t n = 0;
    rng_seed(&r, channels, 0);
    for (uint32_t i = 0; i < channels; i++) {
        if (l->bursts[i] < PIECE_LEAST) continue;
        uint32_t at = (uint32_t)rng_below(&r, ++n);
        to[n - 1] = to[at];
        to[at] = i;
    }
    return n;
}

/* --- a channel's piece --- */

/* A block's requests to one channel.  A unit is what an SM requests at once; units are chained per
 * SM. */
struct sm_queue {
    uint16_t head, tail, next, n; /* next: the unit to send next; NO_UNIT: none */
};
struct sm_queues {
    uint32_t n;
    struct sm_queue sm[SM_COUNT_MAX];
    uint16_t order[SM_COUNT_MAX];     /* SMs in the order of their first request */
    uint16_t after[2 * SAMPLE_BLOCK]; /* indices in the block */
};

static void queues_find(struct sm_queues *l, const struct memory_access *p, const uint16_t *at,
                        uint32_t n)
{
    memset(l->sm, 0xff, sizeof l->sm);
    l->n = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint16_t i = at[k];
        struct sm_queue *s = &l->sm[p[i].sm];
        if (s->head == NO_UNIT) {
            l->order[l->n++] = p[i].sm;
            s->head = i;
            s->n = 0;
        } else {
            l->after[s->tail] = i;
        }
        l->after[i] = NO_UNIT;
        s->tail = i;
        s->n++;
    }
}

/* SMs drift: each is somewhere else in the first part of its share of the block. */
static void queues_shift(struct sm_queues *l)
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
                                        .column = at.column / burst_bytes,
                                        .write = u->write};
        if (u->write) recent->at[recent->n++ % RECENT_STORES] = to[n];
    }
    return n;
}

/* Merges the SMs' requests as a network arbitrates: round robin, by units of neighbours that an SM
 * sends back to back. */
static uint32_t queues_merge(struct sm_queues *l, const struct memory_access *p,
                             const struct map *map, uint32_t burst_bytes, struct replay_request *to)
{
    struct stores recent = {0};
    uint32_t n = 0, left = 0;
    for (uint32_t k = 0; k < l->n; k++)
        left += l->sm[l->order[k]].n;
    for (uint32_t k = 0; left && n < REPLAY_MOST; k = k + 1 < l->n ? k + 1 : 0) {
        struct sm_queue *s = &l->sm[l->order[k]];
        bool more = s->n > 0;
        while (more && n < REPLAY_MOST) {
            uint32_t i = s->next;
            n += replay_unit(&p[i], map, burst_bytes, &recent, to + n, REPLAY_MOST - n);
            s->next = l->after[i] == NO_UNIT ? s->head : l->after[i];
            s->n--;
            left--;
            more = s->n && s->next == i + 1 && p[s->next].next;
        }
    }
    return n;
}

/* --- a block --- */

static bool same_sums(const struct replay_sum *a, const struct replay_sum *b)
{
    if (a->bursts <= 0 || b->bursts <= 0 || a->looked <= 0 || b->looked <= 0) return false;
    return fabs(a->clocks / a->bursts * b->bursts / b->clocks - 1) < PIECES_ALIKE &&
           fabs(a->hits / a->looked - b->hits / b->looked) < PIECES_ALIKE;
}

/* Adds one channel's piece of the block to its sums `own`.  false: half of the block confirms the
 * sums `before` at all depths. */
static bool replay_piece(struct block_sums *own, const struct block_sums *before,
                         const struct replay_request *r, uint32_t bursts,
                         const struct dram_params *d)
{
    bool more = false;
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        bool half = own->replayed >= BLOCK_ENOUGH / 2;
        if (half && same_sums(&own->t[k], &before->t[k])) continue;
        channel_replay(&own->t[k], d, r, bursts < lengths[k] ? bursts : lengths[k],
                       block_replay_depths[k], 1);
        more = true;
    }
    own->replayed += bursts;
    return more;
}

void block_replay(struct block_sums *to, const struct memory_access *p, uint32_t n,
                  const struct map *map, const struct dram_params *d, double weight)
{
    static _Thread_local void *block;
    struct channel_lists *l = THREAD_BLOCK(struct channel_lists, block);
    struct sm_queues lanes;
    struct replay_request r[REPLAY_MOST];
    struct block_sums own = {.replayed = 0};
    uint32_t channel[MAX_QUEUES], channels;
    bool more = true;
    lists_find(l, p, n, map->channels);
    channels = channels_to_replay(l, map->channels, channel);
    for (uint32_t i = 0; more && i < channels && own.replayed < BLOCK_ENOUGH; i++) {
        const uint32_t *first = &l->first[channel[i]];
        queues_find(&lanes, p, l->at + first[0], first[1] - first[0]);
        queues_shift(&lanes);
        uint32_t bursts = queues_merge(&lanes, p, map, d->bus_bytes * d->burst_length, r);
        more = replay_piece(&own, to, r, bursts, d);
    }
    weight *= math_smaller(1, own.replayed / BLOCK_ENOUGH);
    for (uint32_t k = 0; k < ROW_DEPTHS; k++)
        replay_sum_add(&to->t[k], &own.t[k], weight);
    to->replayed += own.replayed;
}

struct dram_params block_replay_params(const struct dram_params *d)
{
    struct dram_params k;
    memcpy(&k, d, sizeof k);
    memset(k.set, 0, sizeof k.set);
    memset(k.mapping, 0, sizeof k.mapping);
    k.clock_khz = k.extra_latency = k.fixed_latency = k.queue = 0;
    k.clock_mhz = k.fixed_gbps = 0;
    k.t.tREFI = k.t.tRFC = k.t.tRFCb = k.t.tREFIb = k.power_down_idle = 0;
    memset(&k.energy, 0, sizeof k.energy);
    return k;
}
