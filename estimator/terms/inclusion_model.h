/* inclusion_model.h - an inclusive L2: before it evicts a victim it recalls the copies that L1s
 * have.
 *
 * The L2 asks every L1 that has read the line since it was fetched; an L1 that dropped it silently
 * is asked in vain.  So it asks for the lines that loads fetched, each at as many SMs as so many
 * randomly distributed reads come from.  With a directory, which L1s notify of evictions, it asks
 * only for lines that L1s still have.  Question and answer are one packet each way; the answer
 * looks up the tags like a request.
 *
 * A miss waits for the answers if its victim leaves first (conventional management); with an FRC
 * the entry waits.  The answers queue behind the requests at the slices, and behind those that a
 * full MSHR file sends back and that come again: as many as wait for an MSHR and find places.
 *
 * L1 hits lost to recalls are not modelled. Source: Candel 5.4, 6.4.1; the cycle model's
 * detailed/l2/back_invalidate.c. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Called once for a launch, after l2_miss_init. */
void inclusion_init(struct launch_model *m);
/* Cycles from the question to the last answer, under the load of the previous pass. */
double inclusion_wait(const struct launch_model *m);
/* Messages per round. */
double inclusion_messages(const struct launch_model *m);
