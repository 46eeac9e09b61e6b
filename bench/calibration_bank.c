/* How much of the processor do opening a large bank of runs, finding a program's runs and putting
 * one take? bench_calibration_bank FILE RUNS [PROGRAMS]   makes FILE if it is not there; each
 * program has 256 runs more or less, of machines that differ in one parameter */
#include "base/io/file.h"
#include "base/run/progress.h"
#include "calibration/bank/bank.h"
#include "gpu/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const struct bank_versions versions = {
    .of = {[ENGINE_ESTIMATE] = 1, [ENGINE_SAMPLE] = 1, [ENGINE_SIMULATE] = 1}};
static struct machine base;

static bool put_run(struct bank *b, uint64_t program, uint64_t machine)
{
    static struct metrics m;
    static struct machine at;
    struct error e;
    at = base;
    at.clock.core_mhz = 1000 + (double)machine / 64;
    for (uint32_t k = 0; k < METRIC_N; k++)
        if (!metric_info[k].ratio && k % 2 == 0)
            metrics_set(&m, (enum metric)k, (double)(machine * 7919 + k) / 3);
    metrics_set(&m, M_cycles, 1e6 + (double)machine);
    metrics_finish(&m);
    const struct bank_put run = {.machine = &at,
                                 .program = {.hi = 1, .lo = program},
                                 .program_name = "a program",
                                 .engine = ENGINE_SIMULATE,
                                 .metrics = &m};
    if (bank_put(b, &run, &e)) return true;
    printf("%s\n", e.text);
    return false;
}

static bool make(const char *file, uint64_t runs, uint64_t programs)
{
    struct error e;
    struct bank *b = bank_open(file, BANK_MAKE, &versions, &e);
    double since = progress_clock_seconds();
    bool ok = b != NULL;
    for (uint64_t i = 0; ok && i < runs; i++)
        ok = put_run(b, i % programs, i / programs);
    if (ok) printf("put: %.3f ms a run\n", 1e3 * (progress_clock_seconds() - since) / (double)runs);
    bank_close(b);
    return ok;
}

/* Milliseconds of the processor: others may use it meanwhile. */
static double cpu_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static bool find(const char *file, const char *estimator)
{
    struct error e;
    struct bank_runs r;
    double begun = cpu_ms();
    struct bank *b = bank_open(file, BANK_IF_THERE, &versions, &e);
    double opened = cpu_ms();
    if (!b || !bank_find(b, (struct digest){.hi = 1, .lo = 5}, estimator, BANK_MOST, &r, &e)) {
        printf("%s\n", e.text);
        return false;
    }
    double found = cpu_ms();
    printf("open: %.3f ms; find: %.3f ms for %zu runs", opened - begun, found - opened, r.n);
    size_t n = r.n;
    double feature[64] = {0};
    struct bank_estimate *item = calloc(n + 1, sizeof *item);
    for (size_t i = 0; i < n; i++)
        item[i] = (struct bank_estimate){r.run[i].id, r.run[i].simulated, feature, 64};
    found = cpu_ms();
    bool ok = bank_put_estimates(b, estimator, item, n, &e);
    printf("; %zu estimates put: %.3f ms\n", n, cpu_ms() - found);
    free(item);
    bank_runs_fini(&r);
    bank_close(b);
    return ok;
}

int main(int argc, char **argv)
{
    struct errors all = {0};
    uint64_t runs = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t programs = argc > 3 ? strtoull(argv[3], NULL, 10) : runs / 256 + 1;
    if (argc < 3 || !machine_load(&base, "rx540", NULL, 0, &all)) return 2;
    setenv("PLUMB_BANK_MB", "100000", 1);
    if (!file_exists(argv[1]) && !make(argv[1], runs, programs)) return 1;
    for (int i = 0; i < 4; i++)
        if (!find(argv[1], i % 2 ? "1" : "2")) return 1;
    return 0;
}
