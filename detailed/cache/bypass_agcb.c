/* bypass_agcb.c - adaptive GPU cache bypassing: saturating counters by the low bits of the PC.  A
 * hit counts down for the load that used the line before it, an eviction counts up for the line's
 * last one; from the threshold on a load's block is predicted to go unused.
 *
 * With lookup_first the table is asked before the tags: from an initial count above the threshold
 * no load ever looks, so none hits, and no counter can fall.  Source: AGCB 4, figures 2, 9, 11. */
#include "base/mem.h"
#include "detailed/cache/bypass.h"

#include <string.h>

static uint8_t *counter(const struct bypass *b, uint16_t pc)
{
    return &b->counter[pc & (b->p->agcb.entries - 1)];
}

static bool agcb_init(struct bypass *b)
{
    b->counter = mem_new(b->p->agcb.entries, sizeof *b->counter);
    return b->counter != NULL;
}

static void agcb_clear(struct bypass *b)
{
    memset(b->counter, (int)b->p->agcb.initial, b->p->agcb.entries);
}

static bool agcb_predict(const struct bypass *b, uint16_t pc)
{
    return *counter(b, pc) >= b->p->agcb.threshold;
}

static bool agcb_first(const struct bypass *b, uint16_t pc)
{
    return b->p->agcb.lookup_first && agcb_predict(b, pc);
}

static void agcb_hit(struct bypass *b, uint16_t last_pc)
{
    uint8_t *at = counter(b, last_pc);
    if (*at > 0) --*at;
}

static void agcb_unused(struct bypass *b, uint16_t last_pc)
{
    uint8_t *at = counter(b, last_pc);
    if (*at < (1u << b->p->agcb.counter_bits) - 1) ++*at;
}

const struct bypass_ops bypass_agcb = {.hints = true,
                                       .init = agcb_init,
                                       .clear = agcb_clear,
                                       .first = agcb_first,
                                       .predict = agcb_predict,
                                       .hit = agcb_hit,
                                       .unused = agcb_unused};
