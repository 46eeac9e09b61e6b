/* bypass_view.h - the parameters that decide which loads bypass the L1: part of a profile's view.
 *
 * Parameters that the policy does not use are 0, so that machines that differ only in these share a
 * profile. */
#ifndef PLUMB_ESTIMATOR_PROFILE_BYPASS_VIEW_H
#define PLUMB_ESTIMATOR_PROFILE_BYPASS_VIEW_H

#include "gpu/machine/params/l1.h"

struct bypass_view {
    bool unhinted; /* hints are ignored */
    bool predicts; /* a predictor (bypass_predictor.h) decides, too: */
    struct agcb_params agcb;
    /* the L1 that it sees; stores allocate no line (gpu/machine/check/check_l1.c) */
    uint32_t l1_lines;
};

struct bypass_view bypass_view_of(const struct l1_params *l1);
enum { BYPASS_VIEW_NUMBERS = 9 };
void bypass_view_numbers(const struct bypass_view *v, uint32_t out[BYPASS_VIEW_NUMBERS]);
bool bypass_view_equal(const struct bypass_view *a, const struct bypass_view *b);

#endif
