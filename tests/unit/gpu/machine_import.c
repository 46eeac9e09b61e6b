/* machine_import.c - the import of Accel-Sim's configurations: each value against a closed form of
 * the option that it follows from, and a clear line for each fault. */
#include "gpu/machine/import/machine_import.h"

#include "gpu/machine/import/option_list.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <string.h>

/* The least that GPGPU-Sim's defaults lack. */
#define L1 "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"
#define L2 "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32\n"
#define ARCH "-gpgpu_coalesce_arch 70\n-gpgpu_shmem_warp_parts 1\n-network_mode 2\n"
#define MODERN L1 L2 ARCH

static struct machine machine_of(const char *text, struct machine_import *import)
{
    struct machine m = {0};
    struct errors all = {0};
    if (!machine_import_text(text, "a.config", import, &all) ||
        !machine_parse(&m, text_str(&import->machine), "import.cfg", NULL, 0, &all))
        fail_msg("%s", all.item[0].text);
    return m;
}

static void expect(const char *text, const char *path, const char *value)
{
    struct machine_import import;
    struct machine m = machine_of(text, &import);
    struct text has = {0};
    assert_true(machine_get_bare(&m, path, &has));
    if (strcmp(text_str(&has), value) != 0)
        fail_msg("%s is %s instead of %s with\n%s", path, text_str(&has), value, text);
    text_fini(&has);
    machine_import_fini(&import);
}

static void expect_fault(const char *text, const char *part)
{
    struct machine_import import;
    struct errors all = {0};
    assert_false(machine_import_text(text, "a.config", &import, &all));
    bool said = false;
    for (uint32_t i = 0; i < all.n; i++) {
        said |= strstr(all.item[i].text, part) != NULL;
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(all.item[i].text, all.item[k].text);
    }
    if (!said) fail_msg("no '%s' but '%s' with\n%s", part, all.n ? all.item[0].text : "", text);
    errors_fini(&all);
}

static void options_are_words_with_comments_and_quotes(void **state)
{
    (void)state;
    struct option_list l = {0};
    struct errors all = {0};
    static const char text[] = "# -a 1\n-b 2 # -b 3\n-c \"x=1:\n   y=2\"\n -d\n -1 -b 4\n";
    assert_true(option_list_parse(&l, text, "f", &all));
    assert_int_equal(l.n, 3);
    assert_null(option_list_find(&l, "a"));
    assert_string_equal(option_list_find(&l, "b")->value, "4");
    assert_int_equal(option_list_find(&l, "b")->line, 6);
    assert_string_equal(option_list_find(&l, "c")->value, "x=1:    y=2");
    assert_string_equal(option_list_find(&l, "d")->value, "-1");
    option_list_fini(&l);
}

static void caches_have_the_sets_ways_and_policies_of_their_strings(void **state)
{
    (void)state;
    expect(MODERN, "l1.kb", "32"); /* 4 x 64 x 128 bytes */
    expect(MODERN, "l2.bank_kb", "96");
    expect(MODERN, "l2.index", "ipoly");
    expect(MODERN, "l1.mshr.max_merge", "8");
    expect(L2 ARCH, "l1.enabled", "false");
    expect("-gpgpu_cache:dl1 N:64:128:4,F:E:f:N:X,A:32:8,8\n" L2 "-gpgpu_coalesce_arch 20\n",
           "l1.write", "evict");
    /* 128 KB less the largest shared memory, in the sets of the string. */
    static const char adaptive[] =
        MODERN "-gpgpu_adaptive_cache_config 1\n-gpgpu_unified_l1d_size 128\n"
               "-gpgpu_shmem_option 0,8,100\n-gpgpu_shmem_size 102400\n";
    expect(adaptive, "l1.kb", "28");
    expect(adaptive, "l1.ways", "56");
    expect(adaptive, "sm.shared_kb", "100");
}

static void units_take_the_addition_and_share_among_sub_cores(void **state)
{
    (void)state;
    static const char units[] =
        MODERN "-gpgpu_num_sched_per_core 4\n-gpgpu_num_sp_units 2\n-gpgpu_num_dp_units 8\n"
               "-trace_opcode_latency_initiation_sp 6,3\n-trace_opcode_latency_initiation_dp 8,4\n";
    expect(units, "sm.units.fp32.latency", "11");
    expect(units, "sm.units.fp32.interval", "6");
    expect(units, "sm.units.fp64.interval", "2");
    /* Without a trace.config GPGPU-Sim's own times stand for it. */
    expect(MODERN "-ptx_opcode_latency_int 7,19\n", "sm.units.int32.latency", "12");
    static const char special[] = MODERN "-specialized_unit_3 1,4,8,4,4,TENSOR\n"
                                         "-trace_opcode_latency_initiation_spec_op_3 32,30\n";
    expect(special, "sm.units.tensor.latency", "37");
}

static void addresses_keep_the_order_of_their_bits(void **state)
{
    (void)state;
#define BANKS "-gpgpu_dram_timing_opt 16:2:8:12:21:13:34:9:4:5:13:4:3:2\n"
#define MAP "-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_mem_addr_mapping dramid@8;0000RRRR.RBBB"
    static const char low[] = MODERN BANKS MAP "CCCC.BCCSSSSS\n-dram_bnkgrp_indexing_policy 1\n";
    expect(low, "dram.mapping", "row:bank:bankgroup[1]:column[4]:bankgroup:column");
    expect(low, "dram.rows", "32");
    expect(low, "dram.row_bytes", "2048");
    expect(low, "l2.interleave_bytes", "128"); /* the lowest bank bit chooses the slice */
    expect(MODERN BANKS MAP "CCCC.BCCSSSSS\n", "dram.mapping",
           "row:bankgroup:bank[1]:column[4]:bank:column");
    expect(MODERN BANKS MAP "CCCB.CCCSSSSS\n", "l2.interleave_bytes", "256");
    expect(MODERN, "dram.mapping", "row:column[3]:bank:column"); /* the masks of addrdec.cc */
    expect(MODERN, "l2.interleave_bytes", "1024");
}

static void timings_are_read_with_and_without_names(void **state)
{
    (void)state;
    expect(MODERN, "dram.timing.tRC", "34");
    expect(MODERN, "dram.timing.tCCD_L", "2"); /* 0 there: as out of the group */
    static const char named[] =
        MODERN "-gpgpu_dram_timing_opt \"nbk=4:CCD=4:RRD=12:RCD=24:RAS=55:RP=24:RC=78:\n"
               " CL=24:WL=8:CDLR=10:WR=24:nbkgrp=1:CCDL=6:RTPL=4\"\n";
    expect(named, "dram.timing.tRC", "79"); /* RAS + RP */
    expect(named, "dram.timing.tWTR_L", "10");
    expect(named, "dram.timing.tRTP", "4");
}

static void each_option_is_in_one_group(void **state)
{
    (void)state;
    struct machine_import import;
    machine_of(MODERN "-gpgpu_runtime_stat 500\n-gpgpu_nonsense 1\n-l2_ideal 0\n-gpgpu_perfect_mem"
                      " 1\n-gpgpu_flush_l2_cache 1\n",
               &import);
    const char *report = text_str(&import.report);
    assert_non_null(
        strstr(report, "ignored, as they change no answer: 1\n    -gpgpu_runtime_stat"));
    assert_non_null(
        strstr(report, "replaced, which changes answers: 3\n    -gpgpu_flush_l2_cache 1"));
    assert_non_null(strstr(report, "-gpgpu_nonsense 1"));
    /* What is replaced comes first. */
    assert_string_equal(strstr(report, "replaced"), report);
    assert_ptr_equal(strstr(report, text_str(&import.replaced)), report);
    /* Carried over: plumb does the same. */
    assert_true(strstr(report, "-l2_ideal") < strstr(report, "ignored"));
    assert_non_null(strstr(text_str(&import.machine), "#     -gpgpu_nonsense 1"));
    machine_import_fini(&import);
}

static void all_that_an_option_lacks_is_said(void **state)
{
    (void)state;
    struct machine_import import;
    machine_of(L2 "-gpgpu_cache:dl1 N:32:128:4,L:L:m:W:H,S:64:8,8\n", &import);
    const char *report = text_str(&import.report);
    assert_non_null(strstr(report, "its lines have the sectors of the L2 here; its set index is"));
    assert_non_null(strstr(report, "fetch nothing here: lazy_fetch"));
    machine_import_fini(&import);
}

/* As GPGPU-Sim 3.x to 4.0 beta named them; the later of two names of one option counts. */
static void older_names_mean_what_they_became(void **state)
{
    (void)state;
    static const char old[] = MODERN "-gpgpu_l1_latency 99\n-l1_latency 35\n-smem_latency 26\n"
                                     "-rop_latency 120\n-memory_partition_indexing 1\n"
                                     "-perf_sim_memcpy 1\n-l1_banks 2\n-inct_in_buffer_limit 9\n";
    struct machine_import import;
    expect(old, "l1.latency", "35");
    expect(old, "sm.shared_latency", "27");
    expect(old, "l2.extra_latency", "120");
    expect(old, "l2.slice_hash", "xor");
    expect(old, "l1.banks", "2");
    expect(old, "noc.input_queue", "9");
    expect(MODERN "-gmem_skip_L1D 1\n", "l1.enabled", "false");
    machine_of(old, &import);
    assert_null(strstr(text_str(&import.report), "unknown"));
    assert_non_null(strstr(text_str(&import.report), "-rop_latency (-gpgpu_l2_rop_latency)"));
    machine_import_fini(&import);
    expect_fault(MODERN "-rop_latency x\n", "-rop_latency: x; a whole");
}

static void adaptive_caches_without_a_size_have_voltas(void **state)
{
    (void)state;
    static const char volta[] = L2 ARCH "-gpgpu_adaptive_cache_config 1\n"
                                        "-gpgpu_cache:dl1 S:1:128:256,L:L:s:N:L,A:256:8,16:0,32\n";
    expect(volta, "l1.unified_kb", "128");
    expect(volta, "l1.shared_options_kb", "[0, 8, 16, 32, 64, 96]");
    expect(volta, "l1.kb", "32");
    expect(volta, "sm.shared_kb", "96");
}

#define SLICES(channels, way)       \
    MODERN "-gpgpu_n_mem " channels \
           "\n-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_memory_partition_indexing " way "\n"
static void slices_are_dealt_by_the_partition_indexing(void **state)
{
    (void)state;
    expect(SLICES("24", "2"), "l2.slice_hash", "ipoly_modulo");
    expect(SLICES("32", "2"), "l2.slice_hash", "ipoly");
    expect(SLICES("12", "4"), "l2.slice_hash", "random");
    expect(SLICES("40", "6"), "l2.slice_hash", "ipoly_modulo");
    expect(SLICES("32", "6"), "l2.slice_hash", "ipoly");
    expect_fault(SLICES("32", "7"), "a whole number from 0 to 6");
    expect(SLICES("40", "6") "-gpgpu_n_chiplet_partition 2\n", "l2.partitions", "2");
    struct machine_import import;
    machine_of(SLICES("40", "6") "-gpgpu_lrc_max_entries 64\n", &import);
    assert_non_null(strstr(text_str(&import.replaced), "-gpgpu_lrc_max_entries 64"));
    machine_import_fini(&import);
}

/* Accesses that skip the L1 pay nothing for one, and a network of BookSim has its router. */
static void what_is_not_passed_costs_nothing(void **state)
{
    (void)state;
    static const char skips[] = MODERN "-gpgpu_gmem_skip_L1D 1\n-gpgpu_l1_latency 82\n";
    struct machine_import import;
    expect(skips, "l1.enabled", "false");
    expect(L1 L2 "-network_mode 1\n", "noc.latency", "8");
    machine_of(skips, &import);
    assert_non_null(strstr(text_str(&import.replaced), "-gpgpu_gmem_skip_L1D 1"));
    assert_null(strstr(text_str(&import.report), "unknown"));
    machine_import_fini(&import);
}

static void faults_name_file_line_and_option(void **state)
{
    (void)state;
    expect_fault(L1, "-gpgpu_cache:dl2 is missing");
    expect_fault(L2 "words\n", "a.config:2: words: no option");
    expect_fault(L2 "-gpgpu_n_mem\n-gpgpu_l1_latency 2\n",
                 "a.config:2: -gpgpu_n_mem: the value is");
    expect_fault(L2 "-x \"open\n", "a.config:2: a quotation mark");
    expect_fault(L2 "-gpgpu_n_mem many\n", "a.config:2: -gpgpu_n_mem: many; a whole number from 1");
    expect_fault(L2 "-gpgpu_n_mem 4294967296\n", "a.config:2: -gpgpu_n_mem: 4294967296; a whole");
    expect_fault(L2 "-gpgpu_cache:dl1 S:4:128,L\n",
                 "a.config:2: -gpgpu_cache:dl1: S:4:128,L; KIND");
    expect_fault(L2 "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,F:512:8,16\n", "MSHR 'F'; one of AS");
    expect_fault(L2 "-gpgpu_cache:dl1 S:0:128:64,L:T:m:L:L,A:512:8,16\n", "0 sets of 64");
    expect_fault(L2 "-gpgpu_clock_domains 1:2:3\n", "a.config:2: -gpgpu_clock_domains: 3 clocks");
    expect_fault(L2 "-gpgpu_dram_timing_opt nbk=4\n", "a.config:2: -gpgpu_dram_timing_opt: nbk=4;");
    expect_fault(L2 "-gpgpu_mem_addr_mapping dramid@8;RRDDCC\n", "a.config:2: -gpgpu_mem_addr_map");
    expect_fault(L2 BANKS, "16 banks in 4 groups, and 2 bank bits");
    expect_fault(L2 "-gpgpu_l1_banks 3\n" L1, "a.config:2: -gpgpu_l1_banks: 3; a power");
    expect_fault(L2 "-gpgpu_shader_core_pipeline 1024:16\n", "sm.warp_width: 16 is out of range");
    expect_fault(L2 "-gpgpu_unified_l1d_size 100\n-gpgpu_adaptive_cache_config 1\n"
                    "-gpgpu_shmem_option 0,100\n" L1,
                 "a.config:4: -gpgpu_shmem_option: less than");
    expect_fault(L2 "-gpgpu_scheduler best\n", "a.config:2: -gpgpu_scheduler: best; lrr, gto");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_words_with_comments_and_quotes),
        cmocka_unit_test(caches_have_the_sets_ways_and_policies_of_their_strings),
        cmocka_unit_test(units_take_the_addition_and_share_among_sub_cores),
        cmocka_unit_test(addresses_keep_the_order_of_their_bits),
        cmocka_unit_test(timings_are_read_with_and_without_names),
        cmocka_unit_test(each_option_is_in_one_group),
        cmocka_unit_test(all_that_an_option_lacks_is_said),
        cmocka_unit_test(older_names_mean_what_they_became),
        cmocka_unit_test(adaptive_caches_without_a_size_have_voltas),
        cmocka_unit_test(slices_are_dealt_by_the_partition_indexing),
        cmocka_unit_test(what_is_not_passed_costs_nothing),
        cmocka_unit_test(faults_name_file_line_and_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
