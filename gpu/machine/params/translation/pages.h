/* pages.h - parameters of virtual memory: the page size, and where a page that is touched for the
 * first time is placed. */
#pragma once

#include "gpu/machine/rows/param.h"

#include <stdbool.h>
#include <stdint.h>

/* The memory in which a new page is placed (machines with a second memory, dram[1]). */
enum page_placement {
    PLACE_NONE,            /* there are no pages: programs' addresses are physical */
    PLACE_LOCAL,           /* in the first memory while it has room (Linux's default) */
    PLACE_INTERLEAVED,     /* in all memories in turn */
    PLACE_BANDWIDTH_AWARE, /* in all memories in proportion to their bandwidths (Mao 5.5.1.1) */
    PLACE_N
};

/* The frame that it gets there. */
enum page_frames {
    FRAMES_IN_ORDER, /* the next one of the memory */
    FRAMES_SM_BANKS, /* the next one of the banks bound to the SM that touched it (Mao 5.2) */
    FRAMES_N
};

struct pages_params {
    enum page_placement placement;
    enum page_frames frames;
    uint32_t kb;     /* of a page */
    bool rows_apart; /* pages of others than SMs lie in the rows of a bank with the highest
                        addresses */
};

static inline bool pages_are_placed(const struct pages_params *p)
{
    return p->placement != PLACE_NONE;
}
