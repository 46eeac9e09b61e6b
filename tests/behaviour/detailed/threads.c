/* threads.c - is the answer the same, to the last bit, on any number of threads?
 *
 * On named machines, whose SMs, slices and channels threads share out, with and without shared
 * ports, write-back L1s, meshes and dispatch at a rate; on drawn machines with drawn programs; and
 * where threads have nothing to share, which is then said. */
#include "tests/support/random_runs.h"

enum { DRAWN = 12 };

static const uint32_t numbers[] = {2, 3, 8};

/* The whole program twice on one simulation, on so many threads; false: it does not fit. */
static bool run_on_threads(const struct machine *m, const struct program *p, uint32_t threads,
                           uint32_t *used, struct metrics *r)
{
    struct error e = {0};
    struct sim *s = sim_new(m, p, &e);
    if (s) *used = sim_use_threads(s, threads, &e);
    bool ok = s && *used;
    for (uint32_t k = 0; ok && k < 2; k++) {
        ok = sim_run(s, NULL, NULL, NULL, &e) == SIM_DONE;
        if (ok) sim_metrics(s, r);
    }
    if (!ok) assert_non_null(strstr(e.text, "does not fit"));
    sim_free(s);
    return ok;
}

/* Returns how many threads were used of 2. */
static uint32_t same_on_all(const struct machine *m, const struct program *p)
{
    static struct metrics one, other;
    uint32_t used, of_two = 0;
    bool fits = run_on_threads(m, p, 1, &used, &one);
    for (uint32_t i = 0; fits && i < sizeof numbers / sizeof *numbers; i++) {
        assert_true(run_on_threads(m, p, numbers[i], &used, &other));
        assert_memory_equal(other.v, one.v, sizeof one.v);
        assert_memory_equal(&other.load_latency, &one.load_latency, sizeof one.load_latency);
        assert_memory_equal(&other.max_latency, &one.max_latency, sizeof one.max_latency);
        if (i == 0) of_two = used;
    }
    return of_two;
}

static uint32_t same(const char *preset, const char *set, const char *more, const char *program)
{
    const char *const sets[] = {set, more};
    struct machine m = run_machine(preset, sets, more ? 2 : set ? 1 : 0);
    struct program *p = run_program(program, m.sm.warp_width);
    uint32_t used = same_on_all(&m, p);
    program_close(p);
    return used;
}

static const char streams[] =
    "generator = \"stream\"; ctas = 60; warps_per_cta = 4; iterations = 6;";
static const char scatters[] =
    "generator = \"gather\"; footprint = \"256KB\"; ctas = 60; warps_per_cta = 4; iterations = 3;";
static const char *const programs[] = {streams, scatters};

static void on_named_machines(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(same("rx540", NULL, NULL, programs[i]), 2);
        assert_int_equal(same("qv100", "noc.sms_per_port=2", NULL, programs[i]), 2);
        assert_int_equal(same("rx540", "l1.write=back", "noc.topology=mesh", programs[i]), 2);
        assert_int_equal(same("rx540", "sm.cta_rate=0.02", "sm.dispatch=balanced", programs[i]), 2);
        assert_int_equal(same("titanv", "noc.arbitration=round_robin", NULL, programs[i]), 2);
    }
}

/* SMs that meet below their L1s in something that is stepped with them. */
static void where_one_thread_does_all(void **state)
{
    (void)state;
    assert_int_equal(same("rx540", "scalar.kb=16", "scalar.loads=uniform", streams), 1);
    assert_int_equal(same("rx540", "coherence.protocol=si", NULL, streams), 1);
    assert_int_equal(same("rx540", "l2.inclusion=inclusive", NULL, streams), 1);
}

static void on_drawn_machines(void **state)
{
    static struct atlas a;
    uint32_t shared = 0;
    (void)state;
    atlas_init(&a);
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        struct random_case c;
        struct rng r;
        rng_seed(&r, 57, seed);
        struct machine m = draw_machine(&a, &r, &c.machine);
        c.program = draw_recipe(&r);
        struct program *p = build_program(&c.program, m.sm.warp_width);
        shared += same_on_all(&m, p) > 1;
        program_close(p);
    }
    assert_true(shared >= DRAWN / 4);
    atlas_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_named_machines),
        cmocka_unit_test(where_one_thread_does_all),
        cmocka_unit_test(on_drawn_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
