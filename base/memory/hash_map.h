/* hash_map.h - hash map from 64-bit keys (line numbers) to 32-bit values, with deletion.
 *
 * Open addressing, linear probing, backward-shift deletion (no tombstones); grows at load 1/2.
 * For MSHR look-ups and profiles: look-up is inline.  Key UINT64_MAX is reserved.
 * Memory: only linemap_put may allocate, and not while n <= the reserve given to linemap_init. */
#ifndef PLUMB_BASE_MEMORY_HASH_MAP_H
#define PLUMB_BASE_MEMORY_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINEMAP_EMPTY UINT64_MAX

struct linemap_slot {
    uint64_t key;
    uint32_t value;
    uint32_t unused; /* 0: tapes of equal maps are equal */
};

struct linemap {
    struct linemap_slot *slot;
    uint32_t mask; /* capacity - 1, a power of two minus one */
    uint32_t n;
};

bool linemap_init(struct linemap *m, uint32_t reserve); /* false: no memory */
void linemap_fini(struct linemap *m);
bool linemap_copy(struct linemap *to,
                  const struct linemap *from); /* to: initialised, overwritten */
void linemap_clear(struct linemap *m);
bool linemap_put(struct linemap *m, uint64_t key,
                 uint32_t value); /* insert or replace; false: no memory */
struct tape;
/* All of it; loading may allocate.  false: no memory. */
bool linemap_tape(struct linemap *m, struct tape *t);
bool linemap_del(struct linemap *m, uint64_t key); /* false: was not there */

static inline uint32_t linemap_home(const struct linemap *m, uint64_t key)
{
    return (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & m->mask;
}

/* The value's place, valid until the next put or del; NULL: not there. */
static inline uint32_t *linemap_get(const struct linemap *m, uint64_t key)
{
    for (uint32_t i = linemap_home(m, key);; i = (i + 1) & m->mask) {
        if (m->slot[i].key == key) return &m->slot[i].value;
        if (m->slot[i].key == LINEMAP_EMPTY) return NULL;
    }
}

#endif
