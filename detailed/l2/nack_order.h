/* nack_order.h - requests that an L2 slice has sent back (NACK) come again in order.
 *
 * A request that comes again would find younger ones of its SM to the same sector performed: a
 * load would see a store that is behind it, of two stores the older would stay.  So the slice
 * remembers, by SM and sector, whose turn it is: until all that were sent back have been let in, a
 * younger one is sent back, too, and each takes its turn in the order in which they first came.
 * What comes again of a sector keeps its order on the way.
 *
 * Memory: nack_order_init allocates, and nack_order_add when more sectors than ever are waited for.
 * Source: Candel 4.5.1 (NACK, retry queue); the order is what 3.5.3 asks of a cache controller. */
#ifndef PLUMB_DETAILED_L2_NACK_ORDER_H
#define PLUMB_DETAILED_L2_NACK_ORDER_H

#include "base/memory/hash_map.h"
#include "detailed/core/request.h"

struct nack_order {
    struct hash_map by_sector; /* sector and SM -> whose turn it is, how many are out above */
};

bool nack_order_init(struct nack_order *t); /* false: no memory */
void nack_order_fini(struct nack_order *t);
void nack_order_clear(struct nack_order *t);
/* Whether the request may be looked at, or others must come first. */
bool nack_order_allows(const struct nack_order *t, const struct req *r, uint64_t sector);
bool nack_order_add(struct nack_order *t, struct req *r, uint64_t sector); /* false: no memory */
void nack_order_admit(struct nack_order *t, struct req *r,
                      uint64_t sector); /* one that had been refused */

#endif
