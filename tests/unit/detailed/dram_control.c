/* Does the controller choose as its policies say, independent of how often it is stepped? */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "tests/support/dram_hand.h"

static void expect_order(enum dram_sched s, const uint32_t *want)
{
    struct dram_params p = dram_hand_params;
    p.scheduler = s;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    uint32_t order[8];
    static const uint32_t rows[] = {1, 2, 1, 2, 1};
    for (uint32_t i = 0; i < 5; i++)
        dram_hand_put(c, 0, rows[i], false, i, 0);
    assert_int_equal(dram_hand_finish(c, 0, order), 5);
    assert_memory_equal(order, want, 5 * sizeof *want);
    dram_free(c);
}

static void fcfs_keeps_the_order_fr_fcfs_prefers_hits(void **state)
{
    (void)state;
    expect_order(DRAM_FCFS, (const uint32_t[]){0, 1, 2, 3, 4});
    expect_order(DRAM_FR_FCFS, (const uint32_t[]){0, 2, 4, 1, 3});
}

/* A window of two requests per bank hides the hits behind it. */
static void the_window_bounds_what_is_seen(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.per_bank_queue = 2;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    uint32_t order[8];
    static const uint32_t rows[] = {1, 2, 2, 1};
    for (uint32_t i = 0; i < 4; i++)
        dram_hand_put(c, 0, rows[i], false, i, 0);
    assert_int_equal(dram_hand_finish(c, 0, order), 4);
    assert_memory_equal(order, ((const uint32_t[]){0, 1, 2, 3}), 4 * sizeof *order);
    dram_free(c);
}

static void queue_bounds_are_exact(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.queue = 3;
    p.per_bank_queue = 2;
    p.write_queue = 4;
    p.write_high = 4;
    p.write_low = 1;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    for (uint32_t i = 0; i < 5; i++) /* two in bank 0's window, three behind it */
        dram_hand_put(c, 0, i, false, i, 0);
    assert_false(dram_can_accept(c, false));
    for (uint32_t i = 0; i < 4; i++)
        dram_hand_put(c, 1, i, true, i, 0);
    assert_false(dram_can_accept(c, true));
    assert_true(dram_check(c));
    assert_int_equal(dram_queued(c), 9);
    dram_free(c);
}

static void closed_page_activates_for_each_access(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.page_policy = PAGE_CLOSED;
    struct dram_channel *c = dram_hand_make(&p, dram_log_a);
    uint32_t order[8];
    for (uint32_t i = 0; i < 4; i++)
        dram_hand_put(c, 0, 7, i == 3, i, 0);
    dram_hand_finish(c, 0, order);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_ACT), 4);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_RDA), 3);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_WRA), 1);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_PRE), 0);
    assert_int_equal(dram_stats(c, 1000)->row_hits, 0);
    dram_free(c);
}

/* Reads pass writes until the high mark; then writes go down to the low mark. */
static void writes_drain_between_the_marks(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.write_queue = 8;
    p.write_high = 6;
    p.write_low = 2;
    struct dram_channel *c = dram_hand_make(&p, dram_log_a);
    uint32_t order[32];
    for (uint32_t i = 0; i < 12; i++)
        dram_hand_put(c, i % 2, 1, false, i, 0);
    for (uint32_t i = 0; i < 6; i++)
        dram_hand_put(c, 2 + i % 2, 1, true, 12 + i, 0);
    dram_hand_finish(c, 0, order);
    char sequence[32] = "", *s = sequence;
    for (uint32_t i = 0; i < dram_log_a->n; i++) {
        if (dram_log_a->e[i].command == DRAM_CMD_RD) *s++ = 'r';
        if (dram_log_a->e[i].command == DRAM_CMD_WR) *s++ = 'w';
    }
    assert_string_equal(sequence, "wwwwrrrrrrrrrrrrww");
    dram_free(c);
}

/* Writes that come as fast as they can must not starve reads, nor reads writes. */
static void neither_direction_starves(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.write_queue = 8;
    p.write_high = 6;
    p.write_low = 2;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    uint32_t tag, done[2] = {0, 0};
    bool write;
    for (uint64_t now = 0; now < 20000; now++) {
        for (uint32_t w = 0; w < 2; w++)
            if (dram_can_accept(c, w)) dram_hand_put(c, (uint32_t)(now + w) % 4, 3, w, 0, now);
        dram_step(c, now);
        while (dram_done(c, now, &tag, &write))
            done[write]++;
    }
    assert_true(done[0] > 1000 && done[1] > 300);
    dram_free(c);
}

/* ---- time ---- */

struct arrival {
    uint64_t at;
    uint32_t bank, row;
    bool write;
};
enum { ARRIVALS = 2000 };

static void random_arrivals(struct arrival *a, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed, 0);
    uint64_t now = 0;
    for (uint32_t i = 0; i < ARRIVALS; i++) {
        now += rng_below(&r, 30) + (rng_below(&r, 100) == 0 ? rng_below(&r, 20000) : 0);
        a[i] = (struct arrival){now, (uint32_t)rng_below(&r, 4), (uint32_t)rng_below(&r, 3),
                                rng_below(&r, 3) == 0};
    }
}

/* eager: every cycle is stepped; otherwise only those that the channel asks for. */
static struct dram_stats replay(const struct dram_params *p, const struct arrival *a, bool eager,
                                struct log *l, uint64_t end)
{
    struct dram_channel *c = dram_hand_make(p, l);
    uint32_t i = 0, tag;
    bool write;
    for (uint64_t now = 0, wake = UINT64_MAX; now < end;) {
        for (; i < ARRIVALS && a[i].at <= now && dram_can_accept(c, a[i].write); i++) {
            dram_hand_put(c, a[i].bank, a[i].row, a[i].write, i, now);
            wake = now;
        }
        if (eager || wake <= now) wake = dram_step(c, now);
        while (dram_done(c, now, &tag, &write))
            continue;
        uint64_t next = eager ? now + 1 : wake;
        if (i < ARRIVALS && a[i].at < next) next = a[i].at > now ? a[i].at : now + 1;
        now = next > end ? end : next;
    }
    struct dram_stats s = *dram_stats(c, end);
    assert_true(dram_check(c));
    dram_free(c);
    return s;
}

static void stepping_more_often_changes_nothing(void **state)
{
    (void)state;
    static struct arrival a[ARRIVALS];
    for (uint32_t v = 0; v < 128; v++) {
        struct dram_params p = dram_hand_params;
        p.t.tRFC = 90;
        p.t.tREFI = 1500;
        p.queue = 100; /* never full, so that arrivals do not depend on the steps */
        p.per_bank_refresh = v & 1;
        if (v & 2) p.write_queue = 200, p.write_high = 20, p.write_low = 4;
        p.page_policy = (enum page_policy)(v / 4 % PAGE_N);
        p.page_timeout = 70;
        p.scheduler = v & 16 ? DRAM_FCFS_STRICT : DRAM_FR_FCFS;
        p.forward_writes = v & 32;
        if (v & 64) p.power_down_idle = 25, p.t.tCKE = 6, p.t.tXP = 9;
        random_arrivals(a, v);
        uint64_t end = a[ARRIVALS - 1].at + 30000;
        struct dram_stats eager = replay(&p, a, true, dram_log_a, end);
        struct dram_stats lazy = replay(&p, a, false, dram_log_b, end);
        struct dram_stats silent = replay(&p, a, false, NULL, end); /* skips idle refreshes */
        assert_memory_equal(&eager, &lazy, sizeof eager);
        assert_memory_equal(&eager, &silent, sizeof eager);
        assert_int_equal(dram_log_a->n, dram_log_b->n);
        for (uint32_t i = 0; i < dram_log_a->n; i++) {
            assert_int_equal(dram_log_a->e[i].cycle, dram_log_b->e[i].cycle);
            assert_int_equal(dram_log_a->e[i].command, dram_log_b->e[i].command);
        }
    }
}

/* An idle channel refreshes on time, and an access that meets a refresh waits for its end. */
static void refreshes_of_an_idle_channel(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.t.tRFC = 90;
    p.t.tREFI = 1500;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    uint32_t tag;
    bool write;
    uint64_t at = 1500 * 1000000ull + 40; /* 40 clocks into refresh number 1,000,000 */
    assert_int_equal(dram_step(c, 0), UINT64_MAX);
    dram_hand_put(c, 0, 1, false, 0, at);
    for (uint64_t now = at; dram_next_done(c) == UINT64_MAX;)
        now = dram_step(c, now);
    assert_int_equal(dram_next_done(c), at - 40 + 90 + 14 + 14 + 2);
    assert_true(dram_done(c, UINT64_MAX - 1, &tag, &write));
    assert_int_equal(dram_stats(c, at + 100)->refreshes, 1000000);
    dram_free(c);
}

static void warm_rows_are_hit(void **state)
{
    (void)state;
    struct dram_channel *c = dram_hand_make(&dram_hand_params, NULL);
    struct coord at = {.flat_bank = 1, .bank = 1, .row = 9};
    dram_warm_row(c, &at, 0);
    dram_hand_put(c, 1, 9, false, 0, 0);
    dram_step(c, 0);
    assert_int_equal(dram_next_done(c), 14 + 2);
    assert_int_equal(dram_stats(c, 100)->row_hits, 1);
    assert_int_equal(dram_stats(c, 100)->activates, 0);
    dram_free(c);
}

static uint64_t refreshes_until(const struct dram_params *p, uint64_t clock)
{
    struct dram_channel *c = dram_hand_make(p, NULL);
    uint64_t n = dram_stats(c, 0)->refreshes;
    dram_step(c, clock);
    n = dram_stats(c, clock)->refreshes - n;
    dram_free(c);
    return n;
}

/* Clocks from acceptance to the last beat of a read of row 9 in bank 1. */
static uint64_t latency_of_read(struct dram_channel *c, uint64_t at)
{
    dram_hand_put(c, 1, 9, false, 0, at);
    for (uint64_t now = at; dram_next_done(c) == UINT64_MAX;)
        now = dram_step(c, now);
    return dram_next_done(c) - at;
}

/* A channel of which so many clocks are said to have passed is as one that ran them: refreshes fall
 * due at the same time, and close what was touched before them. */
static void warm_clocks_count_as_run(void **state)
{
    (void)state;
    enum { TOUCHED = 1200, LATENCY = 14 + 14 + 2 };
    for (uint32_t past = TOUCHED + 100; past < 7000; past += 37) {
        struct dram_params p = dram_hand_params;
        uint32_t tag;
        bool write;
        p.t.tRFC = 90;
        p.t.tREFI = 1500;
        p.per_bank_refresh = past & 1;
        struct dram_channel *ran = dram_hand_make(&p, NULL), *told = dram_hand_make(&p, NULL);
        struct coord at = {.flat_bank = 1, .bank = 1, .row = 9};
        assert_int_equal(latency_of_read(ran, TOUCHED), LATENCY);
        assert_true(dram_done(ran, UINT64_MAX - 1, &tag, &write));
        dram_warm_clock(told, past);
        dram_warm_row(told, &at, past - TOUCHED);
        assert_int_equal(latency_of_read(told, 200), latency_of_read(ran, past + 200));
        uint64_t refreshed = dram_stats(ran, past + 9000)->refreshes;
        assert_int_equal(dram_stats(told, 9000)->refreshes + refreshes_until(&p, past), refreshed);
        dram_free(ran);
        dram_free(told);
    }
}

/* Two banks with work for known times: 28 clocks each until their read commands. */
static void bank_parallelism_is_integrated(void **state)
{
    (void)state;
    struct dram_channel *c = dram_hand_make(&dram_hand_params, NULL);
    uint32_t order[4];
    dram_hand_put(c, 0, 1, false, 0, 100);
    dram_hand_put(c, 2, 1, false, 1, 100);
    dram_hand_finish(c, 100, order);
    const struct dram_stats *s = dram_stats(c, 1000);
    assert_int_equal(s->active_cycles, 18); /* ACT 100, ACT 104; RD 114, RD 118 */
    assert_int_equal(s->bank_cycles, 14 + 18);
    assert_int_equal(s->busy_cycles, 4);
    assert_int_equal(s->latency_sum, 30 + 34);
    dram_free(c);
}

/* Bursts of 2 clocks that nothing else holds back: a bus that carries data in 0.8 of its clocks
 * rests half a clock behind each, by whole clocks. */
static void a_bus_rests_as_much_as_it_does_not_deliver(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.delivered = 0.8;
    p.t.tCCD_L = p.t.tCCD_S;
    struct dram_channel *c = dram_hand_make(&p, dram_log_a);
    uint32_t order[8], reads = 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < 8; i++)
        dram_hand_put(c, 0, 1, false, i, 100);
    assert_int_equal(dram_hand_finish(c, 100, order), 8);
    for (uint32_t i = 0; i < dram_log_a->n; i++) {
        const struct dram_log_entry *e = &dram_log_a->e[i];
        if (e->command != DRAM_CMD_RD) continue;
        if (reads) assert_int_equal(e->cycle - last, reads % 2 ? 2 : 3);
        last = e->cycle;
        reads++;
    }
    assert_int_equal(reads, 8);
    dram_free(c);
}

/* ---- fixed latency ---- */

static void fixed_latency_and_bandwidth(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.model = DRAM_FIXED;
    p.fixed_latency = 100;
    p.fixed_gbps = 16; /* 64-byte bursts at 1 GHz: one in 4 cycles */
    struct dram_channel *c = dram_hand_make(&p, NULL);
    uint32_t tag;
    bool write;
    for (uint32_t i = 0; i < 10; i++)
        dram_hand_put(c, 0, i, i % 2, i, 50);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(dram_next_done(c), 50 + 4 * (i + 1) + 100);
        assert_true(dram_done(c, 1000, &tag, &write));
        assert_int_equal(tag, i);
        assert_int_equal(write, i % 2);
    }
    assert_int_equal(dram_idle_latency(&p).conflict, 104);
    assert_int_equal(dram_stats(c, 1000)->busy_cycles, 40);
    dram_free(c);
    p.fixed_gbps = 0;
    c = dram_hand_make(&p, NULL);
    for (uint32_t i = 0; i < 10; i++)
        dram_hand_put(c, 0, i, false, i, 50);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(dram_next_done(c), 150);
        assert_true(dram_done(c, 150, &tag, &write));
    }
    dram_free(c);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    for (int model = 0; model < DRAM_MODEL_N; model++) {
        struct dram_params p = dram_hand_params;
        p.model = (enum dram_model)model;
        p.fixed_latency = 10;
        for (unsigned n = 1;; n++) {
            struct error e = {0};
            shim_fail_after(SHIM_ALLOC, n);
            struct dram_channel *c = dram_new(&p, &e);
            shim_fail_after(SHIM_ALLOC, 0);
            dram_free(c);
            if (c) break;
            assert_int_equal(e.kind, ERROR_RUN);
        }
    }
}

static void stuck_says_what_it_waits_for(void **state)
{
    (void)state;
    struct text t = {0};
    struct dram_channel *c = dram_hand_make(&dram_hand_params, NULL);
    dram_hand_put(c, 3, 1, false, 0, 5);
    dram_step(c, 5);
    dram_stuck(c, 6, &t);
    assert_contains(text_str(&t), "1 reads and 0 writes queued");
    assert_contains(text_str(&t), "next a column of bank 3 at 19");
    text_fini(&t);
    dram_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_keeps_the_order_fr_fcfs_prefers_hits),
        cmocka_unit_test(the_window_bounds_what_is_seen),
        cmocka_unit_test(queue_bounds_are_exact),
        cmocka_unit_test(closed_page_activates_for_each_access),
        cmocka_unit_test(writes_drain_between_the_marks),
        cmocka_unit_test(neither_direction_starves),
        cmocka_unit_test(stepping_more_often_changes_nothing),
        cmocka_unit_test(refreshes_of_an_idle_channel),
        cmocka_unit_test(warm_rows_are_hit),
        cmocka_unit_test(warm_clocks_count_as_run),
        cmocka_unit_test(bank_parallelism_is_integrated),
        cmocka_unit_test(a_bus_rests_as_much_as_it_does_not_deliver),
        cmocka_unit_test(fixed_latency_and_bandwidth),
        cmocka_unit_test(no_memory_is_said),
        cmocka_unit_test(stuck_says_what_it_waits_for),
    };
    return cmocka_run_group_tests(tests, dram_hand_setup, dram_hand_teardown);
}
