/* warp_policy_cost.c - see warp_policy_cost.h. */
#include "gpu/energy/warp_policy_cost.h"

#include <stdio.h>

/* Bits that distinguish n values. */
static uint32_t bits_for(uint64_t n)
{
    uint32_t bits = 0;
    while (n > UINT64_C(1) << bits)
        bits++;
    return bits;
}

static uint32_t of_throttle(const struct sm_params *sm, const struct l1_params *l1,
                            struct warp_structure *out)
{
    const struct ccws_params *c = &sm->ccws;
    uint64_t warps = sm->max_warps, lines = (uint64_t)l1_most_kb(l1) * 1024 / l1->cache.line_bytes,
             tag;
    switch (sm->throttle) {
    case THROTTLE_IWL:
        out[0] = (struct warp_structure){"IWL miss table", sm->iwl.amt_entries};
        out[1] = (struct warp_structure){"IWL counters", 2 * warps * sm->iwl.counter_bits};
        return 2;
    case THROTTLE_CCWS:
        tag = WARP_ADDRESS_BITS - bits_for(l1->cache.line_bytes) - bits_for(c->tags / c->tag_ways);
        out[0] = (struct warp_structure){"CCWS victim tags", warps * c->tags * tag};
        out[1] = (struct warp_structure){"CCWS owners", lines * bits_for(warps)};
        out[2] =
            (struct warp_structure){"CCWS scores", warps * bits_for(warps * c->base_score + 1)};
        return 3;
    case THROTTLE_NONE:
    case THROTTLE_FIXED:
    case THROTTLE_N: break;
    }
    return 0;
}

static uint32_t of_scheduler(const struct sm_params *sm, struct warp_structure *out)
{
    uint64_t groups = (sm->max_ctas + sm->owl_ctas - 1) / sm->owl_ctas;
    switch (sm->scheduler) {
    case SCHED_TWO_LEVEL:
    case SCHED_INTERCL: *out = (struct warp_structure){"first levels", sm->max_warps}; return 1;
    case SCHED_TBAS: /* a warp's bit, and for each CTA the place of its batch in the order [A] */
        *out = (struct warp_structure){"TBAS sets", sm->max_warps + (uint64_t)sm->subcores *
                                                                        sm->max_ctas *
                                                                        bits_for(sm->max_ctas)};
        return 1;
    case SCHED_OWL:
        *out = (struct warp_structure){"OWL groups", (uint64_t)sm->subcores * bits_for(groups)};
        return 1;
    case SCHED_LRR:
    case SCHED_GTO:
    case SCHED_RMWS: /* its scores follow from the instruction buffers */
    case SCHED_N: break;
    }
    return 0;
}

uint32_t warp_structures(const struct sm_params *sm, const struct l1_params *l1,
                         struct warp_structure out[WARP_STRUCTURES])
{
    uint32_t n = of_throttle(sm, l1, out);
    return n + of_scheduler(sm, out + n);
}

struct sram_key warp_structure_key(const struct warp_structure *s, uint32_t tech_nm)
{
    struct sram_key k = {.tech_nm = tech_nm, .mode = SRAM_RAM, .ways = 1};
    k.bytes = UINT64_C(1) << bits_for((s->bits + 7) / 8);
    k.line_bytes = k.bytes > 2048 ? 32 : 8;
    snprintf(k.structure, sizeof k.structure, "fifo_%uB_1rw", k.line_bytes);
    return k;
}
