/* ml_streams.h - the tests of operators read what each warp does, instruction by instruction. */
#pragma once

#include "tests/support/generator_refused.h"

/* Opens a generator given as the text of its .cfg, and verifies it. */
struct program *ml_open(const char *text, uint32_t width);

/* An array that a program reads or writes: the k-th one of these sizes. */
struct ml_array {
    uint64_t at, bytes;
};

/* Places n arrays of these sizes as the generators do, one behind the other. */
void ml_place(struct ml_array *a, const uint64_t *bytes, uint32_t n);

/* The offset of an access of `width` bytes in its array. */
uint64_t ml_offset(const struct ml_array *a, uint64_t address, uint32_t width);

/* One instruction of a warp; of: what ml_visit was given. */
typedef void ml_visit_fn(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of);

/* Visits all instructions of a launch, warp by warp; there must be as many as the launch states. */
void ml_visit(const struct program *p, uint32_t launch, ml_visit_fn *fn, void *of);

/* How many lanes are active. */
uint32_t ml_lanes(const struct warp_inst *w);

/* Counts of what is touched, n zeros; the caller frees them. */
uint32_t *ml_counts(uint64_t n);

/* Fails unless each of the n counts is the one wanted; what: the name of a counted thing. */
void ml_all_are(const uint32_t *count, uint64_t n, uint32_t wanted, const char *what);
