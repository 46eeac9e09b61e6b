/* functional_cta.c - which CTA an SM gets, and where its warps go; see functional.h. */
#include "gpu/functional/execution/functional.h"
#include "gpu/policies/subcore_placement.h"

#include <assert.h>

uint64_t functional_take_cta(struct functional *w, uint32_t sm)
{
    struct cta_share *share = &w->share;
    if (w->sms < w->params->count) {
        uint64_t own = cta_share_at(share, 0);
        share->next += share->step;
        w->dispatch.dispatched += own != CTA_SHARE_OVER;
        return own;
    }
    if (!cta_dispatch_any(&w->dispatch, sm)) return CTA_SHARE_OVER;
    uint64_t cta = cta_dispatch_peek(&w->dispatch, sm);
    cta_dispatch_take(&w->dispatch, sm);
    return cta;
}

void functional_place_warps(struct functional *w, uint32_t sm, uint32_t slot)
{
    struct functional_sm *s = &w->sm[sm];
    uint32_t warps = w->launch->warps_per_cta;
    uint8_t subcore[CTA_MAX_WARPS] = {0};
    bool fits = subcore_placement_choose(w->params, s->resident, s->next_subcore, warps, subcore);
    assert(fits), (void)fits;
    s->next_subcore = subcore_placement_next(w->params, s->next_subcore, warps);
    for (uint32_t i = 0; i < warps; i++) {
        uint64_t *resident = &s->resident[subcore[i]];
        uint32_t name = subcore_placement_warp(subcore[i], *resident);
        *resident |= UINT64_C(1) << name % SM_SUBCORE_SLOTS;
        w->name[slot * warps + i] = (uint16_t)name;
    }
}
