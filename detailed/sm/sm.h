/* sm.h - one streaming multiprocessor: CTA slots, warps, sub-cores with schedulers and units,
 * load/store unit, L1.
 *
 * Each sub-core issues at most one instruction per cycle, in order per warp. A warp's next
 * instruction may issue when the registers that it reads and writes are ready (scoreboard), its
 * unit is free, and the memory rule of gpu/machine/params/sm.h allows it. A warp ends when its
 * stream has ended and all its outstanding accesses have completed, stores only if
 * sm.exit_waits_for_stores says so; its CTA ends with its last warp. A launch is over when its CTAs
 * have ended and no store is in flight.
 *
 * How it is fast: a sub-core sleeps until the earliest cycle at which one of its warps could issue;
 * warps that wait for memory or at a barrier have no such cycle and are woken by what they wait
 * for.
 *
 * Files: sm.c (step, completion), sm_expect.c (prefetches for the host), stall_account.c (lost
 * issue slots), issue.c (effects of an instruction), copies.c (asynchronous copies), release.c
 * (releases that are markers), cta.c (dispatching, placing and ending CTAs), vmb.c (vector memory
 * buffer), merged_access.c (merged accesses), warp_admission.c (the interface to schedulers and
 * throttles), operands.c (the register file), translate.c (the TLB). What is decided rather than
 * timed is in gpu/policies. */
#pragma once

#include "base/memory/histogram.h"
#include "base/memory/pool.h"
#include "detailed/counters/locality.h"
#include "detailed/l1/l1.h"
#include "detailed/scalar/scalar_cache.h"
#include "detailed/sm/launch_run.h"
#include "detailed/sm/vmb.h"
#include "detailed/translation/l1_tlb.h"
#include "gpu/geometry/bank_conflicts.h"
#include "gpu/geometry/coalesce.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/geometry/register_map.h"
#include "gpu/machine/params/coherence/coherence.h"
#include "gpu/policies/admission.h"
#include "gpu/policies/cta_barrier.h"
#include "gpu/policies/cta_dispatch.h"
#include "gpu/policies/exec_unit.h"
#include "trace/program/cursor.h"

enum warp_state {
    WARP_FREE,
    WARP_RUNS,         /* waits at most for registers with a known time */
    WARP_WAITS_MEMORY, /* for loads or stores in flight */
    WARP_AT_BARRIER,
    WARP_RELEASES, /* waits until its release is over (release.c) */
    WARP_EXITED    /* its stream is over, accesses are outstanding */
};

/* A warp's asynchronous copies (copies.c). */
struct warp_copies {
    uint32_t first, last; /* oldest and youngest in flight; set where there are some */
    uint32_t committed;   /* groups; the open one has this number */
};

/* The fields that an instruction touches lie in three cache lines of the host. */
struct warp {
    struct warp_inst inst; /* the next to issue */
    uint64_t *reg_ready;   /* [registers] cycle, REG_PENDING = a load in flight */
    uint64_t issue_after;  /* earliest cycle that the front end allows */
    uint64_t blocked_since;
    uint32_t loads, stores; /* vector memory instructions outstanding */
    /* With a register file: instructions in collectors, and results that are not written yet. */
    uint32_t collecting, results;
    uint32_t cta;      /* slot of its CTA */
    uint8_t state;     /* enum warp_state */
    bool released : 1; /* its release is over, for the next instruction */
    bool stored : 1;   /* since its last release */
    bool carries : 1;  /* its next store is that of the release before it (StRel) */
    bool copies : 1;   /* asynchronous copies are in flight */
    uint64_t started;
    /* large: its last fields are rarely used, and never before they were set. */
    struct cursor cursor;
    struct warp_copies copy;
    /* Padding, so that not all warps begin in the same sets of the host's caches. */
    uint64_t apart[8];
};
_Static_assert(sizeof(struct warp) % 128 == 64, "an odd number of cache lines");

enum stall_cause {
    CAUSE_NONE,
    CAUSE_MEMORY,
    CAUSE_COMPUTE,
    CAUSE_BARRIER,
    CAUSE_MSHR,
    CAUSE_NOC,
    CAUSE_N
};

/* The fields that each step reads come first: three cache lines of the host. */
struct subcore {
    uint64_t awake; /* resident slots with a known earliest issue */
    uint64_t stuck; /* slots whose ready memory instruction found no room; they wait for memory */
    uint64_t accounted;     /* issue slots before this cycle are in the statistics */
    enum stall_cause cause; /* why the sub-core did not issue at its last step */
    double
        unit_free[UNIT_OWN_N]; /* a unit takes an instruction in the cycle that this falls into */
    struct admission_subcore warps;
    uint64_t used;                    /* slots that have had a warp since sm_clear */
    uint8_t unit[SM_SUBCORE_SLOTS];   /* enum unit of the next instruction, plus UNIT_COLLECTED with
                                         a register file */
    uint64_t ready[SM_SUBCORE_SLOTS]; /* earliest issue, UINT64_MAX = woken by an event */
    uint32_t nth[SM_SUBCORE_SLOTS];   /* number of the warp in its CTA */
};

struct cta_slot {
    bool active;
    uint64_t cta;
    uint32_t warps, present; /* present: not ended */
    struct cta_barrier barrier;
    uint16_t slot[CTA_MAX_WARPS]; /* subcore * SM_SUBCORE_SLOTS + slot */
};

/* A vector memory instruction in flight, or a bundle of merged accesses (merged_access.c). */
struct vinst {
    uint64_t born;
    uint32_t warp; /* subcore * SM_SUBCORE_SLOTS + slot */
    union {
        uint32_t left;  /* accesses to complete */
        uint32_t first; /* of a bundle: oldest member */
    };
    union {
        uint32_t to_issue; /* accesses that have not entered the L1 */
        uint32_t last;     /* of a bundle: youngest member */
    };
    uint32_t next; /* pool; of a copy in flight: its node */
    uint32_t vmb;  /* its buffer entry; VMB_NONE: a scalar load has none */
    uint32_t code; /* position of its instruction in the code */
    uint16_t dst;
    bool release; /* a release of its warp, or of the kernel if warp is UINT32_MAX; counts as a
                     bundle */
    bool load;    /* returns data: loads and atomics with a destination */
    bool copy;    /* a load that is an asynchronous copy */
    bool bundle;
};

struct bundle_node {
    uint32_t vinst, next;
};

struct bundle_pool {
    struct bundle_node *node;
    struct pool nodes;
};

struct copy_node {
    uint32_t group, older, younger; /* younger: the next free one, too */
};

struct copy_pool {
    struct copy_node *node;
    struct pool nodes;
};

#define SM_STATS(C, M)                                      \
    M(instructions, warp_instructions, true)                \
    M(lane_ops, lane_operations, true)                      \
    M(masked_ops, masked_operations, true)                  \
    M(memory_lanes, lane_requests, true)                    \
    M(slots, issue_slots, true)                             \
    M(warps, warps, true)                                   \
    C(warp_cycles, "cycles from a warp's start to its end") \
    C(matrix, "instructions of matrix units")               \
    M(warp_memory, warp_memory, true)
struct sm_stats {
    /* Slots. */
    STATS_MEMBERS(SM_STATS)
    uint64_t stall[CAUSE_N];
    struct histogram *load_latency, *max_latency; /* shared by all SMs */
};

struct resident; /* interval.h */

enum { SM_SIDES = 2 }; /* structures beside the sub-cores: sm_side.h */

/* Whose next instructions a scheduler scores. */
struct subcore_scores {
    const struct sm *sm;
    uint32_t subcore;
};

/* The fields that each step reads come first. */
struct sm {
    struct noc *reply;
    uint64_t core_period, noc_period;
    uint64_t l1_due;       /* when the L1 is due, unless a reply or room arrives earlier */
    uint64_t first_wake;   /* the earliest of `wake` */
    uint32_t wants_memory; /* sub-cores (bits) with a ready warp that found the load/store unit or
                              the buffer full */
    uint32_t with_stuck;   /* sub-cores (bits) that have stuck slots */
    uint32_t id, slots;    /* slots: for warps, per sub-core */
    bool l1_waits;         /* cached l1_waits of its L1: see sm_l1_touched */
    bool governed;         /* not all runnable warps may issue (warp_admission.c) */
    struct register_file *operands; /* NULL: operands and results cost nothing */
    const struct sm_side_ops *side[SM_SIDES];
    uint32_t sides;
    uint64_t wake[SM_MAX_SUBCORES]; /* when each sub-core is due */
    const struct sm_params *p;
    struct subcore *sub; /* [subcores] */
    struct warp *warp;   /* [subcores * slots], set from their first use on; see sm_warp */
    struct vinst *vinst;
    struct conflict_memo conflicts; /* of shared memory */
    uint32_t vinst_cap, vinst_free, vinsts;
    uint32_t ctas, next_subcore; /* next_subcore: of the next CTA's first warp */
    uint32_t first_subcore; /* the first sub-core to be offered the shared units: they take turns */
    /* the cycle at which the dispatcher gives it the CTA `promised`; UINT64_MAX: none is */
    uint64_t turn, promised;
    struct cta_slot *cta; /* [max_ctas] */
    uint64_t *registers;  /* [subcores * slots * register_cap] */
    uint32_t register_cap;
    uint32_t fill_ports;
    uint64_t fills_used; /* turns at them: port.h */
    struct launch_run *run;
    struct launch_counts *counts;
    struct occupancy occ;
    /* Accesses before the look-up with which the next instruction may issue. */
    uint64_t access_room;
    struct l1_tlb *tlb;    /* NULL: translation costs nothing */
    uint64_t untranslated; /* accesses that wait before the TLB's look-up */
    /* Next cycle at which such an instruction may issue. */
    uint64_t memory_free, shared_free, scalar_free;
    struct vmb vmb;
    struct l1 l1;
    struct reader *reader;
    struct scalar_cache *scalar; /* shared with other SMs; NULL: there is none */
    bool l1_limits;              /* the L1 takes only so much of an instruction in a cycle */
    uint32_t access_bytes;       /* size of a transaction: coalesce_bytes, at most the L1's grain */
    struct subcore_scores scores[SM_MAX_SUBCORES];
    struct bundle_pool bundles;
    struct copy_pool copies;
    struct admission admission;
    const struct placement *placement; /* NULL: addresses are physical */
    struct locality *locality;         /* NULL: not counted */
    struct site_counters *sites;       /* NULL: not counted */
    uint32_t *site_of; /* [site_cap] by vinst: position of its instruction in the code */
    size_t site_cap;
    struct sm_stats s;
    struct error *error; /* first failure, owned by the simulation */
    bool failed;
    /* SMs are stepped at the same time, and get their CTAs afterwards in the order of their
     * numbers: sm_dispatch_in_order. */
    bool in_parallel;
    bool asks_cta;
};

/* A function with an argument `collects` that is compiled for machines without a register file,
 * which pay nothing for it, and for those whose instructions are collected. */
#define FOR_BOTH static inline __attribute__((always_inline))

#define REG_PENDING UINT64_MAX
#define REG_IN_FLIGHT (UINT64_MAX - 1) /* a result whose time is not known yet */

struct sm_wiring {
    const struct sm_params *sm;
    const struct register_file_params *register_file;
    const struct l1_params *l1;
    uint32_t l2_sector; /* bytes of the largest request */
    const struct tlb_params *tlb;
    const struct l1_wiring *l1_wiring; /* outlives the SM; done = sm_vinst_done, issued =
                                          sm_vinst_issued, join = sm_vinst_join */
    const struct wiring *wiring;       /* outlives the SM */
    struct noc *reply;
    struct reader *reader;
    struct launch_run *run;
    struct histogram *load_latency, *max_latency;
    struct locality *locality; /* NULL: not counted */
    struct error *error;
};

bool sm_init(struct sm *s, uint32_t id, const struct sm_wiring *w);
void sm_fini(struct sm *s);
void sm_clear(struct sm *s);
/* Prepares for a launch: capacity split, registers.  false: no memory. */
bool sm_launch(struct sm *s, const struct occupancy *occ, uint64_t now);
uint64_t sm_step(struct sm *s, uint64_t now);
/* Prefetches what the replies of a cycle will touch: called with all SMs and the cycles at which
 * they are due, before SMs first..end-1 are stepped. */
void sm_expect(const struct sm *all, const uint64_t *due, uint32_t first, uint32_t end,
               uint64_t cycle);
/* With in_parallel, behind the steps of a cycle: gives the SM, if it has asked, its CTA. Returns
 * when the SM is due for it, UINT64_MAX: not. */
uint64_t sm_dispatch_in_order(struct sm *s, uint64_t now);
bool sm_idle(const struct sm *s); /* whether it has no CTA and its L1 holds nothing but tags */
void sm_account(struct sm *s, uint64_t now); /* statistics up to `now` */
bool sm_check(const struct sm *s);
void sm_stuck(const struct sm *s, struct text *out);

/* --- between the files of this folder
 * ---------------------------------------------------------------------------- */
/* --- stall_account.c --- */
/* Counts the issue slots since the sub-core's last step as lost for the cause of that step. */
void sm_account_stall(struct sm *s, struct subcore *sc, uint64_t now);
/* The cause of a sub-core that issues nothing and wakes at `wake` (UINT64_MAX: when it is woken).
 */
enum stall_cause sm_classify_stall(const struct sm *s, const struct subcore *sc, uint64_t wake);

/* --- cta.c --- */
/* Places a CTA if there is room and one is left, or asks the dispatcher for its turn; returns when
 * to call it again. */
uint64_t sm_dispatch(struct sm *s, uint64_t now);

/* Places a CTA if it fits. r: how far it is, and the slots of its warps, which must be free; NULL:
 * it begins, in any. */
bool sm_place(struct sm *s, uint64_t cta, const struct resident *r, uint64_t now);
/* Fetches the next instruction into warp->inst, or ends the warp. */
void sm_fetch(struct sm *s, uint32_t warp, uint64_t now);
void sm_refresh(struct sm *s, uint32_t warp, uint64_t now); /* recomputes when the warp may issue */
void sm_issue(struct sm *s, uint32_t warp, uint64_t now);
void sm_issue_collected(struct sm *s, uint32_t warp, uint64_t now); /* the same to its collector */
void sm_end_warp(struct sm *s, uint32_t warp, uint64_t now);
void sm_barrier_check(struct sm *s, uint32_t cta, uint64_t now);
void sm_fail(struct sm *s, const struct error *e);
void sm_vinst_done(void *owner, uint32_t accesses, uint64_t now); /* l1_wiring.done */
void sm_vinst_issued(void *owner, uint32_t accesses);             /* l1_wiring.issued */
uint32_t sm_vinst_warp(const void *owner, uint32_t accesses);     /* l1_wiring.warp_of */
/* l1_wiring.join: one handle for both, UINT32_MAX: no memory. */
uint32_t sm_vinst_join(void *owner, uint32_t into, uint32_t vinst);
uint32_t sm_vinst_new(struct sm *s); /* UINT32_MAX: no memory */
void sm_vinst_free(struct sm *s, uint32_t vinst);
/* Goes on with a warp of which something has come or has left its collector. */
void sm_warp_came(struct sm *s, uint32_t warp, uint64_t now);
/* Cycle at which a unit can take an instruction of the warp; UINT64_MAX: when something completes.
 */
uint64_t sm_unit_free_at(const struct sm *s, const struct subcore *sc, uint8_t unit, uint32_t slot,
                         uint64_t now);
/* The effects of an instruction on its unit. */
void sm_execute(struct sm *s, uint32_t warp, const struct warp_inst *inst, uint8_t unit,
                uint64_t now);
/* --- operands.c: with s->operands --- */
/* Those of the slots that find a collector. */
uint64_t sm_operands_admitted(struct sm *s, const struct subcore *sc, uint64_t slots, uint64_t now);
/* Whether a warp of the sub-core waits for a collector of instructions other than memory's. */
bool sm_operands_wait(const struct sm *s, const struct subcore *sc);
/* The result of a dispatched instruction will be there at `at`; unit: a unit's, or RESULT_*. */
void sm_operands_result(struct sm *s, uint32_t warp, const struct warp_inst *inst, uint32_t unit,
                        uint64_t at);
/* The slot that issues: `slot`, which the scheduler picked of `ready`, or what it picks next if
 * that one lacks an entry of the write buffer; UINT32_MAX: none can issue. */
uint32_t sm_operands_settle(const struct sm *s, const struct subcore *sc, uint32_t slot,
                            uint64_t ready, uint64_t now);
/* Sends the data of a load to its register. */
void sm_operands_loaded(struct sm *s, const struct vinst *v, uint64_t now);
/* Dispatches what has been collected, before the sub-cores issue; whether there was something. */
bool sm_operands_dispatch(struct sm *s, uint64_t now);
/* Takes results and lets the banks serve, after the sub-cores have issued. */
void sm_operands_step(struct sm *s, uint64_t now);
/* Tells the register file of a warp's next instruction. */
void sm_operands_fetched(struct sm *s, uint32_t warp);
/* Issues an instruction to its collector. */
void sm_operands_collect(struct sm *s, uint32_t warp, uint8_t unit, uint64_t now);
/* --- translate.c --- */
/* Data of a page walk that used this SM's port arrive at `now`. */
void sm_translation_reply(struct sm *s, uint32_t req, uint64_t now);
uint64_t sm_translation_due(const struct sm *s);     /* with s->tlb */
uint64_t sm_translation_waiting(const struct sm *s); /* accesses */
/* With s->tlb: sends an access to the TLB instead of the L1. */
void sm_translate(struct sm *s, const struct l1_access *a, uint64_t virtual_addr);
/* Sends accesses whose pages are known to the L1. */
void sm_translation_step(struct sm *s, uint64_t now);
/* --- release.c: under a protocol whose releases are markers --- */
/* Begins a release that must be over before the warp's next instruction; false: it needs none. */
bool sm_release_first(struct sm *s, uint32_t warp, uint64_t now);
/* Begins the release at a kernel's end, if this SM has seen its last CTA; false: not yet. */
bool sm_release_kernel(struct sm *s, uint64_t now);
void sm_release_done(struct sm *s, uint32_t vinst, uint64_t now);
/* How many S-FIFOs an L1 has, and whose an instruction's is (coherence.fifo_scope). */
uint32_t sm_sync_groups(const struct sm_params *p, enum fifo_scope scope);
uint32_t sm_sync_group_of_sm(const void *owner, uint32_t vinst);
uint32_t sm_sync_group_of_cta(const void *owner, uint32_t vinst);
uint32_t sm_sync_group_of_warp(const void *owner, uint32_t vinst);
/* --- copies.c --- */
/* The warp's copy begins, in its open group; false: no memory. */
bool sm_copy_begins(struct sm *s, struct warp *w, uint32_t vinst);
void sm_copy_done(struct sm *s, struct warp *w, uint32_t vinst);
/* Whether the warp's next instruction, a wait for copies, waits. Precondition: w->copies. */
bool sm_copies_block(const struct sm *s, const struct warp *w);
/* --- sm_site_counters.c: with s->sites --- */
void sm_site_issued(struct sm *s, const struct warp_inst *inst, const struct txn *t, uint32_t n);
bool sm_site_begins(struct sm *s, uint32_t vinst, uint32_t code); /* false: no memory */
/* A page of the program lies there; false: no memory. */
bool sm_site_place(struct sm *s, uint64_t addr, uint64_t physical);
void sm_site_done(struct sm *s, uint32_t vinst, uint64_t latency);
/* --- warp_admission.c --- */
void sm_admission_launch(struct sm *s);
/* Which of a sub-core's runnable warps may issue now. */
uint64_t sm_admitted(struct sm *s, struct subcore *sc, uint64_t now);
/* Wakes the sub-cores when a throttle will choose anew: a warp has arrived, ended, reached a
 * barrier or left one. */
void sm_readmit(struct sm *s, uint64_t now);
/* L1_wiring.seen. */
void sm_l1_seen(void *owner, const struct l1_access *a, bool hit, bool miss, uint64_t now);
void sm_l1_left(void *owner, uint64_t block); /* l1_wiring.left */
void sm_bundle_issued(struct sm *s, uint32_t bundle);
void sm_bundle_done(struct sm *s, uint32_t bundle, uint64_t now);
/* Called when the L1 has received something outside of the SM's step. */
static inline void sm_l1_touched(struct sm *s)
{
    s->l1_waits = l1_waits(&s->l1);
}
static inline struct subcore *sm_subcore(struct sm *s, uint32_t warp)
{
    return &s->sub[warp / SM_SUBCORE_SLOTS];
}
/* Warps are named subcore * SM_SUBCORE_SLOTS + slot, and are stored without gaps. */
static inline struct warp *sm_warp(const struct sm *s, uint32_t warp)
{
    return &s->warp[warp / SM_SUBCORE_SLOTS * s->slots + warp % SM_SUBCORE_SLOTS];
}
/* Whether a memory instruction brings data to a register. */
static inline bool sm_returns_data(const struct static_inst *si)
{
    return si->cls == OP_LOAD || (si->cls == OP_ATOMIC && si->dst != REG_NONE);
}
/* Whether nothing of the warp is under way for which it keeps its slot. */
static inline bool sm_warp_is_quiet(const struct sm *s, const struct warp *w)
{
    return !w->loads && (!w->stores || !s->p->exit_waits_for_stores) && !w->results &&
           !w->collecting && !w->copies;
}
/* Whether the store's warp has ended, so that the slot is free or another's: who begins in a cycle
 * issues in a later one. */
static inline bool sm_store_is_behind(const struct warp *w, const struct vinst *store)
{
    return w->state == WARP_FREE || store->born <= w->started;
}
static inline void sm_set_ready(struct sm *s, uint32_t warp, uint64_t at)
{
    struct subcore *sc = sm_subcore(s, warp);
    uint64_t bit = UINT64_C(1) << warp % SM_SUBCORE_SLOTS;
    sc->ready[warp % SM_SUBCORE_SLOTS] = at;
    if (at == UINT64_MAX) {
        sc->awake &= ~bit;
        return;
    }
    sc->awake |= bit;
    uint64_t *wake = &s->wake[warp / SM_SUBCORE_SLOTS];
    if (at < *wake) *wake = at;
    if (at < s->first_wake) s->first_wake = at;
}
