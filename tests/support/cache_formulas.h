/* cache_formulas.h - hit rates by plumb's model and by the formulas of public reuse-distance
 * models, on one stream.
 *
 *   plumb     estimator/cache/cache_levels.h
 *   full      hit where the stack distance is below the capacity in lines (Mattson; RDGC, AET and
 *             StatStack have no sets either)
 *   sdcm      PPT-GPU's code: P(hit | D) = 1 - Q(|A - 1 - mean| / sd), mean and sd of D lines
 * spread over the sets; the L2 sees all accesses, those that hit in L1s, too binomial  as sdcm,
 * with the exact binomial law instead of the normal one per_set   Nugteren et al.: distances inside
 * the sets of one core, a hit at distances up to the ways (one too many), loads only; it has no L2
 *
 * Public models know no sectors: they see lines.  Loads at the L1 (stores pass by), all accesses at
 * the L2. */
#pragma once

#include "tests/support/cache_streams.h"

enum formula {
    FORMULA_PLUMB,
    FORMULA_FULL,
    FORMULA_SDCM,
    FORMULA_BINOMIAL,
    FORMULA_PER_SET,
    FORMULAS
};

extern const char *const formula_name[FORMULAS];

/* Line distances of all loads in their SM, of all accesses in the whole GPU. */
struct distances {
    struct hit_tally l1, l2;
};

/* Finds the distances of a stream.  false: no memory. */
bool distances_find(struct distances *d, const struct kept_stream *k);
void distances_fini(struct distances *d);

/* The hit rates that each formula gives: [formula][0 = L1, 1 = L2]; NAN: it has no such answer.
 * false: no memory. */
bool formulas_say(double said[FORMULAS][2], const struct profile *f, const struct kept_stream *k,
                  const struct distances *d, const struct machine *m);
