/* Are engine auto's stated errors those of the points that were drawn, not of those chosen? */
#include "base/io/file.h"
#include "sweeps/auto/auto_error.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>

enum { POINTS = 40, EVEN = 4, CHOSEN = 8 };
static struct plan plan;

/* Points 0 to 3 came up, 4 to 7 were chosen; the others are said to err with `sd`. */
static struct auto_model know(double even, double chosen, double sd)
{
    struct auto_model m;
    struct error e = {0};
    if (!auto_model_new(&m, &plan, 1, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < POINTS; i++) {
        bool known = i < CHOSEN;
        m.even[i] = i < EVEN;
        m.left[i] = !known ? NAN : log1p(i < EVEN ? even : chosen);
        for (uint32_t k = 0; k < 2; k++)
            *prediction_at(&m.predictions, i, 0, k) =
                (struct prediction){.value = 1000,
                                    .log_sd = known ? 0 : sd,
                                    .source = known ? SOURCE_SIMULATE : SOURCE_CALIBRATED};
    }
    if (!auto_doubt(&m, &e)) fail_msg("%s", e.text);
    return m;
}

/* Drawn points err by 4 %, the chosen ones by 1: with four points the mean may be half of itself
 * off, so that 6 % are stated, and the others' intervals grow until they say so. */
static void drawn_points_speak_for_all(void **state)
{
    (void)state;
    struct auto_model m = know(0.04, 0.01, 0.01);
    assert_true(fabs(m.left_out - 0.06) < 1e-12);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = CHOSEN; i < POINTS; i++)
            assert_true(fabs(prediction_at(&m.predictions, i, 0, k)->log_sd * sqrt(2 / M_PI) -
                             0.06) < 1e-12);
    assert_true(prediction_at(&m.predictions, 0, 0, 0)->log_sd == 0); /* simulated: exact */
    auto_model_fini(&m);
}

/* Four points that were lucky make nothing surer. */
static void intervals_are_never_narrowed(void **state)
{
    (void)state;
    struct auto_model m = know(0.001, 0.05, 0.03);
    assert_true(fabs(m.left_out - 0.0015) < 1e-12);
    assert_true(prediction_at(&m.predictions, POINTS - 1, 0, 0)->log_sd == 0.03);
    auto_model_fini(&m);
}

/* Of four drawn points three say something. */
static void failed_points_say_nothing(void **state)
{
    (void)state;
    struct error e = {0};
    struct auto_model m = know(0.04, 0.01, 0.01);
    m.failed[0] = true;
    m.left[0] = NAN;
    if (!auto_doubt(&m, &e)) fail_msg("%s", e.text);
    assert_true(fabs(m.left_out - 0.04 * (1 + 1 / sqrt(3))) < 1e-12);
    auto_model_fini(&m);
}

static int setup(void **state)
{
    struct errors all = {0};
    struct error e;
    if (folder_make(state) != 0) return -1;
    struct outfile *f = outfile_open(in_folder("small.cfg"), &e);
    outfile_printf(f, "generator = \"stream\";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n");
    if (!outfile_commit(f, &e)) return -1;
    f = outfile_open(in_folder("sweep.cfg"), &e);
    outfile_printf(f, "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"
                      "engine = \"auto\";\n"
                      "axes = ( { path = \"l2.latency\"; range = [10, 49]; points = 40; } );\n");
    return outfile_commit(f, &e) && plan_load(&plan, in_folder("sweep.cfg"), NULL, &all) ? 0 : -1;
}

static int teardown(void **state)
{
    plan_fini(&plan);
    return folder_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_points_speak_for_all),
        cmocka_unit_test(intervals_are_never_narrowed),
        cmocka_unit_test(failed_points_say_nothing),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
