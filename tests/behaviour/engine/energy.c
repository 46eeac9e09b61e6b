/* energy.c - energy, power and area in the engines' answers: the total is the sum of its
 * parts, each part its counts times the table's figures; absent, and said so, beyond the tables. */
#include "calibration/calibrate.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

#define TRIAD                                                                   \
    "generator = \"stream\"; kernel = \"triad\"; ctas = 24; warps_per_cta = 4;" \
    "iterations = 8; launches = 3;"

static bool try_answer(struct answer *a, enum engine engine, const char *preset,
                       const char *const *sets, bool per_kernel, struct error *e)
{
    size_t n = 0;
    struct run_opts o;
    while (sets[n])
        n++;
    struct machine m = run_machine(preset, sets, n);
    struct program *p = run_program(TRIAD, m.sm.warp_width);
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    o.per_kernel = per_kernel;
    bool ok = engine_run(engine, &m, p, NULL, NULL, &o, a, e);
    program_close(p);
    return ok;
}

static struct answer answer_of(enum engine engine, const char *preset, const char *const *sets)
{
    struct answer a;
    struct error e = {0};
    if (!try_answer(&a, engine, preset, sets, true, &e)) fail_msg("%s", e.text);
    return a;
}

#define ANSWER(engine, preset, ...) \
    answer_of(engine, preset, (const char *const[]){"sm.count=4", __VA_ARGS__, NULL})
#define PLAIN "energy.flit_pj=5.0"

static double or_none(const struct metrics *m, const char *path)
{
    double v = 0;
    metrics_value(m, path, &v);
    return v;
}

static void check_sums(const struct metrics *m)
{
    static const char *const parts[] = {"energy_mj.l1",        "energy_mj.l2_dynamic",
                                        "energy_mj.l2_static", "energy_mj.mshr",
                                        "energy_mj.noc",       "energy_mj.dram"};
    double sum = 0, total = run_value(m, "energy_mj.total");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum += or_none(m, parts[i]);
    assert_true(total > 0);
    assert_near(sum / total, 1, 1e-12);
    assert_near((run_value(m, "l1.energy_mj.tags") + run_value(m, "l1.energy_mj.data") +
                 run_value(m, "l1.energy_mj.static")) /
                    run_value(m, "energy_mj.l1"),
                1, 1e-12);
    assert_near((run_value(m, "l2.energy_mj.tags") + run_value(m, "l2.energy_mj.data")) /
                    run_value(m, "energy_mj.l2_dynamic"),
                1, 1e-12);
    assert_near(run_value(m, "power_w.average"), 1e3 * total / run_value(m, "time_us"), 1e-9);
}

static void totals_are_sums_in_every_engine(void **state)
{
    static const char *const presets[] = {"rx540", "gtx480", "titanv", "qv100"};
    (void)state;
    for (int e = 0; e < ENGINE_N; e++)
        for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
            struct answer a = ANSWER((enum engine)e, presets[i], PLAIN);
            double total = 0;
            check_sums(&a.m);
            assert_true(a.m.has[M_energy_noc] || strcmp(presets[i], "rx540") != 0);
            assert_int_equal(a.n_kernels, 3);
            for (uint32_t k = 0; k < a.n_kernels; k++) {
                check_sums(&a.kernel[k].m);
                total += run_value(&a.kernel[k].m, "energy_mj.total");
            }
            assert_near(total / run_value(&a.m, "energy_mj.total"), 1,
                        e == ENGINE_SAMPLE ? 0.2 : 0.1);
            assert_near(run_value(&a.m, "area_mm2.total"),
                        run_value(&a.m, "area_mm2.l1") + run_value(&a.m, "area_mm2.l2") +
                            or_none(&a.m, "area_mm2.mshr"),
                        1e-12);
            answer_fini(&a);
        }
}

/* rx540: the figures of 16 KiB 4-way and 256 KiB 32-way, 64-byte lines, 32 nm, from caches.csv. */
static void parts_are_counts_times_the_tables_figures(void **state)
{
    (void)state;
    struct answer a = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=0");
    const struct metrics *m = &a.m;
    double us = run_value(m, "time_us"), fills = run_value(m, "l1.fills"),
           fetches = run_value(m, "l2.fetches"), stores = run_value(m, "l2.writes");
    assert_near(fills,
                run_value(m, "l1.reads") - run_value(m, "l1.read_hits") - run_value(m, "l1.merges"),
                0);
    assert_near(run_value(m, "l1.energy_mj.tags"),
                1e-9 * (run_value(m, "l1.accesses") * 1.26266 + fills * 1.93625), 1e-8);
    assert_near(run_value(m, "l1.energy_mj.static"), 1e-6 * us * 4 * 7.02113, 1e-8);
    assert_near(run_value(m, "energy_mj.l2_static"), 1e-6 * us * 2 * 103.325, 1e-7);
    assert_near(run_value(m, "l2.energy_mj.data"),
                1e-9 * ((run_value(m, "l2.read_hits") + run_value(m, "l2.writebacks")) * 87.9969 +
                        (fetches + stores) * 134.435),
                1e-9);
    assert_near(run_value(m, "area_mm2.l2"), 2 * 1.0357, 1e-6);
    assert_false(m->has[M_power_peak] || m->has[M_energy_noc]);
    answer_fini(&a);
}

static void watching_changes_nothing(void **state)
{
    (void)state;
    struct answer a = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=0"),
                  b = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=50");
    for (uint32_t i = 0; i < METRIC_N; i++)
        if (i != M_power_peak) assert_true(a.m.has[i] == b.m.has[i] && a.m.v[i] == b.m.v[i]);
    answer_fini(&a);
    answer_fini(&b);
}

static void peaks_are_above_means(void **state)
{
    (void)state;
    struct answer narrow = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=200"),
                  wide = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=2000"),
                  all = ANSWER(ENGINE_SIMULATE, "rx540", "energy.window_cycles=1000000");
    double highest = 0, mean = run_value(&narrow.m, "power_w.average");
    for (uint32_t k = 0; k < narrow.n_kernels; k++)
        highest = fmax(highest, run_value(&narrow.kernel[k].m, "power_w.peak"));
    assert_near(highest, run_value(&narrow.m, "power_w.peak"), 0);
    assert_true(run_value(&narrow.m, "power_w.peak") > run_value(&wide.m, "power_w.peak"));
    assert_true(run_value(&wide.m, "power_w.peak") > mean);
    for (uint32_t k = 0; k < all.n_kernels; k++) /* no window ends: the launch's own mean */
        assert_near(run_value(&all.kernel[k].m, "power_w.peak"),
                    run_value(&all.kernel[k].m, "power_w.average"), 1e-12);
    answer_fini(&narrow);
    answer_fini(&wide);
    answer_fini(&all);
}

static void check_frc(enum engine engine)
{
    static const char *const parts[] = {"energy_mj.l1",         "energy_mj.l2_dynamic",
                                        "energy_mj.l2_static",  "energy_mj.frc_access",
                                        "energy_mj.frc_fetch",  "energy_mj.frc_swap",
                                        "energy_mj.frc_static", "energy_mj.dram"};
    struct answer a = ANSWER(engine, "rx540", "l2.frc.entries=64", "l2.bank_kb=32"),
                  none = ANSWER(engine, "rx540", "l2.frc.entries=0");
    double sum = or_none(&a.m, "energy_mj.mshr"), us = run_value(&a.m, "time_us");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum += run_value(&a.m, parts[i]);
    assert_near(sum / run_value(&a.m, "energy_mj.total"), 1, 1e-12);
    assert_true(run_value(&a.m, "energy_mj.frc_swap") > 0);
    assert_near(run_value(&a.m, "energy_mj.frc_static") / (1e-6 * us * 2 * 2.391), 1, 1e-3);
    assert_near(run_value(&a.m, "area_mm2.frc"), 2 * 0.02997, 1e-4);
    assert_true(!none.m.has[M_energy_frc_static] && !none.m.has[M_area_frc]);
    answer_fini(&a);
    answer_fini(&none);
}

static void an_frc_has_its_parts(void **state)
{
    (void)state;
    check_frc(ENGINE_SIMULATE);
    check_frc(ENGINE_ESTIMATE);
}

/* QuickRelease's APU over a memory whose energy is known; the stores of a triad pass all levels. */
static void split_caches_have_their_parts(void **state)
{
    static const char *const parts[] = {"energy_mj.l1",           "energy_mj.l2_dynamic",
                                        "energy_mj.l2_static",    "energy_mj.l3",
                                        "energy_mj.write_caches", "energy_mj.dram"};
    struct answer a = ANSWER(ENGINE_SIMULATE, "apu-quickrelease", "dram.set=gddr5",
                             "dram.channels=4"),
                  ddr3 = ANSWER(ENGINE_SIMULATE, "apu-quickrelease", PLAIN);
    double sum = 0;
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum += run_value(&a.m, parts[i]);
    assert_near(sum / run_value(&a.m, "energy_mj.total"), 1, 1e-12);
    assert_true(run_value(&a.m, "power_w.peak") > 0);
    assert_true(run_value(&a.m, "l2.writebacks") > 0 && run_value(&a.m, "l3.writes") > 0);
    assert_near(run_value(&a.m, "area_mm2.total"),
                run_value(&a.m, "area_mm2.l1") + run_value(&a.m, "area_mm2.l2") +
                    run_value(&a.m, "area_mm2.l3") + run_value(&a.m, "area_mm2.write_caches"),
                1e-12);
    assert_true(ddr3.m.has[M_energy_write_caches] && ddr3.m.has[M_area_total]);
    assert_false(ddr3.m.has[M_energy_total]);
    answer_fini(&a);
    answer_fini(&ddr3);
}

static void parameters_act(void **state)
{
    (void)state;
    struct answer base = ANSWER(ENGINE_SIMULATE, "rx540", PLAIN),
                  node = ANSWER(ENGINE_SIMULATE, "rx540", "energy.tech_nm=22"),
                  flit = ANSWER(ENGINE_SIMULATE, "rx540", "energy.flit_pj=10.0"),
                  none = ANSWER(ENGINE_SIMULATE, "rx540", "energy.model=none"),
                  order = ANSWER(ENGINE_SIMULATE, "gtx480", "l2.ways=8", "l2.bank_kb=32",
                                 "energy.access=normal"),
                  turn = ANSWER(ENGINE_SIMULATE, "gtx480", "l2.ways=8", "l2.bank_kb=32");
    assert_near(run_value(&node.m, "energy_mj.l2_static") /
                    run_value(&base.m, "energy_mj.l2_static"),
                45.0 / 103.3, 5e-3);
    assert_near(run_value(&flit.m, "energy_mj.noc") / run_value(&base.m, "energy_mj.noc"), 2,
                1e-12);
    assert_true(none.m.has[M_energy_dram] && !none.m.has[M_energy_l2_static]);
    assert_true(!none.m.has[M_energy_total] && !none.m.has[M_area_l2] && none.n_warnings == 0);
    assert_true(run_value(&order.m, "l1.energy_mj.tags") >
                2 * run_value(&turn.m, "l1.energy_mj.tags"));
    answer_fini(&base);
    answer_fini(&node);
    answer_fini(&flit);
    answer_fini(&none);
    answer_fini(&order);
    answer_fini(&turn);
}

static uint32_t times_said(const struct answer *a, const char *text)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_warnings; i++)
        n += strstr(a->warnings[i], text) != NULL;
    return n;
}

static void beyond_the_tables_is_absent_and_said(void **state)
{
    (void)state;
    for (int e = 0; e < ENGINE_N; e++) {
        struct answer a = ANSWER((enum engine)e, "qv100", "energy.tech_nm=28");
        assert_int_equal(times_said(&a, "no energy of L1, L1 MSHRs, L2, L2 MSHRs"), 1);
        assert_false(a.m.has[M_energy_l1] || a.m.has[M_energy_l2_static] || a.m.has[M_energy_mshr]);
        assert_false(a.m.has[M_energy_total] || a.m.has[M_area_total] || a.m.has[M_power_average]);
        assert_true(a.m.has[M_energy_dram]);
        answer_fini(&a);
    }
}

/* qv100's slices have 24 ways, which CACTI refuses; nobody states more of HBM2E than a bit. */
static void what_stands_for_something_else_is_said(void **state)
{
    (void)state;
    for (int e = 0; e < ENGINE_N; e++) {
        struct answer a = ANSWER((enum engine)e, "qv100", PLAIN),
                      b = ANSWER((enum engine)e, "rx540", PLAIN, "dram.set=hbm2e",
                                 "dram.channels=16");
        assert_int_equal(times_said(&a, "no entry for L2 (32 ways for 24)"), 1);
        assert_int_equal(times_said(&a, "coarse"), 0);
        assert_int_equal(times_said(&b, "6 pJ per bit moved"), 1);
        assert_int_equal(times_said(&b, "near"), 0);
        assert_near(run_value(&b.m, "energy_mj.dram") / (6e-9 * 8 * run_value(&b.m, "dram.bytes")),
                    1, 1e-9);
        check_sums(&b.m);
        assert_false(b.m.has[M_energy_dram_dynamic] || b.m.has[M_energy_l2_memory]);
        answer_fini(&a);
        answer_fini(&b);
    }
}

static void a_table_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    static const char *const sets[] = {"energy.table=\"nowhere\"", NULL};
    struct answer a;
    struct error e = {0};
    assert_false(try_answer(&a, ENGINE_ESTIMATE, "rx540", sets, false, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "no table 'nowhere'");
    answer_fini(&a);
}

/* One run, of the same machine: the estimate is half of what was simulated. */
static struct calibration calibration_that_doubles(const struct machine *m, const struct program *p,
                                                   const struct answer *plain)
{
    const uint32_t cycles = metrics_key_index("cycles");
    static struct known_run run;
    struct calibration c = calibration_bare(NULL);
    struct error e = {0};
    snprintf(c.machine, sizeof c.machine, "%s", m->name);
    run = (struct known_run){.program = program_digest(p), .machine = machine_digest(m)};
    place_of_machine(&run.place, m);
    place_of_estimate(&run.place, &plain->m, &plain->x);
    run.error[cycles] = log(2);
    run.has[cycles] = true;
    c.run = &run;
    c.n = 1;
    if (!calibration_prepare(&c, NULL, &e)) fail_msg("%s", e.text);
    return c;
}

/* What a calibration has learned makes a run longer: it leaks, refreshes and stands by for longer,
 * and does as much as before. */
static void a_longer_run_costs_what_goes_with_time(void **state)
{
    static const char *const longer[] = {"cycles", "dram.energy_mj.background",
                                         "dram.energy_mj.refresh", "energy_mj.l2_static",
                                         "l1.energy_mj.static"};
    static const char *const same[] = {"dram.energy_mj.activate", "dram.energy_mj.read",
                                       "energy_mj.l2_dynamic"};
    const char *sets[] = {"sm.count=4", PLAIN, "dram.set=hbm2"};
    struct machine m = run_machine("rx540", sets, 3);
    struct program *p = run_program(TRIAD, m.sm.warp_width);
    struct run_opts o;
    struct answer a, b;
    struct error e = {0};
    (void)state;
    run_opts_default(&o);
    o.no_cache = true;
    assert_true(engine_run(ENGINE_ESTIMATE, &m, p, NULL, NULL, &o, &a, &e));
    struct calibration c = calibration_that_doubles(&m, p, &a);
    if (!engine_run(ENGINE_ESTIMATE, &m, p, &c, NULL, &o, &b, &e)) fail_msg("%s", e.text);
    double factor = run_value(&b.m, "cycles") / run_value(&a.m, "cycles");
    assert_true(factor > 1.5 && factor < 2.1);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        assert_near(run_value(&b.m, longer[i]), factor * run_value(&a.m, longer[i]), 1e-9);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(run_value(&b.m, same[i]) == run_value(&a.m, same[i]));
    assert_near(run_value(&b.m, "energy_mj.dram") - run_value(&a.m, "energy_mj.dram"),
                (factor - 1) * (run_value(&a.m, "dram.energy_mj.background") +
                                run_value(&a.m, "dram.energy_mj.refresh")),
                1e-9);
    check_sums(&b.m);
    c.run = NULL; /* it is nobody's to free */
    calibration_fini(&c);
    answer_fini(&a);
    answer_fini(&b);
    program_close(p);
}

static double standby_watts(enum engine engine, const struct machine *m, const char *text)
{
    struct program *p = run_program(text, m->sm.warp_width);
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    if (!engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
    double watts = 1e3 * run_value(&a.m, "dram.energy_mj.background") / run_value(&a.m, "time_us");
    answer_fini(&a);
    program_close(p);
    return watts;
}

/* Misses that all go to one channel leave the others closed; rows stay open when a launch ends, for
 * the next ones, which hit in the L2 and open none; and accesses all over the memory open all. */
static void ranks_stand_by_as_in_the_cycle_model(void **state)
{
    static const char *const programs[] = {
        "generator = \"pointer_chase\"; footprint = \"64MB\"; stride = 65536; ctas = 16;"
        "warps_per_cta = 4; iterations = 16;",
        "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 2;"
        "iterations = 4; launches = 12;",
        "generator = \"pointer_chase\"; footprint = \"64MB\"; stride = 4160; ctas = 8;"
        "iterations = 256;",
    };
    struct machine m = run_machine("rx570", NULL, 0);
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        double simulated = standby_watts(ENGINE_SIMULATE, &m, programs[i]);
        assert_near(standby_watts(ENGINE_ESTIMATE, &m, programs[i]) / simulated, 1, 0.08);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_sums_in_every_engine),
        cmocka_unit_test(parts_are_counts_times_the_tables_figures),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(peaks_are_above_means),
        cmocka_unit_test(an_frc_has_its_parts),
        cmocka_unit_test(split_caches_have_their_parts),
        cmocka_unit_test(parameters_act),
        cmocka_unit_test(a_longer_run_costs_what_goes_with_time),
        cmocka_unit_test(ranks_stand_by_as_in_the_cycle_model),
        cmocka_unit_test(beyond_the_tables_is_absent_and_said),
        cmocka_unit_test(what_stands_for_something_else_is_said),
        cmocka_unit_test(a_table_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
