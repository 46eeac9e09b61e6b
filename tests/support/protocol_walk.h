/* protocol_walk.h - every state that protocol_model.h's caches and line can reach, breadth first,
 * and the steps between them. */
#pragma once

#include "tests/support/protocol_model.h"

/* State i. */
static inline const struct line *line_at(const struct walk *k, uint32_t i)
{
    return space_state(&k->s, i);
}

/* Walks all states.  What is wrong; NULL: nothing. */
const char *walk_all(struct walk *k);
void walk_free(struct walk *k);

/* Compiles the tables for a walk; bytes to follow: follow. */
struct walk *walk_new(const struct protocol *p, uint32_t caches, uint8_t follow);

/* Fails unless the walk met every row of the tables. */
void all_rows_met(const struct walk *k, const struct protocol *p);

/* Walks all states, in which nothing may go wrong; walk_free frees the walk. */
struct walk *protocol_check(const struct protocol *p, uint32_t caches, uint8_t follow);
