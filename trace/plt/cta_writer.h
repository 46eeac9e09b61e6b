/* cta_writer.h - collects the streams of one CTA and cuts them into segments.
 *
 * Warps may arrive in any interleaving; each is stored as a compact log until the CTA is complete.
 * Cuts lie at states that the CTA could really be in: all its warps have passed the same barriers.
 * With a reach of n instructions, a segment ends after the first barrier at which some warp has
 * executed n / 4; if none comes in time, each warp is cut after n or before its next barrier,
 * whichever is first. The reach is CTA_REACH_MOST if streams are small, else as many instructions
 * as fill CTA_WARP_BYTES of the log, since thousands of warps hold their unpacked segments at the
 * same time. (Barriers are counted, not matched: named barriers of parts of a CTA make a cut
 * approximate, never wrong for the streams themselves.) */
#pragma once

#include "base/error.h"
#include "trace/stream/segment.h"

enum { CTA_REACH_LEAST = 1024, CTA_REACH_MOST = 16384, CTA_WARP_BYTES = 24 * 1024 };

struct warp_log {
    struct bytes raw;
    uint64_t n, mask;
    /* Bytes that the log would have more if it told each address of a list: lengths of segments
     * follow from those (wraps around below 0). */
    uint64_t spared;
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
/* The first warp that has no instructions or does not end with an exit; n_warps: all are complete.
 */
uint32_t cta_unfinished(const struct cta *c);
/* After the last instruction: cta_rewind once, then cta_next_segment for each segment in order. */
void cta_rewind(struct cta *c);
bool cta_next_segment(struct cta *c, struct segment_encoder *enc); /* false: no further one */
void cta_fini(struct cta *c);
