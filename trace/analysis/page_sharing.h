/* page_sharing.h - thread batches of a program's launches and the pages that they share, from its
 * trace alone (Mao 5.2.1 and 5.2.2). The thesis profiles a kernel when it is compiled, with arrays
 * that begin with a page; here the addresses are those of the trace. */
#pragma once

#include "trace/analysis/batch_formation.h"

/* The formation of one launch, for engines, at bounded cost: it reads the launch's first CTAs, up
 * to 4,096 of them, until they have made 2^21 warp accesses or their sets would take more than 2^25
 * steps to evaluate; a fraction of a second at worst. The same launch always has the same
 * formation. page_bytes: see page_sets_collect. */
bool page_sharing_stride(const struct program *p, uint32_t launch, uint32_t page_bytes,
                         struct batch_formation *out, struct error *e);

/* The formation of every launch, out[program_launches]. Launches of the same kernel, grid and block
 * have that of the first one. */
bool page_sharing_strides(const struct program *p, uint32_t page_bytes, struct batch_formation *out,
                          struct error *e);

/* One kernel: launches of that name. Pages are those of its launches, added, in batches of each
 * launch's stride (one CTA where it has none). */
struct kernel_pages {
    /* What most of its launches have; of several, the earliest one's. */
    struct batch_formation formation;
    uint64_t launches;            /* with that formation */
    struct batch_sharing all;     /* of all launches */
    struct batch_sharing strided; /* of launches that a stride fits */
    uint64_t ctas;                /* looked at; fewer than there are if sets did not fit */
};

struct page_sharing {
    uint32_t page_bytes;
    struct kernel_pages *kernel; /* as those of a program_summary */
    struct kernel_pages all;     /* formation and launches have no meaning */
};

struct program_summary;
/* Reads the whole program; a launch to the end of the CTA with which its sets have 2^22 runs (64 to
 * 180 MB). progress: NULL, or counts CTAs. false: *e, and there is nothing to give back. */
bool page_sharing_collect(struct page_sharing *s, const struct program *p,
                          const struct program_summary *kernels, uint32_t page_bytes,
                          struct progress *progress, struct error *e);
void page_sharing_fini(struct page_sharing *s);
