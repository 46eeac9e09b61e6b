/* dram_checker.h - an independent checker of DRAM commands: its own device tables (dram_devices.h),
 * and the JEDEC rules as it reads them; it never looks at the model's. */
#pragma once

#include "detailed/dram/dram.h"
#include "tests/support/dram_devices.h"

#include <stdlib.h>

enum { LOG_MAX = 1 << 16 };

/* A device, and the commands of a channel in their order.  Starts with all but `d` zero. */
struct checker {
    struct device d;
    struct dram_log_entry log[LOG_MAX];
    int n, broken;
    const char *rule; /* the first that was broken */
};

/* Notes that a rule is broken; the first is kept in `rule`. */
void checker_broken(struct checker *k, const char *rule);

/* A channel's log function; ctx: the checker. */
void checker_on_command(const struct dram_log_entry *e, void *ctx);
/* Whether the command moves data, or writes them. */
int log_is_column(const struct dram_log_entry *e);
int log_is_write(const struct dram_log_entry *e);

/* When the first beat of a read or write is on the bus. */
int64_t device_data_start(const struct device *d, const struct dram_log_entry *e);

/* Fails unless the statistics at cycle `end` are what the log says. */
void checker_check_counts(const struct checker *k, const struct dram_stats *s, uint64_t end);

/* Checks the log against all rules and notes what is broken; the channel was stepped to `end`. */
void checker_check_log(struct checker *k, uint64_t end);
