/* scalar.c - scalar caches against closed forms: latencies to the cycle, who shares one,
 * fills that wake several SMs, what goes there. */
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

/* Core, network and L2 in step; an SM holds one warp, so that CTA i is SM i's. */
#define PLAIN                                                                                   \
    "clock.core_mhz=1000.0", "clock.noc_mhz=1000.0", "clock.l2_mhz=1000.0", "dram.model=fixed", \
        "dram.clock_mhz=1000.0", "sm.memory_wait=scoreboard", "sm.max_warps=4", "sm.max_ctas=1"

#define LOAD_AT(where, space_)                                                               \
    {                                                                                        \
        .cls = OP_LOAD, .space = space_, .pc = 16, .addr = where, .lanes = 64, .after = true \
    }

static struct metrics run(const struct hand_op *op, uint32_t ctas, const char *const *sets,
                          size_t n)
{
    struct machine m = run_machine("rx540", sets, n);
    return run_whole(&m, hand_program(op, ctas, 1, m.sm.warp_width));
}
#define SETS(...) \
    (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

static double mean_latency(const struct metrics *m)
{
    return run_value(m, "latency.load_mean");
}

/* Chains of dependent loads of one line of constants. */
enum { CHAIN = 40 };
static void chain(struct hand_op *op, uint8_t space)
{
    const struct hand_op load = LOAD_AT(1 << 20, space);
    for (uint32_t i = 0; i < CHAIN; i++)
        op[i] = load;
    op[CHAIN] = (struct hand_op){.cls = OP_N};
}

static void a_hit_takes_the_address_pipeline_and_the_look_up(void **state)
{
    struct hand_op op[CHAIN + 1];
    double cycles[2];
    (void)state;
    chain(op, SPACE_CONST);
    for (int k = 0; k < 2; k++) {
        struct metrics m = run(op, 1,
                               SETS(PLAIN, "sm.count=1", "scalar.loads=constant",
                                    k ? "scalar.latency=9" : "scalar.latency=4"));
        assert_int_equal(run_value(&m, "scalar.accesses"), CHAIN);
        assert_int_equal(run_value(&m, "scalar.misses"), 1);
        assert_int_equal(run_value(&m, "scalar.hits"), CHAIN - 1);
        assert_int_equal(run_value(&m, "l1.accesses"), 0);
        cycles[k] = run_value(&m, "cycles");
    }
    assert_int_equal(cycles[1] - cycles[0], 5 * CHAIN);
    struct machine m = run_machine("rx540", NULL, 0);
    struct metrics one = run(op, 1, SETS(PLAIN, "sm.count=1", "scalar.loads=constant"));
    struct metrics l1 = run(op, 1, SETS(PLAIN, "sm.count=1"));
    double hit = m.sm.memory_latency + 1, vector = m.sm.memory_latency + m.l1.latency;
    double first = mean_latency(&one) * CHAIN - hit * (CHAIN - 1);
    double first_l1 = mean_latency(&l1) * CHAIN - vector * (CHAIN - 1);
    /* a miss is one cycle longer than the L1's, but for the look-up: its reply goes on from the SM
     */
    assert_near(first - hit, first_l1 - vector + 1, 1e-6);
}

static void vector_loads_stay_with_the_l1(void **state)
{
    const struct hand_op op[] = {
        LOAD_AT(1 << 20, SPACE_CONST),
        LOAD_AT(1 << 21, SPACE_GLOBAL),
        {.cls = OP_LOAD, .space = SPACE_CONST, .addr = 1 << 22, .stride = 4, .lanes = 64},
        {.cls = OP_LOAD,
         .space = SPACE_GLOBAL,
         .addr = 1 << 23,
         .lanes = 64,
         .hint = HINT_BYPASS_L1},
        {.cls = OP_N}};
    static const char *const loads[] = {"scalar.loads=none", "scalar.loads=constant",
                                        "scalar.loads=uniform"};
    (void)state;
    struct metrics none = run(op, 1, SETS(PLAIN, loads[0]));
    double all = run_value(&none, "l1.reads"), v;
    assert_false(metrics_value(&none, "scalar.accesses", &v));
    for (int k = 1; k < 3; k++) {
        struct metrics m = run(op, 1, SETS(PLAIN, loads[k]));
        assert_int_equal(run_value(&m, "scalar.accesses"), k);
        assert_int_equal(run_value(&m, "l1.reads"), all - k);
        assert_int_equal(run_value(&m, "l2.reads"), run_value(&none, "l2.reads"));
    }
}

/* Ten SMs ask for the same line at once: a request and a fill per cache, which wakes all of its
 * SMs; 10 SMs by 4 are three caches, of 4, 3 and 3. */
static void one_fill_wakes_the_sms_that_share_a_cache(void **state)
{
    const struct hand_op op[] = {LOAD_AT(1 << 20, SPACE_CONST), {.cls = OP_N}};
    static const struct {
        const char *set;
        int caches;
    } by[] = {{"scalar.sms_per_cache=1", 10},
              {"scalar.sms_per_cache=4", 3},
              {"scalar.sms_per_cache=5", 2},
              {"scalar.sms_per_cache=64", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        struct metrics m =
            run(op, 10, SETS(PLAIN, "sm.count=10", "scalar.loads=constant", by[i].set));
        assert_int_equal(run_value(&m, "scalar.accesses"), 10);
        assert_int_equal(run_value(&m, "scalar.misses"), by[i].caches);
        assert_int_equal(run_value(&m, "scalar.merges"), 10 - by[i].caches);
        assert_int_equal(run_value(&m, "l2.reads"), by[i].caches);
    }
    struct scalar_params p = {.loads = SCALAR_CONSTANT, .sms_per_cache = 4};
    uint32_t of[3] = {0};
    for (uint32_t sm = 0; sm < 10; sm++)
        of[scalar_cache_of(&p, 10, sm)]++;
    assert_true(of[0] == 4 && of[1] == 3 && of[2] == 3);
}

/* Loads of one warp, each to a line of its own, none waiting for another: an MSHR lets one through
 * per round trip. */
static void one_mshr_lets_one_miss_through_at_a_time(void **state)
{
    struct hand_op op[17];
    double cycles[3];
    static const char *const entries[] = {"scalar.mshr.entries=0", "scalar.mshr.entries=2",
                                          "scalar.mshr.entries=1"};
    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_CONST,
                                 .pc = 16,
                                 .addr = (1 << 20) + 64 * (uint64_t)i,
                                 .lanes = 64};
    op[16] = (struct hand_op){.cls = OP_N};
    struct metrics alone = run(op + 15, 1, SETS(PLAIN, "sm.count=1", "scalar.loads=constant"));
    for (int k = 0; k < 3; k++) {
        struct metrics m =
            run(op, 1, SETS(PLAIN, "sm.count=1", "scalar.loads=constant", entries[k]));
        assert_int_equal(run_value(&m, "scalar.misses"), 16);
        cycles[k] = run_value(&m, "cycles");
        if (k) assert_true(run_value(&m, "scalar.stall_cycles") > 0);
    }
    double trip = mean_latency(&alone);
    assert_true(cycles[0] < run_value(&alone, "cycles") + 64);
    assert_near((cycles[2] - run_value(&alone, "cycles")) / (15 * trip), 1, 0.1);
    assert_near((cycles[1] - run_value(&alone, "cycles")) / (7 * trip), 1, 0.1);
}

/* A launch begins with empty caches; an acquire empties those that hold global memory. */
static void an_acquire_drops_copies_of_global_memory(void **state)
{
    const struct hand_op op[] = {LOAD_AT(1 << 20, SPACE_GLOBAL), LOAD_AT(1 << 21, SPACE_CONST),
                                 {.cls = OP_ACQUIRE, .pc = 32},  LOAD_AT(1 << 20, SPACE_GLOBAL),
                                 LOAD_AT(1 << 21, SPACE_CONST),  {.cls = OP_N}};
    (void)state;
    struct metrics u = run(op, 1, SETS(PLAIN, "sm.count=1", "scalar.loads=uniform"));
    struct metrics c = run(op, 1, SETS(PLAIN, "sm.count=1", "scalar.loads=constant"));
    assert_int_equal(run_value(&u, "scalar.misses"), 4);
    assert_int_equal(run_value(&c, "scalar.misses"), 1);
    assert_int_equal(run_value(&c, "scalar.hits"), 1);
}

/* The middle of a launch finds in the cache what its beginning has left there. */
static void a_window_finds_what_was_read_before_it(void **state)
{
    struct hand_op op[CHAIN + 1];
    const char *const sets[] = {PLAIN, "sm.count=4", "scalar.loads=constant"};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    struct snapshot at;
    struct error e = {0};
    struct metrics warm, cold;
    uint64_t middle = CHAIN * 4 / 2;
    (void)state;
    chain(op, SPACE_CONST);
    struct program *p = hand_program(op, 4, 1, m.sm.warp_width);
    struct sim *s = sim_new(&m, p, &e);
    assert_true(s && checkpoints_take_snapshots(&m, p, &middle, 1, true, &at, &e));
    assert_int_equal(sim_interval(s, &at.interval, at.warm, &warm, &e), SIM_DONE);
    assert_int_equal(sim_interval(s, &at.interval, NULL, &cold, &e), SIM_DONE);
    assert_int_equal(run_value(&warm, "scalar.misses"), 0);
    assert_true(run_value(&warm, "scalar.hits") > CHAIN);
    assert_int_equal(run_value(&cold, "scalar.misses"), 1);
    snapshot_fini(&at);
    sim_free(s);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_takes_the_address_pipeline_and_the_look_up),
        cmocka_unit_test(vector_loads_stay_with_the_l1),
        cmocka_unit_test(one_fill_wakes_the_sms_that_share_a_cache),
        cmocka_unit_test(one_mshr_lets_one_miss_through_at_a_time),
        cmocka_unit_test(a_window_finds_what_was_read_before_it),
        cmocka_unit_test(an_acquire_drops_copies_of_global_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
