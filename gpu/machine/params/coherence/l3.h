/* l3.h - parameters of the memory-side cache (L3): a part of it before each memory channel. */
#pragma once

#include "gpu/machine/params/cache.h"
#include "gpu/machine/params/write_cache.h"
#include "gpu/machine/rows/param.h"

/* What a write does that reaches the L3. */
enum l3_write {
    L3_WRITE_AROUND, /* it goes to memory, and the L3's copy is invalidated */
    L3_WRITE_BACK /* it changes the L3's copy, which memory gets when it leaves; without a copy it
                     goes to memory */
};

/* With L3_WRITE_BACK: what a write does that finds no copy. */
enum l3_write_miss {
    L3_WRITE_MISS_AROUND,  /* it goes to memory */
    L3_WRITE_MISS_ALLOCATE /* whole sectors take a line; others go to memory */
};

struct l3_params {
    uint32_t kb;               /* over all channels; 0: there is none */
    struct cache_params cache; /* of one channel's part; all but ways and replacement are derived */
    enum l3_write write;
    enum l3_write_miss write_miss; /* when write=back */
    uint32_t tag_latency;   /* L2 cycles of the tag look-up, after which a miss goes to memory */
    uint32_t latency;       /* L2 cycles, tag look-up to data of a hit; at least tag_latency */
    uint32_t link_latency;  /* L2 cycles between an L2 slice and the L3, per direction */
    uint32_t write_latency; /* L2 cycles, tag look-up of a write to its acknowledgement */
    uint32_t ports;         /* operations per L2 cycle and channel */
    double bytes_per_cycle; /* that a channel's part moves per L2 cycle; 0: any */
    uint32_t queue;         /* operations of a slice that wait for a channel */
    uint32_t header_bytes;  /* of a message on the link between a slice and the L3; counted only */
    struct write_cache_params write_cache; /* with coherence.protocol=quickrelease */
};

/* L2 cycles for which an operation holds a part, for its sector's data. */
static inline double l3_data_cycles(const struct l3_params *p)
{
    return p->bytes_per_cycle > 0 ? p->cache.sector_bytes / p->bytes_per_cycle : 0;
}
static inline bool l3_is_there(const struct l3_params *p)
{
    return p->kb > 0;
}
