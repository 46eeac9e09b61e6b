/* scalar.h - parameters of the scalar (constant) caches, each shared by some neighbouring SMs. */
#pragma once

#include "gpu/machine/params/cache.h"

/* Which loads use the scalar cache instead of the L1. */
enum scalar_loads {
    SCALAR_NONE,     /* there are no scalar caches */
    SCALAR_CONSTANT, /* loads from constant memory with all active lanes at one address */
    SCALAR_UNIFORM   /* also such loads from global memory */
};

struct scalar_params {
    enum scalar_loads loads;
    uint32_t sms_per_cache; /* at most; SMs are spread evenly */
    uint32_t kb;
    struct cache_params cache; /* sets and sector_bytes are derived */
    uint32_t latency;          /* cycles, tag look-up to data of a hit */
    uint32_t ports;            /* accesses per cycle */
};

/* The number of caches, and the cache of an SM. */
static inline uint32_t scalar_caches(const struct scalar_params *p, uint32_t sms)
{
    return p->loads == SCALAR_NONE ? 0 : (sms + p->sms_per_cache - 1) / p->sms_per_cache;
}
static inline uint32_t scalar_cache_of(const struct scalar_params *p, uint32_t sms, uint32_t sm)
{
    return sm * scalar_caches(p, sms) / sms;
}
