/* warp_view.c - see warp_view.h. */
#include "estimator/profile/view/warp_view.h"

#include <string.h>

static uint32_t first_level(const struct sm_params *sm)
{
    if (sm->scheduler == SCHED_TWO_LEVEL) return sm->two_level_warps;
    if (sm->scheduler == SCHED_TBAS) return sm->tbas_warps;
    return sm->scheduler == SCHED_INTERCL ? sm->intercl_warps : 0;
}

struct warp_view warp_view_of(const struct sm_params *sm, const struct l1_params *l1)
{
    struct warp_view v = {.scheduler = sm->scheduler,
                          .first_level = first_level(sm),
                          .owl_ctas = sm->scheduler == SCHED_OWL ? sm->owl_ctas : 0,
                          .dispatch = sm->dispatch,
                          .throttle = sm->throttle};
    if (sm->scheduler == SCHED_TBAS) {
        v.batch_blocks = sm->batch_blocks;
        v.batch_page_kb = sm->batch_blocks ? 0 : sm->batch_page_kb;
        v.tbas_steps = sm->tbas_steps;
    }
    switch (sm->throttle) {
    case THROTTLE_FIXED: v.active_warps = sm->active_warps; break;
    case THROTTLE_IWL: v.iwl = sm->iwl; break;
    case THROTTLE_CCWS: v.ccws = sm->ccws; break;
    case THROTTLE_NONE:
    case THROTTLE_N: break;
    }
    if (v.throttle == THROTTLE_IWL || v.throttle == THROTTLE_CCWS)
        v.l1_lines = l1->kb * 1024 / l1->cache.line_bytes;
    if (v.throttle == THROTTLE_FIXED && v.active_warps >= sm->max_warps) {
        v.throttle = THROTTLE_NONE;
        v.active_warps = 0;
    }
    if (v.throttle == THROTTLE_FIXED || v.throttle == THROTTLE_IWL) v.active_set = sm->active_set;
    return v;
}

void warp_view_numbers(const struct warp_view *v, double out[WARP_VIEW_NUMBERS])
{
    const double n[WARP_VIEW_NUMBERS] = {WARP_VIEW(VIEW_REAL, VIEW_REAL)};
    memcpy(out, n, sizeof n);
}

struct sm_params warp_view_params(const struct warp_view *v)
{
    return (struct sm_params){.scheduler = v->scheduler,
                              .two_level_warps = v->first_level,
                              .intercl_warps = v->first_level,
                              .owl_ctas = v->owl_ctas ? v->owl_ctas : 1,
                              .batch_blocks = v->batch_blocks,
                              .batch_page_kb = v->batch_page_kb,
                              .tbas_warps = v->first_level,
                              .tbas_steps = v->tbas_steps,
                              .throttle = v->throttle,
                              .active_warps = v->active_warps,
                              .active_set = v->active_set,
                              .iwl = v->iwl,
                              .ccws = v->ccws};
}
