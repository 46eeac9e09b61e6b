/* bypass_view.h - the parameters that decide which loads bypass the L1: part of a profile's view.
 *
 * Parameters that the policy does not use are 0, so that machines that differ only in these share a
 * profile. */
#pragma once

#include "estimator/profile/view/view_rows.h"
#include "gpu/machine/params/l1.h"

#define BYPASS_VIEW(F, P)                                               \
    F(bool, unhinted) /* hints are passed over */                       \
    F(bool, predicts) /* a predictor (bypass_predictor.h) says, too: */ \
    P(uint32_t, agcb.entries)                                           \
    P(uint32_t, agcb.counter_bits)                                      \
    P(uint32_t, agcb.threshold)                                         \
    P(uint32_t, agcb.initial)                                           \
    P(uint32_t, agcb.pc_shift)                                          \
    P(bool, agcb.lookup_first)                                          \
    F(uint32_t, l1_lines) /* that it sees; stores take none (gpu/machine/check/check_l1.c) */
struct bypass_view {
    BYPASS_VIEW(VIEW_MEMBER, VIEW_PASS)
    struct agcb_params agcb;
};

struct bypass_view bypass_view_of(const struct l1_params *l1);
enum { BYPASS_VIEW_NUMBERS = BYPASS_VIEW(VIEW_COUNT, VIEW_COUNT) };
void bypass_view_numbers(const struct bypass_view *v, uint32_t out[BYPASS_VIEW_NUMBERS]);
