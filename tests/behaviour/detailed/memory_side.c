/* memory_side.c - the memory-side cache (L3): what a hit and a miss take, to the cycle; where its
 * capacity ends; what writes do to its copies and to the memory; what is counted on its link.
 * Closed forms from the parameters; no figure of ours. */
#include "tests/support/hand.h"

#include <stdio.h>

#define CHASE(footprint, iterations)                                                      \
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; order = \"sequential\";" \
    "footprint = " #footprint "; stride = 64; iterations = " #iterations ";"
/* An L2 of 16 KB in 16 slices, a memory of one latency, all clocks equal, one SM. */
#define SMALL_L2 \
    "sm.count=1", "l2.bank_kb=1", "dram.model=fixed", "dram.clock_mhz=1000", "cpu.cache_kb=0"
#define FENCE           \
    {                   \
        .cls = OP_FENCE \
    }
#define END         \
    {               \
        .cls = OP_N \
    }

enum { BLOCK = 64, LANES = 16, SLICE_STRIDE = 4096, WAYS = 16 };

static const char *const machine_name = "apu-quickrelease-wt";

/* --- latency --- */

/* Cycles of a load of a ring that is larger than the L1 and the L2. */
static double load_takes(const struct machine *m)
{
    struct metrics more = run_on(m, CHASE(65536, 3072)), less = run_on(m, CHASE(65536, 2048));
    return (run_value(&more, "cycles") - run_value(&less, "cycles")) / 1024;
}

/* A load that hits the L2. */
static double to_the_l2(const struct machine *m)
{
    return m->sm.memory_latency + m->l1.latency + 2.0 * m->noc.latency + m->l2.extra_latency +
           m->l2.latency;
}

/* Link, tags and data, link; each stage sees what it is given at its next edge. */
static void a_hit_takes_the_link_twice_tags_and_data(void **state)
{
    static const char *const times[][3] = {
        {"l3.link_latency=4", "l3.tag_latency=4", "l3.latency=20"},
        {"l3.link_latency=11", "l3.tag_latency=4", "l3.latency=20"},
        {"l3.link_latency=4", "l3.tag_latency=17", "l3.latency=20"},
        {"l3.link_latency=0", "l3.tag_latency=0", "l3.latency=33"}};
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const char *const sets[] = {SMALL_L2, times[i][0], times[i][1], times[i][2]};
        struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
        double want = to_the_l2(&m) + 1 + 2.0 * m.l3.link_latency + m.l3.latency;
        assert_near(load_takes(&m), want, 0);
    }
}

/* One load at a time: what a part's data take counts where it is longer than the rest of a load. */
static void hits_come_no_faster_than_data_move(void **state)
{
    static const struct {
        const char *set;
        double cycles;
    } known[] = {{"l3.bytes_per_cycle=0.25", 4 * BLOCK},
                 {"l3.bytes_per_cycle=0.15625", 6.4 * BLOCK},
                 {"l3.bytes_per_cycle=64", 0}};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        const char *const sets[] = {SMALL_L2, "dram.channels=1", known[i].set};
        struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
        double rest = to_the_l2(&m) + 1 + 2.0 * m.l3.link_latency + m.l3.latency;
        assert_near(load_takes(&m), known[i].cycles > rest ? known[i].cycles : rest, 0.01);
    }
}

static void a_miss_takes_the_tags_and_the_memory(void **state)
{
    static const char *const times[][2] = {{"l3.link_latency=4", "l3.tag_latency=4"},
                                           {"l3.link_latency=11", "l3.tag_latency=4"},
                                           {"l3.link_latency=4", "l3.tag_latency=17"}};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        const char *const sets[] = {SMALL_L2, "l3.kb=16", times[i][0], times[i][1]};
        struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
        double want = to_the_l2(&m) + 1 + 2.0 * m.l3.link_latency + m.l3.tag_latency + 1 +
                      m.dram.fixed_latency;
        assert_near(load_takes(&m), want, 0);
    }
}

/* Without an L3 nothing of it is left: neither time nor metrics. */
static void an_l3_that_is_off_costs_nothing(void **state)
{
    static const enum metric its_own[] = {M_l3_reads,    M_l3_read_hits, M_l3_writes,
                                          M_l3_hit_rate, M_l3_bytes_in,  M_l3_bytes_out};
    (void)state;
    const char *const sets[] = {SMALL_L2, "l3.kb=0"};
    struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
    assert_near(load_takes(&m), to_the_l2(&m) + 1 + m.dram.fixed_latency, 0);
    struct metrics without = run_on(&m, CHASE(65536, 2048));
    const char *const with_sets[] = {SMALL_L2};
    m = run_machine(machine_name, with_sets, sizeof with_sets / sizeof *with_sets);
    struct metrics with = run_on(&m, CHASE(65536, 2048));
    for (uint32_t i = 0; i < sizeof its_own / sizeof *its_own; i++)
        assert_true(with.has[its_own[i]] && !without.has[its_own[i]]);
}

/* --- capacity --- */

static struct metrics ring(const char *kb, uint32_t footprint, uint32_t laps)
{
    char text[256], l3[32];
    snprintf(l3, sizeof l3, "l3.kb=%s", kb);
    snprintf(text, sizeof text,
             "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; order = \"sequential\";"
             "footprint = %u; stride = 64; iterations = %u;",
             footprint, laps * footprint / BLOCK);
    const char *const sets[] = {SMALL_L2, l3};
    struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
    return run_on(&m, text);
}

/* A ring that fits misses once per block; one that does not never hits under LRU. */
static void hits_end_at_the_capacity(void **state)
{
    enum { LAPS = 4 };
    static const uint32_t kb[] = {32, 48, 64, 128, 256};
    (void)state;
    for (uint32_t i = 0; i < sizeof kb / sizeof *kb; i++) {
        double blocks = kb[i] * 1024.0 / BLOCK;
        struct metrics r = ring("64", kb[i] * 1024, LAPS);
        assert_near(run_value(&r, "l3.reads"), LAPS * blocks, 0);
        assert_near(run_value(&r, "l3.read_hits"), kb[i] <= 64 ? (LAPS - 1) * blocks : 0, 0);
        assert_near(run_value(&r, "dram.reads"), kb[i] <= 64 ? blocks : LAPS * blocks, 0);
    }
}

/* --- writes --- */

static struct metrics write_run(const char *write, const struct hand_op *op)
{
    char set[32];
    snprintf(set, sizeof set, "l3.write=%s", write);
    return HAND(machine_name, op, 1, SMALL_L2, set);
}

static struct hand_op whole_block(enum op_class cls, uint64_t addr)
{
    return (struct hand_op){.cls = (uint8_t)cls,
                            .space = SPACE_GLOBAL,
                            .addr = addr,
                            .stride = 4,
                            .lanes = LANES,
                            .after = cls == OP_LOAD};
}

/* Loads a block, then others until L1 and L2 have lost it; stores to it if told so, loads again. */
static void load_store_load(struct hand_op *op, bool stores)
{
    enum { A = 1 << 20 };
    for (uint32_t i = 0; i <= WAYS; i++)
        *op++ = whole_block(OP_LOAD, A + i * SLICE_STRIDE);
    *op++ = stores ? whole_block(OP_STORE, A) : (struct hand_op)FENCE;
    *op++ = (struct hand_op)FENCE;
    *op++ = whole_block(OP_LOAD, A);
    *op = (struct hand_op)END;
}

static void a_write_around_takes_the_copy_with_it(void **state)
{
    struct hand_op reads[WAYS + 5], op[WAYS + 5];
    (void)state;
    load_store_load(reads, false);
    load_store_load(op, true);
    struct metrics none = write_run("around", reads), around = write_run("around", op),
                   back = write_run("back", op);
    assert_near(run_value(&none, "l3.read_hits"), 1, 0);
    assert_near(run_value(&around, "l3.read_hits"), 0, 0);
    assert_near(run_value(&around, "dram.reads"), WAYS + 2, 0);
    assert_near(run_value(&around, "dram.writes"), 1, 0);
    assert_near(run_value(&back, "l3.read_hits"), 1, 0);
    assert_near(run_value(&back, "dram.reads"), WAYS + 1, 0);
    assert_near(run_value(&back, "dram.writes"), 0, 0);
}

enum { WRITTEN = 24, TIMES = 5, EVICTING = 1024 };

/* Loads blocks, stores to each several times, and loads others in their place if told so. */
static struct hand_op *store_often(bool evicts)
{
    static struct hand_op op[WRITTEN * (TIMES + 1) + EVICTING + 2];
    uint32_t n = 0;
    for (uint64_t i = 0; i < WRITTEN; i++)
        op[n++] = whole_block(OP_LOAD, (1 << 20) + i * BLOCK);
    for (uint64_t i = 0; i < WRITTEN * TIMES; i++)
        op[n++] = whole_block(OP_STORE, (1 << 20) + i % WRITTEN * BLOCK);
    op[n++] = (struct hand_op)FENCE;
    for (uint64_t i = 0; evicts && i < EVICTING; i++)
        op[n++] = whole_block(OP_LOAD, (2 << 20) + i * BLOCK);
    op[n] = (struct hand_op)END;
    return op;
}

static void a_write_back_l3_gives_the_memory_what_leaves(void **state)
{
    (void)state;
    for (int evicts = 0; evicts < 2; evicts++) {
        const struct hand_op *op = store_often(evicts);
        struct metrics around = HAND(machine_name, op, 1, SMALL_L2, "l3.kb=16", "l3.write=around");
        struct metrics back = HAND(machine_name, op, 1, SMALL_L2, "l3.kb=16", "l3.write=back");
        assert_near(run_value(&around, "dram.writes"), WRITTEN * TIMES, 0);
        assert_near(run_value(&back, "dram.writes"), evicts ? WRITTEN : 0, 0);
    }
}

/* Blocks that the L3 does not have go to memory under either policy. */
static void writes_allocate_nothing(void **state)
{
    (void)state;
    struct hand_op op[WRITTEN + 2];
    for (uint64_t i = 0; i < WRITTEN; i++)
        op[i] = whole_block(OP_STORE, (1 << 20) + i * BLOCK);
    op[WRITTEN] = (struct hand_op)FENCE;
    op[WRITTEN + 1] = (struct hand_op)END;
    struct metrics around = write_run("around", op), back = write_run("back", op);
    assert_near(run_value(&around, "dram.writes"), WRITTEN, 0);
    assert_near(run_value(&back, "dram.writes"), WRITTEN, 0);
}

/* --- the link --- */

/* Each message has a header; a read brings its block, a write carries the bytes that were written,
 * and is acknowledged if the L2 waits for it. */
static void the_link_carries_headers_and_data(void **state)
{
    enum { READS = 40, WHOLE = 12, PARTS = 7, PART_LANES = 3 };
    static const char *const headers[] = {"l3.header_bytes=8", "l3.header_bytes=21"};
    (void)state;
    struct hand_op op[READS + WHOLE + PARTS + 2];
    uint32_t n = 0;
    for (uint64_t i = 0; i < READS; i++)
        op[n++] = whole_block(OP_LOAD, (1 << 20) + i * BLOCK);
    for (uint64_t i = 0; i < WHOLE + PARTS; i++) {
        op[n] = whole_block(OP_STORE, (2 << 20) + i * BLOCK);
        if (i >= WHOLE) op[n].lanes = PART_LANES;
        n++;
    }
    op[n++] = (struct hand_op)FENCE;
    op[n] = (struct hand_op)END;
    for (uint32_t i = 0; i < 4; i++) {
        bool acknowledged = i < 2;
        double header = i % 2 ? 21 : 8, writes = WHOLE + PARTS;
        struct metrics r = HAND(machine_name, op, 1, SMALL_L2, headers[i % 2],
                                acknowledged ? "l2.write_ack=memory" : "l2.write_ack=l2");
        double data = WHOLE * BLOCK + PARTS * PART_LANES * 4.0;
        assert_near(run_value(&r, "l3.reads"), READS, 0);
        assert_near(run_value(&r, "l3.writes"), writes, 0);
        assert_near(run_value(&r, "l3.bytes_in"), (READS + writes) * header + data, 0);
        assert_near(run_value(&r, "l3.bytes_out"),
                    READS * (header + BLOCK) + acknowledged * writes * header, 0);
    }
}

/* --- acknowledged writes --- */

/* Cycles until a store and the fence behind it are over. */
static double store_and_fence(const char *const set[3])
{
    const struct hand_op op[] = {whole_block(OP_STORE, 1 << 20), FENCE, END};
    struct metrics r = HAND(machine_name, op, 1, SMALL_L2, set[0], set[1], set[2]);
    return run_value(&r, "cycles");
}

/* The fence waits for the way to the controller, which takes the write at its next edge, and back.
 */
static void a_fence_waits_for_the_memory_to_take_the_store(void **state)
{
    static const struct {
        const char *set[2];
        double more;
    } c[] = {{{"l3.kb=0", "l3.kb=0"}, 1},
             {{"l3.link_latency=4", "l3.tag_latency=4"}, 1 + 2 * 4 + 4 + 1},
             {{"l3.link_latency=13", "l3.tag_latency=4"}, 1 + 2 * 13 + 4 + 1},
             {{"l3.link_latency=4", "l3.tag_latency=9"}, 1 + 2 * 4 + 9 + 1}};
    (void)state;
    for (uint32_t i = 0; i < sizeof c / sizeof *c; i++) {
        const char *const l2[] = {"l2.write_ack=l2", c[i].set[0], c[i].set[1]};
        const char *const memory[] = {"l2.write_ack=memory", c[i].set[0], c[i].set[1]};
        assert_near(store_and_fence(memory) - store_and_fence(l2), c[i].more, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_takes_the_link_twice_tags_and_data),
        cmocka_unit_test(hits_come_no_faster_than_data_move),
        cmocka_unit_test(a_miss_takes_the_tags_and_the_memory),
        cmocka_unit_test(an_l3_that_is_off_costs_nothing),
        cmocka_unit_test(hits_end_at_the_capacity),
        cmocka_unit_test(a_write_around_takes_the_copy_with_it),
        cmocka_unit_test(a_write_back_l3_gives_the_memory_what_leaves),
        cmocka_unit_test(writes_allocate_nothing),
        cmocka_unit_test(the_link_carries_headers_and_data),
        cmocka_unit_test(a_fence_waits_for_the_memory_to_take_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
