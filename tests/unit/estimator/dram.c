/* Unequal load of channels and slices at several scales, and the time of a burst: are they those of
 * made-up streams whose answer is plain? */
#include "base/memory/rng.h"
#include "estimator/constants.h"
#include "estimator/dram/row_locality.h"
#include "tests/support/estimator_support.h"

#include <math.h>

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
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++) {
        t->s.n[k] = BLOCK_LEAST;
        t->s.each[k] = 1;
        for (uint32_t i = 0; i < BLOCK_LEAST; i++) {
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
        double hottest[BLOCK_WINDOWS];
    } known[] = {{1, {1, 1, 1}}, {64, {4, 1, 1}}, {512, {4, 4, 1}}, {2048, {4, 4, 4}}};
    const double together[BLOCK_WINDOWS] = {32, 256, 2048};
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        struct row_locality r;
        fill(&t, &b, known[i].run);
        row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
        for (uint32_t k = 0; k < BLOCK_WINDOWS; k++)
            assert_near(row_locality_hottest(&r, together[k]), known[i].hottest[k], 0.08);
        for (uint32_t k = 0; k < BLOCK_WINDOWS; k++)
            assert_near(row_locality_among(&r, together[k]), 1 / known[i].hottest[k], 0.02);
        double between = row_locality_hottest(&r, 90.5); /* half way from 32 to 256, by ratios */
        assert_near(between, (known[i].hottest[0] + known[i].hottest[1]) / 2, 0.08);
    }
}

/* Clocks of n accesses that keep to a channel for `run` accesses and then to the next.  A channel
 * serves one a clock; an access enters when its channel's queue has room and all before it have. */
static double clocks_in_order(uint32_t n, uint32_t run, uint32_t room)
{
    uint32_t held[CHANNELS] = {0}, clocks = 0;
    for (uint32_t i = 0; i < n; clocks++) {
        for (; i < n && held[i / run % CHANNELS] < room; i++)
            held[i / run % CHANNELS]++;
        for (uint32_t c = 0; c < CHANNELS; c++)
            held[c] -= held[c] > 0;
    }
    return clocks;
}

/* A run of one channel ends while its queue is full; the rest of it is served beside the next. */
static void queues_outlast_runs_of_a_channel(void **state)
{
    (void)state;
    enum { RUN = 256, ALL = 256 * RUN };
    const struct row_locality r = {.hottest = {CHANNELS, CHANNELS, 1, 1, 1}};
    for (uint32_t room = 8; room <= RUN / 4; room *= 2) {
        double late = row_locality_late(&r, RUN, CHANNELS * room);
        assert_near(late * ALL / CHANNELS, clocks_in_order(ALL, RUN, room), 0.02 * ALL / CHANNELS);
    }
    assert_near(row_locality_late(&r, 131072, 0), 1, 1e-9);
    assert_near(row_locality_late(&r, RUN, 0), CHANNELS, 1e-9);
}

/* Blocks of a launch whose reads are even see nothing of the others, which keep to a channel for
 * 16,384 of 131,072 accesses: the sample spread over the launch (one in 64) does. */
static void camping_is_seen_between_the_blocks(void **state)
{
    (void)state;
    static struct stream t;
    static struct spread_sample s;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 1);
    s.n = SAMPLE_SPREAD;
    for (uint32_t i = 0; i < s.n; i++) {
        s.at[i] = t.s.at[0][i];
        s.at[i].addr = another_of(&t, i / 256 % CHANNELS);
    }
    row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
    assert_near(row_locality_hottest(&r, 256), 1, 0.01);
    row_locality_over_time(&r, &s, 64, &t.map, &f);
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        assert_near(r.hottest[k], CHANNELS, 0.4); /* 8 samples of one channel may be chance */
    for (uint32_t i = 0; i < s.n; i++)
        s.at[i].addr = another_of(&t, (uint32_t)(rng_splitmix64(i) % CHANNELS));
    row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
    row_locality_over_time(&r, &s, 64, &t.map, &f);
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        assert_near(r.hottest[k], 1, 0.25);
}

/* Reads keep to a channel for 2,048 accesses and then to the next: a block sees one channel, but
 * who has 16,384 accesses in flight or more has them in all four. */
static void longer_windows_see_even_loads(void **state)
{
    (void)state;
    static struct stream t;
    static struct spread_sample s;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 2048);
    s.n = SAMPLE_SPREAD;
    for (uint32_t i = 0; i < s.n; i++) {
        s.at[i] = t.s.at[0][0];
        s.at[i].addr = another_of(&t, i / 32 % CHANNELS);
    }
    row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
    assert_near(row_locality_hottest(&r, 131072), CHANNELS, 0.01);
    row_locality_over_time(&r, &s, 64, &t.map, &f);
    assert_near(row_locality_hottest(&r, 2048), CHANNELS, 0.01);
    assert_near(row_locality_hottest(&r, 16384), 1, 0.01);
    assert_near(row_locality_hottest(&r, 131072), 1, 0.01);
    assert_near(row_locality_among(&r, 16384), 1, 0.01);
}

/* A block sees one channel; of what reads from memory, twelve samples are left, too few for two
 * windows.  They are dealt to all channels alike, so that no channel is hotter than what chance
 * hides in twelve; where they keep to one channel, it stays hot. */
static void few_samples_are_one_window(void **state)
{
    (void)state;
    static struct stream t;
    static struct spread_sample s;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 2048);
    s.n = 12;
    double hidden = 1 + UNEVEN_DEVIATIONS * sqrt(2.0 / (CHANNELS - 1)) * CHANNELS / s.n;
    for (uint32_t dealt = 1; dealt <= CHANNELS; dealt += CHANNELS - 1) {
        for (uint32_t i = 0; i < s.n; i++) {
            s.at[i] = t.s.at[0][0];
            s.at[i].addr = another_of(&t, i % dealt);
        }
        row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
        row_locality_over_time(&r, &s, 4096, &t.map, &f);
        assert_near(row_locality_hottest(&r, 2048), CHANNELS, 0.01);
        if (dealt == 1) assert_true(row_locality_hottest(&r, 131072) > 0.7 * CHANNELS);
        if (dealt > 1) assert_near(row_locality_hottest(&r, 131072), hidden, 0.01);
    }
}

/* Draws a channel for each two neighbours that lie so far apart; where `hot`, half of them go to
 * the first. */
static void fill_pairs(struct stream *t, struct sampled *to, uint32_t n, uint64_t apart, bool hot)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t r = rng_splitmix64(i);
        uint32_t channel = hot && r >> 40 & 1 ? 0 : (uint32_t)(r % CHANNELS);
        uint64_t first = i % 2 ? 0 : another_of(t, channel);
        to[i] = t->s.at[0][0];
        to[i].sm = (uint16_t)(i / 2);
        to[i].addr = i % 2 ? to[i - 1].addr + apart : first - first % (2 * apart);
    }
}

/* Lines of one instruction are sampled together now and then, and blocks hold all of them: two
 * neighbours go to one channel because they are neighbours, not because it is hot. Neighbours lie
 * in one block, or in the blocks of two slices that share a channel. */
static void neighbours_are_one_draw(void **state)
{
    (void)state;
    static struct stream t;
    static struct spread_sample s;
    static const char *const slices[] = {"l2.banks=4", "l2.banks=8"};
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    for (uint32_t shared = 0; shared < 2; shared++) {
        uint64_t apart = shared ? BLOCK : BLOCK / 2;
        struct bed b;
        struct row_locality r;
        bed_machine(&b, "rx540", &slices[shared], 1);
        fill(&t, &b, 1);
        s.n = SAMPLE_SPREAD;
        fill_pairs(&t, s.at, s.n, apart, false);
        for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++)
            fill_pairs(&t, t.s.at[k], t.s.n[k], apart, false);
        row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
        for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
            assert_near(r.hottest[k], 1, 0.01);
        row_locality_over_time(&r, &s, 64, &t.map, &f);
        for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
            assert_near(r.hottest[k], 1, 0.01);
        assert_near(row_locality_even(&s, &t.map, &f, EVEN_CHANNELS), CHANNELS, 1e-9);
        fill_pairs(&t, s.at, s.n, apart, true);
        row_locality_over_time(&r, &s, 64, &t.map, &f);
        assert_near(row_locality_hottest(&r, 2048), 2.5, 0.4); /* 32 samples, less what is chance */
        assert_near(row_locality_even(&s, &t.map, &f, EVEN_CHANNELS), CHANNELS / 2.5, 0.2);
    }
}

/* 32 draws among 4 leave the hottest channel 1.4 times the mean: chance, not the program. */
static void chance_is_taken_out(void **state)
{
    (void)state;
    static struct stream t;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 0);
    row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        assert_true(r.hottest[k] >= 1 && r.hottest[k] < 1.15);
}

/* Stores of one channel: those that fetch are read, and with a cache that writes through written,
 * too, so that the bus turns; those that hit are written or not there at all. */
static void stores_that_go_through_are_written(void **state)
{
    (void)state;
    static struct stream t;
    struct row_stream f = {
        .bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST, .stores_fetch = true};
    struct bed b;
    struct row_locality read, both, written;
    bed_machine(&b, "rx540", (const char *const[]){"dram.scheduler=fcfs"}, 1);
    fill(&t, &b, 2048);
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++)
        for (uint32_t i = 0; i < BLOCK_LEAST; i++)
            t.s.at[k][i].kind = SAMPLED_WRITE;
    row_locality_find(&read, &t.s, &t.map, &b.m.dram, &f);
    f.stores_go = f.hits_go = true;
    row_locality_find(&both, &t.s, &t.map, &b.m.dram, &f);
    assert_true(both.service[0] > 2 * read.service[0]); /* a turn for each */
    f.again = 3;                                        /* one turn for five bursts, not for two */
    row_locality_find(&written, &t.s, &t.map, &b.m.dram, &f);
    assert_near(5 * written.service[0], 2 * both.service[0] + 3 * dram_burst_clocks(&b.m.dram), 8);
    assert_near(written.hottest[2], both.hottest[2], 0.01);
    f.again = 0;
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++)
        for (uint32_t i = 0; i < BLOCK_LEAST; i++)
            t.s.at[k][i].l2 = 0;
    f.l2_lines = 1 << 20;
    row_locality_find(&written, &t.s, &t.map, &b.m.dram, &f);
    assert_near(written.service[2] / read.service[2], 1, 0.1);
    assert_true(written.hit[2] > 0.5);
    f.hits_go = false;
    row_locality_find(&written, &t.s, &t.map, &b.m.dram, &f);
    assert_true(written.hit[2] == 0 && written.hottest[0] == 1);
}

/* Two SMs in two rows of one bank: what an SM asks for side by side comes side by side, so that in
 * order three of four find their row open. */
static void neighbours_stay_together(void **state)
{
    (void)state;
    static struct stream t;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", (const char *const[]){"dram.scheduler=fcfs"}, 1);
    fill(&t, &b, 2048);
    uint64_t row = 0, a = t.s.at[0][0].addr;
    while (map_channel(&t.map, a + row) != map_channel(&t.map, a) ||
           map_addr(&t.map, a + row).flat_bank != map_addr(&t.map, a).flat_bank ||
           map_addr(&t.map, a + row).row == map_addr(&t.map, a).row)
        row += BLOCK;
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++)
        for (uint32_t i = 0; i < BLOCK_LEAST; i++) {
            t.s.at[k][i].sm = (uint16_t)(i / 4 % 2);
            t.s.at[k][i].addr = a + i / 4 % 2 * row + 64 * (i % 4);
        }
    row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
    assert_near(r.hit[0], 0.75, 0.02);
}

/* A block so short that all of it is replayed: as much is written back as is read, in accesses of
 * four sectors, too. */
static void write_backs_are_as_long_as_what_they_follow(void **state)
{
    (void)state;
    static struct stream t;
    enum { FEW = 40, SECTORS = 4 };
    struct row_stream f = {
        .bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST, .behind = 1 << 20};
    struct bed b;
    struct row_locality r;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 1);
    t.s.blocks = 1;
    t.s.n[0] = FEW;
    for (uint32_t i = 0; i < FEW; i++)
        t.s.at[0][i].sectors = SECTORS;
    for (uint32_t back = 0; back <= 1; back++) {
        f.writebacks = back;
        row_locality_find(&r, &t.s, &t.map, &b.m.dram, &f);
        assert_near(r.replayed, FEW * SECTORS * (1 + back), SECTORS);
    }
}

/* Half of the accesses side by side, so that their one bank group takes tCCD_L for each. */
static void leave_few(struct stream *t, uint32_t block, uint32_t n)
{
    t->s.n[block] = n;
    for (uint32_t i = 0; i < n; i++)
        t->s.at[block][i].addr = t->s.at[block][0].addr + 64 * (i % 4);
}

/* A block of which few accesses reach memory stands for most of the launch, the other for a tenth
 * of it: the other one tells how rows and banks serve it. */
static void a_few_bursts_set_no_rate(void **state)
{
    (void)state;
    static struct stream t;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality full, few, one;
    bed_machine(&b, "rx540", NULL, 0);
    for (uint32_t heavy = 0; heavy < SAMPLE_BLOCKS; heavy++) {
        fill(&t, &b, 0);
        row_locality_find(&full, &t.s, &t.map, &b.m.dram, &f);
        leave_few(&t, heavy, PIECE_LEAST - 1);
        t.s.each[!heavy] = 0.1;
        row_locality_find(&few, &t.s, &t.map, &b.m.dram, &f);
        t.s.n[heavy] = 0;
        row_locality_find(&one, &t.s, &t.map, &b.m.dram, &f);
        for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
            assert_near(few.service[k], one.service[k], 1e-9);
            assert_near(few.hit[k], one.hit[k], 1e-9);
            assert_near(few.service[k] / full.service[k], 1, 0.1);
        }
    }
}

/* Where no block has enough, rows hit as far as neighbours arrive together, banks are chosen by
 * chance, only the data bus takes time, and the answer is unsure. */
static void nothing_seen_is_no_extreme(void **state)
{
    (void)state;
    static struct stream t;
    const struct row_stream f = {.bursts_per_sector = 1, .together = BLOCK, .block = BLOCK_LEAST};
    struct bed b;
    struct row_locality full, few;
    bed_machine(&b, "rx540", NULL, 0);
    fill(&t, &b, 0);
    row_locality_find(&full, &t.s, &t.map, &b.m.dram, &f);
    for (uint32_t k = 0; k < SAMPLE_BLOCKS; k++)
        leave_few(&t, k, 8);
    for (uint32_t i = 0; i < 4; i++) /* two runs of four in the first block, one of eight */
        t.s.at[0][4 + i].addr += UINT64_C(1) << 20;
    row_locality_find(&few, &t.s, &t.map, &b.m.dram, &f);
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        assert_near(few.hit[k], 1 - 3.0 / 16, 1e-9);
        assert_near(few.service[k], dram_burst_clocks(&b.m.dram), 1e-9);
        assert_true(few.banks[k] >= 2);
    }
    assert_true(row_locality_doubt(&few) > 0.3);
    assert_true(row_locality_doubt(&full) == 0);
    few.replayed = 300;
    assert_true(row_locality_doubt(&few) > 0 && row_locality_doubt(&few) < 0.1);
}

/* A rank that nobody asks is down when a read comes, one that is asked all the time never. */
static void a_quiet_rank_has_to_wake(void **state)
{
    (void)state;
    struct bed b;
    struct burst_time awake, down;
    struct dram_load load = {.depth = 1, .most = 16, .room = 16};
    const struct row_locality r = {
        .hit = {0.5, 0.5, 0.5}, .banks = {4, 4, 4}, .service = {8, 8, 8}, .run = 2};
    bed_machine(&b, "rx540", (const char *const[]){"dram.timing.tXP=20"}, 1);
    struct dram_params d = b.m.dram, sleeps = d;
    sleeps.power_down_idle = 30;
    double before = 21;
    for (uint32_t i = 0; i < 6; i++) {
        load.rate = 0.02 * i;
        burst_time_find(&awake, &r, &d, &load);
        burst_time_find(&down, &r, &sleeps, &load);
        double waits = down.latency - awake.latency;
        double gap = awake.latency + 30, runs = load.rate / 2 / dram_rank_count(&d);
        assert_near(waits, 20 * exp(-runs * gap), 1e-9);
        assert_true(waits < before && down.service <= awake.service + 1e-9);
        before = waits;
    }
}

/* Refreshes of banks 800 clocks apart, each with 100 in which no row is opened: one of eight
 * comes into them, and waits for half. */
static void rows_wait_for_other_banks_refreshes(void **state)
{
    (void)state;
    struct bed b;
    struct burst_time free, spaced;
    const struct dram_load load = {.depth = 1, .most = 16, .room = 16};
    const struct row_locality r = {
        .hit = {0.25, 0.25, 0.25}, .banks = {4, 4, 4}, .service = {8, 8, 8}, .run = 1};
    bed_machine(&b, "rx540",
                (const char *const[]){"dram.per_bank_refresh=true", "dram.timing.tREFIb=800",
                                      "dram.timing.tRFCb=120"},
                3);
    struct dram_params d = b.m.dram;
    burst_time_find(&free, &r, &d, &load);
    d.t.tRREFD = 100;
    burst_time_find(&spaced, &r, &d, &load);
    assert_near(spaced.latency - free.latency, 0.75 * 50 / 8, 1e-9);
    assert_near(spaced.service, free.service, 1e-9);
}

/* --- slices --- */

/* SAMPLE_SPREAD accesses, each to the slice `step` behind the one before. */
static void fill_slices(struct spread_sample *s, const struct map *map, uint32_t step)
{
    uint64_t a = 0;
    s->n = SAMPLE_SPREAD;
    for (uint32_t i = 0; i < s->n; a += BLOCK)
        if (map_slice(map, a) == i * step % map->slices)
            s->at[i++] = (struct sampled){.addr = a, .l1 = UINT16_MAX, .sectors = 1};
}

/* What a load on every step-th slice acts like.  Loaded ones have step times the mean, so that the
 * scatter is mean^2 (step - 1); the mean itself is what chance would give, with two standard
 * deviations of the scatter of n loads. */
static double slices_like(double n, double step)
{
    double chance = step > 1 ? n / SAMPLE_SPREAD / (step - 1) : 0;
    chance *= 1 + 2 * sqrt(2 / (n - 1));
    return n / (1 + (step - 1) * sqrt(fmax(0, 1 - chance)));
}

/* All in turn, every second one, always the same: of as many slices as there may be. */
static void slices_count_as_they_are_loaded(void **state)
{
    (void)state;
    static struct spread_sample s;
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    for (uint32_t n = 8; n <= 1024; n *= 2) {
        struct error e = {0};
        struct map map;
        b.m.l2.banks = n;
        assert_true(map_init(&map, &b.m.l2, &b.m.dram, &e));
        const struct row_stream f = {.together = b.m.l2.interleave_bytes};
        const uint32_t step[] = {1, 2, n};
        for (uint32_t k = 0; k < 3; k++) {
            fill_slices(&s, &map, step[k]);
            assert_near(row_locality_even(&s, &map, &f, EVEN_SLICES), slices_like(n, step[k]),
                        1e-9 * n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hot_channels_are_those_of_the_window),
        cmocka_unit_test(queues_outlast_runs_of_a_channel),
        cmocka_unit_test(camping_is_seen_between_the_blocks),
        cmocka_unit_test(longer_windows_see_even_loads),
        cmocka_unit_test(few_samples_are_one_window),
        cmocka_unit_test(neighbours_are_one_draw),
        cmocka_unit_test(chance_is_taken_out),
        cmocka_unit_test(stores_that_go_through_are_written),
        cmocka_unit_test(rows_wait_for_other_banks_refreshes),
        cmocka_unit_test(a_quiet_rank_has_to_wake),
        cmocka_unit_test(neighbours_stay_together),
        cmocka_unit_test(write_backs_are_as_long_as_what_they_follow),
        cmocka_unit_test(a_few_bursts_set_no_rate),
        cmocka_unit_test(nothing_seen_is_no_extreme),
        cmocka_unit_test(slices_count_as_they_are_loaded),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
