/* schedule_log.h - what an SM that is run in full tells the SMs that follow its schedule
 * (sm_replay.h): which warp accessed memory when, and what became of it.
 *
 * CTAs are counted in the order in which the SM began them, warps in their CTA. A CTA's first event
 * says that it began; it has no accesses.
 *
 * Units: cycles of the launch. Ownership: the log owns its arrays; events refer to the stream that
 * the SM appends to at the same time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedule_event {
    uint64_t time;
    uint32_t cta;
    uint32_t op, ops; /* its first one in the SM's stream, and how many; ops 0: none, or `begins` */
    uint32_t slot;    /* of the CTA on the SM */
    uint16_t warp, code; /* code: the static instruction's number in the launch */
    bool begins;
    /* of an access that missed: the part of its latency that is chance, below `range` */
    uint32_t chance, range;
};

struct schedule_log {
    struct schedule_event *at;
    const struct schedule_event **sorted; /* [n] after schedule_log_sort */
    uint32_t *place;
    size_t n, cap, sorted_cap, place_cap;
    uint32_t begun; /* CTAs of the launch so far */
};

void schedule_log_fini(struct schedule_log *l);
/* Appends an event, to be filled in by the caller; NULL: no memory. */
struct schedule_event *schedule_log_add(struct schedule_log *l);
/* Sorts the events by CTA, then by warp, then as they came. false: no memory. */
bool schedule_log_sort(struct schedule_log *l, uint32_t warps_per_cta);
