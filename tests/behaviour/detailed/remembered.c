/* remembered.c - what schedulers, throttles, queues of CTAs and directories remember goes
 * over into intervals: slices of a launch, each begun with what the functional pass has learned,
 * take together as long as the launch; begun with policies that know nothing they do not. */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

enum { PARTS = 6, SETS = 5 };

/* Tables of 64 KB on SMs of 16 KB of L1: few warps beside one another would keep what they read. */
static const char *const gather =
    "generator = \"gather\"; ctas = 72; warps_per_cta = 8; iterations = 24; footprint = \"64KB\";"
    "arithmetic = 2;";

static void forget(struct snapshot *s)
{
    mem_free(s->warm->admission);
    s->warm->admission = NULL;
    for (uint32_t i = 0; i < s->interval.n_residents; i++)
        s->residents[i].name.warp = NULL;
    for (uint32_t i = 0; i < s->warm->sms; i++)
        if (s->warm->l1[i].state) s->warm->l1[i].n = 0; /* and nobody has a copy */
}

/* Cycles of consecutive slices, each behind a warm-up of a sixth of its length. */
static double slices(struct sim *s, const struct machine *m, const struct program *p,
                     uint64_t total, bool knowing)
{
    struct error e = {0};
    struct metrics sum = {0}, one;
    struct snapshot snap[PARTS];
    uint64_t moments[PARTS];
    for (uint64_t k = 0; k < PARTS; k++)
        moments[k] = k ? total * k / PARTS - total / (6 * PARTS) : 0;
    if (!checkpoints_take_snapshots(m, p, moments, PARTS, true, snap, &e)) fail_msg("%s", e.text);
    for (uint64_t k = 0; k < PARTS; k++) {
        uint64_t from = total * k / PARTS, end = total * (k + 1) / PARTS;
        if (!knowing) forget(&snap[k]);
        snap[k].interval.warmup_instructions = from - snap[k].launch_done;
        snap[k].interval.measure_instructions = end - from;
        enum sim_end how = sim_interval(s, &snap[k].interval, snap[k].warm, &one, &e);
        if (how == SIM_FAILED) fail_msg("%s", e.text);
        metrics_accumulate(&sum, &one, 1);
        snapshot_fini(&snap[k]);
    }
    metrics_finish(&sum);
    assert_near(run_value(&sum, "warp_instructions"), (double)total,
                (double)PARTS * m->sm.count * m->sm.subcores);
    return run_value(&sum, "cycles");
}

static const struct governed {
    const char *set[SETS];
    double within;
    bool learned; /* without what was learned the slices are far off */
} rows[] = {
    {{"sm.throttle=iwl", "sm.scheduler=lrr"}, 0.04, true},
    {{"sm.throttle=iwl", "sm.scheduler=intercl", "sm.dispatch=serial"}, 0.04, true},
    {{"sm.throttle=iwl", "sm.scheduler=two_level", "sm.dispatch=balanced"}, 0.04, true},
    {{"sm.throttle=ccws", "sm.scheduler=gto", "sm.dispatch=serial"}, 0.08, false},
    {{"sm.throttle=fixed", "sm.active_warps=4", "sm.active_set=spread"}, 0.05, false},
    {{"sm.scheduler=owl"}, 0.05, false},
    {{"sm.scheduler=tbas", "sm.throttle=ccws", "sm.tbas.warps=8"}, 0.08, false},
};

/* Which of the policies the quick tier takes; the long one takes all. */
#ifndef EVERY
enum { EVERY = 3 };
#endif

/* A table that each L1 could hold and all SMs read, beside a stream. */
static const char *const shared =
    "generator = \"gather\"; ctas = 120; warps_per_cta = 4; iterations = 16; footprint = \"8KB\";"
    "arithmetic = 2;";
static const char *const protocols[][3] = {
    {"coherence.protocol=moesi", "l2.inclusion=inclusive", "l2.write_miss=fetch"},
    {"coherence.protocol=nmoesi", "l2.inclusion=inclusive", "l2.write_miss=fetch"},
    {"coherence.protocol=nmoesi", "l2.inclusion=non_inclusive", "l2.write_miss=fetch"},
};

/* What the run does between two moments. */
static struct metrics run_between(const struct machine *m, const struct program *p, uint64_t from,
                                  uint64_t end)
{
    struct metrics at[2], part;
    for (int k = 0; k < 2; k++) {
        struct error e = {0};
        struct sim *s = sim_new(m, p, &e);
        const struct sim_scope scope = {.max_instructions = k ? end : from};
        assert_true(s && sim_run(s, &scope, NULL, NULL, &e) == SIM_LIMIT);
        sim_metrics(s, &at[k]);
        sim_free(s);
    }
    metrics_diff(&part, &at[1], &at[0]);
    return part;
}

/* The same as an interval without a warm-up. */
static struct metrics window_between(const struct machine *m, const struct program *p,
                                     uint64_t from, uint64_t end, bool knowing)
{
    struct error e = {0};
    struct snapshot snap;
    struct metrics out;
    struct sim *s = sim_new(m, p, &e);
    assert_true(s && checkpoints_take_snapshots(m, p, &from, 1, true, &snap, &e));
    if (!knowing) forget(&snap);
    snap.interval.measure_instructions = end - from;
    assert_int_equal(sim_interval(s, &snap.interval, snap.warm, &out, &e), SIM_LIMIT);
    snapshot_fini(&snap);
    sim_free(s);
    return out;
}

static void intervals_find_the_copies_of_a_directory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        struct machine m = run_machine("hd7770-pdp16", protocols[i], 3);
        struct program *p = run_program(shared, m.sm.warp_width);
        struct error e = {0};
        uint64_t total;
        assert_true(program_count(p, &total, &e));
        uint64_t from = total / 2, end = from + total / 16;
        struct metrics run = run_between(&m, p, from, end);
        struct metrics with = window_between(&m, p, from, end, true);
        struct metrics without = window_between(&m, p, from, end, false);
        double hits[3] = {run_value(&run, "l1.hit_rate"), run_value(&with, "l1.hit_rate"),
                          run_value(&without, "l1.hit_rate")};
        print_message("%s: hits of the L1s %.3f, interval %.3f, without copies %.3f; cycles %.0f "
                      "%.0f %.0f\n",
                      protocols[i][0], hits[0], hits[1], hits[2], run_value(&run, "cycles"),
                      run_value(&with, "cycles"), run_value(&without, "cycles"));
        assert_near(hits[1], hits[0], 0.07); /* who asks first is drawn */
        assert_true(hits[2] < hits[0] - 0.1);
        program_close(p);
    }
}

static struct machine machine_of_preset(const char *preset, const struct governed *r)
{
    const char *sets[SETS + 1] = {"sm.count=4"};
    size_t n = 0;
    for (; n < SETS && r->set[n]; n++)
        sets[n + 1] = r->set[n];
    return run_machine(preset, sets, n + 1);
}

static struct machine machine_of(const struct governed *r)
{
    return machine_of_preset("fermi-vws", r);
}

static void slices_add_up_with_what_was_learned(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i += EVERY) {
        struct machine m = machine_of(&rows[i]);
        struct program *p = run_program(gather, m.sm.warp_width);
        struct error e = {0};
        struct metrics whole;
        struct sim *s = sim_new(&m, p, &e);
        assert_non_null(s);
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &whole);
        uint64_t total = (uint64_t)run_value(&whole, "warp_instructions");
        double with = slices(s, &m, p, total, true) / run_value(&whole, "cycles");
        double without = slices(s, &m, p, total, false) / run_value(&whole, "cycles");
        print_message("%s %s: %.3f of the launch, %.3f knowing nothing\n", rows[i].set[0],
                      rows[i].set[1] ? rows[i].set[1] : "", with, without);
        assert_near(with, 1, rows[i].within);
        if (rows[i].learned) assert_true(without < 0.8);
        sim_free(s);
        program_close(p);
    }
}

/* Mean over SMs of what their throttles know. */
struct known {
    double limit, ended, working_set, reuse; /* iwl */
    double lost, issued, held;               /* ccws: victim tags found, loads held back */
};

static struct known known_of(const struct sim *s, const struct machine *m)
{
    struct known k = {0};
    for (uint32_t i = 0; i < m->sm.count; i++) {
        const struct throttle *t = &s->sm[i].admission.throttle;
        double n = m->sm.count;
        k.limit += (t->limit == UINT32_MAX ? m->sm.max_warps : t->limit) / n;
        if (t->iwl) k.ended += (double)t->iwl->ended / n;
        if (t->iwl) k.working_set += t->iwl->ws / n, k.reuse += t->iwl->rr / n;
        if (!t->ccws) continue;
        k.lost += (double)t->ccws->hits / n;
        k.issued += (double)(s->sm[i].s.instructions - t->ccws->issued_before) / n;
        for (uint32_t j = 0; j < THROTTLE_SUBCORES; j++)
            k.held += __builtin_popcountll(t->no_loads[j]) / n;
    }
    return k;
}

/* The simulation at a moment, and an interval that begins there. */
struct both {
    struct known run, pass;
};

static struct both both_at(const struct machine *m, const struct program *p, uint64_t moment)
{
    struct error e = {0};
    struct metrics out;
    struct snapshot snap;
    struct sim *s = sim_new(m, p, &e);
    const struct sim_scope scope = {.max_instructions = moment};
    assert_int_equal(sim_run(s, &scope, NULL, NULL, &e), SIM_LIMIT);
    struct known run = known_of(s, m);
    assert_true(checkpoints_take_snapshots(m, p, &moment, 1, true, &snap, &e));
    snap.interval.measure_instructions = 1;
    assert_int_equal(sim_interval(s, &snap.interval, snap.warm, &out, &e), SIM_LIMIT);
    struct known pass = known_of(s, m);
    print_message("limit %.1f %.1f; warps ended %.1f %.1f, WS %.1f %.1f, RR %.1f %.1f; lost %.0f "
                  "%.0f of %.0f %.0f, held %.1f %.1f\n",
                  run.limit, pass.limit, run.ended, pass.ended, run.working_set, pass.working_set,
                  run.reuse, pass.reuse, run.lost, pass.lost, run.issued, pass.issued, run.held,
                  pass.held);
    sim_free(s);
    snapshot_fini(&snap);
    return (struct both){run, pass};
}

static void compare(const struct machine *m, const struct program *p, uint64_t moment)
{
    const struct both b = both_at(m, p, moment);
    assert_near(b.pass.limit, b.run.limit, 1);
    assert_near(b.pass.ended, b.run.ended, 3);
    assert_near(b.pass.lost, b.run.lost, 0.1 * b.run.lost);
    assert_near(b.pass.issued, b.run.issued, 0.01 * b.run.issued);
    assert_near(b.pass.held, b.run.held, 9); /* of 48; it changes from cycle to cycle */
}

static void the_pass_learns_what_the_run_learns(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i += EVERY) {
        struct machine m = machine_of(&rows[i]);
        struct program *p = run_program(gather, m.sm.warp_width);
        struct error e = {0};
        uint64_t total;
        assert_true(program_count(p, &total, &e));
        compare(&m, p, total * 3 / 8);
        compare(&m, p, total * 6 / 8);
        program_close(p);
    }
}

/* An L1 under SI has ways of its own, one with a predictor, too: what that bypasses without time is
 * not what it bypasses in the run, so there the pass is only asked for the size: it
 * finds about twice as many lost lines.
 */
static void every_kind_of_l1_tells_its_throttle(void **state)
{
    (void)state;
    static const struct governed si = {.set = {"sm.throttle=ccws", "coherence.protocol=si",
                                               "l1.write=through", "l1.write_local=same"}};
    static const struct governed agcb = {
        .set = {"sm.throttle=ccws", "l1.bypass=agcb", "l1.write=through", "l1.write_local=same"}};
    struct machine m = machine_of(&si), learns = machine_of(&agcb);
    struct program *p = run_program(gather, m.sm.warp_width);
    struct error e = {0};
    uint64_t total;
    assert_true(program_count(p, &total, &e));
    compare(&m, p, total * 3 / 8);
    const struct both b = both_at(&learns, p, total * 3 / 8);
    assert_true(b.pass.lost > b.run.lost / 2.5 && b.pass.lost < b.run.lost * 2.5);
    program_close(p);
}

/* Barriers, CTAs on one sub-core or over all, and queues: from everywhere that the pass hands out,
 * every instruction that is left is run, each CTA once. */
static void intervals_of_governed_machines_run_to_the_end(void **state)
{
    (void)state;
    enum { MOMENTS = 9 };
    static const char *const preset[] = {"fermi-vws", "rx540", "qv100"};
    for (size_t i = 0; i < 3 * sizeof rows / sizeof rows[0]; i++) {
        struct machine m = machine_of_preset(preset[i % 3], &rows[i / 3]);
        struct program *p = run_program("generator = \"reduction\"; ctas = 70; warps_per_cta = 2;"
                                        "iterations = 2;",
                                        m.sm.warp_width);
        struct error e = {0};
        struct snapshot snap[MOMENTS];
        uint64_t total, moment[MOMENTS];
        struct sim *s = sim_new(&m, p, &e);
        assert_true(s && program_count(p, &total, &e));
        for (uint64_t k = 0; k < MOMENTS; k++)
            moment[k] = total * (2 * k + 1) / (2 * MOMENTS);
        assert_true(checkpoints_take_snapshots(&m, p, moment, MOMENTS, true, snap, &e));
        for (uint32_t k = 0; k < MOMENTS; k++) {
            struct metrics r;
            snap[k].interval.measure_instructions = UINT64_MAX / 2;
            assert_int_equal(sim_interval(s, &snap[k].interval, snap[k].warm, &r, &e), SIM_DONE);
            assert_near(run_value(&r, "warp_instructions"), (double)(total - snap[k].launch_done),
                        0);
            snapshot_fini(&snap[k]);
        }
        sim_free(s);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_l1_tells_its_throttle),
        cmocka_unit_test(intervals_find_the_copies_of_a_directory),
        cmocka_unit_test(intervals_of_governed_machines_run_to_the_end),
        cmocka_unit_test(the_pass_learns_what_the_run_learns),
        cmocka_unit_test(slices_add_up_with_what_was_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
