/* moesi_write_sharing.h - lines that SMs store to in turn, where a store makes all other copies
 * leave (MOESI): a directory without time, beside the functional pass.
 *
 * SMs' accesses come in the order of the pass's time.  Copies leave L1s for others' stores only;
 * what capacity makes leave the reuse curves say.  Counts are of one launch.
 * Memory: sharing_access allocates.  Source: gpu/coherence/moesi.c; Candel 2.4.A. */
#pragma once

#include "base/memory/hash_map.h"
#include "estimator/profile/shared_counts.h"

struct shared_op {
    bool store, near; /* near: the L1 still has what it had of the line, but for others' stores */
    bool atomic;      /* a store that an SM's others to the line join while it is on its way */
    uint32_t sectors;
};

struct sharing {
    struct hash_map id;
    uint32_t words, n; /* of a set of SMs; lines */
    struct shared_line *line;
    uint64_t *sets; /* [n][2][words] SMs that have the line; that have had it */
    size_t line_cap, set_cap;
    uint64_t now, reach; /* accesses; so many ago a copy has left its L1 */
    uint64_t stores;     /* stretches of stores to a line by one SM, in this launch */
    uint32_t launch;
    struct shared_counts count;
    bool failed; /* out of memory */
};

bool sharing_init(struct sharing *s, uint32_t sms, uint32_t l1_lines);
void sharing_fini(struct sharing *s);
void sharing_start(struct sharing *s); /* a launch */
struct stream_op;
struct profile_view;
/* All of a window, where the protocol has one writer at a time; false: no memory. */
bool sharing_walk(struct sharing *s, const struct profile_view *v,
                  const struct stream_op *const *order, const uint16_t *sm, size_t n);
void sharing_access(struct sharing *s, uint32_t sm, uint64_t line, const struct shared_op *op);
