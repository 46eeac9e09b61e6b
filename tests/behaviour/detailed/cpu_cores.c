/* CPU cores beside the GPU: whether they ask the memory as often as their programs say, what they
 * and the GPU cost each other, and that the GPU decides when a simulation ends.  Expectations come
 * from the table of programs, from counts and from closed forms of latencies. */
#include "detailed/dram/dram.h"
#include "gpu/machine/params/coherence/cpu_programs.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

#define PRESET "gem5gpu-temp"
/* One warp whose loads hit in its L1: the GPU leaves networks and memory to the CPUs. */
#define IDLE                                                                                \
    "generator = \"stride\"; ctas = 1; warps_per_cta = 1; iterations = 20000; unroll = 1; " \
    "footprint = 128;"
#define SHORT                                                                              \
    "generator = \"stride\"; ctas = 1; warps_per_cta = 1; iterations = 2000; unroll = 1; " \
    "footprint = 128;"
/* All SMs read and write as fast as the memory lets them. */
#define BUSY \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 256; warps_per_cta = 8; iterations = 8;"

static struct metrics with_program(const char *gpu, const char *name, const char *more)
{
    char programs[80];
    snprintf(programs, sizeof programs, "cpu.programs=%s", name);
    return RUN(PRESET, gpu, programs, more);
}

/* --- what the cores ask for --- */

/* Draws are independent: within four standard deviations. */
static void every_program_misses_as_often_as_its_table_says(void **state)
{
    static struct cpu_table t;
    struct error e = {0};
    (void)state;
    assert_true(cpu_table_load(&t, &e));
    assert_true(t.n >= 8);
    for (uint32_t i = 0; i < t.n; i++) {
        const struct cpu_program *p = &t.row[i];
        struct metrics r = with_program(IDLE, p->name, "cpu.clock_mhz=3000");
        double kilo = run_value(&r, "cpu.instructions") / 1000, misses = kilo * p->mpki;
        double reads = run_value(&r, "cpu.reads"), share = p->write_share / 100.0;
        assert_near(reads, misses, 4 * sqrt(misses) + 2);
        assert_near(run_value(&r, "cpu.mpki"), reads / kilo, 1e-9 * p->mpki);
        assert_near(run_value(&r, "cpu.writes"), reads * share, 4 * sqrt(reads * share) + 2);
        assert_true(run_value(&r, "cpu.ipc") <= p->base_ipc);
        assert_near(run_value(&r, "cpu.ipc"), run_value(&r, "cpu.core_ipc.0"), 1e-12);
    }
}

/* Every line that a core reads is a line that the memory moves; the L2 sees none of it. */
static void what_the_cores_read_comes_from_the_memory_alone(void **state)
{
    struct metrics none = RUN(PRESET, IDLE, "cpu.programs="),
                   r = with_program(IDLE, "mcf lbm", "cpu.rob=128");
    struct machine m = run_machine(PRESET, NULL, 0);
    double bursts = 64.0 / (m.dram.burst_length * m.dram.bus_bytes), flying = 2 * 8 + 16;
    (void)state;
    if (bursts < 1) bursts = 1;
    assert_near(run_value(&r, "cycles"), run_value(&none, "cycles"),
                400); /* its first loads wait */
    assert_near(run_value(&r, "l2.reads"), run_value(&none, "l2.reads"), 0);
    assert_near(run_value(&r, "l2.bytes_from_memory"), run_value(&none, "l2.bytes_from_memory"), 0);
    assert_near(run_value(&r, "dram.reads") - run_value(&none, "dram.reads"),
                run_value(&r, "cpu.reads") * bursts, flying * bursts);
    assert_near(run_value(&r, "dram.writes") - run_value(&none, "dram.writes"),
                run_value(&r, "cpu.writes") * bursts, flying * bursts);
    assert_near(run_value(&r, "cpu.instructions"),
                run_value(&r, "cpu.core_instructions.0") + run_value(&r, "cpu.core_instructions.1"),
                0);
    double window = run_value(&r, "time_us") * m.cpu.clock_mhz;
    assert_near(run_value(&r, "cpu.cycles"), window, 1e-6 * window);
}

/* A core whose misses nobody disturbs waits for both networks, and for a row that is open, closed
 * or another. */
static void a_lone_core_waits_for_an_idle_memory(void **state)
{
    static const char *const sets[] = {"noc.topology=crossbar", "cpu.programs=gcc",
                                       "dram.timing.tREFI=0"};
    struct machine m = run_machine(PRESET, sets, 3);
    struct metrics r = run_on(&m, IDLE);
    struct dram_idle idle = dram_idle_latency(&m.dram);
    (void)state;
    double ns = 1e3 / m.clock.noc_mhz, clock = 1e3 / m.dram.clock_mhz;
    double networks = 2.0 * m.noc.latency * ns,
           extra = m.dram.extra_latency * 1e3 / m.clock.core_mhz;
    double least = networks + idle.hit * clock + extra,
           most = networks + idle.conflict * clock + extra;
    double edges = (4 + ceil(64.0 / m.noc.flit_bytes)) * ns + 2 * clock;
    assert_true(run_value(&r, "cpu.read_latency") >= least);
    assert_true(run_value(&r, "cpu.read_latency") <= most + edges);
}

/* --- together --- */

static void each_slows_the_other(void **state)
{
    (void)state;
    struct metrics gpu = RUN(PRESET, BUSY, "cpu.programs="),
                   cpu = with_program(IDLE, "mcf lbm", "cpu.rob=256"),
                   both = with_program(BUSY, "mcf lbm", "cpu.rob=256"),
                   few = with_program(BUSY, "gcc perlbench", "cpu.rob=256");
    assert_true(run_value(&both, "cycles") > 1.02 * run_value(&gpu, "cycles"));
    assert_true(run_value(&few, "cycles") < 1.03 * run_value(&gpu, "cycles"));
    assert_true(run_value(&both, "cpu.core_ipc.0") < 0.95 * run_value(&cpu, "cpu.core_ipc.0"));
    assert_true(run_value(&both, "cpu.core_ipc.1") < 0.95 * run_value(&cpu, "cpu.core_ipc.1"));
    assert_true(run_value(&both, "cpu.read_latency") > run_value(&cpu, "cpu.read_latency"));
    assert_near(run_value(&both, "warp_instructions"), run_value(&gpu, "warp_instructions"), 0);
}

static void cpus_that_go_first_wait_less(void **state)
{
    (void)state;
    struct metrics in_turn = with_program(BUSY, "mcf lbm", "dram.cpu_first=false"),
                   first = with_program(BUSY, "mcf lbm", "dram.cpu_first=true");
    assert_true(run_value(&first, "cpu.read_latency") <
                0.9 * run_value(&in_turn, "cpu.read_latency"));
    assert_true(run_value(&first, "cpu.core_ipc.0") > 1.05 * run_value(&in_turn, "cpu.core_ipc.0"));
    assert_true(run_value(&first, "cpu.core_ipc.1") > run_value(&in_turn, "cpu.core_ipc.1"));
    /* alone they are as fast either way, since nobody is passed */
    struct metrics a = with_program(IDLE, "gcc", "dram.cpu_first=false"),
                   b = with_program(IDLE, "gcc", "dram.cpu_first=true");
    assert_near(run_value(&a, "cpu.ipc"), run_value(&b, "cpu.ipc"), 0);
}

/* The GPU's program ends, and with it the simulation, whatever the cores have in flight. */
static void the_gpu_decides_when_a_simulation_ends(void **state)
{
    (void)state;
    struct metrics s = with_program(SHORT, "mcf", "cpu.rob=256"),
                   l = with_program(IDLE, "mcf", "cpu.rob=256");
    double more = run_value(&l, "cycles") / run_value(&s, "cycles");
    assert_true(more > 5);
    assert_near(run_value(&l, "cpu.instructions") / run_value(&s, "cpu.instructions"), more,
                0.2 * more);
}

/* --- the same again --- */

static void the_same_every_time(void **state)
{
    struct machine m =
        run_machine(PRESET, (const char *const[]){"cpu.programs=mcf omnetpp lbm gcc"}, 1);
    struct program *p = run_program(BUSY, m.sm.warp_width);
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    struct metrics a, b, c = run_on(&m, BUSY);
    (void)state;
    assert_non_null(s);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
    sim_metrics(s, &a);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE); /* begins by clearing */
    sim_metrics(s, &b);
    sim_free(s);
    program_close(p);
    assert_memory_equal(a.v, b.v, sizeof a.v);
    assert_memory_equal(a.v, c.v, sizeof a.v);
}

/* Wherever SMs share ports, whatever the network, protocol and map, with the checks of a debug
 * build. */
static void cores_work_on_every_kind_of_machine(void **state)
{
    static const char *const cases[][3] = {
        {PRESET, "noc.topology=crossbar", "noc.sms_per_port=3"},
        {PRESET, "noc.topology=mesh", "noc.sms_per_port=3"},
        {PRESET, "noc.topology=mesh", "sm.count=5"},
        {"rx540", "noc.arbitration=fixed", "noc.sms_per_port=2"},
        {"hd7770-fgcs18", "l2.miss_management=conventional", "sm.count=4"},
        {"qv100", "sm.count=3", "noc.sms_per_port=2"},
        {"titanv", "sm.count=2", "dram.model=fixed"},
        {PRESET, "pages.cpu_rows=true", "dram.cpu_first=true"},
        {"gem5gpu-temp-bw", "pages.cpu_rows=true", "dram.cpu_first=true"},
        {"gem5gpu-temp-tbas", "pages.cpu_rows=true", "dram.cpu_first=true"},
        {"hd7870", "sm.count=4", "dram.scheduler=fcfs"},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct metrics r =
            RUN(cases[i][0],
                "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 4; "
                "iterations = 4;",
                "cpu.programs=mcf,lbm,bzip2", cases[i][1], cases[i][2]);
        assert_true(run_value(&r, "cpu.reads") > 10);
        assert_true(run_value(&r, "cpu.core_ipc.2") > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_misses_as_often_as_its_table_says),
        cmocka_unit_test(what_the_cores_read_comes_from_the_memory_alone),
        cmocka_unit_test(a_lone_core_waits_for_an_idle_memory),
        cmocka_unit_test(each_slows_the_other),
        cmocka_unit_test(cpus_that_go_first_wait_less),
        cmocka_unit_test(the_gpu_decides_when_a_simulation_ends),
        cmocka_unit_test(the_same_every_time),
        cmocka_unit_test(cores_work_on_every_kind_of_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
