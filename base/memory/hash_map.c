/* hash_map.c - see hash_map.h. */
#include "base/memory/hash_map.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <assert.h>
#include <string.h>

static struct linemap_slot *new_slots(uint64_t capacity)
{
    struct linemap_slot *slot = mem_new((size_t)capacity, sizeof *slot);
    if (!slot) return NULL;
    for (uint64_t i = 0; i < capacity; i++)
        slot[i].key = LINEMAP_EMPTY;
    return slot;
}

bool linemap_init(struct linemap *m, uint32_t reserve)
{
    uint64_t capacity = 16;
    while (capacity < 2 * (uint64_t)reserve)
        capacity *= 2;
    *m = (struct linemap){.slot = new_slots(capacity), .mask = (uint32_t)(capacity - 1)};
    return m->slot != NULL;
}

void linemap_fini(struct linemap *m)
{
    mem_free(m->slot);
    *m = (struct linemap){0};
}

bool linemap_copy(struct linemap *to, const struct linemap *from)
{
    size_t n = (size_t)from->mask + 1;
    struct linemap_slot *slot = mem_new(n, sizeof *slot);
    if (!slot) return false;
    memcpy(slot, from->slot, n * sizeof *slot);
    mem_free(to->slot);
    *to = (struct linemap){.slot = slot, .mask = from->mask, .n = from->n};
    return true;
}

bool linemap_tape(struct linemap *m, struct tape *t)
{
    uint32_t mask = m->mask;
    TAPE_VALUE(t, mask);
    TAPE_VALUE(t, m->n);
    if (mask != m->mask) {
        struct linemap_slot *slot = mem_new((size_t)mask + 1, sizeof *slot);
        if (!slot) return false;
        mem_free(m->slot);
        m->slot = slot;
        m->mask = mask;
    }
    tape_data(t, m->slot, ((size_t)mask + 1) * sizeof *m->slot);
    return true;
}

void linemap_clear(struct linemap *m)
{
    for (uint64_t i = 0; i <= m->mask; i++)
        m->slot[i].key = LINEMAP_EMPTY;
    m->n = 0;
}

/* The slot that holds `key`, or the empty one where it belongs. */
static struct linemap_slot *place(const struct linemap *m, uint64_t key)
{
    uint32_t i = linemap_home(m, key);
    while (m->slot[i].key != key && m->slot[i].key != LINEMAP_EMPTY)
        i = (i + 1) & m->mask;
    return &m->slot[i];
}

static bool grow(struct linemap *m)
{
    uint64_t old = (uint64_t)m->mask + 1;
    if (old > UINT32_MAX / 2) return false;
    struct linemap bigger = {
        .slot = new_slots(old * 2), .mask = (uint32_t)(old * 2 - 1), .n = m->n};
    if (!bigger.slot) return false;
    for (uint64_t i = 0; i < old; i++)
        if (m->slot[i].key != LINEMAP_EMPTY) *place(&bigger, m->slot[i].key) = m->slot[i];
    mem_free(m->slot);
    *m = bigger;
    return true;
}

bool linemap_put(struct linemap *m, uint64_t key, uint32_t value)
{
    assert(key != LINEMAP_EMPTY);
    struct linemap_slot *s = place(m, key);
    if (s->key == LINEMAP_EMPTY) {
        if (m->n >= (m->mask + 1) / 2) {
            if (!grow(m)) return false;
            s = place(m, key);
        }
        m->n++;
    }
    *s = (struct linemap_slot){.key = key, .value = value};
    return true;
}

bool linemap_del(struct linemap *m, uint64_t key)
{
    struct linemap_slot *s = place(m, key);
    if (key == LINEMAP_EMPTY || s->key == LINEMAP_EMPTY) return false;
    uint32_t hole = (uint32_t)(s - m->slot);
    /* Move back every later entry of the run that the hole would cut off from its home. */
    for (uint32_t i = (hole + 1) & m->mask; m->slot[i].key != LINEMAP_EMPTY;
         i = (i + 1) & m->mask) {
        uint32_t home = linemap_home(m, m->slot[i].key);
        if (((i - home) & m->mask) < ((i - hole) & m->mask)) continue;
        m->slot[hole] = m->slot[i];
        hole = i;
    }
    m->slot[hole].key = LINEMAP_EMPTY;
    m->n--;
    return true;
}
