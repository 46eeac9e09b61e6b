/* dram.h - one memory channel: controller queues, command scheduling under the full timing set, banks.
 *
 * Passive device: the clock is an argument, in command-clock cycles of the channel.  The caller enqueues
 * bursts (one column access each), steps the channel at the cycle it asked for, and takes completions.
 * A burst is burst_length * bus_bytes long; larger transfers are several bursts under one tag.
 *
 * How it is fast: dram_step returns the next cycle at which anything can happen; per-bank queues and cached
 * earliest-issue times, so that a step does not scan every request.
 * Invariants: see dram_check.  Every command goes through one function (dram_issue), which also feeds the
 * optional command log for checkers.
 * Source: JEDEC timing rules as in reference mechanisms 16; Khairy II; Candel 4.5.2. */
#ifndef PLUMB_DETAILED_DRAM_DRAM_H
#define PLUMB_DETAILED_DRAM_DRAM_H

#include "base/error.h"
#include "base/text.h"
#include "geometry/map.h"
#include "machine/dram.h"

enum dram_command { DRAM_CMD_ACT, DRAM_CMD_PRE, DRAM_CMD_RD, DRAM_CMD_WR, DRAM_CMD_RDA, DRAM_CMD_WRA, DRAM_CMD_REF,
                    DRAM_CMD_REF_BANK, DRAM_CMD_N };

struct dram_log_entry {
    uint64_t cycle;
    enum dram_command command;
    uint32_t rank, bankgroup, bank, row, column;
};
typedef void dram_log_fn(const struct dram_log_entry *c, void *ctx);

struct dram_stats {
    uint64_t reads, writes;       /* bursts */
    uint64_t row_hits;            /* bursts whose row was open when the scheduler first looked at them */
    uint64_t activates, precharges, refreshes;
    uint64_t busy_cycles;         /* data bus */
    uint64_t bank_cycles, active_cycles; /* integral of banks with a request; cycles with any */
    uint64_t latency_sum;         /* reads: acceptance to last beat, cycles */
};

struct dram_channel; /* heap, opaque: a channel is large */

struct dram_channel *dram_new(const struct dram_params *p, struct error *e);
void dram_free(struct dram_channel *c);
void dram_set_log(struct dram_channel *c, dram_log_fn *fn, void *ctx);

/* Room for a burst of that direction? */
bool dram_can_accept(const struct dram_channel *c, bool write);
/* Precondition: dram_can_accept.  `tag` comes back with the completion (reads and writes; a write completes when
 * its data are on the bus). */
void dram_accept(struct dram_channel *c, const struct coord *at, bool write, uint32_t tag, uint64_t now);
/* Advances to `now` (>= the last step's).  Returns the next cycle at which to step again, UINT64_MAX = when
 * something is accepted.  Call at least at the cycle returned; calling more often changes nothing. */
uint64_t dram_step(struct dram_channel *c, uint64_t now);
/* Next completion that lies at or before `now`, oldest first.  false: none. */
bool dram_done(struct dram_channel *c, uint64_t now, uint32_t *tag, bool *write);
uint64_t dram_next_done(const struct dram_channel *c); /* cycle of the next completion, UINT64_MAX = none pending */
/* Unloaded read latency in cycles: row hit, row closed, row conflict (closed forms of the timing set). */
struct dram_idle { uint32_t hit, closed, conflict; };
struct dram_idle dram_idle_latency(const struct dram_params *p);

const struct dram_stats *dram_stats(struct dram_channel *c, uint64_t now); /* brought up to `now` */
/* Opens a row as a functional warm-up left it. */
void dram_warm_row(struct dram_channel *c, const struct coord *at);
uint32_t dram_queued(const struct dram_channel *c);
bool dram_check(const struct dram_channel *c);
void dram_stuck(const struct dram_channel *c, uint64_t now, struct text *out);

#endif
