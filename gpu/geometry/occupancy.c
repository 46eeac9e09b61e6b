/* occupancy.c - the smallest of what warps, CTA slots, registers, shared memory and the launch
 * itself allow. */
#include "gpu/geometry/occupancy.h"

#include <assert.h>
#include <inttypes.h>

static void bound_by(struct occupancy *o, uint64_t ctas, enum occupancy_limit limit)
{
    if (ctas >= o->ctas) return;
    o->ctas = (uint32_t)ctas;
    o->limit = limit;
}

static uint64_t registers_per_cta(const struct sm_params *sm, const struct launch *l)
{
    uint64_t units = (l->registers_per_lane + sm->register_unit - 1) / sm->register_unit;
    uint64_t per_lane = units * sm->register_unit;
    return per_lane * sm->warp_width * l->warps_per_cta;
}

/* The smallest option that holds `need` bytes, else the largest. */
static uint32_t pick_shared_kb(const struct param_list *options, uint64_t need)
{
    uint32_t best = 0, largest = 0;
    bool found = false;
    for (uint32_t i = 0; i < options->n; i++) {
        uint32_t kb = options->v[i];
        if (kb > largest) largest = kb;
        if ((uint64_t)kb * 1024 < need || (found && kb >= best)) continue;
        best = kb;
        found = true;
    }
    return found ? best : largest;
}

/* A CTA that must stay on one sub-core cannot use warp slots left over on several (Candel 1.2.2).
 */
static uint32_t ctas_by_warps(const struct sm_params *sm, uint32_t warps)
{
    if (sm->cta_binding != CTA_ONE_SUBCORE || !sm->subcores) return sm->max_warps / warps;
    return sm->subcores * (sm->max_warps / sm->subcores / warps);
}

/* The launch's limit counts warps of LAUNCH_LIMIT_WIDTH lanes. */
static void bound_by_launch(struct occupancy *o, const struct sm_params *sm, const struct launch *l)
{
    if (!l->resident_warps) return;
    uint64_t lanes = (uint64_t)l->resident_warps * LAUNCH_LIMIT_WIDTH;
    uint64_t ctas = lanes / ((uint64_t)l->warps_per_cta * sm->warp_width);
    bound_by(o, ctas ? ctas : 1, LIMIT_RESIDENT);
}

struct occupancy occupancy(const struct sm_params *sm, const struct l1_params *l1,
                           const struct launch *l)
{
    assert(l->warps_per_cta > 0);
    struct occupancy o = {.ctas = ctas_by_warps(sm, l->warps_per_cta), .limit = LIMIT_WARPS};
    bound_by(&o, sm->max_ctas, LIMIT_CTAS);
    uint64_t registers = registers_per_cta(sm, l);
    if (sm->registers && registers) bound_by(&o, sm->registers / registers, LIMIT_REGISTERS);
    bound_by_launch(&o, sm, l);

    o.shared_kb = sm->shared_kb;
    o.l1_kb = l1->kb;
    if (l1->adaptive) {
        o.shared_kb = pick_shared_kb(&l1->shared_options_kb, (uint64_t)o.ctas * l->shared_bytes);
        o.l1_kb = l1_kb_beside(l1, o.shared_kb);
    }
    bool limited = l1->adaptive || sm->shared_kb;
    if (limited && l->shared_bytes)
        bound_by(&o, (uint64_t)o.shared_kb * 1024 / l->shared_bytes, LIMIT_SHARED);
    return o;
}

static void refuse_warps(const struct sm_params *sm, uint32_t warps, struct text *out)
{
    bool bound = sm->cta_binding == CTA_ONE_SUBCORE && sm->subcores;
    text_add(out, "its %" PRIu32 " warps exceed ", warps);
    if (!bound) {
        text_add(out, "sm.max_warps = %" PRIu32, sm->max_warps);
        return;
    }
    text_add(out,
             "the %" PRIu32 " of a sub-core (sm.max_warps = %" PRIu32 " / sm.subcores = %" PRIu32
             "), on which sm.cta_binding = one_subcore keeps them",
             sm->max_warps / sm->subcores, sm->max_warps, sm->subcores);
    if (warps <= sm->max_warps) text_add(out, "; warps_round_robin spreads them");
}

void occupancy_refusal(const struct sm_params *sm, const struct l1_params *l1,
                       const struct launch *l, struct text *out)
{
    struct occupancy o = occupancy(sm, l1, l);
    switch (o.limit) {
    case LIMIT_WARPS: refuse_warps(sm, l->warps_per_cta, out); break;
    case LIMIT_CTAS: text_add(out, "sm.max_ctas = %" PRIu32, sm->max_ctas); break;
    case LIMIT_REGISTERS:
        text_add(out,
                 "its %" PRIu64 " registers (%" PRIu32 " a lane) exceed sm.registers = %" PRIu32,
                 registers_per_cta(sm, l), l->registers_per_lane, sm->registers);
        break;
    case LIMIT_SHARED:
        text_add(out, "its %" PRIu32 " bytes of shared memory exceed %s of %" PRIu32 " KB",
                 l->shared_bytes,
                 l1->adaptive ? "the largest of l1.shared_options_kb," : "sm.shared_kb",
                 o.shared_kb);
        break;
    case LIMIT_RESIDENT: /* leaves room for a CTA, so that it refuses none */
        text_add(out, "its limit of %" PRIu32 " resident warps", l->resident_warps);
        break;
    }
}
