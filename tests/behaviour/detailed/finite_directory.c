/* finite_directory.c - a directory below the L2 that covers a number of blocks: what it recalls,
 * what L1s and L2 hold under it at any time, and what its distance costs whom.  Expectations come
 * from LRU over counts of blocks, closed forms, and what the caches hold. */
#include "base/memory/rng.h"
#include "detailed/core/sim_internal.h"
#include "detailed/l2/directory.h"
#include "tests/support/patterns.h"

enum { BLOCK = 64, LANES = 16, SLICES = 16, SLICE_BYTES = 256, SMS = 4 };

static const char *const machine_name = "apu-quickrelease-rfo";

/* The caller sets how many lanes access the block; one does by default. */
static struct hand_op block_op(enum op_class cls, uint64_t block)
{
    return (struct hand_op){
        .cls = (uint8_t)cls, .space = SPACE_GLOBAL, .addr = BASE + block * BLOCK, .stride = 4};
}

/* The n-th block of the first slice. */
static uint64_t in_one_slice(uint64_t n)
{
    const uint64_t together = SLICE_BYTES / BLOCK;
    return n / together * together * SLICES + n % together;
}

/* --- what is recalled --- */

enum { SHARED = 1024, MIXED_STEPS = 400 };

/* All SMs load, store to and update blocks that they share. */
static void mixed_step(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    static const enum op_class any[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
    struct rng r;
    (void)width;
    rng_seed(&r, 1 + cta, step);
    struct hand_op op = block_op(any[rng_below(&r, 4)], rng_below(&r, SHARED));
    op.lanes = 1 + (uint32_t)rng_below(&r, LANES);
    if (step % 50 == 49) op = (struct hand_op){.cls = OP_FENCE};
    hand_inst(w, warp, &op, step);
}

static const struct pattern mixed = {
    .launches = 2, .ctas = SMS, .warps = 2, .steps = MIXED_STEPS, .step = mixed_step};

static struct metrics run_mixed(const char *entries, const char *latency)
{
    const char *const sets[] = {"sm.count=4", entries, latency};
    struct machine m = run_machine(machine_name, sets, 3);
    return run_whole(&m, pattern_program(&mixed, m.sm.warp_width));
}

static void one_that_covers_all_blocks_is_like_one_without_bounds(void **state)
{
    static const char *const latency[] = {"coherence.directory_latency=0",
                                          "coherence.directory_latency=12"};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct metrics any = run_mixed("coherence.directory_entries=0", latency[i]);
        struct metrics large = run_mixed("coherence.directory_entries=4096", latency[i]);
        struct metrics small = run_mixed("coherence.directory_entries=256", latency[i]);
        assert_memory_equal(any.v, large.v, sizeof any.v);
        assert_near(run_value(&large, "coherence.recalls"), 0, 0);
        assert_true(run_value(&small, "coherence.recalls") > 100);
    }
}

/* One SM loads blocks of one slice over and over.  Its L1 has room for all of them. */
static struct metrics load_laps(uint32_t blocks, uint32_t laps, const char *entries)
{
    enum { MOST = 1024 };
    static struct hand_op op[MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < laps * blocks; i++) {
        op[n] = block_op(OP_LOAD, in_one_slice(i % blocks));
        op[n++].after = true;
    }
    assert_true(n < MOST);
    op[n] = (struct hand_op){.cls = OP_N};
    return HAND(machine_name, op, 1, "sm.count=1", "l1.ways=256", "cpu.cache_kb=0", entries);
}

/* A slice's share is a set of 16 entries: up to 16 blocks stay, and of more none does under LRU.
 * A recalled block has left the L1 and the L2, and not the L3. */
static void it_recalls_the_block_used_longest_ago(void **state)
{
    enum { ENTRIES = 16, LAPS = 5 };
    static const uint32_t blocks[] = {8, 16, 17, 32, 64};
    (void)state;
    for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        double n = blocks[i], loads = LAPS * n;
        bool fits = n <= ENTRIES;
        struct metrics r = load_laps(blocks[i], LAPS, "coherence.directory_entries=256");
        struct metrics any = load_laps(blocks[i], LAPS, "coherence.directory_entries=0");
        assert_near(run_value(&r, "coherence.recalls"), fits ? 0 : loads - ENTRIES, 0);
        assert_near(run_value(&any, "l1.hits"), loads - n, 0);
        assert_true(fits == (run_value(&r, "cycles") == run_value(&any, "cycles")));
        assert_true(run_value(&r, "cycles") >= run_value(&any, "cycles"));
        assert_near(run_value(&r, "l1.hits"), fits ? loads - n : 0, 0);
        assert_near(run_value(&r, "l3.reads"), fits ? n : loads, 0);
        assert_near(run_value(&r, "dram.reads"), n, 0);
    }
}

/* --- what caches hold --- */

enum { HELD_MAX = 4096 };

struct held {
    uint64_t tag[HELD_MAX];
    uint32_t n;
};

static void hold_lines(const struct sim *s, uint32_t slice, const struct cache *c, struct held *h)
{
    for (uint32_t i = 0; i < c->n_lines; i++) {
        const struct cache_line *l = &c->line[i];
        uint64_t addr = l->tag << c->line_shift;
        if (!l->resident || !(l->valid | l->partial) || map_slice(&s->map, addr) != slice) continue;
        if (directory_keeps(&s->slice[slice], l->tag)) continue; /* being recalled or moved */
        uint32_t k = 0;
        while (k < h->n && h->tag[k] != l->tag)
            k++;
        assert_true(k < HELD_MAX);
        h->tag[k] = l->tag;
        if (k == h->n) h->n++;
    }
}

/* Blocks of a slice in L1s and L2 about which no message is under way. */
static uint32_t count_held(const struct sim *s, uint32_t slice)
{
    static struct held h;
    h.n = 0;
    hold_lines(s, slice, &s->slice[slice].c, &h);
    for (uint32_t k = 0; k < s->m.sm.count; k++)
        hold_lines(s, slice, &s->sm[k].l1.c, &h);
    return h.n;
}

struct watched {
    const struct sim *s;
    uint32_t most, times; /* held by a slice at a time */
};

static void watch_held(const struct metrics *now, void *ctx)
{
    struct watched *w = ctx;
    (void)now;
    w->times++;
    for (uint32_t i = 0; i < w->s->m.l2.banks; i++) {
        uint32_t n = count_held(w->s, i);
        if (n > w->most) w->most = n;
    }
}

/* The most blocks that a slice answered for at a time. */
static uint32_t most_held(const char *entries, const char *latency, const char *store_order)
{
    const char *const sets[] = {"sm.count=4", entries, latency, store_order,
                                "coherence.directory_ways=4"};
    struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
    struct program *p = pattern_program(&mixed, m.sm.warp_width);
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    assert_non_null(s);
    struct watched w = {.s = s};
    sim_watch(s, 20, watch_held, &w);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
    assert_true(w.times > 100);
    watch_held(NULL, &w);
    sim_free(s);
    program_close(p);
    return w.most;
}

static void caches_hold_no_more_than_it_covers(void **state)
{
    static const struct {
        const char *entries;
        uint32_t per_slice;
    } c[] = {{"coherence.directory_entries=64", 4},
             {"coherence.directory_entries=128", 8},
             {"coherence.directory_entries=256", 16},
             {"coherence.directory_entries=512", 32}};
    static const char *const latency[] = {"coherence.directory_latency=0",
                                          "coherence.directory_latency=12"};
    static const char *const order[] = {"coherence.store_order=free",
                                        "coherence.store_order=in_order"};
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t most = most_held(c[i].entries, latency[k % 2], order[k / 2]);
            assert_in_range(most, c[i].per_slice / 2, c[i].per_slice);
        }
    assert_true(most_held("coherence.directory_entries=4096", latency[0], order[0]) > 32);
}

/* --- distance --- */

/* Operations of one SM, each of which waits for the one before. */
static double one_after_the_other(enum op_class cls, uint32_t n, const char *latency)
{
    enum { MOST = 128 };
    struct hand_op op[2 * MOST + 1];
    for (uint32_t i = 0; i < n; i++) {
        op[2 * i] = block_op(cls, i);
        op[2 * i].after = cls == OP_LOAD;
        op[2 * i + 1] = (struct hand_op){.cls = OP_FENCE};
    }
    op[2 * n] = (struct hand_op){.cls = OP_N};
    struct metrics r = HAND(machine_name, op, 1, "sm.count=1", "cpu.cache_kb=0", "dram.model=fixed",
                            "dram.clock_mhz=1000", latency);
    return run_value(&r, "cycles");
}

static void its_distance_adds_to_every_miss(void **state)
{
    static const enum op_class cls[] = {OP_STORE, OP_LOAD, OP_ATOMIC};
    static const char *const latency[] = {"coherence.directory_latency=1",
                                          "coherence.directory_latency=12",
                                          "coherence.directory_latency=90"};
    static const double cycles[] = {1, 12, 90};
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t n = 1; n <= 100; n *= 10)
            for (uint32_t k = 0; k < 3; k++) {
                double near = one_after_the_other(cls[i], n, "coherence.directory_latency=0");
                double far = one_after_the_other(cls[i], n, latency[k]);
                assert_near(far - near, n * cycles[k], 0);
            }
}

enum { READERS_BLOCKS = 32, READERS_DELAY = 4000, FIRST_READERS = 2 };

/* The first SMs load blocks; when they have long done so, the last one loads the same or others. */
static void read_step(struct writer *w, uint32_t cta, uint32_t step, uint64_t offset)
{
    bool last = cta == FIRST_READERS, waits = last && step < READERS_DELAY;
    struct hand_op op = {.cls = OP_INT};
    if (!last && step >= READERS_BLOCKS) return;
    if (!waits) {
        op = block_op(OP_LOAD, last ? step - READERS_DELAY + offset : step);
        op.after = true;
    }
    hand_inst(w, 0, &op, step);
}

static void same_step(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    (void)warp, (void)width;
    read_step(w, cta, step, 0);
}

static void other_step(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    (void)warp, (void)width;
    read_step(w, cta, step, READERS_BLOCKS);
}

static struct metrics late_reader(bool same, const char *latency)
{
    const struct pattern p = {.launches = 1,
                              .ctas = FIRST_READERS + 1,
                              .warps = 1,
                              .steps = READERS_DELAY + READERS_BLOCKS,
                              .step = same ? same_step : other_step};
    const char *const sets[] = {"sm.count=3", "cpu.cache_kb=0", "dram.model=fixed",
                                "dram.clock_mhz=1000", latency};
    struct machine m = run_machine(machine_name, sets, sizeof sets / sizeof *sets);
    return run_whole(&m, pattern_program(&p, m.sm.warp_width));
}

/* A block that others share and the L2 has is served there, however far the directory is. */
static void reads_of_shared_blocks_stay_at_the_l2(void **state)
{
    static const char *const latency[] = {"coherence.directory_latency=0",
                                          "coherence.directory_latency=50"};
    (void)state;
    struct metrics near = late_reader(true, latency[0]), far = late_reader(true, latency[1]);
    struct metrics near_other = late_reader(false, latency[0]),
                   far_other = late_reader(false, latency[1]);
    assert_near(run_value(&far, "cycles"), run_value(&near, "cycles"), 0);
    assert_near(run_value(&far_other, "cycles") - run_value(&near_other, "cycles"),
                READERS_BLOCKS * 50, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_covers_all_blocks_is_like_one_without_bounds),
        cmocka_unit_test(it_recalls_the_block_used_longest_ago),
        cmocka_unit_test(caches_hold_no_more_than_it_covers),
        cmocka_unit_test(its_distance_adds_to_every_miss),
        cmocka_unit_test(reads_of_shared_blocks_stay_at_the_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
