/* line_accesses.c - see line_accesses.h. */
#include "estimator/observer/line_accesses.h"

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
    if (n > 64) return (t->mask[0] & t->mask[1]) == UINT64_MAX;
    return (~t->mask[from / 64] & bytes_of(from, n)) == 0;
}

/* The sectors of its line that a transaction touches, and those that it touches wholly. */
static uint32_t txn_sectors(const struct profile_view *v, const struct txn *t, uint32_t *whole)
{
    uint32_t first = (uint32_t)(t->addr % v->l1_line) / v->l1_sector;
    *whole = 0;
    if (v->coalesce_bytes <= v->l1_sector) {
        if (v->coalesce_bytes == v->l1_sector && bytes_whole(t, 0, v->l1_sector))
            *whole = 1u << first;
        return 1u << first;
    }
    uint32_t mask = 0;
    for (uint32_t b = 0; b < v->coalesce_bytes && b < v->l1_line; b += v->l1_sector) {
        uint32_t bit = 1u << (first + b / v->l1_sector);
        if (bytes_touched(t, b, v->l1_sector)) mask |= bit;
        if (bytes_whole(t, b, v->l1_sector)) *whole |= bit;
    }
    return mask;
}

static uint32_t lanes_of(const struct profile_view *v, uint8_t cls)
{
    return cls == OP_LOAD ? v->load_lanes : cls == OP_STORE ? v->store_lanes : v->atomic_lanes;
}

bool line_accesses_hinted_bypass(const struct profile_view *v, const struct warp_inst *w)
{
    return (w->si->hint & HINT_BYPASS_L1) && !v->bypass.unhinted;
}

/* Whether transactions finer than sectors meet an L1 that brings them together. */
static bool joins_pieces(const struct profile_view *v, const struct warp_inst *w)
{
    return w->si->cls == OP_LOAD && v->coalesce_bytes < v->l1_sector && v->l1_class_bytes &&
           !line_accesses_hinted_bypass(v, w);
}

void line_accesses_find(struct line_accesses *a, const struct profile_view *v,
                        const struct warp_inst *w)
{
    const struct coalesce_params cp = {.lanes = lanes_of(v, w->si->cls),
                                       .bytes = v->coalesce_bytes,
                                       .apart = w->si->cls == OP_ATOMIC && v->atomics_apart};
    uint32_t n = coalesce(&cp, w, a->txn);
    bool pieces = joins_pieces(v, w);
    struct line_access *last = NULL;
    a->n = a->again = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t whole, mask = txn_sectors(v, &a->txn[i], &whole);
        uint64_t line = a->txn[i].addr / v->l1_line;
        if (pieces && last && line == last->line && (mask & last->mask) == mask) {
            a->again += (uint32_t)__builtin_popcount(mask);
            continue;
        }
        if (!last || line != last->line || (mask & last->mask)) {
            last = &a->at[a->n++];
            *last = (struct line_access){.line = line};
        }
        last->mask |= (uint8_t)mask;
        last->whole |= (uint8_t)whole;
    }
}
