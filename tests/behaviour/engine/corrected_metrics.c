/* corrected_metrics.c - after one simulation, do the ranges of the estimate of the same machine
 * hold what was simulated, and does the corrected estimate agree with the formulas of its metrics?
 */
#include "engine/corrected_metrics.h"
#include "calibration/calibration_set.h"
#include "engine/bank_recall.h"
#include "engine/bank_record.h"
#include "engine/engine.h"
#include "tests/support/bank_runs.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"

#include <math.h>

static const char *const machines[] = {"rx540", "rx570"};
static const char *const programs[] = {"tests/data/foreign/pb-atax.plt",
                                       "tests/data/foreign/rod-nn.plt"};
enum { CASES = 4 };

static struct {
    struct machine m;
    struct answer simulated, estimated;
} at[CASES];

static void run(enum engine engine, const struct machine *m, const struct program *p,
                const struct calibration *c, struct bank *b, struct answer *a)
{
    struct run_opts o;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.bank = b;
    *a = (struct answer){.level = 0};
    if (!engine_run(engine, m, p, c, NULL, &o, a, &e)) fail_msg("%s", e.text);
}

static void make_case(uint32_t i, const struct range_model *ranges)
{
    const struct bank_versions versions = bank_record_versions();
    struct run_opts o;
    struct error e = {0};
    struct calibration c;
    bool ready;
    at[i].m = run_machine(machines[i % 2], NULL, 0);
    struct program *p = run_open(programs[i / 2], at[i].m.sm.warp_width);
    struct bank *b = bank_open(bank_runs_new_file(), BANK_MAKE, &versions, &e);
    if (!b) fail_msg("%s", e.text);
    run_opts_default(&o);
    o.no_cache = true;
    o.bank = b;
    run(ENGINE_SIMULATE, &at[i].m, p, NULL, b, &at[i].simulated);
    const struct program *const asked = p;
    if (!bank_recall(b, NULL, ranges, &at[i].m, &asked, 1, &o, &c, &ready, &e))
        fail_msg("%s", e.text);
    run(ENGINE_ESTIMATE, &at[i].m, p, &c, NULL, &at[i].estimated);
    assert_int_equal(at[i].estimated.correction.runs, 1);
    calibration_fini(&c);
    bank_close(b);
    program_close(p);
}

static int setup_group(void **state)
{
    struct calibration_set s;
    struct error e = {0};
    if (bank_runs_make_group(state)) return -1;
    const struct machine any = run_machine(machines[0], NULL, 0), *const one = &any;
    if (!calibration_set_open(&s, "none", &one, 1, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < CASES; i++)
        make_case(i, s.ranges);
    calibration_set_close(&s);
    return 0;
}

static int teardown_group(void **state)
{
    for (uint32_t i = 0; i < CASES; i++) {
        answer_fini(&at[i].simulated);
        answer_fini(&at[i].estimated);
    }
    return folder_remove(state);
}

static void ranges_hold_the_run(void **state)
{
    const char *key;
    uint32_t held = 0, missed = 0;
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct answer_ranges *r = &at[i].estimated.ranges;
        for (uint32_t k = 0; (key = metrics_key(k)); k++) {
            double v, estimate, slack;
            if (!r->has[k] || !metrics_at(&at[i].simulated.m, k, &v)) continue;
            assert_true(metrics_at(&at[i].estimated.m, k, &estimate));
            slack = 1e-9 * fabs(v);
            bool holds = r->low[k] - slack <= v && v <= r->high[k] + slack &&
                         r->low[k] <= estimate && estimate <= r->high[k];
            held += holds;
            missed += !holds;
            if (!holds)
                print_message("%s, %s, %s: simulated %g, estimated %g in %g to %g\n",
                              at[i].simulated.program, at[i].m.name, key, v, estimate, r->low[k],
                              r->high[k]);
        }
    }
    assert_true(held > 200);
    assert_int_equal(missed, 0);
}

static void need(uint32_t i, const char *key, double is, double should)
{
    if (fabs(is - should) > 1e-9 * fabs(should))
        fail_msg("%s on %s: %s is %.9g, by its formula %.9g", at[i].simulated.program, at[i].m.name,
                 key, is, should);
}

static void ratios_agree_with_their_parts(void **state)
{
    uint32_t ratios = 0;
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct metrics *m = &at[i].estimated.m;
        for (uint32_t id = 0; id < METRIC_N; id++) {
            const struct metric_info *r = &metric_info[id];
            double num, den;
            bool known = r->ratio && m->has[id] && metrics_key_index(r->path) < METRICS_KEYS_MAX &&
                         metrics_at(m, metrics_key_index(metric_info[r->num].path), &num) &&
                         metrics_at(m, metrics_key_index(metric_info[r->den].path), &den);
            if (!known) continue;
            need(i, r->path, m->v[id], r->factor * num / den);
            ratios++;
        }
    }
    assert_true(ratios > 10 * CASES);
}

static void sums_agree_with_their_parts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        const double *v = at[i].estimated.m.v;
        need(i, "l2.accesses", v[M_l2_accesses], v[M_l2_reads] + v[M_l2_writes]);
        need(i, "l2.hits", v[M_l2_hits], v[M_l2_read_hits] + v[M_l2_write_hits]);
        need(i, "l2.hits_as_rocprof", v[M_l2_hits_as_rocprof],
             fmin(v[M_l2_accesses], v[M_l2_hits] + v[M_l2_merges]));
        need(i, "l2.hits_as_ncu", v[M_l2_hits_as_ncu],
             fmin(v[M_l2_accesses], v[M_l2_read_hits] + v[M_l2_writes]));
        need(i, "energy_mj.l1", v[M_energy_l1],
             v[M_l1_tags_mj] + v[M_l1_data_mj] + v[M_l1_static_mj]);
        need(i, "energy_mj.dram", v[M_energy_dram],
             v[M_dram_activate_mj] + v[M_dram_read_mj] + v[M_dram_write_mj] + v[M_dram_io_mj] +
                 v[M_dram_refresh_mj] + v[M_dram_background_mj]);
        assert_true(v[M_l2_read_hits] <= v[M_l2_reads] && v[M_l2_write_hits] <= v[M_l2_writes]);
    }
}

/* A run of the same machine leaves little of its error. */
static void latencies_are_corrected(void **state)
{
    static const char *const keys[] = {"latency.load_mean", "latency.max_per_instruction_mean"};
    (void)state;
    for (uint32_t i = 0; i < CASES; i++)
        for (uint32_t k = 0; k < 2; k++) {
            double simulated = run_value(&at[i].simulated.m, keys[k]),
                   estimated = run_value(&at[i].estimated.m, keys[k]);
            assert_true(fabs(log(estimated / simulated)) < 0.05);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_hold_the_run),
        cmocka_unit_test(ratios_agree_with_their_parts),
        cmocka_unit_test(sums_agree_with_their_parts),
        cmocka_unit_test(latencies_are_corrected),
    };
    return cmocka_run_group_tests(tests, setup_group, teardown_group);
}
