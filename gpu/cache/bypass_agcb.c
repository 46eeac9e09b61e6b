/* bypass_agcb.c - adaptive GPU cache bypassing: saturating counters indexed by the low bits of the
 * PC (gpu/cache/bypass_counters.h). With lookup_first, the counters are consulted before the tags.
 * If the initial count is then above the threshold, no load ever looks up the tags, so none hits
 * and no counter can fall. Source: AGCB 4, figures 2, 9, 11. */
#include "base/memory/alloc.h"
#include "gpu/cache/bypass.h"
#include "gpu/cache/bypass_counters.h"

static bool init(struct bypass *b)
{
    b->counter = mem_new(b->p->agcb.entries, sizeof *b->counter);
    return b->counter != NULL;
}

static void clear(struct bypass *b)
{
    agcb_clear(&b->p->agcb, b->counter);
}

static bool predict(const struct bypass *b, uint16_t pc)
{
    return agcb_predicts(&b->p->agcb, b->counter, pc);
}

static bool first(const struct bypass *b, uint16_t pc)
{
    return b->p->agcb.lookup_first && predict(b, pc);
}

static void hit(struct bypass *b, uint16_t last_pc)
{
    agcb_hit(&b->p->agcb, b->counter, last_pc);
}

static void unused(struct bypass *b, uint16_t last_pc)
{
    agcb_unused(&b->p->agcb, b->counter, last_pc);
}

const struct bypass_ops bypass_agcb = {
    .init = init, .clear = clear, .first = first, .predict = predict, .hit = hit, .unused = unused};
