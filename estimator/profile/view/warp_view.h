/* warp_view.h - the parameters of warp policies that affect the order of accesses: part of a
 * profile's view.
 *
 * Parameters that the policy does not use are 0, so that machines that differ only in these share a
 * profile.  A limit that no SM can reach counts as none. Source: Mao 4.2; Rogers 2012;
 * docs/models/scheduling.md. */
#pragma once

#include "estimator/profile/view/view_rows.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

#define WARP_VIEW(F, P)                                \
    F(enum sched_kind, scheduler)                      \
    F(uint32_t, first_level) /* warps, per sub-core */ \
    F(uint32_t, owl_ctas)                              \
    F(uint32_t, batch_blocks)                          \
    F(uint32_t, batch_page_kb)                         \
    F(enum tbas_steps, tbas_steps)                     \
    F(enum dispatch_kind, dispatch)                    \
    F(enum throttle_kind, throttle)                    \
    F(uint32_t, active_warps)                          \
    F(enum active_kind, active_set)                    \
    P(double, iwl.alpha)                               \
    P(double, iwl.beta)                                \
    P(uint32_t, iwl.amt_entries)                       \
    P(uint32_t, iwl.counter_bits)                      \
    P(enum iwl_access, iwl.accesses)                   \
    P(uint32_t, ccws.tags)                             \
    P(uint32_t, ccws.tag_ways)                         \
    P(uint32_t, ccws.base_score)                       \
    P(double, ccws.gain)                               \
    F(uint32_t, l1_lines) /* that iwl and ccws see */
struct warp_view {
    WARP_VIEW(VIEW_MEMBER, VIEW_PASS)
    struct iwl_params iwl;
    struct ccws_params ccws;
};

struct warp_view warp_view_of(const struct sm_params *sm, const struct l1_params *l1);
/* All parameters as numbers, to compare and to digest. */
enum { WARP_VIEW_NUMBERS = WARP_VIEW(VIEW_COUNT, VIEW_COUNT) };
void warp_view_numbers(const struct warp_view *v, double out[WARP_VIEW_NUMBERS]);
/* The parameters in the form that the policies read. */
struct sm_params warp_view_params(const struct warp_view *v);
