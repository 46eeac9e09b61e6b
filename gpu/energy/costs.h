/* costs.h - what the events of one machine cost: its caches, MSHR files and networks, found in the
 * tables once, then multiplied with the counts of any record (account.h).
 *
 * Units: pJ per event; mW and mm2 over all of a kind (all SMs, all slices).
 * Source: Candel 6.6.4, 6.6.5; the tables: sram_model.h. */
#ifndef PLUMB_GPU_ENERGY_COSTS_H
#define PLUMB_GPU_ENERGY_COSTS_H

#include "gpu/energy/sram_model.h"
#include "gpu/machine/params/energy.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"
#include "gpu/machine/params/noc.h"
#include "gpu/machine/params/scalar.h"
#include "gpu/machine/params/sm.h"

struct cache_costs {
    bool known, enabled;
    struct sram_cache asked; /* of the tables */
    double tag_read, data_read, data_write, tag_write;
    double leakage_mw, area_mm2;    /* area NAN: no figure */
    bool stores_allocate;           /* a store that misses writes the data array, too ... */
    bool stores_fetch;              /* ... after a fill that has written the tag */
    bool round_looks_up;            /* accesses that go round have looked up first */
    struct sram_cache_figures from; /* of one cache */
};

/* A miss searches the file; a new entry and a joining access are written, a fill reads its entry.
 */
struct mshr_costs {
    bool known, bounded; /* unbounded files are no hardware: they are left out */
    struct sram_key asked;
    double search, read, write;
    double leakage_mw, area_mm2;
    struct sram_figures from; /* of one file */
};

enum { COSTS_NAMES_MAX = 160 };
struct energy_costs {
    bool on; /* false: energy.model = none, nothing else is set */
    struct cache_costs l1, l2;
    struct cache_costs frc; /* data_read: of an entry without look-up */
    bool vc, scalar; /* there is a victim cache or an FRC of the L1s, are scalar caches: they have
                        no account */
    struct mshr_costs l1_mshr, l2_mshr;
    double flit_pj; /* 0: unknown */
    bool per_hop;
    char missing[COSTS_NAMES_MAX];   /* structures that the tables do not cover, by name */
    char stand_ins[COSTS_NAMES_MAX]; /* those whose figures are of something near (sram_model.h) */
};

/* false: a table cannot be read.  Structures that the tables do not cover are no fault: they are
 * not known, and `missing` names them. */
bool energy_costs(struct energy_costs *c, const struct energy_params *p, const struct sm_params *sm,
                  const struct l1_params *l1, const struct l2_params *l2,
                  const struct scalar_params *scalar, const struct noc_params *noc,
                  struct error *e);

#endif
