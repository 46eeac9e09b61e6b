/* quickrelease_queues.h - the queues of quickrelease_model.h: an L1's to the slice and back, and
 * S-FIFOs.  A sender asks for room before; a message without room is noted as wrong. */
#pragma once

#include "tests/support/quickrelease_model.h"

/* Whether the L1 has room for so many more accesses on their way to the slice. */
bool sync_has_room(const struct sync_walk *k, const struct l1_side *a, uint32_t messages);
void sync_send_up(struct sync_walk *k, struct l1_side *a, struct up m);

/* Whether every L1 can be sent an invalidation. */
bool sync_has_room_down(const struct sync_walk *k, const struct sync *s);
void sync_send_down(struct sync_walk *k, struct l1_side *a, uint8_t kind, uint32_t what);

/* Whether the line, whose block is dirty or not, stands behind the last marker. */
bool sync_is_entered(const uint8_t *fifo, uint32_t line, bool dirty);

/* Whether the line stands anywhere. */
bool sync_has_entry(const uint8_t *fifo, uint32_t line);

/* Whether a store to the line finds its entry, or room for one among `entries`. */
bool sync_takes_entry(const uint8_t *fifo, uint32_t line, bool dirty, uint32_t entries);
void sync_append_entry(struct sync_walk *k, uint8_t *fifo, uint32_t entry);
void sync_pop_entry(uint8_t *fifo);

/* Whether the head leaves: the S-FIFO is full or has a marker. */
bool sync_is_dequeued(const uint8_t *fifo, uint32_t entries);
