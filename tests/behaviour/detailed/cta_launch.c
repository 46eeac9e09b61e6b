/* cta_launch.c - how soon does the next CTA go on where one has ended?
 *
 * Closed forms on one SM with room for one CTA: each CTA comes sm.cta_launch_cycles later, and
 * waits for the stores of the one before if sm.exit_waits_for_stores says so. */
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

enum { BASE = 1 << 20, CTAS = 7, FARTHER = 100, LAUNCH = 300 };

#define LONE "sm.count=1", "sm.max_ctas=1", "sm.launch_cycles=0"

static double cycles_of(const struct hand_op *op, uint32_t ctas, uint32_t warps,
                        const char *const *sets, size_t n)
{
    struct machine m = run_machine("v100", sets, n);
    struct metrics r = run_whole(&m, hand_program(op, ctas, warps, m.sm.warp_width));
    return run_value(&r, "cycles");
}

/* Loads of shared memory, each of which waits for the one before. */
static const struct hand_op chase[] = {
    {.cls = OP_SHARED_LOAD, .space = SPACE_SHARED, .pc = 0, .after = true},
    {.cls = OP_SHARED_LOAD, .space = SPACE_SHARED, .pc = 16, .after = true},
    {.cls = OP_N}};

static void each_cta_begins_its_launch_later(void **state)
{
    static const char *const launch[] = {"sm.cta_launch_cycles=0", "sm.cta_launch_cycles=1",
                                         "sm.cta_launch_cycles=300"};
    static const double later[] = {0, 1, 300};
    (void)state;
    for (uint32_t ctas = 1; ctas <= CTAS; ctas += 3)
        for (uint32_t warps = 1; warps <= 9; warps += 4) {
            double first = 0;
            for (int i = 0; i < 3; i++) {
                const char *const sets[] = {LONE, launch[i]};
                double cycles = cycles_of(chase, ctas, warps, sets, 4);
                if (!i) first = cycles;
                assert_near(cycles, first + ctas * later[i], 0);
            }
        }
}

/* CTAs that have places from the beginning launch side by side. */
static void those_side_by_side_launch_at_once(void **state)
{
    static const char *const now[] = {"sm.count=1", "sm.cta_launch_cycles=0"};
    static const char *const late[] = {"sm.count=1", "sm.cta_launch_cycles=300"};
    (void)state;
    double first = cycles_of(chase, CTAS, 1, now, 2);
    assert_near(cycles_of(chase, CTAS, 1, late, 2), first + LAUNCH, 0);
}

static const struct hand_op store[] = {
    {.cls = OP_STORE, .space = SPACE_GLOBAL, .pc = 0, .addr = BASE, .stride = 4, .lanes = 8},
    {.cls = OP_N}};

static double stores_take(const char *exit_waits, const char *extra_latency, uint32_t ctas)
{
    const char *const sets[] = {LONE, exit_waits, extra_latency};
    return cycles_of(store, ctas, 1, sets, 5);
}

/* If acknowledgements come so much later, every CTA takes so much longer, or only the launch's
 * end does. */
static void a_place_is_free_with_or_without_its_stores(void **state)
{
    static const char waits[] = "sm.exit_waits_for_stores=true";
    static const char leaves[] = "sm.exit_waits_for_stores=false";
    static const char near[] = "l2.extra_latency=50", far[] = "l2.extra_latency=150";
    (void)state;
    assert_near(stores_take(waits, far, CTAS) - stores_take(waits, near, CTAS), CTAS * FARTHER, 0);
    assert_near(stores_take(leaves, far, CTAS) - stores_take(leaves, near, CTAS), FARTHER, 0);
    assert_near(stores_take(leaves, far, 1), stores_take(waits, far, 1), 0);
}

/* The functional machine counts the same launches, but for its quanta. */
static void a_functional_pass_waits_as_long(void **state)
{
    const char *const now[] = {LONE, "sm.cta_launch_cycles=0"};
    const char *const late[] = {LONE, "sm.cta_launch_cycles=300"};
    double cycles[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine("v100", i ? late : now, 4);
        struct program *p = hand_program(chase, CTAS, 1, m.sm.warp_width);
        struct warming_pass w;
        struct error e = {0};
        assert_true(warming_pass_init(&w, &m, p, true, &e));
        while (w.functional.done < CTAS * 3)
            assert_true(functional_step(&w.functional, &e));
        cycles[i] = w.functional.now;
        warming_pass_fini(&w);
        program_close(p);
    }
    assert_near(cycles[1] - cycles[0], CTAS * LAUNCH, 0.1 * LAUNCH);
}

/* An interval that begins while CTAs are being launched goes on with what is left of it. */
static void an_interval_goes_on_with_a_launch(void **state)
{
    const char *const late[] = {LONE, "sm.cta_launch_cycles=300"};
    struct machine m = run_machine("v100", late, 4);
    struct program *p = hand_program(chase, CTAS, 1, m.sm.warp_width);
    uint64_t moment = 3 * 3; /* the third CTA has ended */
    struct snapshot s;
    struct error e = {0};
    (void)state;
    assert_true(checkpoints_take_snapshots(&m, p, &moment, 1, true, &s, &e));
    assert_int_equal(s.interval.n_residents, 1);
    assert_true(s.residents[0].launching > 0 && s.residents[0].launching <= LAUNCH);
    assert_int_equal(s.warp_done[0], 0);
    struct sim *sim = sim_new(&m, p, &e);
    struct metrics x;
    assert_non_null(sim);
    s.interval.measure_instructions = 1;
    sim_interval(sim, &s.interval, s.warm, &x, &e);
    assert_near(run_value(&x, "cycles"), s.residents[0].launching, 2);
    sim_free(sim);
    snapshot_fini(&s);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cta_begins_its_launch_later),
        cmocka_unit_test(those_side_by_side_launch_at_once),
        cmocka_unit_test(a_place_is_free_with_or_without_its_stores),
        cmocka_unit_test(a_functional_pass_waits_as_long),
        cmocka_unit_test(an_interval_goes_on_with_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
