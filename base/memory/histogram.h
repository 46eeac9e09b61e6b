/* histogram.h - log-linear histogram of non-negative integers (latencies): exact below 16, then 16
 * buckets per octave (relative width 1/16), up to 2^32.  Additive, so an interval is the difference
 * of two. */
#pragma once

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 16 + 28 * 16 };

struct histogram {
    double count[HISTOGRAM_BUCKETS];
    double n, sum;
};

static inline uint32_t histogram_bucket(uint64_t value)
{
    if (value < 16) return (uint32_t)value;
    if (value > UINT32_MAX) return HISTOGRAM_BUCKETS - 1;
    uint32_t octave = 59u - (uint32_t)__builtin_clzll(value); /* 0 for 16..31 */
    return 16 + octave * 16 + ((uint32_t)(value >> octave) & 15);
}
void histogram_add(struct histogram *h, uint64_t value, double weight);
double histogram_value(uint32_t bucket); /* the middle of the bucket */
double histogram_mean(const struct histogram *h);
/* Interpolated inside the bucket; 0 if empty. */
double histogram_quantile(const struct histogram *h, double q);
void histogram_diff(struct histogram *out, const struct histogram *after,
                    const struct histogram *before);
void histogram_accumulate(struct histogram *to, const struct histogram *from, double weight);
