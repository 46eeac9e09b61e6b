/* Does a sweep file mean what it says: every point once, in order, on a legal machine; faults with
 * their line? */
#include "sweeps/plan.h"
#include "sweeps/train.h"
#include "tests/unit/folder.h"
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

static int set_up(void **state)
{
    if (folder_make(state)) return -1;
    folder_text("small.cfg",
                "generator = \"stream\";\nctas = 8;\nwarps_per_cta = 2;\niterations = 2;\n");
    return 0;
}

static bool load(struct plan *plan, const char *text, struct errors *all)
{
    return plan_load(plan, folder_text("sweep.cfg", text), NULL, all);
}

#define HEAD "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"

static void grid_is_the_nested_loops(void **state)
{
    (void)state;
    static const char *const l1[] = {"8", "16"}, *const l2[] = {"128", "256", "512"},
                             *const mshr[] = {"16", "32", "64", "128"};
    struct plan plan;
    struct errors all = {0};
    uint32_t point = 0;
    assert_true(load(&plan,
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
    assert_true(load(
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
    assert_true(
        load(&plan,
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
    assert_true(load(&plan,
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
        assert_false(load(&plan, faults[i].text, &all));
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

static void sound(struct plan *plan, const char *text)
{
    struct errors all = {0};
    if (!load(plan, text, &all)) fail_msg("%s", all.n ? all.item[0].text : "?");
}

/* Against the definition: all pairs of the grid that meet the condition, in its order. */
static void constraints_leave_out_what_they_exclude(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t point = 0;
    sound(&plan, HEAD "axes = ( { path = \"l2.bank_kb\"; values = [64, 128, 256]; },\n"
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
    sound(&plan,
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
    sound(&plan,
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
    sound(&plan, "machine = ( \"rx540\", \"rx570\" );\nworkloads = ( \"small.cfg\" );\noutput = "
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
    sound(&plan, HEAD
          "design = \"list\";\naxes = ( { path = \"l1.kb\"; }, { path = \"noc.latency\"; } );\n"
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
    sound(
        &plan, HEAD
        "illegal = \"skip\";\naxes = ( { path = \"l2.bank_kb\"; values = [256, 257, 512]; } );\n");
    assert_int_equal(plan_points(&plan), 2);
    assert_int_equal(plan.illegal, 1);
    assert_string_equal(plan_value(&plan, 1, 0), "512");
    plan_fini(&plan);
}

#define DRAWN(design)                                                \
    HEAD "design = \"" design "\"; points = 64; seed = 5;\n"         \
         "axes = ( { path = \"noc.latency\"; range = [1, 640]; },\n" \
         "{ path = \"l2.latency\"; range = [16, 256]; scale = \"log2\"; } );\n"

/* How many of the 64 points lie in each of `cells` equal parts of an axis. */
static void count_cells(const struct plan *p, uint32_t axis, uint32_t cells, uint32_t *count)
{
    for (uint32_t i = 0; i < plan_points(p); i++) {
        double v = atof(plan_value(p, i, axis));
        double t = axis ? log2(v / 16) / 4 : (v - 1) / 639;
        uint32_t cell = (uint32_t)(t * cells);
        count[cell < cells ? cell : cells - 1]++;
    }
}

/* The hypercube's promise: one point in each of 64 strata of every axis (of the first, whose
 * values are not rounded across strata: 10 integers each). */
static void a_latin_hypercube_fills_every_stratum(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t fine[64] = {0}, coarse[8] = {0};
    sound(&plan, DRAWN("lhs"));
    assert_int_equal(plan_points(&plan), 64);
    count_cells(&plan, 0, 64, fine);
    for (int i = 0; i < 64; i++)
        assert_in_range(fine[i], 0, 2); /* rounding may move a value into the next stratum */
    count_cells(&plan, 1, 8, coarse);
    for (int i = 0; i < 8; i++)
        assert_in_range(coarse[i], 7, 9);
    plan_fini(&plan);
}

/* A (0,m,2)-net: 64 points, 8 x 8 cells, one in each; the shift and rounding move a few. */
static void a_sobol_design_is_even_in_both_axes_together(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t cell[64] = {0}, empty = 0;
    sound(&plan, DRAWN("sobol"));
    assert_int_equal(plan_points(&plan), 64);
    for (uint32_t i = 0; i < 64; i++) {
        double a = (atof(plan_value(&plan, i, 0)) - 1) / 639.01;
        double b = log2(atof(plan_value(&plan, i, 1)) / 16) / 4.001;
        cell[(int)(a * 8) * 8 + (int)(b * 8)]++;
    }
    for (int i = 0; i < 64; i++)
        empty += cell[i] == 0;
    assert_in_range(empty, 0, 18); /* 64 random points leave 23 empty on average */
    plan_fini(&plan);
}

/* Whole numbers from end to end are equally likely, the ends, too; on a logarithmic scale each has
 * the part that rounds to it. */
static void ends_of_whole_ranges_come_up_like_the_rest(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t even[4] = {0}, octaves[8] = {0};
    sound(&plan, HEAD "design = \"lhs\"; points = 1024; seed = 3;\n"
                      "axes = ( { path = \"noc.latency\"; range = [1, 4]; },\n"
                      "{ path = \"l2.latency\"; range = [1, 8]; scale = \"log2\"; },\n"
                      "{ path = \"dram.clock_mhz\"; range = [1000.0, 2000.0]; } );\n");
    for (uint32_t i = 0; i < plan_points(&plan); i++) {
        even[atoi(plan_value(&plan, i, 0)) - 1]++;
        octaves[atoi(plan_value(&plan, i, 1)) - 1]++;
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(even[i], 256);
    for (int i = 0; i < 8; i++) {
        double share = log((i + 1.5) / (i + 0.5)) / log(8.5 / 0.5);
        assert_in_range(octaves[i], (int)(1024 * share) - 1, (int)(1024 * share) + 2);
    }
    plan_fini(&plan);
}

/* What rounds to 0 from below is 0, not another value "-0" beside it. */
static void zero_at_the_end_of_a_range_is_one_value(void **state)
{
    (void)state;
    struct plan plan;
    sound(&plan, HEAD "design = \"lhs\"; points = 4; seed = 3;\n"
                      "axes = ( { path = \"l2.frc.entries\"; range = [0, 3]; } );\n");
    assert_int_equal(plan.axis[0].n, 4);
    assert_string_equal(plan.axis[0].value[0], "0");
    plan_fini(&plan);
}

/* Numbers by size, then texts: texts that begin as numbers do stand in no circle with them. */
static void a_list_may_mix_numbers_and_texts(void **state)
{
    static const char *const sorted[] = {"1",  "2",   "3",  "5",  "9",  "10",
                                         "11", "100", "0x", "1a", "1e", "20x"};
    (void)state;
    struct plan plan;
    sound(&plan,
          HEAD "design = \"list\"; axes = ( { path = \"energy.table\"; } );\n"
               "points = ( [\"20x\"], [\"5\"], [\"9\"], [\"3\"], [\"1\"], [\"11\"], [\"2\"],\n"
               "[\"0x\"], [\"100\"], [\"10\"], [\"1e\"], [\"1a\"] );\n");
    assert_int_equal(plan.axis[0].n, 12);
    for (uint32_t i = 0; i < 12; i++)
        assert_string_equal(plan.axis[0].value[i], sorted[i]);
    assert_string_equal(plan_value(&plan, 0, 0), "20x");
    assert_string_equal(plan_value(&plan, 11, 0), "1a");
    plan_fini(&plan);
}

static void drawn_designs_depend_on_the_seed_alone(void **state)
{
    (void)state;
    struct plan a, b, c;
    uint32_t differ = 0;
    sound(&a, DRAWN("lhs"));
    sound(&b, DRAWN("lhs"));
    sound(&c, DRAWN("lhs") "max_instructions = 0;\n");
    for (uint32_t i = 0; i < 64; i++)
        assert_string_equal(plan_value(&a, i, 0), plan_value(&b, i, 0));
    plan_fini(&c);
    sound(&c, HEAD
          "design = \"lhs\"; points = 64; seed = 6;\naxes = ( { path = \"noc.latency\"; range = "
          "[1, 640]; },\n{ path = \"l2.latency\"; range = [16, 256]; scale = \"log2\"; } );\n");
    for (uint32_t i = 0; i < 64; i++)
        differ += strcmp(plan_value(&a, i, 0), plan_value(&c, i, 0)) != 0;
    assert_true(differ > 32);
    plan_fini(&a);
    plan_fini(&b);
    plan_fini(&c);
}

/* A plan around a machine holds the machine itself, and training takes it first. */
static void training_points_are_distinct_and_legal(void **state)
{
    (void)state;
    const char *programs[] = {in_folder("small.cfg")};
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

/* Also where a name or a real number is written otherwise in a file than in a sweep. */
static void the_machines_own_point_is_found(void **state)
{
    (void)state;
    struct plan plan;
    struct machine m;
    struct error e;
    struct errors all = {0};
    const char *programs[] = {in_folder("small.cfg")};
    assert_true(plan_around(&plan, "rx540", NULL, 0, programs, 1, &all));
    assert_true(train_own_point(&plan) < plan_points(&plan));
    assert_true(plan_machine(&plan, train_own_point(&plan), &m, &e));
    assert_true(digest_equal(machine_digest(&m), machine_digest(plan.base)));
    plan_fini(&plan);
    assert_true(load(&plan,
                     HEAD "axes = ( { path = \"l2.replacement\"; values = [\"fifo\", \"lru\"]; },\n"
                          "{ path = \"l2.copy_warms\"; values = [true, false]; },\n"
                          "{ path = \"clock.core_mhz\"; values = [600, 1200]; } );\n",
                     &all));
    assert_int_equal(train_own_point(&plan), 7); /* the last value of each */
    plan_fini(&plan);
    assert_true(load(
        &plan, HEAD "axes = ( { path = \"l2.replacement\"; values = [\"fifo\"]; } );\n", &all));
    assert_true(train_own_point(&plan) == UINT32_MAX);
    plan_fini(&plan);
}

int main(void)
{
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, folder_remove)
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
        IN_A_PLACE(a_list_is_its_rows),
        IN_A_PLACE(illegal_points_are_skipped_on_demand),
        IN_A_PLACE(a_latin_hypercube_fills_every_stratum),
        IN_A_PLACE(a_sobol_design_is_even_in_both_axes_together),
        IN_A_PLACE(ends_of_whole_ranges_come_up_like_the_rest),
        IN_A_PLACE(zero_at_the_end_of_a_range_is_one_value),
        IN_A_PLACE(a_list_may_mix_numbers_and_texts),
        IN_A_PLACE(drawn_designs_depend_on_the_seed_alone),
        IN_A_PLACE(training_points_are_distinct_and_legal),
        IN_A_PLACE(the_machines_own_point_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
