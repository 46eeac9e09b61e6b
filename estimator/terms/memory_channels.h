/* memory_channels.h - the memories of a launch, dram and the second one (dram[1]), in one form.
 *
 * Each has its own timing, clock, queues and unevenness, and a station that takes the share of the
 * accesses whose pages lie there. What a wait of a warp fetches lies in one of the two, as
 * neighbours lie in one page. Units: core cycles. Source: Mao 2016, 5.5.1. */
#pragma once

#include "estimator/launch/launch_model.h"

struct memory_channels {
    const struct dram_params *d;
    const struct row_locality *rows;
    const struct launch_memory *under;
    enum station_place at;
    double share;          /* of the accesses to memory */
    double cycle;          /* of its clock */
    double bursts;         /* per sector */
    double channels, even; /* effective numbers: for what is in flight; over the launch */
};

/* Returns the number of memories to which accesses go. */
uint32_t memory_channels_find(const struct launch_model *m,
                              struct memory_channels of[PAGE_MEMORIES]);
/* Sets clock and grain of the second memory; nothing goes there yet. */
void memory_channels_init(struct launch_model *m);
/* The most bursts that the L2's MSHR files let through to one of its channels at once. */
double memory_channels_entries_open(const struct launch_model *m, const struct memory_channels *s);
/* Of a read, without queues. */
double memory_channels_latency(const struct memory_channels *s);
