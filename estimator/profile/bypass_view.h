/* bypass_view.h - what decides which loads go round the L1: part of a profile's view.
 *
 * What a policy does not look at is 0, so that machines that differ in it share a profile. */
#ifndef PLUMB_ESTIMATOR_PROFILE_BYPASS_VIEW_H
#define PLUMB_ESTIMATOR_PROFILE_BYPASS_VIEW_H

#include "gpu/machine/params/l1.h"

struct bypass_view {
    bool unhinted; /* hints are passed over */
    bool predicts; /* a predictor (bypass_predictor.h) says, too: */
    struct agcb_params agcb;
    uint32_t l1_lines; /* that it sees; stores take none (gpu/machine/check/check_l1.c) */
};

struct bypass_view bypass_view_of(const struct l1_params *l1);
enum { BYPASS_VIEW_NUMBERS = 9 };
void bypass_view_numbers(const struct bypass_view *v, uint32_t out[BYPASS_VIEW_NUMBERS]);
bool bypass_view_equal(const struct bypass_view *a, const struct bypass_view *b);

#endif
