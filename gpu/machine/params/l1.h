/* l1.h - parameters of the L1 data cache of one SM, and of its split with shared memory. */
#pragma once

#include "gpu/machine/params/cache.h"
#include "gpu/machine/params/write_cache.h"
#include "gpu/machine/rows/param.h"
#include "gpu/mechanisms/l1_mechanisms.h"

/* When the warps that wait for one fill wake up (Khairy III-C). */
enum wake_kind {
    WAKE_TOGETHER,
    WAKE_IN_TURN /* one warp per cycle */
};

/* Which queued store another store joins. */
enum join_kind {
    JOIN_BLOCK, /* the newest to its block, anywhere in the queue */
    JOIN_LAST   /* the newest of the queue, if it is to the same block */
};

/* Stores to private (local) memory, which no other SM can see. */
enum local_kind { LOCAL_SAME, LOCAL_BACK };

/* Which accesses bypass the L1. */
enum bypass_kind { BYPASS_HINTED, BYPASS_NONE, BYPASS_ALL, BYPASS_AGCB, BYPASS_N };

/* What tags and data take of one instruction in a cycle; 0 = no limit (gpu/geometry/
 * l1_instruction.h). */
enum lookup_index { LOOKUP_MODULO, LOOKUP_FOLD };
struct l1_instruction_params {
    uint32_t lookups; /* lines; as many banks of the tags */
    enum lookup_index lookup_index;
    uint32_t word_banks; /* of 4 bytes */
    uint32_t bytes_per_cycle;
    uint32_t scattered_lanes; /* that do not lie side by side */
    bool scattered_runs; /* of these, lanes beside the one before join it, up to bytes_per_cycle */
};
static inline bool l1_limits_instructions(const struct l1_instruction_params *p)
{
    return p->lookups || p->word_banks || p->bytes_per_cycle || p->scattered_lanes;
}
extern const struct choice lookup_choices[], wake_choices[], join_choices[], local_choices[],
    bypass_choices[];

struct l1_params {
    bool enabled;
    uint32_t kb;
    struct cache_params cache; /* cache.sets is derived from kb */
    uint32_t latency;          /* cycles, tag look-up to data of a hit */
    uint32_t ports;            /* accesses per cycle */
    uint32_t banks;            /* banks of the data array; 1 = not banked */
    uint32_t bank_bytes;       /* consecutive bytes in one bank */
    uint32_t bank_ports;       /* accesses per bank and cycle */
    enum index_kind bank_index;
    struct l1_instruction_params instruction;
    enum wake_kind wake;
    bool merge_loads, merge_stores; /* an access joins one of its kind that is still queued */
    enum join_kind merge_stores_with;
    uint32_t access_queue; /* accesses queued before the look-up; 0 = as many as the address
                              pipeline holds */
    bool mshr_wait_aside;  /* a load that finds no MSHR entry waits aside and does not block the
                              queue */
    uint32_t mshr_wait_entries; /* loads that may wait aside; 0 = unbounded */
    uint32_t miss_queue;        /* packets waiting for the network */
    uint32_t fill_ports;        /* fills per cycle */
    enum local_kind write_local;
    enum bypass_kind bypass;
    L1_MECHANISM_MEMBERS
    bool adaptive; /* L1 = unified - the smallest shared option that the launch needs (Khairy II) */
    uint32_t unified_kb;  /* L1 and shared memory together */
    uint32_t reserved_kb; /* of it, which neither of them gets */
    struct param_list shared_options_kb;
    bool flush_at_launch;                  /* invalidated between launches */
    struct write_cache_params write_cache; /* with coherence.protocol=quickrelease */
    /* Derived: log2 of the bytes of a page, where addresses are translated before the L1; else 0.
     */
    uint32_t page_shift;
};

/* Cycles of the tag look-up; 0 without a cache. */
static inline uint32_t l1_look_up_cycles(const struct l1_params *p)
{
    return p->enabled ? p->latency : 0;
}

/* The parameters of the tags, which track dirty sectors if l1.write_local = back. */
struct cache_params l1_tag_params(const struct l1_params *p);
/* The same of an L1 of another capacity: its sets stay, and have the ways that it takes. */
struct cache_params l1_tags_of(const struct l1_params *p, uint32_t kb);
/* The largest capacity that a launch can leave to it. */
uint32_t l1_most_kb(const struct l1_params *p);
/* What a launch with that much shared memory leaves to an adaptive L1. */
static inline uint32_t l1_kb_beside(const struct l1_params *p, uint32_t shared_kb)
{
    uint64_t others = (uint64_t)p->reserved_kb + shared_kb;
    return p->unified_kb > others ? (uint32_t)(p->unified_kb - others) : 0;
}
/* Whether the L1 keeps stored data in a line and also sends them on. */
bool l1_keeps_stores(const struct l1_params *p);
