/* placing.c - an interval's CTAs stand where a run would have them: on their sub-cores,
 * and with those of other SMs as far out of step. */
#include "detailed/core/sim_internal.h"
#include "gpu/functional/state/warm_state.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

/* Rows of a matrix that every CTA reads anew, and that the L2 does not hold. */
static const char *const matmul = "generator = \"matmul\"; n = 1024; ctas = 96;"
                                  "warps_per_cta = 8; iterations = 64; unroll = 4;";

static void pass_to(const struct machine *m, const struct program *p, uint64_t moment,
                    struct snapshot *out)
{
    struct error e = {0};
    if (!checkpoints_take_snapshots(m, p, &moment, 1, true, out, &e)) fail_msg("%s", e.text);
}

static const struct cta_slot *slot_of(const struct sm *sm, uint64_t cta)
{
    for (uint32_t c = 0; c < sm->p->max_ctas; c++)
        if (sm->cta[c].active && sm->cta[c].cta == cta) return &sm->cta[c];
    return NULL;
}

/* The sub-core of a resident CTA's warp; -1: one of them has ended. */
static int subcore_of(const struct sim *s, const struct resident *r, uint32_t warp)
{
    const struct cta_slot *t = slot_of(&s->sm[r->sm], r->cta);
    return t && t->slot[warp] != UINT16_MAX ? t->slot[warp] / SM_SUBCORE_SLOTS : -1;
}

/* A CTA that took the place of another runs on that one's sub-core, which is not the next in
 * order: sub-cores are asked in a fixed order, and who is on the first gets ahead. */
static void ctas_return_to_their_sub_cores(void **state)
{
    (void)state;
    static const char *const preset[] = {"rx540", "qv100"};
    static const char *const sets[] = {"sm.count=4", "sm.max_ctas=4"};
    for (int k = 0; k < 2; k++) {
        struct machine m = run_machine(preset[k], sets, 2);
        struct program *p = run_program(matmul, m.sm.warp_width);
        bool one = m.sm.cta_binding == CTA_ONE_SUBCORE;
        struct error e = {0};
        struct sim *s = sim_new(&m, p, &e);
        struct snapshot snap;
        struct metrics out;
        uint32_t seen = 0, out_of_turn = 0, nth[4] = {0};
        assert_non_null(s);
        pass_to(&m, p, 400000, &snap);
        snap.interval.measure_instructions = 1;
        assert_int_equal(sim_interval(s, &snap.interval, snap.warm, &out, &e), SIM_LIMIT);
        for (uint32_t i = 0; i < snap.interval.n_residents; i++) {
            const struct resident *r = &snap.residents[i];
            uint32_t in_turn = nth[r->sm]++ % m.sm.subcores;
            for (uint32_t w = 0; w < 8; w++) {
                int at = subcore_of(s, r, w);
                if (at < 0) continue;
                assert_int_equal(at, one ? r->subcore : (r->subcore + w) % m.sm.subcores);
                seen++;
            }
            out_of_turn += one && r->subcore != in_turn;
        }
        for (uint32_t i = 0; i < m.sm.count; i++)
            assert_int_equal(s->sm[i].next_subcore, snap.next_subcore[i]);
        print_message("%s: %u warps, %u CTAs not in turn\n", preset[k], seen, out_of_turn);
        assert_true(seen > 32 && (!one || out_of_turn > 2));
        snapshot_fini(&snap);
        sim_free(s);
        program_close(p);
    }
}

/* Reads of one matrix come from SMs that drift apart until hardly any of them finds in the L2 what
 * another has just read.  Intervals keep what was left of their order: with CTAs put back in turn
 * they would find three times as much there as the run does. */
static void sms_stay_as_far_apart_as_in_a_run(void **state)
{
    (void)state;
    enum { WINDOWS = 6, LENGTH = 10000, APART = 120000 };
    static const char *const sets[] = {"sm.count=4", "l2.bank_kb=32", "dram.channels=2"};
    struct machine m = run_machine("rx540", sets, 3);
    struct program *p = run_program(matmul, m.sm.warp_width);
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    struct metrics whole, sum = {0}, one;
    struct snapshot snap[WINDOWS];
    uint64_t moment[WINDOWS];
    assert_non_null(s);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
    sim_metrics(s, &whole);
    for (uint64_t i = 0; i < WINDOWS; i++)
        moment[i] = (i + 1) * APART;
    assert_true(checkpoints_take_snapshots(&m, p, moment, WINDOWS, true, snap, &e));
    for (int i = 0; i < WINDOWS; i++) {
        snap[i].interval.warmup_instructions = 2 * LENGTH;
        snap[i].interval.measure_instructions = LENGTH;
        assert_int_equal(sim_interval(s, &snap[i].interval, snap[i].warm, &one, &e), SIM_LIMIT);
        metrics_accumulate(&sum, &one, 1);
        snapshot_fini(&snap[i]);
    }
    metrics_finish(&whole);
    metrics_finish(&sum);
    print_message("L2 hit rate %.3f, of intervals %.3f\n", run_value(&whole, "l2.hit_rate"),
                  run_value(&sum, "l2.hit_rate"));
    assert_near(run_value(&sum, "l2.hit_rate"), run_value(&whole, "l2.hit_rate"), 0.04);
    sim_free(s);
    program_close(p);
}

/* Where a sub-core has one warp or none, every scheduler takes the same: the pass leaves its warps
 * and what their SM's L1 holds alike. */
static void lone_warps_need_no_scheduler(void **state)
{
    (void)state;
    static const char *const sets[2][2] = {{"sm.count=4", "sm.scheduler=gto"},
                                           {"sm.count=4", "sm.scheduler=lrr"}};
    struct machine m[2];
    struct snapshot snap[2];
    uint32_t lines = 0;
    struct program *p = run_program("generator = \"stream\"; ctas = 4; warps_per_cta = 1;"
                                    "iterations = 40; launches = 7;",
                                    64);
    for (int k = 0; k < 2; k++) {
        m[k] = run_machine("rx540", sets[k], 2);
        pass_to(&m[k], p, 5300, &snap[k]); /* in the last launch */
    }
    assert_int_equal(snap[0].interval.n_residents, 4);
    assert_int_equal(snap[1].interval.n_residents, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const struct cache_image *a = &snap[0].warm->l1[i], *b = &snap[1].warm->l1[i];
        assert_int_equal(snap[0].residents[i].warp_done[0], snap[1].residents[i].warp_done[0]);
        assert_int_equal(a->n, b->n);
        for (uint32_t j = 0; j < a->n; j++) {
            assert_int_equal(a->line[j].valid, b->line[j].valid);
            if (a->line[j].valid) assert_int_equal(a->line[j].tag, b->line[j].tag);
            lines += a->line[j].valid != 0;
        }
    }
    assert_true(lines > 100);
    snapshot_fini(&snap[0]);
    snapshot_fini(&snap[1]);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_warps_need_no_scheduler),
        cmocka_unit_test(ctas_return_to_their_sub_cores),
        cmocka_unit_test(sms_stay_as_far_apart_as_in_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
