#include "tests/support/extreme_runs.h"

#include "engine/engine.h"

#include <math.h>
#include <signal.h>

enum { EXTREME_SECONDS = 5, REFUSED = 3, SLOW = 4, ENDS };

/* Every number that there is, is one that can be. */
static bool numbers_are(const struct metrics *m)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        if (!m->has[i]) continue;
        NEED(isfinite(m->v[i]) && m->v[i] >= -1e-9 && m->v[i] < 1e19, "metric %u is %g", i,
             m->v[i]);
    }
    NEED(m->v[M_cycles] > 0, "%g cycles", m->v[M_cycles]);
    return true;
}

static bool estimates(const struct machine *m, const struct program *p, struct error *e)
{
    struct run_opts o;
    struct answer a;
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!engine_run(ENGINE_ESTIMATE, m, p, NULL, NULL, &o, &a, e)) return false;
    bool ok = numbers_are(&a.m);
    answer_fini(&a);
    return ok;
}

static int extreme_case(const struct random_case *c)
{
    struct error e = {0};
    struct metrics got;
    struct machine m = build_machine(&c->machine);
    struct program *p = build_program(&c->program, m.sm.warp_width);
    bool guessed = estimates(&m, p, &e);
    if (!guessed) return e.kind == ERROR_INPUT ? REFUSED : FAILED;
    struct sim *s = sim_new(&m, p, &e);
    enum sim_end end = s ? sim_run(s, NULL, NULL, NULL, &e) : SIM_FAILED;
    if (end == SIM_DONE) sim_metrics(s, &got);
    bool ok = end == SIM_DONE && numbers_are(&got);
    if (end != SIM_DONE && e.kind != ERROR_INPUT) fprintf(stderr, "%s\n", e.text);
    sim_free(s);
    program_close(p);
    return ok ? RAN : end != SIM_DONE && e.kind == ERROR_INPUT ? REFUSED : FAILED;
}

static int extreme_apart(const struct random_case *c)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){EXTREME_SECONDS, EXTREME_SECONDS + 1});
        _exit(extreme_case(c));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return SLOW;
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static bool extreme_fails(const struct random_case *c)
{
    return extreme_apart(c) == FAILED;
}

static void draw_extreme_machine(struct atlas *a, struct rng *r, struct drawn *d)
{
    char value[PARAM_TEXT_MAX];
    d->n = 0;
    snprintf(d->preset, sizeof d->preset, "%s", a->names.presets[rng_below(r, a->names.n_presets)]);
    struct machine m = run_machine(d->preset, NULL, 0);
    try_set(a, d, &m, "sm.count", rng_below(r, 2) ? "1" : "3");
    for (uint32_t wanted = d->n + 1 + (uint32_t)rng_below(r, 6), tries = 0;
         d->n < wanted && tries < 60; tries++) {
        const char *path = a->names.paths[rng_below(r, a->names.n_paths)];
        if (strcmp(path, "sm.count") == 0) continue;
        if (draw_value(a, r, &m, path, value, sizeof value)) try_set(a, d, &m, path, value);
    }
}

void extreme_machines_run_small_programs(uint64_t from, uint64_t runs)
{
    static struct atlas a;
    unsigned count[ENDS] = {0};
    atlas_init(&a);
    a.extremes = true;
    for (uint64_t seed = from; seed < from + runs && count[FAILED] < 5; seed++) {
        struct random_case c;
        struct rng r;
        rng_seed(&r, 26, seed);
        draw_extreme_machine(&a, &r, &c.machine);
        c.program = draw_recipe(&r);
        for (int i = 0; i < SHAPE_N; i++)
            if (c.program.size[i] > 4) c.program.size[i] = 4;
        int end = extreme_apart(&c);
        count[end < ENDS ? end : FAILED]++;
        if (end != FAILED) continue;
        shrink_case(&c, extreme_fails);
        print_case(&c, "extreme", seed);
    }
    print_message("%llu of %llu overrides taken; seeds %llu to %llu: %u ran, %u refused, %u slow,"
                  " %u failed\n",
                  (unsigned long long)(a.tried - a.refused), (unsigned long long)a.tried,
                  (unsigned long long)from, (unsigned long long)(from + runs - 1), count[RAN],
                  count[REFUSED] + count[NO_ROOM], count[SLOW], count[FAILED]);
    assert_int_equal(count[FAILED], 0);
    assert_true(count[RAN] > runs / 2);
    atlas_fini(&a);
}
