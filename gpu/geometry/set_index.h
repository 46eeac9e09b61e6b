/* set_index.h - set index functions of caches, one small function behind each name in
 * gpu/machine/params/cache.h.
 */
#pragma once

#include "gpu/machine/params/cache.h"

/* Set of a line number, 0..sets-1.  `modulo` serves any number of sets; `ipoly` powers of two from
 * 2 to 1024 (irreducible polynomials; Rau 1991); `xor` any power of two. */
typedef uint32_t index_fn(uint64_t line, uint32_t sets);
extern index_fn *const index_table[INDEX_N];
