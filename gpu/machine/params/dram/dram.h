/* dram.h - parameters of the memory: channels, devices, timing, controller, address mapping.
 * Timings are in clocks of the DRAM's command clock unless named _ns; 0 = the constraint does not
 * exist. */
#pragma once

#include "gpu/machine/params/dram/dram_energy.h"
#include "gpu/machine/params/dram/dram_kind.h"
#include "gpu/machine/rows/param.h"

#include <stdbool.h>
#include <stdint.h>

enum dram_model { DRAM_BANKS, DRAM_FIXED, DRAM_MODEL_N }; /* full timing, or a constant latency */
enum dram_sched { DRAM_FCFS, DRAM_FR_FCFS, DRAM_FCFS_STRICT, DRAM_SCHED_N };
enum page_policy { PAGE_OPEN, PAGE_CLOSED, PAGE_CLOSED_AFTER_HITS, PAGE_TIMEOUT, PAGE_N };
/* xor: bank ^= row mod banks (Khairy); bits: row bits of a list */
enum bank_hash { BANK_HASH_NONE, BANK_HASH_XOR, BANK_HASH_BITS, BANK_HASH_N };
/* fold: channel ^= all digits of bank and row; bits: row and bank bits of two lists */
/* How blocks come to channels where dram.mapping does not name them (gpu/geometry/address_map.h).
 */
enum channel_deal { CHANNEL_DEAL_SLICE, CHANNEL_DEAL_HASH };

enum channel_hash { CHANNEL_HASH_NONE, CHANNEL_HASH_FOLD, CHANNEL_HASH_BITS, CHANNEL_HASH_N };

struct dram_timing {
    uint32_t tRCDRD, tRCDWR, tRP, tRAS, tRC, tCL, tCWL, tAL;
    uint32_t tCCD_S, tCCD_L, tRRD_S, tRRD_L, tFAW, t32AW;
    /* TRTW: read to write command, 0 = from CL, burst, CWL. */
    uint32_t tWTR_S, tWTR_L, tWR, tRTP, tRTRS, tRTW;
    uint32_t tRFC, tREFI;
    uint32_t tRFCb, tREFIb, tRREFD; /* per-bank refresh; 0 = tRFC, tREFI over a rank's banks */
    uint32_t tPPD;
    uint32_t tCMD, tCMD_ACT; /* on the command bus; tCMD_ACT: 0 = tCMD */
    uint32_t tCKE, tXP;
};

struct dram_params {
    char set[PARAM_TEXT_MAX]; /* timing set from which the other fields were loaded, "" = none */
    enum dram_kind kind;      /* of that set, filled by the reader: no parameter */
    enum dram_model model;
    uint32_t channels;
    enum channel_deal channel_deal;
    uint32_t clock_khz; /* command clock; filled by the reader from dram.clock_mhz (a real) */
    double clock_mhz;
    uint32_t lockstep;        /* physical channels that one channel's controller drives as one */
    uint32_t pseudo_channels; /* per channel: each with banks and a data bus, one command bus */
    uint32_t bus_bytes;       /* data bus of a physical channel, or of a pseudo-channel */
    uint32_t burst_length;    /* beats per burst */
    uint32_t beats_per_clock; /* 2 = DDR, 4 = QDR */
    double delivered;         /* share of its clocks in which a data bus carries data at most */
    uint32_t ranks, bankgroups, banks_per_group; /* ranks: of a channel, or of a pseudo-channel */
    uint32_t rows;
    uint32_t row_bytes;           /* of one physical channel: a row over all its devices */
    char mapping[PARAM_TEXT_MAX]; /* fields from high to low, "row:bank:bankgroup:column";
                                     gpu/machine/params/dram/dram_mapping.h */
    enum bank_hash bank_hash;
    struct param_list bank_hash_rows; /* bank_hash=bits */
    enum channel_hash channel_hash;   /* only where the mapping names the channel */
    struct param_list channel_hash_rows, channel_hash_banks; /* channel_hash=bits */
    enum dram_sched scheduler;
    bool urgent_first; /* requests of urgent clients go before all others */
    uint32_t hit_cap;  /* fr_fcfs: row hits that may pass a bank's oldest request; 0 = unbounded */
    enum page_policy page_policy;
    uint32_t page_timeout; /* clocks after its last access after which a row is closed */
    uint32_t queue; /* read requests (all requests when there is no write queue) per channel */
    /* Commands per bank that the scheduler considers; 0 = the whole queue. */
    uint32_t per_bank_queue;
    /* 0 = one queue for both; drain between the marks. */
    uint32_t write_queue, write_high, write_low;
    bool forward_writes; /* reads are served from queued writes */
    bool dual_command;   /* row and column commands in the same clock (HBM) */
    bool per_bank_refresh;
    uint32_t power_down_idle; /* clocks without a request after which a rank powers down; 0 = off */
    uint32_t extra_latency;   /* core cycles added to every access (controller and PHY pipeline) */
    uint32_t fixed_latency;   /* model = fixed: cycles of the command clock */
    double fixed_gbps;        /* model = fixed: per channel; 0 = unbounded */
    struct dram_timing t;
    struct dram_energy_params energy;
};

/* A machine may lack a second memory. */
static inline bool dram_is_there(const struct dram_params *p)
{
    return p->channels > 0;
}
/* Physical channels in lockstep are one channel of that many times the width: a burst of
 * burst_length * bus_bytes is split evenly over them, and they open the same row of each of their
 * banks together (Candel 4.5.2, 4.6.2).  0 counts as 1. */
static inline uint32_t dram_lockstep(const struct dram_params *p)
{
    return p->lockstep > 1 ? p->lockstep : 1;
}
/* The row that a channel opens, over all of its physical channels. */
static inline uint32_t dram_row_bytes(const struct dram_params *p)
{
    return p->row_bytes * dram_lockstep(p);
}
/* Command clocks for which a burst occupies the data bus. */
static inline double dram_burst_clocks(const struct dram_params *p)
{
    return (double)p->burst_length / (p->beats_per_clock * dram_lockstep(p));
}
/* Command clocks from a burst to the next one that its data bus can carry, in the mean; 0 counts as
 * all of them. */
static inline double dram_held_clocks(const struct dram_params *p)
{
    return dram_burst_clocks(p) / (p->delivered > 0 ? p->delivered : 1);
}
/* What that is more than the burst's own clocks, in 1 / DRAM_REST of a clock. */
enum { DRAM_REST = 65536 };
static inline uint32_t dram_rest(const struct dram_params *p)
{
    return (uint32_t)((dram_held_clocks(p) - dram_burst_clocks(p)) * DRAM_REST + 0.5);
}
/* Clocks between two activates of a bank. */
static inline uint32_t dram_row_cycle(const struct dram_params *p)
{
    uint32_t parts = p->t.tRAS + p->t.tRP;
    return p->t.tRC > parts ? p->t.tRC : parts;
}
/* Pseudo-channels of a channel; 0 counts as 1. */
static inline uint32_t dram_pseudo_channels(const struct dram_params *p)
{
    return p->pseudo_channels > 1 ? p->pseudo_channels : 1;
}
/* GB/s of all channels; 0: unbounded, or there are none. */
static inline double dram_channels_gbps(const struct dram_params *p)
{
    if (!dram_is_there(p)) return 0;
    if (p->model == DRAM_FIXED) return p->channels * p->fixed_gbps;
    double buses = (double)p->channels * dram_pseudo_channels(p) * dram_lockstep(p);
    return buses * p->bus_bytes * p->beats_per_clock * p->clock_mhz * 1e-3;
}
/* Ranks of a channel, over its pseudo-channels. */
static inline uint32_t dram_rank_count(const struct dram_params *p)
{
    return dram_pseudo_channels(p) * p->ranks;
}
static inline uint32_t dram_bank_count(const struct dram_params *p)
{
    return dram_rank_count(p) * p->bankgroups * p->banks_per_group;
}
