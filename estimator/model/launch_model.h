/* launch_model.h - one launch on one machine: from hit rates to a closed network, its time, and
 * what follows.
 *
 * A round of a warp is: compute, then wait for the loads in flight.  Full waves of CTAs run at full
 * population, the rest of the CTAs as a smaller population.  What depends on the answer itself
 * (queue depth at the memory, merges with fetches under way) is found in a few fixed passes.
 * Source: reference modelling notes D2, D3; docs/models/estimator.md. */
#ifndef PLUMB_ESTIMATOR_MODEL_LAUNCH_MODEL_H
#define PLUMB_ESTIMATOR_MODEL_LAUNCH_MODEL_H

#include "estimator/cache/cache_levels.h"
#include "estimator/cache/l1_banks.h"
#include "estimator/cache/l2_set_pressure.h"
#include "estimator/dram/dram_energy_model.h"
#include "estimator/dram/memory_load.h"
#include "estimator/model/estimate.h"
#include "estimator/network/closed_network.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/params/mesh_layout.h"

/* Places of the stations in the network; fixed, so that explanations add over launches. */
enum station_place {
    AT_DRAM,
    AT_L2_MSHR,
    AT_L2,
    AT_NOC_SM_OUT,
    AT_NOC_LINKS_OUT, /* of a mesh: its busiest link, requests and replies */
    AT_NOC_LINKS_BACK,
    AT_NOC_SLICE_IN,
    AT_NOC_SLICE_OUT,
    AT_NOC_SM_IN,
    AT_L1,
    AT_L1_MSHR,
    AT_L1_HEAD, /* that waits for a fetch that it cannot join */
    AT_VMB,
    AT_MEMORY_UNIT,
    AT_SHARED,
    AT_UNIT,
    AT_ISSUE,
    AT_N
};

struct warp_round { /* per round of one warp; memory counts are L1 transactions unless said
                       otherwise */
    double instructions, compute; /* compute: cycles alone, by dependences and intervals */
    double loads, stores, l1_misses, l2_accesses, l2_reads, fetches, memory_writes; /* sectors */
    double stored, written, notices; /* stores that fetch; requests that carry data to the L2; that
                                        carry none, either way */
    double memory_instructions, shared_cycles;
    double load_wait,
        store_wait;   /* share of rounds that end with a wait for loads, for the last stores */
    double waited;    /* transactions waited for, per wait */
    double miss, far; /* share of load waits with an L1 miss; of those with an L2 miss */
    double overlap;   /* cycles of compute under a wait */
};

struct victim_exit {      /* of a victim out of its line or entry */
    double cycles, waits; /* without queues; times it waits at the memory like a fetch */
};
struct inclusion_recalls { /* by an inclusive L2; inclusion_model.h */
    double asked, copies;  /* share of the victims that are asked for; SMs then, mean */
};
struct l2_miss {             /* conventional miss management; l2_miss_model.h */
    double evicts;           /* share of the misses that push a block out */
    double dirty;            /* share of these blocks that are written back */
    double early;            /* share of the misses that evict which an FRC entry takes */
    double buffered;         /* share of dirty victims that the write-back buffer takes */
    double outside;          /* share of the wait for memory that is in front of the controllers */
    struct victim_exit exit; /* that a miss waits for its victim, mean over all misses */
    double recall;           /* that a victim waits for its L1 copies, mean over all victims */
    double swap, lookup; /* that a miss keeps its MSHR for after the fetch; that it looks longer */
};

struct launch_model {
    const struct launch_profile *p;
    const struct launch *shape;
    const struct est_params *e;
    const struct correction *c;
    struct occupancy occ;
    struct cache_levels levels;
    struct row_locality rows;
    struct dram_load dram;
    struct burst_time burst;
    struct l2_miss l2_miss;
    struct inclusion_recalls inclusion;
    struct lines_at_once lines;
    double slice_queues, channels; /* that the load acts like */
    double crossbar_busy;          /* a crossbar's ports that are busy at once; 0: not known */
    double even_channels;          /* over the whole launch */
    double rounds;                 /* of all warps */
    struct warp_round r;
    struct mesh_load links[2];              /* of a mesh: requests, replies */
    double l2_cycle, noc_cycle, dram_cycle; /* in core cycles */
    double bursts;                          /* per sector */
    double hit_latency, l2_latency, memory_latency, miss_latency;
    double dram_latency; /* of a fetch, without queues */
    double reserved;     /* sectors that an SM's L1 fetches at once before a set is full of them */
    double slice_reserved; /* ... and a slice of the L2 */
    double merges_l1, merges_l2;
    double nacks;      /* requests sent back by a full L2 MSHR file, per round */
    double merge_left; /* share of a fetch that a read merged at the L1 still waits for */
    double lock;       /* cycles for which a directory's entry is locked while copies are asked */
    double sms;        /* with at least one CTA */
    double warps_per_sm;
    struct network net;
    struct network_result result;
    double near;      /* a throughput much like that of the first pass; 0: none is known */
    double cycles;    /* of the launch, launch latency included */
    uint32_t without; /* stations taken out (bits) */
};

/* map: of the machine.  false: a CTA does not fit on an SM. */
bool launch_model_init(struct launch_model *m, const struct launch_profile *p,
                       const struct launch_samples *samples, const struct launch *shape,
                       const struct profile_view *view, const struct est_params *e,
                       const struct correction *c, const struct map *map, struct error *err);
/* Parts of the launch of equal work whose misses per access differ: how many, and those of each
 * over the mean.  Each is solved on a copy of its own and counts 1 / n of what it says. */
uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES]);
/* One of the parts of equally many accesses, in its place in the launch; its share of them. */
double launch_model_part(const struct launch_model *m, uint32_t part, struct phase *out);
void launch_round_find(struct launch_model *m);
/* The execution unit with most work: its cycles over all warps. */
double launch_round_unit_cycles(const struct launch_profile *p, const struct sm_params *sm,
                                double *instructions);
/* Cycles of a CTA whose warps stay in step, as round robin keeps them between barriers: 0 where
 * nothing does. */
double launch_round_in_step_cycles(const struct launch_model *m);
void launch_model_solve(struct launch_model *m, const struct phase *phase);
/* Cycles if the stations of `without` (bits) were infinitely fast; the model is as it was
 * afterwards. */
double launch_model_cycles_without(const struct launch_model *m, uint32_t without);
void launch_model_metrics(const struct launch_model *m, struct metrics *out,
                          struct rows_left *rows);

/* Accesses that an L1 takes per cycle. */
static inline double launch_l1_pace(const struct launch_model *m)
{
    double run = m->p->l1_ops > 0 ? (m->p->loads + m->p->stores) / m->p->l1_ops : 1;
    return l1_accesses_per_cycle(m->e->l1, run);
}

/* What an SM asks the L2 for at once. */
static inline double est_request_bytes(const struct est_params *e)
{
    return e->l1->enabled ? e->l1->cache.sector_bytes : e->l2->cache.sector_bytes;
}

#endif
