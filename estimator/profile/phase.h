/* phase.h - how misses are spread over time: a launch that first fetches and then hits takes longer
 * than one that does both throughout.
 *
 * The launch is cut into up to PHASE_PARTS parts of equally many accesses (the last may be short);
 * each records how many of its accesses lie beyond every power of two of lines, for both cache
 * levels.  For two given capacities the parts are sorted by their share of L2 misses and joined
 * into PHASES groups of equal work. */
#pragma once

#include <stdint.h>

enum { PHASE_PARTS = 16, PHASE_OCTAVES = 20, PHASES = 4 };

enum phase_level { PHASE_L1, PHASE_L2, PHASE_LEVELS };

struct phase_curve {
    uint32_t parts;
    float total[PHASE_PARTS];
    /* [k]: accesses at distances of 2^k lines and more */
    float beyond[PHASE_LEVELS][PHASE_PARTS][PHASE_OCTAVES];
};
struct phase_tally {
    struct phase_curve c; /* beyond[][][k] counts octave k alone until phase_finish */
    uint64_t length;      /* accesses of a part */
};
void phase_start(struct phase_tally *t);
/* phase_add: the access's distances at both levels; UINT32_MAX: first access to its line. */
void phase_add(struct phase_tally *t, const uint32_t distance[PHASE_LEVELS]);
void phase_finish(const struct phase_tally *t, struct phase_curve *c);

/* A group's misses per access over the launch's mean, at both levels. */
struct phase {
    double misses[PHASE_LEVELS];
};
/* Groups in ascending order of L2 misses; all 1 if there are no misses. */
void phase_find(const struct phase_curve *c, const double lines[PHASE_LEVELS],
                struct phase out[PHASES]);

/* A single part, by its place in the launch: its misses over the launch's mean; returns its share
 * of the accesses. */
double phase_of_part(const struct phase_curve *c, const double lines[PHASE_LEVELS], uint32_t part,
                     struct phase *out);
