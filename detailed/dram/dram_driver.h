/* dram_driver.h - the memory without a GPU: feeds channels with a pattern or a trace and reports
 * the results.
 *
 * Patterns (request i = 0, 1, 2 ...; a request is one burst of R bytes):
 *   seq      read i R
 *   rand     read (splitmix64(i + 1) mod (256 MiB / R)) R
 *   mix21    i R, every third request (i mod 3 = 2) a write
 *   conf     read, one bank, a new row each time
 *   rowstep  read, a new row each time, in turn over all banks of channel 0
 * Request i is offered from cycle i * gap on (gap 0: from the start), in order, at most `percycle`
 * per cycle; it enters when its channel accepts it, and latencies count from there. A trace has a
 * line "ADDRESS READ|WRITE CYCLE" per request, cycles not falling; # begins a comment.
 *
 * Addresses are distributed to the channels round-robin in blocks of `interleave_bytes`. */
#pragma once

#include "base/error.h"
#include "base/memory/histogram.h"
#include "detailed/dram/dram.h"

enum dram_pattern {
    DRAM_PATTERN_SEQ,
    DRAM_PATTERN_RAND,
    DRAM_PATTERN_MIX21,
    DRAM_PATTERN_CONF,
    DRAM_PATTERN_ROWSTEP,
    DRAM_PATTERN_N
};
extern const char *const dram_pattern_name[DRAM_PATTERN_N];

struct dram_traffic {
    const char *trace; /* a path; NULL: the pattern */
    enum dram_pattern pattern;
    uint64_t requests; /* of a pattern */
    uint32_t gap, percycle;
    uint32_t interleave_bytes;
    dram_log_fn *log; /* commands of channel 0, or NULL */
    void *log_ctx;
};

struct dram_result {
    uint64_t requests;
    uint64_t cycles;          /* to the end of the last burst */
    struct dram_stats stats;  /* sums over the channels */
    double gbps, utilization; /* bytes over time; busy share of the data buses */
    double row_hit_rate;      /* of all bursts */
    struct histogram latency; /* reads, cycles from acceptance to last beat */
    struct dram_idle idle;
    struct dram_energy energy; /* only if the timing set has figures */
    double pj_per_bit;
};

/* false: the parameters do not fit, a line of the trace is wrong, or no memory. */
bool dram_drive(const struct dram_params *p, const struct dram_traffic *t, struct dram_result *out,
                struct error *e);
