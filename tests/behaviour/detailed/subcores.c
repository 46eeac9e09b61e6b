/* subcores.c - do sub-cores share what they share fairly, and in the time it takes?
 *
 * Closed forms and shares; no figure of ours. */
#include "tests/support/hand.h"

#include <stdlib.h>

enum { LOADS = 60, BASE = 1 << 20 };

/* Loads of one line, which nobody waits for; ended by OP_N. */
static const struct hand_op *independent_loads(uint32_t lanes)
{
    static struct hand_op op[LOADS + 1];
    for (uint32_t i = 0; i < LOADS; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * i,
                                 .addr = BASE,
                                 .stride = 4,
                                 .lanes = lanes};
    op[LOADS] = (struct hand_op){.cls = OP_N};
    return op;
}

/* A warp on each sub-core, all of which want the memory port all the time: they come to their ends
 * together, so that a warp's life is as long as the run.  In a fixed order of sub-cores the first
 * one's is a quarter of it, and the mean is 5/8.  Where an instruction keeps the port for as many
 * cycles as there are sub-cores, an order that turns with the cycle is as good as fixed. */
static void everyone_gets_as_much_of_the_memory_port(void **state)
{
    (void)state;
    static const char *const wide[] = {"sm.vmb_entries=0", "sm.coalesce_loads=true"};
    static const char *const phased[] = {"sm.vmb_entries=0", "sm.coalesce_loads=false",
                                         "sm.phase_lanes=16"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine("rx540", i ? phased : wide, i ? 3 : 2);
        uint32_t interval = i ? m.sm.warp_width / m.sm.phase_lanes : 1;
        assert_int_equal(m.sm.subcores, 4);
        m.sm.cta_binding = CTA_WARPS_ROUND_ROBIN;
        const struct hand_op *op = independent_loads(m.sm.warp_width);
        struct metrics r = run_whole(&m, hand_program(op, 1, m.sm.subcores, m.sm.warp_width));
        double port = (double)LOADS * m.sm.subcores * interval;
        double life = run_value(&r, "warp_cycles.compute") + run_value(&r, "warp_cycles.memory");
        assert_true(run_value(&r, "cycles") >= port);
        assert_true(life >= run_value(&r, "cycles") - 0.05 * port);
    }
}

/* The same under every number of sub-cores, be it a divisor of anything or not. */
static void odd_numbers_of_subcores_are_served_alike(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++) {
        struct machine m = run_machine("qv100", NULL, 0);
        m.sm.subcores = n;
        m.sm.max_warps = 8 * n;
        const struct hand_op *op = independent_loads(m.sm.warp_width);
        struct metrics r = run_whole(&m, hand_program(op, 1, n, m.sm.warp_width));
        double net = run_value(&r, "cycles") - m.sm.launch_cycles;
        double life = run_value(&r, "warp_cycles.compute") + run_value(&r, "warp_cycles.memory");
        assert_true(life >= net - 0.05 * LOADS * n);
    }
}

/* Loads of shared memory, each of which waits for the one before; `ways` lanes share a bank. */
static double chase_cycles(const struct machine *m, uint32_t n, uint32_t ways)
{
    struct hand_op op[LOADS + 1];
    assert_true(n <= LOADS);
    for (uint32_t i = 0; i < n; i++)
        op[i] = (struct hand_op){.cls = OP_SHARED_LOAD,
                                 .space = SPACE_SHARED,
                                 .pc = 16 * i,
                                 .stride = UINT64_C(4) * m->sm.shared_banks,
                                 .lanes = ways,
                                 .after = true};
    op[n] = (struct hand_op){.cls = OP_N};
    struct metrics r = run_whole(m, hand_program(op, 1, 1, m->sm.warp_width));
    return run_value(&r, "cycles");
}

/* A load of shared memory takes its latency, behind the address pipeline that pipeline's as well,
 * and a cycle more for every further lane of its bank. */
static void shared_memory_takes_the_configured_time(void **state)
{
    (void)state;
    static const char *const own[] = {"sm.shared_pipeline=own"};
    static const char *const memory[] = {"sm.shared_pipeline=memory"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine("qv100", i ? memory : own, 1);
        double pipe = i ? m.sm.memory_latency : 0;
        for (uint32_t ways = 1; ways <= 32; ways *= 2) {
            double each = (chase_cycles(&m, LOADS, ways) - chase_cycles(&m, LOADS / 2, ways)) /
                          (LOADS - LOADS / 2.0);
            assert_near(each, pipe + m.sm.shared_latency + ways - 1, 0);
        }
    }
}

/* Two bytes a cycle: a lane's word takes two. */
static void shared_memory_moves_so_many_bytes_a_cycle(void **state)
{
    (void)state;
    static const char *const bytes[] = {"sm.shared_bytes=2"};
    struct machine m = run_machine("qv100", bytes, 1);
    for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
        double each = (chase_cycles(&m, LOADS, lanes) - chase_cycles(&m, LOADS / 2, lanes)) /
                      (LOADS - LOADS / 2.0);
        double pipe = m.sm.shared_pipeline == SHARED_MEMORY ? m.sm.memory_latency : 0;
        assert_near(each, pipe + m.sm.shared_latency + 2 * lanes - 1, 0);
    }
}

/* The cycles of so many instructions of a class, of one warp, that do not wait for each other. */
static double independent_cycles(const struct machine *m, uint8_t cls, uint32_t n)
{
    struct hand_op *op = calloc(n + 1, sizeof *op);
    assert_non_null(op);
    for (uint32_t i = 0; i < n; i++)
        op[i] = (struct hand_op){.cls = cls, .pc = 16 * i};
    op[n] = (struct hand_op){.cls = OP_N};
    struct metrics r = run_whole(m, hand_program(op, 1, 1, m->sm.warp_width));
    free(op);
    return run_value(&r, "cycles");
}

/* A matrix unit takes a warpgroup's instruction every units.tensor.interval cycles, a warp's own
 * every mma_sync_interval in the mean, which is as the other where it is 0. */
static void a_warp_alone_multiplies_at_its_own_rate(void **state)
{
    (void)state;
    static const char *const sets[][2] = {
        {"sm.units.tensor.interval=4", "sm.mma_sync_interval=6.2"},
        {"sm.units.tensor.interval=4", "sm.mma_sync_interval=0"}};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine("qv100", sets[i], 2);
        for (int group = 0; group < 2; group++) {
            uint8_t cls = group ? OP_WGMMA : OP_TENSOR;
            double each =
                (independent_cycles(&m, cls, 1500) - independent_cycles(&m, cls, 500)) / 1000;
            assert_near(each, i == 0 && !group ? 6.2 : 4, 0.002);
        }
    }
}

/* An FP32 unit takes an instruction every fp32_interval cycles in the mean, or every
 * units.fp32.interval where it is 0; other units keep theirs. */
static void an_fp32_unit_has_a_rate_between_cycles(void **state)
{
    (void)state;
    static const char *const sets[][2] = {{"sm.units.fp32.interval=1", "sm.fp32_interval=1.3"},
                                          {"sm.units.fp32.interval=1", "sm.fp32_interval=0"}};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine("qv100", sets[i], 2);
        double most[] = {independent_cycles(&m, OP_FP32, 1500),
                         independent_cycles(&m, OP_INT, 1500)};
        double least[] = {independent_cycles(&m, OP_FP32, 500),
                          independent_cycles(&m, OP_INT, 500)};
        assert_near((most[0] - least[0]) / 1000, i == 0 ? 1.3 : 1, 0.002);
        assert_near((most[1] - least[1]) / 1000, 2, 0.002);
    }
}

/* Two warps, one on global and one on shared memory, each instruction independent: side by side
 * with a pipeline of its own, in turns with the one that both share.  A conflict of shared memory
 * then keeps the other from it, too. */
static double both_cycles(const char *pipeline, uint32_t n, uint32_t ways)
{
    struct machine m = run_machine("qv100", &pipeline, 1);
    struct written t = written_begin(m.sm.warp_width);
    struct error e = {0};
    const struct launch l = {.name = "hand", .grid = {1, 1, 1}, .block = {64, 1, 1}};
    const struct hand_op end = {.cls = OP_EXIT};
    const struct hand_op load[2] = {{.cls = OP_LOAD, .space = SPACE_GLOBAL, .pc = 16, .addr = BASE},
                                    {.cls = OP_SHARED_LOAD,
                                     .space = SPACE_SHARED,
                                     .pc = 32,
                                     .stride = UINT64_C(4) * m.sm.shared_banks,
                                     .lanes = ways}};
    assert_true(writer_launch_begin(t.w, &l, &e) && writer_cta_begin(t.w, &e));
    for (uint32_t warp = 0; warp < 2; warp++) {
        for (uint32_t i = 0; i < n; i++)
            hand_inst(t.w, warp, &load[warp], i);
        hand_inst(t.w, warp, &end, 0);
    }
    assert_true(writer_cta_end(t.w, &e) && writer_launch_end(t.w, &e));
    struct metrics r = run_whole(&m, written_end(&t));
    return run_value(&r, "cycles");
}

static void global_and_shared_memory_take_turns_in_one_pipeline(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= 4; ways *= 2) {
        double own = both_cycles("sm.shared_pipeline=own", 1400, ways) -
                     both_cycles("sm.shared_pipeline=own", 1000, ways);
        double one = both_cycles("sm.shared_pipeline=memory", 1400, ways) -
                     both_cycles("sm.shared_pipeline=memory", 1000, ways);
        assert_near(own, 400.0 * ways, 4);
        assert_near(one, 400.0 * (1 + ways), 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyone_gets_as_much_of_the_memory_port),
        cmocka_unit_test(odd_numbers_of_subcores_are_served_alike),
        cmocka_unit_test(shared_memory_takes_the_configured_time),
        cmocka_unit_test(shared_memory_moves_so_many_bytes_a_cycle),
        cmocka_unit_test(a_warp_alone_multiplies_at_its_own_rate),
        cmocka_unit_test(an_fp32_unit_has_a_rate_between_cycles),
        cmocka_unit_test(global_and_shared_memory_take_turns_in_one_pipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
