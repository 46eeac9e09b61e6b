#include "detailed/l2/nack_order.h"

enum { SM_BITS = 10, OUT_SHIFT = 16 };

static uint64_t key_of(const struct req *r, uint64_t sector)
{
    return sector << SM_BITS | r->sm;
}

bool refusals_init(struct refusals *t)
{
    return linemap_init(&t->by_sector, 16);
}

void refusals_fini(struct refusals *t)
{
    linemap_fini(&t->by_sector);
}

void refusals_clear(struct refusals *t)
{
    linemap_clear(&t->by_sector);
}

bool refusals_may(const struct refusals *t, const struct req *r, uint64_t sector)
{
    if (!t->by_sector.n) return true;
    const uint32_t *v = linemap_get(&t->by_sector, key_of(r, sector));
    return !v || (r->refused && (uint16_t)*v == r->turn);
}

bool refusals_add(struct refusals *t, struct req *r, uint64_t sector)
{
    if (r->refused) return true;
    const uint32_t *v = linemap_get(&t->by_sector, key_of(r, sector));
    uint32_t now = v ? *v : 0;
    r->refused = true;
    r->turn = (uint16_t)(now + (now >> OUT_SHIFT));
    return linemap_put(&t->by_sector, key_of(r, sector), now + (1u << OUT_SHIFT));
}

void refusals_admit(struct refusals *t, struct req *r, uint64_t sector)
{
    uint32_t v = *linemap_get(&t->by_sector, key_of(r, sector)) - (1u << OUT_SHIFT);
    r->refused = false;
    if (v >> OUT_SHIFT)
        linemap_put(&t->by_sector, key_of(r, sector), (v & ~0xFFFFu) | (uint16_t)(v + 1));
    else
        linemap_del(&t->by_sector, key_of(r, sector));
}
