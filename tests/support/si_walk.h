/* si_walk.h - every state that si_model.h's L1s and L2 can reach, breadth first. */
#pragma once

#include "tests/support/si_model.h"

/* Walks all states, or `most` of them.  What is wrong; NULL: nothing. */
const char *si_walk_all(struct si_walk *k);

/* Compiles the tables for a walk over so many lines; d0, d1: messages under way of each L1. */
struct si_walk *si_walk_new(uint32_t lines, bool fetch_on_write, bool values, uint8_t d0,
                            uint8_t d1);
void si_walk_free(struct si_walk *k);

/* Walks all states, in which nothing may go wrong; si_walk_free frees the walk. */
struct si_walk *si_check(uint32_t lines, bool fetch_on_write, bool values, uint8_t d0, uint8_t d1);
