/* warmup.h - how long an interval must run before it may be measured: tried out, not assumed.
 *
 * A few intervals are run with each of WARMUPS lengths.  Taken is the shortest whose cycles agree
 * with those of the longest: the mean difference, and twice its standard error, stay within a
 * quarter of the error asked for. Else the longest is taken.
 *
 * What the longest has not reached yet is about what the last step gained: the difference between
 * lengths shrinks by about half from one to the next on the slowest program measured (triad on
 * rx540: +12 % at 72, +6 % at 288). */
#ifndef PLUMB_SAMPLER_WARMUP_H
#define PLUMB_SAMPLER_WARMUP_H

#include <stdbool.h>
#include <stdint.h>

enum { WARMUPS = 4 };
/* Instructions per resident warp, ascending. */
extern const uint32_t warmup_length[WARMUPS];

struct warmup_choice {
    uint32_t index; /* of warmup_length */
    bool settled; /* agrees with the longest; false: the longest was taken for want of agreement */
    /* of each length to the longest: mean relative difference and its standard error */
    double difference[WARMUPS], noise[WARMUPS];
};

/* cycles[pilot][length] */
struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS], uint32_t pilots, double error);
/* Relative error of cycles that a warm-up of warmup_length[index] may leave. */
double warmup_doubt(const struct warmup_choice *c, uint32_t index);

#endif
