/* page_sets.h - which CTAs of a launch touch each page of memory, and how much of it.
 *
 * A page is divided into PAGE_PARTS parts; for each CTA that touches a page it is known how many
 * parts it touches. A page's CTAs are kept as runs of consecutive CTAs that touch equally many
 * parts, so that regular kernels need few runs however many CTAs they have.
 *
 * CTAs are counted by their linear number, x fastest. Loads, stores and atomics count, those to
 * local memory included, because it lies in pages, too; constant and shared memory do not. */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/program/program.h"

#include <stddef.h>

enum {
    PAGE_PARTS = 32,
    PAGE_BYTES_LEAST = 128,
    PAGE_BYTES_MOST = 1 << 30,
    PAGE_BYTES_USUAL = 4096 /* Mao 5.2.1 */
};

/* CTAs first to last touch `parts` parts of the page each. */
struct cta_run {
    uint32_t first, last, parts;
};

/* Its runs are run[first_run] and so on, in ascending order. */
struct page_set {
    uint64_t number; /* address / page bytes */
    uint32_t first_run, n_runs;
    uint32_t ctas; /* that touch it */
};

struct page_sets {
    uint32_t ctas; /* looked at: the launch's first ones */
    uint32_t n_pages, n_runs;
    struct page_set *page; /* in the order of their first touch */
    struct cta_run *run;
};

/* The reading ends with the CTA that reaches a limit; at least one CTA is read. */
struct page_limits {
    uint64_t ctas, accesses; /* CTAs; loads, stores and atomics of warps */
    uint64_t runs;
    uint64_t work; /* runs x CTAs */
};

struct progress;
struct reader;
/* page_bytes: a power of two from PAGE_BYTES_LEAST to PAGE_BYTES_MOST. progress: NULL, or counts
 * the launch's CTAs. false: *e, and there is nothing to give back. Memory: 28 bytes per page and up
 * to 28 per run; what `limits` allows. */
bool page_sets_collect(struct page_sets *s, const struct program *p, struct reader *r,
                       uint32_t launch, uint32_t page_bytes, const struct page_limits *limits,
                       struct progress *progress, struct error *e);
void page_sets_fini(struct page_sets *s);
