/* old_names.c - options that older versions of GPGPU-Sim called otherwise. Source: the history of
 * what registers them (gpu-sim.cc, shader.cc, icnt_wrapper.cc), from 3.0 to 4.2. */
#include "gpu/machine/import/option_list.h"

#include <string.h>

/* In the order of their names. */
static const struct {
    const char *old, *now;
} rows[] = {
    {"Elimnate_rw_turnaround", "dram_elimnate_rw_turnaround"},
    {"Seperate_Write_Queue_Enable", "dram_seperate_write_queue_enable"},
    {"Write_Queue_Size", "dram_write_queue_size"},
    {"adaptive_cache_config", "gpgpu_adaptive_cache_config"},
    {"adaptive_volta_cache_config", "gpgpu_adaptive_cache_config"},
    {"adpative_volta_cache_config", "gpgpu_adaptive_cache_config"},
    {"arbiter_algo", "icnt_arbiter_algo"},
    {"dual_bus_interface", "dram_dual_bus_interface"},
    {"enable_specialized_operand_collector", "gpgpu_enable_specialized_operand_collector"},
    {"gmem_skip_L1D", "gpgpu_gmem_skip_L1D"},
    {"gpgpu_cache:dl1PreShared", "gpgpu_cache:dl1PrefShared"},
    {"gpgpu_cache_write_ratio", "gpgpu_l1_cache_write_ratio"},
    {"gpgpu_dram_sched_queue_size", "gpgpu_frfcfs_dram_sched_queue_size"},
    {"gpgpu_flush_cache", "gpgpu_flush_l1_cache"},
    {"inct_grant_cycles", "icnt_grant_cycles"},
    {"inct_in_buffer_limit", "icnt_in_buffer_limit"},
    {"inct_out_buffer_limit", "icnt_out_buffer_limit"},
    {"inct_subnets", "icnt_subnets"},
    {"inct_verbose", "icnt_verbose"},
    {"inst_fetch_throughput", "gpgpu_inst_fetch_throughput"},
    {"l1_banks", "gpgpu_l1_banks"},
    {"l1_latency", "gpgpu_l1_latency"},
    {"mem_unit_ports", "gpgpu_mem_unit_ports"},
    {"memory_partition_indexing", "gpgpu_memory_partition_indexing"},
    {"perf_sim_memcpy", "gpgpu_perf_sim_memcpy"},
    {"perfect_inst_const_cache", "gpgpu_perfect_inst_const_cache"},
    {"rop_latency", "gpgpu_l2_rop_latency"},
    {"simple_dram_model", "gpgpu_simple_dram_model"},
    {"smem_latency", "gpgpu_smem_latency"},
    {"sub_core_model", "gpgpu_sub_core_model"},
};

const char *option_present_name(const char *key)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].old, key) == 0) return rows[i].now;
    return key;
}
