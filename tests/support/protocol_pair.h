/* protocol_pair.h - every state that two lines can reach of which each cache has room for one: what
 * is taken for one line waits until the other has left.
 *
 * A pair of states is a pair of numbers that protocol_walk.h gave, and what one line does is known
 * from there; what the lines share is the caches' one frame, and acquires and releases, which both
 * take at once.  So the states of two lines are a matrix of bits, and every step of a pair is one
 * of a line's.  The second line needs no values: nothing depends on them. */
#pragma once

#include "tests/support/protocol_walk.h"

/* Walks all states of two lines that share a frame in each of two caches.  What is wrong; NULL:
 * nothing. */
const char *walk_pairs(const struct walk *a, const struct walk *b, uint64_t *states);

/* A test: nothing goes wrong in any of them, with those bytes of the first line followed. */
void check_pairs(const struct protocol *p, uint8_t follow);
