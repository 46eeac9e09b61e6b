/* l1_side.c - see l1_side.h. */
#include "detailed/l1/l1_side.h"

#include <assert.h>

#define ROW(name, ...) &l1_side_##name,
static const struct l1_side_ops *const table[] = {L1_MECHANISMS(ROW, ) ROW(write_cache)};

static bool hears(const struct l1_side_ops *o)
{
    return o->hit || o->joins || o->misses || o->missed || o->under_way || o->arrives ||
           o->filled || o->ended;
}

bool l1_side_init(struct l1 *l)
{
    if (!l1_memory_init(&l->memory, l->p)) return false;
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!l->w->mechanisms.has[table[i]->id]) continue;
        l->side[l->sides++] = table[i];
        l->hears |= hears(table[i]);
        if (table[i]->step) {
            assert(!l->timed && "one structure has a clock");
            l->timed = table[i];
        }
        l->goes_ahead |= table[i]->ahead != NULL;
        l->sends_behind |= table[i]->sends_behind;
        if (table[i]->init && !table[i]->init(l)) return false;
    }
    return true;
}

void l1_side_fini(struct l1 *l)
{
    L1_TELL(l, fini, l);
    l1_memory_fini(&l->memory);
}

void l1_side_clear(struct l1 *l)
{
    l1_memory_clear(&l->memory, l->p);
    L1_TELL(l, clear, l);
}

bool l1_side_attach(struct l1 *l, struct cache *tags)
{
    L1_EACH_SIDE(l, o)
    if (o->attach && !o->attach(l, tags)) return false;
    return true;
}

bool l1_side_ahead(struct l1 *l, const struct l1_access *a, bool round, uint64_t now)
{
    L1_EACH_SIDE(l, o)
    if (o->ahead && !o->ahead(l, a, round, now)) return false;
    return true;
}

bool l1_side_is_idle(const struct l1 *l)
{
    L1_EACH_SIDE(l, o)
    if (o->is_idle && !o->is_idle(l)) return false;
    return true;
}

bool l1_side_check(const struct l1 *l)
{
    L1_EACH_SIDE(l, o)
    if (o->check && !o->check(l)) return false;
    return true;
}

uint64_t l1_side_bytes(const struct l1_params *p, const struct mechanism_set *on)
{
    uint64_t sum = l1_memory_bytes(p);
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i]->bytes && on->has[table[i]->id]) sum += table[i]->bytes(p);
    return sum;
}
