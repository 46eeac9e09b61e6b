/* costs.h - energy per event, leakage and area of one machine's caches, MSHR files, FIFOs, register
 * files and networks. The tables are read once; account.h multiplies the costs with the counts of
 * any record.
 *
 * Units: pJ per event; mW and mm2 over all instances (all SMs, all slices). Source: Candel 6.6.4,
 * 6.6.5; the tables: sram_model.h. */
#pragma once

#include "gpu/energy/register_costs.h"
#include "gpu/energy/write_cache_costs.h"
#include "gpu/machine/part_list.h"

enum { COSTS_NAMES_MAX = 640, COSTED_MAX = 12 };

/* In the order of sums and of what is shown: X(name), a struct energy_structure energy_of_NAME
 * (structures.h). */
#define ENERGY_STRUCTURES(X) \
    X(l1)                    \
    X(l2)                    \
    X(frc)                   \
    X(mshr)                  \
    X(network)               \
    X(dram)                  \
    X(l3)                    \
    X(write_caches)          \
    X(registers)

/* A structure that was looked up in the tables of caches or of RAMs. */
struct costed {
    const char *name;
    uint32_t count; /* instances in the machine */
    bool cache;     /* else a RAM */
    size_t at;      /* of its struct cache_costs or struct ram_costs in the struct energy_costs */
};

struct energy_costs {
    bool on;         /* false: energy.model = none, nothing else is set */
    bool incomplete; /* the costs of a cache, write cache, FIFO or register file are not known */
    struct cache_costs l1, l2, l3;
    bool l3_write_back;
    struct write_caches_costs write_caches;
    struct cache_costs frc; /* data_read: reads an entry without a look-up */
    uint64_t uncosted;      /* the mechanisms that are on and have no figures, by number */
    struct ram_costs l1_mshr, l2_mshr; /* unbounded files do not exist in hardware: not enabled */
    struct register_file_costs registers;
    double flit_pj; /* 0: unknown */
    bool per_hop;
    struct costed costed[COSTED_MAX]; /* in the order in which they are shown */
    uint32_t n_costed;
    char missing[COSTS_NAMES_MAX];   /* structures that the tables do not cover, by name */
    char stand_ins[COSTS_NAMES_MAX]; /* structures whose figures come from a similar entry
                                        (sram_model.h) */
};

/* m: machine_part_pointers. false: a table cannot be read. Structures that the tables do not cover
 * are no error: their costs are unknown, and `missing` names them. */
bool energy_costs(struct energy_costs *c, const struct part_pointers *m, struct error *e);
/* Whether a total is absent for want of a mechanism's figures. */
bool energy_costs_lack(const struct energy_costs *c, const char *total);
