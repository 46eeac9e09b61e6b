/* sched_intercl.c - InterCL: a two-level scheduler whose first level holds warps of neighbouring
 * CTAs and issues greedy then oldest (Mao 4.2.3, 4.3).
 *
 * A warp that meets a long wait leaves the first level. It is replaced by a warp of, in this order,
 * a CTA that is in the level, the nearest CTA before those, the nearest after them; by the oldest
 * such warp if there are several or if the level is empty [A]. A runnable warp of a CTA further
 * away waits until those nearer wait or have ended. */
#include "gpu/policies/sched.h"

enum { CTAS_MAX = 64 };

/* The CTAs in the first level. */
struct held {
    uint64_t cta[CTAS_MAX], low, high;
    uint32_t n;
};

static bool holds_cta(const struct held *h, uint64_t cta)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->cta[i] == cta) return true;
    return false;
}

static void hold_cta(struct held *h, uint64_t cta)
{
    if (holds_cta(h, cta)) return;
    h->cta[h->n++] = cta;
    if (h->n == 1 || cta < h->low) h->low = cta;
    if (h->n == 1 || cta > h->high) h->high = cta;
}

struct claim {
    uint32_t order; /* 0: its CTA is in the first level, 1: before those, 2: after them */
    uint64_t far, age;
};

static struct claim claim_of(const struct sched *s, const struct held *h, uint32_t slot)
{
    uint64_t cta = s->v.cta[slot], age = s->v.age[slot];
    if (!h->n || holds_cta(h, cta)) return (struct claim){0, 0, age};
    if (cta > h->high) return (struct claim){2, cta - h->high, age};
    return (struct claim){1, cta < h->low ? h->low - cta : 0, age};
}

static bool claims_before(const struct claim *a, const struct claim *b)
{
    if (a->order != b->order) return a->order < b->order;
    return a->far != b->far ? a->far < b->far : a->age < b->age;
}

static uint32_t best_of(const struct sched *s, const struct held *h, uint64_t pending)
{
    uint32_t best = (uint32_t)__builtin_ctzll(pending);
    struct claim most = claim_of(s, h, best);
    for (uint64_t rest = pending & (pending - 1); rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        struct claim c = claim_of(s, h, slot);
        if (!claims_before(&c, &most)) continue;
        most = c;
        best = slot;
    }
    return best;
}

static uint64_t intercl_admit(struct sched *s, uint64_t runnable)
{
    s->first &= runnable;
    uint64_t pending = runnable & ~s->first;
    uint32_t n = (uint32_t)__builtin_popcountll(s->first);
    if (!pending || n >= s->p->intercl_warps) return s->first;
    if (n + (uint32_t)__builtin_popcountll(pending) <= s->p->intercl_warps)
        return s->first = runnable;
    struct held h = {0};
    for (uint64_t rest = s->first; rest; rest &= rest - 1)
        hold_cta(&h, s->v.cta[__builtin_ctzll(rest)]);
    for (; n < s->p->intercl_warps; n++) {
        uint32_t slot = best_of(s, &h, pending);
        s->first |= UINT64_C(1) << slot;
        pending &= ~(UINT64_C(1) << slot);
        hold_cta(&h, s->v.cta[slot]);
    }
    return s->first;
}

static uint32_t intercl_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    return sched_gto.pick(s, ready, age);
}

const struct sched_ops sched_intercl = {
    .name = "intercl", .pick = intercl_pick, .admit = intercl_admit};
