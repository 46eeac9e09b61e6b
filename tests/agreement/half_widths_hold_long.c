/* half_widths_hold_long.c - repeated a few hundred times in memory, does the sampling procedure hit
 * the total of its units, and is a census kept as it was?  The bench of the same name asks it of
 * many programs and machines. */
#include "engine/engine.h"
#include "sampler/constants.h"
#include "sampler/strata/est_params.h"
#include "tests/support/coverage.h"
#include "tests/support/run.h"

#include <unistd.h>

enum { REPEATS = 300 };
static const char *const PROGRAM = "generator = \"gather\"; ctas = 160; warps_per_cta = 4;"
                                   "iterations = 40; footprint = \"256KB\";";

struct bed {
    struct machine m;
    struct program *p;
    struct profile *profile;
    char path[64];
};

static int setup(void **state)
{
    static struct bed b;
    struct error e = {0};
    b.m = run_machine("rx540", NULL, 0);
    b.p = run_program(PROGRAM, b.m.sm.warp_width);
    struct profile_view view = est_view_of(&b.m);
    b.profile = profile_get(b.p, &view, PROFILE_SAMPLED, 1, false, NULL, &e);
    snprintf(b.path, sizeof b.path, "/tmp/plumb-coverage-%d.csv", (int)getpid());
    *state = &b;
    return b.profile ? 0 : -1;
}

static int teardown(void **state)
{
    struct bed *b = *state;
    unlink(b->path);
    profile_free(b->profile);
    program_close(b->p);
    return 0;
}

static void take(struct bed *b, struct census *c)
{
    struct error e = {0};
    if (!census_start(c, &b->m, b->p, b->profile, 0.03, 0.5, &e) || !census_take(c, b->path, &e))
        fail_msg("%s", e.text);
    assert_true(c->s.pop.units >= SAMPLING_UNITS_LEAST);
}

static void kept_as_it_was(void **state)
{
    struct census fresh, kept;
    take(*state, &fresh);
    long end = ftell(fresh.f);
    take(*state, &kept);
    assert_int_equal(ftell(kept.f), end); /* nothing was run again */
    for (uint32_t d = 0; d < CENSUS_DRAWS; d++) {
        assert_true(kept.pilots[d].doubt.cycles == fresh.pilots[d].doubt.cycles);
        assert_int_equal(kept.pilots[d].warmup, fresh.pilots[d].warmup);
        assert_true(census_cycles(&kept, d) == census_cycles(&fresh, d));
    }
    for (uint32_t i = 0; i < kept.s.pop.units * CENSUS_LENGTHS; i++) {
        assert_true(kept.run[i].cost == fresh.run[i].cost);
        assert_true(kept.run[i].m.v[M_l2_hits] == fresh.run[i].m.v[M_l2_hits]);
    }
    census_fini(&fresh);
    census_fini(&kept);
}

/* A repetition that goes on from the pilots of its own seed is a run of the sampler. */
static void a_repetition_is_a_run(void **state)
{
    struct bed *b = *state;
    struct census c;
    take(b, &c);
    for (uint64_t seed = 1; seed <= CENSUS_DRAWS; seed++) {
        struct repetition r = {0};
        struct error e = {0};
        struct answer a = {0};
        struct run_opts o;
        run_opts_default(&o);
        o.seed = seed;
        o.budget = c.s.r.budget;
        assert_true(census_repeat(&c, seed, false, &r, &e));
        assert_true(engine_run(ENGINE_SAMPLE, &b->m, b->p, NULL, b->profile, &o, &a, &e));
        assert_int_equal(r.draw, seed % CENSUS_DRAWS);
        assert_true(c.pilots[r.draw].seed == seed);
        assert_true(fabs(r.cycles / a.m.v[M_cycles] - 1) < 1e-12);
        assert_true(fabs(r.half_width - a.half_width) < 1e-12);
        assert_int_equal(r.units, a.intervals);
        answer_fini(&a);
    }
    census_fini(&c);
}

/* Unbiased against the sum of all units, and the stated interval holds that sum nearly as often as
 * it says: few units make it somewhat less (docs/notebook/sampling.md). */
static void repetitions_hit_the_total(void **state)
{
    struct census c;
    double sum = 0, square = 0;
    uint32_t held = 0;
    take(*state, &c);
    for (uint32_t i = 0; i < REPEATS; i++) {
        struct repetition r = {0};
        struct error e = {0};
        assert_true(census_repeat(&c, i + 1, false, &r, &e));
        double off = r.cycles / census_cycles(&c, r.draw) - 1;
        sum += off;
        square += off * off;
        held += fabs(off) <= r.half_sampling * (1 + fabs(off)) + 1e-12;
        assert_true(r.units <= c.s.pop.units && r.half_width >= fmin(c.pilots[r.draw].doubt.cycles,
                                                                     c.pilots[r.draw].doubt.work));
    }
    double mean = sum / REPEATS, error = sqrt(square / REPEATS / REPEATS);
    if (fabs(mean) > 4 * error + 0.002)
        fail_msg("bias %.2f %%, noise %.2f %%", 100 * mean, 100 * error);
    if (held < 0.8 * REPEATS) fail_msg("only %u of %d held", held, REPEATS);
    census_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_as_it_was),
        cmocka_unit_test(a_repetition_is_a_run),
        cmocka_unit_test(repetitions_hit_the_total),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
