/* hash_map.h - hash map from 64-bit keys (line numbers) to 32-bit values, with deletion.
 *
 * Open addressing, linear probing, backward-shift deletion (no tombstones); grows at load 1/2.
 * For MSHR look-ups and profiles: look-up is inline.  Key UINT64_MAX is reserved.
 * Memory: only hash_map_put may allocate, and not while n <= the reserve given to hash_map_init. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_MAP_EMPTY UINT64_MAX

struct hash_map_slot {
    uint64_t key;
    uint32_t value;
    uint32_t unused; /* 0: serialized states of equal maps are equal */
};

struct hash_map {
    struct hash_map_slot *slot;
    uint32_t mask; /* capacity - 1, a power of two minus one */
    uint32_t n;
};

bool hash_map_init(struct hash_map *m, uint32_t reserve); /* false: no memory */
void hash_map_fini(struct hash_map *m);
void hash_map_clear(struct hash_map *m);
/* Insert or replace; false: no memory. */
bool hash_map_put(struct hash_map *m, uint64_t key, uint32_t value);
struct serializer;
/* The whole state; loading may allocate. false: no memory. */
bool hash_map_serialize(struct hash_map *m, struct serializer *t);
bool hash_map_del(struct hash_map *m, uint64_t key); /* false: was not there */

static inline uint32_t hash_map_home(const struct hash_map *m, uint64_t key)
{
    return (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & m->mask;
}

/* The value's address, valid until the next put or del; NULL: no such key. */
static inline uint32_t *hash_map_get(const struct hash_map *m, uint64_t key)
{
    for (uint32_t i = hash_map_home(m, key);; i = (i + 1) & m->mask) {
        if (m->slot[i].key == key) return &m->slot[i].value;
        if (m->slot[i].key == HASH_MAP_EMPTY) return NULL;
    }
}
