/* import_core.c - clocks, SMs and networks; see importer.h. */
#include "gpu/machine/import/import_additions.h"
#include "gpu/machine/import/importer.h"

#include <stdio.h>
#include <string.h>

enum { SPECIALIZED = 8, CLOCKS = 4, SECTORED_ARCH = 40 };

static void import_clocks(struct machine_importer *im)
{
    static const char *const path[] = {"clock.core_mhz", "clock.noc_mhz", "clock.l2_mhz"};
    const struct option *o = importer_take(im, "gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0");
    double mhz[CLOCKS];
    uint32_t n = importer_numbers(im, o, ':', CLOCKS, mhz);
    if (n != 0 && n != CLOCKS)
        importer_fault(im, o, "%u clocks; four (core, network, L2, memory) are allowed", n);
    for (uint32_t i = 0; n == CLOCKS && i < CLOCKS - 1; i++)
        importer_set(im, o, NULL, path[i], "%.12g", mhz[i]);
}

/* --- units ------------------------------------------------------------------------------------ */

struct unit_time {
    const struct option *o;
    double latency, interval;
};

static double first_number(struct machine_importer *im, const char *key, double other)
{
    double v[SPECIALIZED];
    if (!option_list_find(&im->options, key)) return other;
    return importer_numbers(im, importer_take(im, key, ""), ',', SPECIALIZED, v) ? v[0] : other;
}

/* LATENCY,INTERVAL of an option of trace.config.  Where no file has it, the first numbers of GPGPU-
 * Sim's own ptx_opcode_latency_NAME and ptx_opcode_initiation_NAME (an addition's) stand for it. */
static struct unit_time unit_time(struct machine_importer *im, const char *key, const char *name)
{
    struct unit_time t = {.o = importer_take(im, key, "4,1")};
    double v[2];
    char ptx[48];
    uint32_t n = importer_numbers(im, t.o, ',', 2, v);
    if (n == 1) importer_fault(im, t.o, "one number; LATENCY,INTERVAL is allowed");
    if (n != 2) return t;
    t.latency = v[0];
    t.interval = v[1];
    if (t.o->file || !name) return t;
    /* "tesnor" is how GPGPU-Sim spells it. */
    const char *spelled = strcmp(name, "tensor") == 0 ? "tesnor" : name;
    snprintf(ptx, sizeof ptx, "ptx_opcode_latency_%s", spelled);
    const struct option *o = option_list_find(&im->options, ptx);
    t.latency = first_number(im, ptx, t.latency);
    snprintf(ptx, sizeof ptx, "ptx_opcode_initiation_%s", name);
    t.interval = first_number(im, ptx, t.interval);
    if (o) t.o = o;
    return t;
}

/* Units that several sub-cores share, or of which one has several, start rarer or more often. */
static void unit_rows(struct machine_importer *im, const char *unit, struct unit_time t,
                      uint32_t units, uint32_t subcores, bool branch)
{
    char latency[40], interval[40];
    snprintf(latency, sizeof latency, "sm.units.%s.latency", unit);
    snprintf(interval, sizeof interval, "sm.units.%s.interval", unit);
    double each = units ? t.interval * subcores / units : t.interval;
    uint32_t cycles = (uint32_t)(each > 1 ? each + 0.999 : 1);
    importer_set(im, t.o, branch ? "trace driven, nothing waits for one" : "and the addition",
                 latency, "%.0f", branch ? 1 : t.latency + IMPORT_UNIT_CYCLES);
    importer_set(im, t.o, units && units != subcores ? "of all its units, by sub-core" : "",
                 interval, "%u", cycles);
}

/* The number of the specialized unit of that name that is enabled, from 1 on; 0: there is none. */
static uint32_t specialized(struct machine_importer *im, const char *name)
{
    for (uint32_t i = 1; i <= SPECIALIZED; i++) {
        char key[32];
        snprintf(key, sizeof key, "specialized_unit_%u", i);
        const struct option *o = option_list_find(&im->options, key);
        const char *last = o ? strrchr(o->value, ',') : NULL;
        if (last && o->value[0] == '1' && strcmp(last + 1 + strspn(last + 1, " "), name) == 0)
            return i;
    }
    return 0;
}

/* Times of the specialized unit of that name, else of `other`. */
static struct unit_time specialized_time(struct machine_importer *im, const char *unit,
                                         const char *other, const char *name)
{
    uint32_t i = specialized(im, unit);
    char key[48];
    if (i == 0) return unit_time(im, other, name);
    snprintf(key, sizeof key, "specialized_unit_%u", i);
    importer_take(im, key, "");
    snprintf(key, sizeof key, "trace_opcode_latency_initiation_spec_op_%u", i);
    return unit_time(im, option_list_find(&im->options, key) ? key : other, name);
}

static void import_units(struct machine_importer *im, uint32_t subcores)
{
    uint32_t sp = (uint32_t)importer_whole(im, "gpgpu_num_sp_units", "1", 0, 1024);
    uint32_t dp = (uint32_t)importer_whole(im, "gpgpu_num_dp_units", "0", 0, 1024);
    uint32_t whole = (uint32_t)importer_whole(im, "gpgpu_num_int_units", "0", 0, 1024);
    uint32_t sfu = (uint32_t)importer_whole(im, "gpgpu_num_sfu_units", "1", 0, 1024);
    struct unit_time fp32 = unit_time(im, "trace_opcode_latency_initiation_sp", "fp");
    /* Without units of their own, integers go to those of single, doubles to special functions. */
    unit_rows(im, "int32", unit_time(im, "trace_opcode_latency_initiation_int", "int"),
              whole ? whole : sp, subcores, false);
    unit_rows(im, "fp32", fp32, sp, subcores, false);
    unit_rows(im, "fp64", unit_time(im, "trace_opcode_latency_initiation_dp", "dp"), dp ? dp : sfu,
              subcores, false);
    unit_rows(im, "sfu", unit_time(im, "trace_opcode_latency_initiation_sfu", "sfu"), sfu, subcores,
              false);
    unit_rows(im, "tensor",
              specialized_time(im, "TENSOR", "trace_opcode_latency_initiation_tensor", "tensor"), 0,
              subcores, false);
    unit_rows(im, "branch",
              specialized_time(im, "BRA", "trace_opcode_latency_initiation_int", "int"), 0,
              subcores, true);
}

/* --- the SM ----------------------------------------------------------------------------------- */

static void import_scheduler(struct machine_importer *im)
{
    const struct option *o = importer_take(im, "gpgpu_scheduler", "gto");
    uint32_t warps;
    if (strcmp(o->value, "lrr") == 0 || strcmp(o->value, "gto") == 0) {
        importer_set(im, o, NULL, "sm.scheduler", "%s", o->value);
    } else if (sscanf(o->value, "two_level_active:%9u", &warps) == 1) {
        importer_set(im, o, NULL, "sm.scheduler", "two_level");
        importer_set(im, o, NULL, "sm.two_level.warps", "%u", warps);
        importer_replaces(im, o, "both levels of its scheduler are loose round robin");
    } else if (strcmp(o->value, "old") == 0 || strcmp(o->value, "rrr") == 0) {
        importer_replaces(im, o,
                          "another scheduler stands for it: sm.scheduler = gto, or lrr for rrr");
        importer_set(im, o, NULL, "sm.scheduler", "%s", o->value[0] == 'o' ? "gto" : "lrr");
    } else {
        importer_fault(im, o, "%.40s; lrr, gto, old, rrr and two_level_active:N are allowed",
                       o->value);
    }
}

/* KB of shared memory: with an adaptive L1 the largest of the options. */
static void import_shared(struct machine_importer *im)
{
    const struct option *o = importer_take(im, "gpgpu_shmem_size", "16384");
    uint64_t bytes = importer_whole(im, "gpgpu_shmem_size", "16384", 0, 1 << 20);
    if (im->l1.sets > 0 && importer_flag(im, "gpgpu_adaptive_cache_config", "0")) {
        const struct option *list = importer_shared_sizes(im);
        const char *last = strrchr(list->value, ',');
        importer_set(im, list, "the largest", "sm.shared_kb", "%s",
                     (last ? last + 1 : list->value) + strspn(last ? last + 1 : list->value, " "));
        return;
    }
    if (bytes % 1024 != 0)
        importer_fault(im, o, "%llu; whole KB are allowed", (unsigned long long)bytes);
    importer_set(im, o, NULL, "sm.shared_kb", "%llu", (unsigned long long)(bytes / 1024));
}

/* Lanes join into 32-byte sectors from Maxwell on, into lines before. */
static void import_coalescing(struct machine_importer *im, uint32_t warp)
{
    const struct option *arch = importer_take(im, "gpgpu_coalesce_arch", "13");
    const struct option *parts = importer_take(im, "gpgpu_shmem_warp_parts", "2");
    uint32_t generation = (uint32_t)importer_whole(im, arch->key, "13", 0, 1000);
    uint32_t groups = (uint32_t)importer_whole(im, parts->key, "2", 1, 32);
    uint32_t line = im->l1.sets ? im->l1.line_bytes : im->l2.line_bytes;
    uint32_t sector = im->l1.sets ? im->l1.sector_bytes : im->l2.sector_bytes;
    importer_set(im, parts, "of a warp's lanes", "sm.coalesce_lanes", "%u", warp / groups);
    importer_set(im, arch, NULL, "sm.coalesce_bytes", "%u",
                 generation >= SECTORED_ARCH ? sector : line);
    importer_set(im, NULL, "a warp's accesses to one address go apart", "sm.combine_atomics",
                 "false");
}

static void import_memory_unit(struct machine_importer *im, uint32_t warp)
{
    importer_set(im, NULL, "[A] not limited there", "sm.vmb_entries", "0");
    import_coalescing(im, warp);
    importer_set(im, NULL, "an addition: to the L1's door", "sm.memory_latency", "%d",
                 IMPORT_MEMORY_CYCLES);
    importer_set(im, NULL, "one load/store unit for both", "sm.shared_pipeline", "memory");
    importer_set(im, importer_take(im, "gpgpu_smem_latency", "3"), "and the addition",
                 "sm.shared_latency", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_smem_latency", "3", 0, 99999) +
                     IMPORT_SHARED_CYCLES);
    importer_set(im, importer_take(im, "gpgpu_shmem_num_banks", "16"), NULL, "sm.shared_banks",
                 "%u", (uint32_t)importer_whole(im, "gpgpu_shmem_num_banks", "16", 1, 64));
}

static void import_sm(struct machine_importer *im)
{
    const struct option *clusters = importer_take(im, "gpgpu_n_clusters", "10");
    const struct option *threads = importer_take(im, "gpgpu_shader_core_pipeline", "1024:32");
    uint64_t sms = importer_whole(im, "gpgpu_n_clusters", "10", 1, 1024) *
                   importer_whole(im, "gpgpu_n_cores_per_cluster", "3", 1, 1024);
    double shape[2] = {1024, 32};
    uint32_t n = importer_numbers(im, threads, ':', 2, shape);
    if (n == 1 || shape[1] < 1)
        importer_fault(im, threads, "%.40s; THREADS:WARP is allowed", threads->value);
    uint32_t warp = shape[1] < 1 ? 32 : (uint32_t)shape[1];
    importer_set(im, clusters, "x -gpgpu_n_cores_per_cluster", "sm.count", "%llu",
                 (unsigned long long)sms);
    importer_set(im, threads, NULL, "sm.warp_width", "%u", warp);
    importer_set(im, threads, "", "sm.max_warps", "%u", (uint32_t)shape[0] / warp);
    importer_set(im, importer_take(im, "gpgpu_shader_cta", "8"), NULL, "sm.max_ctas", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_shader_cta", "8", 1, 256));
    importer_set(im, importer_take(im, "gpgpu_shader_registers", "8192"), NULL, "sm.registers",
                 "%u", (uint32_t)importer_whole(im, "gpgpu_shader_registers", "8192", 1, 1 << 20));
    import_shared(im);
    uint32_t subcores = (uint32_t)importer_whole(im, "gpgpu_num_sched_per_core", "1", 1, 8);
    importer_set(im, importer_take(im, "gpgpu_num_sched_per_core", "1"), NULL, "sm.subcores", "%u",
                 subcores);
    import_scheduler(im);
    importer_set(im, NULL, "warps go to the schedulers in turn", "sm.cta_binding",
                 "warps_round_robin");
    importer_set(im, NULL, NULL, "sm.memory_wait", "scoreboard");
    importer_set(im, NULL, NULL, "sm.nonblocking_stores", "true");
    importer_set(im, importer_take(im, "gpgpu_kernel_launch_latency", "0"), NULL,
                 "sm.launch_cycles", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_kernel_launch_latency", "0", 0, 10000000));
    import_units(im, subcores);
    import_memory_unit(im, warp);
}

void import_core(struct machine_importer *im)
{
    import_clocks(im);
    import_sm(im);
}

/* --- the networks ----------------------------------------------------------------------------- */

void import_network(struct machine_importer *im)
{
    const struct option *mode = importer_take(im, "network_mode", "1");
    bool router = strcmp(mode->value, "2") != 0;
    if (router)
        importer_replaces(im, mode,
                          "a crossbar with a router's cycles stands for what a file of its own "
                          "describes; where the network is full, times may differ");
    importer_set(im, mode, NULL, "noc.topology", "crossbar");
    importer_set(im, importer_take(im, "gpgpu_n_cores_per_cluster", "3"), NULL, "noc.sms_per_port",
                 "%u", (uint32_t)importer_whole(im, "gpgpu_n_cores_per_cluster", "3", 1, 64));
    const struct option *arbiter = importer_take(im, "icnt_arbiter_algo", "1");
    importer_whole(im, "icnt_arbiter_algo", "1", 0, 1);
    importer_set(im, arbiter, "in turn, as iSLIP does", "noc.arbitration", "round_robin");
    importer_set(im, NULL, "an addition: each way, without contention", "noc.latency", "%d",
                 router ? IMPORT_ROUTER_CYCLES : IMPORT_NETWORK_CYCLES);
    importer_set(im, importer_take(im, "icnt_flit_size", "32"), NULL, "noc.flit_bytes", "%u",
                 (uint32_t)importer_whole(im, "icnt_flit_size", "32", 4, 1024));
    importer_set(im, NULL, "an addition", "noc.header_bytes", "%d", IMPORT_HEADER_BYTES);
    importer_set(im, importer_take(im, "icnt_in_buffer_limit", "64"), NULL, "noc.input_queue", "%u",
                 (uint32_t)importer_whole(im, "icnt_in_buffer_limit", "64", 1, 65536));
    importer_set(im, importer_take(im, "icnt_out_buffer_limit", "64"), NULL, "noc.output_queue",
                 "%u", (uint32_t)importer_whole(im, "icnt_out_buffer_limit", "64", 1, 65536));
}
