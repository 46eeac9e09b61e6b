/* Is a record's energy its counts times what each costs, plus leakage times time, and the total the
 * sum of its parts? */
#include "gpu/energy/account.h"
#include "gpu/mechanisms/mechanisms.h"
#include "tests/support/check.h"
#include "tests/support/run.h"

#include <math.h>

static struct energy_costs costs(void)
{
    return (struct energy_costs){
        .on = true,
        .l1 = {.known = true,
               .enabled = true,
               .tag_read = 2,
               .data_read = 20,
               .data_write = 30,
               .tag_write = 3,
               .leakage_mw = 50,
               .area_mm2 = 0.4},
        .l2 = {.known = true,
               .enabled = true,
               .tag_read = 8,
               .data_read = 90,
               .data_write = 130,
               .tag_write = 40,
               .leakage_mw = 200,
               .area_mm2 = 2,
               .stores_allocate = true},
        .l1_mshr = {.known = true,
                    .enabled = true,
                    .search = 3,
                    .read = 1,
                    .write = 2,
                    .leakage_mw = 4,
                    .area_mm2 = 0.01},
        .l2_mshr = {.known = true,
                    .enabled = true,
                    .search = 5,
                    .read = 2,
                    .write = 4,
                    .leakage_mw = 6,
                    .area_mm2 = 0.02},
        .flit_pj = 7,
    };
}

static struct metrics counts(void)
{
    static const struct {
        enum metric id;
        double v;
    } set[] = {{M_time_us, 1000},         {M_l1_accesses, 1100},
               {M_l1_bypasses, 100},      {M_l1_read_hits, 300},
               {M_l1_hits, 400},          {M_l1_misses, 600},
               {M_l1_fills, 450},         {M_l1_merges, 60},
               {M_l2_accesses, 800},      {M_l2_reads, 500},
               {M_l2_read_hits, 200},     {M_l2_writes, 300},
               {M_l2_write_hits, 120},    {M_l2_nacks, 10},
               {M_l2_fetches, 250},       {M_l2_merges, 50},
               {M_l2_writebacks, 70},     {M_noc_request_flits, 1000},
               {M_noc_reply_flits, 2000}, {M_noc_hop_flits, 9000},
               {M_dram_activate_mj, 0.1}, {M_dram_read_mj, 0.2},
               {M_dram_write_mj, 0.3},    {M_dram_io_mj, 0.05},
               {M_dram_refresh_mj, 0.01}, {M_dram_background_mj, 0.4},
               {M_energy_dram, 1.06}};
    struct metrics m = {0};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        metrics_set(&m, set[i].id, set[i].v);
    return m;
}

#define PJ 1e-9 /* in mJ */

static void by_hand(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics m = counts();
    energy_account(&c, &m);
    metrics_finish(&m);
    /* 1000 look-ups, 450 fills; 300 reads; 100 store hits and the fills are written */
    assert_near(m.v[M_l1_tags_mj], PJ * (1000 * 2 + 450 * 3), 1e-15);
    assert_near(m.v[M_l1_data_mj], PJ * (300 * 20 + 550 * 30), 1e-15);
    assert_near(m.v[M_l1_static_mj], 50e-3 * 1000e-6 * 1e3, 1e-12); /* 50 mW for 1 ms */
    /* 810 look-ups; 180 stores took a line; 200 hits and 70 write-backs are read */
    assert_near(m.v[M_l2_tags_mj], PJ * (810 * 8 + (250 + 180) * 40), 1e-15);
    assert_near(m.v[M_l2_data_mj], PJ * (270 * 90 + (120 + 180 + 250) * 130), 1e-15);
    assert_near(m.v[M_energy_l2_dynamic], m.v[M_l2_tags_mj] + m.v[M_l2_data_mj], 1e-15);
    assert_near(m.v[M_energy_l2_static], 0.2, 1e-12);
    assert_near(m.v[M_energy_mshr],
                PJ * (450 * 6 + 60 * 5 + 250 * 11 + 50 * 9) + 10e-3 * 1000e-6 * 1e3, 1e-12);
    assert_near(m.v[M_energy_noc], PJ * 3000 * 7, 1e-15);
    assert_near(m.v[M_energy_dram_dynamic], 0.65, 1e-12);
    assert_near(m.v[M_energy_l2_memory], m.v[M_energy_l2_dynamic] + 0.2 + 0.65, 1e-12);
    assert_near(m.v[M_energy_total],
                m.v[M_energy_l1] + m.v[M_energy_l2_dynamic] + m.v[M_energy_l2_static] +
                    m.v[M_energy_mshr] + m.v[M_energy_noc] + m.v[M_energy_dram],
                1e-12);
    assert_near(m.v[M_power_average], m.v[M_energy_total] * 1e-3 / 1000e-6, 1e-9);
}

static void policies_change_what_is_written(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics base = counts(), m = counts();
    energy_account(&c, &base);
    c.l2.stores_fetch = true; /* the fill has written the tag */
    energy_account(&c, &m);
    assert_near(base.v[M_l2_tags_mj] - m.v[M_l2_tags_mj], PJ * 180 * 40, 1e-15);
    c.l2.stores_allocate = c.l2.stores_fetch = false; /* stores that miss pass by */
    energy_account(&c, &m);
    assert_near(base.v[M_l2_data_mj] - m.v[M_l2_data_mj], PJ * 180 * 130, 1e-15);
    c.l1.stores_allocate = true; /* 600 misses, 450 of them loads */
    c.l1.round_looks_up = true;
    energy_account(&c, &m);
    assert_near(m.v[M_l1_tags_mj] - base.v[M_l1_tags_mj], PJ * (100 * 2 + 150 * 3), 1e-15);
    assert_near(m.v[M_l1_data_mj] - base.v[M_l1_data_mj], PJ * 150 * 30, 1e-15);
    c.per_hop = true;
    energy_account(&c, &m);
    assert_near(m.v[M_energy_noc], PJ * 9000 * 7, 1e-15);
}

static void what_is_not_known_is_absent(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics m = counts();
    c.flit_pj = 0;
    c.l2_mshr.known = false; /* bounded, and not in the tables */
    energy_account(&c, &m);
    assert_false(m.has[M_energy_noc] || m.has[M_energy_mshr]);
    assert_true(m.has[M_energy_total]);
    m = counts(), c = costs();
    c.l2.known = false;
    energy_account(&c, &m);
    assert_true(m.has[M_energy_l1] && m.has[M_energy_dram_dynamic]);
    assert_false(m.has[M_energy_l2_dynamic] || m.has[M_energy_l2_memory] || m.has[M_energy_total]);
    m = counts(), c = costs();
    m.has[M_energy_dram] = false;
    energy_account(&c, &m);
    assert_true(m.has[M_energy_l2_static]);
    assert_false(m.has[M_energy_total] || m.has[M_energy_dram_dynamic]);
    m = counts();
    m.has[M_l1_fills] = false; /* a count that an engine does not have */
    energy_account(&c, &m);
    assert_false(m.has[M_energy_l1] || m.has[M_energy_mshr] || m.has[M_energy_total]);
    m = counts();
    c.l1.enabled = c.l1.known = false; /* no L1: nothing is missing */
    energy_account(&c, &m);
    assert_true(m.has[M_energy_total] && !m.has[M_energy_l1]);
    m = counts(), c = costs(); /* of the memory no more than what a bit costs */
    m.has[M_dram_activate_mj] = m.has[M_dram_io_mj] = false;
    m.has[M_dram_refresh_mj] = m.has[M_dram_background_mj] = false;
    energy_account(&c, &m);
    assert_true(m.has[M_energy_total]);
    assert_false(m.has[M_energy_dram_dynamic] || m.has[M_energy_l2_memory]);
    m = counts();
    c.on = false;
    energy_account(&c, &m);
    assert_false(m.has[M_energy_l2_static] || m.has[M_energy_total]);
}

/* Of 250 fetches 100 went to the FRC, 90 of them were swapped into the L2. */
static void frc_by_hand(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics m = counts(), without = counts();
    energy_account(&c, &without);
    c.frc = (struct cache_costs){.known = true,
                                 .enabled = true,
                                 .tag_read = 1,
                                 .data_read = 15,
                                 .data_write = 18,
                                 .tag_write = 2,
                                 .leakage_mw = 5,
                                 .area_mm2 = 0.1};
    energy_account(&c, &m);
    assert_false(m.has[M_energy_total] || m.has[M_energy_l2_memory]); /* no counts of the FRC */
    metrics_set(&m, M_l2_frc_lookups, 400);
    metrics_set(&m, M_l2_frc_fetches, 100);
    metrics_set(&m, M_l2_frc_swaps, 90);
    energy_account(&c, &m);
    double access = PJ * 400, fetch = PJ * 100 * 20, leaked = 5e-3;
    double swap = PJ * 90 * (90 + 15 + (40 + 130) + 20);
    assert_near(m.v[M_energy_frc_access], access, 1e-15);
    assert_near(m.v[M_energy_frc_fetch], fetch, 1e-15);
    assert_near(m.v[M_energy_frc_swap], swap, 1e-15);
    assert_near(m.v[M_energy_frc_static], leaked, 1e-12);
    double l2 = PJ * 100 * (130 + 40); /* fills that the L2 is spared */
    assert_near(without.v[M_energy_l2_dynamic] - m.v[M_energy_l2_dynamic], l2, 1e-15);
    assert_near(m.v[M_energy_total] - without.v[M_energy_total],
                access + fetch + swap + leaked - l2, 1e-12);
    energy_areas(&c, &m);
    assert_near(m.v[M_area_total], 0.4 + 2 + 0.1 + 0.03, 1e-12);
    c.uncosted = UINT64_C(1) << MECHANISM_l2_victim_cache;
    struct metrics vc = counts();
    energy_account(&c, &vc);
    assert_false(vc.has[M_energy_total]);
    struct energy_costs beside = costs();
    beside.uncosted = UINT64_C(1) << MECHANISM_scalar_cache;
    struct metrics scalar = counts();
    energy_account(&beside, &scalar);
    assert_true(scalar.has[M_energy_l2_memory]);
    assert_false(scalar.has[M_energy_total]);
}

static void areas_add(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics m = {0};
    energy_areas(&c, &m);
    assert_near(m.v[M_area_mshr], 0.03, 1e-12);
    assert_near(m.v[M_area_total], 0.4 + 2 + 0.03, 1e-12);
    m = (struct metrics){0};
    c.l1.area_mm2 = (double)NAN; /* energy, but no area */
    energy_areas(&c, &m);
    assert_true(m.has[M_area_l2]);
    assert_false(m.has[M_area_l1] || m.has[M_area_total]);
}

static void add_side_counts(struct metrics *m)
{
    static const struct {
        enum metric id;
        double v;
    } set[] = {{M_l1_reads, 800}, {M_l1_writes, 300},    {M_l3_reads, 260},
               {M_l3_writes, 70}, {M_l3_read_hits, 160}, {M_dram_writes, 120}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        metrics_set(m, set[i].id, set[i].v);
}

static void l3_by_hand(void **state)
{
    (void)state;
    struct energy_costs c = costs();
    struct metrics m = counts(), without = counts();
    energy_account(&c, &without);
    c.l3 = (struct cache_costs){.known = true,
                                .enabled = true,
                                .tag_read = 4,
                                .data_read = 70,
                                .data_write = 80,
                                .tag_write = 6,
                                .leakage_mw = 300,
                                .area_mm2 = 3};
    energy_account(&c, &m);
    assert_false(m.has[M_energy_l3] || m.has[M_energy_total]); /* no counts of the L3 */
    add_side_counts(&m);
    energy_account(&c, &m);
    /* 330 look-ups, 160 hits, 100 reads that are kept */
    double around = PJ * (330 * 4 + 160 * 70 + 100 * (80 + 6)) + 0.3;
    assert_near(m.v[M_energy_l3], around, 1e-12);
    assert_near(m.v[M_energy_total] - without.v[M_energy_total], around, 1e-12);
    c.l3_write_back = true;
    energy_account(&c, &m);
    assert_near(m.v[M_energy_l3] - around, PJ * 70 * 80, 1e-12);
    energy_areas(&c, &m);
    assert_near(m.v[M_area_total], 0.4 + 2 + 0.03 + 3, 1e-12);
    struct metrics unknown = counts();
    c.l3.known = false;
    add_side_counts(&unknown);
    energy_account(&c, &unknown);
    energy_areas(&c, &unknown);
    assert_false(unknown.has[M_energy_total] || unknown.has[M_area_total]);
}

/* QuickRelease's APU; the energy of its memory is not known, that of GDDR5 is. */
static struct energy_costs quickrelease_costs(void)
{
    static const char *const sets[] = {"dram.set=gddr5", "dram.channels=4"};
    struct machine m = run_machine("apu-quickrelease", sets, 2);
    struct energy_costs c;
    struct error e = {0};
    const struct part_pointers parts = machine_part_pointers(&m);
    if (!energy_costs(&c, &parts, &e)) fail_msg("%s", e.text);
    return c;
}

static void split_caches_are_found(void **state)
{
    /* KB and entries: table 1 of QuickRelease, over 16 slices and 4 channels */
    static const uint32_t kb[WRITE_CACHE_N] = {4, 1, 8}, entries[WRITE_CACHE_N] = {64, 8, 64};
    struct energy_costs c = quickrelease_costs();
    (void)state;
    assert_true(!c.incomplete && c.write_caches.on && !c.uncosted);
    assert_string_equal(c.missing, "");
    assert_string_equal(c.stand_ins, "wL2 S-FIFO (64 entries for 8)");
    assert_int_equal(c.l3.asked.bytes, 4096 * 1024 / 4);
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++) {
        const struct write_cache_costs *w = &c.write_caches.level[i];
        assert_int_equal(w->cache.asked.bytes, kb[i] * 1024);
        assert_int_equal(w->fifo.asked.bytes, entries[i] * 8);
        assert_int_equal(w->fifo.taken.bytes, 64 * 8);
    }
}

static double write_cache_by_hand(const struct write_cache_costs *w, double stores, double loads,
                                  double blocks)
{
    const struct cache_costs *k = &w->cache;
    return PJ * ((stores + loads) * k->tag_read + stores * k->data_write +
                 blocks * (k->data_read + k->tag_write + w->fifo.read + w->fifo.write)) +
           1e-3 * (k->leakage_mw + w->fifo.leakage_mw); /* mW for 1 ms */
}

static void split_totals_are_sums(void **state)
{
    struct energy_costs c = quickrelease_costs();
    struct metrics m = counts();
    double area = 0;
    (void)state;
    energy_account(&c, &m);
    assert_false(m.has[M_energy_write_caches] || m.has[M_energy_total]);
    add_side_counts(&m);
    energy_account(&c, &m);
    energy_areas(&c, &m);
    assert_near(c.write_caches.blocks_per_burst, 1, 0); /* bursts of 128 bytes: one for a block */
    assert_near(m.v[M_energy_write_caches],
                write_cache_by_hand(&c.write_caches.level[WRITE_CACHE_L1], 300, 500, 300) +
                    write_cache_by_hand(&c.write_caches.level[WRITE_CACHE_L2], 300, 300, 70) +
                    write_cache_by_hand(&c.write_caches.level[WRITE_CACHE_L3], 70, 100, 120),
                1e-12);
    assert_near(m.v[M_energy_total],
                m.v[M_energy_l1] + m.v[M_energy_l2_dynamic] + m.v[M_energy_l2_static] +
                    m.v[M_energy_dram] + m.v[M_energy_l3] + m.v[M_energy_write_caches],
                1e-12);
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++)
        area += c.write_caches.level[i].cache.area_mm2 + c.write_caches.level[i].fifo.area_mm2;
    assert_near(m.v[M_area_write_caches], area, 1e-12);
    assert_near(m.v[M_area_total], m.v[M_area_l1] + m.v[M_area_l2] + m.v[M_area_l3] + area, 1e-12);
    /* stores are in the write caches, not in the read caches' data */
    assert_near(m.v[M_l1_data_mj], PJ * (300 * c.l1.data_read + 450 * c.l1.data_write), 1e-12);
    assert_near(m.v[M_l2_data_mj], PJ * (200 * c.l2.data_read + 250 * c.l2.data_write), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(policies_change_what_is_written),
        cmocka_unit_test(what_is_not_known_is_absent),
        cmocka_unit_test(frc_by_hand),
        cmocka_unit_test(areas_add),
        cmocka_unit_test(l3_by_hand),
        cmocka_unit_test(split_caches_are_found),
        cmocka_unit_test(split_totals_are_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
