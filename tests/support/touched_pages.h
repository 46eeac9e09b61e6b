/* touched_pages.h - who touches which part of which page, as a plain table, for tests of thread
 * batches: filled byte range by byte range, turned into the sets that plumb works with. */
#pragma once

#include "base/memory/alloc.h"
#include "tests/support/check.h"
#include "trace/analysis/page_sets.h"

enum { TABLE_PAGES = 512, TABLE_CTAS = 512 };

/* For each page and CTA the parts of the page that the CTA touches. */
struct touched_pages {
    uint32_t page_bytes, ctas;
    uint32_t parts[TABLE_PAGES][TABLE_CTAS]; /* a bit for each part */
};

/* An empty table of so many CTAs; mem_free gives it back. */
struct touched_pages *touched_pages_new(uint32_t page_bytes, uint32_t ctas);

/* The CTA touches those bytes. */
void touched_pages_add(struct touched_pages *t, uint32_t cta, uint64_t addr, uint64_t bytes);

/* How many parts of the page the CTA touches. */
uint32_t touched_parts(const struct touched_pages *t, uint32_t page, uint32_t cta);

/* The table as plumb works with it: a run for every CTA, since runs need not be as long as they
 * could be.  page_sets_fini gives it back. */
struct page_sets touched_pages_sets(const struct touched_pages *t);
