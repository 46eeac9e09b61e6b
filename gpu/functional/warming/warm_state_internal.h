/* warm_state_internal.h - the content of a warm state: between checkpoints.c, which makes it, and
 * sim_interval.c, which loads it. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_WARM_STATE_INTERNAL_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_WARM_STATE_INTERNAL_H

#include "gpu/cache/cache.h"
#include "gpu/functional/warming/checkpoints.h"

struct cache_image {
    struct line_image *line;
    uint32_t n;
    uint8_t *counter; /* of an L1's predictor, NULL: it has none */
    uint64_t
        *served; /* [n][words for the SMs] of a slice: who is on its record, NULL: it has none */
    /* of an L1 under a protocol with a directory (coherence/owners.h), NULL elsewhere */
    uint8_t *state;         /* [n] enum owner_state */
    uint64_t (*written)[2]; /* [n] of N: bytes stored */
};

struct warm_state {
    struct cache_image *l1;     /* [sms] */
    struct cache_image *scalar; /* [scalars] */
    struct cache_image *slice;  /* [l2.banks] */
    uint32_t *row;  /* [channels * banks of a channel] touched last, ROW_NONE = none was */
    uint64_t *idle; /* [same] core cycles since then */
    unsigned char *admission; /* serialized: what schedulers and throttles know
                              (warp_admission_save); NULL: they know nothing */
    size_t admission_bytes;
    uint64_t cycles;                      /* of the pass up to here */
    uint32_t sms, slices, banks, scalars; /* banks: of one channel */
};

enum { ROW_NONE = UINT32_MAX };

#endif
