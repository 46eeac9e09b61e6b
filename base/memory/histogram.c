/* histogram.c - see histogram.h. */
#include "base/memory/histogram.h"

#include <math.h>

/* The bucket's smallest value; *width is how many integers it holds. */
static double bucket_low(uint32_t b, double *width)
{
    *width = 1;
    if (b < 16) return b;
    uint32_t octave = (b - 16) / 16;
    *width = (double)(UINT64_C(1) << octave);
    return (double)((uint64_t)(16 + (b - 16) % 16) << octave);
}

double histogram_value(uint32_t bucket)
{
    double width, low = bucket_low(bucket, &width);
    return low + 0.5 * (width - 1);
}

void histogram_add(struct histogram *h, uint64_t value, double weight)
{
    h->count[histogram_bucket(value)] += weight;
    h->n += weight;
    h->sum += weight * (double)value;
}

double histogram_mean(const struct histogram *h)
{
    return h->n > 0 ? h->sum / h->n : 0;
}

double histogram_quantile(const struct histogram *h, double q)
{
    double below = 0, target = q * h->n, width = 1, last = 0;
    if (!(h->n > 0)) return 0;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
        double c = h->count[b];
        if (!(c > 0)) continue;
        double low = bucket_low(b, &width);
        /* A bucket of `width` integers spans low..low+width-1. */
        if (below + c >= target) return low + fmax(0, (target - below) / c) * (width - 1);
        below += c;
        last = low + width - 1;
    }
    return last; /* by rounding, the target is just beyond the last bucket */
}

void histogram_diff(struct histogram *out, const struct histogram *after,
                    const struct histogram *before)
{
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        out->count[b] = after->count[b] - before->count[b];
    out->n = after->n - before->n;
    out->sum = after->sum - before->sum;
}

void histogram_accumulate(struct histogram *to, const struct histogram *from, double weight)
{
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        to->count[b] += weight * from->count[b];
    to->n += weight * from->n;
    to->sum += weight * from->sum;
}
