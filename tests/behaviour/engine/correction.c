/* correction.c - an estimate of the very machine that a run was made on is that run, even where the
 * estimate's traffic needs more time than the run took; what a run is said to leave of the range is
 * what it leaves. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank.h"
#include "calibration/calibration_set.h"
#include "engine/engine.h"
#include "tests/support/run.h"

#include <math.h>

#define STREAM(ctas)                                                                               \
    "generator = \"stream\"; kernel = \"copy\"; warps_per_cta = 8; iterations = 64; ctas = " #ctas \
    ";"
static const double SHORTER = 0.7, LESS_BUSY = 0.9, PROMISED_WITHIN = 1.5, MEDIAN = 0.5,
                    LEVEL = 0.95;

struct bed {
    struct machine m;
    struct program *p;
    struct calibration_set set;
    struct run_opts o;
    double simulated[METRICS_KEYS_MAX]; /* of the run that is learned from */
};

static void bed_init(struct bed *b, const char *program, bool exact)
{
    const struct machine *const one = &b->m;
    struct error e = {0};
    b->m = run_machine("rx540", NULL, 0);
    b->p = run_program(program, b->m.sm.warp_width);
    run_opts_default(&b->o);
    b->o.no_cache = true;
    b->o.exact_profile = exact;
    if (!calibration_set_open(&b->set, NULL, &one, 1, &e)) fail_msg("%s", e.text);
    assert_non_null(b->set.ranges);
}

static void bed_fini(struct bed *b)
{
    calibration_set_close(&b->set);
    program_close(b->p);
}

static struct answer *estimate_of(const struct bed *b, const struct calibration *c)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct error e = {0};
    assert_non_null(a);
    if (!engine_run(ENGINE_ESTIMATE, &b->m, b->p, c, NULL, &b->o, a, &e)) fail_msg("%s", e.text);
    return a;
}

static void drop(struct answer *a)
{
    answer_fini(a);
    mem_free(a);
}

/* The estimate after a run with that share of the estimate's time, and less traffic than that. */
static struct answer *after_a_run(struct bed *b, double share)
{
    static const char *const less[] = {"cycles", "time_us", "dram.reads", "dram.busy"};
    struct known_run run = {.program = program_digest(b->p), .machine = machine_digest(&b->m)};
    struct calibration c = calibration_bare(b->set.ranges);
    struct error e = {0};
    struct answer *bare = estimate_of(b, NULL);
    bank_values(&bare->m, b->simulated);
    for (size_t i = 0; i < sizeof less / sizeof *less; i++)
        b->simulated[metrics_key_index(less[i])] *= share;
    b->simulated[metrics_key_index("dram.utilization")] *= LESS_BUSY;
    calibrate_know(&run, &b->m, &bare->m, &bare->x, b->simulated);
    drop(bare);
    c.run = &run;
    c.n = 1;
    if (!calibration_prepare(&c, b->set.ranges, &e)) fail_msg("%s", e.text);
    struct answer *a = estimate_of(b, &c);
    c.run = NULL;
    c.n = 0;
    calibration_fini(&c);
    return a;
}

static void need_within_range(const struct bed *b, const struct answer *a, const char *key)
{
    const uint32_t i = metrics_key_index(key);
    assert_true(a->ranges.has[i]);
    if (b->simulated[i] < a->ranges.low[i] || b->simulated[i] > a->ranges.high[i])
        fail_msg("%s: %g simulated, estimated %g to %g", key, b->simulated[i], a->ranges.low[i],
                 a->ranges.high[i]);
}

static void its_own_run_lies_in_the_range(void **state)
{
    struct bed b;
    (void)state;
    bed_init(&b, STREAM(64), false);
    struct answer *bare = estimate_of(&b, NULL);
    const double busy = run_value(&bare->m, "dram.utilization"), share = SHORTER * busy;
    assert_true(busy > 0.1);
    struct answer *a = after_a_run(&b, share);
    assert_near(run_value(&a->m, "cycles") / run_value(&bare->m, "cycles"), share, 0.02);
    assert_near(run_value(&a->m, "time_us") / run_value(&bare->m, "time_us"), share, 0.02);
    assert_true(run_value(&a->m, "dram.utilization") <= 1);
    need_within_range(&b, a, "cycles");
    need_within_range(&b, a, "dram.reads");
    need_within_range(&b, a, "dram.utilization");
    drop(bare);
    drop(a);
    bed_fini(&b);
}

/* Of a run from which the estimate is off as usual. */
static void need_promise(bool exact)
{
    struct bed b;
    bed_init(&b, STREAM(400), exact);
    const struct calibration none = calibration_bare(b.set.ranges);
    b.o.confidence = MEDIAN;
    struct answer *usual = estimate_of(&b, &none);
    b.o.confidence = LEVEL;
    struct answer *before = estimate_of(&b, &none),
                  *after = after_a_run(&b, exp(-asinh(usual->half_width)));
    assert_string_equal(before->profile, exact ? "exact" : "sampled");
    double promised = before->correction.half_width_with_run, kept = after->half_width;
    if (!(promised < kept * PROMISED_WITHIN && promised > kept / PROMISED_WITHIN))
        fail_msg("%s: a run is said to leave %g, and leaves %g", before->profile, promised, kept);
    drop(usual);
    drop(before);
    drop(after);
    bed_fini(&b);
}

static void a_run_narrows_as_was_promised(void **state)
{
    (void)state;
    need_promise(true);
    need_promise(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_own_run_lies_in_the_range),
                                       cmocka_unit_test(a_run_narrows_as_was_promised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
