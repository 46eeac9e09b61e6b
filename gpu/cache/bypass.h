/* bypass.h - which accesses go round an L1, a policy (names: gpu/machine/params/l1.h).
 *
 * A policy says before the look-up whether an access passes by, and may predict at a load's miss
 * that its block is not worth keeping.  It learns from hits, from what leaves unused, and from the
 * L2: each of its sectors ([A]; the report knows none) has a bit that says that it went round an L1
 * when it was last asked for.  Request and reply carry prediction and bit; a block that comes back
 * after it went round was mispredicted and is kept.
 *
 * Units:  a pc is the low 16 bits of an instruction's address, shifted (l1_params.agcb.pc_shift).
 *         Notes are those of cache.h: in an L1 pc + 1 of the last load, 0 = none; in the L2 the
 * bit. Memory: bypass_init allocates. Source: AGCB 4, figure 2; mechanisms 17. */
#ifndef PLUMB_GPU_CACHE_BYPASS_H
#define PLUMB_GPU_CACHE_BYPASS_H

#include "gpu/cache/cache.h"
#include "gpu/machine/params/l1.h"

struct bypass {
    const struct bypass_ops *ops;
    const struct l1_params *p;
    uint8_t *counter; /* [p->agcb.entries] */
};

struct bypass_ops {
    bool hints, loads;                                    /* which pass by anyway */
    bool (*init)(struct bypass *b);                       /* optional; false: no memory */
    void (*clear)(struct bypass *b);                      /* optional */
    bool (*first)(const struct bypass *b, uint16_t pc);   /* optional: asked before the tags */
    bool (*predict)(const struct bypass *b, uint16_t pc); /* optional: at a load's miss */
    void (*hit)(struct bypass *b, uint16_t last_pc);      /* with predict: a line was used again */
    void (*unused)(struct bypass *b, uint16_t last_pc);   /* with predict: a line leaves */
};
extern const struct bypass_ops *const bypass_table[BYPASS_N];
extern const struct bypass_ops bypass_agcb;

bool bypass_init(struct bypass *b, const struct l1_params *p);
void bypass_fini(struct bypass *b);
void bypass_clear(struct bypass *b);
static inline bool bypass_learns(const struct bypass *b)
{
    return b->ops->predict != NULL;
}
uint16_t bypass_pc(const struct l1_params *p, uint32_t pc);

/* A load hit `line` of the L1. */
void bypass_hit(struct bypass *b, struct cache *l1, uint32_t line, uint16_t pc);
/* `line` is about to leave, if there is one and it is there. */
void bypass_leaves(struct bypass *b, const struct cache *l1, uint32_t line);
/* What a fill of `addr` is about to push out. */
void bypass_evict(struct bypass *b, const struct cache *l1, uint64_t addr);
/* The L2 served a load of a sector from the line of this note; returns whether it is back although
 * it went round an L1. */
bool bypass_verify(uint16_t *note, uint32_t sector, bool predicted);

#endif
