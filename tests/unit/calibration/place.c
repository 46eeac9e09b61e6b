/* place.c - are distances of places those that one counts by hand, and does a place hold what a
 * machine and an estimate say? */
#include "calibration/place.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <math.h>
#include <stdio.h>

static struct machine rx540;
static struct place at_home;

static int load_home(void **state)
{
    struct errors all = {0};
    (void)state;
    if (!machine_load(&rx540, "rx540", NULL, 0, &all)) return -1;
    place_of_machine(&at_home, &rx540);
    return 0;
}

/* The place of the preset with n overrides. */
static struct place place_with(const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    struct place p = {.estimate = 0};
    if (!machine_load(&m, "rx540", sets, n, &all)) fail_msg("%s", all.item[0].text);
    place_of_machine(&p, &m);
    return p;
}

static double number_of(const char *path)
{
    double v;
    assert_true(machine_get_number(&rx540, path, &v));
    return v;
}

/* --- parameters --- */

static void each_parameter_has_one_name(void **state)
{
    uint32_t n = place_params();
    (void)state;
    assert_true(n > 100 && n <= PLACE_PARAMS_MAX);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(place_param_index(place_param_name(i)), i);
    assert_null(place_param_name(n));
    assert_int_equal(place_param_index("l2.nonsense"), UINT32_MAX);
}

static void texts_and_energies_take_no_part(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < place_params(); i++)
        assert_true(strncmp(place_param_name(i), "energy.", 7) != 0);
    assert_int_equal(place_param_index("name"), UINT32_MAX);
}

/* Moves each parameter alone: it changes one group below PLACE_MACHINE, and that one. */
static void each_parameter_is_in_one_group(void **state)
{
    double d[PLACE_GROUPS];
    (void)state;
    for (uint32_t i = 0; i < place_params(); i++) {
        struct place moved = at_home;
        uint32_t groups = 0;
        moved.param[i] += 0.75;
        place_distance(&at_home, &moved, d);
        for (uint32_t g = 0; g < PLACE_MACHINE; g++) {
            groups += d[g] > 0;
            if (d[g] > 0) assert_near(d[g], g == PLACE_CHOICE ? 1 : 0.75, 1e-12);
            if (d[g] > 0) assert_near(d[PLACE_MACHINE], d[g], 1e-12);
        }
        assert_int_equal(groups, 1);
        assert_true(d[PLACE_USE] == 0 && d[PLACE_TIME] == 0);
    }
}

static void check_group(const char *set, enum place_group group)
{
    double d[PLACE_GROUPS];
    const struct place p = place_with(&set, 1);
    place_distance(&at_home, &p, d);
    for (uint32_t g = 0; g < PLACE_MACHINE; g++)
        if ((d[g] > 0) != (g == group)) fail_msg("%s: %s %g", set, place_group_name[g], d[g]);
}

static void groups_are_of_what_acts_alike(void **state)
{
    (void)state;
    check_group("sm.count=2", PLACE_SM);
    check_group("clock.core_mhz=700", PLACE_SM);
    check_group("l1.kb=64", PLACE_L1_SIZE);
    check_group("l1.latency=9", PLACE_L1_TIME);
    check_group("l1.mshr.entries=7", PLACE_L1_MSHR);
    check_group("l2.mshr.entries=7", PLACE_L2_MSHR);
    check_group("l2.bank_kb=512", PLACE_L2_SIZE);
    check_group("l2.latency=99", PLACE_L2_TIME);
    check_group("noc.latency=99", PLACE_NOC);
    check_group("dram.clock_mhz=900", PLACE_DRAM_CLOCK);
    check_group("dram.channels=2", PLACE_DRAM_WIDTH);
    check_group("dram.timing.tRTP=9000", PLACE_DRAM_ORDER);
    check_group("noc.topology=mesh", PLACE_CHOICE);
}

static void values_and_places_are_inverse(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < place_params(); i++)
        for (double v = 0; v < 1e6; v = 3 * v + 1)
            assert_near(place_value(i, place_of_number(i, v)), v, 1e-9 * (1 + v));
}

static void places_hold_the_values_of_machines(void **state)
{
    static const char *const paths[] = {"sm.count", "l2.bank_kb", "dram.clock_mhz", "l1.latency"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        uint32_t k = place_param_index(paths[i]);
        assert_near(at_home.param[k], log1p(number_of(paths[i])), 1e-12);
        assert_near(place_value(k, at_home.param[k]), number_of(paths[i]), 1e-9);
    }
}

/* --- distances --- */

static void distances_are_counted_by_hand(void **state)
{
    const char *const sets[] = {"l2.latency=99", "l2.ports=7", "l1.latency=9", "noc.topology=mesh"};
    const struct place p = place_with(sets, 4);
    double d[PLACE_GROUPS];
    double latency = log(100 / (1 + number_of("l2.latency"))),
           ports = log(8 / (1 + number_of("l2.ports"))),
           l1 = log(10 / (1 + number_of("l1.latency")));
    (void)state;
    place_distance(&at_home, &p, d);
    assert_near(d[PLACE_L2_TIME], hypot(latency, ports), 1e-12);
    assert_near(d[PLACE_L1_TIME], fabs(l1), 1e-12);
    assert_near(d[PLACE_CHOICE], 1, 1e-12);
    assert_near(d[PLACE_MACHINE], sqrt(latency * latency + ports * ports + l1 * l1 + 1), 1e-12);
    assert_near(d[PLACE_NOC] + d[PLACE_SM] + d[PLACE_DRAM_CLOCK], 0, 0);
}

/* Sets a place's use and time to numbers that depend on `salt`. */
static void move_use(struct place *p, double salt)
{
    for (uint32_t i = 0; i < PLACE_FEATURES; i++)
        p->feature[i] = sin(salt * (i + 1));
    p->estimate = 5 * salt;
}

static void distances_are_metrics(void **state)
{
    const char *const one[] = {"sm.count=3", "l2.latency=40"}, *const other[] = {
                                                                   "l2.latency=60",
                                                                   "dram.clock_mhz=900",
                                                                   "noc.topology=mesh"};
    struct place place[3] = {at_home, place_with(one, 2), place_with(other, 3)};
    double d[3][3][PLACE_GROUPS];
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        move_use(&place[i], 1 + 0.3 * i * i);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            place_distance(&place[i], &place[j], d[i][j]);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 0; j < 3; j++) {
                assert_true(d[i][i][g] == 0);
                assert_true(d[i][j][g] == d[j][i][g]);
                for (uint32_t k = 0; k < 3; k++)
                    assert_true(d[i][j][g] <= d[i][k][g] + d[k][j][g] + 1e-12);
            }
    assert_near(d[0][2][PLACE_TIME], 5 * 1.2, 1e-12);
}

/* --- the greatest differences --- */

static void the_greatest_differences_come_first(void **state)
{
    const char *const sets[] = {"l2.latency=9999", "l1.latency=9", "sm.count=7"};
    const struct place p = place_with(sets, 3);
    (void)state;
    uint32_t k[3], back[3], one;
    assert_int_equal(place_differences(&at_home, &at_home, k, 3), 0);
    assert_int_equal(place_differences(&at_home, &p, k, 3), 3);
    assert_string_equal(place_param_name(k[0]), "l2.latency");
    assert_int_equal(place_differences(&p, &at_home, back, 3), 3);
    assert_memory_equal(back, k, sizeof k);
    for (uint32_t i = 1; i < 3; i++)
        assert_true(fabs(at_home.param[k[i]] - p.param[k[i]]) <=
                    fabs(at_home.param[k[i - 1]] - p.param[k[i - 1]]));
    assert_near(place_value(k[0], p.param[k[0]]), 9999, 1e-6);
    assert_int_equal(place_differences(&at_home, &p, &one, 1), 3);
    assert_int_equal(one, k[0]);
}

/* --- use and time --- */

static void estimates_say_how_a_machine_is_used(void **state)
{
    struct metrics m = {.v = {[M_cycles] = 5000}, .has = {[M_cycles] = true}};
    struct explanation x = {.n = 2, .station = {{.gain = 0.25}, {.gain = 0.5}}};
    struct place p = at_home, other = at_home;
    double d[PLACE_GROUPS];
    (void)state;
    place_of_estimate(&p, &m, &x);
    assert_near(p.estimate, log(5000), 1e-12);
    assert_true(p.feature[0] == 0.25 && p.feature[1] == 0.5);
    for (uint32_t i = 2; i < PLACE_FEATURES; i++)
        assert_true(p.feature[i] == 0);
    assert_memory_equal(p.param, at_home.param, sizeof p.param);
    x.station[0].gain = 0.55;
    x.station[1].gain = 0.1;
    m.v[M_cycles] = 2500;
    place_of_estimate(&other, &m, &x);
    place_distance(&p, &other, d);
    assert_near(d[PLACE_USE], 0.5, 1e-12); /* 3, 4, 5 */
    assert_near(d[PLACE_TIME], log(2), 1e-12);
    assert_true(d[PLACE_MACHINE] == 0);
}

/* However many stations there are, the hit rates keep their room. */
static void many_stations_leave_room_for_rates(void **state)
{
    struct metrics m = {.v = {[M_cycles] = 1}, .has = {[M_cycles] = true}};
    struct explanation x = {.n = STATION_MAX};
    struct place p = at_home;
    double rate;
    (void)state;
    for (uint32_t i = 0; i < STATION_MAX; i++)
        x.station[i].gain = 1;
    place_of_estimate(&p, &m, &x);
    assert_false(metrics_value(&m, "l1.hit_rate", &rate) && isfinite(rate) && rate != 0);
    for (uint32_t i = 0; i < PLACE_FEATURES; i++)
        assert_true(p.feature[i] == (i < PLACE_FEATURES - 3 && i < STATION_MAX ? 1 : 0));
}

/* Numbers have none. */
static void choices_have_the_names_of_files(void **state)
{
    const char *const other[] = {"coherence.protocol=nmoesi"};
    const uint32_t protocol = place_param_index("coherence.protocol"),
                   truth = place_param_index("l1.enabled");
    struct place p = place_with(other, 1);
    (void)state;
    assert_string_equal(place_choice_name(protocol, at_home.param[protocol]), "none");
    assert_string_equal(place_choice_name(protocol, p.param[protocol]), "nmoesi");
    assert_string_equal(place_choice_name(truth, at_home.param[truth]), "true");
    assert_null(place_choice_name(place_param_index("l2.bank_kb"), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_parameter_has_one_name),
        cmocka_unit_test(texts_and_energies_take_no_part),
        cmocka_unit_test(each_parameter_is_in_one_group),
        cmocka_unit_test(groups_are_of_what_acts_alike),
        cmocka_unit_test(values_and_places_are_inverse),
        cmocka_unit_test(places_hold_the_values_of_machines),
        cmocka_unit_test(distances_are_counted_by_hand),
        cmocka_unit_test(distances_are_metrics),
        cmocka_unit_test(the_greatest_differences_come_first),
        cmocka_unit_test(estimates_say_how_a_machine_is_used),
        cmocka_unit_test(many_stations_leave_room_for_rates),
        cmocka_unit_test(choices_have_the_names_of_files),
    };
    return cmocka_run_group_tests(tests, load_home, NULL);
}
