/* unevenness.c - see unevenness.h. */
#include "estimator/dram/unevenness.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>

void uneven_add(struct unevenness *u, const struct load *l, uint32_t queues)
{
    double mean = l->n / queues, most = 0, reached = 0;
    for (uint32_t i = 0; i < queues; i++) {
        double off = l->at[i] - mean;
        if (l->at[i] > most) most = l->at[i];
        u->scatter += off * off / queues;
        reached += l->at[i] > 0;
    }
    u->clumps += l->clumps;
    u->square += l->clumps * l->clumps;
    u->reached += l->clumps * reached;
    u->windows++;
    u->n += l->n;
    u->mean += mean * mean;
    u->most += most;
    u->chance += l->clump / queues;
}

double uneven_ratio(const struct unevenness *u, uint32_t queues)
{
    double real = u->scatter > 0 ? 1 - u->chance / u->scatter : 0;
    if (u->n <= 0 || real <= 0) return 1;
    return 1 + (u->most / (u->n / queues) - 1) * sqrt(real);
}

double uneven_among(const struct unevenness *u, uint32_t queues)
{
    double n = math_over(u->square, u->clumps), reached = math_over(u->reached, u->clumps);
    double low = 1, high = queues;
    while (high - low > UNEVEN_EXACT * queues) {
        double c = (low + high) / 2;
        *(c * -expm1(n * log1p(-1 / c)) < reached ? &low : &high) = c;
    }
    return u->clumps > 0 ? high / queues : 1;
}

/* By how much random choice may exceed its scatter: that of a chi-square over its mean. */
static double allowance(const struct unevenness *u, uint32_t queues)
{
    double free = (queues - 1.0) * u->windows;
    return UNEVEN_DEVIATIONS * sqrt(2 / math_larger(1, free));
}

void uneven_allow(struct unevenness *u, uint32_t queues)
{
    u->chance *= 1 + allowance(u, queues);
}

double uneven_hidden(const struct unevenness *u, uint32_t queues)
{
    double a = allowance(u, queues);
    return 1 + a / (1 + a) * math_over(u->chance, u->mean);
}

double uneven_hot(const struct load *l, uint32_t queues)
{
    double each = math_over(l->clump, l->n), twice = 0, thrice = 0;
    for (uint32_t i = 0; i < queues; i++) {
        double pairs = l->at[i] * math_larger(0, l->at[i] - each);
        twice += pairs;
        thrice += pairs * math_larger(0, l->at[i] - 2 * each);
    }
    double all = math_larger(each, l->n - 2 * each);
    return math_larger(1, queues * math_over(thrice, twice) / all);
}

double uneven_hottest(const struct load *l, uint32_t queues)
{
    struct unevenness u = {0};
    uneven_add(&u, l, queues);
    uneven_allow(&u, queues);
    return uneven_ratio(&u, queues);
}
