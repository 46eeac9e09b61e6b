/* Does a sweep file mean what it says: every point once, in order, on a legal machine; faults with
 * their line? */
#include "engine/program_opts.h"
#include "tests/support/plan_text.h"
#include "trace/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void grid_is_the_nested_loops(void **state)
{
    (void)state;
    static const char *const l1[] = {"8", "16"}, *const l2[] = {"128", "256", "512"},
                             *const mshr[] = {"16", "32", "64", "128"};
    struct plan plan;
    struct errors all = {0};
    uint32_t point = 0;
    assert_true(plan_text_load(
        &plan,
        HEAD "axes = ( { path = \"l1.kb\"; values = [8, 16]; },\n"
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
                assert_int_equal(m.sm.count, plan.base->sm.count);
            }
        }
    }
    assert_int_equal(plan.engine, ENGINE_ESTIMATE);
    plan_fini(&plan);
}

static void ranges_are_even_steps_or_even_ratios(void **state)
{
    (void)state;
    struct plan plan;
    struct errors all = {0};
    assert_true(plan_text_load(
        &plan,
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
    (void)state;
    struct plan plan;
    struct errors all = {0};
    assert_true(plan_text_load(
        &plan,
        HEAD "set = ( \"sm.count=4\" );\naxes = ( { path = \"l1.kb\"; values = [8]; } );\n"
             "engine = \"sample\"; seed = 9; budget = { error = 0.1; instructions = 5000; };\n"
             "objectives = ( { metric = \"opc\"; goal = \"max\"; },\n"
             "{ parameter = \"l1.kb\"; goal = \"min\"; } );\n",
        &all));
    assert_int_equal(plan.base->sm.count, 4);
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
    (void)state;
    struct plan plan;
    struct errors all = {0};
    struct suite suite;
    struct error e;
    assert_true(suite_read(&suite, "suite:generators", &e));
    assert_true(plan_text_load(&plan,
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
    {HEAD "axes = ( { path = \"l2.replacement\"; range = [1, 4]; } );\n"
          "design = \"sobol\"; points = 4; constraints = ( \"l2.replacement == 'lru'\" );\n",
     4, "give it values"},
    {HEAD
     "axes = (\n { path = \"l1.kb\"; values = [8]; },\n { path = \"l1.kb\"; values = [16]; } );\n",
     6, "two axes"},
    {HEAD "axes = ( { path = \"l2.bank_kb\"; values = [256, 257]; } );\n", 4, "257"},
    {HEAD "axes = ( { path = \"l2.miss_management\"; values = [\"frc\"]; } );\n", 4, "frc"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"fast\";\n", 5,
     "or \"auto\""},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\ndesign = \"random\";\n", 5, "\"lhs\""},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\ndesign = \"sobol\";\n", 1, "no points"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8, 16]; } );\ndesign = \"sobol\"; points = 3;\n",
     4, "2 different ones"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\npoints = 3;\n", 5, "grid"},
    {HEAD "axes = ( { paths = [\"l1.kb\", \"l1.cache.ways\"]; values = ( [8, 2] ); } );\n", 4,
     "no parameter"},
    {HEAD "axes = ( { paths = [\"l1.kb\", \"l1.ways\"]; values = ( [8, 2],\n[16] ); } );\n", 5,
     "row 2: expected 2 values"},
    {HEAD
     "axes = ( { paths = [\"l1.kb\", \"l1.ways\"]; values = ( [8, 2],\n[16, 2],\n[8, 2] ); } );\n",
     6, "row 3 stands there twice"},
    {HEAD "axes = ( { paths = [\"l1.kb\", \"l1.ways\"]; values = ( [8, 2] ); } );\n"
          "design = \"list\"; points = ( [8, 2] );\n",
     4, "path of its own"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nconstraints = ( \"l1.kb * \" );\n", 5,
     "column 9"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nconstraints = ( \"l1.kbs > 4\" );\n", 5,
     "did you mean l1.kb"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nconstraints = ( \"l1.kb > 8\" );\n", 4,
     "no point meets"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; when = \"l2.bank_kb > 1\"; },\n"
          "{ path = \"l2.bank_kb\"; values = [256]; } );\n",
     5, "put this axis first"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nillegal = \"ignore\";\n", 5, "skip"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\n\nobjective = 1;\n", 6, "objectives"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\n"
          "objectives = ( { metric = \"speed\"; goal = \"max\"; } );\n",
     5, "plumb metrics"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nbudget = { points = 3; };\n", 5,
     "engine auto alone"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"simulate\";\n"
          "budget = { core_hours = 2.0; };\n",
     6, "engine auto alone"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"simulate\";\n"
          "budget = { error = 0.1; };\n",
     6, "engines sample and auto alone"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nbudget = { confidence = 0.9; };\n", 5,
     "engines sample and auto alone"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"auto\";\n"
          "budget = { confidence = 0.9; };\n",
     6, "0.95 alone"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\nengine = \"auto\";\n"
          "budget = { error = 0.1; instructions = 1000; };\n",
     6, "engine sample alone"},
    {HEAD "design = \"lhs\"; points = 2;\n"
          "axes = ( { path = \"noc.latency\"; range = [3.2, 4.8]; } );\n",
     5, "whole numbers"},
    {HEAD "axes = ( { path = \"l1.kb\"; values = [8]; } );\ncalibration = \"none.cal\";\n", 5,
     "no such file"},
    {"machine = \"qv100\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"
     "axes = ( { path = \"dram.channels\"; values = [24]; } );\n",
     4, "; this would go with it: set = ( \"dram.channel_deal=hash\" );"},
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
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct plan plan;
        struct errors all = {0};
        char start[128];
        assert_false(plan_text_load(&plan, faults[i].text, &all));
        assert_int_equal(all.n, 1);
        snprintf(start, sizeof start, "%s:%u: ", in_folder("sweep.cfg"), faults[i].line);
        if (strncmp(all.item[0].text, start, strlen(start)) != 0 ||
            !strstr(all.item[0].text, faults[i].word))
            fail_msg("fault %zu: \"%s\" should start with \"%s\" and say \"%s\"", i,
                     all.item[0].text, start, faults[i].word);
        errors_fini(&all);
        plan_fini(&plan);
    }
}

/* --- designs -----------------------------------------------------------------------------------
 */

/* Against the definition: all pairs of the grid that meet the condition, in its order. */
static void constraints_leave_out_what_they_exclude(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t point = 0;
    plan_text_sound(&plan,
                    HEAD "axes = ( { path = \"l2.bank_kb\"; values = [64, 128, 256]; },\n"
                         "{ path = \"l1.kb\"; values = [8, 16, 32]; } );\n"
                         "constraints = ( \"l2.bank_kb / l1.kb <= 8\", \"l2.banks > 0\" );\n");
    for (int l2 = 64; l2 <= 256; l2 *= 2) {
        for (int l1 = 8; l1 <= 32; l1 *= 2) {
            struct machine m;
            struct error e;
            if (l2 / l1 > 8) continue;
            assert_true(plan_machine(&plan, point++, &m, &e));
            assert_int_equal(m.l2.bank_kb, l2);
            assert_int_equal(m.l1.kb, l1);
        }
    }
    assert_int_equal(plan_points(&plan), point);
    assert_int_equal(plan.excluded, 9 - point);
    plan_fini(&plan);
}

static void linked_axes_move_together(void **state)
{
    (void)state;
    struct plan plan;
    struct machine m;
    struct error e;
    plan_text_sound(
        &plan,
        HEAD "axes = ( { paths = [\"l1.kb\", \"l1.ways\"]; values = ( [8, 2], [32, 8] ); },\n"
             "{ path = \"noc.latency\"; values = [10, 20]; } );\n");
    assert_int_equal(plan_points(&plan), 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(plan_machine(&plan, i, &m, &e));
        assert_int_equal(m.l1.kb, i < 2 ? 8 : 32);
        assert_int_equal(m.l1.cache.ways, i < 2 ? 2 : 8);
        assert_int_equal(m.noc.latency, i % 2 ? 20 : 10);
    }
    plan_fini(&plan);
}

/* Entries of the FRC only where there is one: 1 + 3 points, not 2 x 3. */
static void an_axis_applies_only_under_its_condition(void **state)
{
    (void)state;
    struct plan plan;
    plan_text_sound(
        &plan,
        HEAD "axes = ( { path = \"l1.kb\"; values = [8, 16]; },\n"
             "{ path = \"noc.latency\"; values = [10, 20, 30]; when = \"l1.kb > 8\"; } );\n");
    assert_int_equal(plan_points(&plan), 4);
    assert_string_equal(plan_value(&plan, 0, 1), "");
    for (uint32_t i = 0; i < 4; i++) {
        struct machine m;
        struct error e;
        assert_true(plan_machine(&plan, i, &m, &e));
        assert_int_equal(m.noc.latency, i ? 10 * i : plan.base->noc.latency);
    }
    plan_fini(&plan);
}

static void several_machines_are_the_first_axis(void **state)
{
    (void)state;
    struct plan plan;
    struct machine m;
    struct error e;
    plan_text_sound(&plan,
                    "machine = ( \"rx540\", \"rx570\" );\nworkloads = ( \"small.cfg\" );\noutput = "
                    "\"x.db\";\naxes = ( { path = \"l1.kb\"; values = [8, 16]; } );\n"
                    "constraints = ( \"machine == 'rx540' || l1.kb > 8\" );\n");
    assert_int_equal(plan_points(&plan), 3);
    assert_string_equal(plan.axis[0].path, "machine");
    assert_string_equal(plan_value(&plan, 2, 0), "rx570");
    assert_true(plan_machine(&plan, 2, &m, &e));
    assert_string_equal(m.name, "rx570");
    assert_int_equal(m.l1.kb, 16);
    plan_fini(&plan);
}

static void a_list_is_its_rows(void **state)
{
    (void)state;
    struct plan plan;
    plan_text_sound(
        &plan,
        HEAD "design = \"list\";\naxes = ( { path = \"l1.kb\"; }, { path = \"noc.latency\"; } );\n"
             "points = ( [8, 30], [32, 10], [8, 10] );\n");
    assert_int_equal(plan_points(&plan), 3);
    assert_string_equal(plan_value(&plan, 1, 0), "32");
    assert_string_equal(plan_value(&plan, 1, 1), "10");
    assert_string_equal(plan_value(&plan, 2, 0), "8");
    /* equal values are one, by size: indices tell how far points lie apart */
    assert_int_equal(plan.axis[0].n, 2);
    assert_int_equal(plan.axis[1].n, 2);
    assert_int_not_equal(plan.axis[0].dim, plan.axis[1].dim);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t index[AXES_MAX];
        plan_point(&plan, i, index);
        assert_int_equal(index[0], i == 1);
        assert_int_equal(index[1], i == 0);
    }
    plan_fini(&plan);
}

/* Points that are no legal machine are left out on demand. */
static void illegal_points_are_skipped_on_demand(void **state)
{
    (void)state;
    struct plan plan;
    plan_text_sound(
        &plan, HEAD
        "illegal = \"skip\";\naxes = ( { path = \"l2.bank_kb\"; values = [256, 257, 512]; } );\n");
    assert_int_equal(plan_points(&plan), 2);
    assert_int_equal(plan.illegal, 1);
    assert_string_equal(plan_value(&plan, 1, 0), "512");
    plan_fini(&plan);
}

/* A product that chooses its tiles is opened for each choice, which points with the same share. */
static void products_follow_the_card(void **state)
{
    (void)state;
    struct plan plan;
    const char *text = "machine = ( \"h100-sxm\", \"rtx3090\", \"rx540\" );\n"
                       "workloads = ( \"small.cfg\", \"ml/gemm M=64 N=128 K=256 type=bf16\" );\n"
                       "axes = ( { path = \"l2.mshr.entries\"; values = [48, 64]; },\n"
                       "{ path = \"l2.latency\"; values = [100, 101]; } );\n"
                       "engine = \"sample\";\noutput = \"x.db\";\n";
    plan_text_sound(&plan, text);
    const struct program *read[2][12];
    assert_int_equal(plan_points(&plan), 12);
    for (uint32_t i = 0; i < 12; i++) {
        struct machine m;
        struct error e = {0};
        assert_true(plan_machine(&plan, i, &m, &e));
        for (uint32_t w = 0; w < 2; w++) {
            const struct program_opts o = program_opts_of(&m, false);
            read[w][i] = plan_program(&plan, w, &m);
            struct program *own = program_open(plan.workload[w].spec, &o, &e);
            assert_true(digest_equal(program_digest(read[w][i]), program_digest(own)));
            program_close(own);
            assert_ptr_equal(read[w][i], read[w][i - i % 4]);
            assert_int_equal(program_follows_card(read[w][i]), w == 1);
            const uint32_t base = plan_base(&plan, i, w);
            assert_true(base == PLAN_ALONE || read[w][base] == read[w][i]);
        }
    }
    assert_ptr_equal(read[0][0], read[0][4]);
    assert_ptr_not_equal(read[1][0], read[1][4]);
    assert_int_equal(plan.workload[0].n_programs, 2); /* of 32 and of 64 lanes */
    assert_int_equal(plan.workload[1].n_programs, 3);
    plan_fini(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(grid_is_the_nested_loops),
        IN_A_PLACE(ranges_are_even_steps_or_even_ratios),
        IN_A_PLACE(overrides_of_the_base_machine_and_objectives),
        IN_A_PLACE(a_suite_is_its_programs),
        IN_A_PLACE(faults_are_told_with_their_line),
        IN_A_PLACE(constraints_leave_out_what_they_exclude),
        IN_A_PLACE(linked_axes_move_together),
        IN_A_PLACE(an_axis_applies_only_under_its_condition),
        IN_A_PLACE(several_machines_are_the_first_axis),
        IN_A_PLACE(products_follow_the_card),
        IN_A_PLACE(a_list_is_its_rows),
        IN_A_PLACE(illegal_points_are_skipped_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
