/* reuse_observer.h - the memory of one SM in the pass that makes profiles: it observes reuse
 * (gpu/functional/execution/memory_ops.h).
 *
 * It keeps no tags: reuse distances say what an L1 of every capacity would hold, and what goes on
 * to the L2 leaves as a stream, which profile_build.c merges with those of the other SMs. Time is
 * nominal, so that a profile serves many machines: a load that hits an L1 of the view's sets and
 * ways takes PASS_HIT cycles; what misses goes through a pipe of PASS_BYTES per cycle,
 * PASS_NEAR_BYTES where the L2 has it, and takes the view's way to the L2 or to memory more, with
 * some scatter, as contention has it. Lines enter the L1 in order, one a cycle, and wait while the
 * pipes have no place. An instruction waits for an entry of the vector memory buffer where the view
 * has one. So warps drift apart, those that lead wait for memory while
 * others catch up, and where bandwidth is the limit the scheduler decides who gets ahead.
 *
 * reuse_observer.c says what a memory instruction does, observer_lines.c what each of its lines
 * does, observer_counts.c what is counted, observer_sync.c what leaves the L1 at acquires and
 * releases.
 *
 * Times are cycles of the launch. Memory: reuse_observer_init and the operation `launch` allocate.
 * Source: Nugteren et al. 2014 (emulated scheduling with delayed insertion), simplified; the
 * nominal bandwidth is that of the presets' machines, 5 to 10 bytes per SM and cycle. */
#pragma once

#include "estimator/profile/dependence.h"
#include "estimator/profile/sector_reuse.h"
#include "estimator/reuse/bypass_predictor.h"
#include "estimator/reuse/fetch_arrivals.h"
#include "estimator/reuse/followed_lines.h"
#include "estimator/reuse/l1_bank_turns.h"
#include "estimator/reuse/l1_store_lines.h"
#include "estimator/reuse/line_accesses.h"
#include "estimator/reuse/nmoesi_sharers.h"
#include "estimator/reuse/page_reuse.h"
#include "estimator/reuse/register_observer.h"
#include "estimator/reuse/schedule_log.h"
#include "estimator/reuse/stream.h"
#include "gpu/functional/execution/memory_ops.h"
#include "gpu/functional/execution/warp_admission.h"
#include "gpu/geometry/bank_conflicts.h"
#include "gpu/pages/page_table.h"

enum { L2_SHARES = 64, L2_SHARE_LENGTH = 1024 };
struct l2_share { /* of lines that the L2 had, over the last L2_SHARE_LENGTH */
    double mean;
    uint32_t n;
};
enum { PASS_PIPES = 4 }; /* which the bandwidth is divided among */

struct pass_tallies {           /* added over SMs */
    struct launch_profile sums; /* scalars only */
    struct hit_tally wait_far;
    double balance, balance_n;
    double held, beside, elapsed; /* cycles with warps held; warps that may run over all; cycles */
    double longest, longest_began, longest_missed, missed, end; /* alone; in the pass's time */
};

struct observed_warp {
    double began;
    struct depend depend;
    uint32_t since_wait; /* load transactions since the last wait */
    uint32_t farthest;   /* of them */
    uint32_t page;       /* the same in pages: page_reuse.h */
    bool missing;        /* one of them is not in the L1 */
    bool stored;         /* a store since then */
    bool unreleased;     /* a store since its last release or barrier */
    bool waited;         /* its last instruction did */
    bool loaded;         /* it has waited for loads since its last barrier */
    uint64_t alone;      /* cycles so far if it were the only one */
    uint32_t instructions, waits, missed;
    uint8_t last;        /* class of arithmetic, or OP_BARRIER */
    uint32_t waited_for; /* changes when what it has fetched so far is there */
};

struct line_fetch {
    uint64_t back;
    uint32_t warp, waited_for; /* whose it is, and of which its own was then */
};

struct observed_cta {
    uint32_t number; /* in the order in which the SM began its CTAs */
    uint32_t ended;  /* warps */
    /* warps that have come to the present barrier; that waited for loads since the last one */
    uint32_t arrived, waiting;
    double longest, sum;    /* of its warps: from begin to end, */
    double most_work, work; /* ... and each alone */
};

/* A line's fetch that may be under way; lines share places by chance, the last one has it. */
enum { PASS_FLIGHTS = 2048 };
struct pass_flight {
    uint64_t line, began, back;
    uint32_t launch;   /* of reuse_observer.launches; else the place is empty */
    uint32_t acquires; /* of the SM when it began */
    uint32_t warp;     /* whose it is */
    uint32_t wanted;   /* times that others came for it before or after an acquire, so far */
    uint16_t waiters;
    uint8_t mask; /* sectors */
    bool passed;  /* a store went by */
};

struct reuse_observer {
    const struct profile_view *v;
    const struct followed_lines *followed;
    uint32_t sm, warps_per_cta;
    bool counted; /* a warp has begun in this launch; if none has, nothing is to be forgotten */
    /* its clock counts cycles, so that ages do not depend on how close accesses come */
    struct chain l1;
    uint32_t l1_began; /* its clock at time 0 of the launch */
    struct stream out;
    struct schedule_log log;
    bool logs;
    struct observed_warp *warp; /* by the functional machine's numbers */
    struct observed_cta *cta;   /* by slot */
    struct depend_reg *regs;
    struct copy_groups *copies; /* of each warp; used where the launch has copies */
    const struct launch *launch;
    uint64_t *issued; /* [n_code]: how often the launch issued each instruction of the code */
    struct register_observer registers;
    struct conflict_memo conflicts;
    struct l1_bank_turns banks;
    struct page_reuse page_reuse;
    uint32_t farthest_page; /* of the present instruction */
    size_t warp_cap, cta_cap, reg_cap, copies_cap, issued_cap;
    struct warp_admission *admission; /* hears of the accesses; NULL: no policy asks */
    struct lru_lines lines;           /* with a policy that asks what left the L1 (LRU, any set) */
    struct l1_store_lines *store_lines; /* NULL: every store goes down at once */
    struct l1_ways ways;                /* of an L1 without a protocol, by the view */
    struct bypass_predictor *predictor; /* NULL: hints alone say what goes round the L1 */
    uint64_t pipe[PASS_PIPES];          /* when each is free */
    uint64_t now;                       /* the quantum's beginning */
    double door;                        /* when the L1 has taken all accesses so far */
    double *taken;   /* [l1_queue]: when it took each of the last; a ring, the oldest at */
    uint32_t oldest; /* ... `oldest` */
    double *buffer;  /* [vmb]: when each entry is free, a min-heap */
    double released; /* when the youngest entry is free */
    size_t fetch_cap;
    struct line_fetch *fetch; /* [L1 line id]: its last */
    struct pass_flight flight[PASS_FLIGHTS];
    struct fetch_arrivals arrivals; /* of the same fetches, all of them */
    struct fetch_arrival
        *reserved; /* [l1_sets * l1_ways]; NULL: lines take none before they come */
    uint64_t
        held[PROFILE_JOINS]; /* by waiters: when the fetch began that was last waited for, + 1 */
    uint32_t acquires, launches;
    const struct chain *l2;         /* what has gone to the L2, of all SMs, by */
    const struct page_table *pages; /* ... physical addresses; NULL: no pages are placed */
    /* of the last lines that each instruction missed and the profile follows, how many it had; of
     * those that were new to this SM */
    struct l2_share l2_share[L2_SHARES][2];
    struct sharers *sharers; /* which lines others have, too */
    struct hash_map stored;  /* lines, since the last release; where the L1 keeps its own */
    double work;             /* of warps that have ended: cycles that each would take alone */
    struct pass_tallies t;
    /* of the present instruction */
    uint64_t fetched[COALESCE_MAX]; /* lines */
    uint32_t n_fetched;
    uint32_t acting, name; /* its warp; by its name on the SM */
    uint32_t code;         /* its number in the launch's table */
    uint64_t busy;         /* the time at which its next access enters the L1 */
    uint64_t met;          /* latest of those that it met */
    uint64_t latest, back; /* of its sectors: out of their pipes, and back */
    bool missed;
    uint32_t chance, range; /* of its latency if it missed: the part that is chance, below range */
    struct line_accesses accesses;
};

/* Precondition: *s is zeroed. v and followed outlive the observer, whose owner sets `sm` and
 * `logs`. Call reuse_observer_fini even if it fails; false: no memory. */
bool reuse_observer_init(struct reuse_observer *s, const struct profile_view *v,
                         const struct followed_lines *followed);
void reuse_observer_fini(struct reuse_observer *s);
/* The policies that hear of the accesses; the caller's. */
void reuse_observer_hears(struct reuse_observer *s, struct warp_admission *admission);
/* Adds what one SM has counted in the launch to the others'. */
void reuse_observer_add_tallies(const struct reuse_observer *s, struct pass_tallies *t);
extern const struct func_memory_ops reuse_observer_ops;

/* --- between this header's files --- */
/* --- observer_lines.c --- */
/* The present instruction accesses sectors of a line; a store writes `parts` of them completely.
 * Returns the distance of the farthest. */
uint32_t reuse_observer_line(struct reuse_observer *s, const struct warp_inst *w, uint64_t line,
                             uint32_t mask, uint32_t parts);
/* Lines that are back by the time of the present access become the youngest. */
void reuse_observer_see_arrivals(struct reuse_observer *s);
/* The present instruction's data are back then. */
void reuse_observer_fetched_until(struct reuse_observer *s, uint64_t ready);
/* --- observer_counts.c --- */
void reuse_observer_begins(void *memory, uint32_t warp, double time);
void reuse_observer_issues(void *memory, const struct func_issue *i);
void reuse_observer_ends(void *memory, uint32_t warp, double time);
/* --- observer_sync.c --- */
void reuse_observer_empty_l1(struct reuse_observer *s);
void reuse_observer_note_stored(struct reuse_observer *s, uint64_t line);
void reuse_observer_acquire(void *memory, uint32_t sm, double time);
void reuse_observer_release(void *memory, uint32_t sm, double time);
