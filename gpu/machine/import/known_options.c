/* known_options.c - the options of GPGPU-Sim and Accel-Sim that the import reads nothing from.
 * Source: what registers them (gpu-sim.cc, cuda-sim.cc, icnt_wrapper.cc, trace_driven.cc). */
#include "gpu/machine/import/importer.h"

#include <string.h>

static const char read_only[] = "caches of instructions, constants and textures are not modelled";
static const char collector[] = "registers are read at once here, within the units' addition";
static const char resource[] = "it has no counterpart";

/* In the order of their names. */
static const struct known_option rows[] = {
    {"accelwattch_*", NULL, NULL, false},
    {"aggregate_power_stats", NULL, NULL, false},
    {"dram_write_queue_size", "one queue serves reads and writes", NULL, false},
    {"dvfs_enabled", NULL, NULL, false},
    {"enable_ptx_file_line_stats", NULL, NULL, false},
    {"gpgpu_TB_launch_latency",
     "CTAs start without a latency of their own: many short ones take less time", "0", true},
    {"gpgpu_cache:dl1Pref*", "the L1 has one configuration", "none", false},
    {"gpgpu_cache:dl2_texture_only", "the L2 serves all accesses", "0", true},
    {"gpgpu_cache:il1", read_only, NULL, false},
    {"gpgpu_cdp_enabled", "kernels that start kernels are not modelled: their work is missing", "0",
     true},
    {"gpgpu_cflog_interval", NULL, NULL, false},
    {"gpgpu_clock_gated_*", NULL, NULL, false},
    {"gpgpu_compute_capability_*", NULL, NULL, false},
    {"gpgpu_concurrent_kernel_sm",
     "an SM runs one kernel at a time: kernels that would share SMs take longer", "0", true},
    {"gpgpu_const_cache:l1", read_only, NULL, false},
    {"gpgpu_deadlock_detect", NULL, NULL, false},
    {"gpgpu_dram_return_queue_size", "what comes back waits in l2.reply_queue", "0", false},
    {"gpgpu_dual_issue_diff_exec_units", "a warp issues one instruction per cycle", "1", false},
    {"gpgpu_enable_specialized_operand_collector", collector, NULL, false},
    {"gpgpu_flush_l2_cache", "the L2 keeps its lines between launches: later ones hit more", "0",
     true},
    {"gpgpu_heap_size_limit", NULL, NULL, false},
    {"gpgpu_ignore_resources_limitation", "CTAs are limited by registers and shared memory", "0",
     false},
    {"gpgpu_inst_fetch_throughput", "instructions are there when a warp wants them", NULL, false},
    {"gpgpu_l1_cache_write_ratio", "the share of dirty lines has no limit", "0", false},
    {"gpgpu_lrc_*",
     "requests of SMs for one sector do not join in front of the L2; those that miss join in its"
     " MSHRs: data that many SMs read at once load the L2 more",
     "0", true},
    {"gpgpu_local_mem_map", NULL, NULL, false},
    {"gpgpu_max_*", NULL, NULL, false},
    {"gpgpu_max_concurrent_kernel", "launches follow one another", "1", false},
    {"gpgpu_max_insn_issue_per_warp",
     "a warp issues one instruction per cycle: few warps of arithmetic may take twice as long", "1",
     true},
    {"gpgpu_mem_addr_test", NULL, NULL, false},
    {"gpgpu_mem_address_mask", NULL, NULL, false},
    {"gpgpu_mem_unit_ports", resource, "1", false},
    {"gpgpu_memlatency_stat", NULL, NULL, false},
    {"gpgpu_n_cluster_ejection_buffer_size", "packets wait in noc.output_queue", NULL, false},
    {"gpgpu_n_ldst_response_buffer_size", "packets wait in noc.output_queue", NULL, false},
    {"gpgpu_num_cta_barriers", resource, NULL, false},
    {"gpgpu_num_mem_units", NULL, NULL, false},
    {"gpgpu_num_reg_banks", collector, NULL, false},
    {"gpgpu_num_tensor_core_units", "each sub-core has a matrix unit", NULL, false},
    {"gpgpu_occupancy_sm_number", NULL, NULL, false},
    {"gpgpu_operand_collector_*", collector, NULL, false},
    {"gpgpu_perf_sim_memcpy", "it cuts addresses to 32 bits: l2.copy_warms = false", "0", false},
    {"gpgpu_perfect_inst_const_cache", read_only, "1", false},
    {"gpgpu_perfect_mem", "memory is modelled: loads take longer", "0", true},
    {"gpgpu_pipeline_widths", "each sub-core issues one instruction per cycle", NULL, false},
    {"gpgpu_ptx_*", NULL, NULL, false},
    {"gpgpu_reg_bank_use_warp_id", collector, NULL, false},
    {"gpgpu_reg_file_port_throughput", collector, NULL, false},
    {"gpgpu_registers_per_block", "a CTA may take all registers", NULL, false},
    {"gpgpu_runtime_pending_launch_count_limit", NULL, NULL, false},
    {"gpgpu_runtime_stat", NULL, NULL, false},
    {"gpgpu_runtime_sync_depth_limit", NULL, NULL, false},
    {"gpgpu_shmem_limited_broadcast",
     "lanes that read one word share an access: fewer conflicts of shared memory", "0", true},
    {"gpgpu_shmem_per_block", "a CTA may take all shared memory", NULL, false},
    {"gpgpu_shmem_size*", "shared memory has one size, or those of -gpgpu_shmem_option", NULL,
     false},
    {"gpgpu_simd_model", NULL, NULL, false},
    {"gpgpu_simple_dram_model", "banks and their timings are modelled: full memories take longer",
     "0", true},
    {"gpgpu_simt_core_sim_order", NULL, NULL, false},
    {"gpgpu_stack_size_limit", NULL, NULL, false},
    {"gpgpu_sub_core_model", "units belong to sub-cores", "1", false},
    {"gpgpu_tensor_core_avail", NULL, NULL, false},
    {"gpgpu_tex_cache:l1", read_only, NULL, false},
    {"gpgpu_warp_issue_shader", NULL, NULL, false},
    {"gpgpu_warpdistro_shader", NULL, NULL, false},
    {"gpuwattch_*", NULL, NULL, false},
    {"hw_perf_*", NULL, NULL, false},
    {"icnt_grant_cycles", "a grant holds for one packet", "1", true},
    {"icnt_subnets", "requests and replies have a network each", "2", true},
    {"icnt_verbose", NULL, NULL, false},
    {"inter_config_file", "a crossbar stands for what it describes", NULL, false},
    {"l2_ideal", "the L2 may miss: loads take longer", "0", true},
    {"liveness_message_freq", NULL, NULL, false},
    {"n_regfile_gating_group", NULL, NULL, false},
    {"power_*", NULL, NULL, false},
    {"ptx_opcode_*", NULL, NULL, false},
    {"save_embedded_ptx", NULL, NULL, false},
    {"specialized_unit_*", "what would go there is integer arithmetic, or memory", NULL, false},
    {"steady_*", NULL, NULL, false},
    {"trace", NULL, NULL, false},
    {"trace_components", NULL, NULL, false},
    {"trace_enabled", NULL, NULL, false},
    {"trace_opcode_latency_initiation_spec_op_*", "its unit has no counterpart", NULL, false},
    {"trace_opcode_latency_initiation_tensor", "the specialized unit TENSOR counts", NULL, false},
    {"trace_sampling_*", NULL, NULL, false},
    {"visualizer_*", NULL, NULL, false},
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
