/* cta_writer.h - the streams of one CTA as they come in, and where they are cut into segments.
 *
 * Warps may arrive in any interleaving; each is kept as a compact log until the CTA is whole.  Cuts
 * lie where the CTA could really stand: all its warps have passed the same barriers.  With a reach
 * of n instructions, a segment ends behind the first barrier at which some warp has gone n / 4, and
 * where none comes in time, each warp is cut after n or before its next barrier, whichever is
 * first.  The reach is CTA_REACH_MOST where streams are small, else as many instructions as fill
 * CTA_WARP_BYTES of the log: thousands of warps stand in their segments at once, each held
 * unpacked. (Barriers are counted, not matched: named barriers of parts of a CTA make a cut
 * approximate, never wrong for the streams themselves.) */
#ifndef PLUMB_TRACE_PLT_CTA_WRITER_H
#define PLUMB_TRACE_PLT_CTA_WRITER_H

#include "base/error.h"
#include "trace/plt/segment.h"

enum { CTA_REACH_LEAST = 1024, CTA_REACH_MOST = 16384, CTA_WARP_BYTES = 24 * 1024 };

struct warp_log {
    struct bytes raw;
    uint64_t n, mask;
    uint64_t *barrier; /* positions of barrier instructions */
    size_t n_barriers, barriers_cap;
    uint8_t last_cls;
    /* while cutting */
    uint64_t at, cut;
    size_t passed; /* barriers before `at` */
    struct span rest;
    uint64_t rest_mask;
    struct warp_progress progress;
};

struct cta {
    const struct code_table *code;
    uint32_t width, n_warps;
    uint64_t reach; /* while cutting */
    struct warp_log *warp;
    size_t warps_cap;
};

bool cta_begin(struct cta *c, const struct code_table *code, uint32_t width, uint32_t n_warps);
bool cta_inst(struct cta *c, uint32_t warp, uint32_t code, uint64_t mask, const uint64_t *addrs);
/* The first warp that has no instructions or does not end with an exit; n_warps: none. */
uint32_t cta_unfinished(const struct cta *c);
/* After the last instruction: calls for each segment in order.  cta_rewind first. */
void cta_rewind(struct cta *c);
bool cta_next_segment(struct cta *c, struct segment_encoder *enc); /* false: no further one */
void cta_fini(struct cta *c);

#endif
