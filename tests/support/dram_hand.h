/* dram_hand.h - a small memory channel driven by hand, and its command log. */
#pragma once

#include "detailed/dram/dram.h"
#include "tests/support/check.h"

/* Four banks in two groups, one rank, no refresh. */
extern const struct dram_params dram_hand_params;

enum { LOG_MAX = 1 << 18 };

/* The commands of a channel. */
struct log {
    struct dram_log_entry e[LOG_MAX];
    uint32_t n;
};

/* Made by dram_hand_setup. */
extern struct log *dram_log_a, *dram_log_b;

/* A channel whose commands are logged, if l is not NULL, which is emptied; dram_free frees it. */
struct dram_channel *dram_hand_make(const struct dram_params *p, struct log *l);

/* Queues a request at cycle `now`; there must be room. */
void dram_hand_put(struct dram_channel *c, uint32_t bank, uint32_t row, bool write, uint32_t tag,
                   uint64_t now);

/* Steps until nothing is queued; returns how many are done, their tags in order of completion. */
uint32_t dram_hand_finish(struct dram_channel *c, uint64_t now, uint32_t *order);

/* How many of these commands there are. */
uint32_t dram_hand_count(const struct log *l, enum dram_command command);

/* A group's setup and teardown: the two logs. */
int dram_hand_setup(void **state);
int dram_hand_teardown(void **state);
