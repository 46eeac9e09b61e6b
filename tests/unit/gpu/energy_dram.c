/* Is the memory's energy its commands and times, each times its figure, and the total their sum? */
#include "gpu/energy/dram_energy.h"
#include "tests/support/check.h"

#include <string.h>

static const struct dram_energy_params hbm = {.model = DRAM_ENERGY_COMMANDS,
                                              .activate_pj = 828,
                                              .read_pj = 804,
                                              .write_pj = 1068,
                                              .refresh_pj = 60840,
                                              .refresh_bank_pj = 5000,
                                              .read_io_pj_bit = 0.5,
                                              .write_io_pj_bit = 0.25,
                                              .act_standby_mw = 66,
                                              .pre_standby_mw = 48,
                                              .act_powerdown_mw = 40,
                                              .pre_powerdown_mw = 33.6};

static void by_hand(void **state)
{
    (void)state;
    const struct dram_activity a = {.activates = 10,
                                    .reads = 100,
                                    .writes = 50,
                                    .rank_refreshes = 2,
                                    .bank_refreshes = 3,
                                    .burst_bytes = 64,
                                    .act_standby_ns = 1000,
                                    .pre_standby_ns = 500,
                                    .act_powerdown_ns = 200,
                                    .pre_powerdown_ns = 100};
    struct dram_energy e = dram_energy(&hbm, &a);
    assert_near(e.activate, 8280, 1e-9);
    assert_near(e.read, 80400, 1e-9);
    assert_near(e.write, 53400, 1e-9);
    assert_near(e.io, 100 * 512 * 0.5 + 50 * 512 * 0.25, 1e-9); /* 512 bits a burst */
    assert_near(e.refresh, 2 * 60840 + 3 * 5000, 1e-9);
    assert_near(e.background, 66000 + 24000 + 8000 + 3360, 1e-9);
    assert_near(dram_energy_total(&e), 8280 + 80400 + 53400 + 32000 + 136680 + 101360, 1e-6);
}

/* Each count and each figure reaches one part and nothing else. */
static void each_count_has_its_part(void **state)
{
    (void)state;
    const struct {
        struct dram_activity a;
        double activate, read, write, io, refresh, background;
    } rows[] = {
        {{.activates = 1, .burst_bytes = 32}, 828, 0, 0, 0, 0, 0},
        {{.reads = 1, .burst_bytes = 32}, 0, 804, 0, 128, 0, 0},
        {{.writes = 1, .burst_bytes = 32}, 0, 0, 1068, 64, 0, 0},
        {{.rank_refreshes = 1, .burst_bytes = 32}, 0, 0, 0, 0, 60840, 0},
        {{.bank_refreshes = 1, .burst_bytes = 32}, 0, 0, 0, 0, 5000, 0},
        {{.act_standby_ns = 1, .burst_bytes = 32}, 0, 0, 0, 0, 0, 66},
        {{.pre_standby_ns = 1, .burst_bytes = 32}, 0, 0, 0, 0, 0, 48},
        {{.act_powerdown_ns = 1, .burst_bytes = 32}, 0, 0, 0, 0, 0, 40},
        {{.pre_powerdown_ns = 1, .burst_bytes = 32}, 0, 0, 0, 0, 0, 33.6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dram_energy e = dram_energy(&hbm, &rows[i].a);
        assert_near(e.activate, rows[i].activate, 1e-9);
        assert_near(e.read, rows[i].read, 1e-9);
        assert_near(e.write, rows[i].write, 1e-9);
        assert_near(e.io, rows[i].io, 1e-9);
        assert_near(e.refresh, rows[i].refresh, 1e-9);
        assert_near(e.background, rows[i].background, 1e-9);
    }
}

/* Where a bit is all that is known, the parts that it hides are absent, not zero. */
static void per_bit_by_hand(void **state)
{
    struct dram_energy_params p = hbm;
    struct metrics m = {0};
    const struct dram_activity a = {
        .activates = 10, .reads = 100, .writes = 50, .burst_bytes = 32, .act_standby_ns = 1000};
    (void)state;
    p.model = DRAM_ENERGY_PER_BIT;
    p.pj_bit = 6.0;
    struct dram_energy e = dram_energy(&p, &a);
    assert_near(e.read, 100 * 256 * 6.0, 1e-9);
    assert_near(e.write, 50 * 256 * 6.0, 1e-9);
    assert_near(dram_energy_total(&e), 150 * 256 * 6.0, 1e-9);
    dram_energy_metrics(&e, &m);
    assert_near(m.v[M_energy_dram], 150 * 256 * 6.0 * 1e-9, 1e-15);
    assert_true(m.has[M_dram_read_mj] && m.has[M_dram_write_mj]);
    assert_false(m.has[M_dram_activate_mj] || m.has[M_dram_io_mj] || m.has[M_dram_refresh_mj] ||
                 m.has[M_dram_background_mj]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(each_count_has_its_part),
        cmocka_unit_test(per_bit_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
