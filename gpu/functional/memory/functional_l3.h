/* functional_l3.h - the memory-side cache (L3) of a functional pass: the tags of its parts, one
 * before each memory channel (gpu/machine/params/coherence/l3.h). Its write caches are empty: what
 * is written has left them at once.
 *
 * Memory: functional_l3_init allocates. */
#pragma once

#include "gpu/functional/memory/functional_caches.h"

bool functional_l3_init(struct functional_caches *w); /* true without an L3; false: no memory */
/* Performs a read that has left the L2; whether it hits. A miss brings the block. */
bool functional_l3_read(struct functional_caches *w, uint64_t addr);
/* Performs a write; whether it stays in the L3. If not, the copy of its block is gone. */
bool functional_l3_write(struct functional_caches *w, uint64_t addr);
