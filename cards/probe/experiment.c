/* experiment.c - see experiment.h. */
#include "cards/probe/experiment.h"

#include <string.h>

const struct probe_experiment probe_experiments[PROBE_N] = {
    [PROBE_CHASE] = {"pchase_latency", "buffer_kB", "cycles", PROBE_LATENCY},
    [PROBE_INIT] = {"stream_init", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_READ] = {"stream_read", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_SCALE] = {"stream_scale", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_TRIAD] = {"stream_triad", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_3PT] = {"stream_3pt", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_5PT] = {"stream_5pt", "threads_total", "GB/s", PROBE_STREAM},
    [PROBE_L2_READ] = {"l2_read_bw", "data_kB", "GB/s", PROBE_CACHE},
    [PROBE_SHARED_READ] = {"shared_buffer_read_bw", "data_kB", "GB/s", PROBE_CACHE},
    [PROBE_STRIDE_FLOAT] = {"l1_stride_float", "stride_elements", "B/clk/SM", PROBE_STRIDE},
    [PROBE_STRIDE_DOUBLE] = {"l1_stride_double", "stride_elements", "B/clk/SM", PROBE_STRIDE},
};

enum probe_id probe_by_name(const char *name)
{
    uint32_t id = 0;
    while (id < PROBE_N && strcmp(probe_experiments[id].name, name) != 0)
        id++;
    return (enum probe_id)id;
}
