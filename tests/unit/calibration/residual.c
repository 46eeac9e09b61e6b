/* residual.c - does a calibration learn what depends on parameters and programs, say when
 * it does not know, and come back from its file? */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/calibrate.h"
#include "calibration/residual_crossval.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const LATENCY[] = {"l2.latency=5", "l2.latency=10", "l2.latency=20",
                                      "l2.latency=40"};
static const char *const POLICY[] = {"l2.replacement=lru", "l2.replacement=fifo"};
static const char *const MSHR[] = {"l2.mshr.entries=0", "l2.mshr.entries=32"};
enum { MACHINES = 16, PROGRAMS = 3, N = MACHINES * PROGRAMS };
static const char *const PATHS[] = {"l2.latency", "l2.replacement", "l2.mshr.entries",
                                    "l1.latency"};
static struct machine machine[MACHINES];
static struct residual_point point[N];
static char path[64];

static struct machine load(const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    assert_true(machine_load(&m, "rx540", sets, n, &all));
    return m;
}

/* What the estimate is wrong by: more with latency, other for FIFO, without bound and by program.
 */
static double truth(uint32_t machine_i, uint32_t program)
{
    double y = 0.05 * (machine_i % 4) + 0.1 * program;
    if (machine_i / 4 % 2) y -= 0.08;
    return machine_i / 8 ? y : y + 0.06;
}

static int setup(void **state)
{
    (void)state;
    snprintf(path, sizeof(path), "/tmp/plumb-residual-%d.cal", (int)getpid());
    for (uint32_t i = 0; i < MACHINES; i++) {
        const char *sets[] = {LATENCY[i % 4], POLICY[i / 4 % 2], MSHR[i / 8]};
        machine[i] = load(sets, 3);
        for (uint32_t p = 0; p < PROGRAMS; p++)
            point[i * PROGRAMS + p] = (struct residual_point){.machine = &machine[i],
                                                              .program = {.hi = 1, .lo = p},
                                                              .own = i == 0,
                                                              .estimate = 10 + 0.1 * (i % 4),
                                                              .y = truth(i, p),
                                                              .sd = 0.005};
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static struct residual learned(double *left_out)
{
    struct residual r;
    struct error e = {0};
    assert_true(residual_fit(&r, PATHS, 4, point, N, left_out, &e));
    return r;
}

static struct residual_value at(const struct residual *r, const struct machine *m,
                                const struct digest *program)
{
    static const double feature[RESIDUAL_FEATURES];
    struct residual_value v;
    struct error e = {0};
    assert_true(residual_predict(r, m, program, feature, 10, &v, &e));
    return v;
}

static void learns_and_validates(void **state)
{
    (void)state;
    double left_out[N], worst = 0;
    struct residual r = learned(left_out);
    assert_int_equal(r.axes, 3); /* l1.latency does not vary */
    assert_int_equal(residual_columns(&r), 1 + 2 + 2);
    assert_int_equal(r.programs, PROGRAMS);
    for (uint32_t i = 0; i < N; i++)
        worst = fmax(worst, fabs(left_out[i]));
    assert_true(worst < 0.03);
    residual_fini(&r);
}

/* A point between the trained ones, and the same machine for a program nobody has seen. */
static void doubts_grow_with_distance(void **state)
{
    (void)state;
    double left_out[N];
    struct residual r = learned(left_out);
    const char *between[] = {"l2.latency=14", POLICY[0], MSHR[1]};
    const char *beyond[] = {"l2.latency=100", POLICY[0], MSHR[1]};
    const char *other[] = {LATENCY[0], "l2.replacement=random", MSHR[1]};
    const struct digest known = {.hi = 1, .lo = 1}, unknown = {.hi = 2};
    struct machine m = load(between, 3);
    struct residual_value near = at(&r, &m, &known);
    assert_null(near.outside);
    assert_false(near.stranger);
    assert_near(near.mean, 0.1 + 0.05 * 1.5, 0.03);
    assert_true(at(&r, &m, &unknown).stranger);
    m = load(beyond, 3);
    struct residual_value far = at(&r, &m, &known);
    assert_string_equal(far.outside, "l2.latency");
    m = load(other, 3);
    assert_string_equal(at(&r, &m, &known).outside, "l2.replacement");
    residual_fini(&r);
}

static struct calibration example(void)
{
    double left_out[N];
    struct calibration c = {.est_version = 1, .sim_version = 1, .machine = "rx540"};
    c.residual = learned(left_out);
    return c;
}

static void comes_back(void **state)
{
    (void)state;
    struct calibration c = example(), d;
    struct error e = {0};
    assert_true(calibration_save(&c, path, &e));
    if (!calibration_load(&d, path, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < N; i++) {
        struct residual_value a = at(&c.residual, point[i].machine, &point[i].program),
                              b = at(&d.residual, point[i].machine, &point[i].program);
        assert_near(a.mean, b.mean, 1e-5);
        assert_near(a.sd, b.sd, 1e-5);
        assert_true(a.use == b.use && a.own == b.own);
    }
    calibration_fini(&c);
    calibration_fini(&d);
}

static const char *broken(const char *from, const char *to)
{
    static struct error e;
    struct calibration c = example(), d;
    char *text = NULL;
    size_t n = 0;
    assert_true(calibration_save(&c, path, &e) && file_read(path, &text, &n, &e));
    calibration_fini(&c);
    char *where = strstr(text, from);
    assert_non_null(where);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(where - text), text, to, where + strlen(from));
    fclose(f);
    mem_free(text);
    e = (struct error){0};
    assert_false(calibration_load(&d, path, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    return e.text;
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("zero = false", "zero = 3"), "this axis");
    assert_contains(broken("zero = false; }", "}"), "this axis");
    assert_contains(broken("    programs = (", "    p = ("), "'programs'");
    assert_contains(broken("    noise = ", "    noise = -"), "'noise'");
    assert_contains(broken("amplitude = ", "amplitude = -1"), "'kernel'");
    assert_contains(broken("lengths = [ ", "lengths = [ 1.0, "), "'kernel'");
    assert_contains(broken("load = ", "load = -"), "this program");
    assert_contains(broken("spread = ", "s = "), "this program");
    assert_contains(broken("use = \"process\"", "use = \"luck\""), "this program");
    assert_contains(broken("stretch = ", "stretch = -"), "'stretch'");
    assert_contains(broken("        ( 0, ", "        ( 99, "), "this point");
    assert_contains(broken("        ( 0, ", "        ( 0, 1.0, "), "this point");
}

/* Even where all programs err alike, a program that was not trained is not corrected. */
static void strangers_are_not_corrected(void **state)
{
    (void)state;
    struct residual_point alike[N];
    struct error e = {0};
    double left_out[N];
    struct residual r;
    memcpy(alike, point, sizeof alike);
    for (uint32_t i = 0; i < N; i++)
        alike[i].y = 0.2 * (i / PROGRAMS % 4) - 0.3;
    assert_true(residual_fit(&r, PATHS, 4, alike, N, left_out, &e));
    struct residual_value v = at(&r, &machine[0], &(struct digest){.hi = 2});
    assert_true(v.stranger && v.mean == 0 && v.use == RESIDUAL_NOTHING);
    residual_fini(&r);
}

/* A process that puts machines in an order worse than the estimates' is not used, though it errs
 * less: the estimates rise with the latency as the truth does, but for an error that alternates. */
static void order_decides_before_error(void **state)
{
    (void)state;
    enum { POINTS = 4 };
    const double correction[POINTS] = {0.4, -0.4, 0.4, -0.4};
    struct residual_point at_latency[POINTS];
    struct gp_data d = {.n = POINTS, .group = (const int32_t[POINTS]){0}};
    double room[2 * POINTS];
    for (uint32_t i = 0; i < POINTS; i++)
        at_latency[i] = (struct residual_point){.estimate = 10 + 0.1 * i};
    /* six pairs: all in order before; after, the three from a raised point to a lowered one later
     * are not, which may be chance. */
    struct residual_order o = {.before = {0}};
    residual_order_add(&o, at_latency, &d, 0, correction, room);
    assert_near(residual_order_lost(&o), 1 - 0 - 2 * sqrt(3) * 2 / 6, 1e-12);
    /* Ten programs that all lose three are not. */
    for (int i = 1; i < 10; i++)
        residual_order_add(&o, at_latency, &d, 0, correction, room);
    assert_near(residual_order_lost(&o), 1 - 0 - 2 * sqrt(30) * 2 / 60, 1e-12);
    assert_true(residual_order_lost(&o) > 0.5);
}

/* A file may name what this machine does not have: the answer says so and is a number all the same,
 * whatever lay where the row is put. */
static void unknown_parameters_are_outside(void **state)
{
    (void)state;
    double left_out[N];
    struct residual r = learned(left_out);
    snprintf(r.axis[0].path, sizeof(r.axis[0].path), "l2.no_such_thing");
    struct residual_value a = at(&r, &machine[0], &point[0].program);
    assert_string_equal(a.outside, "l2.no_such_thing");
    assert_near(a.mean, truth(0, 0), 0.5);
    residual_fini(&r);
}

/* Program 0 follows the latency, program 1 is off by a constant and noise that no parameter
 * explains: the process is asked about the first alone, the second has its mean. */
static void a_constant_is_kept_where_nothing_else_helps(void **state)
{
    (void)state;
    static const double noise[MACHINES] = {.03,  -.04, .02,  .05,  -.05, .01, -.02, .04,
                                           -.03, .05,  -.01, -.05, .02,  .04, -.04, .0};
    struct residual_point at[2 * MACHINES];
    double left_out[2 * MACHINES];
    struct residual r;
    struct residual_value v;
    struct error e = {0};
    for (uint32_t i = 0; i < MACHINES; i++) {
        at[2 * i] = point[i * PROGRAMS];
        at[2 * i + 1] = point[i * PROGRAMS + 1];
        at[2 * i].y = 0.1 * (i % 4);
        at[2 * i + 1].y = 0.2 + noise[(7 * i) % MACHINES];
    }
    assert_true(residual_fit(&r, PATHS, 4, at, 2 * MACHINES, left_out, &e));
    assert_int_equal(r.program[0].use, RESIDUAL_PROCESS);
    assert_int_equal(r.program[1].use, RESIDUAL_LEVEL);
    assert_near(r.program[1].level, 0.2, 0.01);
    assert_true(r.program[1].level_sd > 0.02 && r.program[1].level_sd < 0.06);
    assert_true(residual_predict(&r, at[1].machine, &at[1].program, at[1].feature, 10, &v, &e));
    assert_true(v.mean == r.program[1].level && v.sd == r.program[1].level_sd);
    /* What is left out is what is used leaves: here the mean of the others, drawn a little to 0. */
    double squares = 0;
    for (uint32_t i = 0; i < MACHINES; i++)
        squares += left_out[2 * i + 1] * left_out[2 * i + 1];
    assert_near(sqrt(squares / MACHINES), r.program[1].level_sd, 1e-9);
    assert_near(left_out[1], at[1].y - 0.2, 0.01);
    residual_fini(&r);
}

/* What the folds say of a point does not change with what was seen there, and does with others. */
static void folds_have_not_seen_the_point(void **state)
{
    (void)state;
    enum { POINTS = 24 };
    double x[POINTS], y[POINTS], sd[POINTS] = {0};
    int32_t group[POINTS];
    struct gp_value before[POINTS], after[POINTS];
    struct error e = {0};
    struct gp_kernel k = {.terms = 1,
                          .noise = 0.05,
                          .amplitude_sd = 1,
                          .length_sd = 1,
                          .noise_sd = 1,
                          .term = {{GP_MATERN, 0, 1, false, false, false, 0.3, 0.5}}};
    for (uint32_t i = 0; i < POINTS; i++) {
        x[i] = (double)(i * 7 % POINTS) / POINTS;
        y[i] = sin(4 * x[i]);
        group[i] = (int32_t)(i % 2);
    }
    const struct gp_data d = {.n = POINTS, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    assert_true(gp_kernel_start(&k) && residual_fold(&d, &k, before, &e));
    y[5] += 3;
    assert_true(residual_fold(&d, &k, after, &e));
    assert_true(after[5].mean == before[5].mean && after[5].sd == before[5].sd);
    assert_true(after[4].mean == before[4].mean); /* of the same fold */
    assert_true(fabs(before[5].mean - sin(4 * x[5])) < 0.1);
    assert_true(fabs(after[6].mean - before[6].mean) > 1e-6);
    const struct gp_data few = {.n = 15, .width = 1, .x = x, .group = group, .y = y, .sd = sd};
    assert_true(residual_fold(&few, &k, after, &e) && after[0].sd < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_and_validates),
        cmocka_unit_test(doubts_grow_with_distance),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(unknown_parameters_are_outside),
        cmocka_unit_test(strangers_are_not_corrected),
        cmocka_unit_test(order_decides_before_error),
        cmocka_unit_test(a_constant_is_kept_where_nothing_else_helps),
        cmocka_unit_test(folds_have_not_seen_the_point),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
