/* costs.h - energy per event, leakage and area of one machine's caches, MSHR files, FIFOs, register
 * files and networks. The tables are read once; account.h multiplies the costs with the counts of
 * any record.
 *
 * Units: pJ per event; mW and mm2 over all instances (all SMs, all slices). Source: Candel 6.6.4,
 * 6.6.5; the tables: sram_model.h. */
#pragma once

#include "gpu/energy/register_costs.h"
#include "gpu/energy/sram_model.h"
#include "gpu/machine/params/coherence/l3.h"
#include "gpu/machine/params/dram/dram.h"
#include "gpu/machine/params/energy.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"
#include "gpu/machine/params/noc.h"
#include "gpu/machine/params/sm.h"
#include "gpu/mechanisms/mechanisms.h"

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

/* A miss searches the file; a new entry and a merged access are written, a fill reads its entry. */
struct mshr_costs {
    bool known, bounded; /* unbounded files do not exist in hardware and are left out */
    struct sram_key asked;
    double search, read, write;
    double leakage_mw, area_mm2;
    struct sram_figures from; /* figures of one file */
};

/* A block's entry is written when it comes and read when it leaves. */
struct fifo_costs {
    bool known;
    struct sram_key asked, taken; /* the FIFO, and the one of at least its size in the tables */
    double read, write;
    double leakage_mw, area_mm2;
    struct sram_figures from; /* figures of one FIFO */
};

/* The write caches of one level with their S-FIFOs (QuickRelease 3). */
struct write_cache_costs {
    struct cache_costs cache;
    struct fifo_costs fifo;
};

enum write_cache_level { WRITE_CACHE_L1, WRITE_CACHE_L2, WRITE_CACHE_L3, WRITE_CACHE_N };
extern const char *const write_cache_name[WRITE_CACHE_N];
extern const char *const write_cache_fifo_name[WRITE_CACHE_N];

enum { COSTS_NAMES_MAX = 640 };
struct energy_costs {
    bool on; /* false: energy.model = none, nothing else is set */
    struct cache_costs l1, l2, l3;
    bool l3_write_back;
    bool write_caches_on;
    struct write_cache_costs write_cache[WRITE_CACHE_N];
    double blocks_per_burst; /* blocks of the L3 that a burst of the memory holds; 1 at most */
    struct cache_costs frc;  /* data_read: reads an entry without a look-up */
    struct mechanism_set uncosted; /* those that are on and have no figures */
    struct mshr_costs l1_mshr, l2_mshr;
    struct register_file_costs registers;
    double flit_pj; /* 0: unknown */
    bool per_hop;
    char missing[COSTS_NAMES_MAX];   /* structures that the tables do not cover, by name */
    char stand_ins[COSTS_NAMES_MAX]; /* structures whose figures come from a similar entry
                                        (sram_model.h) */
};

/* The parts of a machine that costs depend on. */
struct energy_parts {
    const struct energy_params *energy;
    const struct sm_params *sm;
    const struct register_file_params *register_file;
    const struct l1_params *l1;
    const struct l2_params *l2;
    const struct l3_params *l3;
    const struct noc_params *noc;
    const struct dram_params *dram;
    struct mechanism_set mechanisms; /* machine_mechanisms */
};
/* Those of a struct machine *m. */
#define ENERGY_PARTS(m)                                          \
    ((struct energy_parts){.energy = &(m)->energy,               \
                           .sm = &(m)->sm,                       \
                           .register_file = &(m)->register_file, \
                           .l1 = &(m)->l1,                       \
                           .l2 = &(m)->l2,                       \
                           .l3 = &(m)->l3,                       \
                           .noc = &(m)->noc,                     \
                           .dram = &(m)->dram,                   \
                           .mechanisms = machine_mechanisms(m)})

/* false: a table cannot be read. Structures that the tables do not cover are no error: their costs
 * are unknown, and `missing` names them. */
bool energy_costs(struct energy_costs *c, const struct energy_parts *m, struct error *e);
/* Whether the costs of all caches, write caches, FIFOs and register files that the machine has are
 * known. */
bool energy_costs_complete(const struct energy_costs *c);
/* Whether a total is absent for want of a mechanism's figures. */
bool energy_costs_lack(const struct energy_costs *c, const char *total);
