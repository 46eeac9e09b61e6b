/* warmup.h - chooses, by trial runs, how long an interval must warm up before it is measured.
 *
 * A few intervals run with each length and, if the budget allows, from their launch's beginning:
 * then nothing needs to be placed, so that the result is exact.  A longer warm-up is not always
 * nearer to it: in a launch of a single wave it carries on any error in the order of the warps.
 *
 * Chosen is the shortest length whose cycles agree with the reference, which is the exact result or
 * else the longest length: the mean difference, plus twice its standard error, is at most a quarter
 * of the requested error.  If no length agrees, it is the one nearest to the exact result; without
 * that, the longest.
 *
 * The error that the longest length still has is about the last step's change: the difference
 * between lengths shrinks by about half from one to the next on the slowest program measured (triad
 * on rx540: +12 % at 72, +6 % at 288). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A program with room for longer warm-ups does not try the shortest: two pilots of a long program
 * may agree by chance (pagerank-xl on hd7870: errors of -3.4, -4.3 % after 24 and 38 instructions
 * per warp, stated 3.4; from 72 on -2.2 to -3.2, which the stated error covers). */
enum { WARMUPS = 4, WARMUP_OF_LONG = 2 };
/* Instructions per resident warp, ascending; the last entry: from the launch's beginning. */
extern const uint32_t warmup_length[WARMUPS + 1];

struct warmup_choice {
    uint32_t index; /* index into warmup_length */
    bool settled;   /* agrees with the reference; false: no length does */
    bool to_truth;  /* the reference ran from the launch's beginning */
    /* of each length from the reference: the mean relative difference and its standard error */
    double difference[WARMUPS], noise[WARMUPS];
};

/* cycles[pilot][length], from length `first` on; the last is the run from the launch's beginning,
 * if `truth` says that there is one. */
struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS + 1], uint32_t pilots,
                                   uint32_t first, bool truth, double error);
/* The relative error of cycles that a warm-up of warmup_length[index] may leave. */
double warmup_doubt(const struct warmup_choice *c, uint32_t index);
