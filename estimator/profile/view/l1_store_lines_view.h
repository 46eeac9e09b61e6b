/* l1_store_lines_view.h - the parameters that decide what of an SM's stores its L1 keeps: part of a
 * profile's view. */
#pragma once

#include "estimator/profile/view/view_rows.h"
#include "gpu/machine/params/l1.h"

enum { L1_STORE_LINES_GATHERS = 256 }; /* the most combine_lines */

/* All 0: every store goes down at once. */
#define L1_STORE_LINES_VIEW(F)                                         \
    F(enum write_kind, write)                                          \
    F(bool, local_back)                                                \
    F(bool, takes)       /* stores that miss take a line */            \
    F(bool, loads_round) /* all go round the L1 (l1.bypass = "all") */ \
    F(uint32_t, combine_lines)                                         \
    F(uint32_t, l1_lines)
struct l1_store_lines_view {
    L1_STORE_LINES_VIEW(VIEW_MEMBER)
};
struct l1_store_lines_view l1_store_lines_view_of(const struct l1_params *l1);
static inline bool l1_store_lines_keeps(const struct l1_store_lines_view *v)
{
    return v->write != WRITE_THROUGH || v->local_back;
}
