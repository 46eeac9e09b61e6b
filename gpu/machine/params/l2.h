/* l2.h - parameters of the L2: slices (banks), their routing, and miss management. */
#pragma once

#include "gpu/machine/params/cache.h"
#include "gpu/machine/params/write_cache.h"
#include "gpu/machine/rows/param.h"
#include "gpu/mechanisms/l2_mechanisms.h"

enum { L2_BANKS_MAX = 1024 };

/* Which slice serves which address. */
enum slice_hash {
    /* see gpu/geometry/address_map.h */
    SLICE_MODULO,
    SLICE_XOR,
    SLICE_IPOLY,
    SLICE_CHANNEL,
    SLICE_IPOLY_MODULO,
    SLICE_RANDOM,
    SLICE_N
};

enum miss_management {
    MISS_REPLACE_AT_ONCE, /* the victim is evicted at the miss and then written back; the line is
                             reserved */
    MISS_CONVENTIONAL,    /* victim in transition: evict, then fetch, serialised at the line
                             (Candel 5.4) */
    MISS_N
};

/* Whether L1s may have copies of lines that the L2 does not have (Candel 4.5.4, 5.4). */
enum inclusion {
    INCLUSION_NONE, /* L1s may have such copies */
    INCLUSION_FULL  /* the L2 invalidates the L1s' copies of a line that it evicts */
};

/* MISS_CONVENTIONAL: which line a miss waits for. */
enum victim_rule { VICTIM_LRU, VICTIM_LRU_EXT };
enum eviction_end { EVICTION_ACCEPTED, EVICTION_WRITTEN };

/* MISS_CONVENTIONAL: what happens to an access to a block that is being evicted. */
enum victim_hit {
    VICTIM_HIT_LOADS, /* loads are served until the eviction ends, others wait at the line */
    VICTIM_HIT_WAITS, /* the access waits at the line */
    VICTIM_HIT_NACK   /* the access is rejected and retried */
};

/* MISS_CONVENTIONAL: what happens to a request whose line, or victim's line, is in transition
 * (4.6.1, 5.4). */
enum line_wait { LINE_WAIT_QUEUE, LINE_WAIT_NACK };
enum memory_full { MEMORY_FULL_WAIT, MEMORY_FULL_NACK };

/* When a store is acknowledged that the L2 writes through. */
enum write_ack { WRITE_ACK_L2, WRITE_ACK_MEMORY };

struct l2_params {
    uint32_t banks;            /* slices over the whole chip */
    uint32_t bank_kb;          /* per slice */
    struct cache_params cache; /* cache.sets is derived from bank_kb */
    uint32_t interleave_bytes; /* consecutive bytes on one slice */
    enum slice_hash slice_hash;
    enum write_ack write_ack; /* when cache.write=through */
    enum inclusion inclusion; /* inclusion of the L1s' lines; scalar caches are not affected */
    enum miss_management miss_management;
    enum victim_rule victim_rule;   /* when miss_management=conventional */
    enum victim_hit victim_hit;     /* when miss_management=conventional */
    enum line_wait line_wait;       /* when miss_management=conventional */
    enum memory_full memory_full;   /* when clean_victim_notice */
    enum eviction_end eviction_end; /* when miss_management=conventional: of a dirty victim */
    uint32_t latency;               /* L2 cycles, tag look-up to data of a hit */
    uint32_t extra_latency; /* L2 cycles from the network to the look-up (GPGPU-Sim's ROP delay) */
    uint32_t ports;         /* look-ups per L2 cycle and slice */
    uint32_t data_banks;    /* banks of a slice's data array; 0: unlimited accesses in parallel */
    uint32_t bank_cycles;   /* L2 cycles for which an access occupies its bank */
    uint32_t input_queue, miss_queue, reply_queue; /* packets */
    bool nack; /* MISS_REPLACE_AT_ONCE: a request that cannot be served is rejected (NACK) instead
                  of blocking others */
    bool nack_releases_l1_mshr; /* a rejected read releases its L1 MSHR */
    uint32_t nack_retry_cycles; /* core cycles after which a rejected request is retried */
    bool copy_warms;            /* host-to-device copies leave their lines in the L2 (Khairy II) */
    bool copy_dirty;            /* such lines are dirty */
    struct write_cache_params write_cache; /* with coherence.protocol=quickrelease */
    L2_MECHANISM_MEMBERS
};

/* Whether lines have home slices, of which other partitions keep copies. */
static inline bool l2_has_homes(const struct l2_params *p)
{
    return p->partitions > 1 && p->partition_home == HOME_PARTITION;
}
/* Whether each partition is an L2 of its own. */
static inline bool l2_are_several(const struct l2_params *p)
{
    return p->partitions > 1 && p->partition_home == HOME_MEMORY;
}
/* Reads and writes of one of several L2s' slices that may be under way; 0: any number. */
static inline uint32_t l2_link_requests(const struct l2_params *p)
{
    return l2_are_several(p) ? p->link_requests : 0;
}
