/* memory_costs.h - energy per event, leakage and area of caches and of RAMs; units: costs.h. */
#pragma once

#include "gpu/energy/sram_model.h"

struct cache_costs {
    bool known, enabled;
    struct sram_cache asked; /* the cache that was looked up in the tables */
    double tag_read, data_read, data_write, tag_write;
    double leakage_mw, area_mm2; /* area NAN: unknown */
    bool stores_allocate;        /* a store that misses writes the data array, too */
    bool stores_fetch;   /* a store that misses first fetches, and the fill writes the tag */
    bool split;          /* stores are in the write cache beside it */
    bool round_looks_up; /* accesses that bypass the cache have looked up first */
    struct sram_cache_figures from; /* figures of one cache */
};

/* Of a file of MSHRs, a miss searches the file; a new entry and a merged access are written, a fill
 * reads its entry. Of a FIFO, an entry is written when it comes and read when it leaves. */
struct ram_costs {
    bool known, enabled;
    struct sram_key asked, taken; /* taken: the one of at least its size in the tables */
    double search, read, write;
    double leakage_mw, area_mm2;
    struct sram_figures from; /* figures of one RAM */
};
