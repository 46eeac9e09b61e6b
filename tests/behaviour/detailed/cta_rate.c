/* cta_rate.c - do CTAs start at the rate of the GPU's dispatcher?
 *
 * Closed forms on machines with room for all CTAs: the last one starts when the dispatcher has
 * started all others, and the order is that of the CTAs and of the SMs in turn. */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"
#include "gpu/functional/constants.h"
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

#include <math.h>

enum { CTAS = 501, SMS = 20, LATE = 40, COALESCED = 8 };

/* Loads of shared memory, each of which waits for the one before. */
static const struct hand_op chase[] = {
    {.cls = OP_SHARED_LOAD, .space = SPACE_SHARED, .pc = 0, .after = true},
    {.cls = OP_SHARED_LOAD, .space = SPACE_SHARED, .pc = 16, .after = true},
    {.cls = OP_N}};

#define ROOMY "sm.count=20", "sm.launch_cycles=100"

static struct machine machine_of(const char *rate, const char *more)
{
    const char *sets[] = {ROOMY, rate, more};
    return run_machine("v100", sets, 4);
}

static double cycles_of(const char *rate, const char *more, uint32_t ctas)
{
    struct machine m = machine_of(rate, more);
    struct metrics r = run_whole(&m, hand_program(chase, ctas, 1, m.sm.warp_width));
    return run_value(&r, "cycles");
}

static void the_last_cta_starts_after_all_others(void **state)
{
    static const char *const dispatch[] = {"sm.dispatch=interleaved", "sm.dispatch=serial",
                                           "sm.dispatch=balanced"};
    static const struct {
        const char *set;
        double rate;
    } of[] = {{"sm.cta_rate=0.125", 0.125}, {"sm.cta_rate=0.835", 0.835}, {"sm.cta_rate=3", 3}};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            double one = cycles_of(of[i].set, dispatch[k], 1);
            double all = cycles_of(of[i].set, dispatch[k], CTAS);
            assert_near(all - one, (CTAS - 1) / of[i].rate, i == 2 ? LATE : 1);
        }
}

/* Nothing changes if the dispatcher can serve all SMs in a cycle. */
static void a_fast_dispatcher_is_none(void **state)
{
    static const char *const slots[] = {"sm.max_ctas=32", "sm.max_ctas=1"};
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_near(cycles_of("sm.cta_rate=20", slots[i], CTAS),
                    cycles_of("sm.cta_rate=0", slots[i], CTAS), 0);
}

/* CTAs of a slot each, of which every SM has but one, take the slots' time. */
static void slots_limit_a_dispatcher_that_is_fast_enough(void **state)
{
    double free = cycles_of("sm.cta_rate=0", "sm.max_ctas=1", CTAS);
    (void)state;
    double slots = SMS * (CTAS / (free - 100)); /* CTAs per cycle and 20 SMs, at least */
    assert_true(slots / SMS < 1);
    assert_near(cycles_of("sm.cta_rate=1", "sm.max_ctas=1", CTAS), free, 2 * LATE);
}

struct starts {
    struct sim *sim;
    uint64_t at[CTAS];
    uint32_t sm[CTAS];
};

static void watch_starts(const struct metrics *m, void *ctx)
{
    struct starts *x = ctx;
    (void)m;
    for (uint32_t i = 0; i < SMS; i++)
        for (uint32_t k = 0; k < x->sim->sm[i].p->max_ctas; k++) {
            const struct cta_slot *c = &x->sim->sm[i].cta[k];
            if (!x->sim->sm[i].ctas || !c->active || c->cta >= CTAS || x->at[c->cta]) continue;
            x->at[c->cta] = sim_core_cycle(x->sim);
            x->sm[c->cta] = i;
        }
}

/* While all SMs have room they take turns, and each CTA starts at its own turn. */
static void ctas_start_in_order_and_in_turn(void **state)
{
    struct machine m = machine_of("sm.cta_rate=0.8", "sm.max_ctas=32");
    struct program *p = hand_program(chase, CTAS, 1, m.sm.warp_width);
    struct error e = {0};
    static struct starts x;
    (void)state;
    x = (struct starts){.sim = sim_new(&m, p, &e)};
    for (uint32_t i = 0; i < SMS; i++) /* no slot has been used yet */
        memset(x.sim->sm[i].cta, 0, m.sm.max_ctas * sizeof *x.sim->sm[i].cta);
    sim_watch(x.sim, 1, watch_starts, &x);
    assert_int_equal(sim_run(x.sim, NULL, NULL, NULL, &e), SIM_DONE);
    for (uint32_t i = 0; i < CTAS; i++) {
        assert_near((double)x.at[i], 100 + floor(i / 0.8 + 1e-6), 0);
        assert_int_equal(x.sm[i], i % SMS);
    }
    sim_free(x.sim);
    program_close(p);
}

/* The functional machine dispatches at the same rate, but for its quanta. */
static void a_functional_pass_dispatches_as_fast(void **state)
{
    static const double rate[] = {0.125, 0.835};
    static const char *const set[] = {"sm.cta_rate=0.125", "sm.cta_rate=0.835"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct machine m = machine_of(set[i], "sm.max_ctas=32");
        struct program *p = hand_program(chase, CTAS, 1, m.sm.warp_width);
        struct warming_pass w;
        struct error e = {0};
        assert_true(warming_pass_init(&w, &m, p, true, &e));
        while (w.functional.done < CTAS * 3)
            assert_true(functional_step(&w.functional, &e));
        assert_near(w.functional.now, cycles_of(set[i], "sm.max_ctas=32", CTAS) - 100,
                    3 * FLUID_QUANTUM);
        assert_near(w.functional.now, (CTAS - 1) / rate[i], 500);
        warming_pass_fini(&w);
        program_close(p);
    }
}

/* An interval inside a launch has the CTAs that have started, and goes on at the rate. */
static void an_interval_goes_on_at_the_rate(void **state)
{
    struct machine m = machine_of("sm.cta_rate=0.25", "sm.max_ctas=32");
    struct program *p = hand_program(chase, CTAS, 1, m.sm.warp_width);
    uint64_t moment = 3 * (uint64_t)CTAS / 2;
    struct snapshot s;
    struct error e = {0};
    (void)state;
    assert_true(checkpoints_take_snapshots(&m, p, &moment, 1, true, &s, &e));
    /* by Little's law: what a CTA takes, a launch of 337 cycles and two loads, times the rate */
    assert_true(s.interval.n_residents > 80 && s.interval.n_residents < 130);
    assert_near((double)(s.interval.next_cta - s.interval.n_residents), CTAS / 2.0, 10);
    struct sim *sim = sim_new(&m, p, &e);
    struct metrics x;
    assert_non_null(sim);
    s.interval.warmup_instructions = 3 * COALESCED;
    s.interval.measure_instructions = 3 * 200;
    assert_true(sim_interval(sim, &s.interval, s.warm, &x, &e) == SIM_LIMIT);
    assert_near(run_value(&x, "cycles"), 200 / 0.25, LATE);
    sim_free(sim);
    snapshot_fini(&s);
    program_close(p);
}

/* The pass's state, in a block of the caller's. */
static struct serializer state_of(struct warming_pass *w)
{
    struct serializer s = {.mode = SERIALIZE_MEASURE};
    struct error e = {0};
    assert_true(functional_serialize(&w->functional, &s, &e));
    s = (struct serializer){.mode = SERIALIZE_SAVE, .block = mem_new(1, s.bytes)};
    assert_true(functional_serialize(&w->functional, &s, &e));
    return s;
}

/* A pass that was saved in the middle of a backlog goes on as it would have. */
static void a_saved_pass_goes_on(void **state)
{
    struct machine m = machine_of("sm.cta_rate=0.1", "sm.max_ctas=4");
    struct program *p = hand_program(chase, CTAS, 2, m.sm.warp_width);
    struct serializer end[2];
    (void)state;
    for (int saved = 0; saved < 2; saved++) {
        struct warming_pass w;
        struct error e = {0};
        assert_true(warming_pass_init(&w, &m, p, true, &e));
        assert_true(functional_run_until(&w.functional, 2 * CTAS, &e));
        assert_true(w.functional.vacant.n > 0 && w.functional.vacant.first > 0);
        if (saved) {
            struct serializer in = state_of(&w);
            warming_pass_fini(&w);
            assert_true(warming_pass_init(&w, &m, p, true, &e));
            in = (struct serializer){.mode = SERIALIZE_LOAD, .block = in.block};
            assert_true(functional_serialize(&w.functional, &in, &e));
            mem_free(in.block);
        }
        assert_true(functional_run_until(&w.functional, 4 * CTAS, &e));
        end[saved] = state_of(&w);
        warming_pass_fini(&w);
    }
    assert_int_equal(end[1].bytes, end[0].bytes);
    assert_memory_equal(end[1].block, end[0].block, end[0].bytes);
    mem_free(end[0].block);
    mem_free(end[1].block);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_cta_starts_after_all_others),
        cmocka_unit_test(a_fast_dispatcher_is_none),
        cmocka_unit_test(slots_limit_a_dispatcher_that_is_fast_enough),
        cmocka_unit_test(ctas_start_in_order_and_in_turn),
        cmocka_unit_test(a_functional_pass_dispatches_as_fast),
        cmocka_unit_test(an_interval_goes_on_at_the_rate),
        cmocka_unit_test(a_saved_pass_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
