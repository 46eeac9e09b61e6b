/* The replay of a channel: does it take what lists of commands take whose times are plain? */
#include "estimator/dram/channel_replay.h"
#include "tests/support/estimator_support.h"

static double replayed(const struct dram_params *d, const struct replay_request *r, uint32_t n,
                       uint32_t depth)
{
    struct replay_sum s = {0};
    channel_replay(&s, d, r, n, depth, 1);
    return s.clocks / s.bursts;
}

/* What a list of commands takes, each as early as the one before allows. */
static double alternating(const struct dram_params *d, uint32_t batch)
{
    const struct dram_timing *t = &d->t;
    double data = (double)d->burst_length / d->beats_per_clock, clock = 0;
    double to_write = t->tRTW ? t->tRTW : t->tCL + data + t->tRTRS - t->tCWL;
    double column = t->tCCD_S > data ? t->tCCD_S : data;
    for (uint32_t i = 0; i < 64 * batch; i++) {
        bool turn = i % batch == batch - 1, writes = i / batch % 2;
        clock += !turn ? column : writes ? t->tCWL + data + t->tAL + t->tWTR_L : to_write;
    }
    return clock / (64 * batch);
}

/* One bank, one row: in order, every change of direction of the stream turns the bus. */
static void turns_are_those_of_the_stream(void **state)
{
    (void)state;
    for (uint32_t batch = 1; batch <= 16; batch *= 4) {
        struct replay_request r[256];
        struct bed b;
        bed_machine(&b, "rx540", NULL, 0);
        struct dram_params d = b.m.dram;
        d.scheduler = DRAM_FCFS;
        d.t.tAL = 0;
        for (uint32_t i = 0; i < 256; i++)
            r[i] = (struct replay_request){.row = 5, .write = i / batch % 2};
        double known = alternating(&d, batch);
        assert_near(replayed(&d, r, 256, 8) / known, 1, 0.04);
    }
}

/* A drain takes what lies between its marks; so often the bus turns twice.  (Between smaller ones
 * than the 8 reads that then have their turn, more writes come than leave.) */
static void drains_are_those_between_the_marks(void **state)
{
    (void)state;
    struct replay_request r[384];
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    struct dram_params d = b.m.dram;
    d.write_queue = 32;
    d.t.tAL = 0;
    for (uint32_t i = 0; i < 384; i++)
        r[i] = (struct replay_request){.row = 5, .write = i % 2};
    for (uint32_t batch = 8; batch <= 16; batch *= 2) {
        d.write_high = 8 + batch;
        d.write_low = 8;
        assert_near(replayed(&d, r, 384, 8) / alternating(&d, batch), 1, 0.01);
    }
}

/* Writes that never fill their queue up to the mark wait for the piece's end.  In a longer piece
 * they would turn the bus once for 384 of them, what lies between the marks, and open their row if
 * it is not that of the reads. */
static void waiting_writes_turn_the_bus_once_a_drain(void **state)
{
    (void)state;
    struct replay_request r[128];
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    struct dram_params d = b.m.dram;
    d.write_queue = 512;
    d.write_high = 448;
    d.write_low = 64;
    d.t.tAL = 0;
    const struct dram_timing *t = &d.t;
    double data = dram_burst_clocks(&d), column = t->tCCD_L > data ? t->tCCD_L : data;
    double to_write = t->tRTW ? t->tRTW : t->tCL + data + t->tRTRS - t->tCWL;
    double turns = to_write - data + t->tCWL + t->tWTR_S;
    double rows = 2.0 * t->tRP + t->tRCDWR + t->tRCDRD;
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t share = 2 + k / 2, other = k % 2;
        double writes = 0;
        for (uint32_t i = 0; i < 128; i++) {
            bool write = i % share > 0;
            r[i] = (struct replay_request){.row = 5 + other * write, .write = write};
            writes += r[i].write;
        }
        double drain = 128 * writes / (128 - writes) > 384 ? 128 * writes / (128 - writes) : 384;
        assert_near(replayed(&d, r, 128, 128),
                    column + writes / 128 * (turns + other * rows) / drain, 1e-9);
    }
}

/* New rows: of one bank each takes tRC, of many as fast as activates may follow. */
static void rows_take_what_banks_and_activates_allow(void **state)
{
    (void)state;
    struct replay_request r[256];
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    for (uint32_t banks = 1; banks <= 16; banks *= 2) {
        struct dram_params d = b.m.dram;
        const struct dram_timing *t = &d.t;
        double gap = t->tRRD_S > t->tFAW / 4.0 ? t->tRRD_S : t->tFAW / 4.0;
        for (uint32_t i = 0; i < 256; i++)
            r[i] = (struct replay_request){.row = i, .bank = (uint16_t)(i % banks)};
        double known = t->tRC / (double)banks > gap ? t->tRC / (double)banks : gap;
        for (uint32_t k = 0; k < 2; k++) {
            d.page_policy = k ? PAGE_CLOSED : PAGE_OPEN;
            assert_near(replayed(&d, r, 256, 32) / known, 1, 0.05);
        }
    }
}

/* Two rows of a bank in turn: FR-FCFS puts the queue in order; FCFS does not.  Under a cap of c a
 * row serves the request that opens it, c that pass, and the c that the other row's c left behind.
 */
static void row_hits_are_those_of_the_scheduler(void **state)
{
    (void)state;
    struct replay_request r[256];
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    struct dram_params d = b.m.dram;
    for (uint32_t i = 0; i < 256; i++)
        r[i] = (struct replay_request){.row = i % 2};
    static const struct {
        enum dram_sched scheduler;
        uint32_t cap;
        double hit;
    } known[] = {{DRAM_FCFS, 0, 0},
                 {DRAM_FR_FCFS, 0, 1},
                 {DRAM_FR_FCFS, 1, 2.0 / 3},
                 {DRAM_FR_FCFS, 4, 8.0 / 9}};
    for (uint32_t i = 0; i < 4; i++) {
        struct replay_sum s = {0};
        d.scheduler = known[i].scheduler;
        d.hit_cap = known[i].cap;
        channel_replay(&s, &d, r, 256, 32, 1);
        assert_near(s.hits / s.looked, known[i].hit, 0.02);
    }
}

/* Hits that no timing holds back come as fast as the bus delivers. */
static void a_bus_rests_as_much_as_it_does_not_deliver(void **state)
{
    (void)state;
    struct replay_request r[256] = {{.row = 0}};
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    struct dram_params d = b.m.dram;
    double data = (double)d.burst_length / d.beats_per_clock;
    d.t.tCCD_S = d.t.tCCD_L = 0;
    for (d.delivered = 1; d.delivered > 0.3; d.delivered -= 0.12)
        assert_near(replayed(&d, r, 256, 32), data / d.delivered, 0.02 * data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_those_of_the_stream),
        cmocka_unit_test(drains_are_those_between_the_marks),
        cmocka_unit_test(waiting_writes_turn_the_bus_once_a_drain),
        cmocka_unit_test(rows_take_what_banks_and_activates_allow),
        cmocka_unit_test(row_hits_are_those_of_the_scheduler),
        cmocka_unit_test(a_bus_rests_as_much_as_it_does_not_deliver),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
