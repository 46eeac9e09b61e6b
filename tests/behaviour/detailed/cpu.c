/* cpu.c - the CPUs beside the GPU: which blocks they supply, how fast, and until when they own
 * them; what those do that work while a kernel runs.  Expectations come from counts of blocks, LRU
 * and closed forms. */
#include "tests/support/hand.h"

#include <math.h>

/* One SM, an L2 of 16 KB in 16 slices: what is read again comes from behind it.  A memory that
 * writes at once, so that nothing is in its queues when a run ends. */
#define SMALL_L2 "sm.count=1", "l2.bank_kb=1", "dram.model=fixed"
#define FENCE           \
    {                   \
        .cls = OP_FENCE \
    }
#define END         \
    {               \
        .cls = OP_N \
    }

enum { BLOCK = 64, LANES = 16, CACHE_KB = 64, OWNED = CACHE_KB * 1024 / BLOCK };

static const char *const machine_name = "apu-quickrelease-wt";
static const uint64_t copied = 1 << 20; /* address of what the host writes */

/* --- programs --- */

static void one_launch(struct writer *w, const struct hand_op *op, uint32_t width)
{
    struct error e = {0};
    const struct hand_op end = {.cls = OP_EXIT};
    const struct launch l = {.name = "cpu", .grid = {1, 1, 1}, .block = {width, 1, 1}};
    assert_true(writer_launch_begin(w, &l, &e));
    assert_true(writer_cta_begin(w, &e));
    for (uint32_t i = 0; op[i].cls != OP_N; i++)
        hand_inst(w, 0, &op[i], i);
    hand_inst(w, 0, &end, 0);
    assert_true(writer_cta_end(w, &e) && writer_launch_end(w, &e));
}

/* The host writes so many blocks before each of the launches. */
static struct metrics run_behind_copies(const char *const *sets, size_t n, uint64_t blocks,
                                        const struct hand_op *op, uint32_t launches)
{
    struct machine m = run_machine(machine_name, sets, n);
    struct written t = written_begin(m.sm.warp_width);
    struct error e = {0};
    for (uint32_t i = 0; i < launches; i++) {
        if (blocks)
            assert_true(writer_copy(t.w, COMMAND_COPY_TO_DEVICE, copied, blocks * BLOCK, &e));
        one_launch(t.w, op, m.sm.warp_width);
    }
    return run_whole(&m, written_end(&t));
}

#define BEHIND_COPIES(blocks, op, launches, ...)                                               \
    run_behind_copies((const char *const[]){__VA_ARGS__},                                      \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), blocks, op, \
                      launches)

struct blocks {
    enum op_class cls;
    uint32_t first, n, lanes; /* lanes: of 4 bytes each; LANES are the whole block */
};

/* Accesses to rows of blocks, a fence behind each row; `waits`: each load waits for the last. */
static const struct hand_op *accesses(const struct blocks *b, uint32_t rows, bool waits)
{
    static struct hand_op op[16384];
    uint32_t n = 0;
    for (uint32_t k = 0; k < rows; k++) {
        for (uint32_t i = 0; i < b[k].n; i++)
            op[n++] = (struct hand_op){.cls = (uint8_t)b[k].cls,
                                       .space = SPACE_GLOBAL,
                                       .addr = copied + (uint64_t)(b[k].first + i) * BLOCK,
                                       .stride = 4,
                                       .lanes = b[k].lanes,
                                       .after = waits && b[k].cls == OP_LOAD};
        op[n++] = (struct hand_op)FENCE;
    }
    op[n] = (struct hand_op)END;
    return op;
}

/* --- supplies --- */

static void what_the_host_wrote_comes_from_the_cpus(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= OWNED; n *= 4) {
        const struct blocks read = {OP_LOAD, 0, n, LANES};
        struct metrics r = BEHIND_COPIES(n, accesses(&read, 1, true), 1, SMALL_L2);
        assert_near(run_value(&r, "cpu.supplies"), n, 0);
        assert_near(run_value(&r, "l3.reads"), n, 0);
        assert_near(run_value(&r, "dram.reads"), 0, 0);
        struct metrics none = BEHIND_COPIES(0, accesses(&read, 1, true), 1, SMALL_L2);
        assert_near(run_value(&none, "cpu.supplies"), 0, 0);
        assert_near(run_value(&none, "dram.reads"), n, 0);
    }
}

/* Of a copy that is larger than the CPUs' caches they keep the end. */
static void they_keep_what_was_written_last(void **state)
{
    enum { COPIED = 3 * OWNED };
    static const struct blocks rows[] = {{OP_LOAD, 0, COPIED - OWNED, LANES},
                                         {OP_LOAD, COPIED - OWNED, OWNED, LANES},
                                         {OP_LOAD, 0, COPIED, LANES}};
    static const double supplied[] = {0, OWNED, OWNED};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct metrics r =
            BEHIND_COPIES(COPIED, accesses(&rows[i], 1, true), 1, SMALL_L2, "cpu.cache_kb=64");
        assert_near(run_value(&r, "cpu.supplies"), supplied[i], 0);
        assert_near(run_value(&r, "dram.reads"), rows[i].n - supplied[i], 0);
    }
}

/* One load that they serve: the probe instead of the L3's data. */
static void a_supply_takes_the_probe(void **state)
{
    static const char *const probe[] = {"cpu.probe_latency=40", "cpu.probe_latency=77"};
    const struct blocks few = {OP_LOAD, 0, 20, LANES}, many = {OP_LOAD, 0, 70, LANES};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        const char *const sets[] = {SMALL_L2, probe[i]};
        struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
        struct metrics a = BEHIND_COPIES(70, accesses(&few, 1, true), 1, SMALL_L2, probe[i]);
        struct metrics b = BEHIND_COPIES(70, accesses(&many, 1, true), 1, SMALL_L2, probe[i]);
        double want = m.sm.memory_latency + m.l1.latency + 2.0 * m.noc.latency + m.l2.latency + 1 +
                      2.0 * m.l3.link_latency + m.l3.tag_latency + m.cpu.probe_latency;
        assert_near((run_value(&b, "cycles") - run_value(&a, "cycles")) / 50, want, 0);
    }
}

/* Blocks that are asked for together come one after the other. */
static void they_supply_a_block_at_a_time(void **state)
{
    static const char *const every[] = {"cpu.supply_cycles=40", "cpu.supply_cycles=100"};
    static const double cycles[] = {40, 100};
    const struct blocks few = {OP_LOAD, 0, 200, LANES}, many = {OP_LOAD, 0, 500, LANES};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct metrics a = BEHIND_COPIES(500, accesses(&few, 1, false), 1, SMALL_L2, every[i]);
        struct metrics b = BEHIND_COPIES(500, accesses(&many, 1, false), 1, SMALL_L2, every[i]);
        assert_near(run_value(&b, "cpu.supplies"), 500, 0);
        assert_true(run_value(&b, "cycles") >= 499 * cycles[i]);
        double more = run_value(&b, "cycles") - run_value(&a, "cycles");
        assert_near(more / 300, cycles[i], 0);
    }
}

/* --- ownership --- */

/* Who supplies a block stays its owner; who stores to it takes it from them, until the host writes
 * it again. */
static void a_store_takes_the_block(void **state)
{
    enum { N = 512 }; /* more than the L2 and the L1 hold */
    static const struct blocks reads[] = {{OP_LOAD, 0, N, LANES}, {OP_LOAD, 0, N, LANES}};
    static const struct blocks whole[] = {
        {OP_LOAD, 0, N, LANES}, {OP_STORE, 0, N, LANES}, {OP_LOAD, 0, N, LANES}};
    static const struct blocks part[] = {
        {OP_LOAD, 0, N, LANES}, {OP_STORE, 0, N, 1}, {OP_LOAD, 0, N, LANES}};
    (void)state;
    struct metrics r = BEHIND_COPIES(N, accesses(reads, 2, true), 1, SMALL_L2);
    assert_near(run_value(&r, "cpu.supplies"), 2 * N, 0);
    assert_near(run_value(&r, "dram.reads"), 0, 0);
    for (uint32_t launches = 1; launches <= 2; launches++) {
        r = BEHIND_COPIES(N, accesses(whole, 3, true), launches, SMALL_L2);
        assert_near(run_value(&r, "cpu.supplies"), launches * N, 0);
        assert_near(run_value(&r, "dram.reads"), launches * N, 0);
        r = BEHIND_COPIES(N, accesses(part, 3, true), launches, SMALL_L2);
        assert_near(run_value(&r, "cpu.supplies"), launches * N, 0);
        assert_near(run_value(&r, "dram.reads"), launches * N, 0);
    }
}

/* The CPUs' block goes to memory ahead of a store that leaves some of it as it is. */
static void what_a_store_leaves_goes_ahead_of_it(void **state)
{
    enum { N = 300 };
    (void)state;
    for (uint32_t lanes = 1; lanes <= LANES; lanes *= 2) {
        const struct blocks stores = {OP_STORE, 0, N, lanes};
        struct metrics own = BEHIND_COPIES(N, accesses(&stores, 1, true), 1, SMALL_L2);
        struct metrics none = BEHIND_COPIES(0, accesses(&stores, 1, true), 1, SMALL_L2);
        assert_near(run_value(&own, "dram.writes"), lanes < LANES ? 2 * N : N, 0);
        assert_near(run_value(&none, "dram.writes"), N, 0);
    }
}

/* The host's writes leave no copy in the GPU's caches that a later launch could find. */
static void what_the_host_writes_leaves_the_gpu(void **state)
{
    enum { N = 64, LAUNCHES = 3 };
    const struct blocks read = {OP_LOAD, 0, N, LANES};
    (void)state;
    struct metrics r = BEHIND_COPIES(N, accesses(&read, 1, true), LAUNCHES, "sm.count=1",
                                     "l1.flush_at_launch=false");
    assert_near(run_value(&r, "cpu.supplies"), N * LAUNCHES, 0);
}

/* --- agents --- */

enum { STEPS = 60000 };

/* A kernel that computes and does not touch the memory. */
static struct metrics beside_agents(const char *agents, const char *rate, const char *share)
{
    static struct hand_op op[STEPS + 1];
    for (uint32_t i = 0; i < STEPS; i++)
        op[i] = (struct hand_op){.cls = OP_INT};
    op[STEPS] = (struct hand_op)END;
    return BEHIND_COPIES(0, op, 1, SMALL_L2, agents, rate, share, "cpu.locality=0");
}

/* Shares are of independent draws: within four standard deviations. */
static void agents_ask_as_often_as_they_should(void **state)
{
    static const struct {
        const char *agents, *rate, *share;
        double per_cycle, writes;
    } c[] = {{"cpu.agents=1", "cpu.rate=50", "cpu.write_share=25", 0.05, 0.25},
             {"cpu.agents=4", "cpu.rate=20", "cpu.write_share=0", 0.08, 0},
             {"cpu.agents=8", "cpu.rate=10", "cpu.write_share=60", 0.08, 0.6},
             {"cpu.agents=2", "cpu.rate=30", "cpu.write_share=100", 0.06, 1}};
    (void)state;
    for (uint32_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct metrics r = beside_agents(c[i].agents, c[i].rate, c[i].share);
        double requests = run_value(&r, "cpu.requests"), writes = run_value(&r, "dram.writes");
        double deviation = sqrt(requests * c[i].writes * (1 - c[i].writes));
        assert_true(requests > 5000);
        assert_near(requests / run_value(&r, "cycles") / c[i].per_cycle, 1, 0.05);
        assert_near(writes, requests * c[i].writes, 4 * deviation + 4); /* on their way */
        assert_near(run_value(&r, "l3.reads") + run_value(&r, "l3.writes"), requests, 16);
        assert_near(run_value(&r, "l3.bytes_in"), 0, 0); /* of the L2 */
    }
}

static void agents_do_the_same_every_time(void **state)
{
    (void)state;
    struct metrics a = beside_agents("cpu.agents=3", "cpu.rate=40", "cpu.write_share=30");
    struct metrics b = beside_agents("cpu.agents=3", "cpu.rate=40", "cpu.write_share=30");
    assert_memory_equal(a.v, b.v, sizeof a.v);
}

/* Agents that ask for more than the memory can give wait, and leave the GPU its turns. */
static void agents_do_not_ask_for_more_than_there_is(void **state)
{
    enum { LOADS = 100, AGENTS = 64, ON_THE_LINK = AGENTS * (4 + 4 + 1), QUEUED = 4 * 16 };
    const struct blocks read = {OP_LOAD, 0, LOADS, LANES};
    (void)state;
    struct metrics r = BEHIND_COPIES(0, accesses(&read, 1, true), 1, "sm.count=1", "cpu.agents=64",
                                     "cpu.rate=1000", "cpu.locality=0");
    struct machine m = run_machine(machine_name, NULL, 0);
    double peak = m.dram.channels * m.dram.bus_bytes * m.dram.beats_per_clock * 400e6 / 1e9;
    double bytes = (run_value(&r, "dram.reads") + run_value(&r, "dram.writes")) * BLOCK;
    double taken = run_value(&r, "l3.reads") + run_value(&r, "l3.writes") - LOADS;
    assert_true(bytes <= peak * run_value(&r, "cycles"));
    assert_true(bytes > 0.2 * peak * run_value(&r, "cycles"));
    assert_in_range(run_value(&r, "cpu.requests") - taken, 0, ON_THE_LINK + QUEUED + AGENTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_host_wrote_comes_from_the_cpus),
        cmocka_unit_test(they_keep_what_was_written_last),
        cmocka_unit_test(a_supply_takes_the_probe),
        cmocka_unit_test(they_supply_a_block_at_a_time),
        cmocka_unit_test(a_store_takes_the_block),
        cmocka_unit_test(what_a_store_leaves_goes_ahead_of_it),
        cmocka_unit_test(what_the_host_writes_leaves_the_gpu),
        cmocka_unit_test(agents_ask_as_often_as_they_should),
        cmocka_unit_test(agents_do_the_same_every_time),
        cmocka_unit_test(agents_do_not_ask_for_more_than_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
