/* warmup.h - how long an interval must run before it may be measured: tried out, not assumed.
 *
 * A few intervals are run with each of WARMUPS lengths.  Taken is the shortest whose cycles agree
 * with those of the longest: the mean difference, and twice its standard error, stay within a
 * quarter of the error asked for. Else the longest is taken. */
#ifndef PLUMB_SAMPLER_WARMUP_H
#define PLUMB_SAMPLER_WARMUP_H

#include <stdbool.h>
#include <stdint.h>

enum { WARMUPS = 3 };
/* Instructions per resident warp, ascending. */
extern const uint32_t warmup_length[WARMUPS];

struct warmup_choice {
    uint32_t index; /* of warmup_length */
    bool settled; /* agrees with the longest; false: the longest was taken for want of agreement */
    double difference, noise; /* of the chosen (or next shorter) length to the longest: mean
                                 relative difference and its standard error */
};

/* cycles[pilot][length] */
struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS], uint32_t pilots, double error);

#endif
