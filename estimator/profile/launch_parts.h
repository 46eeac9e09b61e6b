/* launch_parts.h - parts of launches by content: equal ones are kept once.
 *
 * A program may launch one kernel a hundred thousand times; what its launches have in common must
 * not cost memory, file and time each time.  Parts are plain data of one size without gaps.
 *
 * Memory: parts_keep allocates.  Invariant: items are distinct. */
#ifndef PLUMB_ESTIMATOR_PROFILE_LAUNCH_PARTS_H
#define PLUMB_ESTIMATOR_PROFILE_LAUNCH_PARTS_H

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
/* The number of the equal item, which is a copy if there was none before.  PARTS_NONE: no memory.
 */
uint32_t parts_keep(struct parts *p, const void *bytes);

#endif
