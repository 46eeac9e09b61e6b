/* sm_group_internal.h - the SMs of a profile pass, shared by sm_group.c (which SMs and CTAs are
 * run, and what they stand for) and sm_group_window.c (runs them for a window of time). */
#pragma once

#include "estimator/pass/sm_group.h"

/* What some of the SMs read the program with, in one thread at a time. */
struct group_reader {
    /* of SMs that are run in full; of those that follow, NULL where none does */
    struct reader *full, *follow;
    struct line_accesses scratch;
};

struct sm_group {
    const struct profile_view *v;
    const struct program *program;
    struct pass_plan plan;
    unsigned threads;
    struct team *team;
    struct sm_pass **full;        /* [plan.full] */
    bool *done;                   /* [plan.full] in this launch */
    struct error *errors;         /* [view->sms] */
    struct sm_replay *replay;     /* [view->sms], by SM; used for those that are not run in full */
    struct group_reader **reader; /* [threads] */
    /* of the launch */
    const struct launch *launch;
    uint32_t index, running; /* running: of plan.full, those that have CTAs */
    uint32_t *leader; /* [view->sms] number in `full` of the SM that this one follows; its own if
                         run in full */
    uint32_t *home;   /* [plan.full] its SM */
    /* CTAs that are run: those below head, and from middle to end - 1; head == middle: all */
    uint64_t head, middle, end;
    double in_full;                /* share of the CTAs that run in full */
    double passed[STREAM_CLASSES]; /* sectors, of those run in full */
    struct random_choice choice;   /* of their accesses */
    /* of the window */
    uint64_t from, until;
    enum stream_view view;
    const struct stream_op **order;
    uint16_t *order_sm;
    uint32_t *slot; /* for the counting sort */
    size_t order_cap, order_sm_cap, slot_cap;
    size_t window_n, n; /* in the window; with those of the first SM */
    bool later;         /* some accesses are later than the window */
};

/* Whether the SM is not run in full, but replays what another one has done. */
static inline bool sm_group_follows(const struct sm_group *g, uint32_t sm)
{
    return g->home[g->leader[sm]] != sm;
}
