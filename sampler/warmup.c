/* warmup.c - see warmup.h. */
#include "sampler/warmup.h"

#include <math.h>

const uint32_t warmup_length[WARMUPS] = {8, 24, 72, 288};

struct difference {
    double mean, error;
};

static struct difference difference_to_longest(const double (*cycles)[WARMUPS], uint32_t pilots,
                                               uint32_t length)
{
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < pilots; i++) {
        double d = cycles[i][length] / cycles[i][WARMUPS - 1] - 1;
        sum += d;
        square += d * d;
    }
    double mean = sum / pilots, variance = fmax(0, square / pilots - mean * mean);
    return (struct difference){.mean = mean,
                               .error = pilots > 1 ? sqrt(variance / (pilots - 1)) : INFINITY};
}

struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS], uint32_t pilots, double error)
{
    struct warmup_choice c = {.index = WARMUPS - 1};
    for (uint32_t i = WARMUPS - 1; i-- > 0;) {
        struct difference d = difference_to_longest(cycles, pilots, i);
        c.difference[i] = d.mean;
        c.noise[i] = d.error;
    }
    for (uint32_t i = 0; i < WARMUPS - 1 && !c.settled; i++) {
        if (fabs(c.difference[i]) > error / 4 || 2 * c.noise[i] > error / 4) continue;
        c.index = i;
        c.settled = true;
    }
    return c;
}

double warmup_doubt(const struct warmup_choice *c, uint32_t index)
{
    if (index == WARMUPS - 1) return fabs(c->difference[WARMUPS - 2]);
    return 2 * fabs(c->difference[index]);
}
