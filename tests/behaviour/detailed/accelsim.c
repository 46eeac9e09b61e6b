/* accelsim.c - known traces on qv100 beside counts derived from their addresses (exact_*)
 * and beside Accel-Sim's own figures.  What follows from the addresses must be exact; what two
 * simulators may see differently (timing, merges) has bands. */
#include "gpu/machine/import/machine_import.h"
#include "tests/support/accelsim_cases.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct accelsim_cases cases;

/* Lanes of an atomic to one address go apart, so that sectors are no bound. */
static double expected_accesses(const struct accelsim_case *k)
{
    if (accelsim_value(&cases, k, "exact_red_sectors") > 0)
        return accelsim_value(&cases, k, "L2_acc");
    return accelsim_value(&cases, k, "exact_ld_sectors") +
           accelsim_value(&cases, k, "exact_st_sectors");
}

static void known_traces_give_the_counts_that_their_addresses_demand(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    assert_true(accelsim_load(&cases, "SM7_QV100"));
    assert_true(cases.n >= 26);
    double error_sum = 0;
    for (int i = 0; i < cases.n; i++) {
        const struct accelsim_case *k = &cases.at[i];
        struct metrics r = run_whole(&m, run_open(k->path, 32));
        double accesses = expected_accesses(k);
        double l1_hits =
            accelsim_value(&cases, k, "L1_R_HIT") + accelsim_value(&cases, k, "L1_W_HIT");
        double reads = accelsim_value(&cases, k, "dram_reads");
        double net =
            run_value(&r, "cycles") - m.sm.launch_cycles * accelsim_value(&cases, k, "kernels");
        double error = net / accelsim_value(&cases, k, "cycles_net_of_launch") - 1;
        print_message("%-20s cycles %+5.1f %%\n", k->name, 100 * error);
        assert_near(run_value(&r, "warp_instructions"),
                    accelsim_value(&cases, k, "exact_warp_insts"), 0);
        assert_near(run_value(&r, "lane_operations"),
                    accelsim_value(&cases, k, "exact_thread_insts"), 0);
        assert_near(run_value(&r, "l1.accesses"), accesses, 0);
        assert_near(run_value(&r, "l1.hits"), l1_hits, 0.02 * accesses);
        assert_near(run_value(&r, "dram.reads"), reads, 0.05 * reads);
        assert_near(error, 0, 0.12);
        error_sum += fabs(error);
    }
    assert_true(error_sum / cases.n <= 0.045);
}

/* What SM7_TITANV has other than SM7_QV100: 48 slices, which its hash of 64 loads unevenly. */
static const char titanv[] = "-gpgpu_n_clusters 40\n-gpgpu_n_cores_per_cluster 2\n-gpgpu_n_mem 24\n"
                             "-gpgpu_clock_domains 1200:1200:1200:850\n"
                             "-gpgpu_kernel_launch_latency 0\n-gpgpu_coalesce_arch 60\n"
                             "-dram_bnk_indexing_policy 1\n-dram_seperate_write_queue_enable 1\n"
                             "-dram_write_queue_size 128:108:32\n";

static struct machine import_titanv(void)
{
    char path[] = "/tmp/plumb-titanv-XXXXXX";
    struct machine m = {.name = ""};
    struct machine_import import;
    struct errors all = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, titanv, strlen(titanv)), (ssize_t)strlen(titanv));
    close(fd);
    const char *files[] = {"tests/data/accelsim/SM7_QV100", path};
    if (!machine_import_files(files, 2, &import, &all) ||
        !machine_parse(&m, text_str(&import.machine), "titanv.cfg", NULL, 0, &all))
        fail_msg("%s", all.item[0].text);
    unlink(path);
    machine_import_fini(&import);
    return m;
}

static void slices_of_no_power_of_two_are_as_uneven_as_accelsims(void **state)
{
    (void)state;
    static const char *const bound_by_slices[] = {"a_copy_f32", "b_stride02", "b_stride04",
                                                  "b_stride08", "i_l2wr_same"};
    struct machine m = import_titanv();
    double error_sum = 0, n = sizeof bound_by_slices / sizeof bound_by_slices[0];
    assert_true(accelsim_load(&cases, "SM7_TITANV"));
    for (int i = 0; i < cases.n; i++) {
        bool wanted = false;
        for (size_t k = 0; k < (size_t)n; k++)
            wanted |= strcmp(cases.at[i].name, bound_by_slices[k]) == 0;
        if (!wanted) continue;
        struct metrics r = run_whole(&m, run_open(cases.at[i].path, 32));
        double theirs = accelsim_value(&cases, &cases.at[i], "cycles_net_of_launch");
        error_sum += fabs(run_value(&r, "cycles") / theirs - 1);
    }
    assert_true(error_sum / n <= 0.05); /* xor, which has even slices, is 24 % off */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_traces_give_the_counts_that_their_addresses_demand),
        cmocka_unit_test(slices_of_no_power_of_two_are_as_uneven_as_accelsims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
