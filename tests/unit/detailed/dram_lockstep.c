/* Are physical channels in lockstep one channel of that many times the width? */
#include "detailed/dram/dram_driver.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <stdio.h>

/* Candel's table 4.2: 32 bits, bursts of 16 beats in 8 clocks. */
static struct dram_params table42(const char *channels, const char *lockstep)
{
    struct machine m;
    struct errors all = {0};
    char set[2][64];
    snprintf(set[0], sizeof set[0], "dram.channels=%s", channels);
    snprintf(set[1], sizeof set[1], "dram.lockstep=%s", lockstep);
    const char *sets[] = {"l2.banks=4", "dram.set=gddr5-table42", set[0], set[1]};
    machine_defaults(&m);
    assert_true(machine_set(&m, sets, 4, &all));
    return m.dram;
}

static struct dram_result drive(const struct dram_params *p, enum dram_pattern pattern)
{
    struct dram_traffic t = {
        .pattern = pattern, .requests = 20000, .percycle = 1, .interleave_bytes = 2048};
    struct dram_result r;
    struct error e;
    assert_true(dram_drive(p, &t, &r, &e));
    return r;
}

/* tCL = 18, tAL = 17; 16, 8 or 4 beats of two per clock. */
static void a_block_crosses_in_a_share_of_the_time(void **state)
{
    (void)state;
    static const struct {
        const char *channels;
        uint32_t clocks;
    } want[] = {{"1", 8}, {"2", 4}, {"4", 2}, {"8", 1}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct dram_params p = table42("1", want[i].channels);
        struct dram_idle idle = dram_idle_latency(&p);
        assert_int_equal(idle.hit, 17 + 18 + want[i].clocks);
        assert_int_equal(idle.closed, 18 + 18 + want[i].clocks);
        assert_near(dram_peak_gbps(&p), 12.0 * 8 / want[i].clocks, 0.01);
    }
}

/* In a row, the bus is busy but for refreshes; with four channels, tCCD = 3 clocks bind instead of
 * the two of a burst. */
static void reads_in_a_row_use_the_width(void **state)
{
    (void)state;
    struct dram_params one = table42("1", "1"), two = table42("1", "2"), four = table42("1", "4");
    struct dram_result a = drive(&one, DRAM_PATTERN_SEQ), b = drive(&two, DRAM_PATTERN_SEQ);
    struct dram_result c = drive(&four, DRAM_PATTERN_SEQ);
    assert_near(b.gbps / a.gbps, 2, 0.04);
    assert_near(c.gbps / a.gbps, 8.0 / 3, 0.08);
    assert_near((double)a.stats.activates / (double)b.stats.activates, 2,
                0.05); /* rows twice as long */
}

/* What activates bound gains nothing from width: they are the controller's, not the channel's.
 * tFAW = 35 clocks for four. */
static void random_reads_wait_for_activates(void **state)
{
    (void)state;
    struct dram_params wide = table42("1", "4"), apart = table42("4", "1");
    struct dram_result a = drive(&wide, DRAM_PATTERN_RAND), b = drive(&apart, DRAM_PATTERN_RAND);
    double share = 1 - 278.0 / 11700;
    assert_near((double)a.cycles / 20000, 9 / share, 0.3);
    assert_true(b.gbps > 3 * a.gbps);
}

/* The same bytes have the same room, however the channels are bound together. */
static void capacity_and_peak_do_not_depend_on_binding(void **state)
{
    (void)state;
    static const char *const shape[][2] = {{"4", "1"}, {"2", "2"}, {"1", "4"}};
    for (size_t i = 0; i < 3; i++) {
        struct dram_params p = table42(shape[i][0], shape[i][1]);
        assert_near(dram_peak_gbps(&p) * p.channels, 48, 0.05);
        assert_int_equal(dram_row_bytes(&p) * p.channels, 8192);
    }
}

static void shapes_without_a_whole_clock_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {{"dram.lockstep=3", "power of two"},
                                         {"dram.lockstep=16", "16 channels in lockstep"}};
    for (size_t i = 0; i < 2; i++) {
        struct machine m;
        struct errors all = {0};
        machine_defaults(&m);
        assert_false(machine_set(&m, &bad[i][0], 1, &all));
        assert_contains(all.item[0].text, bad[i][1]);
        errors_fini(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_crosses_in_a_share_of_the_time),
        cmocka_unit_test(reads_in_a_row_use_the_width),
        cmocka_unit_test(random_reads_wait_for_activates),
        cmocka_unit_test(capacity_and_peak_do_not_depend_on_binding),
        cmocka_unit_test(shapes_without_a_whole_clock_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
