/* line_accesses.c - see line_accesses.h. */
#include "estimator/reuse/line_accesses.h"

#include "base/memory/popcount.h"
#include "estimator/profile/sector_reuse.h"

/* The bytes from..from+n-1 of a transaction, within one half of its mask. */
static uint64_t bytes_of(uint32_t from, uint32_t n)
{
    return (n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1) << from % 64;
}

static bool bytes_touched(const struct txn *t, uint32_t from, uint32_t n)
{
    if (n > 64) return t->mask[0] | t->mask[1];
    return t->mask[from / 64] & bytes_of(from, n);
}

static bool bytes_whole(const struct txn *t, uint32_t from, uint32_t n)
{
    return (~t->mask[from / 64] & bytes_of(from, n)) == 0;
}

/* The sectors of its line that a transaction touches. */
static uint32_t txn_sectors(const struct profile_view *v, const struct txn *t)
{
    uint32_t first = (uint32_t)(t->addr % v->l1_line) / v->l1_sector, mask = 0;
    if (v->coalesce_bytes <= v->l1_sector) return 1u << first;
    for (uint32_t b = 0; b < v->coalesce_bytes && b < v->l1_line; b += v->l1_sector)
        if (bytes_touched(t, b, v->l1_sector)) mask |= 1u << (first + b / v->l1_sector);
    return mask;
}

/* The parts of the sectors in `mask` that a transaction touches wholly. */
static uint32_t txn_parts(const struct profile_view *v, const struct txn *t, uint32_t mask)
{
    uint32_t from = (uint32_t)(t->addr % v->l1_line), to = from + v->coalesce_bytes, parts = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(mask), at = s * v->l1_sector;
        if (v->l1_sector <= 64 && at >= from && at + v->l1_sector <= to &&
            bytes_whole(t, at - from, v->l1_sector)) {
            parts |= sector_reuse_parts(1u << s);
            continue;
        }
        for (uint32_t i = 0; i < CHAIN_PARTS; i++) {
            uint32_t a = at + i * v->l1_sector / CHAIN_PARTS;
            uint32_t b = at + (i + 1) * v->l1_sector / CHAIN_PARTS;
            if (a >= from && b <= to && bytes_whole(t, a - from, b - a))
                parts |= 1u << (s * CHAIN_PARTS + i);
        }
    }
    return parts;
}

static uint32_t lanes_of(const struct profile_view *v, uint8_t cls)
{
    return cls == OP_LOAD ? v->load_lanes : cls == OP_STORE ? v->store_lanes : v->atomic_lanes;
}

/* Whether transactions finer than sectors meet an L1 that brings them together. */
static bool joins_pieces(const struct profile_view *v, const struct warp_inst *w)
{
    bool round = w->si->hint & HINT_BYPASS_L1 && !v->bypass.unhinted;
    return w->si->cls == OP_LOAD && v->coalesce_bytes < v->l1_sector && v->l1_class_bytes && !round;
}

/* Adds a transaction's sectors to the accesses. */
static void add_sectors(struct line_accesses *a, uint64_t line, uint32_t mask, uint32_t parts)
{
    struct line_access *last = a->n ? &a->at[a->n - 1] : NULL;
    if (!last || line != last->line || (mask & last->mask)) {
        last = &a->at[a->n++];
        *last = (struct line_access){.line = line};
    }
    last->mask |= (uint8_t)mask;
    last->parts |= parts;
}

/* --- loads whose transactions are sectors: which bytes they touch does not matter --- */

static void touch_sector(struct sector_list *l, uint64_t sector)
{
    uint64_t bit = UINT64_C(1) << (sector * 0x9E3779B97F4A7C15u >> 58);
    if (l->n && l->at[l->n - 1] == sector) return;
    for (uint32_t i = 0; (l->seen & bit) && i < l->n; i++)
        if (l->at[i] == sector) return;
    l->seen |= bit;
    l->at[l->n++] = sector;
}

/* Lists the sectors of lanes at even steps upward. Steps of at most a sector touch every sector of
 * the range. With longer steps a lane can share a sector only with the lane before it. */
static void list_ascending(struct sector_list *l, uint64_t base, uint64_t stride, uint32_t n,
                           uint32_t more, uint32_t shift)
{
    uint64_t end = base + stride * (n - 1) + more, next = base >> shift;
    if (stride <= UINT64_C(1) << shift) {
        for (; next <= end >> shift; next++)
            l->at[l->n++] = next;
        return;
    }
    for (uint64_t addr = base; n--; addr += stride) {
        if (addr >> shift >= next) l->at[l->n++] = addr >> shift;
        if ((addr + more) >> shift != addr >> shift) l->at[l->n++] = (addr + more) >> shift;
        next = l->at[l->n - 1] + 1;
    }
}

static void list_sectors(struct sector_list *l, const struct warp_inst *w, uint32_t first,
                         uint32_t n, uint32_t shift)
{
    uint64_t base = warp_inst_addr(w, first), end = warp_inst_addr(w, first + n - 1);
    uint32_t more = w->si->width - 1u;
    l->n = 0;
    l->seen = 0;
    if (w->form == ADDR_STRIDE && w->stride >= 0 && base && base <= end &&
        end <= UINT64_MAX - more && (uint64_t)w->stride <= UINT64_MAX / WARP_MAX_LANES) {
        list_ascending(l, base, (uint64_t)w->stride, n, more, shift);
        return;
    }
    for (uint32_t k = first; k < first + n; k++) {
        uint64_t addr = warp_inst_addr(w, k);
        if (!addr) continue;
        touch_sector(l, addr >> shift);
        if ((addr + more) >> shift != addr >> shift) touch_sector(l, (addr + more) >> shift);
    }
}

static bool loads_sectors(const struct profile_view *v, const struct warp_inst *w)
{
    return w->si->cls == OP_LOAD && v->coalesce_bytes == v->l1_sector &&
           w->si->width <= v->l1_sector;
}

static void find_sectors(struct line_accesses *a, const struct profile_view *v,
                         const struct warp_inst *w)
{
    uint32_t shift = (uint32_t)__builtin_ctz(v->l1_sector), first = 0, lanes = v->load_lanes;
    uint32_t line_shift = (uint32_t)__builtin_ctz(v->l1_line) - shift;
    for (uint32_t lane = 0; lane < WARP_MAX_LANES && w->mask >> lane; lane += lanes) {
        uint64_t group = lanes >= WARP_MAX_LANES ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
        uint32_t n = popcount(w->mask >> lane & group);
        if (!n) continue;
        struct sector_list *l = &a->sectors;
        list_sectors(l, w, first, n, shift);
        for (uint32_t i = 0; i < l->n; i++)
            add_sectors(a, l->at[i] >> line_shift,
                        1u << (l->at[i] & ((UINT64_C(1) << line_shift) - 1)), 0);
        first += n;
    }
}

/* --- all others --- */

static void find_transactions(struct line_accesses *a, const struct profile_view *v,
                              const struct warp_inst *w)
{
    const struct coalesce_params cp = {.lanes = lanes_of(v, w->si->cls),
                                       .bytes = v->coalesce_bytes,
                                       .apart = w->si->cls == OP_ATOMIC && v->atomics_apart};
    uint32_t n = coalesce(&cp, w, a->txn);
    bool pieces = joins_pieces(v, w), stores = w->si->cls == OP_STORE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mask = txn_sectors(v, &a->txn[i]);
        uint64_t line = profile_l1_line(v, a->txn[i].addr);
        const struct line_access *last = a->n ? &a->at[a->n - 1] : NULL;
        if (pieces && last && line == last->line && (mask & last->mask) == mask)
            a->again += sector_reuse_count(mask);
        else
            add_sectors(a, line, mask, stores ? txn_parts(v, &a->txn[i], mask) : 0);
    }
}

void line_accesses_find(struct line_accesses *a, const struct profile_view *v,
                        const struct warp_inst *w)
{
    a->n = a->again = 0;
    if (loads_sectors(v, w))
        find_sectors(a, v, w);
    else
        find_transactions(a, v, w);
}
