/* known_options.c - the options of GPGPU-Sim and Accel-Sim that the import reads nothing from.
 * Source: what registers them (gpu-sim.cc, cuda-sim.cc, icnt_wrapper.cc, trace_driven.cc). */
#include "gpu/machine/import/importer.h"

#include <string.h>

static const char read_only[] = "caches of instructions, constants and textures are not modelled";
static const char collector[] = "registers are read at once here, within the units' addition";
static const char resource[] = "it has no counterpart";

/* In the order of their names. */
static const struct known_option rows[] = {
    {"accelwattch_*", NULL, NULL},
    {"aggregate_power_stats", NULL, NULL},
    {"dram_write_queue_size", "one queue serves reads and writes", NULL},
    {"dvfs_enabled", NULL, NULL},
    {"enable_ptx_file_line_stats", NULL, NULL},
    {"gpgpu_TB_launch_latency", "CTAs start without a latency of their own", "0"},
    {"gpgpu_cache:dl1Pref*", "the L1 has one configuration", "none"},
    {"gpgpu_cache:dl2_texture_only", "the L2 serves all accesses", "0"},
    {"gpgpu_cache:il1", read_only, NULL},
    {"gpgpu_cdp_enabled", "kernels that start kernels are not modelled", "0"},
    {"gpgpu_cflog_interval", NULL, NULL},
    {"gpgpu_clock_gated_*", NULL, NULL},
    {"gpgpu_compute_capability_*", NULL, NULL},
    {"gpgpu_concurrent_kernel_sm", "an SM runs one kernel at a time", "0"},
    {"gpgpu_const_cache:l1", read_only, NULL},
    {"gpgpu_deadlock_detect", NULL, NULL},
    {"gpgpu_dram_return_queue_size", "what comes back waits in l2.reply_queue", "0"},
    {"gpgpu_dual_issue_diff_exec_units", "a warp issues one instruction per cycle", "1"},
    {"gpgpu_enable_specialized_operand_collector", collector, NULL},
    {"gpgpu_flush_l2_cache", "the L2 keeps its lines between launches", "0"},
    {"gpgpu_heap_size_limit", NULL, NULL},
    {"gpgpu_ignore_resources_limitation", "CTAs are limited by registers and shared memory", "0"},
    {"gpgpu_inst_fetch_throughput", "instructions are there when a warp wants them", NULL},
    {"gpgpu_l1_cache_write_ratio", "the share of dirty lines has no limit", "0"},
    {"gpgpu_local_mem_map", NULL, NULL},
    {"gpgpu_max_*", NULL, NULL},
    {"gpgpu_max_concurrent_kernel", "launches follow one another", "1"},
    {"gpgpu_max_insn_issue_per_warp", "a warp issues one instruction per cycle", "1"},
    {"gpgpu_mem_addr_test", NULL, NULL},
    {"gpgpu_mem_address_mask", NULL, NULL},
    {"gpgpu_mem_unit_ports", resource, "1"},
    {"gpgpu_memlatency_stat", NULL, NULL},
    {"gpgpu_n_cluster_ejection_buffer_size", "packets wait in noc.output_queue", NULL},
    {"gpgpu_n_ldst_response_buffer_size", "packets wait in noc.output_queue", NULL},
    {"gpgpu_num_cta_barriers", resource, NULL},
    {"gpgpu_num_mem_units", NULL, NULL},
    {"gpgpu_num_reg_banks", collector, NULL},
    {"gpgpu_num_tensor_core_units", "each sub-core has a matrix unit", NULL},
    {"gpgpu_occupancy_sm_number", NULL, NULL},
    {"gpgpu_operand_collector_*", collector, NULL},
    {"gpgpu_perf_sim_memcpy", "it cuts addresses to 32 bits: l2.copy_warms = false", "0"},
    {"gpgpu_perfect_inst_const_cache", read_only, "1"},
    {"gpgpu_perfect_mem", "memory is modelled", "0"},
    {"gpgpu_pipeline_widths", "each sub-core issues one instruction per cycle", NULL},
    {"gpgpu_ptx_*", NULL, NULL},
    {"gpgpu_reg_bank_use_warp_id", collector, NULL},
    {"gpgpu_reg_file_port_throughput", collector, NULL},
    {"gpgpu_registers_per_block", "a CTA may take all registers", NULL},
    {"gpgpu_runtime_pending_launch_count_limit", NULL, NULL},
    {"gpgpu_runtime_stat", NULL, NULL},
    {"gpgpu_runtime_sync_depth_limit", NULL, NULL},
    {"gpgpu_shmem_limited_broadcast", "lanes that read one word share an access", "0"},
    {"gpgpu_shmem_per_block", "a CTA may take all shared memory", NULL},
    {"gpgpu_shmem_size*", "shared memory has one size, or those of -gpgpu_shmem_option", NULL},
    {"gpgpu_simd_model", NULL, NULL},
    {"gpgpu_simple_dram_model", "banks and their timings are modelled", "0"},
    {"gpgpu_simt_core_sim_order", NULL, NULL},
    {"gpgpu_stack_size_limit", NULL, NULL},
    {"gpgpu_sub_core_model", "units belong to sub-cores", "1"},
    {"gpgpu_tensor_core_avail", NULL, NULL},
    {"gpgpu_tex_cache:l1", read_only, NULL},
    {"gpgpu_warp_issue_shader", NULL, NULL},
    {"gpgpu_warpdistro_shader", NULL, NULL},
    {"gpuwattch_*", NULL, NULL},
    {"hw_perf_*", NULL, NULL},
    {"icnt_grant_cycles", "a grant holds for one packet", "1"},
    {"icnt_subnets", "requests and replies have a network each", "2"},
    {"icnt_verbose", NULL, NULL},
    {"inter_config_file", "a crossbar stands for what it describes", NULL},
    {"l2_ideal", "the L2 may miss", "0"},
    {"liveness_message_freq", NULL, NULL},
    {"n_regfile_gating_group", NULL, NULL},
    {"power_*", NULL, NULL},
    {"ptx_opcode_*", NULL, NULL},
    {"save_embedded_ptx", NULL, NULL},
    {"specialized_unit_*", "what would go there is integer arithmetic, or memory", NULL},
    {"steady_*", NULL, NULL},
    {"trace", NULL, NULL},
    {"trace_components", NULL, NULL},
    {"trace_enabled", NULL, NULL},
    {"trace_opcode_latency_initiation_spec_op_*", "its unit has no counterpart", NULL},
    {"trace_opcode_latency_initiation_tensor", "the specialized unit TENSOR counts", NULL},
    {"trace_sampling_*", NULL, NULL},
    {"visualizer_*", NULL, NULL},
};

static bool names(const struct known_option *k, const char *key)
{
    size_t n = strlen(k->name);
    if (k->name[n - 1] == '*') return strncmp(k->name, key, n - 1) == 0;
    return strcmp(k->name, key) == 0;
}

/* A full name goes before a pattern, a longer pattern before a shorter one. */
const struct known_option *known_option_find(const char *key)
{
    const struct known_option *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        if (!names(&rows[i], key) || n < longest) continue;
        found = &rows[i];
        longest = n;
    }
    return found;
}
