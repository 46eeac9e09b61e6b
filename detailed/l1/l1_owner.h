/* l1_owner.h - what a directory protocol (moesi_states.h) adds to an L1's agent.
 *
 * Every valid block and every block in flight has a line; blocks that were put wait outside the
 * cache for the home's reply. Stores and atomics wait in MSHRs like loads. While blocks that a
 * release has put are in flight, no store enters, so that the release is complete when they have
 * arrived. */
#pragma once

#include "detailed/l1/l1_agent.h"
#include "gpu/coherence/moesi_states.h"

/* NULL: no memory. */
struct owner *owner_new(uint32_t lines);
void owner_free(struct owner *o);
void owner_clear(struct owner *o);

/* Whether an access must wait for older ones before its block is looked up. */
bool l1_owner_holds(const struct l1 *l, const struct l1_access *la);
/* Puts the line of an access that waits until it is gone; returns why the access must wait. */
enum l1_stall l1_owner_put_ahead(struct l1 *l, uint32_t line, uint64_t now);
void l1_owner_acquire(struct l1 *l, uint64_t now);
void l1_owner_release(struct l1 *l, uint64_t now);
/* Drops a line without a word to the home. */
void l1_owner_drop(struct l1 *l, uint32_t line);
