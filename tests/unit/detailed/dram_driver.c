/* Does the driver offer the patterns that it names, and read traces as they are written? */
#include "detailed/dram/dram_driver.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct dram_params memory = {
    .channels = 1,
    .clock_khz = 1000000,
    .clock_mhz = 1000,
    .bus_bytes = 16,
    .burst_length = 4,
    .beats_per_clock = 2,
    .pseudo_channels = 1,
    .ranks = 1,
    .bankgroups = 2,
    .banks_per_group = 4,
    .rows = 16384,
    .row_bytes = 2048,
    .mapping = "row:bankgroup:bank:column",
    .scheduler = DRAM_FCFS,
    .queue = 64,
    .t = {.tRCDRD = 14,
          .tRCDWR = 14,
          .tRP = 14,
          .tRAS = 30,
          .tRC = 44,
          .tCL = 14,
          .tCWL = 6,
          .tCCD_S = 2,
          .tCCD_L = 2,
          .tRRD_S = 4,
          .tRRD_L = 4,
          .tWTR_S = 4,
          .tWTR_L = 4,
          .tWR = 12,
          .tRTP = 5,
          .tRTRS = 1,
          .tCMD = 1},
};

enum { COLUMNS_MAX = 4096 };
struct columns { /* the column commands, in order */
    struct dram_log_entry e[COLUMNS_MAX];
    uint32_t n;
};

static void keep_columns(const struct dram_log_entry *e, void *ctx)
{
    struct columns *c = ctx;
    if (e->command == DRAM_CMD_RD || e->command == DRAM_CMD_WR) c->e[c->n++] = *e;
}

static struct dram_result drive(const struct dram_params *p, enum dram_pattern pattern, uint32_t n,
                                uint32_t gap, struct columns *c)
{
    struct dram_traffic t = {.pattern = pattern,
                             .requests = n,
                             .gap = gap,
                             .percycle = 1,
                             .interleave_bytes = 2048,
                             .log = keep_columns,
                             .log_ctx = c};
    struct dram_result r;
    struct error e;
    c->n = 0;
    assert_true(dram_drive(p, &t, &r, &e));
    assert_int_equal(r.requests, n);
    return r;
}

/* row | bankgroup 1 | bank 2 | column 11 */
static void expect_place(const struct dram_log_entry *e, uint64_t addr)
{
    assert_int_equal(e->column, addr % 2048);
    assert_int_equal(e->bank, addr / 2048 % 4);
    assert_int_equal(e->bankgroup, addr / 8192 % 2);
    assert_int_equal(e->row, addr / 16384 % 16384);
}

static struct columns seen;

static void addresses_of_the_patterns(void **state)
{
    (void)state;
    /* At one request per 200 clocks, they are served in order. */
    drive(&memory, DRAM_PATTERN_SEQ, 300, 200, &seen);
    for (uint64_t i = 0; i < 300; i++)
        expect_place(&seen.e[i], i * 64);
    drive(&memory, DRAM_PATTERN_RAND, 300, 200, &seen);
    for (uint64_t i = 0; i < 300; i++)
        expect_place(&seen.e[i], rng_splitmix64(i + 1) % (256 * 1024 * 1024 / 64) * 64);
    drive(&memory, DRAM_PATTERN_MIX21, 300, 200, &seen);
    for (uint64_t i = 0; i < 300; i++) {
        expect_place(&seen.e[i], i * 64);
        assert_int_equal(seen.e[i].command, i % 3 == 2 ? DRAM_CMD_WR : DRAM_CMD_RD);
    }
    drive(&memory, DRAM_PATTERN_CONF, 300, 200, &seen);
    for (uint32_t i = 1; i < 300; i++) {
        assert_int_equal(seen.e[i].bank + 4 * seen.e[i].bankgroup, 0);
        assert_int_not_equal(seen.e[i].row, seen.e[i - 1].row);
    }
    drive(&memory, DRAM_PATTERN_ROWSTEP, 300, 200, &seen);
    for (uint32_t i = 8; i < 300; i++) {
        assert_int_equal(seen.e[i].bank + 4 * seen.e[i].bankgroup, i % 8);
        assert_int_not_equal(seen.e[i].row, seen.e[i - 8].row);
    }
}

/* Unloaded: the first access activates, the rest of a row hits. */
static void latencies_of_an_unloaded_memory(void **state)
{
    (void)state;
    struct dram_result r = drive(&memory, DRAM_PATTERN_SEQ, 256, 200, &seen); /* 8 rows of 32 */
    assert_int_equal(r.stats.activates, 8);
    assert_near(histogram_mean(&r.latency), (8 * 30 + 248 * 16) / 256.0, 1e-9);
    assert_near(r.row_hit_rate, 248 / 256.0, 1e-9);
    assert_int_equal(r.cycles, 255 * 200 + 16);
    assert_near(r.gbps, 256 * 64 / (double)r.cycles, 1e-9);
    assert_near(r.utilization, 256 * 2 / (double)r.cycles, 1e-9);
}

/* n channels give n times the bandwidth when enough enters per cycle. */
static void channels_add_up(void **state)
{
    (void)state;
    struct dram_params p = memory;
    struct dram_traffic t = {
        .pattern = DRAM_PATTERN_SEQ, .requests = 16000, .percycle = 8, .interleave_bytes = 64};
    struct dram_result one, four;
    struct error e;
    assert_true(dram_drive(&p, &t, &one, &e));
    p.channels = 4;
    assert_true(dram_drive(&p, &t, &four, &e));
    assert_near(four.gbps / one.gbps, 4, 0.1);
    assert_near(four.utilization, one.utilization, 0.03);
}

/* ---- traces ---- */

static char path[64];

static void write_trace(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static bool drive_trace(struct dram_result *r, struct error *e, struct columns *c)
{
    struct dram_traffic t = {
        .trace = path, .percycle = 1, .interleave_bytes = 256, .log = keep_columns, .log_ctx = c};
    c->n = 0;
    return dram_drive(&memory, &t, r, e);
}

static void a_trace_of_the_pattern_gives_the_same(void **state)
{
    (void)state;
    static struct columns of_trace;
    struct dram_result a = drive(&memory, DRAM_PATTERN_MIX21, 500, 3, &seen), b;
    struct error e;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (unsigned i = 0; i < 500; i++)
        fprintf(f, "0x%x %s %u\n", i * 64, i % 3 == 2 ? "WRITE" : "READ", i * 3);
    assert_int_equal(fclose(f), 0);
    assert_true(drive_trace(&b, &e, &of_trace));
    assert_int_equal(a.cycles, b.cycles);
    assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
    assert_memory_equal(seen.e, of_trace.e, sizeof *seen.e * seen.n);
}

static void blank_lines_and_comments_are_skipped(void **state)
{
    (void)state;
    struct dram_result r;
    struct error e;
    write_trace("# head\n\n  0x40 READ 7\t# first\n0x80  WRITE 7\n   \n");
    assert_true(drive_trace(&r, &e, &seen));
    assert_int_equal(r.stats.reads, 1);
    assert_int_equal(r.stats.writes, 1);
    /* ACT at 7, RD 14 later, WR 14 + 2 + 1 - 6 after that, its data 6 later for 2 clocks. */
    assert_int_equal(r.cycles, 7 + 14 + 11 + 6 + 2);
}

static void empty_traces_have_no_rates(void **state)
{
    (void)state;
    struct dram_result r;
    struct error e;
    write_trace("# nothing\n");
    assert_true(drive_trace(&r, &e, &seen));
    assert_int_equal(r.requests, 0);
    assert_int_equal(r.cycles, 0);
    assert_near(r.gbps, 0, 0);
}

static void wrong_lines_are_named(void **state)
{
    (void)state;
    static const char *const wrong[] = {"zz READ 1",   "0x40 FETCH 1",     "0x40 READ",
                                        "0x40 READ x", "0x40 READ 1 more", "0x40 READ 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[128], want[128];
        struct dram_result r;
        struct error e;
        snprintf(text, sizeof text, "0x0 READ 1\n%s\n", wrong[i]);
        snprintf(want, sizeof want, "%s:2: ", path);
        write_trace(text);
        assert_false(drive_trace(&r, &e, &seen));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, want);
        assert_contains(e.text, "allowed");
    }
}

static const struct dram_energy_params figures = {.model = DRAM_ENERGY_COMMANDS,
                                                  .activate_pj = 1000,
                                                  .read_pj = 100,
                                                  .write_pj = 200,
                                                  .read_io_pj_bit = 0.5,
                                                  .act_standby_mw = 60,
                                                  .pre_standby_mw = 40,
                                                  .pre_powerdown_mw = 10,
                                                  .act_powerdown_mw = 20};

/* One read of a closed bank at 1 ns a clock: ACT at 0, data to 30, the row stays open. */
static void energy_of_one_read(void **state)
{
    (void)state;
    struct dram_params p = memory;
    p.energy = figures;
    struct dram_result r = drive(&p, DRAM_PATTERN_SEQ, 1, 0, &seen);
    assert_int_equal(r.cycles, 30);
    assert_near(r.energy.activate, 1000, 1e-9);
    assert_near(r.energy.read, 100, 1e-9);
    assert_near(r.energy.io, 512 * 0.5, 1e-9);
    assert_near(r.energy.background, 30 * 60, 1e-9);
    assert_near(r.pj_per_bit, (1000 + 100 + 256 + 1800) / 512.0, 1e-9);
    p.channels = 2; /* the other one is closed all the time */
    r = drive(&p, DRAM_PATTERN_SEQ, 1, 0, &seen);
    assert_near(r.energy.background, 30 * 60 + 30 * 40, 1e-9);
}

/* Twice the physical channels open twice the rows and stand by twice; a burst's bits are the same,
 * in half the time. */
static void energy_of_channels_in_lockstep(void **state)
{
    (void)state;
    struct dram_params p = memory;
    p.energy = figures;
    p.lockstep = 2;
    struct dram_result r = drive(&p, DRAM_PATTERN_SEQ, 1, 0, &seen);
    assert_int_equal(r.cycles, 29);
    assert_near(r.energy.activate, 2000, 1e-9);
    assert_near(r.energy.read, 100, 1e-9);
    assert_near(r.energy.background, 2 * 29 * 60, 1e-9);
}

static void no_energy_without_figures(void **state)
{
    (void)state;
    struct dram_result r = drive(&memory, DRAM_PATTERN_SEQ, 100, 0, &seen);
    assert_near(dram_energy_total(&r.energy), 0, 0);
}

static int setup(void **state)
{
    (void)state;
    strcpy(path, "/tmp/plumb-dram-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_the_patterns),
        cmocka_unit_test(latencies_of_an_unloaded_memory),
        cmocka_unit_test(channels_add_up),
        cmocka_unit_test(a_trace_of_the_pattern_gives_the_same),
        cmocka_unit_test(blank_lines_and_comments_are_skipped),
        cmocka_unit_test(empty_traces_have_no_rates),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(energy_of_one_read),
        cmocka_unit_test(energy_of_channels_in_lockstep),
        cmocka_unit_test(no_energy_without_figures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
