/* accelsim.c - known traces on qv100 beside counts derived from their addresses (exact_*)
 * and beside Accel-Sim's own figures.  What follows from the addresses must be exact; what two
 * simulators may see differently (timing, merges) has bands. */
#include "tests/support/accelsim_cases.h"
#include "tests/support/run.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_traces_give_the_counts_that_their_addresses_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
