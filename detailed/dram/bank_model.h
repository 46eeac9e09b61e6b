/* bank_model.h - the internals of the bank model (model = banks), shared by its files:
 *
 *   bank_model.c        operations behind dram.h: acceptance, advancing, statistics, checks
 *   request_queue.c     the requests of a bank, their window, and the direction of the channel
 *   scheduler_policy.c  which request a bank works on (scheduler), and page policies
 *   command_select.c    the next command of the channel
 *   command_issue.c     what each command does to bank, group, rank and bus
 *   power_down.c        power-down, and the ranks' times in each power state
 *   refresh.c           when refreshes fall due, and making up for those of an idle channel
 *
 * Each bank works on one request at a time (the policy's pick), which determines its next command:
 * the column command if its row is open, else precharge or activate. The plan is the command that
 * can issue first (over banks: earliest, then column before row, then oldest request); it is found
 * by one scan over the banks with work, after each command or acceptance that may change it.
 *
 * Time: everything due before `now` has been executed when a burst is accepted at `now`. */
#pragma once

#include "detailed/dram/channel.h"
#include "detailed/dram/timing.h"

enum { NO_REQUEST = UINT32_MAX, NO_ROW = UINT32_MAX, NO_SLOT = UINT32_MAX };
enum { READS, WRITES, DIRECTIONS }; /* with one queue for both, all wait under READS */
enum { READY_N = DRAM_CMD_WR + 1, ACT_WINDOW = 32 };

/* What is added to the arrival numbers of the GPU's requests under urgent_first: numbers are then
 * precedences. */
#define BANKS_BEHIND (UINT64_C(1) << 62)

struct request {
    uint64_t seq, born; /* seq: arrival number, see BANKS_BEHIND */
    uint32_t row, column, tag, bank;
    uint32_t next, prev; /* links of its queue; the free list uses `next` only */
    bool write;
};

/* The requests of one bank and direction, oldest first (under urgent_first, the CPUs' before). */
struct queue {
    uint32_t head, tail;
    uint32_t waiting;    /* the first request outside the scheduler's window, or NO_REQUEST */
    uint32_t n, visible; /* all requests; those within the window */
    uint32_t passed;     /* requests served since the head became the head */
};

/* ready[command]: the earliest cycle of ACT, PRE, RD, WR as far as this level knows. */
struct level {
    uint64_t ready[READY_N];
};

struct dram_bank {
    struct level at;
    uint64_t seq;           /* arrival number of the request that the bank works on */
    uint32_t work;          /* the request that the bank works on, or NO_REQUEST */
    enum dram_command next; /* the command that the request needs: ACT, PRE, RD or WR */
    uint32_t row;           /* open row or NO_ROW */
    uint32_t group, rank;   /* group: over all ranks */
    uint32_t bus_rank;      /* the first rank on its data bus */
    uint64_t used;          /* last activate or column command */
    uint32_t slot;          /* in banks.active, or NO_SLOT */
    bool fresh;             /* no column command since the activate */
    bool blocked;           /* a pending refresh needs it closed */
    struct queue q[DIRECTIONS];
};

struct rank {
    struct level at;
    uint64_t act[ACT_WINDOW]; /* cycles of the last activates, a ring */
    uint64_t acts;
    uint64_t refresh_ready; /* per-bank refresh: earliest cycle that the other banks allow */
    uint32_t open;          /* banks with an open row */
    uint32_t rest;          /* of a data bus's first rank: what it owes of its rests */
    uint64_t open_until;    /* when the last auto-precharge takes place */
    uint64_t counted_to;    /* its cycles in each power state are counted up to here */
    /* power-down; unused if it is off */
    bool down;
    uint32_t requests;    /* queued */
    uint64_t switch_at;   /* when it powers down or up; DRAM_NEVER = not planned */
    uint64_t switched;    /* when it last did */
    uint64_t may_go_down; /* its last commands allow power-down from here on */
    uint64_t awake;       /* takes commands from here on */
};

/* One refresh at a time, of one unit (a rank, or a bank if per bank); the units take turns. */
struct refresh {
    uint64_t count;       /* refreshes begun */
    uint64_t due;         /* of the next one, DRAM_NEVER = none */
    uint64_t past;        /* clocks that count as elapsed before the channel's first */
    uint32_t units, unit; /* unit: being closed or refreshed while pending */
    uint32_t unit_banks;
    uint64_t interval; /* units refresh every `interval` clocks, evenly spaced */
    bool pending;
};

enum plan_kind { PLAN_NONE, PLAN_REFRESH, PLAN_COLUMN, PLAN_ROW, PLAN_DRAIN };

struct command_plan {
    uint64_t cycle, seq;
    uint32_t bank;
    enum plan_kind kind; /* in order of precedence within a cycle */
    enum dram_command command;
};

struct banks {
    struct dram_channel base;
    struct dram_rules rules;
    const struct dram_sched_ops *sched;
    const struct page_ops *page;
    /* Copies of fields of sched and page, and power-down, for the hot path. */
    bool in_order, timed, managed;
    struct dram_bank *bank;
    struct level *group;
    struct rank *rank;
    uint32_t n_banks, n_groups, n_ranks, banks_per_rank;
    uint32_t *active, n_active; /* banks with work, unordered */
    uint32_t open_banks;
    uint32_t *order[DIRECTIONS], order_head[DIRECTIONS]; /* strict order: rings of all requests */

    struct request *request;
    uint32_t n_requests, free_request;
    uint64_t next_seq, behind;                  /* behind: BANKS_BEHIND or 0 */
    uint32_t n[DIRECTIONS], unseen[DIRECTIONS]; /* requests queued; requests outside the windows */

    uint32_t direction;  /* the direction that is served: READS or WRITES */
    uint32_t turn;       /* commands that the direction may still issue while the other waits */
    uint32_t idle_drain; /* cycles without acceptance after which the last writes are drained */
    uint64_t last_accept;

    uint64_t row_bus, column_bus; /* first cycle at which each is free */
    uint32_t bus_rest;            /* of a data bus after a burst, in 1 / DRAM_REST of a clock */
    uint64_t clock;               /* no command can be issued before */
    struct command_plan plan;
    bool stale; /* the plan must be recomputed */
    struct refresh refresh;
    uint64_t upkeep;       /* next refresh due or power switch of a rank; DRAM_NEVER = none */
    uint64_t power_switch; /* the earliest of the ranks' switch_at */

    uint32_t busy_banks; /* banks with a request */
    uint64_t counted_to; /* bank_cycles and active_cycles are up to date until here */
};

/* ---- policies ---- */
struct dram_sched_ops {
    /* Picks the visible request of the bank's queue q (not empty) to work on. */
    uint32_t (*pick)(const struct banks *c, const struct dram_bank *b, const struct queue *q);
    bool in_order; /* the channel works only on the oldest request of its direction */
};
struct page_ops {
    bool auto_precharge; /* every column command closes its row */
    bool spares_hits;    /* ... unless another visible request of its bank hits it */
    bool timeout;        /* rows without work are closed after page_timeout */
};
extern const struct dram_sched_ops *const dram_scheds[DRAM_SCHED_N];
extern const struct dram_sched_ops *const dram_scheds_urgent_first[DRAM_SCHED_N];
extern const struct page_ops *const dram_pages[PAGE_N];

/* ---- request_queue.c ---- */
void banks_queue_add(struct banks *c, uint32_t r);
/* Moves it to the free list; precondition: visible. */
void banks_queue_remove(struct banks *c, uint32_t r);
/* Whether another visible request of the bank hits its open row. */
bool banks_queue_hits(const struct banks *c, const struct dram_bank *b, uint32_t besides);
/* Whether a write to this burst is queued. */
bool banks_queue_covers(const struct banks *c, const struct coord *at);
/* Recomputes what the bank works on; called when its queues, its row or the direction have changed.
 */
void bank_settle(struct banks *c, struct dram_bank *b);
void banks_direction_accepted(struct banks *c); /* after an acceptance */
void banks_direction_served(struct banks *c);   /* after a column command */
void banks_direction_drain(struct banks *c);    /* no read waits: serve the writes */

/* ---- command_select.c ---- */
void banks_make_plan(struct banks *c);
/* Updates the plan for new work of the bank, which may go earlier. */
void banks_offer_plan(struct banks *c, struct dram_bank *b);

/* ---- command_issue.c ---- */
/* The only function that executes commands. b: the bank; for REF the first of its rank. */
void banks_issue(struct banks *c, enum dram_command command, struct dram_bank *b, uint32_t row,
                 uint32_t column, uint64_t t);

/* ---- power_down.c ---- */
void banks_power_init(struct banks *c);
/* Called before a change of k->open, open_until or down at t. */
void banks_power_count(struct banks *c, struct rank *k, uint64_t t);
/* Plans, postpones or ends power-down at t, when the rank's requests, rows or refresh have changed.
 */
void banks_power_settle(struct banks *c, struct rank *k, uint64_t t);
/* Called after a command of the rank: updates when it may power down. */
void banks_power_commanded(struct banks *c, struct rank *k, enum dram_command command, uint64_t t);
void banks_switch_power(struct banks *c); /* at power_switch */
bool banks_power_check(const struct banks *c);

/* ---- refresh.c ---- */
void banks_refresh_init(struct banks *c);
/* Lets `past` clocks count as elapsed before the channel's first, so that its next refresh falls
 * due as if they had been simulated. */
void banks_refresh_resume(struct banks *c, uint64_t past);
/* Clocks from the last refresh of a bank to the channel's first clock, DRAM_NEVER = none yet. */
uint64_t banks_refresh_age(const struct banks *c, uint32_t flat_bank);
void banks_refresh_begin(struct banks *c, uint64_t until);     /* at refresh.due <= until */
struct command_plan banks_refresh_plan(const struct banks *c); /* pending: its next command */
void banks_refresh_done(struct banks *c);

/* Recomputes `upkeep`. */
static inline void banks_settle_upkeep(struct banks *c)
{
    uint64_t refresh = c->refresh.pending ? DRAM_NEVER : c->refresh.due;
    c->upkeep = refresh < c->power_switch ? refresh : c->power_switch;
}

/* The rank of the pending refresh. */
static inline uint32_t banks_refresh_rank(const struct banks *c)
{
    return c->refresh.unit * c->refresh.unit_banks / c->banks_per_rank;
}

static inline uint32_t bank_index(const struct banks *c, const struct dram_bank *b)
{
    return (uint32_t)(b - c->bank);
}
