/* placed_window.h - the accesses of a window at their physical addresses, where pages are placed.
 *
 * Pages get their frames in the order of the windows' accesses, by time and then by SM, so that the
 * number of threads does not change the result. L1s see the program's addresses: their set indexes
 * reach little above a page.
 *
 * Ownership: all memory is its own; the view outlives it. */
#pragma once

#include "estimator/pass/sm_group.h"

struct placed_window {
    struct page_table table;
    struct stream_op *op;
    const struct stream_op **order;
    size_t op_cap, order_cap;
};

/* Precondition: pages are placed. Call placed_window_fini even if it fails; false: no memory. */
bool placed_window_init(struct placed_window *p, const struct page_view *v);
void placed_window_fini(struct placed_window *p);
/* Replaces the window's accesses by such with physical addresses, valid until the next call; false:
 * no memory. */
bool placed_window_translate(struct placed_window *p, struct group_window *w);
