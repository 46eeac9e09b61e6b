/* l1_moesi.h - an L1 under a directory protocol (moesi_states.h). It replaces l1_two_state.h for
 * these protocols; queues, ports, MSHRs and timing remain the L1's.
 *
 * Every valid block and every block in flight has a line; blocks that were put wait outside the
 * cache for the home's reply. Stores and atomics wait in MSHRs like loads. While blocks that a
 * release has put are in flight, no store enters, so that the release is complete when they have
 * arrived. */
#pragma once

#include "detailed/l1/l1_internal.h"
#include "gpu/coherence/moesi_states.h"
#include "gpu/coherence/protocol.h"

/* NULL: no memory. */
struct owner *owner_new(uint32_t lines);
void owner_free(struct owner *o);
void owner_clear(struct owner *o);

/* Handles one access at the end of its look-up; its mask is relative to the line. */
enum l1_stall l1_moesi_access(struct l1 *l, const struct l1_access *a, uint64_t now);
/* Handles a reply or a probe of the home; frees the request, or sends it back as the answer. */
void l1_moesi_receive(struct l1 *l, uint32_t req, uint64_t now);
void l1_moesi_acquire(struct l1 *l, uint64_t now);
/* Drops a line, between launches, of a block that the directory has forgotten. */
void l1_moesi_forget(struct l1 *l, uint32_t line);
void l1_moesi_release(struct l1 *l, uint64_t now);
