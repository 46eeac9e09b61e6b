/* Do latencies and bandwidths obey the closed forms of the timing set, and DRAMsim3's figures? */
#include "base/io/file.h"
#include "detailed/dram/dram_driver.h"
#include "tests/support/dram_shipped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Feeds reads one by one, each when the one before is done; the last one's latency. */
static uint64_t lone_reads(const struct dram_params *p, const struct coord *at, uint32_t n)
{
    struct error e;
    struct dram_channel *c = dram_new(p, &e);
    uint64_t now = 10, latency = 0;
    uint32_t tag;
    bool write;
    assert_non_null(c);
    for (uint32_t i = 0; i < n; i++) {
        dram_accept(c, &at[i], false, i, now);
        for (uint64_t t = now; dram_next_done(c) == UINT64_MAX;)
            t = dram_step(c, t);
        uint64_t done = dram_next_done(c);
        assert_false(dram_done(c, done - 1, &tag, &write));
        assert_true(dram_done(c, done, &tag, &write));
        assert_int_equal(tag, i);
        latency = done - now;
        now = done + p->t.tRC + 50; /* nothing of the last access holds the next one back */
    }
    dram_free(c);
    return latency;
}

/* Closed: tRCD + tCL + burst (tAL moves both by as much); hit: tAL + tCL + burst; conflict: tRP
 * more. */
static void idle_latencies(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        uint32_t hit, closed, conflict;
    } want[] = {
        {"gddr5", 24 + 2, 24 + 24 + 2, 24 + 24 + 24 + 2},
        {"hbm2", 14 + 2, 14 + 14 + 2, 14 + 14 + 14 + 2},
        {"ddr3", 13 + 4, 13 + 13 + 4, 13 + 13 + 13 + 4},
        {"hbm-qv100", 12 + 1, 12 + 12 + 1, 12 + 12 + 12 + 1},
        {"gddr5-table42", 17 + 18 + 8, 18 + 18 + 8,
         18 + 18 + 18 + 8}, /* 35 : 54 before the burst */
    };
    static const struct coord at[] = {{.row = 1}, {.row = 1, .column = 256}, {.row = 2}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct dram_params p = dram_shipped(want[i].set);
        struct dram_idle idle = dram_idle_latency(&p);
        assert_int_equal(lone_reads(&p, at, 1), want[i].closed);
        assert_int_equal(lone_reads(&p, at, 2), want[i].hit);
        assert_int_equal(lone_reads(&p, at, 3), want[i].conflict);
        assert_int_equal(idle.hit, want[i].hit);
        assert_int_equal(idle.closed, want[i].closed);
        assert_int_equal(idle.conflict, want[i].conflict);
    }
}

static struct dram_result drive(const struct dram_params *p, enum dram_pattern pattern, uint64_t n)
{
    struct dram_traffic t = {
        .pattern = pattern, .requests = n, .percycle = 1, .interleave_bytes = p->row_bytes};
    struct dram_result r;
    struct error e;
    assert_true(dram_drive(p, &t, &r, &e));
    assert_int_equal(r.requests, n);
    assert_int_equal(r.stats.reads + r.stats.writes, n);
    return r;
}

static double available(const struct dram_params *p)
{
    return p->t.tREFI ? 1 - (double)p->t.tRFC / p->t.tREFI : 1;
}

static double fmax2(double a, double b)
{
    return a > b ? a : b;
}

static void within(double v, double want, double share)
{
    if (fabs(v / want - 1) > share) fail_msg("%g, not %g", v, want);
}

static const char *const one_channel[] = {"gddr5", "hbm2-1ch", "ddr3"};

static void random_reads_run_at_the_activate_rate(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_channel / sizeof one_channel[0]; i++) {
        struct dram_params p = dram_shipped(one_channel[i]);
        double clocks = fmax2(fmax2(p.t.tRRD_S, p.t.tFAW / 4.0),
                              fmax2(p.t.t32AW / 32.0, p.burst_length / p.beats_per_clock));
        struct dram_result r = drive(&p, DRAM_PATTERN_RAND, 20000);
        within((double)r.cycles / 20000, clocks / available(&p), 0.03);
    }
}

/* A window that alone holds activates back (a refresh would let it catch up). */
static void activates_are_bound_by_their_windows(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("hbm2-1ch");
    p.t.tREFI = 0;
    for (uint32_t faw = 40; faw <= 160; faw *= 2) {
        p.t.tFAW = faw;
        struct dram_result r = drive(&p, DRAM_PATTERN_ROWSTEP, 20000);
        within((double)r.cycles / 20000, faw / 4.0, 0.01);
    }
    p.t.tFAW = 0;
    p.t.t32AW = 640;
    struct dram_result r = drive(&p, DRAM_PATTERN_ROWSTEP, 20000);
    within((double)r.cycles / 20000, 20, 0.01);
}

/* One bank at its row cycle: each refresh, of the rank or of the bank, takes tRFC of its time. */
static void refreshes_cost_their_share(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("hbm2-1ch");
    for (uint32_t rfc = 100; rfc <= 1600; rfc *= 2) {
        p.t.tRFC = rfc;
        p.per_bank_refresh = false;
        within((double)drive(&p, DRAM_PATTERN_CONF, 5000).cycles / 5000, p.t.tRC / available(&p),
               0.015);
        p.per_bank_refresh = true;
        p.t.tRFCb = rfc;
        within((double)drive(&p, DRAM_PATTERN_CONF, 5000).cycles / 5000, p.t.tRC / available(&p),
               0.015);
        p.t.tREFIb = 2 * p.t.tREFI / 16; /* each bank half as often */
        within((double)drive(&p, DRAM_PATTERN_CONF, 5000).cycles / 5000,
               p.t.tRC / (1 - rfc / (2.0 * p.t.tREFI)), 0.015);
        p.t.tREFIb = p.t.tRFCb = 0;
    }
}

/* Activates at tRRD_L over four groups, each of which holds the refresh of another bank back: none
 * may put it off, or the bank's requests are left over at the end.  A refresh costs tRRD_L before
 * and tRREFD after it. */
static void activates_make_room_for_refreshes(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("hbm2e");
    p.channels = 1;
    p.queue = 65536; /* or the blocked bank fills it, and the others' activates end */
    p.t.tRRD_S = 6;
    p.t.tRRD_L = 30;
    p.t.tFAW = 0;
    double each = p.t.tRRD_L / 4.0, between = p.t.tREFI / 16.0;
    double lost = (p.t.tRRD_L + p.t.tRREFD - each) / between;
    struct dram_result r = drive(&p, DRAM_PATTERN_ROWSTEP, 40000);
    within((double)r.cycles / 20000, each / (1 - lost), 0.02);
}

/* Two data buses behind one command bus: with enough requests both are busy all the time. */
static void pseudo_channels_reach_both_peaks(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("hbm2-pc");
    p.channels = 1;
    p.t.tREFI = 0;
    assert_true(fabs(dram_peak_gbps(&p) - 32) < 1e-9);
    struct dram_result r = drive(&p, DRAM_PATTERN_SEQ, 30000);
    within(r.utilization, 1, 0.03);
    within(r.gbps, 32 * r.utilization, 1e-9);
    p.pseudo_channels = 1;
    within(drive(&p, DRAM_PATTERN_SEQ, 30000).gbps, 16, 0.03);
}

static void one_bank_runs_at_its_row_cycle(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_channel / sizeof one_channel[0]; i++) {
        struct dram_params p = dram_shipped(one_channel[i]);
        struct dram_result r = drive(&p, DRAM_PATTERN_CONF, 5000);
        within((double)r.cycles / 5000, p.t.tRC / available(&p), 0.01);
        assert_int_equal(r.stats.row_hits, 0);
    }
}

static void sequential_reads_run_at_the_peak(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_channel / sizeof one_channel[0]; i++) {
        struct dram_params p = dram_shipped(one_channel[i]);
        struct dram_result r = drive(&p, DRAM_PATTERN_SEQ, 30000);
        /* All banks are open when a refresh wants them closed, one precharge after the other. */
        double closing = (p.bankgroups * p.banks_per_group - 1.0) * p.t.tPPD / p.t.tREFI;
        within(r.utilization, available(&p) - closing, 0.03);
        within(r.gbps, dram_peak_gbps(&p) * r.utilization, 1e-9);
    }
}

/* Without refresh: the activate window over banks alone; with rows of two bank groups at the burst.
 */
static void qv100_without_refresh(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("hbm-qv100");
    p.channels = 1;
    within((double)drive(&p, DRAM_PATTERN_ROWSTEP, 20000).cycles / 20000, p.t.tRRD_S, 0.01);
    within((double)drive(&p, DRAM_PATTERN_CONF, 5000).cycles / 5000, p.t.tRC, 0.01);
}

/* Little's law: the integral of requests in the channel is the sum of their stays; here through the
 * mean latency of a saturated queue of known depth. */
static void saturated_latency_is_the_queue(void **state)
{
    (void)state;
    struct dram_params p = dram_shipped("gddr5");
    p.per_bank_queue = 0;
    p.queue = 24;
    struct dram_result r = drive(&p, DRAM_PATTERN_CONF, 5000);
    double in_service = p.t.tCL + 2; /* the request leaves the queue with its read command */
    within(histogram_mean(&r.latency) - in_service, 24.0 * (double)r.cycles / 5000, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_latencies),
        cmocka_unit_test(random_reads_run_at_the_activate_rate),
        cmocka_unit_test(activates_are_bound_by_their_windows),
        cmocka_unit_test(refreshes_cost_their_share),
        cmocka_unit_test(activates_make_room_for_refreshes),
        cmocka_unit_test(pseudo_channels_reach_both_peaks),
        cmocka_unit_test(one_bank_runs_at_its_row_cycle),
        cmocka_unit_test(sequential_reads_run_at_the_peak),
        cmocka_unit_test(qv100_without_refresh),
        cmocka_unit_test(saturated_latency_is_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
