/* calibration.c - do calibration files come back as they were, and are wrong ones refused
 * with a reason? */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/calibrate.h"
#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static int setup(void **state)
{
    (void)state;
    snprintf(path, sizeof(path), "/tmp/plumb-calibration-%d.cal", (int)getpid());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static struct calibration example(void)
{
    struct calibration c = {.raw_error = 0.31,
                            .cv_error = 0.07,
                            .cv_worst = 0.21,
                            .est_version = EST_MODEL_VERSION,
                            .sim_version = SIM_MODEL_VERSION,
                            .machine = "rx540",
                            .training = {.hi = 0x0123456789abcdef, .lo = 42}};
    return c;
}

static void comes_back(void **state)
{
    (void)state;
    struct calibration c = example(), d;
    struct error e = {0};
    assert_true(calibration_save(&c, path, &e));
    assert_true(calibration_load(&d, path, &e));
    assert_true(d.raw_error == c.raw_error && d.cv_error == c.cv_error);
    assert_true(d.cv_worst == c.cv_worst);
    assert_int_equal(d.n, 0);
    assert_int_equal(d.est_version, c.est_version);
    assert_int_equal(d.sim_version, c.sim_version);
    assert_string_equal(d.machine, c.machine);
    assert_true(digest_equal(d.training, c.training));
}

/* Saves the example with one word replaced and returns what loading says. */
static const char *broken(const char *from, const char *to)
{
    static struct error e;
    struct calibration c = example();
    char *text;
    size_t n;
    assert_true(calibration_save(&c, path, &e));
    assert_true(file_read(path, &text, &n, &e));
    char *at = strstr(text, from);
    assert_non_null(at);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(f);
    mem_free(text);
    e = (struct error){0};
    assert_false(calibration_load(&c, path, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    return e.text;
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("plumb_calibration = 6", "plumb_calibration = 4"),
                    "'plumb_calibration' must be 6, the known format: calibrate again");
    assert_contains(broken("plumb_calibration = 6;", ""), "is this a calibration?");
    assert_contains(broken("raw = 0", "raw = -3"), "a number from 0 to 100");
    assert_contains(broken("training = \"01", "training = \"xy"), "32 hexadecimal digits");
    assert_contains(broken("machine = \"rx540\"", "machine = 540"), "'machine' must be a text");
    assert_contains(broken("error = {", "error = {{"), path);
    const char *why = broken("cycle_model = ", "cycle_model = 0.5; other = ");
    assert_contains(why, path);
    assert_contains(why, ":5:");
}

static void other_machines_are_refused(void **state)
{
    (void)state;
    struct calibration c = example();
    struct machine m;
    struct error e = {0};
    machine_defaults(&m);
    snprintf(m.name, sizeof(m.name), "rx540");
    assert_true(calibration_fits(&c, &m, &e));
    snprintf(m.name, sizeof(m.name), "qv100");
    assert_false(calibration_fits(&c, &m, &e));
    assert_contains(e.text, "made for rx540, not for qv100");
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    struct machine m;
    struct error e = {0};
    machine_defaults(&m);
    snprintf(m.name, sizeof(m.name), "rx540");
    struct calibration c = example();
    c.est_version++;
    assert_false(calibration_fits(&c, &m, &e));
    assert_contains(e.text, "'plumb calibrate --renew'");
    c = example();
    c.sim_version++;
    assert_false(calibration_fits(&c, &m, &e));
    assert_contains(e.text, "calibrate again");
}

static void too_few_points_are_refused(void **state)
{
    (void)state;
    struct calibration c;
    struct error e = {0};
    const struct cal_point two[2] = {{.cycles = 1}, {.cycles = 1}};
    assert_false(calibrate_fit(two, 2, NULL, &c, NULL, &e));
    assert_contains(e.text, "at least 3");
}

/* A write that fails leaves the old file. */
static void saving_is_atomic(void **state)
{
    (void)state;
    struct calibration c = example(), d;
    struct error e = {0};
    assert_true(calibration_save(&c, path, &e));
    c.cv_error = 99;
    shim_fail_after(SHIM_RENAME, 1);
    assert_false(calibration_save(&c, path, &e));
    shim_fail_after(SHIM_RENAME, 0);
    assert_true(calibration_load(&d, path, &e));
    assert_near(d.cv_error, 0.07, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(other_machines_are_refused),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(too_few_points_are_refused),
        cmocka_unit_test(saving_is_atomic),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
