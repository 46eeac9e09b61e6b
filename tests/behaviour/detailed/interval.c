/* interval.c - intervals: a window placed by the functional pass is a true slice of the
 * whole run. */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

#include <math.h>

static const char *const program_text =
    "generator = \"stream\"; ctas = 96; warps_per_cta = 4; iterations = 12; footprint = \"2MB\";";

static struct sim *new_sim(const struct machine *m, const struct program *p)
{
    struct error e = {0};
    struct sim *s = sim_new(m, p, &e);
    if (!s) fail_msg("%s", e.text);
    return s;
}

static void a_window_over_everything_equals_the_whole_run(void **state)
{
    (void)state;
    const char *const presets[] = {"rx540", "qv100"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], NULL, 0);
        struct program *p = run_program(program_text, m.sm.warp_width);
        struct sim *s = new_sim(&m, p);
        struct metrics whole, window;
        struct error e = {0};
        const struct interval w = {.launch = 0};
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &whole);
        assert_int_equal(sim_interval(s, &w, NULL, &window, &e), SIM_DONE);
        for (int k = 0; k < METRIC_N; k++) {
            assert_int_equal(whole.has[k], window.has[k]);
            if (whole.has[k]) assert_near(whole.v[k], window.v[k], 1e-9);
        }
        sim_free(s);
        program_close(p);
    }
}

/* Slices that cover a launch end to end, each warmed up over a twenty-fourth of it (what was in
 * flight before a window began is not asked for again): their instructions add up exactly, their
 * cycles and traffic nearly. */
static void consecutive_windows_add_up_to_the_launch(void **state)
{
    (void)state;
    enum { PARTS = 6 };
    const char *const presets[] = {"rx540", "qv100"};
    const char *const sets[] = {"sm.count=4"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], sets, 1);
        struct program *p = run_program(program_text, m.sm.warp_width);
        struct sim *s = new_sim(&m, p);
        struct error e = {0};
        struct metrics whole, sum = {0}, one;
        struct snapshot snap[PARTS];
        uint64_t total, moments[PARTS];
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &whole);
        assert_true(program_count(p, &total, &e));
        assert_int_equal(total, run_value(&whole, "warp_instructions"));
        for (uint64_t k = 0; k < PARTS; k++)
            moments[k] = k ? total * k / PARTS - total / 24 : 0;
        assert_true(checkpoints_take_snapshots(&m, p, moments, PARTS, true, snap, &e));
        for (uint64_t k = 0; k < PARTS; k++) {
            uint64_t from = total * k / PARTS, end = total * (k + 1) / PARTS;
            snap[k].interval.warmup_instructions = from - snap[k].launch_done;
            snap[k].interval.measure_instructions = end - from;
            sim_interval(s, &snap[k].interval, snap[k].warm, &one, &e);
            assert_near(run_value(&one, "warp_instructions"), (double)(end - from),
                        m.sm.count * m.sm.subcores);
            metrics_accumulate(&sum, &one, 1);
            snapshot_fini(&snap[k]);
        }
        metrics_finish(&sum);
        print_message("%s: %.0f cycles whole, %.0f in slices\n", presets[i],
                      run_value(&whole, "cycles"), run_value(&sum, "cycles"));
        assert_near(run_value(&sum, "cycles") / run_value(&whole, "cycles"), 1, 0.1);
        assert_near(run_value(&sum, "l2.reads") / run_value(&whole, "l2.reads"), 1, 0.05);
        sim_free(s);
        program_close(p);
    }
}

/* A table that fits the L2 and is read over and over: the middle of the launch must find it there.
 */
static void warm_caches_hit_and_cold_ones_do_not(void **state)
{
    (void)state;
    const char *text = "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 20;"
                       "footprint = \"128KB\"; arithmetic = 0;";
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(text, m.sm.warp_width);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct snapshot warm, cold;
    struct metrics a, b;
    uint64_t total;
    assert_true(program_count(p, &total, &e));
    uint64_t middle = total / 2;
    assert_true(checkpoints_take_snapshots(&m, p, &middle, 1, true, &warm, &e));
    assert_true(checkpoints_take_snapshots(&m, p, &middle, 1, false, &cold, &e));
    assert_null(cold.warm);
    warm.interval.measure_instructions = cold.interval.measure_instructions = total / 20;
    sim_interval(s, &warm.interval, warm.warm, &a, &e);
    sim_interval(s, &cold.interval, cold.warm, &b, &e);
    assert_true(run_value(&a, "l2.hit_rate") > run_value(&b, "l2.hit_rate") + 0.1);
    snapshot_fini(&warm);
    snapshot_fini(&cold);
    sim_free(s);
    program_close(p);
}

/* Barriers and shared memory: every position that the functional pass hands out can be gone on
 * from. */
static void windows_inside_barrier_code_run_to_the_end(void **state)
{
    (void)state;
    enum { PARTS = 25 };
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p =
        run_program("generator = \"reduction\"; ctas = 40; warps_per_cta = 4;", m.sm.warp_width);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct snapshot snap[PARTS];
    uint64_t total, moments[PARTS];
    assert_true(program_count(p, &total, &e));
    for (uint64_t k = 0; k < PARTS; k++)
        moments[k] = total * k / PARTS;
    assert_true(checkpoints_take_snapshots(&m, p, moments, PARTS, true, snap, &e));
    for (int k = 0; k < PARTS; k++) {
        struct metrics r;
        assert_int_equal(sim_interval(s, &snap[k].interval, snap[k].warm, &r, &e), SIM_DONE);
        assert_near(run_value(&r, "warp_instructions"), (double)(total - snap[k].launch_done), 0);
        snapshot_fini(&snap[k]);
    }
    sim_free(s);
    program_close(p);
}

static struct program *bundled(const char *name, const struct machine *m)
{
    struct error e = {0};
    const struct program_opts o = {.warp_width = m->sm.warp_width};
    char path[512];
    snprintf(path, sizeof path, "%s/workloads/%s", PLUMB_SOURCE_CONFIG_DIR, name);
    struct program *p = program_open(path, &o, &e);
    if (!p) fail_msg("%s", e.text);
    return p;
}

struct row_sum {
    uint32_t first;
    double cycles; /* of the launches from there on */
};

static void add_launch(uint32_t launch, const struct metrics *m, void *ctx)
{
    struct row_sum *r = ctx;
    if (launch >= r->first) r->cycles += run_value(m, "cycles");
}

/* Schedulers take turns: with every SM beginning at the same warp, launches take 7 % longer by
 * themselves than in the row. */
static void launches_alone_take_as_long_as_in_a_row(void **state)
{
    (void)state;
    enum { FIRST = 4, LAST = 9 };
    struct machine m = run_machine("hd7870", NULL, 0);
    struct program *p = bundled("fwt.plt", &m);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct row_sum row = {.first = FIRST};
    uint64_t count[64], at = 0;
    double alone = 0;
    assert_true(program_launches(p) <= 64 && program_count(p, count, &e));
    for (uint32_t l = 0; l <= LAST; at += count[l++]) {
        struct snapshot snap;
        struct metrics one;
        if (l < FIRST) continue;
        assert_true(checkpoints_take_snapshots(&m, p, &at, 1, true, &snap, &e));
        snap.interval.measure_instructions = UINT64_MAX / 2;
        assert_int_equal(sim_interval(s, &snap.interval, snap.warm, &one, &e), SIM_DONE);
        alone += run_value(&one, "cycles");
        snapshot_fini(&snap);
    }
    const struct sim_scope scope = {.last_launch = LAST, .launch_range = true};
    assert_int_equal(sim_run(s, &scope, add_launch, &row, &e), SIM_DONE);
    print_message("%.0f cycles in a row, %.0f alone\n", row.cycles, alone);
    assert_near(alone / row.cycles, 1, 0.03);
    sim_free(s);
    program_close(p);
}

/* How far a warp is, of its CTA's first one; -1: not resident. */
enum { WAVE = 64 };
static void real_positions(const struct sim *s, double *at)
{
    for (int i = 0; i < WAVE; i++)
        at[i] = -1;
    for (uint32_t sm = 0; sm < s->m.sm.count; sm++)
        for (uint32_t c = 0; c < s->m.sm.max_ctas; c++) {
            const struct cta_slot *t = &s->sm[sm].cta[c];
            if (t->active && t->slot[0] != UINT16_MAX)
                at[t->cta] = (double)sm_warp(&s->sm[sm], t->slot[0])->cursor.done;
        }
}

static void placed_positions(const struct snapshot *n, double *at)
{
    for (int i = 0; i < WAVE; i++)
        at[i] = -1;
    for (uint32_t i = 0; i < n->interval.n_residents; i++) {
        const struct resident *r = &n->residents[i];
        if (r->warp_done[0] != UINT64_MAX) at[r->cta] = (double)r->warp_done[0];
    }
}

struct likeness {
    double mean, placed_mean, spread, placed_spread, correlation;
};

static struct likeness compare(const double *x, const double *y)
{
    double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < WAVE; i++) {
        if (x[i] < 0 || y[i] < 0) continue;
        n++, sx += x[i], sy += y[i];
        xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
    }
    assert_true(n > WAVE / 2);
    double vx = xx / n - sx / n * sx / n, vy = yy / n - sy / n * sy / n;
    return (struct likeness){.mean = sx / n,
                             .placed_mean = sy / n,
                             .spread = sqrt(vx),
                             .placed_spread = sqrt(vy),
                             .correlation = (xy / n - sx / n * sy / n) / sqrt(vx * vy)};
}

static struct likeness positions_after(const char *preset, const char *program, uint32_t part)
{
    struct machine m = run_machine(preset, NULL, 0);
    struct program *p = run_program(program, m.sm.warp_width);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct snapshot snap;
    uint64_t total;
    double real[WAVE], placed[WAVE];
    assert_true(program_count(p, &total, &e));
    uint64_t early = total / part;
    const struct sim_scope scope = {.max_instructions = early};
    assert_int_equal(sim_run(s, &scope, NULL, NULL, &e), SIM_LIMIT);
    assert_true(checkpoints_take_snapshots(&m, p, &early, 1, true, &snap, &e));
    real_positions(s, real);
    placed_positions(&snap, placed);
    struct likeness l = compare(real, placed);
    print_message("%s: spread %.1f, placed %.1f, correlation %.2f\n", preset, l.spread,
                  l.placed_spread, l.correlation);
    snapshot_fini(&snap);
    sim_free(s);
    program_close(p);
    return l;
}

/* One wave of CTAs under a scheduler that prefers the oldest: a quarter into the launch
 * some warps are far ahead of others, and the functional pass has them so. */
static void the_warps_of_one_wave_are_out_of_step(void **state)
{
    (void)state;
    struct likeness l = positions_after(
        "rx540",
        "generator = \"stream\"; ctas = 64; warps_per_cta = 4; iterations = 30; unroll = 1;", 4);
    assert_true(l.placed_spread > l.spread / 1.5 && l.placed_spread < l.spread * 1.5);
    assert_true(l.correlation > 0.9);
}

/* A vector memory buffer of 32 entries for four CTAs of an SM, each on a sub-core of its own: these
 * take turns at what becomes free, so that nobody stays behind. */
static void nobody_stays_behind_at_a_full_buffer(void **state)
{
    (void)state;
    struct likeness l = positions_after(
        "hd7770-fgcs18",
        "generator = \"matmul\"; n = 1024; ctas = 40; warps_per_cta = 8; unroll = 4;"
        "iterations = 256;",
        12);
    assert_true(l.spread < 0.15 * l.mean && l.placed_spread < 0.15 * l.placed_mean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_over_everything_equals_the_whole_run),
        cmocka_unit_test(consecutive_windows_add_up_to_the_launch),
        cmocka_unit_test(warm_caches_hit_and_cold_ones_do_not),
        cmocka_unit_test(windows_inside_barrier_code_run_to_the_end),
        cmocka_unit_test(launches_alone_take_as_long_as_in_a_row),
        cmocka_unit_test(the_warps_of_one_wave_are_out_of_step),
        cmocka_unit_test(nobody_stays_behind_at_a_full_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
