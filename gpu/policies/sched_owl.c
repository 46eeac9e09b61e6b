/* sched_owl.c - CTA-aware scheduling of OWL: groups of CTAs have a fixed order, so that a group
 * whose data come back goes on before others spoil the L1; consecutive SMs begin with different
 * groups, so that they do not press on the same DRAM banks (Jog 2013; Mao 5.5.1.1, 6.5).
 *
 * The first group keeps its place until it has no warp left, then the next one in the order of CTA
 * slots leads, so that nobody waits for ever.  Loose round robin inside a group.  OWL's prefetcher
 * is not part of this. */
#include "gpu/policies/sched.h"

static uint32_t group_of(const struct sched *s, uint32_t slot)
{
    return s->v.cta_slot[slot] / s->p->owl_ctas;
}

/* Groups between the leader and the slot's. */
static uint32_t groups_behind(const struct sched *s, uint32_t slot)
{
    return (group_of(s, slot) + s->groups - s->leader) % s->groups;
}

/* Groups between the leader and the first one that has a warp; all of them: none has. */
static uint32_t first_there(const struct sched *s)
{
    uint32_t next = s->groups;
    for (uint64_t rest = *s->v.resident; rest && next; rest &= rest - 1) {
        uint32_t at = groups_behind(s, (uint32_t)__builtin_ctzll(rest));
        if (at < next) next = at;
    }
    return next;
}

/* The lead passes on when the group that had it ends, not while it is still to come: CTAs arrive
 * one by one. */
static void owl_ended(struct sched *s, uint32_t slot)
{
    uint32_t own = groups_behind(s, slot), next = first_there(s);
    if (next <= own) return; /* others had the lead, or some of its own are left */
    s->leader = (s->leader + (next < s->groups ? next : own + 1)) % s->groups;
}

static uint32_t owl_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    (void)age;
    uint64_t best = 0;
    uint32_t least = s->groups;
    for (uint64_t rest = ready; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest), at = groups_behind(s, slot);
        if (at < least) best = 0, least = at;
        if (at == least) best |= UINT64_C(1) << slot;
    }
    return sched_lrr.pick(s, best, age);
}

const struct sched_ops sched_owl = {.name = "owl", .pick = owl_pick, .ended = owl_ended};
