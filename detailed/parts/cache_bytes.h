/* cache_bytes.h - the host memory of a cache and of MSHRs, in bytes, as far as it does not grow
 * with the program. */
#pragma once

#include "gpu/cache/cache.h"

uint64_t mshr_bytes(const struct mshr_params *p);
uint64_t cache_bytes(const struct cache_params *p, bool shadow);
