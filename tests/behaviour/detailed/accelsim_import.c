/* accelsim_import.c - machines that the import makes of Accel-Sim's configurations: that of the
 * QV100 is the preset, which was written by hand, but for energies and the arbitration of its
 * networks; that of the RTX 3070, on which nothing was tuned, runs the known traces as Accel-Sim
 * does. */
#include "gpu/machine/import/machine_import.h"
#include "tests/support/accelsim_cases.h"
#include "tests/support/run.h"

#include <math.h>

static struct accelsim_cases cases;

static struct machine imported(const char *folder)
{
    struct machine m = {0};
    struct machine_import import;
    struct errors all = {0};
    if (!machine_import_files(&folder, 1, &import, &all) ||
        !machine_parse(&m, text_str(&import.machine), "import.cfg", NULL, 0, &all))
        fail_msg("%s", all.item[0].text);
    machine_import_fini(&import);
    return m;
}

static bool may_differ(const char *path, const void *ctx)
{
    (void)ctx;
    return strncmp(path, "dram.energy.", strlen("dram.energy.")) == 0 ||
           strcmp(path, "noc.arbitration") == 0;
}

static void the_qv100_is_the_preset(void **state)
{
    (void)state;
    struct machine preset = run_machine("qv100", NULL, 0);
    struct machine import = imported("tests/data/accelsim/SM7_QV100");
    const char *path = machine_difference(&preset, &import, may_differ, NULL);
    if (path) fail_msg("%s differs", path);
}

static void the_rtx3070_runs_known_traces_as_accelsim_does(void **state)
{
    (void)state;
    struct machine m = imported("tests/data/accelsim/SM86_RTX3070");
    double error_sum = 0;
    assert_true(accelsim_load(&cases, "SM86_RTX3070"));
    assert_true(cases.n >= 26);
    for (int i = 0; i < cases.n; i++) {
        const struct accelsim_case *k = &cases.at[i];
        struct metrics r = run_whole(&m, run_open(k->path, 32));
        double launches = m.sm.launch_cycles * accelsim_value(&cases, k, "kernels");
        double net = run_value(&r, "cycles") - launches;
        double error = net / accelsim_value(&cases, k, "cycles_net_of_launch") - 1;
        double reads = accelsim_value(&cases, k, "dram_reads");
        print_message("%-20s cycles %+5.1f %%\n", k->name, 100 * error);
        assert_near(run_value(&r, "dram.reads"), reads, 0.05 * reads);
        assert_near(error, 0, 0.12);
        error_sum += fabs(error);
    }
    assert_true(error_sum / cases.n <= 0.035);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_qv100_is_the_preset),
        cmocka_unit_test(the_rtx3070_runs_known_traces_as_accelsim_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
