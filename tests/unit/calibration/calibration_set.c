/* calibration_set.c - does each machine get the calibration that is made for it, of those that come
 * with plumb or are named, and does an estimate say how far it may be off? */
#include "calibration/calibration_set.h"
#include "base/io/file.h"
#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/kept_runs.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const LATENCY[] = {"l2.latency=10", "l2.latency=5", "l2.latency=20",
                                      "l2.latency=40"};
static const char *const MSHR[] = {"l2.mshr.entries=0", "l2.mshr.entries=32"};
enum { MACHINES = 8, PROGRAMS = 3, POINTS = MACHINES * PROGRAMS };
static struct machine trained[MACHINES];
static struct known_run run[POINTS];
static struct range_model ranges;
static struct calibration rx540; /* of these runs */
static const struct digest known = {.hi = 1, .lo = 1}, stranger = {.hi = 2};

/* --- the folder of configurations --- */

static struct machine load_machine(const char *spec, const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, spec, sets, n, &all)) fail_msg("%s", all.item[0].text);
    return m;
}

static void make_runs(void)
{
    const uint32_t cycles = metrics_key_index("cycles");
    for (uint32_t i = 0; i < MACHINES; i++) {
        trained[i] = load_machine("rx540", (const char *[]){LATENCY[i % 4], MSHR[i / 4]}, 2);
        for (uint32_t p = 0; p < PROGRAMS; p++) {
            struct known_run *r = &run[i * PROGRAMS + p];
            *r = (struct known_run){.machine = machine_digest(&trained[i]),
                                    .program = {.hi = 1, .lo = p},
                                    .log_sd = 0.005};
            place_of_machine(&r->place, &trained[i]);
            r->place.estimate = 10 + 0.1 * (i % 4);
            r->error[cycles] = 0.05 * (i % 4) + 0.1 * p;
            r->has[cycles] = true;
        }
    }
    rx540 = (struct calibration){.run = run, .n = POINTS};
    keep_example_runs(&rx540);
}

static struct range_table table_of(const struct range_scale *cycles)
{
    struct range_table t = {.hi = {1, 1, 1, 1, 1}};
    for (uint32_t k = RANGE_ANSWER_FEATURES; k < RANGE_FEATURES; k++) {
        t.lo[k] = -32;
        t.hi[k] = 32;
    }
    t.metric[metrics_key_index("cycles")] = *cycles;
    return t;
}

/* Known programs: so many times the standard deviation that their runs leave. */
static void put_ranges(int est_version)
{
    static const struct range_scale bare = {
        1, {0.5, -0.25, 0, 2, 0}, {0.5, 1, 1.25, 2, 2.5, 4}, 500};
    static const struct range_scale known_ones = {
        0, {[RANGE_DOUBT] = 1}, {0.5, 1, 1.5, 1.75, 3, 5}, 500};
    struct error e = {0};
    ranges = (struct range_model){.kernel = error_kernel_usual(),
                                  .bare = table_of(&bare),
                                  .known = table_of(&known_ones),
                                  .ratio = table_of(&known_ones),
                                  .est_version = est_version,
                                  .sim_version = SIM_MODEL_VERSION};
    if (!range_model_save(&ranges, in_folder("calibrations/ranges.cfg"), &e))
        fail_msg("%s", e.text);
}

static void put_calibration(int est_version)
{
    struct error e = {0};
    rx540.est_version = est_version;
    rx540.sim_version = SIM_MODEL_VERSION;
    snprintf(rx540.machine, sizeof rx540.machine, "rx540");
    if (!calibration_save(&rx540, in_folder("calibrations/rx540.cal"), &e)) fail_msg("%s", e.text);
}

static int learn_calibration(void **state)
{
    struct error e = {0};
    if (folder_make(state) != 0 || !file_make_dirs(in_folder("calibrations"), &e)) return -1;
    make_runs();
    folder_text("mine.cfg", "base = \"rx540\";\nl1 : { latency = 7; };\n");
    folder_text("alone.cfg", "l1 : { latency = 7; };\n");
    setenv("PLUMB_CONFIG_PATH", folder_path, 1);
    return 0;
}

static int forget_calibration(void **state)
{
    unsetenv("PLUMB_CONFIG_PATH");
    return folder_remove(state);
}

static int put_files(void **state)
{
    (void)state;
    put_ranges(EST_MODEL_VERSION);
    put_calibration(EST_MODEL_VERSION);
    return 0;
}

static void open_set(struct calibration_set *s, const char *file, const struct machine *m)
{
    struct error e = {0};
    if (!calibration_set_open(s, file, &m, 1, &e)) fail_msg("%s", e.text);
}

/* --- which one corrects --- */

static void presets_have_their_own(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    open_set(&s, NULL, &m);
    const struct calibration *c = calibration_set_for(&s, &m);
    assert_string_equal(c->machine, "rx540");
    assert_string_equal(c->file, "calibrations/rx540.cal"); /* as users know it */
    assert_int_equal(c->n, POINTS);
    assert_int_equal(c->programs, PROGRAMS);
    assert_true(c->ranges == s.ranges);
    assert_memory_equal(c->ranges, &ranges, sizeof ranges);
    assert_string_equal(c->base->name, "rx540");
    assert_null(machine_difference(c->base, &m, NULL, NULL));
    assert_string_equal(s.missing, "");
    calibration_set_close(&s);
}

static void files_on_a_preset_have_its_own(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine(in_folder("mine.cfg"), NULL, 0);
    (void)state;
    assert_string_equal(m.name, "mine");
    assert_string_equal(m.preset, "rx540");
    open_set(&s, NULL, &m);
    assert_string_equal(calibration_set_for(&s, &m)->machine, "rx540");
    calibration_set_close(&s);
}

/* ... even if its name is that of another preset, which has one, too. */
static void a_borrowed_name_changes_nothing(void **state)
{
    struct calibration_set s;
    (void)state;
    folder_text("gtx480.cfg", "base = \"rx540\";\nl1 : { latency = 7; };\n");
    const struct machine m = load_machine(in_folder("gtx480.cfg"), NULL, 0);
    assert_string_equal(m.name, "gtx480");
    assert_string_equal(m.preset, "rx540");
    open_set(&s, NULL, &m);
    assert_int_equal(s.n, 1);
    assert_string_equal(calibration_set_for(&s, &m)->machine, "rx540");
    calibration_set_close(&s);
    unlink(in_folder("gtx480.cfg"));
}

/* Machines that differ in name alone may be corrected by different files: what is stored of them is
 * told apart by this. */
static void digests_are_of_what_corrects(void **state)
{
    struct calibration_set s;
    struct error e = {0};
    const struct machine alone = load_machine(in_folder("alone.cfg"), NULL, 0),
                         preset = load_machine("rx540", NULL, 0), *both[] = {&alone, &preset};
    (void)state;
    assert_true(calibration_set_open(&s, NULL, both, 2, &e));
    struct digest bare = calibration_set_digest(&s, &alone);
    assert_true(digest_equal(bare, s.digest));
    assert_false(digest_equal(bare, calibration_set_digest(&s, &preset)));
    assert_true(digest_equal(calibration_set_digest(&s, &preset), calibration_set_whole(&s)));
    calibration_set_close(&s);
}

static void others_have_none(void **state)
{
    struct calibration_set s;
    struct error e = {0};
    const struct machine alone = load_machine(in_folder("alone.cfg"), NULL, 0),
                         preset = load_machine("rx540", NULL, 0),
                         *all[] = {&alone, &preset, &preset};
    (void)state;
    assert_true(calibration_set_open(&s, NULL, all, 3, &e));
    assert_int_equal(s.n, 1); /* once for both that it serves */
    const struct calibration *c = calibration_set_for(&s, &alone);
    assert_true(c == &s.bare && c->n == 0 && c->ranges == s.ranges);
    assert_string_equal(calibration_set_for(&s, &preset)->machine, "rx540");
    calibration_set_close(&s);
}

static void none_leaves_the_ranges(void **state)
{
    struct calibration_set s, with;
    const struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    open_set(&with, NULL, &m);
    open_set(&s, "none", &m);
    assert_int_equal(s.n, 0);
    assert_true(calibration_set_for(&s, &m) == &s.bare);
    assert_true(s.bare.ranges == s.ranges && s.ranges != NULL);
    assert_string_equal(s.missing, "");
    assert_false(digest_equal(s.digest, (struct digest){0}));
    assert_false(digest_equal(calibration_set_digest(&s, &m), calibration_set_digest(&with, &m)));
    calibration_set_close(&s);
    calibration_set_close(&with);
}

static void other_versions_are_left_out(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    put_calibration(EST_MODEL_VERSION - 1);
    open_set(&s, NULL, &m);
    assert_int_equal(s.n, 0);
    assert_true(calibration_set_for(&s, &m) == &s.bare);
    assert_contains(s.missing, "calibrations/rx540.cal is of other versions");
    calibration_set_close(&s);
}

/* --- a named one --- */

static void named_ones_are_used(void **state)
{
    struct calibration_set s;
    char file[512];
    const struct machine m = load_machine(in_folder("mine.cfg"), NULL, 0);
    (void)state;
    snprintf(file, sizeof file, "%s", in_folder("calibrations/rx540.cal"));
    open_set(&s, file, &m);
    const struct calibration *c = calibration_set_for(&s, &m);
    assert_true(c == &s.of[0].c && c->ranges == s.ranges);
    assert_string_equal(c->file, file);
    calibration_set_close(&s);
}

static void check_refused(const char *file, const struct machine *m, const char *why)
{
    struct calibration_set s;
    struct error e = {0};
    const struct machine *both[] = {&trained[0], m};
    assert_false(calibration_set_open(&s, file, both, 2, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, file);
    assert_contains(e.text, why);
    calibration_set_close(&s);
}

/* A user's file must fit; it is not left out silently. */
static void named_ones_must_fit(void **state)
{
    const struct machine alone = load_machine(in_folder("alone.cfg"), NULL, 0);
    (void)state;
    check_refused(in_folder("calibrations/rx540.cal"), &alone, "made for rx540, not for alone");
    check_refused(in_folder("calibrations/no.cal"), &trained[0], "");
    put_calibration(EST_MODEL_VERSION - 1);
    check_refused(in_folder("calibrations/rx540.cal"), &trained[0], "'plumb calibrate --renew'");
}

/* --- what it says of an estimate --- */

static double normal_at(double level)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

static double doubt;      /* the explanation's, of the channels */
static const char *named; /* a parameter under its not_modelled; NULL: none */

static struct calibrated ask_about(const struct calibration *c, const struct machine *m,
                                   const struct digest *program, double cycles, double level)
{
    static struct metrics estimated;
    static struct explanation x;
    struct calibrated out;
    x.channels_doubt = doubt;
    x.not_modelled[0] = named;
    x.no_term[0] = true;
    x.n_not_modelled = named ? 1 : 0;
    estimated.v[M_cycles] = cycles;
    estimated.has[M_cycles] = true;
    calibrate_apply(c, m, program, &estimated, &x, level, &out);
    return out;
}

/* The standard deviation that the runs of the known program leave of its error there. */
static double deviation(const struct calibration *c, const struct machine *m, double cycles)
{
    const struct known_run *of[MACHINES];
    struct posterior p;
    struct posterior_view v;
    struct place at = {.estimate = log(cycles)};
    struct error e = {0};
    for (uint32_t i = 0; i < MACHINES; i++)
        of[i] = &run[i * PROGRAMS + known.lo];
    place_of_machine(&at, m);
    assert_true(posterior_make(&p, &c->kernel, of, MACHINES, &e));
    posterior_look(&p, &at, &v);
    double sd = sqrt(v.variance) * posterior_stretch(&p, metrics_key_index("cycles"), 1);
    posterior_fini(&p);
    return sd;
}

/* The machine itself with that override, for `factor` times the cycles of the machine itself.
 * beyond: the parameter in which no run's machine is like it; NULL: one is. */
static double range_there(const char *set, const char *beyond, double factor)
{
    struct calibration_set s;
    const struct machine m = load_machine("rx540", &set, set ? 1 : 0);
    double cycles = factor * exp(10);
    open_set(&s, NULL, &m);
    const struct calibration *c = calibration_set_for(&s, &m);
    struct calibrated a = ask_about(c, &m, &known, cycles, 0.8);
    assert_int_equal(a.runs, MACHINES);
    assert_int_equal(a.banked, 0);
    if (beyond)
        assert_string_equal(a.beyond[0].param, beyond);
    else
        assert_int_equal(a.apart, 0);
    assert_near(a.range, 1.5 * deviation(c, &m, cycles), 1e-6);
    /* of a normal distribution with the same range at 95 % */
    assert_near(a.log_sd, ask_about(c, &m, &known, cycles, 0.95).range / normal_at(0.95), 1e-12);
    calibration_set_close(&s);
    return a.range;
}

static void what_was_run_is_surest(void **state)
{
    (void)state;
    double itself = range_there(LATENCY[0], NULL, 1);
    assert_true(range_there("l1.latency=7", "l1.latency", 1) > itself);
    assert_true(range_there("l1.latency=7", "l1.latency", 1.5) > itself);
    assert_true(range_there(LATENCY[0], NULL, 1.5) > itself);
}

/* The farther from all runs, the less is known. */
static void values_outside_widen(void **state)
{
    static const char *const farther[] = {"l2.latency=60", "l2.latency=100", "l2.latency=1000"};
    double before = range_there(LATENCY[3], NULL, exp(0.3));
    (void)state;
    for (size_t i = 0; i < sizeof farther / sizeof *farther; i++) {
        double now = range_there(farther[i], "l2.latency", exp(0.3));
        assert_true(now > before);
        before = now;
    }
}

/* An estimate whose samples show little of the memory is less sure, of whatever program. */
static void doubtful_channels_widen(void **state)
{
    struct calibration_set s;
    const struct digest *const programs[] = {&known, NULL};
    (void)state;
    open_set(&s, NULL, &trained[0]);
    const struct calibration *c = calibration_set_for(&s, &trained[0]);
    for (size_t i = 0; i < 2; i++) {
        double sure = ask_about(c, &trained[0], programs[i], exp(10), 0.8).range;
        doubt = 0.25;
        double wide = ask_about(c, &trained[0], programs[i], exp(10), 0.8).range;
        doubt = 0;
        assert_near(wide, hypot(sure, 0.25 * normal_at(0.8)), 1e-9);
        assert_true(wide > sure);
    }
    calibration_set_close(&s);
}

/* However far the machine is from what was trained, the range stays within what is said of the
 * estimate that the calibration corrects. */
static void corrections_are_no_less_sure_than_estimates(void **state)
{
    struct calibration_set s;
    struct errors all = {0};
    const char *far[] = {"l2.latency=1000"};
    struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    open_set(&s, NULL, &m);
    const struct calibration *c = calibration_set_for(&s, &m);
    assert_true(machine_set(&m, far, 1, &all));
    struct calibrated a = ask_about(c, &m, &known, exp(40), 0.95);
    assert_true(a.range <= 2.5 * exp(1) + fabs(log(a.factor)) + 1e-9);
    assert_true(a.range <=
                ask_about(&s.bare, &m, &known, exp(40), 0.95).range + fabs(log(a.factor)) + 1e-9);
    calibration_set_close(&s);
}

/* A file's machine counts as changed just as an override does. */
static void files_differ_from_their_preset(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine(in_folder("mine.cfg"), NULL, 0);
    (void)state;
    open_set(&s, NULL, &m);
    struct calibrated a = ask_about(calibration_set_for(&s, &m), &m, &known, exp(10), 0.95);
    assert_string_equal(a.beyond[0].param, "l1.latency");
    assert_near(a.beyond[0].mine, 7, 1e-9);
    assert_near(a.beyond[0].its, trained[0].l1.latency, 1e-9);
    calibration_set_close(&s);
}

/* A calibration leaves a program that was not trained as it is. */
static void strangers_are_answered_bare(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    open_set(&s, NULL, &m);
    const struct calibration *c = calibration_set_for(&s, &m);
    struct calibrated bare = ask_about(&s.bare, &m, &known, exp(10), 0.95),
                      a = ask_about(c, &m, &stranger, exp(10), 0.95),
                      part = ask_about(c, &m, NULL, exp(10), 0.95);
    assert_true(bare.runs == 0 && a.runs == 0 && part.runs == 0);
    assert_true(bare.factor == 1 && !bare.apart);
    assert_near(bare.range, 2.5 * exp(1), 1e-9);
    assert_near(bare.log_sd, bare.range / normal_at(0.95), 1e-12);
    assert_true(a.factor == 1 && !a.apart);
    assert_near(a.range, bare.range, 1e-12);
    assert_near(part.range, a.range, 1e-12);
    calibration_set_close(&s);
}

/* --- no ranges --- */

static void check_no_term(const char *path, const char *set, struct range_model *seen,
                          const char *no_term)
{
    const struct digest *const programs[] = {&known, &stranger, NULL};
    struct calibration_set s;
    const struct machine m = load_machine("rx540", &set, 1);
    open_set(&s, NULL, &m);
    struct calibration c = *calibration_set_for(&s, &m);
    if (seen) c.ranges = seen;
    for (size_t i = 0; i < 3; i++) {
        named = path;
        struct calibrated a = ask_about(&c, &m, programs[i], exp(10), 0.95);
        named = NULL;
        assert_true(no_term ? a.no_term && strcmp(a.no_term, no_term) == 0 : !a.no_term);
        assert_true(isinf(a.range) == (no_term != NULL));
        assert_true(isfinite(a.log_sd)); /* what plans reckon with stays */
    }
    calibration_set_close(&s);
}

/* What the estimate has no term for makes no range known, whoever asks, unless the machine has
 * that value itself or the ranges were learned from machines that had it. */
static void parameters_without_a_term_have_no_range(void **state)
{
    struct range_model wide = ranges;
    const struct explanation x = {
        .not_modelled = {"dram.timing.tRTP"}, .no_term = {true}, .n_not_modelled = 1};
    const struct machine far = load_machine("rx540", (const char *[]){"dram.timing.tRTP=9000"}, 1),
                         own = load_machine("rx540", NULL, 0);
    (void)state;
    check_no_term("dram.timing.tRTP", "l2.latency=5", NULL, NULL);
    check_no_term("dram.timing.tRTP", "dram.timing.tRTP=5000", NULL, "dram.timing.tRTP");
    check_no_term("l1.latency", "dram.timing.tRTP=5000", NULL, NULL); /* has a term, here */
    check_no_term("noc.topology", "noc.topology=mesh", NULL, "noc.topology");
    range_model_see(&wide, &own, &x);
    range_model_see(&wide, &far, &x);
    check_no_term("dram.timing.tRTP", "dram.timing.tRTP=5000", &wide, NULL);
    check_no_term("dram.timing.tRTP", "dram.timing.tRTP=9001", &wide, "dram.timing.tRTP");
}

static void missing_ranges_are_explained(void **state)
{
    struct calibration_set s;
    const struct machine m = load_machine("rx540", NULL, 0);
    (void)state;
    put_ranges(EST_MODEL_VERSION - 1);
    open_set(&s, NULL, &m);
    assert_null(s.ranges);
    assert_contains(s.missing, "calibrations/ranges.cfg is of other versions of the models");
    const struct calibration *c = calibration_set_for(&s, &m);
    assert_true(isinf(ask_about(c, &m, &stranger, exp(10), 0.95).range));
    assert_true(isinf(ask_about(&s.bare, &m, &known, exp(10), 0.95).range));
    struct calibrated a = ask_about(c, &m, &known, exp(10), 0.95);
    assert_true(isinf(a.range) && a.runs == MACHINES && a.factor > 1);
    calibration_set_close(&s);
}

static void broken_ranges_are_an_error(void **state)
{
    struct calibration_set s;
    struct error e = {0};
    const struct machine *m = &trained[0];
    (void)state;
    folder_text("calibrations/ranges.cfg", "plumb_ranges = 3;\n");
    assert_false(calibration_set_open(&s, NULL, &m, 1, &e));
    assert_contains(e.text, in_folder("calibrations/ranges.cfg"));
    calibration_set_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(presets_have_their_own, put_files),
        cmocka_unit_test_setup(files_on_a_preset_have_its_own, put_files),
        cmocka_unit_test_setup(a_borrowed_name_changes_nothing, put_files),
        cmocka_unit_test_setup(digests_are_of_what_corrects, put_files),
        cmocka_unit_test_setup(others_have_none, put_files),
        cmocka_unit_test_setup(none_leaves_the_ranges, put_files),
        cmocka_unit_test_setup(other_versions_are_left_out, put_files),
        cmocka_unit_test_setup(named_ones_are_used, put_files),
        cmocka_unit_test_setup(named_ones_must_fit, put_files),
        cmocka_unit_test_setup(what_was_run_is_surest, put_files),
        cmocka_unit_test_setup(values_outside_widen, put_files),
        cmocka_unit_test_setup(doubtful_channels_widen, put_files),
        cmocka_unit_test_setup(corrections_are_no_less_sure_than_estimates, put_files),
        cmocka_unit_test_setup(files_differ_from_their_preset, put_files),
        cmocka_unit_test_setup(strangers_are_answered_bare, put_files),
        cmocka_unit_test_setup(parameters_without_a_term_have_no_range, put_files),
        cmocka_unit_test_setup(missing_ranges_are_explained, put_files),
        cmocka_unit_test_setup(broken_ranges_are_an_error, put_files),
    };
    return cmocka_run_group_tests(tests, learn_calibration, forget_calibration);
}
