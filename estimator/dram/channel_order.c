/* channel_order.c - see channel_order.h. */
#include "estimator/dram/channel_order.h"

#include "estimator/dram/unevenness.h"
#include "estimator/math_util.h"

#include <math.h>

const uint32_t channel_rooms[CHANNEL_ROOMS] = {8, 64, 512};

/* Channels by the time at which they will have served what they hold. */
static void stream_enters(struct channel_order *o, uint32_t k, const struct memory_access *p,
                          uint32_t n, uint32_t channels, double weight)
{
    double done[MAX_QUEUES] = {0}, now = 0, all = 0, left = 0;
    for (uint32_t i = 0; i < n; i++) {
        double *at = &done[p[i].channel], full = math_larger(0, channel_rooms[k] - p[i].once);
        now = math_larger(now, *at - full);
        *at = math_larger(*at, now) + p[i].once;
        all += p[i].once;
    }
    for (uint32_t c = 0; c < channels; c++)
        left += math_larger(0, done[c] - now);
    o->clocks[k] += weight * now;
    o->even[k] += weight * (all - left) / channels;
}

void channel_order_add(struct channel_order *o, const struct memory_access *p, uint32_t n,
                       uint32_t channels, double weight)
{
    for (uint32_t k = 0; k < CHANNEL_ROOMS; k++)
        stream_enters(o, k, p, n, channels, weight);
}

void channel_order_late(const struct channel_order *o, double late[CHANNEL_ROOMS])
{
    double least = INFINITY; /* more room never hinders; short streams show less of it */
    for (uint32_t k = 0; k < CHANNEL_ROOMS; k++) {
        double found = o->even[k] > 0 ? math_larger(1, o->clocks[k] / o->even[k]) : 1;
        late[k] = least = math_smaller(least, found);
    }
}

double channel_order_each(const struct block_sample *s, uint32_t b)
{
    if (s->blocks < 2 || !s->n[1]) return s->each[b];
    return b ? s->each[b] + (s->each[0] - 1) * s->n[0] / s->n[b] : 1;
}
