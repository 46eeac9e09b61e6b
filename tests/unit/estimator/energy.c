/* Is the time that a rank has an open row that of a rank stepped clock by clock, and the energy of
 * an estimate that of its commands and times? */
#include "base/memory/rng.h"
#include "estimator/dram/dram_energy_model.h"
#include "tests/support/check.h"

enum { CLOCKS = 4000000 };

static const struct dram_params memory = {
    .channels = 2,
    .clock_khz = 1000000,
    .ranks = 2,
    .bankgroups = 4,
    .banks_per_group = 4,
    .bus_bytes = 16,
    .burst_length = 4,
    .t = {.tRCDRD = 14, .tRAS = 34, .tRTP = 5, .tRFC = 260, .tREFI = 3900},
    .energy = {.model = DRAM_ENERGY_COMMANDS,
               .activate_pj = 1000,
               .read_pj = 100,
               .write_pj = 200,
               .refresh_pj = 50000,
               .refresh_bank_pj = 3000,
               .read_io_pj_bit = 1,
               .act_standby_mw = 60,
               .pre_standby_mw = 40},
};

/* One rank that is accessed at random, clock by clock. */
static double stepped_open_share(const struct dram_params *p, double rate)
{
    struct rng r;
    uint64_t open_until = 0, open = 0;
    bool row = false;
    rng_seed(&r, 3, (uint64_t)(rate * 1e6));
    for (uint64_t t = 0; t < CLOCKS; t++) {
        bool refreshes = p->t.tREFI && t >= p->t.tREFI && t % p->t.tREFI < p->t.tRFC;
        if (refreshes && p->page_policy == PAGE_OPEN) row = false;
        if (!refreshes && rng_unit(&r) < rate) {
            row = true;
            open_until = t + 34 > open_until ? t + 34 : open_until;
        }
        open += p->page_policy == PAGE_OPEN ? row : t < open_until;
    }
    return (double)open / CLOCKS;
}

static void open_share_as_stepped(void **state)
{
    static const double rates[] = {0.0003, 0.001, 0.01, 0.03, 0.1};
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        double all = rates[i] * 4 * CLOCKS;
        struct memory_use use = {.reads = all, .activates = all, .us = CLOCKS * 1e-3};
        struct dram_params p = memory;
        assert_near(dram_energy_open_share(&p, &use), stepped_open_share(&p, rates[i]), 0.02);
        p.t.tREFI = 0;
        assert_near(dram_energy_open_share(&p, &use), stepped_open_share(&p, rates[i]), 0.01);
        p.page_policy = PAGE_CLOSED;
        assert_near(dram_energy_open_share(&p, &use), stepped_open_share(&p, rates[i]), 0.01);
    }
}

/* Rows that were open before stay so until the first refresh: in half a tREFI without an access, of
 * half the ranks. */
static void rows_stay_open_between_launches(void **state)
{
    (void)state;
    struct metrics m = {0};
    struct dram_params p = memory;
    const struct memory_use none = {.us = 1.95}, all = {.reads = 1e9, .us = 39};
    struct rows_left r = dram_energy_rows_left(&p, &none);
    assert_true(r.opened <= 0);
    assert_near(r.kept, 0.5, 1e-12);
    double open = 0.5, clocks = (1950 - 0.5 * 260) / 1.5;
    dram_energy_add(&p, &none, &m);
    double closed = m.v[M_dram_background_mj];
    dram_energy_add_after(&r, &open, &m);
    assert_near(open, 0.25, 1e-12);
    assert_near(m.v[M_dram_background_mj] - closed, 0.5 * 4 * clocks * 20e-9, 1e-12);
    r = dram_energy_rows_left(&p, &all);
    assert_near(r.added_mj, 0, 1e-9);
    dram_energy_add_after(&r, &open, &m);
    assert_near(open, 1, 1e-9);
    p.t.tREFI = 0; /* for ever */
    assert_near(dram_energy_rows_left(&p, &none).kept, 1, 0);
    p.page_policy = PAGE_CLOSED;
    assert_near(dram_energy_rows_left(&p, &none).kept, 0, 0);
}

static void energy_by_hand(void **state)
{
    (void)state;
    struct metrics m = {0};
    /* 39,000 clocks: ten refreshes of each of four ranks. */
    const struct memory_use use = {.reads = 4000, .writes = 2000, .activates = 300, .us = 39};
    double open = dram_energy_open_share(&memory, &use);
    dram_energy_add(&memory, &use, &m);
    assert_near(m.v[M_dram_activate_mj], 300 * 1000e-9, 1e-15);
    assert_near(m.v[M_dram_read_mj], 4000 * 100e-9, 1e-15);
    assert_near(m.v[M_dram_write_mj], 2000 * 200e-9, 1e-15);
    assert_near(m.v[M_dram_io_mj], 4000 * 512e-9, 1e-15);
    assert_near(m.v[M_dram_refresh_mj], 40 * 50000e-9, 1e-12);
    assert_near(m.v[M_dram_background_mj], 4 * 39e-6 * (60 * open + 40 * (1 - open)), 1e-12);
    double sum = m.v[M_dram_activate_mj] + m.v[M_dram_read_mj] + m.v[M_dram_write_mj] +
                 m.v[M_dram_io_mj] + m.v[M_dram_refresh_mj] + m.v[M_dram_background_mj];
    assert_near(m.v[M_energy_dram], sum, 1e-15);
    struct dram_params p = memory;
    p.per_bank_refresh = true; /* each of 64 banks in tREFI */
    dram_energy_add(&p, &use, &m);
    assert_near(m.v[M_dram_refresh_mj], 64 * 10 * 3000e-9, 1e-12);
    p.lockstep = 2;
    dram_energy_add(&p, &use, &m);
    assert_near(m.v[M_dram_activate_mj], 600 * 1000e-9, 1e-15);
    assert_near(m.v[M_dram_read_mj], 4000 * 100e-9, 1e-15);
}

static void none_without_figures(void **state)
{
    (void)state;
    struct metrics m = {0};
    struct dram_params p = memory;
    const struct memory_use use = {.reads = 4000, .us = 39};
    p.energy.model = DRAM_ENERGY_NONE;
    dram_energy_add(&p, &use, &m);
    assert_false(m.has[M_energy_dram]);
    assert_false(m.has[M_dram_background_mj]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_share_as_stepped),
        cmocka_unit_test(rows_stay_open_between_launches),
        cmocka_unit_test(energy_by_hand),
        cmocka_unit_test(none_without_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
