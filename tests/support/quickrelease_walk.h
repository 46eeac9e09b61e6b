/* quickrelease_walk.h - every state that quickrelease_model.h's L1s and slice can reach, breadth
 * first. */
#pragma once

#include "tests/support/quickrelease_model.h"

/* Walks all states, or `most` of them.  What is wrong; NULL: nothing. */
const char *sync_walk_all(struct sync_walk *k);

/* Compiles the tables for a walk. */
struct sync_walk *sync_walk_new(const struct sync_shape *p);
void sync_walk_free(struct sync_walk *k);

/* Walks the states, in which nothing may go wrong; most: of how many it takes steps, 0: of all.
 * sync_walk_free frees the walk. */
struct sync_walk *sync_check(const struct sync_shape *p, uint32_t most);
