/* stream_samples.h - what a profile keeps of the single accesses of a launch, from the stream that
 * leaves the SMs (sm_group.h): blocks of consecutive accesses, runs of lines of one SM and single
 * accesses, each with its reuse distances (address_sample.h); the reuse of pages; and how the
 * launch's accesses spread over its parts (phase.h).
 *
 * Blocks begin with the launch and at even steps of its progress, as soon as every SM's accesses
 * are there. While one is taken, the owner must merge all accesses of a window, then those that may
 * reach memory (stream_samples_view).
 *
 * Ownership: `to` holds the samples of the launch until the next begins. Memory:
 * stream_samples_init and the pages that are touched. */
#pragma once

#include "estimator/pass/sm_group.h"
#include "estimator/profile/address_sample.h"

enum { STREAM_CODES = 256 }; /* static instructions, by their numbers modulo this */

/* The last line that is followed of those that an instruction accesses: its distance, and accesses
 * to others since. */
struct last_far {
    uint32_t distance, since;
};

struct stream_samples {
    const struct profile_view *v;
    uint32_t one_in; /* lines of the L2 that are followed (followed_lines.h) */
    struct address_samples *to;
    const uint16_t *sm; /* of each access of the window */
    struct spread_sampler spread;
    struct block_sampler rows[SAMPLE_STREAMS];
    struct line_sampler lines;
    struct phase_tally phase;
    struct reuse pages; /* of all SMs, where TLBs translate */
    struct hit_tally page_shared;
    double new_pages, pages_before; /* of the launch; the launches before it */
    bool no_memory;
    /* samples of blocks: whether one is being taken, or all accesses have been asked for so that
     * one can be; how many have been asked for; since when; accesses since then, of all SMs */
    bool in_block, wants_block;
    uint32_t blocks;
    uint64_t since, accesses;
    double seen[SAMPLE_STREAMS];       /* followed accesses of each kind of block */
    struct last_far far[STREAM_CODES]; /* by instruction */
    double lines_reached; /* lines of the L2 the launch has touched, of those that are followed */
};

/* Call stream_samples_fini even if it fails. false: no memory. */
bool stream_samples_init(struct stream_samples *s, const struct profile_view *v, uint32_t one_in);
void stream_samples_fini(struct stream_samples *s);
/* A launch begins. */
void stream_samples_start(struct stream_samples *s);
/* Which accesses the next window must hold, and whether it holds many, so that it should be short.
 */
enum stream_view stream_samples_view(const struct stream_samples *s);
bool stream_samples_wants_all(const struct stream_samples *s);
/* A window has been run: samples the lines of its first SM. pages: where its pages have frames;
 * NULL: addresses are physical. */
void stream_samples_window(struct stream_samples *s, const struct group_window *w,
                           const struct page_table *pages);
/* Samples an access of the window that would reach an L2 without an L1 (l2_seen_fn). ctx: a struct
 * stream_samples. */
void stream_samples_see(void *ctx, const struct stream_op *op, size_t at, uint64_t line,
                        uint32_t mask, const uint32_t *value);
/* The window has ended at `now`; progress: the launch's, 0 to 1. */
void stream_samples_end_window(struct stream_samples *s, uint64_t now, double progress);
/* The launch has ended: completes its samples, and the profile's pages and phases. */
void stream_samples_finish(struct stream_samples *s, struct launch_profile *p);
