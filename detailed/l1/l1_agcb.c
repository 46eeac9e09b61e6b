/* l1_agcb.c - adaptive bypassing of an L1 (gpu/cache/agcb.h). A load that misses and is predicted
 * marks its request; the reply says whether the sector came back, and else is not kept. */
#include "detailed/l1/l1_side.h"
#include "gpu/cache/agcb.h"

static uint8_t *counters(const struct l1 *l)
{
    return l->memory.of[L1_OF_agcb];
}

static bool keep_notes(struct l1 *l, struct cache *tags)
{
    (void)l;
    return cache_keep_notes(tags);
}

bool l1_agcb_passes(const struct l1 *l, const struct l1_access *a)
{
    return l->p->agcb.lookup_first && agcb_predicts(&l->p->agcb, counters(l), a->pc) &&
           l1_is_here(l, a);
}

static void learn_hit(struct l1 *l, const struct l1_access *a, uint32_t line)
{
    agcb_line_hit(&l->p->agcb, counters(l), &l->c, line, a->pc);
}

static void learn_eviction(struct l1 *l, const struct access_plan *p)
{
    if (!p->present) agcb_line_leaves(&l->p->agcb, counters(l), &l->c, p->line);
}

static void predict(struct l1 *l, const struct l1_access *a, const struct access_plan *p,
                    struct req *r)
{
    (void)p;
    r->pc = a->pc;
    r->predicted = agcb_predicts(&l->p->agcb, counters(l), a->pc);
}

static void judge_reply(struct l1 *l, const struct req *r)
{
    struct mshr_entry *e = &l->c.mshr.entry[r->entry];
    if (r->predicted && !r->came_back) e->killed = true;
    l->s.mispredictions += r->predicted && r->came_back;
    if (!e->killed) agcb_fill_evicts(&l->p->agcb, counters(l), &l->c, r->addr);
}

static void note_load(struct l1 *l, const struct req *r, uint32_t line)
{
    l->c.note[line] = (uint16_t)(r->pc + 1);
}

const struct l1_side_ops l1_side_agcb = {.id = MECHANISM_l1_agcb,
                                         .attach = keep_notes,
                                         .hit = learn_hit,
                                         .misses = learn_eviction,
                                         .missed = predict,
                                         .arrives = judge_reply,
                                         .filled = note_load};
