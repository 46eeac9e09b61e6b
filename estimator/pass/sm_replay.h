/* sm_replay.h - an SM of the pass that makes profiles which is not run in full: its warps follow
 * the schedule of an SM that is (schedule_log.h).
 *
 * The n-th CTA of this SM accesses memory when the other SM's n-th CTA does, but for chance: where
 * a latency of the other's has a part by chance, this one draws its own, and its warps drift away.
 * Times are PASS_LAG later than the other SM's, so that a warp can also be ahead. Addresses are its
 * own; what its L1 lets through is what the other's let through. Accesses to lines of the L2 that
 * the profile follows leave it, a few others by chance, and what the view asks for. Nothing else is
 * executed.
 *
 * Where a warp here has more accesses than the other's, the rest comes when the slot gets its next
 * CTA; where it has fewer, it ends sooner.
 *
 * Memory: grows with the launch's warps on an SM. Threads: replays of one reader in one thread. */
#pragma once

#include "estimator/reuse/followed_lines.h"
#include "estimator/reuse/line_accesses.h"
#include "estimator/reuse/schedule_log.h"
#include "estimator/reuse/stream.h"
#include "gpu/policies/cta_dispatch.h"
#include "trace/program/cursor.h"

enum { REPLAY_CODES = 64 };

struct replay_warp {
    struct cursor cursor;
    int64_t behind; /* the other SM's warp, cycles */
    uint64_t last;  /* time of its last access */
};

struct sm_replay {
    const struct profile_view *v;
    const struct followed_lines *followed;
    struct stream out;
    double instructions[STREAM_KINDS]; /* accesses of the launch so far, by kind */
    double sectors[STREAM_KINDS];      /* their transactions, in sectors */
    /* sectors that go on behind the L1, estimated from the accesses that were chosen */
    double passed[STREAM_CLASSES];
    /* of the launch */
    uint32_t launch, slots, warps_per_cta;
    struct cta_share share;
    bool ended;
    uint64_t longest;         /* instructions of the longest warp that has ended */
    uint64_t from;            /* when the present window begins */
    struct replay_warp *warp; /* [slot * warps_per_cta + warp] */
    uint64_t *open;           /* [slot] number of the CTA in the launch + 1; 0: none */
    size_t warp_cap, open_cap;
    /* the other's last access by each static instruction, by its number modulo the size */
    struct stream_op usual[REPLAY_CODES];
    bool known[REPLAY_CODES];
    struct random_choice choice;
    uint32_t line_shift; /* log2 of the L2's line */
    struct rng rng;
};

struct replay_source {
    struct reader *reader;
    struct line_accesses *scratch;
    const struct schedule_log *log; /* sorted */
    const struct stream *stream;    /* that the log refers to */
    enum stream_view view;          /* which accesses leave */
    uint64_t from;                  /* when the window begins */
};

/* *r is zeroed; v and followed outlive it. */
void sm_replay_init(struct sm_replay *r, const struct profile_view *v,
                    const struct followed_lines *followed, uint32_t number);
void sm_replay_fini(struct sm_replay *r);
/* Begins a launch on the SM with that share of the CTAs; false: no memory. */
bool sm_replay_launch(struct sm_replay *r, uint32_t launch, const struct launch *l, uint32_t slots,
                      struct cta_share share);
/* Follows the events of the log; appends to r->out. */
bool sm_replay_run(struct sm_replay *r, const struct replay_source *from, struct error *e);
/* The other's launch has ended at `time`: all that is left comes. begun: CTAs that it began. */
bool sm_replay_end(struct sm_replay *r, const struct replay_source *from, uint32_t begun,
                   uint64_t time, struct error *e);
