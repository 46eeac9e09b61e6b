/* meet.h - where the lanes of a warp meet: shuffles, votes, matches, synchronisation.
 *
 * Lanes that have ended count as not there, as they do on a GPU. Source: PTX ISA, "Parallel
 * Synchronization and Communication Instructions". */
#pragma once

#include "trace/cuda/runtime/cta.h"

/* Lets the running lane wait for the others of a mask; its result. */
uint64_t meet_wait(enum meet_kind meet, uint32_t kind, uint64_t mask, uint64_t value);
/* The part of a lane in a product of matrices, when all lanes are there (matrix.c). */
void matrix_multiply(struct lane *warp, uint64_t there, uint32_t i);
/* If all lanes of lane i's mask are there, they get their results and go on. */
void meet_try(struct lane *warp, uint32_t n, uint32_t i);
/* No lane of the warp can go on: completes what lacks only lanes that have ended, or fails. */
void meet_force(struct lane *warp, uint32_t n);
/* Tells the lanes that ask at the same place who of them is there. */
void meet_tell_active(struct lane *warp, uint32_t n);
/* The source line of the access of the lane's piece that logged the address, or of the piece. */
uint32_t meet_line(const struct lane *l, uint64_t address);
/* The line of the piece's last access of a vector at an address that is no multiple of its size. */
uint32_t meet_line_crooked(const struct lane *l);
