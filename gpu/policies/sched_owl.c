/* sched_owl.c - CTA-aware scheduling of OWL: groups of CTAs have a fixed priority, so that a group
 * whose data return continues before other groups displace its lines in the L1; consecutive SMs
 * begin with different groups, so that they do not access the same DRAM banks (Jog 2013; Mao
 * 5.5.1.1, 6.5).
 *
 * The first group keeps its priority until it has no warp left; then the next one in the order of
 * CTA slots leads, so that no group starves. Inside a group, warps issue loose round robin. OWL's
 * prefetcher is not modelled. */
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

/* Groups between the leader and the first group that has a warp; the number of groups: none has. */
static uint32_t first_there(const struct sched *s)
{
    uint32_t next = s->groups;
    for (uint64_t rest = *s->v.resident; rest && next; rest &= rest - 1) {
        uint32_t at = groups_behind(s, (uint32_t)__builtin_ctzll(rest));
        if (at < next) next = at;
    }
    return next;
}

/* Passes the lead on when the leading group has ended, but not before it has arrived: CTAs arrive
 * one by one. */
static void owl_ended(struct sched *s, uint32_t slot)
{
    uint32_t own = groups_behind(s, slot), next = first_there(s);
    if (next <= own) return; /* another group leads, or the leading group still has warps */
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
