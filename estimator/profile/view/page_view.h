/* page_view.h - what the frames of pages depend on: part of a profile's view. Where pages are
 * placed, the pass translates what leaves the SMs by a page table of the machine's, so that the
 * profile's L2s and address samples have physical addresses.
 *
 * Ownership: the page table refers to the view's maps. */
#pragma once

#include "base/text/digest.h"
#include "gpu/pages/page_table.h"

struct page_view {
    struct pages_params p; /* placement none: there are no pages, all other members are 0 */
    uint32_t sms;
    bool second; /* there is a second memory */
    struct map map[PAGE_MEMORIES];
    double gbps[PAGE_MEMORIES];
    struct digest memories; /* of what frames depend on in the memories */
};

struct page_view page_view_of(const struct pages_params *p, uint32_t sms,
                              const struct l2_params *l2, const struct dram_params *dram,
                              const struct dram_params *second);
/* All of it as numbers, to compare and to digest; all 0 where no pages are placed. */
enum { PAGE_VIEW_NUMBERS = 6 };
void page_view_numbers(const struct page_view *v, uint64_t out[PAGE_VIEW_NUMBERS]);
/* Whether they differ in no more than the memories. */
bool page_view_near(const struct page_view *a, const struct page_view *b);
/* Call page_table_fini even if it fails; false: no memory. Precondition: pages are placed. */
bool page_view_table(const struct page_view *v, struct page_table *t);
