/* l1_way.c - see l1_way.h. */
#include "gpu/cache/l1_way.h"

struct l1_rules l1_rules_of(const struct l1_params *p, bool protocol)
{
    return (struct l1_rules){p->enabled, protocol, p->bypass, p->cache.write, p->write_local};
}

static enum l1_way way_of_store(const struct l1_rules *r, bool local)
{
    if (local && r->local == LOCAL_BACK) return L1_OWN;
    switch (r->write) {
    case WRITE_BACK: return L1_BACK;
    case WRITE_THROUGH: return L1_THROUGH;
    case WRITE_EVICT: return L1_EVICT;
    case WRITE_COMBINE: return L1_COMBINE;
    }
    return L1_THROUGH;
}

static enum l1_way way_of(const struct l1_rules *r, enum access_kind kind, bool hint, bool local)
{
    if (!r->enabled) return L1_NONE;
    if (r->protocol) return L1_PROTOCOL;
    if (kind == ACCESS_ATOMIC || (hint && r->bypass != BYPASS_NONE)) return L1_ROUND;
    if (kind == ACCESS_WRITE) return way_of_store(r, local);
    if (r->bypass == BYPASS_ALL) return L1_ROUND;
    return r->bypass == BYPASS_AGCB ? L1_PREDICTED : L1_LOAD;
}

struct l1_ways l1_ways_of(const struct l1_rules *r)
{
    struct l1_ways w = {.hints = !r->enabled || r->bypass != BYPASS_NONE};
    for (uint32_t i = 0; i < sizeof w.of; i++)
        w.of[i / 4][i / 2 % 2][i % 2] =
            (uint8_t)way_of(r, (enum access_kind)(i / 4), i / 2 % 2, i % 2);
    return w;
}
