/* few_line_runs.h - random programs under an L2 of few lines, whose parameters are drawn from short
 * lists: each case in a process of its own (random_runs.h). */
#pragma once

#include "tests/support/random_runs.h"

enum { DRAWN_MAX = 5 };

/* Overrides that are tried one after the other: those that always hold, then one value of each that
 * is drawn from, a list of so many values behind its path. */
struct setting {
    const char *const *presets; /* taken in turn */
    size_t n_presets;
    const char *const (*base)[2];
    size_t n_base;
    const char *const (*drawn)[DRAWN_MAX];
    size_t n_drawn;
};

/* An FGCS machine and a plain one. */
extern const char *const few_line_presets[2];

/* A test: draws so many cases of the setting and runs them; each must run or not fit. */
void drawn_cases(const struct setting *s, uint32_t cases, uint64_t seed, const char *what);

/* Conventional management with small structures beside few lines, on any machine: what waits, and
 * comes back, in every order. */
void beside_few_lines(uint32_t cases, uint64_t seed);

/* An inclusive L2 of few lines under several SMs: every debug build asserts at the end of each
 * launch that it has what they have. */
void much_leaves_an_inclusive_l2(uint32_t cases, uint64_t seed);

/* QuickRelease with write caches, S-FIFOs and queues of a few places. */
void little_room_under_quickrelease(uint32_t cases, uint64_t seed);

/* Few lines and entries of L2, L3, CPUs, write caches and directory; slow and fast links. */
void beside_cpus(uint32_t cases, uint64_t seed);
