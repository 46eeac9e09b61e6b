/* unevenness.h - how unequally transactions go to queues: channels, slices. */
#pragma once

#include <stdint.h>

enum { MAX_QUEUES = 1024 };

struct load {
    double n, clump; /* transactions; sum of squared clump sizes */
    double clumps;
    double at[MAX_QUEUES]; /* room for the most l2.banks; dram.channels are fewer */
};

static inline void load_add(struct load *l, uint32_t queue, double n)
{
    l->at[queue] += n;
    l->n += n;
    l->clump += n * n;
    l->clumps++;
}

/* The load of the hottest queue over the mean; the scatter of random choice is subtracted. */
struct unevenness {
    double n, most, scatter, chance;
    double mean; /* sum over windows of a queue's mean load squared */
    double windows;
    /* sums over windows of: clumps; clumps squared; clumps times the queues reached */
    double clumps, square, reached;
};

void uneven_add(struct unevenness *u, const struct load *l, uint32_t queues);
/* Takes for chance what so few windows may scatter by chance. */
void uneven_allow(struct unevenness *u, uint32_t queues);
double uneven_ratio(const struct unevenness *u, uint32_t queues);
/* The share of the queues among which a window would reach the same number by random choice. */
double uneven_among(const struct unevenness *u, uint32_t queues);
double uneven_hottest(const struct load *l, uint32_t queues);
