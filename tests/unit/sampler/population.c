/* population.c - do the units cover the program, and are like things in one stratum? */
#include "sampler/strata/population.h"
#include "base/memory/alloc.h"
#include "sampler/run/warmup.h"
#include "sampler/strata/launch_clusters.h"
#include "tests/support/check.h"

#include <math.h>

static const struct population_opts GENEROUS = {.per_warp = 300,
                                                .min_whole = 8,
                                                .min_units = 100,
                                                .min_per_warp = 20,
                                                .pilot_budget = UINT64_MAX,
                                                .warmup_per_warp = 20};

static void build(struct population *p, const struct launch_size *size, uint32_t n,
                  const double *features, const struct population_opts *o)
{
    struct error e = {0};
    assert_true(population_build(p, size, n, features, 1, o, &e));
}

/* Every launch is covered from 0 to its size, in order, without a gap. */
static void check_cover(const struct population *p, const struct launch_size *size,
                        uint32_t launches)
{
    uint32_t i = 0;
    uint64_t all = 0;
    for (uint32_t l = 0; l < launches; l++) {
        uint64_t at = 0;
        for (; i < p->units && p->unit[i].launch == l; i++) {
            assert_int_equal(p->unit[i].begin, at);
            assert_true(p->unit[i].length > 0);
            at += p->unit[i].length;
            assert_int_equal(p->unit[i].to_end, at == size[l].instructions && !size[l].truncated);
        }
        assert_int_equal(at, size[l].instructions);
        all += at;
    }
    assert_int_equal(i, p->units);
    assert_int_equal(all, p->instructions);
}

static void covers(void **state)
{
    (void)state;
    const struct launch_size size[] = {
        {.instructions = 1000003, .resident = 400, .cycles = 5e5},
        {.instructions = 0, .resident = 1},
        {.instructions = 777, .resident = 400, .cycles = 900},
        {.instructions = 500001, .truncated = true, .resident = 100, .cycles = 1e5},
    };
    const double features[] = {0.5, 0, 1, 0.5};
    struct population p;
    build(&p, size, 4, features, &GENEROUS);
    check_cover(&p, size, 4);
    assert_true(p.units >= 80);
    double x = 0;
    for (uint32_t i = 0; i < p.units; i++)
        x += p.unit[i].x;
    assert_near(x, 5e5 + 900 + 1e5, 1e-3);
    population_fini(&p);
}

static void kinds(void **state)
{
    (void)state;
    const struct launch_size size[] = {
        {.instructions = 600000, .resident = 100, .cycles = 1},
        {.instructions = 3000, .resident = 100, .cycles = 1},
        {.instructions = 600000, .truncated = true, .resident = 100, .cycles = 1},
    };
    const double features[] = {0, 0.5, 1};
    struct population p;
    build(&p, size, 3, features, &GENEROUS);
    uint32_t n[3][UNIT_KINDS] = {0};
    for (uint32_t i = 0; i < p.units; i++)
        n[p.unit[i].launch][p.unit[i].kind]++;
    assert_int_equal(n[0][UNIT_RAMP], 1);
    assert_int_equal(n[0][UNIT_TAIL], 1);
    assert_true(n[0][UNIT_STEADY] > 10);
    assert_int_equal(n[1][UNIT_WHOLE], 1);
    assert_int_equal(n[2][UNIT_TAIL], 0);
    for (uint32_t i = 0; i < p.units; i++)
        for (uint32_t j = 0; j < p.units; j++)
            if (p.unit[i].stratum == p.unit[j].stratum)
                assert_int_equal(p.unit[i].kind, p.unit[j].kind);
    population_fini(&p);
}

static uint32_t stratum_at(const struct population *p, uint32_t launch, enum unit_kind kind)
{
    for (uint32_t i = 0; i < p->units; i++)
        if (p->unit[i].launch == launch && p->unit[i].kind == kind) return p->unit[i].stratum;
    return UINT32_MAX;
}

/* Two launches that are alike: only the first interval of all finds cold caches.  A truncated
 * launch has no tail. */
static void long_launches_warm_up_once(void **state)
{
    (void)state;
    const struct launch_size size[] = {
        {.instructions = 6000000, .resident = 100, .cycles = 1},
        {.instructions = 6000000, .truncated = true, .resident = 100, .cycles = 1},
    };
    const double features[] = {1, 0.95};
    struct population p;
    build(&p, size, 2, features, &GENEROUS);
    assert_int_equal(p.strata, 4); /* ramp, steady part, tail; the second ramp */
    assert_int_not_equal(stratum_at(&p, 0, UNIT_RAMP), stratum_at(&p, 1, UNIT_RAMP));
    assert_int_equal(stratum_at(&p, 0, UNIT_STEADY), stratum_at(&p, 1, UNIT_STEADY));
    assert_int_equal(stratum_at(&p, 1, UNIT_TAIL), UINT32_MAX);
    population_fini(&p);
}

/* In a first launch of a few intervals all of them are cold. */
static void short_launches_are_cold_throughout(void **state)
{
    (void)state;
    const struct launch_size size[] = {
        {.instructions = 600000, .resident = 100, .cycles = 1},
        {.instructions = 600000, .resident = 100, .cycles = 1},
    };
    const double features[] = {1, 1};
    struct population_opts o = GENEROUS;
    struct population p;
    o.min_units = 0;
    build(&p, size, 2, features, &o);
    assert_int_equal(p.units, 40);
    assert_int_equal(p.strata, 6);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(p.unit[i].stratum < 3 && p.unit[i + 20].stratum >= 3);
    population_fini(&p);
}

/* Ten launches of two sorts: two groups, and the first launch; with hardly any budget one, and the
 * first. */
static void groups_follow_budget(void **state)
{
    (void)state;
    struct launch_size size[10];
    double features[10];
    for (uint32_t l = 0; l < 10; l++) {
        size[l] = (struct launch_size){.instructions = 5000, .resident = 100, .cycles = 1};
        features[l] = l % 2 ? 1 : 0.3 + 0.001 * l;
    }
    struct population p;
    build(&p, size, 10, features, &GENEROUS);
    assert_int_equal(p.groups, 3);
    for (uint32_t l = 3; l < 10; l++)
        assert_int_equal(p.group[l], p.group[l - 2]);
    for (uint32_t i = 0; i < p.units; i++)
        assert_int_equal(p.unit[i].stratum == p.unit[0].stratum, p.unit[i].launch == 0);
    uint32_t fine = p.strata;
    population_fini(&p);
    struct population_opts poor = GENEROUS;
    poor.pilot_budget = 100;
    build(&p, size, 10, features, &poor);
    assert_int_equal(p.groups, 2);
    for (uint32_t l = 2; l < 10; l++)
        assert_int_equal(p.group[l], p.group[1]);
    assert_true(p.strata < fine);
    population_fini(&p);
}

/* Ten warps: intervals of 3,000 instructions, or of as many as are asked for at least; two such are
 * too few to cut the second launch. */
static void intervals_have_a_least_length(void **state)
{
    (void)state;
    struct launch_size size[] = {{.instructions = 1200000, .resident = 10, .cycles = 1},
                                 {.instructions = 100000, .resident = 10, .cycles = 1}};
    const double features[] = {0, 1};
    struct population p;
    for (uint64_t least = 0; least <= 48000; least += 12000) {
        static const uint32_t units[] = {400 + 33, 100 + 8, 50 + 4, 33 + 1, 25 + 1};
        struct population_opts o = GENEROUS;
        o.min_units = 0;
        size[0].least = size[1].least = least;
        build(&p, size, 2, features, &o);
        check_cover(&p, size, 2);
        assert_int_equal(p.units, units[least / 12000]);
        population_fini(&p);
    }
}

/* Of four launches two end with a last wave, of 45,000 and of 15,000 instructions: one and a half
 * intervals, half of one.  Units run whole have none, wherever it is. */
static void units_know_the_last_wave(void **state)
{
    (void)state;
    const struct launch_size size[] = {
        {.instructions = 600000, .resident = 100, .cycles = 1, .drain = 45000},
        {.instructions = 600000, .resident = 100, .cycles = 1},
        {.instructions = 30000, .resident = 100, .cycles = 1, .drain = 30000},
        {.instructions = 600000, .resident = 100, .cycles = 1, .drain = 15000}};
    const double features[] = {0, 0, 0, 0};
    struct population_opts o = GENEROUS;
    struct population p;
    o.min_units = 0;
    build(&p, size, 4, features, &o);
    assert_int_equal(p.units, 20 + 20 + 1 + 20);
    for (uint32_t i = 0; i < p.units; i++) {
        assert_int_equal(p.unit[i].drains, i == 18 || i == 19 || i == 60);
    }
    assert_near(p.drains, 60.0 * 60 / (45 * 45 + 15 * 15), 1e-9);
    population_fini(&p);
}

static void warmup_stays_in_the_launch(void **state)
{
    (void)state;
    const struct launch_size size[] = {{.instructions = 600000, .resident = 100, .cycles = 1}};
    struct sample_unit u = {.begin = 1500, .length = 100};
    assert_int_equal(sample_unit_warmup(&u, size, 10), 1000);
    assert_int_equal(sample_unit_warmup(&u, size, 20), 1500);
    u.begin = 0;
    assert_int_equal(sample_unit_warmup(&u, size, 20), 0);
}

static void normalised_by_the_selected(void **state)
{
    (void)state;
    double f[] = {2, 10, -4, 100, 1, 1000};
    const bool selected[] = {true, true, false};
    launch_clusters_normalise(f, 2, selected, 3);
    assert_near(f[0], 0.5, 1e-12);
    assert_near(f[2], -1, 1e-12);
    assert_near(f[1], 0.1, 1e-12);
}

static void shortest_warmup_that_agrees(void **state)
{
    (void)state;
    const double cold[4][WARMUPS + 1] = {
        {120, 100.1, 100, 100}, {121, 100, 100, 100}, {119, 99.9, 100, 100}, {120, 100, 100, 100}};
    struct warmup_choice c = warmup_choose(cold, 4, 0, false, 0.03);
    assert_int_equal(c.index, 1);
    assert_true(c.settled);
    const double same[4][WARMUPS + 1] = {
        {100, 100, 100, 100}, {90, 90, 90, 90}, {80, 80, 80, 80}, {100.1, 100, 100, 100}};
    assert_int_equal(warmup_choose(same, 4, 0, false, 0.03).index, 0);
    const double drifting[2][WARMUPS + 1] = {{160, 140, 120, 100}, {161, 141, 119, 100}};
    c = warmup_choose(drifting, 2, 0, false, 0.03);
    assert_int_equal(c.index, WARMUPS - 1);
    assert_false(c.settled);
    assert_near(c.difference[WARMUPS - 2], 0.195, 1e-9);
    assert_near(c.difference[0], 0.605, 1e-9);
    /* A shorter one leaves what it measures, give or take a standard error, and, errors halving, as
     * much again. */
    assert_near(warmup_doubt(&c, WARMUPS - 1), hypot(0.195, 0.005), 1e-9);
    assert_near(warmup_doubt(&c, 0), 2 * (0.605 + 0.005), 1e-9);
    /* Two that differ by as much in either direction may tell of chance, or of too short a warm-up.
     */
    const double chance[2][WARMUPS + 1] = {{100, 100, 105, 100}, {100, 100, 95, 100}};
    c = warmup_choose(chance, 2, 0, false, 0.03);
    assert_near(warmup_doubt(&c, WARMUPS - 1), 0.05, 1e-9);
    /* What was not tried is not chosen, however well it agrees: those behind it are looked at. */
    c = warmup_choose(cold, 4, 2, false, 0.03);
    assert_int_equal(c.index, 2);
    const double late[2][WARMUPS + 1] = {{100, 100, 120, 100}, {100, 100, 121, 100}};
    assert_int_equal(warmup_choose(late, 2, 0, false, 0.03).index, 0);
    assert_int_equal(warmup_choose(late, 2, 2, false, 0.03).index, WARMUPS - 1);
    /* One pilot alone has no noise to be judged by. */
    assert_false(warmup_choose(same, 1, 0, false, 0.03).settled);
}

/* One wave: the longest warm-up is the furthest off, and only the launch's beginning can tell. */
static void truth_overrules_the_longest(void **state)
{
    (void)state;
    const double one_wave[3][WARMUPS + 1] = {
        {109, 104, 103, 121, 100}, {110, 103, 104, 122, 100}, {108, 105, 103, 120, 100}};
    struct warmup_choice c = warmup_choose(one_wave, 3, 0, true, 0.03);
    assert_int_equal(c.index, 2);
    assert_false(c.settled);
    assert_near(c.difference[2], 0.1 / 3, 1e-9);
    assert_near(c.difference[3], 0.21, 1e-9);
    assert_true(warmup_doubt(&c, 2) > c.difference[2] && warmup_doubt(&c, 2) < 0.05);
    assert_true(warmup_doubt(&c, 3) > 0.21);
    assert_int_equal(warmup_choose(one_wave, 3, 0, false, 0.03).index, WARMUPS - 1);
    const double fine[2][WARMUPS + 1] = {{150, 100.1, 100, 104, 100}, {140, 100.1, 100, 104, 100}};
    c = warmup_choose(fine, 2, 0, true, 0.03);
    assert_int_equal(c.index, 1);
    assert_true(c.settled);
}

/* One launch whose units take `cycles` by the pass's clock, but every `apart`-th `factor` times as
 * long. */
static void build_timed(struct population *p, const struct launch_size *size, uint32_t apart,
                        double factor)
{
    const double feature = 1;
    build(p, size, 1, &feature, &GENEROUS);
    for (uint32_t i = 0; i < p->units; i++)
        p->unit[i].pass = (500 + i % 7) * (i % apart == 5 ? factor : 1);
    p->timed = true;
}

/* Long units are apart from the others of their stratum, and nothing else is. */
static void rare_units_are_cut_off(void **state)
{
    (void)state;
    const struct launch_size size = {.instructions = 4000000, .resident = 100, .cycles = 5e5};
    struct population p, was;
    struct error e = {0};
    build_timed(&p, &size, 16, 4);
    build_timed(&was, &size, 16, 4);
    assert_true(population_refine(&p, &size, &GENEROUS, &e));
    assert_true(p.strata > was.strata && p.strata <= 2 * was.strata);
    for (uint32_t i = 0; i < p.units; i++)
        for (uint32_t k = 0; k < i; k++) {
            bool together = was.unit[i].stratum == was.unit[k].stratum;
            bool alike = (p.unit[i].pass > 1000) == (p.unit[k].pass > 1000);
            assert_int_equal(p.unit[i].stratum == p.unit[k].stratum, together && alike);
        }
    population_fini(&p);
    population_fini(&was);
}

/* Alike units stay together, and where the budget bears no more strata nothing is cut. */
static void cuts_must_pay(void **state)
{
    (void)state;
    const struct launch_size size = {.instructions = 4000000, .resident = 100, .cycles = 5e5};
    struct population p;
    struct error e = {0};
    build_timed(&p, &size, 16, 1);
    uint32_t before = p.strata;
    assert_true(population_refine(&p, &size, &GENEROUS, &e));
    assert_int_equal(p.strata, before);
    population_fini(&p);
    build_timed(&p, &size, 16, 4);
    struct population_opts poor = GENEROUS;
    poor.pilot_budget = population_pilot_cost(&p, p.strata, &size, poor.warmup_per_warp);
    assert_true(population_refine(&p, &size, &poor, &e));
    assert_int_equal(p.strata, before);
    poor.refined_budget = 2 * poor.pilot_budget;
    assert_true(population_refine(&p, &size, &poor, &e));
    assert_true(p.strata > before);
    assert_true(population_pilot_cost(&p, p.strata, &size, poor.warmup_per_warp) <=
                poor.refined_budget);
    population_fini(&p);
}

/* Strata after cuts that may be as dear as twice the strata without, if they save much. */
static uint32_t strata_with_dear_cuts(double factor)
{
    const struct launch_size size = {.instructions = 4000000, .resident = 100, .cycles = 5e5};
    struct population p;
    struct error e = {0};
    build_timed(&p, &size, 16, factor);
    struct population_opts o = GENEROUS;
    o.pilot_budget = population_pilot_cost(&p, p.strata, &size, o.warmup_per_warp);
    o.dear_budget = 2 * o.pilot_budget;
    uint32_t before = p.strata;
    assert_true(population_refine(&p, &size, &o, &e));
    uint32_t more = p.strata - before;
    assert_true(population_pilot_cost(&p, p.strata, &size, o.warmup_per_warp) <= o.dear_budget);
    population_fini(&p);
    return more;
}

/* A unit in 16 that takes eight times as long is cut off at twice the cost; one that takes a
 * tenth longer, which would be cut off at no cost, is not. */
static void dear_cuts_must_save_much(void **state)
{
    (void)state;
    const struct launch_size size = {.instructions = 4000000, .resident = 100, .cycles = 5e5};
    struct population p;
    struct error e = {0};
    build_timed(&p, &size, 16, 1.1);
    uint32_t before = p.strata;
    assert_true(population_refine(&p, &size, &GENEROUS, &e));
    assert_true(p.strata > before);
    population_fini(&p);
    assert_int_equal(strata_with_dear_cuts(1.1), 0);
    assert_true(strata_with_dear_cuts(8) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers),
        cmocka_unit_test(kinds),
        cmocka_unit_test(long_launches_warm_up_once),
        cmocka_unit_test(short_launches_are_cold_throughout),
        cmocka_unit_test(groups_follow_budget),
        cmocka_unit_test(intervals_have_a_least_length),
        cmocka_unit_test(units_know_the_last_wave),
        cmocka_unit_test(warmup_stays_in_the_launch),
        cmocka_unit_test(normalised_by_the_selected),
        cmocka_unit_test(shortest_warmup_that_agrees),
        cmocka_unit_test(truth_overrules_the_longest),
        cmocka_unit_test(rare_units_are_cut_off),
        cmocka_unit_test(cuts_must_pay),
        cmocka_unit_test(dear_cuts_must_save_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
