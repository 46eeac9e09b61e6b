/* page_reuse.h - how far apart an SM's accesses to a page are, in pages: what a TLB of every
 * capacity would hold. Kept where the machine translates addresses.
 *
 * Distances count other pages since the last access to a page (stack_distance.h), over launches.
 *
 * Memory: grows with the pages, up to PAGE_REUSE_BOUND. */
#pragma once

#include "estimator/profile/hit_curve.h"

/* Pages; reuse at larger distances counts as a first access. */
enum { PAGE_REUSE_BOUND = 1 << 17 };
/* Pages; the TLB of an SM lacks pages that are so far, or most of those that it lacks are. */
enum { PAGE_REUSE_FAR = 16 };

struct page_reuse {
    bool on, failed;
    uint32_t line_shift; /* log2 of the L1's lines in a page */
    struct reuse reuse;
    uint32_t page;             /* that was accessed last: its id */
    uint8_t *far;              /* [id] an access to it was far, and none since has told so */
    struct hit_tally accesses; /* of a launch: to lines */
    struct hit_tally waits;    /* the farthest access of each wait */
};

/* pages of 2^page_shift bytes, at least a line; 0: nothing is kept. false: no memory. */
bool page_reuse_init(struct page_reuse *p, uint32_t page_shift, uint32_t line_bytes);
void page_reuse_fini(struct page_reuse *p);
void page_reuse_launch(struct page_reuse *p); /* counts begin anew */
/* An access to a line of the L1; returns its distance, 0 if nothing is kept. */
uint32_t page_reuse_touch(struct page_reuse *p, uint64_t line);
/* Whether an access to the same page was far, the last one or one before; if `told`, that is said
 * once: where some lines alone are followed, one of them stands for all of a page. */
bool page_reuse_is_far(struct page_reuse *p, bool told);
void page_reuse_wait(struct page_reuse *p, uint32_t farthest);
