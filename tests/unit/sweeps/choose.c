/* Which points engine auto simulates next: the front, the edge of the best 5 %, what the front
 * might lose to. */
#include "base/io/file.h"
#include "sweeps/auto/auto_choose.h"
#include "sweeps/train/train.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>

enum { POINTS = 40 };

static struct plan plan;
static struct auto_model model;
static struct summary ranked;

/* Points 1000, 1010, 1020 ... cycles, each known to so much. */
static void know(double sd)
{
    struct error e;
    assert_true(summary_new(&ranked, &plan, &e));
    for (uint32_t i = 0; i < POINTS; i++) {
        double v = 1000 + 10 * i;
        for (uint32_t k = 0; k < 2; k++)
            *prediction_at(&model.predictions, i, 0, k) =
                (struct prediction){.value = v, .log_sd = sd, .source = SOURCE_CALIBRATED};
        ranked.value[i] = v;
        ranked.low[i] = v * exp(-BELIEF_Z_95 * sd);
        ranked.high[i] = v * exp(BELIEF_Z_95 * sd);
        ranked.front[i] = i == 0;
    }
}

static bool chosen(const struct choice_set *c, uint32_t point)
{
    bool is = false;
    for (uint32_t i = 0; i < c->n; i++)
        is |= c->point[i] == point;
    return is;
}

/* The best 5 % are points 0 and 1; 2 and 3 may belong to them, though 3 cannot be the best. */
static void the_edge_of_the_best_is_looked_at(void **state)
{
    (void)state;
    uint32_t point[8];
    struct choice_set c = {.point = point};
    struct error e;
    know(0.0102);
    assert_true(
        auto_choose(&model, &ranked, &(struct choice_wish){.count = 6, .confirm = 1}, &c, &e));
    assert_int_equal(c.n, 6);
    assert_int_equal(c.confirming, 1);
    assert_int_equal(c.point[0], 0);
    for (uint32_t i = 1; i < 4; i++)
        assert_true(chosen(&c, i));
    summary_fini(&ranked);
}

/* Point 10 is known least: it may be the best by far, though by its mean it is not.  With one
 * simulation left beside the front it is taken. */
static void what_may_be_the_best_is_looked_at(void **state)
{
    (void)state;
    uint32_t point[8];
    struct choice_set c = {.point = point};
    struct error e;
    know(0.001);
    ranked.confirmed[0] = true;
    ranked.low[0] = ranked.high[0] = ranked.value[0];
    prediction_at(&model.predictions, 10, 0, 1)->log_sd = 0.2;
    assert_true(
        auto_choose(&model, &ranked, &(struct choice_wish){.count = 1, .confirm = 0}, &c, &e));
    assert_int_equal(c.n, 1);
    assert_int_equal(c.point[0], 10);
    summary_fini(&ranked);
}

/* The first points: different, eight of ten anywhere, two among the ten best by estimate. */
static void the_spread_looks_at_the_best_estimates(void **state)
{
    (void)state;
    uint32_t point[10], best = 0;
    struct choice_set c = {.point = point};
    struct error e;
    know(0.01);
    assert_true(auto_spread(&plan, &ranked, 10, &c, &e));
    assert_int_equal(c.n, 10);
    for (uint32_t i = 0; i < 10; i++) {
        best += point[i] < 10;
        for (uint32_t k = 0; k < i; k++)
            assert_true(point[i] != point[k]);
    }
    assert_int_equal(c.even, 8);
    assert_in_range(best, 4, 5); /* two or three of the even spread lie there, too */
    summary_fini(&ranked);
}

/* Even points come first, and go on where the even ones of before ended: two and then three are
 * the five that would have been drawn at once.  Another seed draws others. */
static void even_points_are_one_sequence(void **state)
{
    (void)state;
    uint32_t point[8], all[8], other[8];
    bool taken[POINTS] = {false}, also[POINTS] = {false};
    struct choice_set c = {.point = point};
    struct choice_wish wish = {.count = 4, .even = 3, .confirm = 1};
    struct error e;
    know(0.01);
    assert_int_equal(train_points_among(&plan, 0, 5, taken, all), 5);
    for (uint32_t i = 0; i < 2; i++)
        model.even[all[i]] = ranked.confirmed[all[i]] = true;
    assert_true(auto_choose(&model, &ranked, &wish, &c, &e));
    assert_int_equal(c.n, 4);
    assert_int_equal(c.even, 3);
    assert_memory_equal(point, all + 2, 3 * sizeof *point);
    for (uint32_t i = 0; i < POINTS; i++)
        model.even[i] = false;
    plan.opts.seed = 2;
    assert_true(auto_spread(&plan, &ranked, 7, &c, &e));
    plan.opts.seed = 1;
    assert_int_equal(train_points_among(&plan, 64, 6, also, other), 6);
    assert_memory_equal(point, other, 6 * sizeof *point);
    assert_memory_not_equal(point, all, 5 * sizeof *point);
    summary_fini(&ranked);
}

/* What is simulated is not chosen again, and nothing that is sure is doubtful. */
static void what_is_known_is_left(void **state)
{
    (void)state;
    uint32_t point[8];
    struct choice_set c = {.point = point};
    struct error e;
    know(0.0102);
    for (uint32_t i = 0; i < 4; i++) {
        ranked.confirmed[i] = true;
        ranked.low[i] = ranked.high[i] = ranked.value[i];
    }
    assert_true(
        auto_choose(&model, &ranked, &(struct choice_wish){.count = 2, .confirm = 0}, &c, &e));
    assert_int_equal(c.n, 2);
    assert_false(c.certain);
    for (uint32_t i = 0; i < 4; i++)
        assert_false(chosen(&c, i));
    summary_fini(&ranked);
}

/* Once the points that may be among the best are simulated, nothing is chosen; while one of them
 * may still be the best, it is. */
static void it_ends_when_the_best_are_certain(void **state)
{
    (void)state;
    uint32_t point[8];
    struct choice_set c = {.point = point};
    struct error e;
    const struct choice_wish wish = {.count = 2, .until_certain = true};
    know(0.001);
    for (uint32_t i = 0; i < 3; i++) {
        ranked.confirmed[i] = true;
        ranked.low[i] = ranked.high[i] = ranked.value[i];
    }
    assert_true(auto_choose(&model, &ranked, &wish, &c, &e));
    assert_true(c.certain);
    assert_int_equal(c.n, 0);
    ranked.low[30] = 0.9 * ranked.value[0];
    assert_true(auto_choose(&model, &ranked, &wish, &c, &e));
    assert_false(c.certain);
    assert_int_equal(c.n, 2);
    summary_fini(&ranked);
}

static int setup(void **state)
{
    struct errors all = {0};
    struct error e;
    (void)state;
    if (folder_make(NULL) != 0) return -1;
    struct outfile *f = outfile_open(in_folder("small.cfg"), &e);
    outfile_printf(f, "generator = \"stream\";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n");
    if (!outfile_commit(f, &e)) return -1;
    f = outfile_open(in_folder("sweep.cfg"), &e);
    outfile_printf(f, "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"
                      "engine = \"auto\";\n"
                      "axes = ( { path = \"l2.latency\"; range = [10, 49]; points = 40; } );\n");
    if (!outfile_commit(f, &e) || !plan_load(&plan, in_folder("sweep.cfg"), NULL, &all)) return -1;
    return auto_model_new(&model, &plan, 1, &e) ? 0 : -1;
}

static int teardown(void **state)
{
    auto_model_fini(&model);
    plan_fini(&plan);
    return folder_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_edge_of_the_best_is_looked_at),
        cmocka_unit_test(what_may_be_the_best_is_looked_at),
        cmocka_unit_test(the_spread_looks_at_the_best_estimates),
        cmocka_unit_test(even_points_are_one_sequence),
        cmocka_unit_test(what_is_known_is_left),
        cmocka_unit_test(it_ends_when_the_best_are_certain),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
