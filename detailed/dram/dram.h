/* dram.h - one memory channel: controller queues, command scheduling under the full timing set,
 * banks.
 *
 * A channel is a passive device: the clock is an argument, in cycles of its command clock. The
 * caller accepts bursts (one column access each), steps the channel at the cycle that it asked for,
 * and takes completions. A burst is burst_length * bus_bytes long; larger transfers are several
 * bursts.
 *
 * Requests of a bank wait in order; the scheduler sees the first per_bank_queue of them (all if 0).
 * `queue` bounds the requests that it does not see yet (all if per_bank_queue = 0), so that such a
 * channel holds up to queue + banks * per_bank_queue requests.
 *
 * With a write queue, writes wait separately: they are drained from write_high (or a quarter of it
 * if no read waits) down to write_low; otherwise reads are served. A drain and the reads that it
 * delayed take turns. With forward_writes, a read that a queued write covers returns one clock
 * later and never reaches a bank.
 *
 * With urgent_first (dram.cpu_first), a burst of a CPU core goes before all others of its bank and
 * direction, row hit or not, and among commands of one kind that can issue at the same time; those
 * of cores among themselves follow the scheduler. The direction is chosen without regard to them
 * [A].
 *
 * Pseudo-channels share the command bus, the queues and the direction; each has its own data bus,
 * ranks and timing constraints. Ranks are counted over the pseudo-channels.
 *
 * How it is fast: commands are executed when the caller steps the channel, at the cycles at which
 * they were due; the next one is always known, so that a step costs nothing before that cycle.
 * Refreshes of an idle channel are made up for when it is used again. The result depends only on
 * what was accepted when, not on how often the channel is stepped.
 *
 * Invariants: see dram_check. Every command goes through one function (banks_issue), which also
 * feeds the optional command log for checkers. Source: JEDEC timing rules as collected in
 * detailed/dram/timing.h; Khairy II; Candel 4.5.2. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "detailed/parts/stats.h"
#include "gpu/energy/dram_energy.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/dram/dram.h"

enum dram_command {
    DRAM_CMD_ACT,
    DRAM_CMD_PRE,
    DRAM_CMD_RD,
    DRAM_CMD_WR,
    DRAM_CMD_RDA, /* with auto-precharge */
    DRAM_CMD_WRA,
    DRAM_CMD_REF,
    DRAM_CMD_REF_BANK,
    DRAM_CMD_PDE, /* a rank's clock enable falls: power-down */
    DRAM_CMD_PDX, /* the clock enable rises; neither uses the command bus */
    DRAM_CMD_N
};

struct dram_log_entry {
    uint64_t cycle;
    enum dram_command command;
    uint32_t rank, bankgroup, bank, row, column; /* fields that the command does not use are 0 */
};
typedef void dram_log_fn(const struct dram_log_entry *c, void *ctx);

#define DRAM_STATS(C, M)                                                                         \
    M(reads, dram_reads, true) /* bursts whose column command was issued */                      \
    M(writes, dram_writes, true)                                                                 \
    M(row_hits, dram_row_hits, p->model != DRAM_FIXED) /* all but the first after an activate */ \
    M(activates, dram_activates, p->model != DRAM_FIXED)                                         \
    C(precharges, "commands")                                                                    \
    M(refreshes, dram_refreshes, p->model != DRAM_FIXED) /* of ranks and of banks */             \
    C(bank_refreshes, "of these, of one bank; the others refresh a rank")                        \
    C(act_standby_cycles, "rank cycles with a row open, until its auto-precharge takes place")   \
    C(pre_standby_cycles, "with no row open; all four are exact, together ranks x cycles")       \
    C(act_pd_cycles, "with a row open in power-down")                                            \
    C(pre_pd_cycles, "with none in power-down")                                                  \
    C(busy_cycles, "of the data bus")                                                            \
    C(bank_cycles, "integral of banks that have a request whose column command is due")          \
    C(active_cycles, "with at least one such bank: BLP = bank_cycles / this")                    \
    C(latency_sum, "cycles of reads from acceptance to last beat")                               \
    C(forwarded, "reads answered from queued writes; in none of the counts above")
struct dram_stats {
    STATS_MEMBERS(DRAM_STATS)
};

struct dram_channel; /* heap, opaque: a channel is large */

/* p: checked.  NULL: no memory. */
struct dram_channel *dram_new(const struct dram_params *p, struct error *e);
void dram_free(struct dram_channel *c);
/* Sets a log of commands, in the order of issue, each after its cycle is past. */
void dram_set_log(struct dram_channel *c, dram_log_fn *fn, void *ctx);

/* Whose a burst is. */
enum dram_client { DRAM_OF_GPU, DRAM_OF_CPU };

/* Whether there is room for a burst of that direction. */
bool dram_can_accept(const struct dram_channel *c, bool write);
/* Precondition: dram_can_accept; `now` never falls; before dram_step of the same cycle if the burst
 * shall be seen in it.  `tag` comes back with the completion (a write completes when its data are
 * on the bus). */
void dram_accept(struct dram_channel *c, const struct coord *at, bool write, uint32_t tag,
                 uint64_t now);
void dram_accept_of(struct dram_channel *c, enum dram_client client, const struct coord *at,
                    bool write, uint32_t tag, uint64_t now);
/* Advances to `now` (>= the last step's).  Returns the next cycle at which to step again (> now),
 * UINT64_MAX = when something is accepted.  Call at least at the cycle returned; calling more often
 * changes nothing.  Completions need no step: see dram_next_done. */
uint64_t dram_step(struct dram_channel *c, uint64_t now);
/* Next completion that lies at or before `now`, oldest first.  false: none. */
bool dram_done(struct dram_channel *c, uint64_t now, uint32_t *tag, bool *write);
/* Cycle of the next completion among the bursts in flight; UINT64_MAX = none. It is known from the
 * column command on, so that a caller may take it early (dram_done with that cycle). */
uint64_t dram_next_done(const struct dram_channel *c);

/* Unloaded read latency in cycles, acceptance to last beat: row hit, row closed, row conflict
 * (closed forms of the timing set; model = fixed: all the same). */
struct dram_idle {
    uint32_t hit, closed, conflict;
};
struct dram_idle dram_idle_latency(const struct dram_params *p);
/* Peak bandwidth of one channel with all data beats (of all its pseudo-channels) used; model =
 * fixed: fixed_gbps (0 = unbounded). */
double dram_peak_gbps(const struct dram_params *p);
uint64_t dram_need(const struct dram_params *p); /* bytes that a channel takes */

const struct dram_stats *dram_stats(struct dram_channel *c, uint64_t now); /* brought up to `now` */
/* The statistics as of the last step, not brought up to date. */
const struct dram_stats *dram_counted(const struct dram_channel *c);
/* Load the state that a functional warm-up left; before the first acceptance, in this order.
 * dram_warm_clock: `past` clocks count as elapsed, so that the next refresh is nearer.
 * dram_warm_row: opens a row that was accessed `age` clocks ago, unless its bank has been refreshed
 * since. */
void dram_warm_clock(struct dram_channel *c, uint64_t past);
void dram_warm_row(struct dram_channel *c, const struct coord *at, uint64_t age);
void dram_stats_add(struct dram_stats *to, const struct dram_stats *from);
/* The counts for the energy accounting: of all physical channels, each with its ranks. */
struct dram_activity dram_activity(const struct dram_params *p, const struct dram_stats *s);
uint32_t dram_queued(const struct dram_channel *c); /* accepted, column command not yet issued */
bool dram_check(const struct dram_channel *c);      /* every invariant; tests and debug builds */
void dram_stuck(const struct dram_channel *c, uint64_t now, struct text *out); /* why it waits */
