/* address_sample.h - keeps blocks of consecutive accesses, evenly spread over a stream of unknown
 * length. When the blocks are full, every second one goes and the distance between blocks doubles.
 */
#ifndef PLUMB_ESTIMATOR_ADDRESS_SAMPLE_H
#define PLUMB_ESTIMATOR_ADDRESS_SAMPLE_H

#include "estimator/profile_data.h"

struct address_sampler {
    struct address_sample *to;
    uint64_t stride, seen; /* accesses from block to block; accesses offered */
};
void address_sampler_start(struct address_sampler *a, struct address_sample *to);
void address_sampler_offer(struct address_sampler *a, const struct sampled *s);

#endif
