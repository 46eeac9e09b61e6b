/* l2.h - parameters of the L2: slices (banks), their routing, and miss management. */
#ifndef PLUMB_GPU_MACHINE_PARAMS_L2_H
#define PLUMB_GPU_MACHINE_PARAMS_L2_H

#include "gpu/machine/params/cache.h"
#include "gpu/machine/tables/param.h"

/* Who serves which address. */
enum slice_hash {
    SLICE_MODULO,
    SLICE_XOR,
    SLICE_IPOLY,
    SLICE_CHANNEL,
    SLICE_N
}; /* gpu/geometry/address_map.h */

enum miss_management {
    MISS_REPLACE_AT_ONCE, /* the victim leaves at the miss, its write-back follows; the line is
                             reserved */
    MISS_CONVENTIONAL,    /* victim in transition: evict, then fetch, serialised at the line
                             (Candel 5.4) */
    MISS_N
};

/* Whether L1s may have copies of what the L2 has not (Candel 4.5.4, 5.4). */
enum inclusion {
    INCLUSION_NONE, /* they may */
    INCLUSION_FULL  /* a line that leaves takes their copies with it */
};

/* MISS_CONVENTIONAL: which line a miss waits for (mechanisms 2). */
enum victim_rule { VICTIM_LRU, VICTIM_LRU_EXT };
enum eviction_end { EVICTION_ACCEPTED, EVICTION_WRITTEN };

/* MISS_CONVENTIONAL: what becomes of an access to a block that is on its way out of its line. */
enum victim_hit {
    VICTIM_HIT_LOADS, /* loads are served until it is out, others wait at the line */
    VICTIM_HIT_WAITS, /* waits at the line */
    VICTIM_HIT_NACK   /* is sent back */
};

/* MISS_CONVENTIONAL: a request whose line, or victim's line, is in transition (4.6.1, 5.4). */
enum line_wait { LINE_WAIT_QUEUE, LINE_WAIT_NACK };

/* Victim cache of a slice, fully associative, LRU (mechanisms 4). */
struct vc_params {
    uint32_t entries; /* 0: there is none */
    uint32_t lookup_cycles, swap_cycles;
};

struct l2_params {
    uint32_t banks;            /* slices over the whole chip */
    uint32_t bank_kb;          /* per slice */
    struct cache_params cache; /* cache.sets is derived from bank_kb */
    uint32_t interleave_bytes; /* consecutive bytes on one slice */
    enum slice_hash slice_hash;
    enum inclusion inclusion; /* of the L1s' lines; scalar caches are left alone */
    enum miss_management miss_management;
    enum victim_rule victim_rule; /* when miss_management=conventional */
    enum victim_hit victim_hit;   /* likewise */
    enum line_wait line_wait;     /* likewise */
    struct frc_params frc;        /* likewise */
    struct vc_params vc;          /* likewise */
    uint32_t writeback_buffer; /* likewise: victims that may wait beside their lines for memory */
    bool clean_victim_notice;  /* a clean victim, too, takes a round trip to memory before its line
                                  is free (M2S) */
    uint32_t notice_cycles;    /* L2 cycles of that trip beside its wait for the controller */
    enum eviction_end eviction_end; /* when miss_management=conventional: of a dirty victim */
    uint32_t latency;               /* L2 cycles, tag look-up to data of a hit */
    uint32_t extra_latency; /* L2 cycles from the network to the look-up (GPGPU-Sim's ROP delay) */
    uint32_t ports;         /* look-ups per L2 cycle and slice */
    uint32_t data_banks;    /* of a slice's data array; 0: any number of accesses at once */
    uint32_t bank_cycles;   /* L2 cycles that an access keeps its bank busy */
    uint32_t input_queue, miss_queue, reply_queue; /* packets */
    bool
        nack; /* MISS_REPLACE_AT_ONCE: a refused request is sent back, it does not hold up others */
    bool nack_releases_l1_mshr; /* a read that is sent back gives up its L1 MSHR */
    uint32_t nack_retry_cycles; /* core cycles after which a refused request comes again */
    bool copy_warms;            /* host-to-device copies leave their lines in the L2 (Khairy II) */
    bool copy_dirty;            /* they are still to be written to memory */
};

#endif
