/* same_causes.c - do both engines name the cause?  Machines with one resource that is far too
 * small: the estimate's first causes turn it, and the cycle model's stalls have it at their root.
 */
#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "tests/support/ask.h"

#include <stdio.h>

/* Fits the L2 of rx540, and not its L1s. */
#define GATHER                                                                          \
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 4; unroll = 2;" \
    "footprint = \"256KB\";"
/* Fits an L2 of 256 KB, not one of 128. */
#define TABLE                                                                           \
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 8; unroll = 2;" \
    "footprint = \"160KB\";"
/* Every line once. */
#define STREAM                                                                            \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 96; warps_per_cta = 4; iterations" \
    " = 6; unroll = 2;"

enum { SETS = 3 };
static const struct planted {
    const char *set[SETS], *program;
    const char *cause;       /* path of a parameter that it turns */
    const char *root, * or ; /* or: another name for the same domain, or NULL */
} PLANTED[] = {
    {{"dram.channels=1"}, STREAM, "dram.", "dram", NULL},
    {{"clock.noc_mhz=120"}, GATHER, "clock.noc_mhz=", "noc", NULL},
    {{"l2.mshr.entries=1"}, STREAM, "l2.mshr.entries=", "l2_mshr", NULL},
    {{"l2.bank_kb=64", "l2.ways=1", "dram.channels=1"}, TABLE, "l2.", "dram", "l2_lines"},
    {{"l1.mshr.entries=1"}, GATHER, "l1.mshr.entries=", "l1_mshr", NULL},
    {{"clock.core_mhz=50"}, GATHER, "clock.core_mhz=", "compute", "l1"},
};
enum { PLANTED_N = sizeof PLANTED / sizeof *PLANTED };

static const char *const ROOTS[] = {"compute", "barrier",  "vmb", "l1",
                                    "l1_mshr", "l1_lines", "noc", "l2",
                                    "l2_mshr", "l2_lines", "dram"};
enum { ROOTS_N = sizeof ROOTS / sizeof *ROOTS };

static struct machine planted_machine(const struct planted *c)
{
    size_t n = 0;
    while (n < SETS && c->set[n])
        n++;
    return run_machine("rx540", c->set, n);
}

static struct answer *explained(const struct machine *m, const char *text, unsigned threads)
{
    struct program *p = run_program(text, m->sm.warp_width);
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = o.causes = true;
    o.threads = threads;
    assert_non_null(a);
    if (!engine_run(ENGINE_ESTIMATE, m, p, NULL, NULL, &o, a, &e)) fail_msg("%s", e.text);
    program_close(p);
    return a;
}

static double root_of(const struct metrics *m, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "stall_roots.%s", name);
    return run_value(m, key);
}

static const char *largest_root(const struct metrics *m)
{
    const char *best = ROOTS[0];
    double sum = 0;
    for (uint32_t i = 0; i < ROOTS_N; i++) {
        double v = root_of(m, ROOTS[i]);
        assert_true(v >= 0 && v <= 1);
        sum += v;
        if (v > root_of(m, best)) best = ROOTS[i];
    }
    assert_near(sum, 1, 1e-9);
    return best;
}

static bool turns(const struct cause *c, const char *path)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strncmp(c->set[i], path, strlen(path)) == 0) return true;
    return false;
}

/* Among the first three, with nearly as much as the first: where one entry is all that there is, a
 * latency half as long helps as much as another entry. */
static bool named(const struct causes *c, const char *path)
{
    for (uint32_t i = 0; i < 3 && i < c->n; i++)
        if (turns(&c->at[i], path)) return c->at[i].saves >= 0.85 * c->at[0].saves;
    return false;
}

static void estimates_name_what_is_small(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLANTED_N; i++) {
        const struct planted *c = &PLANTED[i];
        struct machine m = planted_machine(c);
        struct answer *a = explained(&m, c->program, 1);
        assert_true(a->helps.n > 0 && a->helps.at[0].saves > 0.1);
        if (!named(&a->helps, c->cause)) fail_msg("%s: %s", c->set[0], a->helps.at[0].words);
        for (uint32_t k = 1; k < a->helps.n; k++)
            assert_true(a->helps.at[k - 1].saves >= a->helps.at[k].saves);
        answer_fini(a);
        mem_free(a);
    }
}

/* An FRC of which few misses make use, and whose look-up takes cycles of its own, leaves the root
 * where it was. */
static void a_look_up_beside_the_lines_is_no_root(void **state)
{
    (void)state;
    static const char *const sets[] = {"dram.channels=1", "l2.frc.entries=1"};
    struct machine m = run_machine("rx540", sets, 2);
    struct metrics got = ask_of(ENGINE_SIMULATE, &m, STREAM);
    assert_string_equal(largest_root(&got), "dram");
}

static void roots_name_what_is_small(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLANTED_N; i++) {
        const struct planted *c = &PLANTED[i];
        struct machine m = planted_machine(c);
        struct metrics got = ask_of(ENGINE_SIMULATE, &m, c->program);
        const char *root = largest_root(&got);
        if (strcmp(root, c->root) != 0 && (!c->or || strcmp(root, c->or) != 0))
            fail_msg("%s: %s %.2f", c->set[0], root, root_of(&got, root));
    }
}

/* What a cause promises is what the estimate of that machine says, but that the latter has its own
 * profile where the machine's way to the L2 or to memory is of another class. */
static void promises_are_estimates(void **state)
{
    (void)state;
    struct machine m = planted_machine(&PLANTED[0]);
    struct answer *a = explained(&m, STREAM, 1);
    const struct cause *c = &a->helps.at[0];
    const char *sets[CAUSE_SETS];
    struct errors all = {0};
    double before = a->m.v[M_time_us];
    for (uint32_t i = 0; i < c->n; i++)
        sets[i] = c->set[i];
    assert_true(machine_set(&m, sets, c->n, &all));
    struct metrics after = ask_of(ENGINE_ESTIMATE, &m, STREAM);
    assert_near(c->saves, 1 - after.v[M_time_us] / before, 0.03);
    answer_fini(a);
    mem_free(a);
}

/* Doubled resources, some of which are not tried where they cannot help. */
static const char *const DOUBLED[] = {"clock.core_mhz=2400",
                                      "clock.noc_mhz=2400",
                                      "clock.l2_mhz=2400",
                                      "dram.clock_mhz=3000",
                                      "l2.bank_kb=512",
                                      "dram.channels=8",
                                      "l1.ports=4",
                                      "l2.ports=4",
                                      "noc.latency=2",
                                      "sm.vmb_entries=64",
                                      "l1.kb=32",
                                      "sm.units.int32.interval=2",
                                      "l1.banks=2",
                                      "dram.banks_per_group=32"};
enum { DOUBLED_N = sizeof DOUBLED / sizeof *DOUBLED };

static bool is_told(const struct causes *c, const char *path)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (turns(&c->at[i], path)) return true;
    return false;
}

/* What an estimate of a machine says to save time, without any rule, is told of. */
static void what_helps_is_not_left_out(void **state)
{
    static const char *const programs[] = {GATHER, TABLE, STREAM};
    (void)state;
    struct machine base = run_machine("rx540", NULL, 0);
    uint32_t helped = 0;
    for (uint32_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct answer *a = explained(&base, programs[i], 1);
        for (uint32_t k = 0; k < DOUBLED_N; k++) {
            struct machine m = base;
            struct errors all = {0};
            char path[64];
            snprintf(path, sizeof path, "%.*s=", (int)strcspn(DOUBLED[k], "="), DOUBLED[k]);
            if (!machine_set(&m, &DOUBLED[k], 1, &all)) fail_msg("%s", all.item[0].text);
            struct metrics after = ask_of(ENGINE_ESTIMATE, &m, programs[i]);
            bool helps = 1 - after.v[M_time_us] / a->m.v[M_time_us] >= 0.01;
            helped += helps;
            if (helps && !is_told(&a->helps, path)) fail_msg("%s", DOUBLED[k]);
        }
        answer_fini(a);
        mem_free(a);
    }
    assert_true(helped > 6);
}

/* Two resources of which neither helps alone. */
static void pairs_are_told_together(void **state)
{
    (void)state;
    const char *const sets[] = {"clock.noc_mhz=120", "clock.l2_mhz=60"};
    struct machine m = run_machine("rx540", sets, 2);
    struct answer *a = explained(&m, GATHER, 1);
    double single = 0, pair = 0;
    for (uint32_t i = 0; i < a->helps.n; i++) {
        const struct cause *c = &a->helps.at[i];
        double *best = c->resources > 1 ? &pair : &single;
        if (c->saves > *best) *best = c->saves;
    }
    assert_true(pair > single && single > 0);
    answer_fini(a);
    mem_free(a);
}

/* The memory is too slow, and all queues up to the SMs are full: the heads of the L1s wait for the
 * network, which is not why. */
static void back_pressure_is_charged_to_its_root(void **state)
{
    (void)state;
    const char *const sets[] = {"dram.channels=1"};
    struct machine m = run_machine("rx540", sets, 1);
    struct metrics got = ask_of(ENGINE_SIMULATE, &m, STREAM);
    assert_true(run_value(&got, "stalls.noc") > 0.5);
    assert_true(root_of(&got, "dram") > 0.6);
    assert_true(root_of(&got, "noc") < 0.2);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    struct answer *one = explained(&m, GATHER, 1), *two = explained(&m, GATHER, 2);
    assert_int_equal(one->helps.n, two->helps.n);
    assert_memory_equal(&one->helps, &two->helps, sizeof one->helps);
    answer_fini(one);
    answer_fini(two);
    mem_free(one);
    mem_free(two);
    struct metrics a = ask_of(ENGINE_SIMULATE, &m, GATHER), b = ask_of(ENGINE_SIMULATE, &m, GATHER);
    for (uint32_t i = 0; i < ROOTS_N; i++)
        assert_true(root_of(&a, ROOTS[i]) == root_of(&b, ROOTS[i]));
}

/* A machine whose L1 MSHRs have no limit never waits for them. */
static void bottlenecks_exist(void **state)
{
    (void)state;
    const char *const sets[] = {"l2.bank_kb=512"};
    struct machine m = run_machine("rx540", sets, 1);
    for (uint32_t i = 0; i < 2; i++) {
        struct answer *a = explained(&m, i ? STREAM : GATHER, 1);
        bool there = strcmp(a->x.bottleneck, "latency") == 0;
        for (uint32_t k = 0; k < a->x.n; k++) {
            assert_true(strstr(a->x.station[k].name, "mshr") == NULL);
            there = there || strcmp(a->x.station[k].name, a->x.bottleneck) == 0;
        }
        assert_true(there);
        for (uint32_t k = 0; k < a->helps.n; k++)
            assert_false(turns(&a->helps.at[k], "l1.mshr") || turns(&a->helps.at[k], "l2.mshr"));
        answer_fini(a);
        mem_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_name_what_is_small),
        cmocka_unit_test(roots_name_what_is_small),
        cmocka_unit_test(a_look_up_beside_the_lines_is_no_root),
        cmocka_unit_test(promises_are_estimates),
        cmocka_unit_test(what_helps_is_not_left_out),
        cmocka_unit_test(pairs_are_told_together),
        cmocka_unit_test(back_pressure_is_charged_to_its_root),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(bottlenecks_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
