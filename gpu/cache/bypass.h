/* bypass.h - predictors of loads that had better bypass an L1 (names: gpu/machine/params/l1.h);
 * what bypasses it without a predictor: l1_way.h.
 *
 * A predictor says, when a load misses, that the block will not be reused. It learns from hits,
 * from lines that are evicted unused, and from the L2: each L2 sector ([A]; the report has no
 * sectors) has a bit that says that its last request bypassed an L1. Request and reply carry
 * prediction and bit. A block that is requested again after it has bypassed the L1 was
 * mispredicted, and the L1 then keeps it.
 *
 * Units: a pc is the low 16 bits of an instruction's address, shifted (l1_params.agcb.pc_shift).
 * Notes are those of cache.h: in an L1, pc + 1 of the last load (0: none); in the L2, the bits.
 * Memory: bypass_init allocates. Source: AGCB 4, figure 2. */
#pragma once

#include "gpu/cache/cache.h"
#include "gpu/machine/params/l1.h"

struct bypass {
    const struct bypass_ops *ops; /* NULL: nothing predicts */
    const struct l1_params *p;
    uint8_t *counter; /* [p->agcb.entries] */
};

struct bypass_ops {
    bool (*init)(struct bypass *b); /* false: no memory */
    void (*clear)(struct bypass *b);
    bool (*first)(const struct bypass *b, uint16_t pc);   /* a load bypasses without a look-up */
    bool (*predict)(const struct bypass *b, uint16_t pc); /* a load that misses bypasses the L1 */
    void (*hit)(struct bypass *b, uint16_t last_pc);      /* a line was reused */
    void (*unused)(struct bypass *b, uint16_t last_pc);   /* a line is evicted */
};
extern const struct bypass_ops *const bypass_table[BYPASS_N];
extern const struct bypass_ops bypass_agcb;

bool bypass_init(struct bypass *b, const struct l1_params *p);
void bypass_fini(struct bypass *b);
void bypass_clear(struct bypass *b);
static inline bool bypass_learns(const struct bypass *b)
{
    return b->ops != NULL;
}
uint16_t bypass_pc(const struct l1_params *p, uint32_t pc);

/* Trains the predictor: a load hit `line` of the L1. */
void bypass_hit(struct bypass *b, struct cache *l1, uint32_t line, uint16_t pc);
/* Trains the predictor: `line` is about to be evicted. Does nothing for LINE_NONE or an invalid
 * line. */
void bypass_leaves(struct bypass *b, const struct cache *l1, uint32_t line);
/* Trains the predictor for the line that a fill of `addr` is about to evict. */
void bypass_evict(struct bypass *b, const struct cache *l1, uint64_t addr);
/* Called when the L2 has served a load of a sector; *note is its line's. Returns whether the sector
 * is requested again after it has bypassed an L1. */
bool bypass_verify(uint16_t *note, uint32_t sector, bool predicted);
