/* hash_map.c - see hash_map.h. */
#include "base/memory/hash_map.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <assert.h>
#include <string.h>

static struct hash_map_slot *new_slots(uint64_t capacity)
{
    struct hash_map_slot *slot = mem_new((size_t)capacity, sizeof *slot);
    if (!slot) return NULL;
    for (uint64_t i = 0; i < capacity; i++)
        slot[i].key = HASH_MAP_EMPTY;
    return slot;
}

bool hash_map_init(struct hash_map *m, uint32_t reserve)
{
    uint64_t capacity = 16;
    while (capacity < 2 * (uint64_t)reserve)
        capacity *= 2;
    *m = (struct hash_map){.slot = new_slots(capacity), .mask = (uint32_t)(capacity - 1)};
    return m->slot != NULL;
}

void hash_map_fini(struct hash_map *m)
{
    mem_free(m->slot);
    *m = (struct hash_map){0};
}

bool hash_map_serialize(struct hash_map *m, struct serializer *t)
{
    uint32_t mask = m->mask;
    SERIALIZE_VALUE(t, mask);
    SERIALIZE_VALUE(t, m->n);
    if (mask != m->mask) {
        struct hash_map_slot *slot = mem_new((size_t)mask + 1, sizeof *slot);
        if (!slot) return false;
        mem_free(m->slot);
        m->slot = slot;
        m->mask = mask;
    }
    serialize_data(t, m->slot, ((size_t)mask + 1) * sizeof *m->slot);
    return true;
}

void hash_map_clear(struct hash_map *m)
{
    for (uint64_t i = 0; i <= m->mask; i++)
        m->slot[i].key = HASH_MAP_EMPTY;
    m->n = 0;
}

/* The slot with `key`, or the empty one where it would be inserted. */
static struct hash_map_slot *find_slot(const struct hash_map *m, uint64_t key)
{
    uint32_t i = hash_map_home(m, key);
    while (m->slot[i].key != key && m->slot[i].key != HASH_MAP_EMPTY)
        i = (i + 1) & m->mask;
    return &m->slot[i];
}

static bool grow_map(struct hash_map *m)
{
    uint64_t old = (uint64_t)m->mask + 1;
    if (old > UINT32_MAX / 2) return false;
    struct hash_map bigger = {
        .slot = new_slots(old * 2), .mask = (uint32_t)(old * 2 - 1), .n = m->n};
    if (!bigger.slot) return false;
    for (uint64_t i = 0; i < old; i++)
        if (m->slot[i].key != HASH_MAP_EMPTY) *find_slot(&bigger, m->slot[i].key) = m->slot[i];
    mem_free(m->slot);
    *m = bigger;
    return true;
}

bool hash_map_put(struct hash_map *m, uint64_t key, uint32_t value)
{
    assert(key != HASH_MAP_EMPTY);
    struct hash_map_slot *s = find_slot(m, key);
    if (s->key == HASH_MAP_EMPTY) {
        if (m->n >= (m->mask + 1) / 2) {
            if (!grow_map(m)) return false;
            s = find_slot(m, key);
        }
        m->n++;
    }
    *s = (struct hash_map_slot){.key = key, .value = value};
    return true;
}

bool hash_map_del(struct hash_map *m, uint64_t key)
{
    struct hash_map_slot *s = find_slot(m, key);
    if (key == HASH_MAP_EMPTY || s->key == HASH_MAP_EMPTY) return false;
    uint32_t hole = (uint32_t)(s - m->slot);
    /* move back every later entry that the hole would separate from its home slot */
    for (uint32_t i = (hole + 1) & m->mask; m->slot[i].key != HASH_MAP_EMPTY;
         i = (i + 1) & m->mask) {
        uint32_t home = hash_map_home(m, m->slot[i].key);
        if (((i - home) & m->mask) < ((i - hole) & m->mask)) continue;
        m->slot[hole] = m->slot[i];
        hole = i;
    }
    m->slot[hole].key = HASH_MAP_EMPTY;
    m->n--;
    return true;
}
