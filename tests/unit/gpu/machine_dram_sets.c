/* Does every timing set load by itself and beside machines, and do those that stand for a set of
 * DRAMsim3 hold its timings (tests/data/dram/timings.csv) and currents? */
#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "tests/support/dram_shipped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 96 };

/* What a set of any device obeys, beyond the reader's own checks. */
static void sound(const char *name, const struct dram_params *p)
{
    const struct dram_timing *t = &p->t;
    uint32_t banks = p->ranks * p->bankgroups * p->banks_per_group;
    bool ok = p->model == DRAM_BANKS && p->clock_khz >= 400000 && p->clock_khz <= 3200000;
    ok &= banks >= 8 && banks <= 64 && t->tRC == t->tRAS + t->tRP;
    ok &= t->tRAS >= t->tRCDRD && t->tRCDRD >= t->tRCDWR && t->tCL >= t->tCWL;
    ok &= t->tFAW == 0 || (t->tFAW > 3 * t->tRRD_S && t->tFAW < t->tRC + t->tRRD_S);
    ok &= t->tREFI == 0 || (t->tRFC > t->tRAS && t->tREFI > 8 * t->tRFC);
    double row_ns = 1e6 * t->tRC / (double)p->clock_khz;
    ok &= row_ns >= 35 && row_ns <= 62; /* of the arrays that these devices share */
    if (!ok) fail_msg("%s: not the timings of a device (row cycle %.1f ns)", name, row_ns);
}

/* Per bit and per byte of row the devices of two decades lie within a factor of twenty. */
static void sound_energy(const char *name, const struct dram_params *p)
{
    const struct dram_energy_params *e = &p->energy;
    double bits = 8.0 * p->burst_length * p->bus_bytes;
    bool ok = e->read_pj / bits > 0.5 && e->read_pj / bits < 10 && e->write_pj / bits > 0.5 &&
              e->write_pj / bits < 10;
    ok &= e->activate_pj / p->row_bytes > 0.1 && e->activate_pj / p->row_bytes < 8;
    ok &= e->act_standby_mw > 0 && e->pre_powerdown_mw > 0;
    if (e->model == DRAM_ENERGY_PER_BIT) ok = e->pj_bit > 1 && e->pj_bit < 20;
    if (e->model != DRAM_ENERGY_NONE && !ok) fail_msg("%s: not the energy of a device", name);
}

static void every_set_loads(void **state)
{
    static const char *const without[] = {"hbm3",     "hbm3-5200", "hbm3-5238", "hbm3e-6264",
                                          "ddr3-800", "ddr5-4800", "ddr5-6400", "lpddr5-6400"};
    struct error e;
    uint32_t n = 0, figures = 0;
    (void)state;
    char **names = machine_config_names("dram", &e);
    assert_non_null(names);
    for (; names[n]; n++) {
        struct dram_params p = dram_shipped(names[n]);
        sound(names[n], &p);
        sound_energy(names[n], &p);
        figures += p.energy.model != DRAM_ENERGY_NONE;
    }
    assert_true(n >= 20);
    assert_int_equal(n - figures, sizeof without / sizeof *without);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        assert_int_equal(dram_shipped(without[i]).energy.model, DRAM_ENERGY_NONE);
    assert_near(dram_shipped("gddr6").energy.pj_bit, 7.5, 0); /* as the vendor states them */
    assert_near(dram_shipped("hbm2e").energy.pj_bit, 6.0, 0);
    assert_near(dram_shipped("gddr6x-21000").energy.pj_bit, 7.25, 0);
    machine_config_dirs_free(names);
}

/* Peak GB/s over all channels as the standards and cards state it. */
static void peaks(void **state)
{
    static const struct {
        const char *set;
        double gbps;
    } rows[] = {{"gddr6", 448},       {"hbm2-pc", 256},        {"hbm2e", 409.6},
                {"hbm3", 819.2},      {"hbm2", 256},           {"hbm", 128},
                {"ddr4", 19.2},       {"gddr5-gtx480", 29.57}, {"hbm2-1754", 224.5},
                {"hbm3-5200", 665.6}, {"gddr6x-19500", 624},   {"ddr5-4800", 38.4},
                {"ddr5-6400", 51.2},  {"lpddr5-6400", 51.2},   {"gddr7", 512},
                {"gddr7-28000", 448}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dram_params p = dram_shipped(rows[i].set);
        double gbps = (double)p.channels * dram_pseudo_channels(&p) * p.bus_bytes *
                      p.beats_per_clock * p.clock_mhz * 1e-3;
        assert_true(gbps > 0.995 * rows[i].gbps && gbps < 1.005 * rows[i].gbps);
    }
}

/* Clocks of presets of Ramulator 2.1 (DDR5_4800B and DDR5_6400B with DDR5_16Gb_x8, after JESD79-5)
 * and of gem5's LPDDR5_6400_1x16_BG_BL16 (after JESD209-5), and what a device has. */
static void sets_of_ddr5_and_lpddr5(void **state)
{
    static const struct {
        const char *set;
        uint32_t cl, cwl, rcd, rp, ras, rc, ccd_s, ccd_l, rrd_s, rrd_l, faw, wtr_s, wtr_l, wr, rtp;
        uint32_t rfc, rfcb, refi, banks;
        double gbit; /* of a channel's devices together */
    } rows[] = {
        {"ddr5-4800", 40, 38, 39, 39, 77,  116, 8,    12, 8, 12,
         32,          6,  24, 72, 18, 708, 312, 9360, 32, 64},
        {"ddr5-6400", 52, 50, 52, 52, 103, 155, 8,     16, 8, 16,
         32,          8,  32, 96, 24, 944, 416, 12480, 32, 64},
        {"lpddr5-6400", 17, 9, 15, 15, 34, 49, 2, 4, 4, 4, 16, 5, 10, 28, 4, 168, 96, 3125, 16, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dram_params p = dram_shipped(rows[i].set);
        const uint32_t *want = &rows[i].cl,
                       got[] = {p.t.tCL,    p.t.tCWL,   p.t.tRCDRD,         p.t.tRP,
                                p.t.tRAS,   p.t.tRC,    p.t.tCCD_S,         p.t.tCCD_L,
                                p.t.tRRD_S, p.t.tRRD_L, p.t.tFAW,           p.t.tWTR_S,
                                p.t.tWTR_L, p.t.tWR,    p.t.tRTP,           p.t.tRFC,
                                p.t.tRFCb,  p.t.tREFI,  dram_bank_count(&p)};
        for (size_t k = 0; k < sizeof got / sizeof *got; k++)
            if (got[k] != want[k])
                fail_msg("%s: figure %zu is %u, not %u", rows[i].set, k, got[k], want[k]);
        double bits = 8.0 * dram_bank_count(&p) * p.rows * p.row_bytes;
        assert_near(bits / (1 << 30), rows[i].gbit, 0);
    }
}

/* Each set has a kind, and does what devices of its kind do; but the one that is beyond its
 * standard, as its own first lines say. */
static void kinds(void **state)
{
    char **names = machine_config_names("dram", NULL);
    (void)state;
    for (uint32_t n = 0; names[n]; n++) {
        struct machine_oddity doubt[MACHINE_ODDITIES_MAX];
        struct machine m;
        machine_defaults(&m);
        m.dram = dram_shipped(names[n]);
        const char *kind = dram_kind_row(m.dram.kind).name;
        size_t length = strcspn(names[n], "-");
        bool named = strlen(kind) == length && strncmp(kind, names[n], length) == 0;
        if (!named && strcmp(names[n], "hbm-qv100") != 0)
            fail_msg("%s: its kind is %s", names[n], kind);
        uint32_t doubts = machine_oddities(&m, doubt);
        bool beyond = strcmp(names[n], "gddr6-dramsim3") == 0;
        if (doubts != beyond) fail_msg("%s: %s of %s", names[n], doubt[0].figure, kind);
        if (beyond) assert_string_equal(doubt[0].figure, "pin_gbps");
    }
    machine_config_dirs_free(names);
}

/* ---- against the table ---- */

struct table_row {
    char line[1024], *cell[COLUMNS_MAX];
    char **head;
};

static uint32_t split(char *line, char **cell)
{
    uint32_t n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (line && n < COLUMNS_MAX)
        cell[n++] = strsep(&line, ",");
    return n;
}

/* "-" counts as 0. */
static double cell(const struct table_row *r, const char *column)
{
    for (uint32_t i = 0; r->head[i]; i++)
        if (strcmp(r->head[i], column) == 0) return strtod(r->cell[i], NULL);
    fail_msg("no column %s", column);
    return 0;
}

static void expect(const struct table_row *r, const char *column, double ours)
{
    double theirs = cell(r, column);
    if (ours < theirs - 1e-6 || ours > theirs + 1e-6)
        fail_msg("%s: %s is %g, not %g", r->cell[0], column, ours, theirs);
}

static void expect_timing(const struct table_row *r, const struct dram_params *p)
{
    const struct dram_timing *t = &p->t;
    bool grouped = p->bankgroups > 1; /* else the device runs on the short values */
    expect(r, "CL", t->tCL);
    expect(r, "CWL", t->tCWL);
    expect(r, "tRP", t->tRP);
    expect(r, "tRAS", t->tRAS);
    expect(r, "tRC", t->tRC);
    expect(r, "tRRD_S", t->tRRD_S);
    expect(r, "tCCD_S", t->tCCD_S);
    expect(r, "tWTR_S", t->tWTR_S);
    if (grouped) expect(r, "tRRD_L", t->tRRD_L);
    if (grouped) expect(r, "tCCD_L", t->tCCD_L);
    if (grouped) expect(r, "tWTR_L", t->tWTR_L);
    expect(r, "tFAW", t->tFAW);
    expect(r, "t32AW", t->t32AW);
    expect(r, "tRTP", t->tRTP);
    expect(r, "tWR", t->tWR);
    expect(r, "tRTRS", t->tRTRS);
    expect(r, "tRFC", t->tRFC);
    expect(r, "tREFI", t->tREFI);
    expect(r, "tPPD", t->tPPD);
    bool split_rcd = cell(r, "tRCDRD") > 0;
    expect(r, split_rcd ? "tRCDRD" : "tRCD", t->tRCDRD);
    expect(r, split_rcd ? "tRCDWR" : "tRCD", t->tRCDWR);
}

static void expect_shape(const struct table_row *r, const struct dram_params *p)
{
    expect(r, "BL", p->burst_length);
    expect(r, "burst_cycle", (double)p->burst_length / p->beats_per_clock);
    expect(r, "bankgroups", p->bankgroups);
    expect(r, "banks_per_group", p->banks_per_group);
    expect(r, "rows", p->rows);
    expect(r, "ranks", p->ranks);
    expect(r, "page_bytes_per_rank", p->row_bytes);
    expect(r, "bus_width", 8.0 * p->bus_bytes);
    expect(r, "channels", p->channels);
    expect(r, "request_bytes", (double)p->burst_length * p->bus_bytes);
    assert_near(1e6 / p->clock_khz, cell(r, "tCK_ns"), 1e-5);
    assert_true(p->dual_command == (strncmp(r->cell[0], "hbm", 3) == 0));
}

static void expect_energy(const struct table_row *r, const struct dram_params *p)
{
    const struct dram_energy_params *e = &p->energy;
    assert_int_equal(e->model, DRAM_ENERGY_COMMANDS);
    expect(r, "VDD_x_I_act_pJ", e->activate_pj);
    expect(r, "rd_pJ", e->read_pj);
    expect(r, "wr_pJ", e->write_pj);
    expect(r, "ref_pJ", e->refresh_pj);
    expect(r, "actstb_mW", e->act_standby_mw);
    expect(r, "prestb_mW", e->pre_standby_mw);
}

static void sets_of_dramsim3(void **state)
{
    static struct table_row head, row;
    struct error e;
    const char *line;
    size_t len;
    uint32_t compared = 0;
    (void)state;
    struct instream *s = instream_open("tests/data/dram/timings.csv", &e);
    assert_non_null(s);
    while ((line = instream_line(s, &len, &e)) != NULL) {
        if (line[0] == '#') continue;
        struct table_row *to = head.head ? &row : &head;
        assert_true(len < sizeof to->line);
        snprintf(to->line, sizeof to->line, "%s", line);
        uint32_t n = split(to->line, to->cell);
        assert_true(n < COLUMNS_MAX);
        to->head = head.cell;
        if (to == &head) continue;
        struct dram_params p = dram_shipped(row.cell[0]);
        expect_timing(&row, &p);
        expect_shape(&row, &p);
        expect_energy(&row, &p);
        compared++;
    }
    instream_close(s);
    assert_int_equal(compared, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_loads),         cmocka_unit_test(peaks),
        cmocka_unit_test(sets_of_ddr5_and_lpddr5), cmocka_unit_test(kinds),
        cmocka_unit_test(sets_of_dramsim3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
