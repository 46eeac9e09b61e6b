/* nack_order.h - keeps the order of requests that an L2 slice rejects (NACK).
 *
 * A retried request could find younger ones of its SM to the same sector performed: a load would
 * see a later store, or of two stores the older would remain. So the slice records, by SM and
 * sector, whose turn it is: until all rejected requests have been admitted, younger ones are
 * rejected, too, and all are admitted in the order in which they first arrived. Retried requests to
 * one sector stay in order on their way.
 *
 * Memory: nack_order_init allocates, and nack_order_add when more sectors than ever have rejected
 * requests. Source: Candel 4.5.1 (NACK, retry queue); 3.5.3 requires this order of a cache
 * controller. */
#pragma once

#include "base/memory/hash_map.h"
#include "detailed/parts/request.h"

struct nack_order {
    struct hash_map by_sector; /* sector and SM -> the current turn, and above it the number of
                                  rejected requests */
};

bool nack_order_init(struct nack_order *t); /* false: no memory */
void nack_order_fini(struct nack_order *t);
void nack_order_clear(struct nack_order *t);
/* Whether the request may be handled, or older rejected ones must come first. */
bool nack_order_allows(const struct nack_order *t, const struct req *r, uint64_t sector);
bool nack_order_add(struct nack_order *t, struct req *r, uint64_t sector); /* false: no memory */
/* Called when a request that was rejected is admitted. */
void nack_order_admit(struct nack_order *t, struct req *r, uint64_t sector);
