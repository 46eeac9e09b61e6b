/* Are drawn designs what their names promise, and are training points what they should be? */
#include "sweeps/train/train.h"
#include "tests/support/plan_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    plan_text_sound(&plan, DRAWN("lhs"));
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
    plan_text_sound(&plan, DRAWN("sobol"));
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

/* A value that the machine refuses is not the user's: capacities are of whole sets, ways divide the
 * capacity, clocks have whole kHz. Each legal value gets its part of the scale. */
static void drawn_values_are_legal(void **state)
{
    (void)state;
    static const char *const design[] = {"sobol", "lhs"};
    for (int k = 0; k < 2; k++) {
        struct plan plan;
        char text[1024];
        uint32_t ways[17] = {0}, below = 0;
        snprintf(text, sizeof text,
                 HEAD
                 "design = \"%s\"; points = 128; seed = 7;\n"
                 "axes = ( { path = \"l2.bank_kb\"; range = [128, 1024]; scale = \"log2\"; },\n"
                 "{ path = \"l1.ways\"; range = [1, 16]; scale = \"log2\"; },\n"
                 "{ path = \"l1.kb\"; values = [8, 32]; },\n"
                 "{ path = \"clock.core_mhz\"; range = [10.0, 90.0]; } );\n",
                 design[k]);
        plan_text_sound(&plan, text);
        assert_int_equal(plan_points(&plan), 128);
        assert_true(plan.redraws);
        assert_true(plan.excluded == 0 && plan.illegal == 0); /* no constraint, none is left */
        for (uint32_t i = 0; i < 128; i++) {
            struct machine m;
            struct error e;
            if (!plan_machine(&plan, i, &m, &e)) fail_msg("point %u: %s", i, e.text);
            assert_int_equal(m.l2.bank_kb, atoi(plan_value(&plan, i, 0)));
            assert_int_equal(m.l1.kb, atoi(plan_value(&plan, i, 2)));
            below += atoi(plan_value(&plan, i, 0)) < 362;
            ways[atoi(plan_value(&plan, i, 1))]++;
        }
        assert_in_range(below, 54, 74); /* half of the octaves */
        for (uint32_t v = 1; v <= 16; v *= 2)
            assert_in_range(ways[v], 20, 32); /* five values, each a fifth of 128 */
        plan_fini(&plan);
    }
}

/* What a constraint excludes counts, and what the machine refuses does not. */
static void redrawn_points_are_not_excluded_by_constraints(void **state)
{
    (void)state;
    struct plan plan;
    struct errors all = {0};
    static const char axes[] = HEAD "design = \"lhs\"; points = %u; seed = 7;\n"
                                    "axes = ( { path = \"l1.kb\"; range = [4, 64]; },\n"
                                    "{ path = \"l1.ways\"; range = [1, 64]; } );\n%s";
    char text[512];
    snprintf(text, sizeof text, axes, 32, "constraints = ( \"l1.ways <= 8\" );\n");
    plan_text_sound(&plan, text);
    uint32_t with = plan.excluded;
    for (uint32_t i = 0; i < plan_points(&plan); i++)
        assert_in_range(atoi(plan_value(&plan, i, 1)), 1, 8);
    plan_fini(&plan);
    snprintf(text, sizeof text, axes, 32, "");
    plan_text_sound(&plan, text);
    assert_true(plan.redraws);
    assert_true(with > 0 && plan.excluded == 0 && plan.illegal == 0);
    plan_fini(&plan);
    /* 15 points, of which few are legal. */
    snprintf(text, sizeof text,
             HEAD "design = \"lhs\"; points = 14; seed = 7;\n"
                  "axes = ( { path = \"l1.kb\"; range = [4, 8]; },\n"
                  "{ path = \"l1.ways\"; range = [1, 3]; } );\n");
    assert_false(plan_text_load(&plan, text, &all));
    assert_non_null(strstr(all.item[0].text, " that are legal machines; ask for fewer or widen"));
    errors_fini(&all);
    plan_fini(&plan);
}

/* Whole numbers from end to end are equally likely, the ends, too; on a logarithmic scale each has
 * the part that rounds to it. */
static void ends_of_whole_ranges_come_up_like_the_rest(void **state)
{
    (void)state;
    struct plan plan;
    uint32_t even[4] = {0}, octaves[8] = {0};
    plan_text_sound(&plan, HEAD "design = \"lhs\"; points = 1024; seed = 3;\n"
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
    plan_text_sound(&plan, HEAD "design = \"lhs\"; points = 4; seed = 3;\n"
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
    plan_text_sound(&plan, HEAD
                    "design = \"list\"; axes = ( { path = \"energy.table\"; } );\n"
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
    plan_text_sound(&a, DRAWN("lhs"));
    plan_text_sound(&b, DRAWN("lhs"));
    plan_text_sound(&c, DRAWN("lhs") "max_instructions = 0;\n");
    for (uint32_t i = 0; i < 64; i++)
        assert_string_equal(plan_value(&a, i, 0), plan_value(&b, i, 0));
    plan_fini(&c);
    plan_text_sound(
        &c,
        HEAD "design = \"lhs\"; points = 64; seed = 6;\naxes = ( { path = \"noc.latency\"; range = "
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
    assert_true(plan_text_load(
        &plan,
        HEAD "axes = ( { path = \"l2.replacement\"; values = [\"fifo\", \"lru\"]; },\n"
             "{ path = \"l2.copy_warms\"; values = [true, false]; },\n"
             "{ path = \"clock.core_mhz\"; values = [600, 1200]; } );\n",
        &all));
    assert_int_equal(train_own_point(&plan), 7); /* the last value of each */
    plan_fini(&plan);
    assert_true(plan_text_load(
        &plan, HEAD "axes = ( { path = \"l2.replacement\"; values = [\"fifo\"]; } );\n", &all));
    assert_true(train_own_point(&plan) == UINT32_MAX);
    plan_fini(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(a_latin_hypercube_fills_every_stratum),
        IN_A_PLACE(a_sobol_design_is_even_in_both_axes_together),
        IN_A_PLACE(drawn_values_are_legal),
        IN_A_PLACE(redrawn_points_are_not_excluded_by_constraints),
        IN_A_PLACE(ends_of_whole_ranges_come_up_like_the_rest),
        IN_A_PLACE(zero_at_the_end_of_a_range_is_one_value),
        IN_A_PLACE(a_list_may_mix_numbers_and_texts),
        IN_A_PLACE(drawn_designs_depend_on_the_seed_alone),
        IN_A_PLACE(training_points_are_distinct_and_legal),
        IN_A_PLACE(the_machines_own_point_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
