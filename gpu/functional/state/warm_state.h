/* warm_state.h - the content of a warm state; functional_caches_state.c makes it, and
 * sim_interval.c loads it. */
#pragma once

#include "gpu/cache/cache.h"
#include "gpu/cache/l1_memory.h"

struct cache_image {
    struct line_image *line;
    uint32_t n;
    struct l1_memory memory; /* of an L1; empty elsewhere */
    uint64_t *served; /* [n][words for the SMs] an inclusive slice's record of SMs with copies;
                         NULL: none */
    /* of an L1 under a directory protocol (moesi_states.h), NULL elsewhere */
    uint8_t *state;         /* [n] enum owner_state */
    uint64_t (*written)[2]; /* [n] bytes stored to a line in state N */
};

/* The kinds of caches that some neighbouring SMs share: X(kind). What a functional pass does with
 * them is a struct func_shared_ops named func_shared_KIND (functional_caches.h). */
#define SHARED_CACHES(X) X(scalar) X(l15)
#define SHARED_CACHE_NUMBER(kind) SHARED_##kind,
enum shared_cache { SHARED_CACHES(SHARED_CACHE_NUMBER) SHARED_KINDS };

struct warm_state {
    struct cache_image *l1;    /* [sms] */
    struct cache_image *slice; /* [l2.banks] */
    struct cache_image *part;  /* [parts] of the L3; NULL: there is none */
    struct cache_image
        *shared; /* those of each kind behind the kinds before; NULL: there is none */
    uint32_t shared_from[SHARED_KINDS + 1]; /* the first of each kind, and how many in all */
    struct cache_image *l1_tlb;             /* [sms]; NULL: translation costs nothing */
    struct cache_image l2_tlb, walk_cache;  /* the same */
    /* Of each memory, [channels * banks of a channel], the second's behind the first's: */
    uint32_t *row;            /* row accessed last; ROW_NONE: none */
    uint64_t *idle;           /* core cycles since that access */
    unsigned char *admission; /* serialized state of schedulers and throttles (warp_admission_save);
                                 NULL: none */
    size_t admission_bytes;
    unsigned char *pages;               /* serialized page table; NULL: addresses are physical */
    uint64_t cycles;                    /* of the pass's clock */
    uint32_t sms, slices, parts, banks; /* banks: of one channel */
};

enum { ROW_NONE = UINT32_MAX };

void warm_state_free(struct warm_state *s); /* NULL is allowed */
