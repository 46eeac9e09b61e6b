/* Does engine auto keep to its budget, know what it simulated from what it believes, choose the
 * same whatever the threads and interruptions, and find the front that full simulation finds? */
#include "sweeps/auto/auto.h"
#include "base/memory/alloc.h"
#include "sweeps/analyse/accuracy_check.h"
#include "sweeps/ranking/prediction.h"
#include "sweeps/run/runner.h"
#include "tests/support/folder.h"

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
    folder_text("one.cfg", "generator = \"stream\";\nctas = 16;\nwarps_per_cta = 2;\niterations = "
                           "6;\nfootprint = \"96KB\";\n");
    folder_text("two.cfg", "generator = \"gather\";\nctas = 8;\nwarps_per_cta = 2;\niterations = "
                           "3;\nfootprint = \"256KB\";\n");
    return 0;
}

static const char *channels = "2, 4, 8";

static void load(struct plan *plan, const char *budget)
{
    char text[2000];
    struct errors all = {0};
    snprintf(text, sizeof text,
             "machine = \"rx540\"; set = ( \"sm.count=4\" );\n"
             "workloads = ( \"one.cfg\", \"two.cfg\" ); output = \"x.db\";\n"
             "axes = ( { path = \"l2.bank_kb\"; values = [8, 32, 128]; },\n"
             "{ path = \"l2.mshr.entries\"; values = [4, 16, 64]; },\n"
             "{ path = \"dram.channels\"; values = [%s]; } );\n"
             "engine = \"auto\"; budget = { %s };\n"
             "objectives = ( { metric = \"cycles\"; goal = \"min\"; },\n"
             "{ metric = \"dram.reads\"; goal = \"min\"; },\n"
             "{ parameter = \"dram.channels\"; goal = \"min\"; } );\n",
             channels, budget);
    if (!plan_load(plan, folder_text("sweep.cfg", text), NULL, &all))
        fail_msg("%s", all.item[0].text);
    plan->opts.no_cache = true;
}

static struct auto_result go(const struct plan *plan, struct store *s, unsigned threads)
{
    struct error e = {0};
    struct auto_result r;
    struct auto_request q = {.threads = threads};
    if (!auto_run(plan, s, &q, &r, &e)) fail_msg("%s", e.text);
    return r;
}

static struct store *memory(void)
{
    struct error e = {0};
    struct store *s = store_open(":memory:", true, &e);
    assert_non_null(s);
    return s;
}

static struct predictions predictions_of(const struct plan *plan, struct store *s)
{
    struct predictions b;
    struct error e = {0};
    uint64_t found;
    assert_true(predictions_new(&b, plan, &e));
    assert_true(predictions_load(&b, s, &found, &e));
    assert_true(found > 0);
    return b;
}

/* What it says was simulated was, and stands in the beliefs to the bit; nothing else was. */
static void it_keeps_to_its_budget_and_tells_simulated_from_believed(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    load(&plan, "error = 0.0001; points = 9;");
    struct store *s = memory();
    struct auto_result r = go(&plan, s, 2);
    struct predictions b = predictions_of(&plan, s);
    struct record *rec = mem_new(1, sizeof *rec);
    uint32_t simulated = 0;
    assert_int_equal(r.simulated, 9);
    assert_int_equal(r.end, AUTO_POINTS_SPENT);
    for (uint32_t i = 0; i < plan_points(&plan); i++) {
        for (uint32_t w = 0; w < 2; w++) {
            const struct prediction *x = prediction_at(&b, i, w, 0);
            bool stored = runner_get(&plan, s, i, w, ENGINE_SIMULATE, rec, &e) == STORED_DONE;
            assert_int_equal(stored, x->source == SOURCE_SIMULATE);
            if (stored) assert_true(x->value == rec->value[0] && x->log_sd == 0);
            if (!stored) assert_true(x->source == SOURCE_CALIBRATED && x->log_sd > 0);
            assert_true(x->value > 0 && prediction_at(&b, i, w, 2)->value > 0);
            simulated += stored;
        }
    }
    assert_int_equal(simulated, 18);
    mem_free(rec);
    predictions_free(&b);
    store_close(s);
    plan_fini(&plan);
}

static void same_beliefs(const struct plan *plan, const struct predictions *a,
                         const struct predictions *b)
{
    for (uint32_t i = 0; i < plan_points(plan); i++)
        for (uint32_t w = 0; w < 2; w++)
            for (uint32_t k = 0; k < 3; k++) {
                const struct prediction *x = prediction_at(a, i, w, k),
                                        *y = prediction_at(b, i, w, k);
                assert_int_equal(x->source, y->source);
                assert_true(x->value == y->value && x->log_sd == y->log_sd);
            }
}

/* The second store knows half the plan from before, points that auto would not choose among them:
 * stored runs save work and change nothing. */
static void threads_and_stored_runs_change_nothing(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    struct run_result ran;
    uint32_t half[13];
    load(&plan, "error = 0.0001; points = 8;");
    struct store *s = memory(), *t = memory();
    for (uint32_t i = 0; i < 13; i++)
        half[i] = 2 * i;
    struct run_request q = {.engine = ENGINE_SIMULATE, .point = half, .n_points = 13, .threads = 2};
    assert_true(runner_run(&plan, t, &q, &ran, &e));
    go(&plan, s, 1);
    go(&plan, t, 2);
    struct predictions a = predictions_of(&plan, s), b = predictions_of(&plan, t);
    same_beliefs(&plan, &a, &b);
    predictions_free(&b);
    go(&plan, s, 2); /* and again from what is stored */
    b = predictions_of(&plan, s);
    same_beliefs(&plan, &a, &b);
    predictions_free(&a);
    predictions_free(&b);
    store_close(s);
    store_close(t);
    plan_fini(&plan);
}

/* With a budget for everything it ends because it is sure, and its front is the true one. */
static void with_enough_budget_the_front_is_the_true_one(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    struct summary told, truth;
    struct run_result ran;
    load(&plan, "error = 0.5; points = 27;");
    struct store *s = memory();
    struct auto_result r = go(&plan, s, 2);
    assert_int_equal(r.end, AUTO_DONE);
    assert_int_equal(r.front, r.confirmed);
    assert_true(r.simulated < 27);
    assert_true(r.seen <= 0.5); /* it was tried, not only left out */
    assert_true(summary_make(&told, &plan, s, &e));
    struct run_request q = {.engine = ENGINE_SIMULATE, .threads = 2};
    assert_true(runner_run(&plan, s, &q, &ran, &e));
    struct plan full = plan;
    full.automatic = false;
    full.engine = ENGINE_SIMULATE;
    assert_true(summary_make(&truth, &full, s, &e));
    /* Every point that it calls the front is simulated, so its values are the true ones; none may
     * be far behind the truth. */
    for (uint32_t i = 0; i < plan_points(&plan); i++)
        if (told.front[i]) assert_true(told.value[i * 3] == truth.value[i * 3]);
    assert_true(told.value[told.best[0] * 3] <= 1.05 * truth.value[truth.best[0] * 3]);
    summary_fini(&told);
    summary_fini(&truth);
    store_close(s);
    plan_fini(&plan);
}

static void core_hours_end_it(void **state)
{
    (void)state;
    struct plan plan;
    load(&plan, "error = 0.0001; core_hours = 1e-9;");
    struct store *s = memory();
    struct auto_result r = go(&plan, s, 2);
    assert_int_equal(r.end, AUTO_HOURS_SPENT);
    assert_true(r.core_hours > 0);
    assert_int_equal(r.simulated, 4); /* it begins as without a limit: 40 % of eight points */
    store_close(s);
    plan_fini(&plan);
}

/* Hours without end and an error that nothing meets: it ends when everything is simulated. */
static void it_ends_when_nothing_is_left(void **state)
{
    (void)state;
    struct plan plan;
    channels = "2"; /* nine points */
    load(&plan, "error = 1e-9; core_hours = 100.0;");
    channels = "2, 4, 8";
    struct store *s = memory();
    struct auto_result r = go(&plan, s, 2);
    assert_int_equal(r.simulated, plan_points(&plan));
    assert_int_equal(r.end, AUTO_NOTHING_LEFT);
    assert_int_equal(r.front, r.confirmed);
    store_close(s);
    plan_fini(&plan);
}

/* Checked is what auto answers, at points that it did not learn from; not the raw estimate. */
static void a_check_judges_its_answers(void **state)
{
    (void)state;
    struct plan plan;
    struct accuracy_check c;
    struct error e = {0};
    load(&plan, "error = 0.0001; points = 9;");
    struct store *s = memory();
    assert_false(accuracy_check_run(&c, &plan, s, 5, 3, 2, NULL, &e)); /* nothing is answered yet */
    assert_int_equal(e.kind, ERROR_INPUT);
    accuracy_check_fini(&c);
    go(&plan, s, 2);
    struct predictions b = predictions_of(&plan, s);
    struct record *raw = mem_new(1, sizeof *raw);
    uint32_t held = 0, moved = 0;
    assert_true(accuracy_check_run(&c, &plan, s, 100, 3, 2, NULL, &e));
    assert_int_equal(c.n_points, 27 - 9);
    assert_int_equal(c.n, 2 * (27 - 9));
    assert_int_equal(c.failed, 0);
    for (uint32_t i = 0; i < c.n; i++) {
        const struct accuracy_check_row *row = &c.row[i];
        const struct prediction *x = prediction_at(&b, row->point, row->workload, 0);
        assert_int_equal(x->source, SOURCE_CALIBRATED);
        assert_true(row->answer == x->value && row->low <= row->answer);
        double half = 1.959963984540054 * x->log_sd;
        assert_true(fabs(log(row->high / row->low) / 2 - half) < 1e-9);
        runner_get(&plan, s, row->point, row->workload, ENGINE_ESTIMATE, raw, &e);
        moved += fabs(raw->value[0] / row->answer - 1) > 1e-6;
        held += fabs(log(row->simulated / row->answer)) <= half;
    }
    assert_int_equal(moved, c.n);
    assert_true(fabs(accuracy_check_coverage(&c) - (double)held / c.n) < 1e-12);
    accuracy_check_fini(&c);
    mem_free(raw);
    predictions_free(&b);
    store_close(s);
    plan_fini(&plan);
}

int main(void)
{
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, folder_remove)
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(it_keeps_to_its_budget_and_tells_simulated_from_believed),
        IN_A_PLACE(threads_and_stored_runs_change_nothing),
        IN_A_PLACE(with_enough_budget_the_front_is_the_true_one),
        IN_A_PLACE(core_hours_end_it),
        IN_A_PLACE(it_ends_when_nothing_is_left),
        IN_A_PLACE(a_check_judges_its_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
