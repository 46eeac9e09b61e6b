/* l1_owner_state.c - memory of an L1 under a directory protocol: the states of its lines, entries
 * for blocks being put and for accesses that wait in MSHRs. */
#include "detailed/l1/l1_owner_state.h"

#include "base/memory/alloc.h"
#include "detailed/l1/l1_owner.h"

#include <string.h>

struct owner *owner_new(uint32_t lines)
{
    struct owner *o = mem_new(1, sizeof *o);
    if (!o) return NULL;
    o->lines = lines;
    o->puts = POOL(struct put, next);
    o->waiters = POOL(struct waiter, vinst);
    o->state = mem_new(lines, sizeof *o->state);
    o->written = mem_new(lines, sizeof *o->written);
    if (o->state && o->written && hash_map_init(&o->put_at, 64)) return o;
    owner_free(o);
    return NULL;
}

void owner_free(struct owner *o)
{
    if (!o) return;
    mem_free(o->state);
    mem_free(o->written);
    mem_free(o->put);
    mem_free(o->waiter);
    hash_map_fini(&o->put_at);
    mem_free(o);
}

void owner_clear(struct owner *o)
{
    for (uint32_t i = 0; i < o->lines; i++)
        o->state[i] = OWN_I;
    hash_map_clear(&o->put_at);
    if (o->put) memset(o->put, 0, o->puts.cap * sizeof *o->put);
    pool_clear(&o->puts, &o->put);
    pool_clear(&o->waiters, &o->waiter);
    o->releasing = 0;
    o->storing = false;
}
