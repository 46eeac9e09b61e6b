/* The estimator's CPU cores: their IPC and load in closed form, and beside the cycle model's. */
#include "estimator/terms/cpu_load.h"

#include "sampler/strata/est_params.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

#define PRESET "gem5gpu-temp"

/* A model of a launch with nothing in it but the latency of the memory, in core cycles. */
static struct cpu_load load_of(const struct machine *m, double dram)
{
    static struct launch_model model;
    static struct est_params e;
    e = est_params_of(m);
    model = (struct launch_model){
        .e = &e, .in.dram_cycle = 1, .latency.dram = dram, .wave.channels = m->dram.channels};
    cpu_load_find(&model);
    return model.cpu;
}

static struct machine with_core(double mpki, uint32_t mlp, double base_ipc)
{
    static const char *const sets[] = {"cpu.programs=gcc"};
    struct machine m = run_machine(PRESET, sets, 1);
    m.cpu.program[0].mpki = mpki;
    m.cpu.program[0].mlp = mlp;
    m.cpu.program[0].base_ipc = base_ipc;
    m.cpu.program[0].write_share = 50;
    return m;
}

static void cores_follow_their_closed_forms(void **state)
{
    (void)state;
    struct machine m = with_core(0, 4, 1.5);
    double faster = m.cpu.clock_mhz / m.clock.core_mhz, l = 100, own = l * faster;
    assert_near(load_of(&m, l).ipc[0], 1.5, 1e-9); /* no misses */
    m = with_core(20, 1, 2);                       /* one at a time, every 50 instructions */
    struct cpu_load one = load_of(&m, l);
    assert_near(one.ipc[0], 50 / (50 / 2.0 + own), 1e-9);
    assert_near(one.reads, one.ipc[0] * 20 / 1000 * faster, 1e-9);
    assert_near(one.writes, one.reads / 2, 1e-9);
    m = with_core(1000, 8, 1); /* at each instruction: eight in each latency */
    assert_near(load_of(&m, l).reads / (8 / l), 1, 0.02);
    m = with_core(0.01, 8, 1); /* seldom: the window hides its own length */
    assert_near(1e5 / load_of(&m, l).ipc[0] - 1e5, own - m.cpu.rob, 1e-4 * 1e5);
}

/* Longer latencies and more misses are slower; no load takes all of the channels. */
static void cores_are_monotonous(void **state)
{
    (void)state;
    double last = INFINITY;
    for (double l = 10; l < 10000; l *= 1.5) {
        struct machine m = with_core(10, 4, 1.5);
        double ipc = load_of(&m, l).ipc[0];
        assert_true(ipc <= last && ipc > 0);
        last = ipc;
    }
    last = INFINITY;
    for (double mpki = 0.1; mpki < 1000; mpki *= 1.5) {
        struct machine m = with_core(mpki, 4, 1.5);
        struct cpu_load l = load_of(&m, 1);
        assert_true(l.ipc[0] <= last && l.busy < 1);
        last = l.ipc[0];
    }
    struct machine none = run_machine(PRESET, NULL, 0);
    assert_near(load_of(&none, 100).busy, 0, 0);
    assert_near(load_of(&none, 100).reads, 0, 0);
}

/* Beside a GPU that leaves them the memory: within 15 % of the cycle model. */
static void cores_alone_are_as_fast_as_simulated(void **state)
{
    static const char *const programs[] = {"mcf", "omnetpp", "lbm", "bzip2", "gcc"};
    static const char idle[] = "generator = \"stride\"; ctas = 1; warps_per_cta = 1; "
                               "iterations = 8000; unroll = 1; footprint = 128;";
    (void)state;
    for (uint32_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char set[64];
        snprintf(set, sizeof set, "cpu.programs=%s", programs[i]);
        struct metrics r = RUN(PRESET, idle, set);
        struct machine m = run_machine(PRESET, (const char *const[]){set}, 1);
        double ns = run_value(&r, "cpu.read_latency");
        struct cpu_load l = load_of(&m, ns * m.clock.core_mhz / 1e3); /* as measured */
        assert_near(l.ipc[0] / run_value(&r, "cpu.core_ipc.0"), 1, 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_follow_their_closed_forms),
        cmocka_unit_test(cores_are_monotonous),
        cmocka_unit_test(cores_alone_are_as_fast_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
