/* sm_pass_state.h - what the functional pass keeps of one SM, for pass*.c only.
 *
 * sm_pass.c says whose turn it is, sm_pass_memory.c what a memory instruction does,
 * sm_pass_counts.c what is counted and when a warp has to wait, sm_pass_sync.c what leaves the L1
 * at acquires and releases. */
#pragma once

#include "estimator/functional/bypass_predictor.h"
#include "estimator/functional/sm_pass.h"
#include "estimator/functional/warp_admission.h"
#include "estimator/functional/warp_select.h"
#include "estimator/profile/dependence.h"

struct pass_warp {
    struct cursor cursor;
    struct warp_inst held; /* read but not yet issued */
    bool has_held;
    uint32_t slot;
    uint64_t time, began;
    struct depend depend;
    uint32_t since_wait; /* load transactions since the last wait */
    uint32_t farthest;   /* of them */
    bool missing;        /* one of them is not in the L1 */
    bool stored;         /* a store since then */
    uint64_t alone;      /* cycles so far if it were the only one */
    uint32_t instructions, waits, missed;
    uint8_t last; /* class of arithmetic, or OP_BARRIER */
};

struct pass_slot { /* a resident CTA */
    uint64_t cta;
    uint32_t live, at_barrier;
    double longest, sum;    /* of its warps: from begin to end, */
    double most_work, work; /* ... and each alone */
};

/* A line's fetch that may be under way; lines share places by chance, the last one has it. */
enum { PASS_FLIGHTS = 2048 };
struct pass_flight {
    uint64_t line, began, back;
    uint32_t acquires; /* of the SM when it began */
    uint32_t warp;     /* whose it is */
    uint32_t wanted;   /* times that others came for it before or after an acquire, so far */
    uint16_t waiters;
    uint8_t mask; /* sectors */
    bool passed;  /* a store went by */
};

struct pass {
    struct profile_view v;
    const struct program *program;
    const struct launch *l;
    uint32_t sm, launch, slots;
    bool counted; /* tallies are not those of a launch in which the SM had nothing */
    struct reader *reader;
    struct chain l1;
    struct stream out;
    struct pass_warp *warp;
    struct pass_slot *slot;
    struct depend_reg *regs;
    size_t warp_cap, slot_cap, reg_cap;
    struct warp_queue queue;
    struct govern *govern;       /* NULL: the queue's rule says who is next */
    struct keeper *keeper;       /* NULL: every store goes down at once */
    struct predictor *predictor; /* NULL: hints alone say what goes round the L1 */
    uint64_t first_cta, next_cta, end_cta, busy;
    uint64_t pipe[PASS_PIPES]; /* when each is free */
    double port;               /* of a cycle that the L1's ports have still to do */
    size_t due_cap;
    uint64_t *due; /* [L1 line id]: when its last fetch is back */
    struct pass_flight flight[PASS_FLIGHTS];
    uint64_t
        held[PROFILE_JOINS]; /* by waiters: when the fetch began that was last waited for, + 1 */
    uint64_t fetched[COALESCE_MAX]; /* lines, by the present instruction */
    uint32_t n_fetched;
    uint32_t acting; /* warp */
    uint32_t acquires;
    const struct chain *l2;
    struct sharers *sharers;
    struct hash_map stored; /* lines, since the last release; where the L1 keeps its own */
    uint64_t met;           /* latest of those that the present instruction met */
    uint64_t latest;        /* of the present instruction's sectors, out of their pipes */
    uint64_t back;          /* ... and back */
    uint64_t behind;        /* the queue before the L1 */
    bool missed;            /* the present instruction */
    uint64_t started;       /* warps */
    double work;            /* of those that have ended: cycles that each would take alone */
    uint32_t next_core, on_core[WARP_QUEUE_CORES]; /* warps there */
    uint32_t bound[PROFILE_L1S];                   /* lines of each variant */
    struct pass_tallies t;
    struct txn txn[COALESCE_MAX];
};

/* All transactions of a global memory instruction; a load's data come back at a time of their own.
 * SM and warp are late by what the pipes cannot take. */
void pass_memory(struct pass *s, struct pass_warp *w, const struct warp_inst *in);

void pass_empty_l1(struct pass *s);
void pass_note_stored(struct pass *s, uint64_t line);
void pass_sync(struct pass *s, uint8_t cls); /* an instruction is issued */

void pass_count(struct pass *s, struct pass_warp *w);
/* Before issue: true and a later w->time if the instruction has to wait; counted. */
bool pass_must_wait(struct pass *s, struct pass_warp *w, const struct static_inst *si);
void pass_last_wait(struct pass *s, struct pass_warp *w);
void pass_note_longest(struct pass *s, const struct pass_warp *w); /* at its end */
