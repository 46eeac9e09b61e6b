/* bank_recall.c - does a simulation that the bank keeps correct later estimates of its program on
 * machines like its own, and no others? */
#include "engine/bank_recall.h"
#include "calibration/constants.h"
#include "engine/bank_record.h"
#include "engine/engine.h"
#include "tests/support/bank_runs.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

static const char TRIAD[] = "generator = \"stream\"; kernel = \"triad\"; ctas = 32; "
                            "warps_per_cta = 4; iterations = 4;",
                  COPY[] = "generator = \"stream\"; kernel = \"copy\"; ctas = 32; "
                           "warps_per_cta = 4; iterations = 4;";
static struct machine rx540, larger;
static struct program *triad, *copy;
static struct bank *bank;

static struct bank *open_bank(const char *path)
{
    const struct bank_versions versions = bank_record_versions();
    struct error e = {0};
    struct bank *b = bank_open(path, BANK_MAKE, &versions, &e);
    if (!b) fail_msg("%s", e.text);
    return b;
}

static struct run_opts options(struct bank *b)
{
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    o.bank = b;
    return o;
}

static void run(enum engine engine, const struct machine *m, const struct program *p,
                const struct calibration *c, struct bank *b, struct answer *a)
{
    const struct run_opts o = options(b);
    struct error e = {0};
    *a = (struct answer){.level = 0};
    if (!engine_run(engine, m, p, c, NULL, &o, a, &e)) fail_msg("%s", e.text);
}

static double cycles_of(enum engine engine, const struct machine *m, const struct program *p)
{
    struct answer a;
    run(engine, m, p, NULL, NULL, &a);
    double cycles = run_value(&a.m, "cycles");
    answer_fini(&a);
    return cycles;
}

/* What the bank and `from` teach about a program on a machine. */
static bool recall(const struct calibration *from, const struct machine *m, const struct program *p,
                   struct calibration *out)
{
    const struct run_opts o = options(bank);
    struct error e = {0};
    bool ready;
    if (!bank_recall(bank, from, NULL, m, &p, 1, &o, out, &ready, &e)) fail_msg("%s", e.text);
    assert_string_equal(bank_trouble(bank), "");
    return ready;
}

/* A bank that has a simulation of triad on rx540. */
static int setup_group(void **state)
{
    const char *set = "l2.bank_kb=512";
    struct answer a;
    if (bank_runs_make_group(state)) return -1;
    rx540 = run_machine("rx540", NULL, 0);
    larger = run_machine("rx540", &set, 1);
    triad = run_program(TRIAD, rx540.sm.warp_width);
    copy = run_program(COPY, rx540.sm.warp_width);
    bank = open_bank(bank_runs_new_file());
    run(ENGINE_SIMULATE, &rx540, triad, NULL, bank, &a);
    answer_fini(&a);
    return 0;
}

static int teardown_group(void **state)
{
    bank_close(bank);
    program_close(triad);
    program_close(copy);
    return folder_remove(state);
}

static void simulations_are_kept(void **state)
{
    struct bank_status s;
    struct error e = {0};
    (void)state;
    assert_true(bank_status(bank, &s, &e));
    assert_int_equal(s.runs, 1);
    assert_int_equal(s.of_engine[ENGINE_SIMULATE], 1);
}

/* By the closed form of one run: the covariance over the run's variance, times its error. */
static void a_run_corrects_what_is_like_it(void **state)
{
    struct calibration c;
    struct answer with, bare;
    struct place here, there;
    double d[PLACE_GROUPS];
    (void)state;
    assert_true(recall(NULL, &larger, triad, &c));
    assert_int_equal(c.n, 1);
    assert_true(c.run[0].banked);
    run(ENGINE_ESTIMATE, &larger, triad, &c, NULL, &with);
    run(ENGINE_ESTIMATE, &larger, triad, NULL, NULL, &bare);
    double error =
        log(cycles_of(ENGINE_SIMULATE, &rx540, triad) / cycles_of(ENGINE_ESTIMATE, &rx540, triad));
    here = c.run[0].place;
    place_of_machine(&there, &larger);
    place_of_estimate(&there, &bare.m, &bare.x);
    place_distance(&here, &there, d);
    double weight = error_kernel_covariance(&c.kernel, d) / error_kernel_variance(&c.kernel);
    assert_true(fabs(error) > 1e-3 && weight > 0.5 && weight < 1);
    assert_near(log(run_value(&with.m, "cycles") / run_value(&bare.m, "cycles")), weight * error,
                1e-6);
    assert_int_equal(with.correction.runs, 1);
    assert_int_equal(with.correction.banked, 1);
    assert_string_equal(with.correction.beyond[0].param, "l2.bank_kb");
    assert_near(with.correction.beyond[0].mine, 512, 1e-6);
    assert_near(with.correction.beyond[0].its, rx540.l2.bank_kb, 1e-6);
    answer_fini(&with);
    answer_fini(&bare);
    calibration_fini(&c);
}

/* The run's own machine gets nearly what was simulated. */
static void its_own_machine_is_nearly_exact(void **state)
{
    struct calibration c;
    struct answer a;
    double simulated = cycles_of(ENGINE_SIMULATE, &rx540, triad),
           estimated = cycles_of(ENGINE_ESTIMATE, &rx540, triad);
    (void)state;
    assert_true(recall(NULL, &rx540, triad, &c));
    run(ENGINE_ESTIMATE, &rx540, triad, &c, NULL, &a);
    assert_true(fabs(log(run_value(&a.m, "cycles") / simulated)) <
                0.05 * fabs(log(estimated / simulated)));
    assert_int_equal(a.correction.apart, 0);
    answer_fini(&a);
    calibration_fini(&c);
}

/* The estimate of the run's machine is made once and stays in the bank; what follows from it is the
 * same. */
static void estimates_are_kept_beside_the_run(void **state)
{
    struct calibration first, again;
    struct bank_status s;
    struct error e = {0};
    (void)state;
    assert_true(recall(NULL, &larger, triad, &first));
    assert_true(bank_status(bank, &s, &e));
    assert_int_equal(s.estimates, 1);
    assert_true(recall(NULL, &larger, triad, &again));
    assert_true(bank_status(bank, &s, &e));
    assert_int_equal(s.estimates, 1);
    assert_int_equal(again.n, 1);
    const uint32_t cycles = metrics_key_index("cycles");
    assert_near(again.run[0].error[cycles], first.run[0].error[cycles], 1e-12);
    assert_memory_equal(&again.run[0].place, &first.run[0].place, sizeof first.run[0].place);
    calibration_fini(&first);
    calibration_fini(&again);
}

/* Exact and sampled profiles are off differently. */
static void estimates_with_exact_profiles_are_others(void **state)
{
    const struct program *const p = triad;
    struct run_opts o = options(bank);
    struct bank_status s;
    struct calibration c;
    struct error e = {0};
    bool ready;
    (void)state;
    o.exact_profile = true;
    assert_true(bank_recall(bank, NULL, NULL, &larger, &p, 1, &o, &c, &ready, &e));
    assert_true(ready);
    assert_true(bank_status(bank, &s, &e));
    assert_int_equal(s.estimates, 2);
    calibration_fini(&c);
}

static void other_programs_are_not_corrected(void **state)
{
    struct calibration c;
    (void)state;
    assert_false(recall(NULL, &rx540, copy, &c));
    assert_int_equal(c.n, 0);
    calibration_fini(&c);
}

/* A preset of another kind, for warps as wide, is too far away. */
static void distant_machines_are_not_corrected(void **state)
{
    const struct machine far = run_machine("mi300x", NULL, 0);
    struct calibration c;
    struct place here, there;
    double d[PLACE_GROUPS];
    (void)state;
    assert_int_equal(far.sm.warp_width, rx540.sm.warp_width);
    place_of_machine(&here, &rx540);
    place_of_machine(&there, &far);
    place_distance(&here, &there, d);
    assert_true(d[PLACE_MACHINE] > SIMILAR_MACHINES);
    assert_false(recall(NULL, &far, triad, &c));
    assert_int_equal(c.n, 0);
    calibration_fini(&c);
}

/* A calibration's runs of the program, and of no other, stand beside those of the bank. */
static void runs_of_calibrations_join_those_of_the_bank(void **state)
{
    struct calibration from, c;
    struct known_run two[2];
    (void)state;
    assert_true(recall(NULL, &larger, triad, &from));
    two[0] = two[1] = from.run[0];
    two[0].banked = false;
    two[0].log_sd = 0.25;
    two[1].program = program_digest(copy);
    calibration_fini(&from);
    from = calibration_bare(NULL);
    from.run = two;
    from.n = 2;
    snprintf(from.machine, sizeof from.machine, "rx540");
    snprintf(from.file, sizeof from.file, "some.cal");
    assert_true(recall(&from, &larger, triad, &c));
    assert_int_equal(c.n, 2);
    assert_int_equal(c.run[0].banked + c.run[1].banked, 1);
    assert_string_equal(c.file, "some.cal");
    struct answer a;
    run(ENGINE_ESTIMATE, &larger, triad, &c, NULL, &a);
    assert_int_equal(a.correction.runs, 2);
    assert_int_equal(a.correction.banked, 1);
    answer_fini(&a);
    calibration_fini(&c);
}

/* Without a bank, and with one that teaches nothing, an answer is the estimate's own. */
static void without_a_run_answers_stay(void **state)
{
    const struct calibration none = calibration_bare(NULL);
    struct answer bare, with, empty;
    struct calibration c;
    double x, y;
    (void)state;
    run(ENGINE_ESTIMATE, &larger, copy, NULL, NULL, &bare);
    run(ENGINE_ESTIMATE, &larger, copy, &none, NULL, &with);
    recall(NULL, &larger, copy, &c);
    run(ENGINE_ESTIMATE, &larger, copy, &c, bank, &empty);
    for (uint32_t i = 0; metrics_key(i); i++) {
        bool has = metrics_at(&bare.m, i, &x);
        assert_true(metrics_at(&with.m, i, &y) == has && (!has || x == y));
        assert_true(metrics_at(&empty.m, i, &y) == has && (!has || x == y));
    }
    assert_int_equal(empty.correction.runs + with.correction.runs, 0);
    calibration_fini(&c);
    answer_fini(&bare);
    answer_fini(&with);
    answer_fini(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_are_kept),
        cmocka_unit_test(a_run_corrects_what_is_like_it),
        cmocka_unit_test(its_own_machine_is_nearly_exact),
        cmocka_unit_test(estimates_are_kept_beside_the_run),
        cmocka_unit_test(estimates_with_exact_profiles_are_others),
        cmocka_unit_test(other_programs_are_not_corrected),
        cmocka_unit_test(distant_machines_are_not_corrected),
        cmocka_unit_test(runs_of_calibrations_join_those_of_the_bank),
        cmocka_unit_test(without_a_run_answers_stay),
    };
    return cmocka_run_group_tests(tests, setup_group, teardown_group);
}
