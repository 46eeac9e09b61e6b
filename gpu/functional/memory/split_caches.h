/* split_caches.h - the split caches of QuickRelease (gpu/coherence/quickrelease.c) in a functional
 * pass.
 *
 * The pass has their read caches alone. A store takes the copies of its block from all of them at
 * once, where the cycle model's dirty bytes first wait in the write caches: at most a few hundred
 * blocks, and none behind a release. [A] A load of such a block misses here, and is served there by
 * the write cache that has all its bytes; a copy that it brings here outlives the store. */
#pragma once

#include "gpu/functional/memory/functional_caches.h"

static inline bool split_caches_apply(const struct functional_caches *w)
{
    return w->coherence.protocol && w->coherence.protocol->sync_fifos;
}
void split_caches_access(struct functional_caches *w, uint32_t sm, const struct access *a,
                         uint8_t hint);
