/* experiment.h - the microbenchmarks of memory systems that a machine is probed with: what each
 * runs, and what its curve shows over which x.
 *
 * pchase_latency: one thread follows pointers through a ring in random order, one node per 128
 * bytes; x = KB of the ring; core cycles per load.  stream_*: kernels over arrays of 2 GB, one
 * double per thread; x = concurrent threads of the whole GPU, whose number shared memory holds
 * down; GB/s of the operands that the source line names.  l2_read_bw: CTAs of 1,024 threads, CTA i
 * reads block i mod R; x = KB of all blocks; GB/s.  shared_buffer_read_bw: one CTA per SM, all read
 * the same two buffers again and again; x = KB of both; GB/s.  l1_stride_*: one CTA loads with a
 * stride from its L1; x = stride in elements; bytes per clock and SM.
 *
 * The programs are generated (trace/generators): pointer_chase, elementwise, block_read and
 * offset_read.  Source: the experiments of RRZE-HPC/gpu-benches (gpu-latency, gpu-stream,
 * gpu-l2-cache, gpu-cache, gpu-strides), as descriptions; no code of theirs is used. */
#pragma once

#include <stdint.h>

enum probe_id {
    PROBE_CHASE,
    PROBE_INIT,
    PROBE_READ,
    PROBE_SCALE,
    PROBE_TRIAD,
    PROBE_3PT,
    PROBE_5PT,
    PROBE_L2_READ,
    PROBE_SHARED_READ,
    PROBE_STRIDE_FLOAT,
    PROBE_STRIDE_DOUBLE,
    PROBE_N
};

/* How a curve is read (features.h). */
enum probe_kind { PROBE_LATENCY, PROBE_STREAM, PROBE_CACHE, PROBE_STRIDE };

struct probe_experiment {
    const char *name, *x_name, *unit;
    enum probe_kind kind;
};
extern const struct probe_experiment probe_experiments[PROBE_N];
/* PROBE_N: there is none of that name. */
enum probe_id probe_by_name(const char *name);

struct probe_point {
    enum probe_id id;
    double x;
    uint32_t block, ctas; /* streams: threads of a CTA, CTAs per SM */
    uint32_t longer; /* the measured part, and what is before it, is so many times longer; 0: 1 */
    uint64_t used;   /* streams: elements of the arrays that runs before this one have touched */
    /* Results: */
    double value;
    char extra[32]; /* as in the column of measured curves */
    double drift;   /* relative difference of the rates of the measured part's halves */
};
