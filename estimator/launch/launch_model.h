/* launch_model.h - the model of one launch on one machine: its parts, which terms fill in.
 *
 * Input: the profile and the machine's parts; no term changes it.  Traffic: what hits, is fetched
 * and is written back, by level, and how it is spread over slices and channels.  Round: the same of
 * a warp between two waits: it computes, then waits for the loads in flight.  Stations: a closed
 * network with the warps as customers.  Result: its solution.  What a solution tells (queue depth
 * at the memory, merges with fetches in flight) is an input of the next one.
 *
 * A part that no term has filled in has no effect (launch_model_neutral). Which term fills in what,
 * and in which order: estimator/model/term_list.c. Source: docs/models/estimator.md. */
#pragma once

#include "estimator/cache/cache_levels.h"
#include "estimator/dram/dram_energy_model.h"
#include "estimator/dram/memory_load.h"
#include "estimator/dram/placed_pages.h"
#include "estimator/est_params.h"
#include "estimator/network/closed_network.h"
#include "estimator/network/crossbar_replay.h"
#include "estimator/registers/register_file_model.h"
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
    AT_TLB_PORTS, /* of the shared TLB */
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
    double rounds; /* of all warps in the launch; the rest is per round */
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

struct launch_memory { /* a memory under the last solution's load */
    struct dram_load load;
    struct burst_time burst;
};
struct second_memory { /* memory_channels.h */
    double share;      /* of the accesses to memory; 0: none goes there */
    double cycle;      /* of its clock, in core cycles */
    double bursts;     /* per sector */
    struct row_locality rows;
    struct launch_memory under;
    double channels, even_channels; /* as the first memory's */
};

struct tlb_costs {               /* tlb_model.h; cycles are the core's */
    double misses, walks, reads; /* of the launch: pages asked for, walks, their reads */
    double walk_cycles;          /* of all walks */
    double late, late_wait;      /* of an access, of the latest access of a wait */
};

struct cpu_load { /* cpu_load.h */
    double ipc[CPU_CORES_MAX];
    double reads, writes; /* lines per core cycle of the GPU, of all cores */
    double latency;       /* of a read, in these cycles */
    double bursts;        /* per line */
    double first;         /* share of the lines in the first memory */
    double busy;          /* share of its channels' time, below 1 */
};

/* Windows of 1, 2, 4 ... warps; the last has all. */
enum { REGISTER_WINDOWS = 8 };

struct register_state { /* register_stations.h */
    bool on;
    struct register_spread spread;
    uint32_t warps;
    struct register_shifts of[REGISTER_WINDOWS], near; /* near: of the warps that take turns */
    double reads, writes, readers;  /* of the launch: operands, results, instructions with any */
    double in_order;                /* collection behind others that must go first */
    double collect, write;          /* added before the unit, and behind it */
    double bank_read, bank_write;   /* register cycles of the mean access */
    double bank_reads, bank_writes; /* of the launch, as all below */
    double under; /* chance that another warp's access has left a register under a port */
    double shifts, wait, met; /* register cycles; accesses that find others */
    struct register_kept kept;
    double direct, passing, forced; /* how results leave the write buffer */
};

struct launch_input {
    const struct profile *f;
    uint32_t launch; /* its number */
    const struct map *map;
    const struct placed_pages *pages; /* NULL: none are placed */
    struct launch_samples samples;
    double launching; /* cycles before the first CTA */
    struct occupancy occ;
    double l2_cycle, noc_cycle, dram_cycle; /* in core cycles */
    double bursts;                          /* per sector */
};

struct launch_sampled { /* what samples are asked, and how they are reduced to memory traffic */
    struct launch_samples samples;
    struct row_stream stream;
    uint32_t cls, blocks; /* the class that the L2 lets through; that of the blocks */
};
/* How traffic meets slices and channels: effective numbers over the whole launch. */
struct launch_spread {
    double slices, homes;     /* under the launch's load; under that of stores, atomics, fetches */
    double fetches, channels; /* slices under what misses the L2; channels */
    double local;             /* share of the reads from memory that go to the SM's own banks */
};
struct launch_lines { /* that await data */
    /* sectors that an SM's L1 fetches at once before a set is full of reserved lines; the same for
     * a slice of the L2 */
    double l1, l2;
};
struct launch_latency { /* without queues, core cycles */
    double hit, l2, memory, miss;
    double dram;     /* of a fetch from the L3 or memory */
    double l3_way;   /* from a slice to the L3's look-up of tags and back; 0: there is no L3 */
    double l3_write; /* from a slice to the L3 and back with the acknowledgement of a write */
    double lock;     /* for which a directory's entry is locked while copies are recalled */
};
struct launch_merges {
    struct level_merges l1, l2, l2_writes; /* l2: of reads */
};
struct launch_delays { /* of a round without queues, core cycles */
    double own_queue;
    double joined;              /* share of waits that join a fetch */
    double heads, heads_left;   /* fetch_wait_heads */
    double load, store, hidden; /* waits; what compute hides of those for loads */
    double release;
};
struct launch_wave {                /* CTAs side by side */
    double ctas, sms, warps_per_sm; /* sms: with at least one CTA */
    double channels;                /* effective number for as many accesses as are in flight */
    double near;                    /* a start value for the first solution's throughput; 0: none */
};
struct launch_first_work { /* before the first wait of the warps that begin with the launch */
    double share;          /* of a warp's own instructions; 0: they are not in step */
    double part;           /* of all instructions of the launch */
};
struct launch_cycles {
    double wave; /* of the CTAs side by side */
    double run;  /* of all waves */
    double all;  /* of the launch, launch latency included */
    double held; /* of these, by which the power limit lengthens it */
};

struct launch_model {
    /* input */
    const struct launch_profile *p;
    const struct launch_place *place;
    const struct launch *shape;
    const struct est_params *e;
    struct launch_input in;
    /* traffic */
    struct cache_levels levels;
    struct launch_sampled sampled;
    struct row_locality rows;
    struct launch_spread spread;
    struct hot_atomics hot;
    struct crossbar_pace crossbar;
    struct launch_lines lines;
    struct mesh_load links[2]; /* a mesh's: requests, replies */
    struct warp_round r;
    struct launch_first_work first;
    /* service */
    struct launch_latency latency;
    struct launch_memory memory; /* the first one */
    struct second_memory second;
    struct l2_miss l2_miss;
    struct inclusion_recalls inclusion;
    struct register_state registers;
    struct tlb_costs tlb;
    struct cpu_load cpu;
    struct launch_merges merges;
    double nacks; /* requests sent back by a full L2 MSHR file, per round */
    struct launch_delays delays;
    /* stations */
    struct launch_wave wave;
    struct network net;
    /* result */
    struct network_result result;
    struct launch_cycles cycles;
};

/* The address samples of a launch. */
struct launch_samples launch_samples_of(const struct profile *f, uint32_t launch);

/* The wait of a fetch at the memory that it goes to, in the mean. */
static inline double launch_memory_wait(const struct launch_model *m)
{
    const double *wait = m->result.wait, second = m->second.share;
    return second > 0 ? (1 - second) * wait[AT_DRAM] + second * wait[AT_SECOND_DRAM]
                      : wait[AT_DRAM];
}

/* Accesses that an L1 accepts per cycle. */
static inline double launch_l1_pace(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double cycles = p->bank_cycles;
    return cycles > 0 ? (p->loads + p->stores + p->atomics) / cycles : m->e->l1->ports;
}

/* Bytes of one request from an SM to the L2. */
static inline double est_request_bytes(const struct est_params *e)
{
    return e->l1->enabled ? e->l1->cache.sector_bytes : e->l2->cache.sector_bytes;
}
