/* l1_store_lines.h - what of an SM's stores its L1 keeps, by l1.write and l1.write_local, and what
 * goes down.
 *
 * The lines are those of an L1 of the machine's capacity (LRU, any set) at the pass's pace.  Dirty
 * sectors go down when their line leaves or the L1 is emptied, and count then; under "combine"
 * stores gather in lines of their own until the one stored to longest ago makes room.
 *
 * Units: sectors.  Memory: l1_store_lines_new allocates; the others may.
 * Source: Khairy table II (private stores of Fermi); docs/models/cycle-model.md. */
#pragma once

#include "estimator/profile/view/l1_store_lines_view.h"
#include "estimator/reuse/lru_lines.h"
#include "gpu/cache/l1_way.h"

struct l1_store_lines {
    struct l1_store_lines_view v;
    struct lru_lines l1;
    uint8_t *dirty; /* [v.l1_lines] sectors */
    struct {
        uint64_t line, since;
        uint32_t mask;
    } gather[L1_STORE_LINES_GATHERS]; /* of "combine"; mask 0: free */
    uint64_t now;                     /* stores */
    double sent;                      /* sectors that have gone down */
    bool failed;                      /* out of memory */
};

struct l1_store_lines *
l1_store_lines_new(const struct l1_store_lines_view *v); /* NULL: no memory */
void l1_store_lines_free(struct l1_store_lines *k);
void l1_store_lines_load(struct l1_store_lines *k, uint64_t line, uint32_t mask);
/* An access that goes round the L1, an atomic, too: what is kept of its sectors goes down before.
 */
void l1_store_lines_bypass(struct l1_store_lines *k, uint64_t line, uint32_t mask);
void l1_store_lines_store_bypass(struct l1_store_lines *k, uint64_t line, uint32_t mask);
void l1_store_lines_store(struct l1_store_lines *k, uint64_t line, uint32_t mask, enum l1_way way);
void l1_store_lines_empty(struct l1_store_lines *k); /* the L1 */
/* Sectors that have gone down, and those that still gather. */
double l1_store_lines_all(const struct l1_store_lines *k);
