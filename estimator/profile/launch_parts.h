/* launch_parts.h - the parts of launches, stored by content: equal parts are stored once.
 *
 * A program may launch one kernel a hundred thousand times; what its launches have in common should
 * cost memory, file space and time only once.  Parts are plain data of one size without padding.
 *
 * Memory: parts_keep allocates.  Invariant: items are distinct. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/text/digest.h"

struct parts {
    size_t size; /* bytes of an item */
    uint32_t n;
    void **item;
    struct digest *digest;
    size_t cap, digest_cap;
    struct hash_map by_digest;
};

enum { PARTS_NONE = UINT32_MAX };

bool parts_init(struct parts *p, size_t size); /* false: no memory */
void parts_fini(struct parts *p);
/* Returns the index of the equal item, and stores a copy if there was none.  PARTS_NONE: no
 * memory. */
uint32_t parts_keep(struct parts *p, const void *bytes);
/* Adds an item that differs from the others, by its digest, and owns it from then on. */
uint32_t parts_add(struct parts *p, void *item, struct digest d);
