/* unevenness.h - how unequally transactions go to queues: channels, slices. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_QUEUES = 1024 };

struct load {
    double n, clump;       /* transactions; sum of squared clump sizes */
    double clumps, last;   /* their number; the size of the last one */
    double at[MAX_QUEUES]; /* room for the most l2.banks; dram.channels are fewer */
};

static inline void load_clear(struct load *l, uint32_t queues)
{
    l->n = l->clump = l->clumps = l->last = 0;
    memset(l->at, 0, queues * sizeof *l->at);
}

/* joins: they go to their queue because the ones before do, as neighbours: both are one clump. */
static inline void load_add(struct load *l, uint32_t queue, double n, bool joins)
{
    double before = joins ? l->last : 0;
    l->at[queue] += n;
    l->n += n;
    l->last = before + n;
    l->clump += l->last * l->last - before * before;
    l->clumps += !joins;
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
/* Raises `chance` to the scatter that random choice exceeds rarely, over so many windows. */
void uneven_allow(struct unevenness *u, uint32_t queues);
double uneven_ratio(const struct unevenness *u, uint32_t queues);
/* The ratio up to which the scatter of so few transactions, after uneven_allow(), passes for chance:
 * n that keep to 1 / ratio of the queues scatter 1 + n (ratio - 1) / queues times as much as n that
 * choose among all. */
double uneven_hidden(const struct unevenness *u, uint32_t queues);
/* The share of the queues among which a window would reach the same number by random choice. */
double uneven_among(const struct unevenness *u, uint32_t queues);
/* Of one load; scatter within UNEVEN_DEVIATIONS of what random choice gives is taken for chance. */
double uneven_hottest(const struct load *l, uint32_t queues);
/* The mean load of a queue that a transaction meets beside two of its own queue, over the mean of
 * all: that of the hottest, or of each of several equally hot ones, without the scatter of the
 * sample, since drawing a queue two or three times is as likely in a sample as in the whole. */
double uneven_hot(const struct load *l, uint32_t queues);
