/* Unequal load of channels at several scales, and turns of the data bus: are they those of made-up
 * streams whose answer is plain? */
#include "base/rng.h"
#include "estimator/dram_service.h"
#include "tests/unit/estimator_support.h"

enum { CHANNELS = 4, BLOCK = 256 };

/* --- channels --- */

struct stream {
    struct map map;
    struct block_sample s;
    uint64_t next[CHANNELS]; /* address from which to look on */
};

static uint64_t another_of(struct stream *t, uint32_t channel)
{
    uint64_t a = t->next[channel];
    while (map_channel(&t->map, a) != channel)
        a += BLOCK;
    t->next[channel] = a + BLOCK;
    return a;
}

/* run > 0: so many accesses to a channel, then to the next; 0: channels by chance. */
static void fill(struct stream *t, const struct bed *b, uint32_t run)
{
    struct error e = {0};
    struct rng r;
    memset(t, 0, sizeof *t);
    rng_seed(&r, 5, run);
    assert_true(map_init(&t->map, &b->m.l2, &b->m.dram, &e));
    assert_int_equal(t->map.channels, CHANNELS);
    t->s.blocks = SAMPLE_BLOCKS;
    t->s.stride = SAMPLE_BLOCK;
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++) {
        t->s.n[k] = SAMPLE_BLOCK;
        for (uint32_t i = 0; i < SAMPLE_BLOCK; i++) {
            uint32_t c = run ? i / run % CHANNELS : (uint32_t)rng_below(&r, CHANNELS);
            t->s.at[k][i] = (struct sampled){.addr = another_of(t, c),
                                             .l1 = UINT16_MAX,
                                             .l2 = UINT16_MAX,
                                             .kind = SAMPLED_READ,
                                             .sectors = 1};
        }
    }
}

/* Runs of 64: a window of 32 sees one channel, one of 256 all alike.  What chance could have done
 * is taken out, of 32 that all go to one channel 2 %. */
static void hot_channels_are_those_of_the_window(void **state)
{
    (void)state;
    static struct stream t;
    static const struct {
        uint32_t run;
        double hottest[LOAD_WINDOWS];
    } known[] = {{1, {1, 1, 1}}, {64, {4, 1, 1}}, {512, {4, 4, 1}}, {2048, {4, 4, 4}}};
    const double together[LOAD_WINDOWS] = {32, 256, 2048};
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK};
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        struct row_locality r;
        fill(&t, &b, known[i].run);
        row_locality_find(&r, &t.s, &t.map, &f);
        for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
            assert_near(row_locality_hottest(&r, together[k]), known[i].hottest[k], 0.08);
        double between = row_locality_hottest(&r, 90.5); /* half way from 32 to 256, by ratios */
        assert_near(between, (known[i].hottest[0] + known[i].hottest[1]) / 2, 0.08);
    }
}

/* 32 draws among 4 leave the hottest channel 1.4 times the mean: chance, not the program. */
static void chance_is_taken_out(void **state)
{
    (void)state;
    static struct stream t;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 0);
    row_locality_find(&r, &t.s, &t.map, &f);
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        assert_true(r.hottest[k] >= 1 && r.hottest[k] < 1.15);
}

/* --- turns of the bus --- */

/* Clocks per burst of a channel whose requests all find their row open. */
static double service(const struct dram_params *d, double writes, double banks, double run)
{
    const struct row_locality r = {
        .hit = {1, 1, 1}, .banks = {banks, banks, banks}, .run = run, .hottest = {1, 1, 1}};
    const struct dram_load load = {
        .rate = 0.01, .depth = 64, .most = 64, .room = 64, .writes = writes};
    struct burst_time b;
    burst_time_find(&b, &r, d, &load);
    return b.service;
}

/* What a list of commands takes, each as early as the one before allows. */
static double alternating(const struct dram_params *d, uint32_t batch)
{
    const struct dram_timing *t = &d->t;
    double data = (double)d->burst_length / d->beats_per_clock, clock = 0;
    double to_write = t->tRTW ? t->tRTW : t->tCL + data + 2 - t->tCWL;
    double column = t->tCCD_S > data ? t->tCCD_S : data;
    for (uint32_t i = 0; i < 64 * batch; i++) {
        bool turn = i % batch == batch - 1, writes = i / batch % 2;
        clock += !turn ? column : writes ? t->tCWL + data + t->tWTR_L : to_write;
    }
    return clock / (64 * batch);
}

/* One bank and lone requests: in order each goes by itself.  With more banks, or neighbours, as
 * many of a kind as there are heads; FR-FCFS finds all that wait. */
static void turns_are_those_of_what_the_scheduler_sees(void **state)
{
    (void)state;
    static const struct {
        const char *scheduler;
        double banks, run;
        uint32_t batch;
    } cases[] = {{"dram.scheduler=fcfs", 1, 1, 1},
                 {"dram.scheduler=fcfs", 4, 1, 4},
                 {"dram.scheduler=fcfs", 4, 4, 16},
                 {"dram.scheduler=fr_fcfs", 1, 1, 64},
                 {"dram.scheduler=fr_fcfs", 4, 4, 64}};
    static const char *const sets[] = {"dram.write_queue=0"};
    for (uint32_t i = 0; i < 5; i++) {
        struct bed b;
        bed_machine(&b, "rx540", sets, 1);
        bed_set(&b, cases[i].scheduler);
        struct dram_params d = b.m.dram;
        d.t.tREFI = 0;
        d.t.tCCD_L = d.t.tCCD_S;
        double reads = service(&d, 0, cases[i].banks, cases[i].run);
        double turning = service(&d, 0.5, cases[i].banks, cases[i].run) - reads;
        double known = alternating(&d, cases[i].batch) - alternating(&d, 1 << 20);
        assert_true(known > 0.05);
        assert_near(turning / known, 1, 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hot_channels_are_those_of_the_window),
        cmocka_unit_test(chance_is_taken_out),
        cmocka_unit_test(turns_are_those_of_what_the_scheduler_sees),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
