/* long_program.c - of long programs only the first waves are profiled before they are sampled. */
#include "sampler/strata/long_program.h"
#include "engine/engine.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/geometry/occupancy.h"
#include "sampler/constants.h"
#include "sampler/run/sampling.h"
#include "sampler/run/warmup.h"
#include "sampler/strata/est_params.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

static void short_programs_are_profiled_whole(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *h = NULL;
    struct program *p =
        run_program("generator = \"stencil\"; ctas = 1000; warps_per_cta = 8;", m.sm.warp_width);
    assert_true(long_program_instructions(p) < LONG_FROM && long_program_open(&m, p, &h, &e));
    assert_null(h);
    program_close(p);
}

static void long_programs_by_their_first_waves(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *h = NULL;
    struct program *p = run_program(
        "generator = \"stencil\"; ctas = 20000; warps_per_cta = 8; launches = 2;", m.sm.warp_width);
    assert_true(long_program_instructions(p) >= LONG_FROM && long_program_open(&m, p, &h, &e));
    assert_non_null(h);
    for (uint32_t l = 0; l < 2; l++) {
        uint64_t wave = (uint64_t)occupancy(&m.sm, &m.l1, program_launch(p, l)).ctas * m.sm.count;
        assert_int_equal(program_launch(h, l)->ctas, LONG_WAVES * wave);
        assert_int_equal(program_launch(p, l)->ctas, 20000);
    }
    assert_true(long_program_instructions(h) < long_program_instructions(p) / 20);
    program_close(h);
    program_close(p);
}

/* Launches of 64 waves: two of them. */
static void of_few_waves_fewer(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *h = NULL;
    struct program *p = run_program(
        "generator = \"stencil\"; ctas = 2048; warps_per_cta = 8; launches = 8;", m.sm.warp_width);
    uint64_t wave = (uint64_t)occupancy(&m.sm, &m.l1, program_launch(p, 0)).ctas * m.sm.count;
    assert_int_equal(wave, 32);
    assert_true(long_program_open(&m, p, &h, &e));
    assert_non_null(h);
    for (uint32_t l = 0; l < 8; l++)
        assert_int_equal(program_launch(h, l)->ctas, 2 * wave);
    program_close(h);
    program_close(p);
}

/* Two intervals of a stratum, each after the longest warm-up, are to cost no more than the six
 * intervals for it that the default budget is made of: else what a program costs is decided by
 * warm-ups, or these are cut short. */
static void assert_bears_the_longest_warmup(struct sampling *s)
{
    uint64_t two = 0;
    for (uint32_t h = 0; h < s->pop.strata; h++)
        if (s->r.units[h] > 1) two++;
    rounds_set_warmup(&s->r, warmup_length[WARMUPS - 1]);
    assert_true(two > 0);
    assert_true(rounds_least_cost(&s->r) <= s->r.budget);
}

/* Length of the run, with at most so many instructions of the program (0: all). */
static bool is_long(const struct machine *m, const struct program *p, uint64_t most)
{
    struct error e = {0};
    struct run_opts o;
    struct program *h = NULL;
    struct profile_view view = est_view_of(m);
    run_opts_default(&o);
    o.max_instructions = most;
    o.no_cache = true;
    assert_true(long_program_open(m, p, &h, &e));
    struct profile *profile = profile_get(h, &view, PROFILE_SAMPLED, 1, false, NULL, &e);
    struct sampling s = {.m = m, .p = p, .o = &o};
    assert_non_null(profile);
    assert_true(sampling_start(&s, profile, &e));
    bool found = s.is_long;
    double all = (double)s.pop.instructions, unit = all / s.pop.units;
    double lean = fmax(SHARE_LEAST * all, STRATUM_UNITS * unit * s.pop.strata);
    assert_near(s.r.budget, found ? fmin(lean, all / MORE_PART) : all / 2, 1);
    if (found) assert_bears_the_longest_warmup(&s);
    sampling_fini(&s);
    profile_free(profile);
    program_close(h);
    return found;
}

/* Few and short intervals are for long runs: a short part of a long program is none. */
static void a_part_is_judged_by_its_own_length(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(
        "generator = \"stencil\"; ctas = 20000; warps_per_cta = 8; launches = 2;", m.sm.warp_width);
    assert_true(is_long(&m, p, 0));
    assert_true(is_long(&m, p, LONG_FROM));
    assert_false(is_long(&m, p, LONG_FROM / 10));
    program_close(p);
}

/* An interval moves all resident warps on, of which qv100 has twenty times as many. */
static void the_machine_says_what_is_long(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t resident;
        bool is_long;
    } row[] = {{"rx540", 256, true}, {"qv100", 5120, false}};
    for (uint32_t i = 0; i < 2; i++) {
        struct machine m = run_machine(row[i].name, NULL, 0);
        struct program *p =
            run_program("generator = \"stencil\"; ctas = 20000; warps_per_cta = 8; launches = 2;",
                        m.sm.warp_width);
        assert_int_equal(long_program_resident_warps(&m, program_launch(p, 0)), row[i].resident);
        double intervals = (double)long_program_instructions(p) / row[i].resident / LONG_INTERVAL;
        assert_true(long_program_instructions(p) >= LONG_FROM);
        struct sample_price price = long_program_price(&m, p, NULL, 0);
        assert_near(price.intervals, FIRST_UNITS / intervals, 1e-9);
        assert_int_equal(sample_price_sum(&price) <= SAMPLE_WORTH, row[i].is_long);
        assert_int_equal(long_program_is_long(&m, p, NULL, 0), row[i].is_long);
        program_close(p);
    }
}

/* The heads of launches of one wave are all of the program: their profile alone costs as much as
 * the simulation.  A budget forbids that, one that is no bound does not. */
static void short_launches_are_run_whole(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct run_opts o;
    static const struct {
        const char *ctas;
        bool is_long;
    } row[] = {{"64; launches = 700", false}, {"256; launches = 175", true}};
    for (uint32_t i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text, "generator = \"stencil\"; warps_per_cta = 8; ctas = %s;",
                 row[i].ctas);
        struct program *p = run_program(text, m.sm.warp_width);
        uint64_t n = long_program_instructions(p);
        run_opts_default(&o);
        assert_true(n >= LONG_FROM);
        struct sample_price price = long_program_price(&m, p, NULL, 0);
        assert_true(price.pass + price.intervals <= SAMPLE_WORTH);
        assert_int_equal(price.profile + price.pass + price.intervals <= SAMPLE_WORTH,
                         row[i].is_long);
        assert_int_equal(long_program_is_long(&m, p, NULL, 0), row[i].is_long);
        assert_int_equal(sampling_needs_profile(&m, p, NULL, &o), row[i].is_long);
        o.budget = n - 1;
        assert_true(sampling_needs_profile(&m, p, NULL, &o));
        o.budget = n;
        assert_int_equal(sampling_needs_profile(&m, p, NULL, &o), row[i].is_long);
        program_close(p);
    }
}

/* rx540 holds 32 CTAs of 8 warps on 8 SMs: 644 of them leave four over, fewer than SMs, which may
 * come to lie side by side.  One cannot, nor can any where an SM has room for one, nor those of the
 * first wave; eight are as many as there are SMs. */
static void few_last_ctas_drain(void **state)
{
    (void)state;
    static const char *const alone[] = {"sm.max_ctas=1"};
    static const struct {
        uint32_t ctas, last;
        bool alone;
    } row[] = {{644, 4, false}, {647, 7, false}, {648, 0, false}, {640, 0, false},
               {641, 0, false}, {5, 0, false},   {644, 0, true}};
    for (uint32_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct machine m = run_machine("rx540", alone, row[i].alone);
        char text[128];
        snprintf(text, sizeof text, "generator = \"stencil\"; warps_per_cta = 8; ctas = %u;",
                 row[i].ctas);
        struct program *p = run_program(text, m.sm.warp_width);
        uint64_t all = long_program_instructions(p);
        assert_int_equal(long_program_drain(&m, p, 0), all / row[i].ctas * row[i].last);
        program_close(p);
    }
}

/* SMs of less than four warps are judged over as long as a CTA lives. */
static void few_warps_want_long_intervals(void **state)
{
    (void)state;
    static const char *const settings[] = {"sm.max_ctas=1"};
    for (uint32_t few = 0; few < 2; few++) {
        struct machine m = run_machine("rx540", settings, few);
        struct program *p = run_program("generator = \"reduction\"; ctas = 800; warps_per_cta = 2; "
                                        "iterations = 64;",
                                        m.sm.warp_width);
        uint32_t warps = long_program_resident_warps(&m, program_launch(p, 0));
        uint64_t life = long_program_instructions(p) / 800 * m.sm.count;
        assert_int_equal(few, warps < LONG_FEW_WARPS * m.sm.count);
        assert_true(life > (uint64_t)warps * LONG_INTERVAL || !few);
        assert_int_equal(long_program_least_interval(&m, p, 0), few ? life : 0);
        program_close(p);
    }
}

/* The price of a whole pass counts unless passes of bounded length do, whose price is measured. */
static void a_sample_is_worth_its_price(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool bounded;
    } row[] = {
        {"generator = \"stencil\"; ctas = 20000; warps_per_cta = 8;", true},
        {"generator = \"reduction\"; ctas = 4000; warps_per_cta = 8; iterations = 64;", false}};
    struct machine m = run_machine("rx540", NULL, 0);
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    for (uint32_t i = 0; i < 2; i++) {
        struct error e = {0};
        struct program *h = NULL, *p = run_program(row[i].text, m.sm.warp_width);
        struct profile_view view = est_view_of(&m);
        assert_true(long_program_open(&m, p, &h, &e));
        struct profile *profile = profile_get(h, &view, PROFILE_SAMPLED, 1, false, NULL, &e);
        struct sampling s = {.m = &m, .p = p, .o = &o};
        bool worth, bounded;
        assert_true(sampling_start(&s, profile, &e));
        assert_true(sampling_worth(&s, &worth, &e) && worth);
        assert_near(s.price.pass, 1.0 / PASS_PRICE, 1e-12);
        s.price.profile = SAMPLE_WORTH - s.price.intervals - s.price.pass / 2;
        assert_true(sampling_worth(&s, &worth, &e));
        assert_true(checkpoints_are_bounded(s.pass.track, &bounded, &e));
        assert_int_equal(bounded, row[i].bounded);
        assert_int_equal(worth, row[i].bounded);
        assert_int_equal(s.price.pass < 0.5 / PASS_PRICE, row[i].bounded);
        s.price.profile = SAMPLE_WORTH;
        assert_true(sampling_worth(&s, &worth, &e) && !worth);
        sampling_fini(&s);
        profile_free(profile);
        program_close(h);
        program_close(p);
    }
}

/* What is simulated whole is not profiled first; its units are counted all the same. */
static void no_profile_for_what_is_run_whole(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct run_opts o;
    struct program *p =
        run_program("generator = \"stencil\"; ctas = 1000; warps_per_cta = 8;", m.sm.warp_width);
    run_opts_default(&o);
    o.no_cache = true;
    assert_false(sampling_needs_profile(&m, p, NULL, &o));
    struct answer a;
    struct sampling s = {.m = &m, .p = p, .o = &o};
    assert_true(sampling_start(&s, NULL, &e));
    bool worth;
    assert_true(sampling_worth(&s, &worth, &e) && !worth);
    assert_true(engine_run(ENGINE_SAMPLE, &m, p, NULL, NULL, &o, &a, &e));
    assert_int_equal(a.intervals, s.pop.units);
    assert_true(a.simulated_share == 1 && a.half_width == 0);
    answer_fini(&a);
    sampling_fini(&s);
    o.budget = long_program_instructions(p) / 2;
    assert_true(sampling_needs_profile(&m, p, NULL, &o));
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_programs_are_profiled_whole),
        cmocka_unit_test(long_programs_by_their_first_waves),
        cmocka_unit_test(of_few_waves_fewer),
        cmocka_unit_test(the_machine_says_what_is_long),
        cmocka_unit_test(short_launches_are_run_whole),
        cmocka_unit_test(few_last_ctas_drain),
        cmocka_unit_test(few_warps_want_long_intervals),
        cmocka_unit_test(a_sample_is_worth_its_price),
        cmocka_unit_test(no_profile_for_what_is_run_whole),
        cmocka_unit_test(a_part_is_judged_by_its_own_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
