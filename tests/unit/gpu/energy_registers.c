/* What register files cost: table 3 of Mao, what follows from counts, what no source says and so is
 * absent. */
#include "gpu/energy/account.h"
#include "tests/support/check.h"
#include "tests/support/run.h"

#include <math.h>

#define PJ 1e-9 /* in mJ */

static struct energy_costs costs_of(const char *const *sets, size_t n)
{
    struct machine m = run_machine("fermi-rf", sets, n);
    struct energy_costs c;
    struct error e = {0};
    const struct part_pointers parts = machine_part_pointers(&m);
    if (!energy_costs(&c, &parts, &e)) fail_msg("%s", e.text);
    return c;
}
#define COSTS(...)                               \
    costs_of((const char *const[]){__VA_ARGS__}, \
             sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))
#define RACETRACK "register_file.cells=racetrack"
#define TWO_LEVEL "sm.scheduler=two_level"

/* The counts of a register file, of 1 ms. */
static struct metrics counts(double times)
{
    static const struct {
        enum metric id;
        double v;
    } set[] = {
        {M_time_us, 1000},           {M_rf_writes, 4000},        {M_rf_bank_reads, 6000},
        {M_rf_bank_writes, 3000},    {M_rf_shifts, 20000},       {M_rf_buffer_reads, 900},
        {M_rf_buffer_voided, 800},   {M_rf_buffer_direct, 1500}, {M_rf_buffer_piggyback, 1300},
        {M_rf_buffer_overflow, 200}, {M_rf_cache_reads, 700},    {M_rf_cache_writes, 3500}};
    struct metrics m = {0};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        metrics_set(&m, set[i].id, times * set[i].v);
    return m;
}

static struct metrics account(const struct energy_costs *c, double times)
{
    struct metrics m = counts(times);
    energy_account(c, &m);
    return m;
}

/* --- table 3 ---------------------------------------------------------------------------------- */

static double change(double from, double to)
{
    return 100 * (to / from - 1);
}

/* RM-READE-42, RM-WRITEE-50, RM-LEAK-93, RM-AREA-90, RM-SHIFT-E-1.8. */
static void racetracks_save_what_table_3_says(void **state)
{
    (void)state;
    struct energy_costs sram = COSTS("sm.count=15"), racetrack = COSTS(RACETRACK);
    const struct register_file_costs *a = &sram.registers, *b = &racetrack.registers;
    assert_true(a->known && b->known);
    assert_near(a->read, 103.88, 1e-9);
    assert_near(b->write, 50.49, 1e-9);
    assert_near(change(a->read, b->read), -42.9, 0.05);
    assert_near(change(a->write, b->write), -50.7, 0.05);
    assert_near(change(a->leakage_mw, b->leakage_mw), -98.1, 0.05);
    assert_near(change(a->area_mm2, b->area_mm2), -90, 1e-9);
    assert_near(a->leakage_mw, 15 * 14.41, 1e-9);
    assert_near(b->shift, 1.8, 1e-12);
    assert_true(isnan(a->shift));
    assert_string_equal(sram.missing, "");
    assert_string_equal(racetrack.missing, "");
}

/* RM-WBIT-72. */
static void a_write_buffer_of_32_is_4096_and_72_bytes(void **state)
{
    (void)state;
    assert_int_equal(WBIT_BITS, 18);
    assert_int_equal(register_buffer_data_bytes(32, 128), 4096);
    assert_int_equal(register_buffer_table_bytes(32), 72);
    struct energy_costs c = COSTS(RACETRACK, "register_file.write_buffer=32");
    const struct register_front_costs *k = &c.registers.front;
    assert_true(k->known && !k->scaled && !k->cache);
    assert_near(k->read, 8.34, 1e-12);
    assert_near(k->write, 8.09, 1e-12);
    assert_near(k->leakage_mw, 15 * 0.94, 1e-9);
}

/* CACTI's RAMs of 128-byte words at 32 nm: 32,768 bytes over 4,096. */
static void other_buffers_scale_with_cacti(void **state)
{
    (void)state;
    struct energy_costs small = COSTS(RACETRACK, "register_file.write_buffer=16"),
                        large = COSTS(RACETRACK, "register_file.write_buffer=256");
    const struct register_front_costs *s = &small.registers.front, *l = &large.registers.front;
    assert_true(s->scaled && l->scaled);
    assert_near(l->read, 8.34 * 0.057193 / 0.0525483, 1e-9);
    assert_near(l->leakage_mw, 15 * 0.94 * 11.8956 / 2.21418, 1e-9);
    assert_near(s->leakage_mw, 15 * 0.94 * 1.48179 / 2.21418, 1e-9);
    assert_true(s->read < 8.34 && 8.34 < l->read);
    assert_true(s->write < 8.09 && 8.09 < l->write);
    struct energy_costs beyond = COSTS(RACETRACK, "register_file.write_buffer=512");
    assert_false(beyond.registers.front.known);
    assert_string_equal(beyond.missing, "register write buffer");
}

/* Six registers of eight warps: a write buffer of 48. */
static void a_cache_costs_what_a_buffer_of_its_entries_does(void **state)
{
    (void)state;
    struct energy_costs c = COSTS(RACETRACK, TWO_LEVEL, "sm.two_level.warps=8",
                                  "register_file.cache_entries=6"),
                        b = COSTS(RACETRACK, "register_file.write_buffer=48");
    const struct register_front_costs *k = &c.registers.front, *w = &b.registers.front;
    assert_true(k->known && k->cache);
    assert_int_equal(k->entries, 48);
    assert_near(k->read, w->read, 1e-12);
    assert_near(k->write, w->write, 1e-12);
    assert_near(k->leakage_mw, w->leakage_mw, 1e-12);
    assert_string_equal(c.stand_ins, "register-file cache (a write buffer of 48 entries)");
}

/* --- counts ----------------------------------------------------------------------------------- */

static void sram_by_hand(void **state)
{
    (void)state;
    struct energy_costs c = COSTS("sm.count=15");
    struct metrics m = account(&c, 1);
    assert_near(m.v[M_rf_dynamic_mj], PJ * (6000 * 103.88 + 3000 * 102.37), 1e-12);
    assert_near(m.v[M_rf_static_mj], 15 * 14.41e-3, 1e-12); /* 1 ms */
    assert_false(m.has[M_rf_shift_mj] || m.has[M_rf_front_mj]);
    assert_near(m.v[M_energy_register_file], m.v[M_rf_dynamic_mj] + m.v[M_rf_static_mj], 1e-12);
}

static void a_buffered_racetrack_by_hand(void **state)
{
    (void)state;
    struct energy_costs c = COSTS(RACETRACK, "register_file.write_buffer=32");
    struct metrics m = account(&c, 1);
    assert_near(m.v[M_rf_dynamic_mj], PJ * (6000 * 59.34 + 3000 * 50.49), 1e-12);
    assert_near(m.v[M_rf_shift_mj], PJ * 20000 * 1.8, 1e-12);
    assert_near(m.v[M_rf_static_mj], 15 * 0.27e-3, 1e-12);
    assert_near(m.v[M_rf_front_mj], PJ * (4000 * 8.09 + (900 + 1300 + 200) * 8.34) + 15 * 0.94e-3,
                1e-12);
    assert_near(m.v[M_energy_register_file],
                m.v[M_rf_dynamic_mj] + m.v[M_rf_shift_mj] + m.v[M_rf_static_mj] +
                    m.v[M_rf_front_mj],
                1e-12);
}

/* Banks are given 3,000 registers, 500 of them straight from results. */
static void a_cached_racetrack_by_hand(void **state)
{
    (void)state;
    struct energy_costs c = COSTS(RACETRACK, TWO_LEVEL, "register_file.cache_entries=6");
    const struct register_front_costs *k = &c.registers.front;
    struct metrics m = account(&c, 1);
    assert_near(m.v[M_rf_front_mj],
                PJ * (3500 * k->write + (700 + 2500) * k->read) + 1e-3 * k->leakage_mw, 1e-12);
}

static void energy_is_linear_in_counts(void **state)
{
    (void)state;
    static const enum metric sums[] = {M_rf_dynamic_mj, M_rf_shift_mj, M_rf_static_mj,
                                       M_rf_front_mj, M_energy_register_file};
    struct energy_costs c = COSTS(RACETRACK, "register_file.write_buffer=64");
    struct metrics one = account(&c, 1), three = account(&c, 3);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        assert_true(one.v[sums[i]] > 0);
        assert_near(three.v[sums[i]], 3 * one.v[sums[i]], 1e-12);
    }
}

/* --- totals ----------------------------------------------------------------------------------- */

static void add_other_counts(struct metrics *m)
{
    static const enum metric id[] = {
        M_l1_accesses, M_l1_read_hits, M_l1_hits,   M_l1_misses,  M_l1_fills,      M_l1_bypasses,
        M_l2_accesses, M_l2_read_hits, M_l2_writes, M_l2_fetches, M_l2_write_hits, M_l2_writebacks};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        metrics_set(m, id[i], 10);
    metrics_set(m, M_energy_dram, 1);
}

static void the_total_has_the_register_file(void **state)
{
    (void)state;
    struct energy_costs c = COSTS(RACETRACK), none = COSTS("register_file.cells=none");
    struct metrics with = counts(1), without = counts(1);
    add_other_counts(&with);
    add_other_counts(&without);
    energy_account(&c, &with);
    energy_account(&none, &without);
    energy_areas(&c, &with);
    energy_areas(&none, &without);
    assert_false(without.has[M_energy_register_file] || without.has[M_area_register_file]);
    assert_near(with.v[M_energy_total] - without.v[M_energy_total], with.v[M_energy_register_file],
                1e-12);
    assert_near(with.v[M_area_total] - without.v[M_area_total], with.v[M_area_register_file], 1e-9);
    /* 16 banks of CACTI's 8,192 bytes */
    assert_near(with.v[M_area_register_file], 15 * 0.1 * 16 * 0.0757379, 1e-9);
    assert_true(!c.incomplete);
}

static void expect_absent(const struct energy_costs *c, struct metrics m)
{
    add_other_counts(&m);
    energy_account(c, &m);
    assert_false(m.has[M_energy_register_file] || m.has[M_energy_total]);
}

static void what_no_source_says_is_absent(void **state)
{
    (void)state;
    struct energy_costs ports = COSTS(RACETRACK, "register_file.racetrack.ports=8");
    struct metrics m = account(&ports, 1);
    assert_string_equal(ports.missing, "register files");
    assert_true(ports.incomplete);
    assert_false(m.has[M_rf_dynamic_mj] || m.has[M_rf_shift_mj] || m.has[M_rf_static_mj]);
    expect_absent(&ports, counts(1));
    energy_areas(&ports, &m);
    assert_false(m.has[M_area_register_file] || m.has[M_area_total]);
    struct energy_costs size = COSTS("sm.registers=65536"), node = COSTS("energy.tech_nm=22");
    expect_absent(&size, counts(1));
    expect_absent(&node, counts(1));
    struct energy_costs beyond = COSTS(RACETRACK, "register_file.write_buffer=512");
    m = account(&beyond, 1);
    assert_true(m.has[M_rf_dynamic_mj] && !m.has[M_rf_front_mj]);
    expect_absent(&beyond, counts(1));
}

/* Counts that an engine does not have. */
static void without_counts_there_is_no_energy(void **state)
{
    (void)state;
    static const enum metric needs[] = {
        M_rf_bank_reads,       M_rf_bank_writes,     M_rf_shifts,      M_rf_writes,
        M_rf_buffer_piggyback, M_rf_buffer_overflow, M_rf_buffer_reads};
    struct energy_costs c = COSTS(RACETRACK, "register_file.write_buffer=32");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        struct metrics m = counts(1);
        m.has[needs[i]] = false;
        expect_absent(&c, m);
    }
}

static void a_shift_may_be_given(void **state)
{
    (void)state;
    struct energy_costs c = COSTS(RACETRACK, "energy.shift_pj=7.2");
    struct metrics m = account(&c, 1);
    assert_near(m.v[M_rf_shift_mj], PJ * 20000 * 7.2, 1e-12);
}

/* --- the table -------------------------------------------------------------------------------- */

#define HEAD                                                                                     \
    "structure,ports,tech_nm,bytes,banks,entry_bytes,read_pj,write_pj,read_ns,write_ns,leakage_" \
    "mw,"                                                                                        \
    "shift_pj,area_of_sram\n"

static void faults_of_a_table_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } faults[] = {
        {"", "t.csv: no rows; a table of register files is wanted"},
        {"# nothing\n" HEAD, "t.csv: no rows; a table of register files is wanted"},
        {"structure,ports\nsram,0\n", "t.csv:1: no column 'tech_nm'; the head"},
        {HEAD "sram,0,32\n", "t.csv:2: 3 cells; the head has 13"},
        {HEAD "dram,0,32,131072,16,128,1,1,,,1,,\n", "t.csv:2: structure is 'dram'; sram"},
        {HEAD "sram,-1,32,131072,16,128,1,1,,,1,,\n", "t.csv:2: ports is '-1'; whole numbers"},
        {HEAD "sram,0,32,0,16,128,1,1,,,1,,\n", "t.csv:2: bytes is '0'; whole numbers from 1"},
        {HEAD "sram,0,32,131072,16,128,,1,,,1,,\n", "t.csv:2: read_pj is ''; a number above 0 is"},
        {HEAD "sram,0,32,131072,16,128,1,1,,,1,x,\n",
         "t.csv:2: shift_pj is 'x'; a number above 0 or"},
        {HEAD "sram,0,32,131072,16,128,1,1,,,1,,\nsram,0,32,131072,16,128,1,1,,,1,,\n",
         "t.csv:3: a second row of the same; one is allowed"},
    };
    static struct register_table t;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct error e = {0};
        assert_false(register_table_parse(&t, "t.csv", faults[i].text, &e));
        assert_memory_equal(e.text, faults[i].says, strlen(faults[i].says));
    }
    struct error e = {0};
    assert_false(register_table_load(&t, "nothing", &e));
    assert_contains(e.text, "energy.register_table: no table 'nothing'; a file of configs/tables");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(racetracks_save_what_table_3_says),
        cmocka_unit_test(a_write_buffer_of_32_is_4096_and_72_bytes),
        cmocka_unit_test(other_buffers_scale_with_cacti),
        cmocka_unit_test(a_cache_costs_what_a_buffer_of_its_entries_does),
        cmocka_unit_test(sram_by_hand),
        cmocka_unit_test(a_buffered_racetrack_by_hand),
        cmocka_unit_test(a_cached_racetrack_by_hand),
        cmocka_unit_test(energy_is_linear_in_counts),
        cmocka_unit_test(the_total_has_the_register_file),
        cmocka_unit_test(what_no_source_says_is_absent),
        cmocka_unit_test(without_counts_there_is_no_energy),
        cmocka_unit_test(a_shift_may_be_given),
        cmocka_unit_test(faults_of_a_table_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
