/* address_sample.h - takes samples of a stream of unknown length: blocks of consecutive accesses,
 * or single ones.
 *
 * The owner says when a block begins: first at the launch's beginning, which has effects that occur
 * only there, then at even steps of its progress. Runs of lines and single accesses are spread
 * evenly: when the sample is full, every second one is dropped and the distance between them
 * doubles. */
#pragma once

#include "estimator/profile/profile_data.h"

/* Takes the blocks of a stream. A block stands for the accesses from its beginning to the next
 * one's. */
struct block_sampler {
    struct block_sample *to;
    uint32_t size;               /* accesses of a block */
    double began[SAMPLE_BLOCKS]; /* accesses before each block */
};
/* size: accesses of a block, at most SAMPLE_BLOCK */
void block_sampler_start(struct block_sampler *a, struct block_sample *to, uint32_t size);
/* Begins another block; if the last one is still empty, or the last that there may be, that one
 * begins anew. seen: accesses of the stream so far. */
void block_sampler_begin(struct block_sampler *a, double seen);
/* The next access of the block; those beyond its size are not kept. */
void block_sampler_add(struct block_sampler *a, const struct sampled *access);
bool block_sampler_full(const struct block_sampler *a); /* the block that began last */
void block_sampler_finish(struct block_sampler *a, double seen);

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

/* Finds the buckets of capacities that occur in a launch's samples; the digest is the caller's. */
void sample_content_find(struct sample_content *c, const struct spread_sample *spread,
                         const struct block_sample rows[SAMPLE_STREAMS]);
