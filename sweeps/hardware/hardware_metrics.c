/* hardware_metrics.c - see hardware_metrics.h.  Sectors and transactions of NVIDIA's L1, L2 and
 * DRAM counters are 32 bytes, requests of AMD's L2 64 bytes: these are the caches' own units, in
 * which plumb counts, too. */
#include "sweeps/hardware/hardware_metrics.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct counter_metric table[] = {
    {PROFILER_NVPROF, "inst_executed", "warp_instructions", 1},
    {PROFILER_NVPROF, "l2_tex_read_transactions", "l2.reads", 1},
    {PROFILER_NVPROF, "l2_tex_write_transactions", "l2.writes", 1},
    {PROFILER_NVPROF, "l2_tex_hit_rate", "l2.hit_rate_as_ncu", 1},
    {PROFILER_NVPROF, "global_hit_rate", "l1.hit_rate", 1},
    {PROFILER_NVPROF, "dram_read_transactions", "dram.reads", 1},
    {PROFILER_NVPROF, "dram_write_transactions", "dram.writes", 1},
    {PROFILER_NVPROF, "Duration", "time_us", 1},
    {PROFILER_NCU, "gpc__cycles_elapsed.max", "cycles", 1},
    {PROFILER_NCU, "sm__cycles_elapsed.max", "cycles", 1},
    {PROFILER_NCU, "gpu__time_duration.sum", "time_us", 1},
    {PROFILER_NCU, "smsp__inst_executed.sum", "warp_instructions", 1},
    {PROFILER_NCU, "sm__inst_executed.sum", "warp_instructions", 1},
    {PROFILER_NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1.reads", 1},
    {PROFILER_NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "l1.read_hits", 1},
    {PROFILER_NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1.writes", 1},
    {PROFILER_NCU, "lts__t_sectors_srcunit_tex_op_read.sum", "l2.reads", 1},
    {PROFILER_NCU, "lts__t_sectors_srcunit_tex_op_write.sum", "l2.writes", 1},
    {PROFILER_NCU, "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", "l2.read_hits", 1},
    {PROFILER_NCU, "lts__t_sector_hit_rate.pct", "l2.hit_rate_as_ncu", 1},
    {PROFILER_NCU, "dram__sectors_read.sum", "dram.reads", 1},
    {PROFILER_NCU, "dram__sectors_write.sum", "dram.writes", 1},
    {PROFILER_NCU, "dram__bytes_read.sum", "l2.bytes_from_memory", 1},
    {PROFILER_NCU, "dram__bytes_write.sum", "l2.bytes_to_memory", 1},
    /* labels of the details page */
    {PROFILER_NCU, "Elapsed Cycles", "cycles", 1},
    {PROFILER_NCU, "Duration", "time_us", 1},
    {PROFILER_NCU, "Executed Instructions", "warp_instructions", 1},
    {PROFILER_NCU, "L2 Hit Rate", "l2.hit_rate_as_ncu", 1},
    {PROFILER_ROCPROF, "DurationNs", "time_us", 1e-3},
    {PROFILER_ROCPROF, "GRBM_GUI_ACTIVE", "cycles", 1},
    {PROFILER_ROCPROF, "TCP_TOTAL_ACCESSES_sum", "l1.accesses", 1},
    {PROFILER_ROCPROF, "TCC_READ_sum", "l2.reads", 1},
    {PROFILER_ROCPROF, "TCC_WRITE_sum", "l2.writes", 1},
    {PROFILER_ROCPROF, "TCC_HIT_sum", "l2.hits_as_rocprof", 1},
    {PROFILER_ROCPROF, "TCC_MISS_sum", "l2.misses", 1},
    {PROFILER_ROCPROF, "L2CacheHit", "l2.hit_rate_as_rocprof", 0.01},
    {PROFILER_ROCPROF, "FetchSize", "l2.bytes_from_memory", 1024},
    {PROFILER_ROCPROF, "FETCH_SIZE", "l2.bytes_from_memory", 1024},
    {PROFILER_ROCPROF, "WriteSize", "l2.bytes_to_memory", 1024},
    {PROFILER_ROCPROF, "WRITE_SIZE", "l2.bytes_to_memory", 1024},
    {PROFILER_OPENCL, "us", "time_us", 1},
};
enum { COUNTERS = sizeof table / sizeof table[0] };

const struct counter_metric *counter_metric(enum profiler tool, const char *counter)
{
    for (size_t i = 0; i < COUNTERS; i++)
        if (table[i].tool == tool && strcmp(table[i].counter, counter) == 0) return &table[i];
    return NULL;
}

const struct counter_metric *hardware_counter_metric_at(uint32_t i)
{
    return i < COUNTERS ? &table[i] : NULL;
}

static bool is_lower_name(const char *s)
{
    if (!islower((unsigned char)*s)) return false;
    while (islower((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '_')
        s++;
    return *s == '\0';
}

bool hardware_counter_is_plausible(enum profiler tool, const char *name)
{
    static const char *const blocks[] = {"SQ_",  "TA_",   "TD_",  "TCP_", "TCC_", "TCA_",
                                         "SQC_", "GRBM_", "CPC_", "CPF_", "SPI_", "GDS_"};
    /* derived metrics in rocprof's manual for which plumb has no metric */
    static const char *const derived[] = {
        "Wavefronts",      "VALUInsts",       "SALUInsts",       "VFetchInsts",
        "SFetchInsts",     "VWriteInsts",     "FlatVMemInsts",   "LDSInsts",
        "FlatLDSInsts",    "GDSInsts",        "VALUUtilization", "VALUBusy",
        "SALUBusy",        "MemUnitBusy",     "MemUnitStalled",  "WriteUnitStalled",
        "LDSBankConflict", "ALUStalledByLDS", "GPUBusy",         "OccupancyPercent"};
    if (counter_metric(tool, name)) return true;
    switch (tool) {
    case PROFILER_NVPROF: return is_lower_name(name);
    case PROFILER_NCU: return strstr(name, "__") != NULL;
    case PROFILER_OPENCL: return false;
    case PROFILER_ROCPROF: break;
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (strncmp(name, blocks[i], strlen(blocks[i])) == 0) return true;
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++)
        if (strcmp(name, derived[i]) == 0) return true;
    return false;
}

bool hardware_counter_is_mean(const char *name)
{
    static const char *const parts[] = {"rate",        "pct",       "efficiency", "throughput",
                                        "utilization", "occupancy", "ipc",        "_per_",
                                        "overhead",    "stall_",    "Rate",       "Throughput"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i])) return true;
    return false;
}

bool hardware_counter_unit(const char *unit, double *factor)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1},        {"%", 0.01},     {"ns", 1e-3},   {"nsecond", 1e-3},
                 {"us", 1},      {"usecond", 1},  {"ms", 1e3},    {"msecond", 1e3},
                 {"s", 1e6},     {"second", 1e6}, {"byte", 1},    {"B", 1},
                 {"Kbyte", 1e3}, {"KB", 1e3},     {"Mbyte", 1e6}, {"MB", 1e6},
                 {"Gbyte", 1e9}, {"GB", 1e9},     {"cycle", 1},   {"inst", 1},
                 {"sector", 1},  {"request", 1},  {"GB/s", 1e9},  {"MB/s", 1e6},
                 {"KB/s", 1e3},  {"B/s", 1}};
    *factor = 1;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i].name, unit) != 0) continue;
        *factor = units[i].factor;
        return true;
    }
    return false;
}

bool hardware_unit_counts(const char *unit)
{
    static const char *const units[] = {"cycle", "inst",  "sector", "request",        "thread",
                                        "warp",  "block", "byte",   "register/thread"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i], unit) == 0) return true;
    return false;
}
