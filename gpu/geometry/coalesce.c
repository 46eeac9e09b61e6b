/* coalesce.c - coalescing of lane accesses.
 *
 * Unit-stride accesses are cut into blocks by arithmetic; with non-decreasing addresses, an access
 * can only join one of the two newest transactions; otherwise the group's transactions are
 * searched. Addresses are numbers modulo 2^64: an access at the end of the address space continues
 * at its beginning, so loops count bytes and never compare with an end address. */
#include "gpu/geometry/coalesce.h"

#include "base/memory/popcount.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

struct group {
    uint32_t first;  /* its first active lane, counted over the warp */
    uint32_t n;      /* active lanes */
    struct txn *txn; /* its transactions */
    uint32_t txns;
    uint32_t number;
    bool apart; /* lanes that share bytes do not join */
    uint64_t
        seen; /* Bloom filter of its blocks: a block whose bit is clear has no transaction yet */
    struct txn *last; /* the transaction that a lane joined last; NULL: none, or lanes stay apart */
};

/* Adds bytes from..to-1 of a block to the mask. */
static void mask_range(struct txn *t, uint32_t from, uint32_t to)
{
    if (to <= 64) {
        t->mask[0] |= (UINT64_MAX >> (64 - (to - from))) << from;
        return;
    }
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t lo = from > half * 64 ? from - half * 64 : 0;
        uint32_t hi = to > half * 64 ? to - half * 64 : 0;
        if (hi > 64) hi = 64;
        if (lo < hi) t->mask[half] |= (UINT64_MAX >> (64 - (hi - lo))) << lo;
    }
}

static struct txn *find_block(struct group *g, uint64_t block, bool rising)
{
    uint32_t depth = rising && g->txns > 2 ? 2 : g->txns;
    for (uint32_t i = 0; i < depth; i++) {
        struct txn *t = &g->txn[g->txns - 1 - i];
        if (t->addr == block) return t;
    }
    return NULL;
}

/* The oldest transaction to the block that has none of these bytes. */
static struct txn *find_apart(struct group *g, uint64_t block, const struct txn *bytes)
{
    for (uint32_t i = 0; i < g->txns; i++) {
        struct txn *t = &g->txn[i];
        bool shares = (t->mask[0] & bytes->mask[0]) || (t->mask[1] & bytes->mask[1]);
        if (t->addr == block && !shares) return t;
    }
    return NULL;
}

static void touch_block(struct group *g, uint64_t block, uint32_t from, uint32_t to, bool rising)
{
    uint64_t bit = UINT64_C(1) << (block * 0x9E3779B97F4A7C15u >> 58);
    struct txn bytes = {.addr = block, .group = g->number}, *t = NULL;
    mask_range(&bytes, from, to);
    if (g->seen & bit) t = g->apart ? find_apart(g, block, &bytes) : find_block(g, block, rising);
    if (!t) {
        g->seen |= bit;
        t = &g->txn[g->txns++];
        *t = bytes;
    }
    t->mask[0] |= bytes.mask[0];
    t->mask[1] |= bytes.mask[1];
    t->lanes++;
    if (!g->apart) g->last = t;
}

/* Most lanes access the block of the lane before them. */
static bool join_last(struct group *g, uint64_t addr, uint32_t width, uint32_t bytes)
{
    struct txn *t = g->last;
    if (!t) return false;
    uint64_t from = addr - t->addr;
    if (from >= bytes || width > bytes - from) return false;
    mask_range(t, (uint32_t)from, (uint32_t)from + width);
    t->lanes++;
    return true;
}

static void join_lane(struct group *g, uint64_t addr, uint32_t width, uint32_t bytes, bool rising)
{
    for (uint32_t left = width; left > 0;) {
        uint32_t from = (uint32_t)(addr & (bytes - 1));
        uint32_t n = left < bytes - from ? left : bytes - from;
        touch_block(g, addr - from, from, from + n, rising);
        addr += n;
        left -= n;
    }
}

/* Coalesces a unit-stride group: one run of bytes that does not wrap, `width` per lane. */
static void join_run(struct group *g, uint64_t addr, uint32_t width, uint32_t bytes)
{
    uint32_t run = g->n * width;
    uint32_t shift = (uint32_t)__builtin_ctz(width);
    bool shifts = width == 1u << shift; /* else it divides, which costs more than all the rest */
    for (uint32_t at = 0; at < run;) {  /* bytes from the run's beginning */
        uint32_t from = (uint32_t)((addr + at) & (bytes - 1));
        uint32_t n = run - at < bytes - from ? run - at : bytes - from;
        uint32_t first = shifts ? at >> shift : at / width;
        uint32_t last = shifts ? (at + n - 1) >> shift : (at + n - 1) / width;
        struct txn *t = &g->txn[g->txns++];
        *t = (struct txn){.addr = addr + at - from, .lanes = last - first + 1, .group = g->number};
        mask_range(t, from, from + n);
        at += n;
    }
}

/* Coalesces a group whose lanes lie apart: each continues the newest transaction, or opens one. */
static void join_strides(struct group *g, uint64_t addr, uint32_t width, uint64_t stride,
                         uint32_t bytes)
{
    struct txn *t = NULL;
    for (uint32_t k = 0; k < g->n; k++, addr += stride) {
        uint32_t left = width;
        for (uint64_t at = addr; left > 0;) {
            uint32_t from = (uint32_t)(at & (bytes - 1));
            uint32_t n = left < bytes - from ? left : bytes - from;
            if (!t || t->addr != at - from) {
                t = &g->txn[g->txns++];
                *t = (struct txn){.addr = at - from, .group = g->number};
            }
            mask_range(t, from, from + n);
            t->lanes++;
            at += n;
            left -= n;
        }
    }
}

/* All lanes of the group access the same bytes. */
static void join_one(struct group *g, uint64_t addr, uint32_t width, uint32_t bytes)
{
    join_lane(g, addr, width, bytes, true);
    for (uint32_t i = 0; i < g->txns; i++)
        g->txn[i].lanes = g->n;
}

/* Whether addresses do not fall from lane to lane and do not pass the end of the address space. */
static bool addresses_rise(const struct warp_inst *w)
{
    uint64_t way, last, lanes = popcount(w->mask);
    return w->form == ADDR_STRIDE && w->base != 0 && w->stride >= 0 && lanes > 0 &&
           !__builtin_mul_overflow((uint64_t)w->stride, lanes - 1, &way) &&
           !__builtin_add_overflow(w->base, way, &last) && last <= UINT64_MAX - w->si->width;
}

static void join_lanes(struct group *g, const struct warp_inst *w, uint32_t bytes, bool rising)
{
    for (uint32_t k = g->first; k < g->first + g->n; k++) {
        uint64_t addr = warp_inst_addr(w, k);
        if (addr && !join_last(g, addr, w->si->width, bytes))
            join_lane(g, addr, w->si->width, bytes, rising);
    }
}

static void join_group(struct group *g, const struct warp_inst *w, uint32_t bytes)
{
    uint32_t width = w->si->width;
    bool rising = addresses_rise(w);
    if (!g->n) return;
    uint64_t addr = warp_inst_addr(w, g->first);
    if (rising && w->stride == width)
        join_run(g, addr, width, bytes);
    else if (rising && w->stride > width)
        join_strides(g, addr, width, (uint64_t)w->stride, bytes);
    else if (rising && w->stride == 0 && !g->apart)
        join_one(g, addr, width, bytes);
    else
        join_lanes(g, w, bytes, rising);
}

static uint64_t lanes_mask(uint32_t from, uint32_t n)
{
    return (n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1) << from;
}

uint32_t coalesce(const struct coalesce_params *p, const struct warp_inst *w, struct txn *out)
{
    assert((p->bytes & (p->bytes - 1)) == 0 && p->bytes <= 128 && w->si->width <= 2 * p->bytes);
    struct group g = {.txn = out, .apart = p->apart};
    uint32_t total = 0;
    for (uint32_t lane = 0; lane < WARP_MAX_LANES && w->mask >> lane; lane += p->lanes) {
        g.first += g.n;
        g.n = popcount(w->mask & lanes_mask(lane, p->lanes));
        g.txn = out + total;
        g.txns = 0;
        g.seen = 0;
        g.last = NULL;
        join_group(&g, w, p->bytes);
        total += g.txns;
        g.number++;
    }
    return total;
}
