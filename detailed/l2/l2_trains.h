/* l2_trains.h - requests for several sectors in the look-up pipeline of a slice: they came as
 * trains of packets, whose packets may have crossed the network between each other's. */
#pragma once

#include "detailed/l2/l2.h"

/* Whether the next train of the network has its turns at the slice's ports. */
bool l2_train_enters(struct l2_slice *s, uint32_t more, uint64_t noc_now, uint64_t now);
/* Cycles by which a train's look-up ends sooner than its last packet's: the first came earlier. */
uint32_t l2_train_early(const struct l2_slice *s, uint32_t more);
/* Decides the requests at the end of the look-up, a train as one or, where trains for its line
 * crossed the network between its packets, sector by sector with these. taken: ports that are not
 * left. false: the head waits. */
bool l2_decide_trains(struct l2_slice *s, uint32_t taken, uint64_t now);

/* The request's sectors behind the next to look up. */
uint32_t l2_train_rest(const struct l2_slice *s, uint32_t req);
/* The request, of which so many sectors are left, goes on behind a part of 1 + more of them. */
static inline void l2_begin_part(struct req *r, uint32_t left, uint32_t more)
{
    bool first = !r->looked_up, last = 1 + more == left;
    if (first && !last) r->open++;
    if (last && !first) r->open--;
    r->looked_up = (r->looked_up + 1u + more) & 7u;
}

/* --- l2.c --- */
/* Decides a request at the end of its look-up; false: it must wait. */
bool l2_decide_head(struct l2_slice *s, uint32_t req, uint64_t now);
