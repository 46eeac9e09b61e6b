/* Does a sweep file mean what it says: every point once, in order, on a legal machine; faults with
 * their line? */
#include "sweeps/plan.h"
#include "sweeps/train.h"
#include "trace/suite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
    char dir[64], sweep[96], program[96];
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/plumb-plan-XXXXXX");
    if (!mkdtemp(p->dir)) return -1;
    snprintf(p->sweep, sizeof p->sweep, "%s/sweep.cfg", p->dir);
    snprintf(p->program, sizeof p->program, "%s/small.cfg", p->dir);
    write_file(p->program,
               "generator = \"stream\";\nctas = 8;\nwarps_per_cta = 2;\niterations = 2;\n");
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    unlink(p->sweep);
    unlink(p->program);
    rmdir(p->dir);
    free(p);
    return 0;
}

static bool load(const struct place *p, struct plan *plan, const char *text, struct errors *all)
{
    write_file(p->sweep, text);
    return plan_load(plan, p->sweep, NULL, all);
}

#define HEAD "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"

static void grid_is_the_nested_loops(void **state)
{
    static const char *const l1[] = {"8", "16"}, *const l2[] = {"128", "256", "512"},
                             *const mshr[] = {"16", "32", "64", "128"};
    struct plan plan;
    struct errors all = {0};
    uint32_t point = 0;
    assert_true(load(*state, &plan,
                     HEAD
                     "axes = ( { path = \"l1.kb\"; values = [8, 16]; },\n"
                     "{ path = \"l2.bank_kb\"; values = [128, 256, 512]; },\n"
                     "{ path = \"l2.mshr.entries\"; range = [16, 128]; scale = \"log2\"; } );\n",
                     &all));
    assert_int_equal(plan_points(&plan), 24);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 3; b++) {
            for (int c = 0; c < 4; c++, point++) {
                struct machine m;
                struct error e;
                assert_string_equal(plan_value(&plan, point, 0), l1[a]);
                assert_string_equal(plan_value(&plan, point, 1), l2[b]);
                assert_string_equal(plan_value(&plan, point, 2), mshr[c]);
                assert_true(plan_machine(&plan, point, &m, &e));
                assert_int_equal(m.l1.kb, atoi(l1[a]));
                assert_int_equal(m.l2.bank_kb, atoi(l2[b]));
                assert_int_equal(m.l2.cache.mshr.entries, atoi(mshr[c]));
                assert_int_equal(m.sm.count, plan.base.sm.count);
            }
        }
    }
    assert_int_equal(plan.engine, ENGINE_ESTIMATE);
    plan_fini(&plan);
}

static void ranges_are_even_steps_or_even_ratios(void **state)
{
    struct plan plan;
    struct errors all = {0};
    assert_true(load(
        *state, &plan,
        HEAD "axes = ( { path = \"l2.latency\"; range = [10, 40]; points = 4; },\n"
             "{ path = \"noc.latency\"; range = [1, 100]; points = 3; scale = \"log2\"; } );\n",
        &all));
    assert_int_equal(plan.axis[0].n, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(atoi(plan.axis[0].value[i]), 10 + 10 * i);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(atoi(plan.axis[1].value[i]), (int)lround(pow(10, i)));
    plan_fini(&plan);
}

static void overrides_of_the_base_machine_and_objectives(void **state)
{
    struct plan plan;
    struct errors all = {0};
    assert_true(
        load(*state, &plan,
             HEAD "set = ( \"sm.count=4\" );\naxes = ( { path = \"l1.kb\"; values = [8]; } );\n"
                  "engine = \"sample\"; seed = 9; budget = { error = 0.1; instructions = 5000; };\n"
                  "objectives = ( { metric = \"opc\"; goal = \"max\"; },\n"
                  "{ parameter = \"l1.kb\"; goal = \"min\"; } );\n",
             &all));
    assert_int_equal(plan.base.sm.count, 4);
    assert_int_equal(plan.engine, ENGINE_SAMPLE);
    assert_int_equal(plan.opts.seed, 9);
    assert_int_equal(plan.opts.budget, 5000);
    assert_float_equal(plan.opts.error, 0.1, 0);
    assert_int_equal(plan.n_objectives, 2);
    assert_int_equal(plan.objective[0].goal, GOAL_MAX);
    assert_true(plan.objective[1].parameter);
    plan_fini(&plan);
}

static void a_suite_is_its_programs(void **state)
{
    struct plan plan;
    struct errors all = {0};
    struct suite suite;
    struct error e;
    assert_true(suite_read(&suite, "suite:generators", &e));
    assert_true(load(*state, &plan,
                     "machine = \"gpus/rx540\";\noutput = \"x.db\";\n"
                     "workloads = ( \"small.cfg\", \"suite:generators\" );\n"
                     "axes = ( { path = \"l1.kb\"; values = [8]; } );\n",
                     &all));
    assert_int_equal(plan.n_workloads, 1 + suite.n);
    for (uint32_t i = 0; i < suite.n; i++)
        assert_string_equal(plan.workload[1 + i].spec, suite.entry[i].path);
    suite_fini(&suite);
    plan_fini(&plan);
}

/* One fault each: the line it is told with, and a word of the remedy. */
static const struct fault {
    const char *text;
    uint32_t line;
    const char *word;
} faults[] = {
    {HEAD "axes = ( { path = \"l2.bank_kbs\"; values = [1]; } );\n", 4, "l2.bank_kb"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [16, 16]; } );\n", 4, "twice"},
    {HEAD "axes = ( { path = \"l1.kb\"; range = [16, 8]; } );\n", 4, "rising"},
    {HEAD "axes = ( { path = \"l1.kb\"; range = [8, 24]; } );\n", 4, "points"},
    {HEAD "axes = ( { path = \"l1.kb\"; } );\n", 4, "values or range"},
    {HEAD
     "axes = (\n { path = \"l1.kb\"; values = [8]; },\n { path = \"l1.kb\"; values = [16]; } );\n",
     6, "two axes"},
    {HEAD "axes = ( { path = \"l2.bank_kb\"; values = [256, 257]; } );\n", 4, "257"},
    {HEAD "axes = ( { path = \"l2.miss_management\"; values = [\"frc\"]; } );\n", 4, "frc"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"auto\";\n", 5, "not built"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\ndesign = \"sobol\";\n", 5, "grid"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\n\nobjective = 1;\n", 6, "objectives"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\n"
          "objectives = ( { metric = \"speed\"; goal = \"max\"; } );\n",
     5, "plumb metrics"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\ncalibration = \"none.cal\";\n", 5,
     "no such file"},
    {"machine = \"rx450\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"
     "axes = ( { path = \"l1.kb\"; values = [8]; } );\n",
     1, "rx450"},
    {"machine = \"rx540\";\nworkloads = ( \"missing.plt\" );\noutput = \"x.db\";\n"
     "axes = ( { path = \"l1.kb\"; values = [8]; } );\n",
     2, "missing.plt"},
    {"machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\n"
     "axes = ( { path = \"l1.kb\"; values = [8]; } );\n",
     1, "output"},
};

static void faults_are_told_with_their_line(void **state)
{
    const struct place *p = *state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct plan plan;
        struct errors all = {0};
        char start[128];
        assert_false(load(p, &plan, faults[i].text, &all));
        assert_int_equal(all.n, 1);
        snprintf(start, sizeof start, "%s:%u: ", p->sweep, faults[i].line);
        if (strncmp(all.item[0].text, start, strlen(start)) != 0 ||
            !strstr(all.item[0].text, faults[i].word))
            fail_msg("fault %zu: \"%s\" should start with \"%s\" and say \"%s\"", i,
                     all.item[0].text, start, faults[i].word);
        errors_fini(&all);
        plan_fini(&plan);
    }
}

/* A plan around a machine holds the machine itself, and training takes it first. */
static void training_points_are_distinct_and_legal(void **state)
{
    const struct place *p = *state;
    const char *programs[] = {p->program};
    struct plan plan;
    struct errors all = {0};
    uint32_t point[40];
    assert_true(plan_around(&plan, "rx540", NULL, 0, programs, 1, &all));
    assert_true(plan.n_axes >= 4);
    uint32_t n = train_points(&plan, 40, UINT32_MAX, point);
    assert_int_equal(n, 40);
    for (uint32_t i = 0; i < n; i++) {
        struct machine m;
        struct error e;
        assert_true(plan_machine(&plan, point[i], &m, &e));
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(point[i], point[k]);
    }
    /* Evenly over every axis: each value comes up. */
    for (uint32_t a = 0; a < plan.n_axes; a++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t index[AXES_MAX];
            plan_point(&plan, point[i], index);
            seen |= 1u << index[a];
        }
        assert_int_equal(seen, (1u << plan.axis[a].n) - 1);
    }
    assert_int_equal(train_points(&plan, 3, 17, point), 3);
    assert_int_equal(point[0], 17);
    plan_fini(&plan);
}

int main(void)
{
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(grid_is_the_nested_loops),
        IN_A_PLACE(ranges_are_even_steps_or_even_ratios),
        IN_A_PLACE(overrides_of_the_base_machine_and_objectives),
        IN_A_PLACE(a_suite_is_its_programs),
        IN_A_PLACE(faults_are_told_with_their_line),
        IN_A_PLACE(training_points_are_distinct_and_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
