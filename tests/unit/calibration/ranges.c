/* ranges.c - are the ranges of estimates those of their closed forms, and do they come back from
 * their file?  How they are learned: range_fit.c. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/range_model.h"
#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static double normal_at(double level)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

enum { LAST = RANGE_MOVED_USE };

/* All its numbers have few digits, so that a file keeps them exactly. */
static struct range_model few_digits(void)
{
    static const struct range_scale cycles = {
        -2, {0.5, -0.25, 0, 2, 0, 1, -0.5, 0.125, -1, 0}, {0.5, 1, 1.25, 2, 2.5, 4}, 500};
    struct range_model r = {.kernel = error_kernel_usual(),
                            .bare = {.lo = {0, 0.25, 0, -1, 0.5, -8, -4, -4, 0, 0.75},
                                     /* the last did not vary */
                                     .hi = {1, 1.25, 1, 1, 1, 0, 1, 1, 4, 0.75}},
                            .seen = {{"dram.timing.tRTP", 3, 4096}, {"noc.topology", 1, 1}},
                            .n_seen = 2,
                            .est_version = EST_MODEL_VERSION,
                            .sim_version = SIM_MODEL_VERSION};
    r.bare.metric[metrics_key_index("cycles")] = cycles;
    r.bare.metric[metrics_key_index("l2.hit_rate")] =
        (struct range_scale){-3, {1, 0, -1, 0, 0.75, 0, 0, 0, 0, 2}, {0, 0, 0.5, 0.5, 1, 8}, 60};
    r.known = r.ratio = r.bare;
    r.known.lo[RANGE_BUSY] = 0.125;
    r.ratio.metric[metrics_key_index("cycles")].base = -4;
    return r;
}

/* Features that lie within what was learned. */
static const double middle[RANGE_FEATURES] = {0.5, 0.5, 0.5, 0, 0.5, -1, 0, 0, 1, 0.75};

/* --- quantiles --- */

static void quantiles_are_exact_at_their_levels(void **state)
{
    const double quantile[RANGE_LEVELS] = {0.5, 1, 1.25, 2, 2.5, 4};
    (void)state;
    assert_near(range_quantile(quantile, 0), 0, 1e-12);
    for (uint32_t i = 0; i < RANGE_LEVELS; i++)
        assert_near(range_quantile(quantile, range_levels[i]), quantile[i], 1e-12);
}

static void quantiles_rise_between_their_levels(void **state)
{
    const double quantile[RANGE_LEVELS] = {0.5, 1, 1.25, 2, 2.5, 4};
    double before = -1;
    (void)state;
    for (double level = 0; level < 0.9999; level += 0.003) {
        double now = range_quantile(quantile, level);
        assert_true(now > before);
        before = now;
    }
}

/* Those of a normal distribution are met everywhere: between the levels and beyond the last. */
static void quantiles_follow_the_normal_distribution(void **state)
{
    double quantile[RANGE_LEVELS], last = normal_at(0.99);
    (void)state;
    for (uint32_t i = 0; i < RANGE_LEVELS; i++)
        quantile[i] = 3 * normal_at(range_levels[i]);
    for (double level = 0.01; level < 1; level += 0.01)
        assert_near(range_quantile(quantile, level), 3 * normal_at(level), 1e-9);
    quantile[RANGE_LEVELS - 1] = 20; /* a longer tail than a normal one */
    assert_near(range_quantile(quantile, 0.999), 20 * normal_at(0.999) / last, 1e-9);
    assert_near(range_quantile(quantile, 0.97),
                3 * normal_at(0.95) + (20 - 3 * normal_at(0.95)) *
                                          (normal_at(0.97) - normal_at(0.95)) /
                                          (last - normal_at(0.95)),
                1e-9);
}

/* --- errors and the values that lie so far off --- */

static uint32_t of(const char *key)
{
    return metrics_key_index(key);
}

static void check_around(const char *key, double unit, double value, double error, double low,
                         double high)
{
    double found_low, found_high, back;
    range_around(of(key), unit, value, error, &found_low, &found_high);
    assert_near(found_low, low, 1e-12 * (1 + low));
    assert_near(found_high, high, 1e-12 * (1 + high));
    assert_true(range_error(of(key), unit, high, value, &back));
    assert_near(back, error, 1e-12);
    assert_true(range_error(of(key), unit, low, value, &back));
    assert_near(back, -error, 1e-12);
}

static void errors_and_values_are_inverse(void **state)
{
    (void)state;
    check_around("cycles", 1, 100, 0.3, 100 * exp(-0.3), 100 * exp(0.3));
    check_around("cycles", 1, 100, 0, 100, 100);
    check_around("l2.hits", 400, 100, 0.2, 20, 180); /* a fifth of the accesses more or less */
    check_around("l2.hit_rate", 1, 0.5, 0.2, 0.3, 0.7);
}

static void units_are_what_a_metric_is_part_of(void **state)
{
    (void)state;
    static const struct {
        const char *key, *unit; /* "": differences as they are; NULL: factors */
    } is[] = {{"cycles", NULL},
              {"l2.accesses", NULL},
              {"latency.load_mean", NULL},
              {"l1.hit_rate", ""},
              {"l1.hits", "l1.accesses"},
              {"l2.writebacks", "l2.accesses"},
              {"dram.reads", "l2.accesses"},
              {"l2.miss_latency.memory", "latency.load_mean"},
              {"dram.energy_mj.read", "energy_mj.dram"}};
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        const char *unit = is[i].unit;
        uint32_t wanted = !unit ? RANGE_FACTOR : unit[0] ? of(unit) : RANGE_RATE;
        assert_int_equal(range_unit(of(is[i].key)), wanted);
    }
}

static void values_stay_possible(void **state)
{
    double low, high;
    (void)state;
    range_around(of("l2.hits"), 400, 10, 0.2, &low, &high);
    assert_near(low, 0, 0);
    assert_near(high, 90, 1e-12);
    range_around(of("l2.hit_rate"), 1, 0.9, 0.2, &low, &high);
    assert_near(low, 0.7, 1e-12);
    assert_near(high, 1, 0);
    range_around(of("l2.hit_rate"), 1, 0.1, 0.2, &low, &high);
    assert_near(low, 0, 0);
    assert_near(high, 0.3, 1e-12);
}

static void impossible_values_have_no_errors(void **state)
{
    double error;
    (void)state;
    assert_false(range_error(of("cycles"), 1, 0, 5, &error));
    assert_false(range_error(of("cycles"), 1, 5, 0, &error));
    assert_false(range_error(of("cycles"), 1, 5, NAN, &error));
    assert_false(range_error(of("cycles"), 1, -5, -5, &error));
    assert_false(range_error(of("l2.hits"), 0, 3, 5, &error)); /* part of nothing */
    assert_true(range_error(of("l2.hits"), 10, 0, 0, &error) && error == 0);
    assert_true(range_error(of("l2.hit_rate"), 1, 0, 1, &error) && error == -1);
}

/* --- scales --- */

static void scales_are_exponentials_of_the_features(void **state)
{
    const struct range_model r = few_digits();
    const uint32_t cycles = metrics_key_index("cycles");
    const double inside[RANGE_FEATURES] = {0.5, 1.25, 0.125, -0.5, 0.5, -2, 1, -4, 3, 0.75};
    (void)state;
    assert_near(range_scale_at(&r.bare, cycles, inside),
                exp(-2 + 0.25 - 0.3125 - 1 - 2 - 0.5 - 0.5 - 3), 1e-12);
    assert_near(range_of_case(&r.bare, cycles, inside, 0.9),
                2 * range_scale_at(&r.bare, cycles, inside), 1e-12);
}

/* Whether a feature makes errors larger, or smaller, or does not matter. */
static void scales_widen_beyond_what_was_learned(void **state)
{
    const struct range_model r = few_digits();
    const uint32_t cycles = metrics_key_index("cycles");
    (void)state;
    for (uint32_t k = 0; k < LAST; k++)
        for (int up = 0; up < 2; up++) {
            double f[RANGE_FEATURES], end = up ? r.bare.hi[k] : r.bare.lo[k];
            double span = r.bare.hi[k] - r.bare.lo[k], nearest, before;
            memcpy(f, middle, sizeof f);
            f[k] = end;
            nearest = before = range_scale_at(&r.bare, cycles, f);
            for (double off = 0.25; off < 5; off *= 2) {
                f[k] = end + (up ? off : -off);
                double now = range_scale_at(&r.bare, cycles, f);
                assert_true(now > before);
                assert_near(now / nearest, 1 + off / (span + off), 1e-12);
                before = now;
            }
        }
}

static void scales_never_shrink_where_nothing_was_learned(void **state)
{
    const struct range_model r = few_digits();
    const uint32_t rate = metrics_key_index("l2.hit_rate");
    double above[RANGE_FEATURES], below[RANGE_FEATURES];
    double at = range_scale_at(&r.bare, rate, middle);
    (void)state;
    memcpy(above, middle, sizeof above);
    memcpy(below, middle, sizeof below);
    above[LAST] = 9;
    below[LAST] = -9;
    assert_true(range_scale_at(&r.bare, rate, above) >= at);
    assert_true(range_scale_at(&r.bare, rate, below) >= at);
    assert_true(isfinite(range_scale_at(&r.bare, rate, above)));
}

static void unknown_metrics_have_no_range(void **state)
{
    const struct range_model r = few_digits();
    (void)state;
    assert_true(isinf(range_of_case(&r.bare, metrics_key_index("dram.reads"), middle, 0.95)));
}

/* --- parameters without a term --- */

static void see(struct range_model *r, const struct explanation *x, const char *set)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, "rx540", &set, 1, &all)) fail_msg("%s", all.item[0].text);
    range_model_see(r, &m, x);
}

/* Numbers that cases had span what lies between; choices do not.  What is not named has a term. */
static void values_of_cases_are_seen(void **state)
{
    struct range_model r = {0};
    const struct explanation x = {
        .not_modelled = {"dram.timing.tRTP", "l2.write_ack", "cpu.cache_kb"},
        .no_term = {true, true, true},
        .n_not_modelled = 3};
    (void)state;
    see(&r, &x, "dram.timing.tRTP=4000");
    see(&r, &x, "dram.timing.tRTP=9000");
    assert_true(range_model_saw(&r, "dram.timing.tRTP", 4000));
    assert_true(range_model_saw(&r, "dram.timing.tRTP", 6000));
    assert_false(range_model_saw(&r, "dram.timing.tRTP", 3999));
    assert_false(range_model_saw(&r, "dram.timing.tRTP", 9001));
    assert_true(range_model_saw(&r, "l2.write_ack", 0));
    assert_false(range_model_saw(&r, "l2.write_ack", 1));
    assert_true(range_model_saw(&r, "cpu.agents", 0)); /* a part of what cpu.cache_kb chooses */
    assert_false(range_model_saw(&r, "l1.latency", 32));
}

/* --- the file --- */

static void comes_back(void **state)
{
    struct range_model was = few_digits(), is;
    struct error e = {0};
    (void)state;
    assert_true(range_model_save(&was, in_folder("ranges.cfg"), &e));
    if (!range_model_load(&is, in_folder("ranges.cfg"), &e)) fail_msg("%s", e.text);
    assert_memory_equal(&was, &is, sizeof was);
}

/* Saves the example with one word replaced and returns what loading says. */
static const char *broken(const char *from, const char *to)
{
    static struct error e;
    struct range_model r = few_digits();
    const char *path = in_folder("broken.cfg");
    char *text = NULL;
    size_t n = 0;
    e = (struct error){0};
    assert_true(range_model_save(&r, path, &e) && file_read(path, &text, &n, &e));
    char *where = strstr(text, from);
    if (!where) fail_msg("no '%s' in the file", from);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(where - text), text, to, where + strlen(from));
    fclose(f);
    mem_free(text);
    if (range_model_load(&r, path, &e)) fail_msg("'%s' is taken", to);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, path);
    return e.text;
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("plumb_ranges = 2", "plumb_ranges = 1"),
                    ":3: 'plumb_ranges' must be 2, the known format");
    assert_contains(broken("plumb_ranges = 2;", ""), "'plumb_ranges' is missing");
    assert_contains(broken("cycle_model", "cycles_model"), "'cycle_model' is missing");
    assert_contains(broken("0.95, 0.99", "0.96, 0.99"), ":6: 'levels' must be those of this plumb");
    assert_contains(broken("0.95, 0.99", "0.95"), "'levels' must be a list of 6 numbers");
    assert_contains(broken("on_chip = ", "off_chip = "), "'on_chip' is missing");
    assert_contains(broken("[ 0.25, 1.25 ]", "[ 0.25 ]"), "'on_chip' must be a list of 2 numbers");
    assert_contains(broken("[ 0.25, 1.25 ]", "[ 1.25, 0.25 ]"), "the smaller first");
    assert_contains(broken("ratio = {", "rate = {"), "'ratio' is missing");
    assert_contains(broken("bare = {", "bar = {"), "'bare' is missing");
    assert_contains(broken("known = {", "unknown = {"), "'known' is missing");
    assert_contains(broken("metrics = (", "metric = ("), "'metrics' is missing");
}

static void broken_metrics_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("\"cycles\"", "\"cycle\""),
                    "'name' must be a metric that 'plumb metrics' lists");
    assert_contains(broken("cases = 500", "cases = -1"), "'cases' must be a whole number");
    assert_contains(broken("base = -2", "base = \"low\""), "'base' must be a number");
    assert_contains(broken("weights = [ 0.5,", "weights = ["),
                    "'weights' must be a list of 10 numbers");
    assert_contains(broken("2, 2.5, 4 ]", "2.5, 2, 4 ]"), "numbers that rise from 0 or more");
    assert_contains(broken("[ 0.5, 1, 1.25", "[ -0.5, 1, 1.25"), "numbers that rise from 0");
    assert_contains(broken("[ 0.5, 1, 1.25,", "[ 0.5, 1,"),
                    "'quantiles' must be a list of 6 numbers");
}

static void broken_kernels_are_refused(void **state)
{
    (void)state;
    assert_contains(broken("kernel = {", "colonel = {"), "'kernel' is missing");
    assert_contains(broken("offset = ", "offset = -"), "'offset' must be a number from");
    assert_contains(broken("tail = 3", "tail = 2"), "'tail' must be a number from");
    assert_contains(broken("noc = [", "nic = ["), "'noc' is missing");
    assert_contains(broken("noc = [ ", "noc = [ -"), "an amplitude up to 100 and a length");
    assert_contains(broken("noc = [ 0.05, 1 ]", "noc = [ 0.05, 0 ]"), "a length of 1e-6 or more");
    /* squares of distances in it would be no numbers */
    assert_contains(broken("noc = [ 0.05, 1 ]", "noc = [ 0.05, 1e-300 ]"), "a length of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_exact_at_their_levels),
        cmocka_unit_test(quantiles_rise_between_their_levels),
        cmocka_unit_test(quantiles_follow_the_normal_distribution),
        cmocka_unit_test(errors_and_values_are_inverse),
        cmocka_unit_test(values_stay_possible),
        cmocka_unit_test(units_are_what_a_metric_is_part_of),
        cmocka_unit_test(impossible_values_have_no_errors),
        cmocka_unit_test(scales_are_exponentials_of_the_features),
        cmocka_unit_test(scales_widen_beyond_what_was_learned),
        cmocka_unit_test(scales_never_shrink_where_nothing_was_learned),
        cmocka_unit_test(unknown_metrics_have_no_range),
        cmocka_unit_test(values_of_cases_are_seen),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(broken_metrics_are_refused),
        cmocka_unit_test(broken_kernels_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
