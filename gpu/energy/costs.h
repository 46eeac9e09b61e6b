/* costs.h - energy per event, leakage and area of one machine's caches, MSHR files and networks.
 * The tables are read once; account.h multiplies the costs with the counts of any record.
 *
 * Units: pJ per event; mW and mm2 over all instances (all SMs, all slices). Source: Candel 6.6.4,
 * 6.6.5; the tables: sram_model.h. */
#pragma once

#include "gpu/energy/sram_model.h"
#include "gpu/machine/params/energy.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"
#include "gpu/machine/params/noc.h"
#include "gpu/machine/params/sm.h"

struct cache_costs {
    bool known, enabled;
    struct sram_cache asked; /* the cache that was looked up in the tables */
    double tag_read, data_read, data_write, tag_write;
    double leakage_mw, area_mm2; /* area NAN: unknown */
    bool stores_allocate;        /* a store that misses writes the data array, too */
    bool stores_fetch;   /* a store that misses first fetches, and the fill writes the tag */
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

enum { COSTS_NAMES_MAX = 160 };
struct energy_costs {
    bool on; /* false: energy.model = none, nothing else is set */
    struct cache_costs l1, l2;
    struct cache_costs frc; /* data_read: reads an entry without a look-up */
    uint64_t uncosted;      /* the mechanisms that are on and have no figures, by number */
    struct mshr_costs l1_mshr, l2_mshr;
    double flit_pj; /* 0: unknown */
    bool per_hop;
    char missing[COSTS_NAMES_MAX];   /* structures that the tables do not cover, by name */
    char stand_ins[COSTS_NAMES_MAX]; /* structures whose figures come from a similar entry
                                        (sram_model.h) */
};

/* mechanisms_on: machine_mechanisms. false: a table cannot be read. Structures that the tables do
 * not cover are no error: their costs are unknown, and `missing` names them. */
bool energy_costs(struct energy_costs *c, const struct energy_params *p, const struct sm_params *sm,
                  const struct l1_params *l1, const struct l2_params *l2,
                  const struct noc_params *noc, uint64_t mechanisms_on, struct error *e);
/* Whether a total is absent for want of a mechanism's figures. */
bool energy_costs_lack(const struct energy_costs *c, const char *total);
