/* l1.h - parameters of the L1 data cache of one SM, and of its split with shared memory. */
#ifndef PLUMB_GPU_MACHINE_PARAMS_L1_H
#define PLUMB_GPU_MACHINE_PARAMS_L1_H

#include "gpu/machine/params/cache.h"
#include "gpu/machine/tables/param.h"

/* When the warps that wait for one fill learn of it (Khairy III-C). */
enum wake_kind {
    WAKE_TOGETHER,
    WAKE_IN_TURN /* one warp per cycle */
};

/* Which queued access of its kind a store joins. */
enum join_kind {
    JOIN_BLOCK, /* the newest to its block, wherever it stands */
    JOIN_LAST   /* the newest of all, if that is to its block */
};

/* Stores to private (local) memory, which no other SM can see. */
enum local_kind { LOCAL_SAME, LOCAL_BACK };

/* Which accesses go round the L1. */
enum bypass_kind { BYPASS_HINTED, BYPASS_NONE, BYPASS_ALL, BYPASS_AGCB, BYPASS_N };

/* Adaptive GPU cache bypassing: a table of saturating counters by the low bits of the PC. */
struct agcb_params {
    uint32_t entries;      /* power of two */
    uint32_t counter_bits, /* of a counter */
        threshold,         /* from there on loads go round */
        initial;
    uint32_t pc_shift; /* low bits of the PC left out */
    bool lookup_first; /* the table is asked before the tags */
};
extern const struct choice wake_choices[], join_choices[], local_choices[], bypass_choices[];

struct l1_params {
    bool enabled;
    uint32_t kb;
    struct cache_params cache; /* cache.sets is derived from kb */
    struct frc_params frc;     /* of alloc = on_miss */
    uint32_t latency;          /* cycles, tag look-up to data of a hit */
    uint32_t ports;            /* accesses per cycle */
    uint32_t banks;            /* of the data; 1 = not banked */
    uint32_t bank_bytes;       /* neighbouring bytes that share a bank */
    uint32_t bank_ports;       /* accesses per bank and cycle */
    enum index_kind bank_index;
    enum wake_kind wake;
    bool merge_loads, merge_stores; /* an access joins one of its kind that is still queued */
    enum join_kind merge_stores_with;
    uint32_t access_queue; /* accesses before the look-up; 0 = what the address pipeline holds */
    bool mshr_wait_aside;  /* a load without an entry leaves the head */
    uint32_t mshr_wait_entries; /* of these; 0 = unbounded */
    uint32_t miss_queue;        /* packets waiting for the network */
    uint32_t fill_ports;        /* fills per cycle */
    uint32_t combine_lines;     /* of WRITE_COMBINE */
    enum local_kind write_local;
    enum bypass_kind bypass;
    struct agcb_params agcb;
    bool adaptive; /* L1 = unified - the smallest shared option that the launch needs (Khairy II) */
    uint32_t unified_kb; /* L1 and shared memory together */
    struct param_list shared_options_kb;
    bool flush_at_launch; /* invalidated between launches */
};

/* Without a cache there is nothing to look up. */
static inline uint32_t l1_look_up_cycles(const struct l1_params *p)
{
    return p->enabled ? p->latency : 0;
}

/* The tags' parameters: with l1.write_local = back they know dirty sectors. */
struct cache_params l1_tag_params(const struct l1_params *p);
/* Whether it has a line for what it stores, and sends that on as well. */
bool l1_keeps_stores(const struct l1_params *p);

#endif
