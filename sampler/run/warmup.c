/* warmup.c - see warmup.h. */
#include "sampler/run/warmup.h"

#include "sampler/constants.h"

#include <math.h>

const uint32_t warmup_length[WARMUPS + 1] = {8, 24, 72, 288, UINT32_MAX};

_Static_assert(WARMUP_OF_LONG < WARMUPS - 1, "the longest is compared with one that was tried");

static void compare_warmups(struct warmup_choice *c, const double (*cycles)[WARMUPS + 1],
                            uint32_t pilots, uint32_t length, uint32_t reference)
{
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < pilots; i++) {
        double d = cycles[i][length] / cycles[i][reference] - 1;
        sum += d;
        square += d * d;
    }
    double mean = sum / pilots, variance = fmax(0, square / pilots - mean * mean);
    c->difference[length] = mean;
    c->noise[length] = pilots > 1 ? sqrt(variance / (pilots - 1)) : INFINITY;
}

static uint32_t nearest_warmup(const struct warmup_choice *c, uint32_t first)
{
    uint32_t best = first;
    for (uint32_t i = first + 1; i < WARMUPS; i++)
        if (fabs(c->difference[i]) < fabs(c->difference[best])) best = i;
    return best;
}

struct warmup_choice warmup_choose(const double (*cycles)[WARMUPS + 1], uint32_t pilots,
                                   uint32_t first, bool truth, double error)
{
    struct warmup_choice c = {.to_truth = truth};
    /* lengths that have a longer one to compare with */
    uint32_t lengths = truth ? WARMUPS : WARMUPS - 1;
    for (uint32_t i = first; i < lengths; i++)
        compare_warmups(&c, cycles, pilots, i, truth ? WARMUPS : WARMUPS - 1);
    c.index = truth ? nearest_warmup(&c, first) : WARMUPS - 1;
    for (uint32_t i = first; i < lengths && !c.settled; i++) {
        if (fabs(c.difference[i]) > error / WARMUP_SETTLED ||
            2 * c.noise[i] > error / WARMUP_SETTLED)
            continue;
        c.index = i;
        c.settled = true;
    }
    return c;
}

/* Without the exact result, the error is the root of the squared difference plus its squared
 * standard error.  Subtracting the part that may be chance, with so few pilots, would have stated
 * half of the true error of pagerank's intervals.  If the budget shortens the warm-up below the
 * longest, the pilots' own error counts twice, because errors halve from one length to the next.
 * With one pilot, its difference stands for its standard error. */
double warmup_doubt(const struct warmup_choice *c, uint32_t index)
{
    bool last = index == WARMUPS - 1 && !c->to_truth;
    uint32_t at = last ? WARMUPS - 2 : index;
    double d = fabs(c->difference[at]), noise = isinf(c->noise[at]) ? d : c->noise[at];
    if (last) return hypot(d, noise);
    return c->to_truth ? d + 2 * noise : 2 * (d + noise);
}
