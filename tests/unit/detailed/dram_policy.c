/* Do the further policies, power-down and the command bus follow their closed forms, command by
 * command? */
#include "tests/support/dram_hand.h"

#include <math.h>

/* ---- further policies ---- */

static uint32_t serve(const struct dram_params *p, const uint32_t (*bank_row)[2], uint32_t n,
                      uint32_t *order, struct log *l)
{
    struct dram_channel *c = dram_hand_make(p, l);
    for (uint32_t i = 0; i < n; i++)
        dram_hand_put(c, bank_row[i][0], bank_row[i][1], false, i, 0);
    uint32_t done = dram_hand_finish(c, 0, order);
    assert_true(dram_check(c));
    dram_free(c);
    return done;
}

/* Bank 0 conflicts with itself; bank 2 would be free at once. */
static void strict_fcfs_keeps_the_order_of_the_channel(void **state)
{
    (void)state;
    static const uint32_t at[][2] = {{0, 1}, {0, 2}, {2, 1}, {2, 1}};
    struct dram_params p = dram_hand_params;
    uint32_t order[4];
    p.scheduler = DRAM_FCFS;
    assert_int_equal(serve(&p, at, 4, order, NULL), 4);
    assert_memory_equal(order, ((const uint32_t[]){0, 2, 3, 1}), sizeof order);
    p.scheduler = DRAM_FCFS_STRICT;
    assert_int_equal(serve(&p, at, 4, order, dram_log_a), 4);
    assert_memory_equal(order, ((const uint32_t[]){0, 1, 2, 3}), sizeof order);
    /* ACT 0, RD 14, PRE 30, ACT 44, RD 58: bank 2 is not opened before. */
    assert_int_equal(dram_log_a->e[4].command, DRAM_CMD_RD);
    assert_int_equal(dram_log_a->e[4].cycle, 58);
    assert_int_equal(dram_log_a->e[5].command, DRAM_CMD_ACT);
    assert_int_equal(dram_log_a->e[5].cycle, 59);
}

/* The oldest wants row 2; hits of row 1 pass it `hit_cap` times. */
static void a_cap_bounds_the_hits_that_pass(void **state)
{
    (void)state;
    static const uint32_t at[][2] = {{0, 1}, {0, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    static const uint32_t want[][6] = {
        {0, 2, 3, 4, 5, 1}, {0, 2, 1, 3, 4, 5}, {0, 2, 3, 1, 4, 5}, {0, 2, 3, 4, 1, 5}};
    for (uint32_t cap = 0; cap < 4; cap++) {
        struct dram_params p = dram_hand_params;
        uint32_t order[6];
        p.hit_cap = cap;
        assert_int_equal(serve(&p, at, 6, order, NULL), 6);
        assert_memory_equal(order, want[cap], sizeof order);
    }
}

/* A drain to the open row comes while hits pass: it does not lift the cap of the reads. */
static void a_cap_counts_each_queue_alone(void **state)
{
    (void)state;
    enum { READ_N = 18, WRITE_N = 8 };
    struct dram_params p = dram_hand_params;
    uint32_t order[READ_N + WRITE_N], passed = 0, drained = 0;
    uint64_t now = 0;
    p.hit_cap = 4;
    p.write_queue = p.write_high = WRITE_N;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    for (uint32_t i = 0; i < READ_N; i++)
        dram_hand_put(c, 0, i == 1 ? 2 : 1, false, i, 0);
    while (dram_queued(c) > READ_N - 3)
        now = dram_step(c, now);
    for (uint32_t i = 0; i < WRITE_N; i++)
        dram_hand_put(c, 0, 1, true, READ_N + i, now);
    assert_int_equal(dram_hand_finish(c, now, order), READ_N + WRITE_N);
    dram_free(c);
    for (uint32_t i = 0; order[i] != 1; i++)
        order[i] < READ_N ? passed++ : drained++;
    assert_int_equal(passed, 1 + p.hit_cap); /* the first of all, which opened the row, too */
    assert_int_equal(drained, WRITE_N);
}

static void closed_after_hits_serves_the_hits_first(void **state)
{
    (void)state;
    static const uint32_t at[][2] = {{0, 1}, {0, 2}, {0, 1}, {0, 1}};
    struct dram_params p = dram_hand_params;
    uint32_t order[4];
    p.page_policy = PAGE_CLOSED_AFTER_HITS;
    assert_int_equal(serve(&p, at, 4, order, dram_log_a), 4);
    assert_memory_equal(order, ((const uint32_t[]){0, 2, 3, 1}), sizeof order);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_RD), 2);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_RDA), 2);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_ACT), 2);
    p.scheduler = DRAM_FCFS; /* the hits behind the other row are queued, too */
    assert_int_equal(serve(&p, at, 4, order, dram_log_a), 4);
    assert_memory_equal(order, ((const uint32_t[]){0, 1, 2, 3}), sizeof order);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_PRE), 1);
    assert_int_equal(dram_hand_count(dram_log_a, DRAM_CMD_RDA), 2);
}

/* A read at 0, its command at 14; a second one, to the same row, before or after the timeout. */
static void rows_are_closed_after_their_time(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        struct dram_params p = dram_hand_params;
        p.page_policy = PAGE_TIMEOUT;
        p.page_timeout = 100;
        struct dram_channel *c = dram_hand_make(&p, dram_log_a);
        uint32_t tag;
        bool write;
        dram_hand_put(c, 1, 5, false, 0, 0);
        for (uint64_t t = 0; t < 14; t = dram_step(c, t))
            continue;
        uint64_t at = 14 + 100 + late;
        dram_hand_put(c, 1, 5, false, 1, at);
        for (uint64_t t = at; dram_queued(c); t = dram_step(c, t))
            continue;
        assert_true(dram_done(c, 1000, &tag, &write));
        assert_int_equal(dram_next_done(c), late ? 14 + 100 + 14 + 14 + 16 : at + 16);
        assert_int_equal(dram_stats(c, 1000)->activates, 1 + late);
        assert_int_equal(dram_stats(c, 1000)->precharges, 1 + late); /* the last row closes, too */
        dram_free(c);
    }
}

/* The write waits for its drain; reads of its burst come back at once, others from their bank. */
static void queued_writes_are_forwarded(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.write_queue = 8;
    p.write_high = 8;
    p.forward_writes = true;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    struct coord at = {.flat_bank = 1, .bank = 1, .row = 3, .column = 128};
    uint32_t tag;
    bool write;
    dram_accept(c, &at, true, 0, 10);
    dram_accept(c, &at, false, 1, 12);
    at.column = 64;
    dram_accept(c, &at, false, 2, 12);
    assert_int_equal(dram_next_done(c), 13);
    assert_false(dram_done(c, 12, &tag, &write));
    assert_true(dram_done(c, 13, &tag, &write));
    assert_int_equal(tag, 1);
    assert_false(write);
    for (uint64_t t = 12; dram_next_done(c) == UINT64_MAX;)
        t = dram_step(c, t);
    assert_int_equal(dram_next_done(c), 12 + 14 + 14 + 2);
    assert_int_equal(dram_stats(c, 20)->forwarded, 1);
    assert_int_equal(dram_stats(c, 100)->reads, 1);
    dram_free(c);
}

/* ---- power-down ---- */

/* ACT 0, RD 14; idle from there: down 20 later, then up after 6 or when something comes. */
static void power_down_and_its_exit(void **state)
{
    (void)state;
    for (uint64_t at = 20; at < 60; at++) {
        struct dram_params p = dram_hand_params;
        p.power_down_idle = 20;
        p.t.tCKE = 6;
        p.t.tXP = 9;
        struct dram_channel *c = dram_hand_make(&p, dram_log_a);
        uint32_t tag;
        bool write;
        dram_hand_put(c, 0, 1, false, 0, 0);
        dram_step(c, 0);
        dram_step(c, 14);
        uint64_t down = 14 + 20, up = at < down + 6 ? down + 6 : at;
        dram_hand_put(c, 0, 1, false, 1, at);
        for (uint64_t t = at; dram_queued(c);)
            t = dram_step(c, t);
        assert_true(dram_done(c, 1000, &tag, &write));
        /* What comes in the cycle of the entry prevents it. */
        uint64_t command = at <= down ? at : up + 9;
        assert_int_equal(dram_next_done(c), command + 14 + 2);
        uint64_t end = command + 20;
        const struct dram_stats *s = dram_stats(c, end);
        assert_int_equal(s->act_pd_cycles, at <= down ? 0 : up - down);
        assert_int_equal(s->act_pd_cycles + s->act_standby_cycles, end);
        assert_true(dram_check(c));
        dram_free(c);
    }
}

/* Never used: precharge power-down but around the refreshes: up at each tREFI, REF tXP later. */
static void an_idle_memory_sleeps_between_refreshes(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.power_down_idle = 20;
    p.t.tCKE = 6;
    p.t.tXP = 9;
    p.t.tRFC = 90;
    p.t.tREFI = 1500;
    struct dram_channel *c = dram_hand_make(&p, NULL);
    const struct dram_stats *s = dram_stats(c, 1500 * 1000 + 700);
    assert_int_equal(s->refreshes, 1000);
    assert_int_equal(s->pre_standby_cycles, 20 + 1000 * (9 + 20));
    assert_int_equal(s->pre_pd_cycles, 1500 * 1000 + 700 - s->pre_standby_cycles);
    assert_int_equal(s->act_standby_cycles + s->act_pd_cycles, 0);
    dram_free(c);
}

/* ---- command bus, pseudo-channels, refreshes of banks ---- */

static uint64_t time_of(const struct dram_params *p, const uint32_t (*bank_row)[2], uint32_t n)
{
    static uint32_t order[LOG_MAX / 4];
    assert_int_equal(serve(p, bank_row, n, order, dram_log_a), n);
    return dram_log_a->e[dram_log_a->n - 1].cycle;
}

/* Column commands of one open row, tCMD apart where that is longer than the burst. */
static void commands_occupy_their_bus(void **state)
{
    (void)state;
    static uint32_t at[32][2];
    for (uint32_t cmd = 1; cmd < 6; cmd++) {
        struct dram_params p = dram_hand_params;
        p.t.tCMD = cmd;
        p.t.tCMD_ACT = 2 * cmd;
        p.t.tCCD_L = 2;
        assert_int_equal(time_of(&p, at, 32), 14 + 31 * (cmd > 2 ? cmd : 2));
        assert_int_equal(dram_log_a->e[1].cycle, 14);
    }
    /* The activate of another bank must be over before the read: 20 clocks against tRRD 5. */
    static const uint32_t two[][2] = {{0, 1}, {1, 1}};
    struct dram_params p = dram_hand_params;
    p.t.tCMD_ACT = 10;
    assert_int_equal(time_of(&p, two, 2), 10 + 14);
    assert_int_equal(dram_log_a->e[2].cycle, 20); /* RD of bank 0, due at 14 */
    p.dual_command = true;
    time_of(&p, two, 2);
    assert_int_equal(dram_log_a->e[2].cycle, 14);
}

/* Hits to a row in either half: each half's bus carries a burst of 2 clocks at a time, with one
 * command a clock for both; a single channel takes twice as long. */
static void pseudo_channels_double_the_data_bus(void **state)
{
    (void)state;
    static uint32_t at[32][2];
    struct dram_params p = dram_hand_params;
    p.t.tCCD_L = 2;
    for (uint32_t i = 0; i < 32; i++)
        at[i][0] = 4 * (i % 2);
    p.ranks = 2;
    p.t.tRTRS = 0;
    uint64_t ranks = time_of(&p, (const uint32_t(*)[2])at, 32);
    p.ranks = 1;
    p.pseudo_channels = 2;
    uint64_t pseudo = time_of(&p, (const uint32_t(*)[2])at, 32);
    assert_int_equal(ranks, 14 + 31 * 2);
    assert_int_equal(pseudo, 15 + 30); /* one read a clock, the second half's from 15 on */
    assert_true(fabs(dram_peak_gbps(&p) - 2 * 16 * 2 * 1.0) < 1e-9);
    p.t.tCMD = 2; /* the command bus holds both to one burst in two clocks */
    assert_int_equal(time_of(&p, (const uint32_t(*)[2])at, 32), 16 + 31 * 2 - 2);
}

/* Banks 0 and 1 refresh 100 clocks apart for 150 clocks each, while bank 2 works. */
static void banks_refresh_while_others_work(void **state)
{
    (void)state;
    struct dram_params p = dram_hand_params;
    p.per_bank_refresh = true;
    p.t.tRFC = 400;
    p.t.tREFI = 4000;
    p.t.tRFCb = 150;
    p.t.tREFIb = 100;
    struct dram_channel *c = dram_hand_make(&p, dram_log_a);
    uint32_t tag;
    bool write;
    dram_hand_put(c, 0, 1, false, 0, 210);
    dram_hand_put(c, 1, 1, false, 1, 210);
    dram_hand_put(c, 3, 1, false, 2, 210);
    for (uint64_t t = 210; dram_queued(c);)
        t = dram_step(c, t);
    assert_true(dram_done(c, 1000, &tag, &write)); /* bank 3 at once */
    assert_int_equal(tag, 2);
    assert_true(dram_done(c, 1000, &tag, &write));
    assert_int_equal(tag, 0);
    assert_int_equal(dram_next_done(c), 200 + 150 + 14 + 14 + 2); /* bank 1 behind its refresh */
    const struct dram_stats *s = dram_stats(c, 1000);
    assert_int_equal(s->bank_refreshes, 10);
    assert_int_equal(s->refreshes, 10);
    assert_int_equal(dram_log_a->e[0].cycle, 100);
    assert_int_equal(dram_log_a->e[1].cycle, 200);
    assert_int_equal(dram_log_a->e[1].bank, 1);
    dram_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strict_fcfs_keeps_the_order_of_the_channel),
        cmocka_unit_test(a_cap_bounds_the_hits_that_pass),
        cmocka_unit_test(a_cap_counts_each_queue_alone),
        cmocka_unit_test(closed_after_hits_serves_the_hits_first),
        cmocka_unit_test(rows_are_closed_after_their_time),
        cmocka_unit_test(queued_writes_are_forwarded),
        cmocka_unit_test(power_down_and_its_exit),
        cmocka_unit_test(an_idle_memory_sleeps_between_refreshes),
        cmocka_unit_test(commands_occupy_their_bus),
        cmocka_unit_test(pseudo_channels_double_the_data_bus),
        cmocka_unit_test(banks_refresh_while_others_work),
    };
    return cmocka_run_group_tests(tests, dram_hand_setup, dram_hand_teardown);
}
