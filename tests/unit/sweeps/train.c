/* Which points does a calibration sample, and does it go on where runs fail? */
#include "sweeps/train/train.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

/* The large programs are more than the budget of sampled instructions bears: their runs fail at
 * every point.  The small one is run whole. */
static int set_up(void **state)
{
#define LARGE(iterations)                                        \
    "generator = \"stream\";\nctas = 256;\nwarps_per_cta = 4;\n" \
    "iterations = " #iterations ";\nfootprint = \"96KB\";\n"
    if (folder_make(state)) return -1;
    folder_text("a.cfg", LARGE(5));
    folder_text("b.cfg", LARGE(6));
    folder_text("c.cfg", LARGE(7));
    folder_text("small.cfg", "generator = \"stream\";\nctas = 4;\nwarps_per_cta = 2;\n"
                             "iterations = 2;\nfootprint = \"96KB\";\n");
    return 0;
}

static void load(struct plan *plan)
{
    struct errors all = {0};
    const char *text = "machine = \"rx540\"; set = ( \"sm.count=4\" );\n"
                       "workloads = ( \"a.cfg\", \"b.cfg\", \"c.cfg\", \"small.cfg\" );\n"
                       "axes = ( { path = \"l2.bank_kb\"; values = [8, 32, 128]; },\n"
                       "{ path = \"l2.mshr.entries\"; values = [4, 16, 64]; } );\n"
                       "engine = \"sample\"; budget = { instructions = 1000; };\n"
                       "output = \"x.db\";\n";
    if (!plan_load(plan, folder_text("sweep.cfg", text), NULL, &all))
        fail_msg("%s", all.item[0].text);
    plan->opts.no_cache = true;
}

/* A third of the runs, two of each program, give two good ones, and a fit needs three: it must go
 * on, and so that it asks least of those that always fail. */
static void active_goes_on_while_too_few_runs_succeed(void **state)
{
    (void)state;
    struct plan plan;
    struct training t;
    struct error e = {0};
    struct train_request q = {.points = 6, .choose = TRAIN_ACTIVE, .threads = 1};
    load(&plan);
    if (!train(&t, &plan, &q, &e)) fail_msg("%s", e.text);
    assert_int_equal(t.n + t.failed, 6 * 4);
    assert_true(t.n >= 6);
    assert_int_equal(t.points, t.n);
    for (uint32_t i = 0; i < t.n; i++) {
        assert_int_equal(t.row[i].workload, 3);
        for (uint32_t k = 0; k < i; k++)
            assert_true(t.row[i].point != t.row[k].point);
    }
    train_fini(&t);
    plan_fini(&plan);
}

/* The file's engine decides how its points are run by a sweep, not how a calibration's are. */
static void runs_share_no_intervals(void **state)
{
    (void)state;
    struct plan shared, apart;
    struct training t, u;
    struct error e = {0};
    struct train_request q = {.points = 6, .threads = 1};
    load(&shared);
    load(&apart);
    assert_true(plan_base(&apart, 1, 0) != PLAN_ALONE); /* else nothing is asked here */
    for (uint32_t i = 0; i < plan_points(&apart) * apart.n_workloads; i++)
        apart.sample_base[i] = PLAN_ALONE;
    if (!train(&t, &shared, &q, &e) || !train(&u, &apart, &q, &e)) fail_msg("%s", e.text);
    assert_true(digest_equal(t.calibration.training, u.calibration.training));
    train_fini(&t);
    train_fini(&u);
    plan_fini(&shared);
    plan_fini(&apart);
}

/* A program that does not fit on some machines: their runs fail, all else is learned from. */
static void active_bears_what_does_not_fit(void **state)
{
    (void)state;
    struct plan plan;
    struct training t;
    struct errors all = {0};
    struct error e = {0};
    struct train_request q = {.points = 6, .choose = TRAIN_ACTIVE, .threads = 1};
    const char *text = "machine = \"rx540\"; set = ( \"sm.count=4\" );\n"
                       "workloads = ( \"wide.cfg\", \"small.cfg\" );\n"
                       "axes = ( { path = \"l2.bank_kb\"; values = [8, 32, 128]; },\n"
                       "{ path = \"sm.shared_kb\"; values = [1, 64]; } );\n"
                       "output = \"x.db\";\n";
    folder_text("wide.cfg", "generator = \"reduction\";\nctas = 8;\nwarps_per_cta = 4;\n"
                            "element_bytes = 8;\niterations = 2;\n");
    if (!plan_load(&plan, folder_text("sweep.cfg", text), NULL, &all))
        fail_msg("%s", all.item[0].text);
    plan.opts.no_cache = true;
    if (!train(&t, &plan, &q, &e)) fail_msg("%s", e.text);
    assert_int_equal(t.n, 6 + 3); /* every machine, and those of 64 KB */
    assert_int_equal(t.failed, 3);
    train_fini(&t);
    plan_fini(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(active_goes_on_while_too_few_runs_succeed, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(runs_share_no_intervals, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(active_bears_what_does_not_fit, set_up, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
