/* calibrate.c - are estimates corrected by the closed form of what one run says, are strangers left
 * alone, and does a file keep all that answers depend on? */
#include "calibration/calibrate.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/kept_runs.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = 12, PROGRAMS = 3, PLACES = 40 };
static const struct digest known = {.hi = 7, .lo = 0}, stranger = {.hi = 8};
static struct machine rx540, slower;
static struct range_model ranges;
static struct known_run run[RUNS];
static uint32_t cycles, rate;

/* --- what is asked ---------------------------------------------------------------------------- */

static struct range_table table_of(double base, double doubt)
{
    struct range_table t = {.lo = {0}};
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        t.lo[k] = -64;
        t.hi[k] = 64;
    }
    t.metric[cycles] = (struct range_scale){
        base, {[RANGE_BUSY] = 0.5, [RANGE_DOUBT] = doubt}, {0.5, 0.8, 1, 1.5, 2, 3}, 500};
    t.metric[rate] = (struct range_scale){
        base - 1, {[RANGE_BUSY] = 0.25, [RANGE_DOUBT] = doubt}, {0.5, 0.8, 1, 1.5, 2, 3}, 500};
    return t;
}

static void load(struct machine *m, const char *set)
{
    struct errors all = {0};
    if (!machine_load(m, "rx540", &set, set ? 1 : 0, &all)) fail_msg("%s", all.item[0].text);
}

static int setup_group(void **state)
{
    cycles = metrics_key_index("cycles");
    rate = metrics_key_index("l2.hit_rate");
    load(&rx540, NULL);
    load(&slower, "l2.latency=99");
    ranges = (struct range_model){.kernel = error_kernel_usual(),
                                  .bare = table_of(-1, 0),
                                  .known = table_of(0, 1),
                                  .ratio = table_of(0, 1),
                                  .est_version = EST_MODEL_VERSION,
                                  .sim_version = SIM_MODEL_VERSION};
    return folder_make(state);
}

/* Runs of three programs on rx540 with other latencies; all numbers have few digits. */
static int setup(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RUNS; i++) {
        struct known_run *r = &run[i];
        *r = (struct known_run){.program = {.hi = 7, .lo = i % PROGRAMS},
                                .machine = {.lo = i},
                                .log_sd = 0.03125,
                                .banked = i % 2};
        place_of_machine(&r->place, &rx540);
        uint32_t latency = place_param_index("l2.latency");
        r->place.param[latency] = place_of_number(latency, 20 + 10 * i);
        r->place.estimate = 9 + 0.125 * i;
        for (uint32_t k = 0; k < PLACE_FEATURES; k++)
            r->place.feature[k] = 0.0625 * ((i + k) % 5);
        r->error[cycles] = 0.25 - 0.03125 * i;
        r->error[rate] = 0.0625 * (i % 3) - 0.125;
        r->has[cycles] = r->has[rate] = true;
    }
    return 0;
}

/* A calibration of the first n runs; it borrows them (forget). */
static void know(struct calibration *c, uint32_t n)
{
    struct error e = {0};
    *c = (struct calibration){.run = run,
                              .n = n,
                              .est_version = EST_MODEL_VERSION,
                              .sim_version = SIM_MODEL_VERSION,
                              .machine = "rx540"};
    keep_example_runs(c);
    if (!calibration_prepare(c, &ranges, &e)) fail_msg("%s", e.text);
}

static void forget(struct calibration *c)
{
    c->run = NULL;
    c->kept = NULL;
    calibration_fini(c);
}

/* An answer of so many cycles; its explanation's numbers depend on `busy`. */
static struct calibrated ask(const struct calibration *c, const struct machine *m,
                             const struct digest *program, double estimate, double busy)
{
    struct metrics estimated = {.v = {[M_cycles] = estimate}, .has = {[M_cycles] = true}};
    struct explanation x = {.n = 1, .station = {{.name = "l2", .utilization = busy, .gain = busy}}};
    struct calibrated out;
    calibrate_apply(c, m, program, &estimated, &x, 0.95, &out);
    return out;
}

/* Where that answer lies. */
static struct place place_of(const struct machine *m, double estimate, double busy)
{
    struct place p = {.estimate = log(estimate), .feature = {busy}};
    place_of_machine(&p, m);
    return p;
}

static double covariance(const struct place *a, const struct place *b)
{
    double d[PLACE_GROUPS];
    place_distance(a, b, d);
    return error_kernel_covariance(&ranges.kernel, d);
}

/* --- one run ---------------------------------------------------------------------------------- */

static void one_run_corrects_by_its_closed_form(void **state)
{
    struct calibration c;
    know(&c, 1);
    const struct machine *const machine[] = {&rx540, &slower};
    const double own = error_kernel_variance(&ranges.kernel) + pow(run[0].log_sd, 2);
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        for (double estimate = 1000; estimate < 1e6; estimate *= 3) {
            const struct calibrated a = ask(&c, machine[i], &known, estimate, 0.25);
            const struct place at = place_of(machine[i], estimate, 0.25);
            double k = covariance(&run[0].place, &at),
                   sd = sqrt(error_kernel_variance(&ranges.kernel) - k * k / own),
                   squares = pow(run[0].error[cycles], 2) / own, tail = ranges.kernel.tail;
            double doubt = sd * sqrt((tail - 2 + squares) / (tail - 1));
            assert_near(a.factor, exp(k / own * run[0].error[cycles]), 1e-12);
            assert_int_equal(a.runs, 1);
            assert_int_equal(a.banked, 0);
            assert_string_equal(a.beyond[0].param, "l2.latency");
            double bare = 2 * exp(-1 + 0.5 * 0.25) + fabs(log(a.factor));
            assert_near(a.range, fmin(2 * doubt * exp(0.5 * 0.25), bare), 1e-9);
        }
    forget(&c);
}

static void strangers_are_left_alone(void **state)
{
    struct calibration c, none = calibration_bare(&ranges);
    know(&c, RUNS);
    const struct calibrated a = ask(&c, &rx540, &stranger, 5000, 0.5),
                            part = ask(&c, &rx540, NULL, 5000, 0.5),
                            bare = ask(&none, &rx540, &known, 5000, 0.5);
    (void)state;
    assert_true(a.factor == 1 && part.factor == 1 && bare.factor == 1);
    assert_int_equal(a.runs + part.runs + bare.runs, 0);
    assert_near(bare.range, 2 * exp(-1 + 0.25), 1e-12);
    assert_true(a.range == bare.range && part.range == bare.range);
    assert_int_equal(a.apart, 0);
    forget(&c);
}

static void only_runs_of_the_program_correct_it(void **state)
{
    struct calibration c;
    know(&c, RUNS);
    const struct calibrated before = ask(&c, &rx540, &known, 5000, 0.5);
    (void)state;
    assert_int_equal(before.runs, RUNS / PROGRAMS);
    assert_int_equal(before.banked, RUNS / PROGRAMS / 2);
    for (uint32_t i = 0; i < RUNS; i++)
        if (i % PROGRAMS) run[i].error[cycles] = 9;
    assert_true(ask(&c, &rx540, &known, 5000, 0.5).factor == before.factor);
    forget(&c);
}

/* The same runs give the same digest; other errors, and other runs, another one. */
static void digests_are_of_the_runs(void **state)
{
    struct calibration all, few;
    know(&all, RUNS);
    know(&few, RUNS - PROGRAMS);
    const struct digest was = ask(&all, &rx540, &known, 5000, 0.5).digest;
    (void)state;
    assert_true(digest_equal(was, ask(&all, &slower, &known, 100, 0.1).digest));
    assert_false(digest_equal(was, ask(&few, &rx540, &known, 5000, 0.5).digest));
    run[0].error[cycles] += 1e-9;
    assert_false(digest_equal(was, ask(&all, &rx540, &known, 5000, 0.5).digest));
    forget(&all);
    forget(&few);
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* Wherever an answer lies, its corrected range reaches no farther than that of the estimate. */
static void corrections_are_no_less_sure(void **state)
{
    struct calibration c, none = calibration_bare(&ranges);
    know(&c, RUNS);
    const uint32_t metric[] = {cycles, rate};
    const double level[] = {0.5, 0.8, 0.95, 0.999};
    struct rng r;
    bool some_known_is_narrower = false;
    (void)state;
    rng_seed(&r, 61, 0);
    for (uint32_t i = 0; i < PLACES; i++) {
        double estimate = exp(6 + 12 * rng_unit(&r)), busy = rng_unit(&r);
        const struct machine *m = rng_below(&r, 2) ? &rx540 : &slower;
        const struct calibrated with = ask(&c, m, &known, estimate, busy),
                                without = ask(&none, m, &known, estimate, busy);
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t l = 0; l < 4; l++) {
                double mean, range, zero, bare;
                assert_int_equal(calibrate_metric(&c, &with, metric[k], level[l], &mean, &range),
                                 ERROR_OF_RUNS);
                assert_int_equal(
                    calibrate_metric(&none, &without, metric[k], level[l], &zero, &bare),
                    ERROR_OF_OTHERS);
                assert_true(zero == 0 && range <= bare + fabs(mean) + 1e-12);
                some_known_is_narrower |= range < bare;
            }
    }
    assert_true(some_known_is_narrower);
    forget(&c);
}

static void unknown_metrics_have_no_range(void **state)
{
    struct calibration c;
    know(&c, RUNS);
    const struct calibrated a = ask(&c, &rx540, &known, 5000, 0.5);
    double mean, range;
    (void)state;
    assert_int_equal(calibrate_metric(&c, &a, metrics_key_index("dram.reads"), 0.95, &mean, &range),
                     ERROR_UNKNOWN);
    assert_true(isinf(range) && mean == 0);
    forget(&c);
}

/* --- ratios ----------------------------------------------------------------------------------- */

static void ratios_are_of_two_corrections(void **state)
{
    struct calibration c;
    know(&c, RUNS);
    const struct place a = place_of(&rx540, 5000, 0.5), b = place_of(&slower, 9000, 0.25);
    const double none[RANGE_FEATURES] = {0};
    const struct calibrated_pair ab = {known, &a, &b, none, none}, ba = {known, &b, &a, none, none},
                                 aa = {known, &a, &a, none, none};
    double forth[RANGE_FEATURES], back[RANGE_FEATURES], still[RANGE_FEATURES];
    double by = calibrate_ratio_features(&c, &ab, forth);
    (void)state;
    assert_near(by,
                log(ask(&c, &slower, &known, 9000, 0.25).factor /
                    ask(&c, &rx540, &known, 5000, 0.5).factor),
                1e-12);
    assert_near(calibrate_ratio_features(&c, &ba, back), -by, 1e-12);
    for (uint32_t k = 0; k < RANGE_FEATURES; k++)
        assert_near(forth[k], back[k], 1e-9);
    assert_near(calibrate_ratio_features(&c, &aa, still), 0, 0);
    assert_true(still[RANGE_DOUBT] < forth[RANGE_DOUBT]);
    assert_true(calibrate_ratio(&c, &aa, 0.95) < calibrate_ratio(&c, &ab, 0.95));
    c.ranges = NULL;
    assert_true(isinf(calibrate_ratio(&c, &ab, 0.95)));
    forget(&c);
}

/* --- errors of a run -------------------------------------------------------------------------- */

static void errors_are_in_the_units_of_ranges(void **state)
{
    struct known_run r = {.log_sd = 0};
    double estimated[METRICS_KEYS_MAX], simulated[METRICS_KEYS_MAX];
    const uint32_t reads = metrics_key_index("dram.reads"), all = metrics_key_index("l2.accesses");
    (void)state;
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        estimated[i] = simulated[i] = NAN;
    estimated[cycles] = 1000;
    simulated[cycles] = 1500;
    estimated[rate] = 0.5;
    simulated[rate] = 0.25;
    estimated[all] = 200;
    estimated[reads] = 40;
    simulated[reads] = 60;
    calibrate_errors(&r, estimated, simulated);
    assert_near(r.error[cycles], log(1.5), 1e-12);
    assert_near(r.error[rate], -0.25, 1e-12);
    assert_near(r.error[reads], 0.1, 1e-12); /* of the estimated accesses */
    assert_true(r.has[cycles] && r.has[rate] && r.has[reads]);
    assert_false(r.has[all]); /* not simulated */
    simulated[cycles] = 0;
    calibrate_errors(&r, estimated, simulated);
    assert_false(r.has[cycles]);
}

/* --- files ------------------------------------------------------------------------------------ */

static void same_answers(const struct calibration *a, const struct calibration *b)
{
    for (double estimate = 1000; estimate < 1e6; estimate *= 2) {
        struct calibrated x = ask(a, &slower, &known, estimate, 0.5),
                          y = ask(b, &slower, &known, estimate, 0.5);
        double of_x, of_y, range_x, range_y;
        assert_near(x.factor, y.factor, 1e-8);
        assert_near(x.range, y.range, 1e-8);
        assert_int_equal(x.runs, y.runs);
        assert_string_equal(x.beyond[0].param, y.beyond[0].param);
        assert_true(calibrate_metric(a, &x, rate, 0.9, &of_x, &range_x));
        assert_true(calibrate_metric(b, &y, rate, 0.9, &of_y, &range_y));
        assert_near(of_x, of_y, 1e-8);
        assert_near(range_x, range_y, 1e-8);
    }
}

static void files_keep_the_answers(void **state)
{
    struct calibration c, d;
    know(&c, RUNS);
    struct error e = {0};
    const char *path = in_folder("kept.cal");
    (void)state;
    assert_true(calibration_save(&c, path, &e));
    if (!calibration_load(&d, path, &e)) fail_msg("%s", e.text);
    assert_int_equal(d.n, RUNS);
    if (!calibration_prepare(&d, &ranges, &e)) fail_msg("%s", e.text);
    assert_int_equal(d.programs, PROGRAMS);
    for (uint32_t i = 0; i < RUNS; i++) {
        double apart[PLACE_GROUPS];
        place_distance(&run[i].place, &d.run[i].place, apart);
        for (uint32_t g = 0; g < PLACE_GROUPS; g++)
            assert_near(apart[g], 0, 1e-9);
        assert_true(digest_equal(d.run[i].program, run[i].program));
        assert_true(digest_equal(d.run[i].machine, run[i].machine));
        assert_true(d.run[i].log_sd == run[i].log_sd);
        assert_true(d.run[i].error[cycles] == run[i].error[cycles]);
        assert_true(d.run[i].has[rate]);
    }
    same_answers(&c, &d);
    calibration_fini(&d);
    forget(&c);
}

/* A metric that one run lacks corrects nothing, and is left out. */
static void files_have_what_all_runs_have(void **state)
{
    struct calibration c, d;
    struct error e = {0};
    const char *path = in_folder("part.cal");
    (void)state;
    run[4].has[rate] = false;
    know(&c, RUNS);
    assert_true(calibration_save(&c, path, &e));
    if (!calibration_load(&d, path, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < RUNS; i++)
        assert_true(d.run[i].has[cycles] && !d.run[i].has[rate]);
    calibration_fini(&d);
    forget(&c);
}

/* Saves the example with one word replaced and returns what loading says. */
static const char *broken(const char *from, const char *to)
{
    static struct error e;
    struct calibration c, d;
    know(&c, 2);
    const char *path = in_folder("broken.cal");
    char *text = NULL;
    size_t n = 0;
    e = (struct error){0};
    assert_true(calibration_save(&c, path, &e) && file_read(path, &text, &n, &e));
    forget(&c);
    char *where = strstr(text, from);
    if (!where) fail_msg("no '%s' in the file", from);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(where - text), text, to, where + strlen(from));
    fclose(f);
    mem_free(text);
    if (calibration_load(&d, path, &e)) fail_msg("'%s' is taken", to);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, path);
    assert_null(strchr(e.text, '\n'));
    return e.text;
}

static void broken_lists_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("parameters = [", "parameter = ["), "'parameters' is missing");
    assert_contains(broken("\"l2.latency\"", "\"l2.lateness\""), "names that this plumb knows");
    assert_contains(broken("\"l2.hit_rate\"", "\"l2.hits_rate\""), "names that this plumb knows");
    assert_contains(broken("first = [", "first = [ 1,"), "'first' must be a list of");
    assert_contains(broken("runs = (", "runs = ( 7,"), "is missing");
    assert_contains(broken("metrics = [", "metric = ["), "'metrics' is missing");
}

static void broken_runs_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("digest = \"00", "digest = \"xx"), "32 hexadecimal digits");
    assert_contains(broken("sd = 0.03125", "sd = -1"), "'sd' must be a number from");
    assert_contains(broken("estimate = 9;", "estimate = 900;"), "'estimate' must be a number from");
    assert_contains(broken("changed = [ ]", "changed = [ 100000 ]"), "'to' must be a list of 1");
    assert_contains(broken("changed = [ ]; to = [ ]", "changed = [ 100000 ]; to = [ 1 ]"),
                    "a list of positions in 'parameters'");
    assert_contains(broken("changed = [ ]; to = [ ]", "changed = [ -1 ]; to = [ 1 ]"),
                    "a list of positions in 'parameters'");
    assert_contains(broken("use = [", "use = [ 1,"), "'use' must be a list of");
    assert_contains(broken("errors = [", "errors = [ 1,"), "'errors' must be a list of");
    assert_contains(broken("simulated = [", "simulated = [ 1,"), "'simulated' must be a list of");
}

/* Numbers that no estimate has would make corrections that are no numbers. */
static void huge_numbers_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("use = [ 0,", "use = [ 1e200,"), "'use' must be");
    assert_contains(broken("errors = [ 0.25", "errors = [ 1e300"), "'errors' must be");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_run_corrects_by_its_closed_form, setup),
        cmocka_unit_test_setup(strangers_are_left_alone, setup),
        cmocka_unit_test_setup(only_runs_of_the_program_correct_it, setup),
        cmocka_unit_test_setup(digests_are_of_the_runs, setup),
        cmocka_unit_test_setup(corrections_are_no_less_sure, setup),
        cmocka_unit_test_setup(unknown_metrics_have_no_range, setup),
        cmocka_unit_test_setup(ratios_are_of_two_corrections, setup),
        cmocka_unit_test_setup(errors_are_in_the_units_of_ranges, setup),
        cmocka_unit_test_setup(files_keep_the_answers, setup),
        cmocka_unit_test_setup(files_have_what_all_runs_have, setup),
        cmocka_unit_test_setup(broken_lists_are_refused, setup),
        cmocka_unit_test_setup(broken_runs_are_refused, setup),
        cmocka_unit_test_setup(huge_numbers_are_refused, setup),
    };
    return cmocka_run_group_tests(tests, setup_group, folder_remove);
}
