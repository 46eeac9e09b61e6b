/* inclusion_model.h - an inclusive L2: the copies that L1s have of a victim, or had, leave before
 * it.
 *
 * Who read a line since it was fetched is asked, and an L1 that dropped it without a word is asked
 * in vain: the lines that loads brought, as many SMs each as so many reads by chance come from.
 * With a directory, which is told of what leaves, the lines that L1s still hold.  Question and
 * answer are a packet each way; the answer is looked up like a request.
 *
 * A miss waits for the answers where its victim leaves first (conventional management); beside an
 * FRC the entry waits.  The answers stand behind what waits at the slices, and behind requests that
 * a full MSHR file sends back and that come again: as many as wait for an MSHR, and find places.
 *
 * Not in it: L1 hits that recalls take.
 * Source: Candel 5.4, 6.4.1; the cycle model's detailed/coherence/back_invalidate.c. */
#ifndef PLUMB_ESTIMATOR_CACHE_INCLUSION_MODEL_H
#define PLUMB_ESTIMATOR_CACHE_INCLUSION_MODEL_H

#include "estimator/model/launch_model.h"

/* Once for a launch, after l2_miss_init. */
void inclusion_init(struct launch_model *m);
/* Under the last answer's load: cycles from the question to the last answer. */
double inclusion_wait(const struct launch_model *m);
/* Of a round. */
double inclusion_messages(const struct launch_model *m);
/* Every victim is asked for everywhere, one SM after the other. */
void inclusion_worst(struct launch_model *m);

#endif
