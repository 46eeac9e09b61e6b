/* More runs of one program than a correction takes: each is predicted from others, and none counts
 * as known exactly. */
#include "calibration/calibrate.h"
#include "sampler/strata/est_params.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = POSTERIOR_RUNS_MAX + 12 };
static struct machine machine[RUNS];
static struct cal_point point[RUNS];

static void every_run_is_left_out(void **state)
{
    (void)state;
    static double left[RUNS];
    struct error e = {0};
    struct calibration c;
    struct program *p = run_program(
        "generator = \"stream\"; kernel = \"copy\"; ctas = 8; warps_per_cta = 2; iterations = 2;",
        64);
    for (uint32_t i = 0; i < RUNS; i++) {
        char set[32];
        const char *sets[] = {set};
        snprintf(set, sizeof set, "l2.mshr.entries=%u", 64 + i);
        machine[i] = run_machine("rx540", sets, 1);
    }
    struct profile_view view = est_view_of(&machine[0]);
    struct profile *f = profile_get(p, &view, PROFILE_SAMPLED, 1, false, NULL, &e);
    assert_non_null(f);
    for (uint32_t i = 0; i < RUNS; i++) /* every second one takes three times as long */
        point[i] = (struct cal_point){.profile = f,
                                      .params = est_params_of(&machine[i]),
                                      .machine = &machine[i],
                                      .program = program_digest(p),
                                      .cycles = i % 2 ? 3000 : 1000,
                                      .log_sd = 0.01};
    if (!calibrate_fit(point, RUNS, NULL, &c, left, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < RUNS; i++)
        assert_true(fabs(left[i]) > 0.2);
    calibration_fini(&c);
    profile_free(f);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_run_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
