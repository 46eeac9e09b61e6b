/* cta.h - runs the CTAs of a launch: lanes as fibers, which take turns where they meet.
 *
 * The lanes of a warp run one behind the other, each until it waits: at a barrier, in a function of
 * the warp, before an access by which lanes may wait for one another, or because its log is full.
 * When no lane of the warp can go on, its log is merged (record.h). CTAs run in order, each to its
 * end. All of this is the same on every run.
 *
 * Errors end the launch: cta_fail never returns to the lane. */
#pragma once

#include "trace/capture/kernel_blob.h"
#include "trace/cuda/runtime/now.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTA_MAX_LANES = 1024 };
#define CTA_LANE_REGION (UINT64_C(1) << 28) /* a lane's long log, a guard and its deep stack */
enum { CTA_SMALL_REGION = 1 << 16, CTA_SHORT_LOG = 2560 };

/* The end of a lane's stack, behind which its short log lies. Small stacks lie side by side, so
 * that they take few pages of the host's, and have no guards; deep ones have. They are at different
 * offsets in the regions of the lanes: at equal ones they would all fall into the same sets of
 * caches. */
static inline uint64_t cta_stack_top(uint32_t lane, bool deep)
{
    uint64_t from_end = CTA_SHORT_LOG + 512 + lane % 31 * 128;
    if (deep) return CUDA_STACKS + (lane + 1) * CTA_LANE_REGION - from_end;
    return CUDA_SMALL_STACKS + (uint64_t)(lane + 1) * CTA_SMALL_REGION - from_end;
}

enum lane_state {
    LANE_DONE,
    LANE_READY,
    LANE_FULL,    /* its log has no room */
    LANE_BARRIER, /* waits for the CTA */
    LANE_MEET,    /* waits for the lanes of a mask */
    LANE_ACTIVE,  /* asks who comes along */
    LANE_GRID     /* waits for all CTAs */
};

enum meet_kind { MEET_SYNC, MEET_SHUFFLE, MEET_VOTE, MEET_MATCH, MEET_MMA };
enum vote_kind { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum barrier_kind { BARRIER_PLAIN, BARRIER_COUNT, BARRIER_AND, BARRIER_OR };

/* Why a launch failed, where the runtime's error depends on it. */
enum cta_fault { FAULT_ADDRESS, FAULT_CROOKED, FAULT_ENDLESS, FAULT_ASSERTION, FAULT_TRAP };

struct lane {
    void *sp;
    enum lane_state state;
    bool over;             /* its last visit is over: it stands between two pieces, or has ended */
    uint32_t *log, *visit; /* beginning and end of the visits */
    uint64_t *log_end, *word;
    uint32_t depth, tid[3];
    uint32_t logs, waits; /* that it has filled; how often it has waited */
    /* what it waits with */
    enum meet_kind meet;
    uint32_t kind, line, argument, bound;
    uint64_t mask, value, result;
    /* what it last looked at before an access by which lanes wait, and how often */
    uint64_t seen_address, seen_value, streak;
    /* what was merged: visits from the beginning of the log, and the words above this one */
    size_t taken;
    const uint64_t *rest;
};

struct cta_launch {
    const char *name;
    void (*run)(void **args);
    void **args;
    const struct kernel_code *code;
    uint32_t grid[3], block[3], shared_bytes;
    uint32_t lanes, warps;
    bool cooperative;   /* its CTAs may wait for one another */
    size_t shared_most; /* bytes that the kernel may have */
};

extern struct cta_state {
    const struct cta_launch *launch;
    struct lane *lane;
    struct lane *running;
    uint32_t cta[3];
    uint64_t number;      /* of the CTA in the launch */
    uint64_t waits, logs; /* of the CTA's lanes: how often they waited, and filled a log */
    enum cta_fault fault;
    uint32_t width; /* lanes of a warp: 32; 64 of programs that were compiled for HIP */
} cta;

bool cta_init(void); /* false: no memory at the places */
/* Runs all CTAs. false: cta_error says why. */
bool cta_run_launch(const struct cta_launch *l);
const char *cta_error(void);
/* Ends the launch with an error; adds kernel, source line, CTA and thread. line 0: unknown; lane
 * NULL: none. */
_Noreturn void cta_fail(const struct lane *lane, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline struct cuda_now *cta_now(void)
{
    return (struct cuda_now *)CUDA_NOW;
}
/* Makes the lanes of the CTA that cta.cta and cta.number name; runs them until all have ended or
 * wait for the grid. true: they wait. */
void cta_prepare(void);
void cta_wake(struct lane *l); /* from a barrier: its log is empty */
bool cta_go_on(void);
/* Gives back what the threads of the CTA have freed (device_calls.c). */
void device_release(void);
/* Runs the CTAs of a cooperative launch, in turns (cooperative.c). */
void cta_run_cooperative(void);
/* Calls a function for each CTA of the launch, in order. */
void cta_each(void (*run)(void));
/* Lets the running lane wait in a state; comes back when it goes on. */
void cta_wait(enum lane_state state);
