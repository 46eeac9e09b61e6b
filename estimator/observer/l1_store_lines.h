/* l1_store_lines.h - what of an SM's stores its L1 keeps, by l1.write and l1.write_local, and what
 * goes down.
 *
 * The lines are those of an L1 of the machine's capacity (LRU, any set) at the pass's pace.  Dirty
 * sectors go down when their line leaves or the L1 is emptied, and count then; under "combine"
 * stores gather in lines of their own until the one stored to longest ago makes room.
 *
 * Units: sectors.  Memory: keeper_new allocates; the others may.
 * Source: Khairy table II (private stores of Fermi); docs/models/cycle-model.md. */
#pragma once

#include "estimator/observer/lru_lines.h"
#include "estimator/profile/view_rows.h"
#include "gpu/machine/params/l1.h"

/* Part of a profile's view; all 0: every store goes down at once. */
#define KEEPER_VIEW(F)                                                 \
    F(enum write_kind, write)                                          \
    F(bool, local_back)                                                \
    F(bool, takes)       /* stores that miss take a line */            \
    F(bool, loads_round) /* all go round the L1 (l1.bypass = "all") */ \
    F(uint32_t, combine_lines)                                         \
    F(uint32_t, l1_lines)
struct keeper_view {
    KEEPER_VIEW(VIEW_MEMBER)
};
struct keeper_view keeper_view_of(const struct l1_params *l1);
static inline bool keeper_keeps(const struct keeper_view *v)
{
    return v->write != WRITE_THROUGH || v->local_back;
}

enum { KEEPER_GATHERS = 64 };
struct keeper {
    struct keeper_view v;
    struct recency l1;
    uint8_t *dirty; /* [v.l1_lines] sectors */
    struct {
        uint64_t line, since;
        uint32_t mask;
    } gather[KEEPER_GATHERS]; /* of "combine"; mask 0: free */
    uint64_t now;             /* stores */
    double sent;              /* sectors that have gone down */
    bool failed;              /* out of memory */
};

struct keeper *keeper_new(const struct keeper_view *v); /* NULL: no memory */
void keeper_free(struct keeper *k);
void keeper_load(struct keeper *k, uint64_t line, uint32_t mask);
/* An access that goes round the L1, an atomic, too: what is kept of its sectors goes down before.
 */
void keeper_round(struct keeper *k, uint64_t line, uint32_t mask);
void keeper_store_round(struct keeper *k, uint64_t line, uint32_t mask);
/* Returns whether the L1's copy of these sectors leaves ("evict"). */
bool keeper_store(struct keeper *k, uint64_t line, uint32_t mask, bool local);
void keeper_empty(struct keeper *k); /* the L1 */
