/* memory_need.c - see memory_need.h. */
#include "detailed/core/memory_need.h"

#include "base/memory/available.h"
#include "base/memory/hash_map.h"
#include "detailed/core/components.h"
#include "detailed/parts/request.h"
#include "detailed/parts/shadow_memory.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>

/* Requests in flight and, if enabled, the shadow memory. */
static uint64_t common_bytes(uint64_t sms)
{
    enum { REQUESTS = 1024, SHADOW_SLOTS = 512 };
    uint64_t bytes = REQUESTS * (sizeof(struct req) + 2 * sizeof(uint64_t));
    if (SHADOW_ON) bytes += (sms * SHADOW_SLOTS + 4 * REQUESTS) * sizeof(struct hash_map_slot);
    return bytes;
}

uint64_t memory_need(const struct machine *m)
{
    return common_bytes(m->sm.count) + components_bytes(m);
}

bool memory_suffices(const struct machine *m, struct error *e)
{
    const double gb = 1e9;
    uint64_t need = memory_need(m), there = memory_available();
    return need <= there ||
           error_input(
               e,
               "%s: a simulation of this machine needs %.3g GB of memory, and there are %.3g"
               " GB; fewer or smaller caches, queues and channels are allowed",
               m->name, (double)need / gb, (double)there / gb);
}
