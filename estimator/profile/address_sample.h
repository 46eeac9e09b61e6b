/* address_sample.h - takes an even sample of a stream of unknown length: blocks of consecutive
 * accesses, or single ones.  When it is full, every second one is dropped and the distance between
 * them doubles. For blocks, the even and the odd ones are dropped alternately, so that the sample
 * stays centred; the stream's first block is always kept, for effects that occur only there. */
#pragma once

#include "estimator/profile/profile_data.h"

struct block_sampler {
    struct block_sample *to;
    /* accesses from block to block; before the first block; offered so far */
    uint64_t stride, offset, seen;
    bool keep_odd; /* which half to keep when it is next full */
};
void block_sampler_start(struct block_sampler *a, struct block_sample *to);
void block_sampler_offer(struct block_sampler *a, const struct sampled *s);

/* Samples runs of lines as block_sampler does blocks, but always keeps the even ones. */
struct line_sampler {
    struct line_sample *to;
    uint64_t stride, seen; /* accesses from run to run; offered so far */
};
void line_sampler_start(struct line_sampler *a, struct line_sample *to);
void line_sampler_offer(struct line_sampler *a, const struct sampled_line *s);

/* Samples one access at a random place in every `stride` accesses, so that it does not resonate
 * with a period of the stream. */
struct spread_sampler {
    struct spread_sample *to;
    uint64_t stride, seen, pick; /* pick: index of the next access to keep */
};
void spread_sampler_start(struct spread_sampler *a, struct spread_sample *to);
void spread_sampler_offer(struct spread_sampler *a, const struct sampled *s);
