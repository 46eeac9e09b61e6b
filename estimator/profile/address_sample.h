/* address_sample.h - keeps an even sample of a stream of unknown length: blocks of consecutive
 * accesses, or single ones.  When it is full, every second one goes and the distance between them
 * doubles. Of blocks the even and the odd ones stay in turn, so that none is bound to a place; the
 * stream's first block stays besides, for what happens there only. */
#ifndef PLUMB_ESTIMATOR_PROFILE_ADDRESS_SAMPLE_H
#define PLUMB_ESTIMATOR_PROFILE_ADDRESS_SAMPLE_H

#include "estimator/profile/profile_data.h"

struct block_sampler {
    struct block_sample *to;
    uint64_t stride, offset, seen; /* accesses from block to block, before the first; offered */
    bool keep_odd;                 /* when next it is full */
};
void block_sampler_start(struct block_sampler *a, struct block_sample *to);
void block_sampler_offer(struct block_sampler *a, const struct sampled *s);

/* Runs of lines: as blocks, but none besides the even ones. */
struct line_sampler {
    struct line_sample *to;
    uint64_t stride, seen; /* accesses from run to run; offered */
};
void line_sampler_start(struct line_sampler *a, struct line_sample *to);
void line_sampler_offer(struct line_sampler *a, const struct sampled_line *s);

/* One access at a scattered place of every stretch of `stride`, so that no period is met in step.
 */
struct spread_sampler {
    struct spread_sample *to;
    uint64_t stride, seen, pick; /* pick: the next access to keep */
};
void spread_sampler_start(struct spread_sampler *a, struct spread_sample *to);
void spread_sampler_offer(struct spread_sampler *a, const struct sampled *s);

#endif
