/* page_touches.h - the pages that a program touches, in the order in which they are touched for the
 * first time, and by whom: what a page table needs to give them frames
 * (gpu/placement/page_table.h).
 *
 * Kept where the view has pages. The order is that of the pass's nominal times, which is the order
 * of the functional machine but for chance. Of a sampled profile: what is run of the launches, and
 * of that the accesses to lines that it follows; one of 16 consecutive lines is, so that pages of
 * which two neighbouring KB are touched are there.
 *
 * Units: pages by their numbers. Ownership: all memory is the list's. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/text/digest.h"

struct page_touch {
    uint64_t page;
    uint64_t sm; /* a whole word, so that there is no padding: the list is digested and stored */
};

struct page_touches {
    struct page_touch *at;
    size_t n, cap;
    uint32_t shift; /* of an address to its page */
    uint64_t last;  /* the page of the last access */
    struct hash_map known;
    struct digest digest; /* of all; page_touches_seal sets it */
};

/* page_kb 0: no touch is kept. Call page_touches_fini even if it fails; false: no memory. */
bool page_touches_init(struct page_touches *t, uint32_t page_kb);
void page_touches_fini(struct page_touches *t);
/* false: no memory. */
bool page_touches_first(struct page_touches *t, uint64_t page, uint32_t sm);
void page_touches_seal(struct page_touches *t);

static inline bool page_touches_note(struct page_touches *t, uint64_t addr, uint32_t sm)
{
    uint64_t page = addr >> t->shift;
    if (page == t->last) return true;
    t->last = page;
    return page_touches_first(t, page, sm);
}
