/* latency.c - what one access costs when nothing is in its way, to the cycle, and what
 * limits throughput when something is.  Closed forms from the parameters; no figure of ours. */
#include "detailed/dram/dram.h"
#include "tests/support/run.h"

#include <stdio.h>

#define CHASE(footprint, stride, iterations) CHASE_UNROLLED(footprint, stride, iterations, 1)
#define CHASE_UNROLLED(footprint, stride, iterations, unroll)                             \
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; order = \"sequential\";" \
    "footprint = " #footprint "; stride = " #stride "; iterations = " #iterations ";"     \
    "unroll = " #unroll ";"

static double cycles(const char *preset, const char *program, const char *const *sets)
{
    struct metrics m = run_sets(preset, program, sets);
    return run_value(&m, "cycles");
}

static void l1_hits_take_the_configured_time(void **state)
{
    (void)state;
    const char *presets[] = {"qv100", "rx540"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], NULL, 0);
        const char *const none[] = {NULL};
        double more = cycles(presets[i], CHASE_UNROLLED(128, 128, 1000, 12), none) -
                      cycles(presets[i], CHASE_UNROLLED(128, 128, 1000, 8), none);
        assert_near(more / 4000, m.sm.memory_latency + m.l1.latency, 0);
    }
}

/* A ring larger than the L1: from the second lap on every load hits the L2. */
static void l2_hits_take_the_configured_time(void **state)
{
    (void)state;
    const char *const presets[] = {"qv100", "rx540"};
    const char *const sets[2][3] = {{"l1.kb=32", "l1.adaptive=false", NULL}, {NULL}};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], sets[i], i == 0 ? 2 : 0);
        double more = cycles(presets[i], CHASE(131072, 128, 3072), sets[i]) -
                      cycles(presets[i], CHASE(131072, 128, 2048), sets[i]);
        assert_near(more / 1024,
                    m.sm.memory_latency + m.l1.latency + 2 * m.noc.latency + m.l2.extra_latency +
                        m.l2.latency,
                    0);
    }
}

/* An L1 that is switched off is not there: a hit of the L2 takes the sum of the other parts, on
 * machines whose accesses join before the look-up as well. */
static void an_l1_that_is_off_costs_nothing(void **state)
{
    (void)state;
    const char *const presets[] = {"qv100", "rx540", "hd7770-fgcs18"};
    const char *const sets[] = {"l1.enabled=false", NULL};
    for (int i = 0; i < 3; i++) {
        struct machine m = run_machine(presets[i], sets, 1);
        double more = cycles(presets[i], CHASE(131072, 128, 3072), sets) -
                      cycles(presets[i], CHASE(131072, 128, 2048), sets);
        double noc = 2 * m.noc.latency * m.clock.core_mhz / m.clock.noc_mhz;
        double l2 = (m.l2.extra_latency + m.l2.latency) * m.clock.core_mhz / m.clock.l2_mhz;
        assert_near(more / 1024, m.sm.memory_latency + noc + l2, 0);
        assert_near(machine_derived_value(&m, "l2_hit_cycles"), more / 1024, 0);
    }
}

/* One load into a cold machine whose clocks are all equal: every cycle is accounted for. */
static void a_cold_load_takes_the_sum_of_the_parts(void **state)
{
    (void)state;
    const char *const sets[] = {"dram.clock_mhz=1132", NULL};
    struct machine m = run_machine("qv100", sets, 1);
    struct metrics r = run_sets("qv100", CHASE(1024, 1024, 1), sets);
    double want = m.sm.memory_latency + m.l1.latency + 2.0 * m.noc.latency + m.l2.extra_latency +
                  m.l2.latency + dram_idle_latency(&m.dram).closed + m.dram.extra_latency;
    /* the controller sees the fetch at its next edge */
    assert_near(run_value(&r, "latency.load_mean"), want + 1, 0);
    assert_near(run_value(&r, "latency.load_p95"), want + 1, want / 16);
}

struct stage {
    const char *path;
    uint32_t value, visits; /* visits per load from memory */
};

static void raising_one_latency_raises_the_total_by_its_visits(void **state)
{
    (void)state;
    enum { LOADS = 200, K = 7 };
    const struct stage parts[] = {{"sm.memory_latency", 4, 1}, {"l1.latency", 20, 1},
                                  {"noc.latency", 8, 2},       {"l2.extra_latency", 160, 1},
                                  {"l2.latency", 10, 1},       {"dram.fixed_latency", 100, 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "%s=%u", parts[i].path, parts[i].value);
        snprintf(b, sizeof b, "%s=%u", parts[i].path, parts[i].value + K);
        const char *const fixed = "dram.model=fixed";
        const char *const same_clock = "dram.clock_mhz=1132";
        const char *const low[] = {fixed, same_clock, a, NULL};
        const char *const high[] = {fixed, same_clock, b, NULL};
        double more = cycles("qv100", CHASE(1048576, 4096, 200), high) -
                      cycles("qv100", CHASE(1048576, 4096, 200), low);
        assert_near(more, (double)K * parts[i].visits * LOADS, 0);
    }
}

#define GATHER(iterations)                                                               \
    "generator = \"gather\"; ctas = 8; warps_per_cta = 8; iterations = " #iterations ";" \
    "unroll = 4; footprint = \"256MB\"; arithmetic = 0;"

/* One SM, nothing but its MSHR file in the way: throughput = entries / time that one is held.
 * The difference of two lengths leaves out ramp-up and drain. */
static void mshr_limited_throughput_is_entries_over_latency(void **state)
{
    (void)state;
    const unsigned entries[] = {16, 64};
    for (int i = 0; i < 2; i++) {
        char mshr[32];
        snprintf(mshr, sizeof mshr, "l1.mshr.entries=%u", entries[i]);
        const char *const sets[] = {
            "sm.count=1",        "dram.clock_mhz=1132", "dram.model=fixed", mshr,
            "l1.adaptive=false", "l1.mshr.max_merge=0", "l1.miss_queue=64", "l1.fill_ports=4",
            "l2.ports=4"};
        struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
        struct metrics a = run_on(&m, GATHER(4)), b = run_on(&m, GATHER(10));
        double held =
            2.0 * m.noc.latency + m.l2.extra_latency + m.l2.latency + 1 + m.dram.fixed_latency;
        double fetches = run_value(&b, "l1.misses") - run_value(&a, "l1.misses");
        double cycles_each = (run_value(&b, "cycles") - run_value(&a, "cycles")) / fetches;
        assert_near(cycles_each / (held / entries[i]), 1, 0.02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1_hits_take_the_configured_time),
        cmocka_unit_test(l2_hits_take_the_configured_time),
        cmocka_unit_test(an_l1_that_is_off_costs_nothing),
        cmocka_unit_test(a_cold_load_takes_the_sum_of_the_parts),
        cmocka_unit_test(raising_one_latency_raises_the_total_by_its_visits),
        cmocka_unit_test(mshr_limited_throughput_is_entries_over_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
