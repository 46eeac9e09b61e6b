/* detailed_accelsim.c - the cycle model beside Accel-Sim on known traces: cycles, counts, speed.
 * The machines are the preset qv100 and those that the import makes of Accel-Sim's configurations.
 * One line per case: our figure and theirs.  Speed is warp instructions per CPU second, opening the
 * trace and building the machine included; each case runs three times, the median counts (the first
 * run may pack the trace into the cache).  Their speed was measured once on the same kind of
 * machine; `loop` is the time of a fixed integer loop here and now, to compare machines by.  Run
 * from the source root. */
#include "base/memory/alloc.h"
#include "detailed/core/sim.h"
#include "gpu/machine/import/machine_import.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/metrics.h"
#include "tests/support/accelsim_cases.h"

#include <math.h>
#include <time.h>

static struct accelsim_cases cases;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double loop_seconds(void)
{
    volatile uint64_t x = 1;
    double start = cpu_seconds();
    for (uint32_t i = 0; i < 100000000; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return cpu_seconds() - start;
}

static bool simulate(const struct machine *m, const char *path, struct metrics *r, double *seconds)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = 32};
    double start = cpu_seconds();
    struct program *p = program_open(path, &o, &e);
    struct sim *s = p ? sim_new(m, p, &e) : NULL;
    bool ok = s && sim_run(s, NULL, NULL, NULL, &e) == SIM_DONE;
    if (ok)
        sim_metrics(s, r);
    else
        fprintf(stderr, "detailed_accelsim: %s\n", e.text);
    sim_free(s);
    program_close(p);
    *seconds = cpu_seconds() - start;
    return ok;
}

static double median3(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static double of(const struct metrics *m, const char *path)
{
    double v = NAN;
    return metrics_value(m, path, &v) ? v : NAN;
}

struct totals {
    double error_sum, worst, ours, theirs, least;
};

static void print_head(const char *machine)
{
    printf("%s\n%-20s %9s %9s %7s %9s %9s %9s %9s %8s %8s %9s %6s\n", machine, "case", "cycles",
           "theirs", "error", "L1 hits", "theirs", "L2 reads", "theirs", "DRAM rd", "theirs",
           "inst/s", "ratio");
}

static bool judge_case(const struct machine *m, const struct accelsim_case *k, struct totals *sum)
{
    struct metrics r;
    double t[3];
    for (int j = 0; j < 3; j++)
        if (!simulate(m, k->path, &r, &t[j])) return false;
    double net = of(&r, "cycles") - m->sm.launch_cycles * accelsim_value(&cases, k, "kernels");
    double want = accelsim_value(&cases, k, "cycles_net_of_launch"), error = net / want - 1;
    double insts = of(&r, "warp_instructions"), seconds = median3(t[0], t[1], t[2]);
    double peer = accelsim_value(&cases, k, "warp_inst_per_cpu_s"), ratio = insts / seconds / peer;
    printf("%-20s %9.0f %9.0f %+6.1f%% %9.0f %9.0f %9.0f %9.0f %8.0f %8.0f %9.0f %6.0f\n", k->name,
           net, want, 100 * error, of(&r, "l1.hits"),
           accelsim_value(&cases, k, "L1_R_HIT") + accelsim_value(&cases, k, "L1_W_HIT"),
           of(&r, "l2.reads"), accelsim_value(&cases, k, "L2_R_TOTAL_ACCESS"), of(&r, "dram.reads"),
           accelsim_value(&cases, k, "dram_reads"), insts / seconds, ratio);
    sum->error_sum += fabs(error);
    sum->worst = fmax(sum->worst, fabs(error));
    sum->least = fmin(sum->least, ratio);
    sum->ours += seconds;
    sum->theirs += insts / peer;
    return true;
}

static bool judge(const struct machine *m, const char *name, const char *config)
{
    struct totals sum = {.least = INFINITY};
    if (!accelsim_load(&cases, config)) return false;
    print_head(name);
    for (int i = 0; i < cases.n; i++)
        if (!judge_case(m, &cases.at[i], &sum)) return false;
    printf("cycles: mean absolute error %.1f %%, worst %.1f %%; speed: %.0fx over all cases, least "
           "%.0fx\n",
           100 * sum.error_sum / cases.n, 100 * sum.worst, sum.theirs / sum.ours, sum.least);
    return true;
}

/* The machine that follows from Accel-Sim's own configuration. */
static bool judge_import(const char *config)
{
    struct machine m;
    char folder[128];
    const char *path = folder;
    struct machine_import import;
    struct errors all = {0};
    snprintf(folder, sizeof folder, "tests/data/accelsim/%s", config);
    if (!machine_import_files(&path, 1, &import, &all)) return false;
    bool ok = machine_parse(&m, text_str(&import.machine), config, NULL, 0, &all);
    machine_import_fini(&import);
    return ok && judge(&m, folder, config);
}

static bool judge_preset(const char *name, const char *config)
{
    struct machine m;
    struct errors all = {0};
    return machine_load(&m, name, NULL, 0, &all) && judge(&m, name, config);
}

int main(void)
{
    mem_large_pages(MEM_LARGE_HEAP); /* as engine.c does */
    printf("loop %.2f s\n", loop_seconds());
    if (judge_preset("qv100", "SM7_QV100") && judge_import("SM7_QV100") &&
        judge_import("SM86_RTX3070"))
        return 0;
    fprintf(stderr, "detailed_accelsim: run from the source root\n");
    return 2;
}
