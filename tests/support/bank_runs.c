/* bank_runs.c - see bank_runs.h. */
#include "tests/support/bank_runs.h"

#include "gpu/machine/machine.h"
#include "tests/support/folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

const struct bank_versions bank_runs_today = {
    .of = {[ENGINE_ESTIMATE] = 15, [ENGINE_SAMPLE] = 21, [ENGINE_SIMULATE] = 7}};
static struct machine base;
static unsigned files;

int bank_runs_make_group(void **state)
{
    struct errors all = {0};
    if (folder_make(state)) return -1;
    setenv("XDG_CACHE_HOME", folder_path, 1);
    unsetenv("PLUMB_BANK");
    unsetenv("PLUMB_BANK_MB");
    return machine_load(&base, "rx540", NULL, 0, &all) ? 0 : -1;
}

/* A file that no test had before. */
const char *bank_runs_new_file(void)
{
    char name[32];
    snprintf(name, sizeof name, "bank%u.db", files++);
    return in_folder(name);
}

struct bank *bank_runs_open(const char *path)
{
    struct error e = {0};
    struct bank *b = bank_open(path, BANK_MAKE, &bank_runs_today, &e);
    if (!b) fail_msg("%s", e.text);
    return b;
}

/* The i-th machine: one parameter differs. */
static const struct machine *machine_of(unsigned i)
{
    static struct machine m;
    m = base;
    m.clock.core_mhz = 1000 + i;
    return &m;
}

struct digest bank_runs_program(unsigned i)
{
    return (struct digest){.hi = 77, .lo = i};
}

/* A third of the counts is absent. */
const struct metrics *bank_runs_metrics(unsigned i)
{
    static struct metrics m;
    m = (struct metrics){0};
    for (uint32_t k = 0; k < METRIC_N; k++)
        if (!metric_info[k].ratio && (k == M_cycles || k % 3 != i % 3))
            metrics_set(&m, (enum metric)k, (i + 1) * 1000.0 / (k + 1));
    metrics_finish(&m);
    return &m;
}

bool bank_runs_put(struct bank *b, unsigned program, unsigned machine, double log_sd,
                   struct error *e)
{
    const struct bank_put run = {.machine = machine_of(machine),
                                 .program = bank_runs_program(program),
                                 .program_name = "a program",
                                 .engine = log_sd > 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE,
                                 .metrics = bank_runs_metrics(machine),
                                 .log_sd = log_sd};
    return bank_put(b, &run, e);
}

void bank_runs_must_put(struct bank *b, unsigned program, unsigned machine, double log_sd)
{
    struct error e = {0};
    if (!bank_runs_put(b, program, machine, log_sd, &e)) fail_msg("%s", e.text);
}

bool bank_runs_same(const double *a, const double *b)
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && a[i] != b[i]) return false;
    return true;
}

/* The number of the machine of a run, whose content must be that of the run that was put. */
unsigned bank_runs_check(const struct bank_run *r)
{
    struct errors all = {0};
    static struct machine m;
    double value[METRICS_KEYS_MAX];
    assert_true(machine_parse(&m, r->config, "stored", NULL, 0, &all));
    assert_true(digest_equal(machine_digest(&m), r->machine));
    assert_string_equal(r->machine_name, "rx540");
    assert_string_equal(r->preset, "rx540");
    unsigned i = (unsigned)lround(m.clock.core_mhz) - 1000;
    bank_values(bank_runs_metrics(i), value);
    assert_true(bank_runs_same(r->simulated, value));
    assert_int_equal(r->engine, r->log_sd > 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE);
    return i;
}

/* The number of runs of a program, all of them sound. */
size_t bank_runs_count(struct bank *b, unsigned program)
{
    struct bank_runs r;
    struct error e = {0};
    if (!bank_find(b, bank_runs_program(program), NULL, BANK_MOST_EVER, &r, &e)) return 0;
    for (size_t i = 0; i < r.n; i++)
        bank_runs_check(&r.run[i]);
    size_t n = r.n;
    bank_runs_fini(&r);
    return n;
}
