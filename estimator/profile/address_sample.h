/* address_sample.h - takes samples of a stream of unknown length: blocks of consecutive accesses,
 * or single ones.
 *
 * The owner says when a block begins: first at the launch's beginning, which has effects that occur
 * only there, then at even steps of its progress. Runs of lines and single accesses are spread
 * evenly: when the sample is full, every second one is dropped and the distance between them
 * doubles. */
#pragma once

#include "estimator/profile/profile_data.h"

void block_sample_start(struct block_sample *s);
/* Begins another block, unless the last one is still empty; at most SAMPLE_BLOCKS. */
void block_sample_begin(struct block_sample *s);
/* The next access of the block; those beyond its size are not kept. */
void block_sample_add(struct block_sample *s, const struct sampled *access);
bool block_sample_full(const struct block_sample *s); /* the block that began last */
/* The launch has ended; it had so many accesses of the kind. */
void block_sample_finish(struct block_sample *s, double accesses);

/* Samples runs of consecutive lines. */
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
