/* warp_view.h - the parameters of warp policies that affect the order of accesses: part of a
 * profile's view.
 *
 * Parameters that the policy does not use are 0, so that machines that differ only in these share a
 * profile.  A limit that no SM can reach counts as none. Source: Mao 4.2; Rogers 2012;
 * docs/models/scheduling.md. */
#ifndef PLUMB_ESTIMATOR_PROFILE_WARP_VIEW_H
#define PLUMB_ESTIMATOR_PROFILE_WARP_VIEW_H

#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

struct warp_view {
    enum sched_kind scheduler;
    uint32_t first_level; /* warps, per sub-core */
    uint32_t owl_ctas;
    enum dispatch_kind dispatch;
    enum throttle_kind throttle;
    uint32_t active_warps;
    enum active_kind active_set;
    struct iwl_params iwl;
    struct ccws_params ccws;
    uint32_t l1_lines; /* the L1's size as iwl and ccws see it */
};

struct warp_view warp_view_of(const struct sm_params *sm, const struct l1_params *l1);
/* All parameters as numbers, to compare and to digest. */
enum { WARP_VIEW_NUMBERS = 17 };
void warp_view_numbers(const struct warp_view *v, double out[WARP_VIEW_NUMBERS]);
bool warp_view_equal(const struct warp_view *a, const struct warp_view *b);
/* Whether the pass must ask which warps may go on (warp_admission.h); otherwise its queue
 * decides. */
bool warp_view_governed(const struct warp_view *v);
/* The parameters in the form that the policies read. */
struct sm_params warp_view_params(const struct warp_view *v);

#endif
