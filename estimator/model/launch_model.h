/* launch_model.h - the model of one launch on one machine: from hit rates to a closed network, its
 * time, and the metrics that follow.
 *
 * A warp's round is: compute, then wait for the loads in flight.  Full waves of CTAs run with the
 * full population, the remaining CTAs as a smaller population.  Quantities that depend on the
 * solution itself (queue depth at the memory, merges with fetches in flight) are found in a few
 * fixed passes. Source: docs/models/estimator.md. */
#pragma once

#include "estimator/cache/cache_levels.h"
#include "estimator/cache/l1_banks.h"
#include "estimator/cache/l2_set_pressure.h"
#include "estimator/dram/dram_energy_model.h"
#include "estimator/dram/memory_load.h"
#include "estimator/dram/placed_pages.h"
#include "estimator/model/estimate.h"
#include "estimator/network/closed_network.h"
#include "estimator/network/cpu_load.h"
#include "estimator/network/crossbar_replay.h"
#include "estimator/registers/register_stations.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/params/mesh_layout.h"

/* Indices of the stations in the network; fixed, so that explanations add over launches. */
enum station_place {
    AT_DRAM,
    AT_SECOND_DRAM,
    AT_L3,
    AT_L2_MSHR,
    AT_L2,
    AT_L2_LINK,       /* between partitions of the L2, or from one to the L3 */
    AT_L2_LINK_PLACE, /* places for what is under way from a partition to a home slice */
    AT_NOC_SM_OUT,
    AT_NOC_LINKS_OUT, /* a mesh's busiest link, for requests and for replies */
    AT_NOC_LINKS_BACK,
    AT_NOC_SLICE_IN,
    AT_NOC_SLICE_OUT,
    AT_NOC_SM_IN,
    AT_L1,
    AT_L1_MSHR,
    AT_L1_HEAD, /* an access at the L1's head that waits for a fetch that it cannot join */
    AT_VMB,
    AT_MEMORY_UNIT,
    AT_SHARED,
    AT_UNIT,
    AT_ISSUE,
    AT_WALKERS,
    AT_TLB_PAGES, /* that wait for their translation */
    AT_REGISTER_BANKS,
    AT_COLLECT_SP,
    AT_COLLECT_SFU,
    AT_COLLECT_MEMORY,
    AT_DISPATCH,
    AT_N
};
_Static_assert((uint32_t)AT_N <= (uint32_t)NETWORK_MAX, "the network has room for all stations");

/* counts per round of one warp; memory counts are L1 transactions unless said otherwise */
struct warp_round {
    /* compute: cycles of the warp alone, by dependences and issue intervals */
    double instructions, compute;
    double loads, stores, l1_misses, l2_accesses, l2_reads, fetches; /* sectors */
    double l1_fetched; /* of l1_misses: into the L1; not past it, and no atomics */
    /* ... those of the L2's fetches that miss the L3, too; what the L2 writes; what memory gets */
    double memory_reads, l2_writes, memory_writes;
    /* stored: stores that fetch; written: requests with data to the L2; notices: messages without
     * data, either way */
    double stored, written, notices;
    double memory_instructions, shared_cycles;
    double load_wait,
        store_wait;   /* share of rounds that end with a wait for loads; for the last stores */
    double waited;    /* transactions waited for, per wait */
    double miss, far; /* share of load waits with an L1 miss; of these, with an L2 miss */
    double overlap;   /* cycles of compute that overlap a wait */
};

struct victim_exit {      /* how a victim leaves its line or entry */
    double cycles, waits; /* without queues; waits: how often it waits at the memory like a fetch */
};
struct inclusion_recalls { /* recalls by an inclusive L2; inclusion_model.h */
    double asked, copies;  /* share of the victims that are recalled; mean number of SMs asked */
};
struct l2_miss {             /* conventional miss management; l2_miss_model.h */
    double evicts;           /* share of the misses that evict a block */
    double dirty;            /* share of the evicted blocks that are written back */
    double early;            /* share of the evicting misses that get an FRC entry */
    double buffered;         /* share of dirty victims that the write-back buffer accepts */
    double outside;          /* share of the wait for memory that is spent before the controllers */
    struct victim_exit exit; /* a miss's wait for its victim, mean over all misses */
    double recall; /* a victim's wait for the recall of its L1 copies, mean over all victims */
    double recalled, leaving; /* the parts of exit.cycles: such waits, and what comes after */
    /* swap: time that a miss holds its MSHR after the fetch; lookup: added look-up time */
    double swap, lookup;
};

struct second_memory { /* second_memory.h */
    double share;      /* of the accesses to memory; 0: none goes there */
    double cycle;      /* of its clock, in core cycles */
    double bursts;     /* per sector */
    struct row_locality rows;
    struct dram_load dram;
    struct burst_time burst;
    double channels, even_channels; /* as the first memory's */
};

struct tlb_costs {               /* tlb_model.h; cycles are the core's */
    double misses, walks, reads; /* of the launch: pages asked for, walks, their reads */
    double walk_cycles;          /* of all walks */
    double late, late_wait;      /* of an access, of the latest access of a wait */
};

struct launch_model {
    const struct launch_profile *p;
    const struct launch_place *place;
    const struct launch *shape;
    const struct est_params *e;
    double launching; /* cycles before the first CTA */
    struct occupancy occ;
    struct cache_levels levels;
    struct row_locality rows;
    struct dram_load dram;
    struct burst_time burst;
    struct cpu_load cpu;
    struct second_memory second;
    double local; /* share of the reads from memory that go to the SM's own banks */
    struct l2_miss l2_miss;
    struct inclusion_recalls inclusion;
    struct lines_at_once lines;
    struct register_state registers;
    struct tlb_costs tlb;
    double slice_queues, channels; /* effective numbers under the launch's load */
    struct hot_atomics hot;
    double home_queues;  /* ... of slices under that of stores, atomics, and fetches */
    double fetch_queues; /* ... of slices under that of what misses the L2 */
    struct crossbar_pace crossbar;
    double even_channels; /* effective number over the whole launch */
    double rounds;        /* of all warps */
    struct warp_round r;
    struct mesh_load links[2];              /* a mesh's links: requests, replies */
    double l2_cycle, noc_cycle, dram_cycle; /* in core cycles */
    double bursts;                          /* per sector */
    double hit_latency, l2_latency, memory_latency, miss_latency;
    double dram_latency; /* of a fetch from the L3 or memory, without queues */
    double l3_way;       /* from a slice to the L3's look-up of tags and back; 0: there is no L3 */
    /* sectors that an SM's L1 fetches at once before a set is full of reserved lines */
    double reserved;
    double slice_reserved; /* ... the same for a slice of the L2 */
    struct level_merges l1_merges, l2_merges, l2_write_merges; /* l2_merges: of reads */
    double nacks; /* requests sent back by a full L2 MSHR file, per round */
    double lock;  /* cycles for which a directory's entry is locked while copies are recalled */
    double sms;   /* number of SMs with at least one CTA */
    double warps_per_sm;
    struct network net;
    struct network_result result;
    double near;   /* a start value for the first pass's throughput; 0: none */
    double cycles; /* of the launch, launch latency included */
};

/* map: the machine's; pages: NULL where none are placed.  false: a CTA does not fit on an SM. */
bool launch_model_init(struct launch_model *m, const struct profile *f, uint32_t launch,
                       const struct est_params *e, const struct map *map,
                       struct placed_pages *pages, struct error *err);
/* Phases of the launch with equal work but different misses per access: returns their number;
 * phase[] has their misses over the mean.  Each is solved on a copy of the model and has the weight
 * 1 / n. */
uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES]);
/* launch_model_part: one of the parts with equally many accesses, in order; returns its share of
 * them. */
double launch_model_part(const struct launch_model *m, uint32_t part, struct phase *out);
void launch_round_find(struct launch_model *m);
/* Of that, the compute; again when instructions take longer. */
void launch_round_compute(struct launch_model *m);
/* The cycles of the execution unit with most work, over all warps. */
double launch_round_unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                                double *instructions);
/* The cycles of the same unit on the sub-core that has most warps, where `ctas` CTAs run side by
 * side: as sm.cta_binding places them, not every sub-core has as many. */
double launch_round_fullest_cycles(const struct launch_model *m, double ctas);
/* launch_round_in_step_cycles: the cycles of `ctas` CTAs side by side whose warps stay in step, as
 * round robin keeps them between barriers; 0 if nothing keeps them in step. */
double launch_round_in_step_cycles(const struct launch_model *m, double ctas);
void launch_model_solve(struct launch_model *m, const struct phase *phase);
/* cycles[i]: those if the stations in without[i] (bits) were infinitely fast, for n such sets. */
void launch_model_cycles_without(const struct launch_model *m, const uint32_t *without, uint32_t n,
                                 double *cycles);
/* rows: of each memory. */
void launch_model_metrics(const struct launch_model *m, struct metrics *out,
                          struct rows_left rows[PAGE_MEMORIES]);

/* The share of a fetch from memory that a read that answers, a store at the L2 waits for on
 * average: all of its own, or what is left of the fetch that it joins. */
double launch_far(const struct launch_model *m);
/* Atomics whose value nobody asks for, so that no warp waits for them; *missed: those that miss the
 * L2 or pass it. */
double launch_silent_atomics(const struct launch_model *m, double *missed);
double launch_store_far(const struct launch_model *m);
/* Finds the round's share of waits for memory, given the merges. */
void launch_round_far(struct launch_model *m);

/* Accesses that an L1 accepts per cycle. */
static inline double launch_l1_pace(const struct launch_model *m)
{
    double run = m->p->l1_ops > 0 ? (m->p->loads + m->p->stores) / m->p->l1_ops : 1;
    return l1_accesses_per_cycle(m->e->l1, run);
}

/* The wait of a fetch at the memory that it goes to, in the mean. */
static inline double launch_memory_wait(const struct launch_model *m)
{
    const double *wait = m->result.wait, second = m->second.share;
    return second > 0 ? (1 - second) * wait[AT_DRAM] + second * wait[AT_SECOND_DRAM]
                      : wait[AT_DRAM];
}

/* Bytes of one request from an SM to the L2. */
static inline double est_request_bytes(const struct est_params *e)
{
    return e->l1->enabled ? e->l1->cache.sector_bytes : e->l2->cache.sector_bytes;
}
