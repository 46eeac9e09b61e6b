/* Do networks, MSHR files and queues carry what they can, and are latencies those of the places
 * behind the issue? */
#include "sampler/strata/est_params.h"
#include "tests/support/estimator_support.h"

#include "base/memory/alloc.h"
#include "estimator/terms/crossbar_contention.h"
#include "estimator/terms/stations.h"

#include <stdio.h>

/* Small enough for an L2 of 1 MB; every pass a line goes to another SM. */
static const char resident[] =
    "generator = \"reduction\"; ctas = 80; warps_per_cta = 4; iterations = 18; unroll = 4;"
    "footprint = \"763KB\";";
static const char beyond[] =
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 4; unroll = 2;"
    "footprint = \"16MB\"; element_bytes = 4; distribution = \"uniform\";";

/* Saturated input-queued switches: Karol, Hluchyj, Morgan 1987, table I; two outputs are a random
 * walk of one number, each output busy for 1 - 1 / 2n of the time. */
static void heads_of_line_keep_outputs_as_busy_as_known(void **state)
{
    (void)state;
    static const struct {
        double n, m, busy;
    } known[] = {{1, 1, 1},      {2, 2, 0.75},           {3, 3, 0.6825},
                 {4, 4, 0.6553}, {8, 8, 0.6184},         {1e6, 1e6, 0.5858},
                 {8, 2, 0.9375}, {80, 2, 1 - 1.0 / 160}, {2, 8, 0.9375 / 4}};
    for (uint32_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double n = known[i].n, m = known[i].m, least = n < m ? n : m;
        double busy = least / (crossbar_slowdown_by_chance(n, m) * m);
        assert_near(busy, known[i].busy, 0.02 * known[i].busy);
    }
}

/* Two slices that each grant a request a cycle; 8 SMs. */
static void what_fits_the_l2_takes_its_packets_over_the_ports(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    bed_init(&b, "rx540", resident);
    bed_set(&b, "l2.bank_kb=512");
    bed_set(&b, "dram.channels=8");
    bed_estimate(&b, &m, NULL);
    double packets = m.v[M_l2_reads] + m.v[M_l2_writes], least = packets / 2 / (15.0 / 16);
    assert_true(m.v[M_cycles] >= least);
    assert_true(m.v[M_cycles] <= 1.25 * least); /* the cycle model: 1.21 */
    bed_fini(&b);
}

/* A fetch holds its entry for at least the memory's latency. */
static void mshr_files_bound_the_fetches(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    bed_init(&b, "rx540", beyond);
    static const char *const entries[] = {"l2.mshr.entries=2", "l2.mshr.entries=4"};
    for (uint32_t i = 0; i < 2; i++) {
        const struct dram_params *d = &b.m.dram;
        bed_set(&b, entries[i]);
        bed_estimate(&b, &m, NULL);
        double clocks = d->t.tAL + d->t.tCL + (double)d->burst_length / d->beats_per_clock;
        double hold = clocks / d->clock_mhz * b.m.clock.core_mhz;
        double least = m.v[M_l2_fetches] * hold / (b.m.l2.banks * b.m.l2.cache.mshr.entries);
        assert_true(m.v[M_cycles] >= least);
        assert_true(m.v[M_cycles] <= 2.2 * least); /* rows opened, banks met, victims announced */
        assert_true(m.v[M_l2_nacks] > m.v[M_l2_fetches]); /* 200 warps want 8 entries */
    }
    bed_fini(&b);
}

/* Little: no more requests behind the issue than there are places, nor before a channel. */
static void latencies_fit_the_places(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    bed_init(&b, "rx540", beyond);
    bed_estimate(&b, &m, NULL);
    const struct sm_params *sm = &b.m.sm;
    double per_sm = (sm->memory_latency + b.m.l1.latency) * b.m.l1.ports + 64 + b.m.l1.miss_queue +
                    b.m.noc.input_queue;
    double per_slice = b.m.noc.output_queue + b.m.l2.latency * b.m.l2.ports + b.m.l2.input_queue;
    double per_channel = b.m.dram.queue + b.m.l2.miss_queue;
    double places = per_sm * sm->count + per_slice * b.m.l2.banks + per_channel * b.m.dram.channels;
    double latency, under_way = 200; /* on wires, in banks */
    assert_true(metrics_value(&m, "latency.load_mean", &latency));
    assert_true(latency * m.v[M_l1_reads] / m.v[M_cycles] <= places + under_way);
    assert_true(latency >= 300); /* four channels with 32 requests each */
    assert_true(metrics_value(&m, "dram.latency", &latency));
    double rate = m.v[M_dram_reads] / (m.v[M_time_us] * 1e3) / b.m.dram.channels;
    assert_true(latency * rate <= b.m.dram.queue + 10);
    assert_true(latency * rate >= 0.8 * b.m.dram.queue); /* it is the bottleneck */
    bed_fini(&b);
}

/* A launch that first fetches, from two channels, and then hits takes both times. */
static void phases_do_not_overlap(void **state)
{
    (void)state;
    struct bed b;
    struct metrics slow, fast;
    bed_init(&b, "rx540", resident);
    bed_set(&b, "l2.bank_kb=512");
    bed_set(&b, "dram.channels=8");
    bed_estimate(&b, &fast, NULL);
    bed_set(&b, "dram.channels=2");
    bed_estimate(&b, &slow, NULL);
    const struct dram_params *d = &b.m.dram;
    double gbps = d->channels * (double)d->bus_bytes * d->beats_per_clock * d->clock_mhz / 1e3;
    double fetching = slow.v[M_dram_bytes] / (gbps * 1e3) * b.m.clock.core_mhz;
    assert_true(fetching <
                0.9 * fast.v[M_cycles]); /* on average the memory is not the bottleneck */
    assert_true(slow.v[M_cycles] > fast.v[M_cycles] + 0.4 * fetching);
    bed_fini(&b);
}

static void views_are_compared_field_by_field(void **state)
{
    (void)state;
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    struct profile_view v = est_view_of(&b.m), w = v;
    assert_true(profile_view_equal(&v, &w));
    w.copy_warms = !w.copy_warms;
    assert_false(profile_view_equal(&v, &w));
    w = v;
    w.l2_sector /= 2;
    assert_false(profile_view_equal(&v, &w));
    w = v;
    w.l1_class_bytes *= 2;
    assert_false(profile_view_equal(&v, &w));
}

/* Turns the parameter to an end of its range, or to another choice. */
static void turn(struct machine *m, const char *path)
{
    const struct param *p = machine_find_param(path, NULL, NULL);
    char set[3][128], *sets[] = {set[0], set[1], set[2]};
    struct errors all = {0};
    struct digest before = machine_digest(m);
    snprintf(set[0], sizeof set[0], "%s=%s", path, p->choices ? p->choices[1].name : "true");
    snprintf(set[1], sizeof set[1], "%s=%.12g", path, p->lo);
    snprintf(set[2], sizeof set[2], "%s=%.12g", path, p->hi);
    for (uint32_t i = 0; i < 3; i++) {
        struct machine other = *m;
        if (machine_set(&other, (const char **)&sets[i], 1, &all) &&
            !digest_equal(before, machine_digest(&other))) {
            *m = other;
            errors_fini(&all);
            return;
        }
    }
    fail_msg("%s takes none of %s, %s, %s", path, set[0], set[1], set[2]);
}

/* Members of a policy's parameters are listed one by one: none is forgotten. */
static void views_hold_all_of_a_policy(void **state)
{
    static const char *const policies[][2] = {{"sm.iwl.", "sm.throttle=iwl"},
                                              {"sm.ccws.", "sm.throttle=ccws"},
                                              {"l1.agcb.", "l1.bypass=agcb"}};
    uint32_t n, turned = 0;
    char **path = machine_paths(&n);
    (void)state;
    for (uint32_t i = 0; i < 3 * n; i++) {
        const char *const *policy = policies[i / n];
        if (strncmp(path[i % n], policy[0], strlen(policy[0])) != 0) continue;
        struct bed b;
        bed_machine(&b, "rx540", &policy[1], 1);
        struct machine m = b.m;
        turn(&m, path[i % n]);
        struct profile_view v = est_view_of(&b.m);
        struct profile_view w = est_view_of(&m);
        if (profile_view_equal(&v, &w)) fail_msg("%s is in no view", path[i % n]);
        turned++;
    }
    assert_int_equal(turned, 5 + 4 + 6);
    mem_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_line_keep_outputs_as_busy_as_known),
        cmocka_unit_test(what_fits_the_l2_takes_its_packets_over_the_ports),
        cmocka_unit_test(mshr_files_bound_the_fetches),
        cmocka_unit_test(latencies_fit_the_places),
        cmocka_unit_test(phases_do_not_overlap),
        cmocka_unit_test(views_are_compared_field_by_field),
        cmocka_unit_test(views_hold_all_of_a_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
