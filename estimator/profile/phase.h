/* phase.h - how misses lie in time: a launch that first fetches and then hits takes longer than one
 * that does both all along.
 *
 * The launch is cut into up to PHASE_PARTS parts of equally many accesses (the last may be short);
 * each keeps how many of its accesses lie beyond every power of two of lines of either cache.  For
 * two capacities the parts are ranked by their share of L2 misses and joined into PHASES groups of
 * equal work. */
#ifndef PLUMB_ESTIMATOR_PROFILE_PHASE_H
#define PLUMB_ESTIMATOR_PROFILE_PHASE_H

#include <stdint.h>

enum { PHASE_PARTS = 16, PHASE_OCTAVES = 20, PHASES = 4 };

enum phase_level { PHASE_L1, PHASE_L2, PHASE_LEVELS };

struct phase_curve {
    uint32_t parts;
    float total[PHASE_PARTS];
    float beyond[PHASE_LEVELS][PHASE_PARTS][PHASE_OCTAVES]; /* [k]: of 2^k lines and more */
};
struct phase_tally {
    struct phase_curve c; /* beyond[][][k]: in octave k and no other, until phase_finish */
    uint64_t length;      /* accesses of a part */
};
void phase_start(struct phase_tally *t);
/* Distances at both levels; UINT32_MAX: never seen. */
void phase_add(struct phase_tally *t, const uint32_t distance[PHASE_LEVELS]);
void phase_finish(const struct phase_tally *t, struct phase_curve *c);

/* Misses per access of a group over the launch's mean, at both levels. */
struct phase {
    double misses[PHASE_LEVELS];
};
/* Rising at the L2; all 1 where there are no misses. */
void phase_find(const struct phase_curve *c, const double lines[PHASE_LEVELS],
                struct phase out[PHASES]);

/* Of one part, in its place: misses over the launch's mean; its share of the accesses. */
double phase_of_part(const struct phase_curve *c, const double lines[PHASE_LEVELS], uint32_t part,
                     struct phase *out);

#endif
