/* The runs that correct a sweep's estimates: the estimate of the machine that was simulated is the
 * simulation, answers follow from the plan and not from a bank, and points whose own ranges overlap
 * are told apart where the range of their ratio says so. */
#include "sweeps/run/sweep_anchors.h"
#include "calibration/bank/bank.h"
#include "engine/bank_record.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/run/runner.h"
#include "tests/support/check.h"
#include "tests/support/plan_text.h"

/* Point 2 is the machine as the file names it. */
#define AXES "axes = ( { path = \"dram.channels\"; values = [1, 2, 4]; } );\n"

struct sweep_here {
    struct plan plan;
    struct store *store;
};

static void begin(struct sweep_here *x, const char *text)
{
    struct error e = {0};
    plan_text_sound(&x->plan, text);
    x->store = store_open(":memory:", true, &e);
    assert_non_null(x->store);
}

static void finish(struct sweep_here *x)
{
    store_close(x->store);
    plan_fini(&x->plan);
}

static void make_anchors(struct sweep_here *x)
{
    struct error e = {0};
    const struct sweep_anchors_request q = {.threads = 1};
    if (!sweep_anchors_make(&x->plan, x->store, &q, &e) ||
        !sweep_anchors_teach(&x->plan, x->store, &e))
        fail_msg("%s", e.text);
}

static void make_runs(struct sweep_here *x, enum engine engine)
{
    struct error e = {0};
    struct run_result r;
    const struct run_request q = {.engine = engine, .threads = 1};
    if (!runner_run(&x->plan, x->store, &q, &r, &e)) fail_msg("%s", e.text);
    assert_int_equal(r.failed, 0);
}

static double cycles(struct sweep_here *x, uint32_t point, enum engine engine)
{
    struct error e = {0};
    struct record r;
    assert_int_equal(runner_get(&x->plan, x->store, point, 0, engine, &r, &e), STORED_DONE);
    return record_metric(&r, "cycles");
}

static void the_simulated_machine_is_estimated_as_simulated(void **state)
{
    (void)state;
    struct sweep_here x;
    begin(&x, HEAD AXES);
    assert_int_equal(x.plan.n_anchors, 1);
    make_anchors(&x);
    make_runs(&x, ENGINE_ESTIMATE);
    make_runs(&x, ENGINE_SIMULATE);
    double off = cycles(&x, 2, ENGINE_ESTIMATE) / cycles(&x, 2, ENGINE_SIMULATE) - 1;
    assert_true(fabs(off) < 0.001);
    finish(&x);
}

/* A plan's keys do not depend on whether its anchors are there yet. */
static void keys_follow_from_the_plan(void **state)
{
    (void)state;
    struct sweep_here x;
    char before[33], after[33];
    struct machine m;
    struct error e = {0};
    begin(&x, HEAD AXES);
    assert_true(plan_machine(&x.plan, 0, &m, &e));
    struct run_key k = runner_key(&x.plan, 0, &m, 0, ENGINE_ESTIMATE);
    run_key_text(&k, before);
    make_anchors(&x);
    k = runner_key(&x.plan, 0, &m, 0, ENGINE_ESTIMATE);
    run_key_text(&k, after);
    assert_string_equal(before, after);
    finish(&x);
    begin(&x, HEAD AXES "anchor = \"none\";\n");
    assert_int_equal(x.plan.n_anchors, 0);
    k = runner_key(&x.plan, 0, &m, 0, ENGINE_ESTIMATE);
    run_key_text(&k, after);
    assert_string_not_equal(before, after);
    finish(&x);
}

/* With a bank that has the anchor, and more runs that would correct further, nothing changes. */
static void a_bank_changes_no_answer(void **state)
{
    (void)state;
    struct sweep_here x;
    struct error e = {0};
    double alone[3];
    const struct bank_versions versions = bank_record_versions();
    struct bank *b = bank_open(NULL, BANK_MEMORY, &versions, &e);
    assert_non_null(b);
    for (int with = 0; with < 3; with++) {
        begin(&x, HEAD AXES);
        x.plan.opts.bank = with ? b : NULL;
        if (with == 1) make_runs(&x, ENGINE_SIMULATE);
        make_anchors(&x);
        make_runs(&x, ENGINE_ESTIMATE);
        for (uint32_t i = 0; i < 3; i++) {
            if (!with) alone[i] = cycles(&x, i, ENGINE_ESTIMATE);
            assert_true(cycles(&x, i, ENGINE_ESTIMATE) == alone[i]);
        }
        finish(&x);
    }
    bank_close(b);
}

/* Nothing corrects what wants no correction, and other engines need none. */
static void others_have_no_anchors(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD AXES "engine = \"simulate\";\n", HEAD AXES "engine = \"auto\";\n",
        HEAD AXES "calibration = \"none\";\n", HEAD AXES "max_instructions = 1000;\n"};
    for (int i = 0; i < 4; i++) {
        struct plan plan;
        plan_text_sound(&plan, texts[i]);
        assert_int_equal(plan.n_anchors, 0);
        plan_fini(&plan);
    }
}

/* A product of 37 million warp instructions can only be simulated whole; one of a million is within
 * the bound. */
#define STALLS "axes = ( { path = \"l2.mshr.entries\"; values = [32, 64]; } );\n"
static void dear_anchors_are_made_on_demand(void **state)
{
    (void)state;
    static const struct {
        const char *anchor;
        uint32_t made, left_out;
    } cases[] = {{"", 1, 1}, {"anchor = 1;\n", 2, 0}, {"anchor = \"none\";\n", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sweep_here x;
        char text[512];
        snprintf(text, sizeof text,
                 "machine = \"h100-sxm\";\nworkloads = ( \"ml/gemm M=1024 N=1024 K=1024\","
                 " \"ml/gemm M=1024 N=1024 K=1024 type=bf16\" );\noutput = \"x.db\";\n" STALLS "%s",
                 cases[i].anchor);
        begin(&x, text);
        assert_int_equal(x.plan.n_anchors, cases[i].made);
        assert_int_equal(x.plan.dear_anchors, cases[i].left_out);
        finish(&x);
    }
}

static void a_wrong_number_of_machines_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"anchor = 0;", "anchor = \"some\";", "anchor = 33;"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        struct plan plan;
        struct errors all = {0};
        snprintf(text, sizeof text, HEAD AXES "%s\n", wrong[i]);
        assert_false(plan_text_load(&plan, text, &all));
        assert_non_null(strstr(all.item[0].text, "anchor: expected"));
        errors_fini(&all);
        plan_fini(&plan);
    }
}

/* Half of the range of a ratio, of each rival, is no more than that of two estimates that have
 * nothing to do with each other. */
static void ratios_tell_points_apart(void **state)
{
    (void)state;
    struct sweep_here x;
    struct summary s;
    struct error e = {0};
    begin(&x, HEAD AXES);
    make_anchors(&x);
    make_runs(&x, ENGINE_ESTIMATE);
    assert_true(summary_make(&s, &x.plan, x.store, &e));
    for (size_t i = 0; i < s.n_rivals; i++) {
        const struct rival *r = &s.rival[i];
        double own = log(s.high[r->point] / s.low[r->point]) / 2,
               best = log(s.high[s.best[0]] / s.low[s.best[0]]) / 2;
        assert_true(r->point != s.best[0] && r->low < 1);
        assert_true(log(r->high / r->low) / 2 <= hypot(own, best) * (1 + 1e-12));
    }
    summary_fini(&s);
    finish(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(the_simulated_machine_is_estimated_as_simulated),
        IN_A_PLACE(keys_follow_from_the_plan),
        IN_A_PLACE(a_bank_changes_no_answer),
        IN_A_PLACE(others_have_no_anchors),
        IN_A_PLACE(dear_anchors_are_made_on_demand),
        IN_A_PLACE(a_wrong_number_of_machines_is_refused),
        IN_A_PLACE(ratios_tell_points_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
