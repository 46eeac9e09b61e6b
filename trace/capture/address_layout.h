/* address_layout.h - assigns addresses in the simulated device memory to a captured program's
 * allocations.
 *
 * The front end names allocations by its own numbers (keys). They are laid out consecutively from
 * `start`, aligned; the place of a freed allocation is reused by the next one of the same size, so
 * that programs that allocate in a loop keep their footprint. Adding an existing key with at most
 * its size keeps its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout_place {
    uint64_t base, size;
    uint16_t number; /* 1, 2 ... in the order of allocation; 0 beyond 65,535 */
    bool used;
};

struct layout {
    uint64_t next;
    uint32_t align; /* a power of two */
    struct layout_place *by_key, *given_back;
    size_t n_keys, keys_cap, n_given_back, given_back_cap;
    uint32_t numbers;
};

void layout_init(struct layout *l, uint64_t start, uint32_t align);
void layout_clear(struct layout *l, uint64_t start); /* removes all places, keeps the memory */
void layout_fini(struct layout *l);
bool layout_add(struct layout *l, uint32_t key, uint64_t size); /* false: no memory */
void layout_remove(struct layout *l, uint32_t key);

/* NULL: no such allocation. */
static inline const struct layout_place *layout_find(const struct layout *l, uint64_t key)
{
    return key < l->n_keys && l->by_key[key].used ? &l->by_key[key] : NULL;
}
