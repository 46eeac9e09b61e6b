/* gen_kernel.h - the streams of one generated kernel: how its CTAs are cut into segments, how many
 * instructions stand before each, and the segments themselves. A segment holds as many whole steps
 * of the loop as fit into SEGMENT_INSTRUCTIONS of its CTA. Immutable once built. */
#pragma once

#include "trace/generators/nest.h"

struct gen_kernel {
    struct generator g;
    struct nest *nest; /* NULL: the generator makes its steps itself */
    uint64_t steps_per_segment;
    uint32_t segments;       /* of the longest CTA */
    uint64_t prologue, ends; /* instructions of a CTA before and behind the loop */
    uint64_t loop;           /* in the loop of every CTA, where they do not differ */
    uint64_t *loops_before;  /* all CTAs' before every GEN_KERNEL_PIECE-th one, where they differ */
    uint64_t instructions;   /* of a launch */
};
/* A table of all CTAs would be as large as the launch; and CTAs that differ are counted one by one
 * when a program opens, so a launch has at most GEN_KERNEL_UNEVEN of them. */
enum { GEN_KERNEL_PIECE = 64, GEN_KERNEL_UNEVEN = 1 << 24 };

/* Builds k->g, whose ops, c and width are set: shape, warps, code, counts. path is for messages.
 * false: *e; gen_kernel_fini either way. */
bool gen_kernel_build(struct gen_kernel *k, const char *path, struct error *e);
void gen_kernel_fini(struct gen_kernel *k);

/* As program.h and source.h define them. */
uint32_t gen_kernel_segments(const struct gen_kernel *k, uint64_t cta);
uint64_t gen_kernel_cta_start(const struct gen_kernel *k, uint64_t cta);
uint64_t gen_kernel_segment_start(const struct gen_kernel *k, uint64_t cta, uint32_t segment);
/* Encodes a segment; segment_finish follows. */
void gen_kernel_make_segment(const struct gen_kernel *k, uint64_t cta, uint32_t segment,
                             struct segment_encoder *out);
