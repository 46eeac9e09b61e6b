/* nack_order.c - turns of rejected requests, by SM and sector: a 32-bit value counts the requests
 * that are still to be let in (upper half) and names the turn of the next one (lower half).
 *
 * A request gets its turn when it is first rejected and is let in when that turn has come; the
 * sector's value leaves when none is left. Source: Candel 2019, 3.5.3, 4.5.1. */
#include "detailed/l2/nack_order.h"

#include "gpu/machine/params/sm.h"

enum { SM_BITS = 10, OUT_SHIFT = 16 };
_Static_assert(SM_COUNT_MAX <= 1 << SM_BITS, "an SM has so many bits");

static uint64_t key_of(const struct req *r, uint64_t sector)
{
    return sector << SM_BITS | r->sm;
}

bool nack_order_init(struct nack_order *t)
{
    return hash_map_init(&t->by_sector, 16);
}

void nack_order_fini(struct nack_order *t)
{
    hash_map_fini(&t->by_sector);
}

void nack_order_clear(struct nack_order *t)
{
    hash_map_clear(&t->by_sector);
}

bool nack_order_allows(const struct nack_order *t, const struct req *r, uint64_t sector)
{
    if (!t->by_sector.n) return true;
    const uint32_t *v = hash_map_get(&t->by_sector, key_of(r, sector));
    return !v || (r->refused && (uint16_t)*v == r->turn);
}

bool nack_order_add(struct nack_order *t, struct req *r, uint64_t sector)
{
    if (r->refused) return true;
    const uint32_t *v = hash_map_get(&t->by_sector, key_of(r, sector));
    uint32_t now = v ? *v : 0;
    r->refused = true;
    r->turn = (uint16_t)(now + (now >> OUT_SHIFT));
    return hash_map_put(&t->by_sector, key_of(r, sector), now + (1u << OUT_SHIFT));
}

void nack_order_admit(struct nack_order *t, struct req *r, uint64_t sector)
{
    uint32_t v = *hash_map_get(&t->by_sector, key_of(r, sector)) - (1u << OUT_SHIFT);
    r->refused = false;
    if (v >> OUT_SHIFT)
        hash_map_put(&t->by_sector, key_of(r, sector), (v & ~0xFFFFu) | (uint16_t)(v + 1));
    else
        hash_map_del(&t->by_sector, key_of(r, sector));
}
