/* sampler_coverage_long.c - repeated a few hundred times in memory, does the sampling procedure hit
 * the total of its units, and is a census kept as it was?  The bench of the same name asks it of
 * many programs and machines. */
#include "bench/coverage.h"
#include "tests/behaviour/run.h"

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
    struct profile_view view = profile_view_of(&b.m.sm, &b.m.l1, &b.m.l2, &b.m.coherence);
    b.profile = profile_get(b.p, &view, 1, false, &e);
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
    if (!census_start(c, &b->m, b->p, b->profile, 0.03, &e) || !census_take(c, b->path, &e))
        fail_msg("%s", e.text);
    assert_true(c->s.pop.units >= SAMPLING_UNITS_LEAST);
}

static void kept_as_it_was(void **state)
{
    struct bed *b = *state;
    struct census fresh, kept;
    take(b, &fresh);
    take(b, &kept);
    assert_int_equal(kept.missing, 0);
    assert_true(kept.placing == fresh.placing && kept.s.warmup == fresh.s.warmup);
    assert_true(census_cycles(&kept) == census_cycles(&fresh));
    for (uint32_t i = 0; i < kept.s.pop.units; i++) {
        assert_true(kept.unit[i].cost == fresh.unit[i].cost);
        assert_true(kept.unit[i].m.v[M_l2_hits] == fresh.unit[i].m.v[M_l2_hits]);
    }
    census_fini(&fresh);
    census_fini(&kept);
}

/* Unbiased against the sum of all units, and the stated interval holds that sum nearly as often as
 * it says: few units make it somewhat less (docs/sampling.md). */
static void repetitions_hit_the_total(void **state)
{
    struct census c;
    double sum = 0, square = 0;
    uint32_t held = 0;
    take(*state, &c);
    double all = census_cycles(&c);
    for (uint32_t i = 0; i < REPEATS; i++) {
        struct repetition r = {0};
        struct error e = {0};
        assert_true(census_repeat(&c, i + 1, false, &r, &e));
        double off = r.cycles / all - 1;
        sum += off;
        square += off * off;
        held += fabs(off) <= r.half_sampling * (1 + fabs(off)) + 1e-12;
        assert_true(r.units <= c.s.pop.units && r.half_width >= c.placing);
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
        cmocka_unit_test(repetitions_hit_the_total),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
