/* sim_shares.h - between sim_shares.c, which divides a machine for threads, and sim_threads.c,
 * which steps what is divided. */
#pragma once

#include "base/run/team.h"
#include "detailed/core/sim_internal.h"

/* Consecutive objects of a kind that one thread steps in a go, and what that leaves for the others:
 * a cache line of the host each. */
struct sim_share {
    _Alignas(64) struct kind_run run;
    _Alignas(64) uint64_t soonest; /* as of sim_step_run */
    uint64_t marks;                /* inputs, from the first on, that have a new head: noc_mark */
    struct launch_counts counts;   /* of SMs */
    uint32_t stepped;
    bool refused; /* memory has run out */
};
enum { SHARE_OBJECTS_MAX = 64 /* bits of `marks` */ };

/* The shares of a kind. */
struct sim_shares {
    struct sim_share *share; /* [n]; NULL: one thread steps the kind */
    uint32_t n, work;        /* work: of the team */
    uint32_t stepped;        /* in the last cycle */
    const struct sim_shares
        *load; /* whose steps in a cycle say whether the team is worth its call */
    uint64_t cycle;
    /* Carries out what the steps of a cycle have put off, in the order of the objects; returns when
     * one is due for it. */
    uint64_t (*finish)(struct sim *s, struct sim_shares *x);
};

/* What the SMs of a share have for themselves. */
struct sm_share {
    struct req_pool reqs;
    struct l1_wiring wiring;
    struct reader *reader;
    struct histogram load_latency, max_latency;
    struct error error;
};

struct sim_threads {
    struct team *team;
    struct sim_shares of[KIND_N];
    struct sm_share *sm;          /* [of[KIND_sm].n] */
    struct noc_mark *mark[NOC_N]; /* [inputs] */
    uint32_t reserve;             /* requests that the SMs may take in a cycle */
    bool failed;
};

void sim_shares_step(void *shares, uint32_t i); /* team_work.part */
uint64_t sim_shares_finish_slices(struct sim *s, struct sim_shares *x);
uint64_t sim_shares_finish_sms(struct sim *s, struct sim_shares *x);
