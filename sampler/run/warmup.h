/* warmup.h - how long an interval must run before it may be measured: tried out, not assumed.
 *
 * A few intervals are run with each of the lengths and, where the budget bears it, from their
 * launch's beginning: nothing is placed then, so that is the truth.  A longer warm-up is not always
 * nearer to it: of a launch that is one wave it drives the order of the warps on from wherever it
 * was placed.
 *
 * Taken is the shortest whose cycles agree with the reference, the truth or else the longest: the
 * mean difference, and twice its standard error, stay within a quarter of the error asked for.  If
 * none does: the nearest to the truth; without it, the longest.
 *
 * What the longest has not reached yet is about what the last step gained: the difference between
 * lengths shrinks by about half from one to the next on the slowest program measured (triad on
 * rx540: +12 % at 72, +6 % at 288). */
#ifndef PLUMB_SAMPLER_RUN_WARMUP_H
#define PLUMB_SAMPLER_RUN_WARMUP_H

#include <stdbool.h>
#include <stdint.h>

/* A program that has room for it need not try the shortest: two pilots of a long program may agree
 * by chance (pagerank-xl on hd7870: -3.4, -4.3 % after 24 and 38 instructions per warp, stated 3.4;
 * from 72 on -2.2 to -3.2, and what is stated holds). */
enum { WARMUPS = 4, WARMUP_OF_LONG = 2 };
/* Instructions per resident warp, ascending; then: to the launch's beginning. */
extern const uint32_t warmup_length[WARMUPS + 1];

struct warmup_choice {
    uint32_t index; /* of warmup_length */
    bool settled;   /* agrees with the reference; false: taken for want of agreement */
    bool to_truth;  /* the reference ran from the launch's beginning */
    /* of each length to the reference: mean relative difference and its standard error */
    double difference[WARMUPS], noise[WARMUPS];
};

/* cycles[pilot][length], from length `first` on; the last from the launch's beginning if there is a
 * truth. */
struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS + 1], uint32_t pilots,
                                   uint32_t first, bool truth, double error);
/* Relative error of cycles that a warm-up of warmup_length[index] may leave. */
double warmup_doubt(const struct warmup_choice *c, uint32_t index);

#endif
