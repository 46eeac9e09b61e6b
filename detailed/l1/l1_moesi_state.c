/* l1_moesi_state.c - memory of an L1 under a directory protocol: the states of its lines, entries
 * for blocks being put and for accesses that wait in MSHRs.
 *
 * Both kinds of entries lie in arrays that grow when none is free; free ones are chained. */
#include "detailed/l1/l1_moesi_state.h"

#include "base/memory/alloc.h"
#include "detailed/l1/l1_moesi.h"

struct owner *owner_new(uint32_t lines)
{
    struct owner *o = mem_new(1, sizeof *o);
    if (!o) return NULL;
    o->lines = lines;
    o->put_free = o->waiter_free = OWNER_NONE;
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

void owner_give_put(struct owner *o, uint32_t put)
{
    o->put[put] = (struct put){.next = o->put_free};
    o->put_free = put;
}

void owner_give_waiter(struct owner *o, uint32_t waiter)
{
    o->waiter[waiter].vinst = o->waiter_free;
    o->waiter_free = waiter;
}

void owner_clear(struct owner *o)
{
    for (uint32_t i = 0; i < o->lines; i++)
        o->state[i] = OWN_I;
    hash_map_clear(&o->put_at);
    o->put_free = o->waiter_free = OWNER_NONE;
    for (uint32_t i = 0; i < o->puts; i++)
        owner_give_put(o, i);
    for (uint32_t i = 0; i < o->waiters; i++)
        owner_give_waiter(o, i);
    o->releasing = 0;
    o->storing = false;
}

static bool more_puts(struct owner *o)
{
    size_t old = o->puts;
    if (!mem_grow(&o->put, &o->puts, old + 1, sizeof *o->put)) return false;
    for (size_t i = old; i < o->puts; i++)
        owner_give_put(o, (uint32_t)i);
    return true;
}

static bool more_waiters(struct owner *o)
{
    size_t old = o->waiters;
    if (!mem_grow(&o->waiter, &o->waiters, old + 1, sizeof *o->waiter)) return false;
    for (size_t i = old; i < o->waiters; i++)
        owner_give_waiter(o, (uint32_t)i);
    return true;
}

uint32_t owner_take_put(struct owner *o)
{
    if (o->put_free == OWNER_NONE && !more_puts(o)) return OWNER_NONE;
    uint32_t put = o->put_free;
    o->put_free = o->put[put].next;
    return put;
}

uint32_t owner_take_waiter(struct owner *o)
{
    if (o->waiter_free == OWNER_NONE && !more_waiters(o)) return OWNER_NONE;
    uint32_t waiter = o->waiter_free;
    o->waiter_free = o->waiter[waiter].vinst;
    return waiter;
}
