/* calibration_runs.c - makes the simulations that the prior of estimates' errors is learned from.
 *
 * Usage: calibration_runs RUNS.db PRESET,NEAR,WIDE... -- PROGRAM...   (environment: THREADS, SEED)
 * Every preset runs every program, and so do machines around it: NEAR of them change one to three
 * of the parameters below, WIDE of them four to eight.  Each program has machines of its own.
 * Simulations are kept in RUNS.db (sweeps/store), so that a killed run goes on where it was. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "base/run/parallel.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/store/store.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What machines around a preset change: a number by one of the factors, a choice to one of these.
 */
static const struct knob {
    const char *path;
    const char *choice[4]; /* none: a number */
} knobs[] = {{"clock.core_mhz", {0}},
             {"clock.noc_mhz", {0}},
             {"clock.l2_mhz", {0}},
             {"sm.count", {0}},
             {"sm.vmb_entries", {0}},
             {"sm.memory_latency", {0}},
             {"sm.max_warps", {0}},
             {"sm.scheduler", {"lrr", "gto"}},
             {"l1.kb", {0}},
             {"l1.ways", {0}},
             {"l1.latency", {0}},
             {"l1.mshr.entries", {0}},
             {"l1.mshr.max_merge", {0}},
             {"l1.replacement", {"lru", "fifo", "random"}},
             {"l2.bank_kb", {0}},
             {"l2.ways", {0}},
             {"l2.latency", {0}},
             {"l2.extra_latency", {0}},
             {"l2.ports", {0}},
             {"l2.mshr.entries", {0}},
             {"l2.mshr.max_merge", {0}},
             {"l2.replacement", {"lru", "fifo", "random"}},
             {"l2.write", {"back", "through"}},
             {"noc.latency", {0}},
             {"noc.flit_bytes", {0}},
             {"dram.channels", {0}},
             {"dram.clock_mhz", {0}},
             {"dram.queue", {0}},
             {"dram.extra_latency", {0}},
             {"dram.scheduler", {"fr_fcfs", "fcfs"}}};

enum { KNOBS = sizeof knobs / sizeof *knobs, FACTORS = 6, TRIES = 200, CHANGES_TEXT = 512 };

static const double factors[FACTORS] = {0.25, 0.5, 0.75, 1.5, 2, 4};

struct run_case {
    const char *program;
    char changes[CHANGES_TEXT];
    struct machine m;
};

struct cases {
    struct run_case *at;
    uint32_t n;
    struct store *store;
    pthread_mutex_t reading;
};

/* --- machines --- */

static bool change_knob(struct run_case *c, struct rng *r)
{
    const struct knob *k = &knobs[rng_below(r, KNOBS)];
    struct errors all = {0};
    char text[96];
    const char *set = text;
    double v;
    uint32_t choices = 0;
    while (choices < 4 && k->choice[choices])
        choices++;
    if (strstr(c->changes, k->path)) return false;
    if (choices)
        snprintf(text, sizeof text, "%s=%s", k->path, k->choice[rng_below(r, choices)]);
    else if (!machine_get_number(&c->m, k->path, &v) || !(v > 0))
        return false;
    else
        snprintf(text, sizeof text, "%s=%.15g", k->path, v * factors[rng_below(r, FACTORS)]);
    struct machine before = c->m;
    bool ok = machine_set(&c->m, &set, 1, &all);
    errors_fini(&all);
    if (!ok) c->m = before;
    size_t n = strlen(c->changes);
    if (ok) snprintf(c->changes + n, CHANGES_TEXT - n, " %s", text);
    return ok;
}

static void draw_machine(struct run_case *c, struct rng *r, uint32_t changes)
{
    for (uint32_t tries = 0, n = 0; n < changes && tries < TRIES; tries++)
        n += change_knob(c, r);
}

static bool add_cases(struct cases *all, const char *preset, uint32_t near, uint32_t wide,
                      const char *program)
{
    struct errors errors = {0};
    struct machine m;
    const char *seed = getenv("SEED");
    if (!machine_load(&m, preset, NULL, 0, &errors)) {
        fprintf(stderr, "calibration_runs: there is no preset %s\n", preset);
        return false;
    }
    struct digest d = digest_join(digest_text(preset), digest_text(program));
    struct rng r;
    rng_seed(&r, d.lo, seed ? strtoull(seed, NULL, 10) : 1);
    for (uint32_t i = 0; i <= near + wide; i++) {
        struct run_case *c = &all->at[all->n++];
        *c = (struct run_case){.program = program, .m = m};
        if (i > near)
            draw_machine(c, &r, 4 + (uint32_t)rng_below(&r, 5));
        else if (i > 0)
            draw_machine(c, &r, 1 + (uint32_t)rng_below(&r, 3));
    }
    return true;
}

/* --- runs --- */

static bool keep(struct cases *all, const struct run_case *c, const struct program *p,
                 const struct run_key *key, const struct record *r, struct error *e)
{
    struct text config = {0};
    machine_dump(&c->m, &config);
    struct stored_run run = {.key = *key,
                             .from = {.machine_name = c->m.name,
                                      .machine_config = text_str(&config),
                                      .program_name = program_name(p),
                                      .program_spec = c->program},
                             .record = r};
    bool ok = store_put_all(all->store, &run, 1, e);
    text_fini(&config);
    return ok;
}

static bool simulate(struct cases *all, const struct run_case *c, const struct program *p,
                     struct error *e)
{
    struct run_key key = {.machine = machine_digest(&c->m),
                          .program = program_digest(p),
                          .engine = ENGINE_SIMULATE,
                          .version = engine_version(ENGINE_SIMULATE),
                          .settings = "max_instructions=0"};
    struct run_opts o;
    struct answer a = {0};
    struct record r = {0};
    pthread_mutex_lock(&all->reading);
    enum stored had = store_get(all->store, &key, NULL, e);
    pthread_mutex_unlock(&all->reading);
    if (had != STORED_NO) return had != STORED_ERROR;
    run_opts_default(&o);
    o.threads = 1;
    bool ok = engine_run(ENGINE_SIMULATE, &c->m, p, NULL, NULL, &o, &a, e);
    for (uint32_t i = 0; ok && metrics_key(i); i++)
        r.has[i] = metrics_at(&a.m, i, &r.value[i]);
    answer_fini(&a);
    return ok && keep(all, c, p, &key, &r, e);
}

static bool run_case(size_t i, unsigned worker, void *ctx)
{
    struct cases *all = ctx;
    const struct run_case *c = &all->at[i];
    struct error e = {0};
    struct program_opts o = {.warp_width = c->m.sm.warp_width};
    (void)worker;
    struct program *p = program_open(c->program, &o, &e);
    if (!p || !simulate(all, c, p, &e))
        fprintf(stderr, "%s %s%s: %s\n", c->m.name, c->program, c->changes, e.text);
    program_close(p);
    if (i % 50 == 0) fprintf(stderr, "%zu of %u\n", i, all->n);
    return true;
}

/* --- arguments --- */

static bool add_preset(struct cases *all, char *spec, char **program, int programs)
{
    unsigned near, wide;
    char name[PARAM_TEXT_MAX];
    if (sscanf(spec, "%47[^,],%u,%u", name, &near, &wide) != 3) {
        fprintf(stderr, "calibration_runs: '%s' is not PRESET,NEAR,WIDE\n", spec);
        return false;
    }
    size_t room = all->n + (size_t)programs * (1 + near + wide);
    struct run_case *at = realloc(all->at, room * sizeof *at);
    if (!at) return false;
    all->at = at;
    for (int i = 0; i < programs; i++)
        if (!add_cases(all, name, near, wide, program[i])) return false;
    return true;
}

int main(int argc, char **argv)
{
    struct cases all = {.reading = PTHREAD_MUTEX_INITIALIZER};
    struct error e = {0};
    const char *threads = getenv("THREADS");
    int at = 2;
    while (at < argc && strcmp(argv[at], "--") != 0)
        at++;
    if (at + 1 >= argc) {
        fprintf(stderr, "usage: calibration_runs RUNS.db PRESET,NEAR,WIDE... -- PROGRAM...\n");
        return 2;
    }
    all.store = store_open(argv[1], true, &e);
    bool ok = all.store != NULL;
    for (int i = 2; ok && i < at; i++)
        ok = add_preset(&all, argv[i], argv + at + 1, argc - at - 1);
    if (ok) parallel_map(threads ? (unsigned)atoi(threads) : 0, all.n, run_case, &all);
    if (!ok && e.text[0]) fprintf(stderr, "calibration_runs: %s\n", e.text);
    store_close(all.store);
    free(all.at);
    return ok ? 0 : 1;
}
