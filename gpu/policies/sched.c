/* sched.c - the table of warp schedulers, and the state that they share: the slot that issued last,
 * the groups of CTAs of OWL, the batches of TBAS. Each policy has a file of its own (sched_NAME.c).
 * sched_serialize saves and loads all of the state, for checkpoints and for intervals that begin
 * behind a functional pass. */
#include "gpu/policies/sched.h"

#include "base/memory/serialize.h"

const struct sched_ops *const sched_table[SCHED_N] = {[SCHED_LRR] = &sched_lrr,
                                                      [SCHED_GTO] = &sched_gto,
                                                      [SCHED_TWO_LEVEL] = &sched_two_level,
                                                      [SCHED_INTERCL] = &sched_intercl,
                                                      [SCHED_OWL] = &sched_owl,
                                                      [SCHED_RMWS] = &sched_rmws,
                                                      [SCHED_TBAS] = &sched_tbas};

static void forget_batches(struct sched *s)
{
    if (s->v.batches) *s->v.batches = (struct sched_batches){.promoted = UINT64_MAX};
}

void sched_init(struct sched *s, const struct sm_params *p, const struct sched_view *v)
{
    *s = (struct sched){
        .ops = sched_table[p->scheduler], .p = p, .v = *v, .groups = 1, .batch_blocks = 1};
    forget_batches(s);
}

void sched_launch(struct sched *s, const struct sched_launch *l)
{
    uint32_t size = s->p->owl_ctas;
    s->first = 0;
    s->promoted = 0;
    s->groups = (l->ctas + size - 1) / size;
    s->leader = l->sm % s->groups;
    s->batch_blocks = l->batch_blocks;
    forget_batches(s);
}

void sched_serialize(struct sched *s, struct serializer *t)
{
    SERIALIZE_VALUE(t, s->last);
    SERIALIZE_VALUE(t, s->first);
    SERIALIZE_VALUE(t, s->promoted);
    SERIALIZE_VALUE(t, s->leader);
    SERIALIZE_VALUE(t, s->groups);
    if (!s->v.batches) return;
    SERIALIZE_VALUE(t, s->batch_blocks);
    SERIALIZE_VALUE(t, *s->v.batches);
}
