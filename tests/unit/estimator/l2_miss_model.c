/* l2_miss_model.c - is the share of misses that find no FRC entry that of a loss system, and do
 * rounds of misses end at a full set after as many as by chance? */
#include "estimator/terms/l2_miss_model.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

enum { SETS_MOST = 64 };

/* One server: a / (1 + a); two at a = 1: 1/5; tables of Erlang's formula for the others. */
static void erlangs_formula(void **state)
{
    (void)state;
    static const struct {
        double servers, load, blocked;
    } cases[] = {{1, 0.5, 1.0 / 3}, {2, 1, 0.2}, {4, 4, 0.310680},  {10, 5, 0.018385},
                 {8, 0, 0},         {0, 3, 1},   {1, 1e6, 0.999999}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(l2_miss_blocked_share(cases[i].servers, cases[i].load), cases[i].blocked, 1e-6);
    assert_true(l2_miss_blocked_share(65536, 100) < 1e-9);
}

/* Entries held for a constant time, asked for at random: arrivals that find all of them held. */
static double lost(uint32_t servers, double load, uint64_t seed)
{
    enum { ARRIVALS = 400000 };
    double until[64] = {0}, now = 0, refused = 0;
    struct rng r;
    rng_seed(&r, seed, 1);
    for (uint32_t i = 0; i < ARRIVALS; i++) {
        uint32_t k = 0;
        now -= log(1 - rng_unit(&r)) / load;
        while (k < servers && until[k] > now)
            k++;
        if (k == servers)
            refused++;
        else
            until[k] = now + 1;
    }
    return refused / ARRIVALS;
}

static void any_hold_time_will_do(void **state)
{
    (void)state;
    static const double loads[] = {0.5, 2, 6, 20};
    for (uint32_t servers = 1; servers <= 16; servers *= 4)
        for (size_t i = 0; i < 4; i++)
            assert_near(l2_miss_blocked_share(servers, loads[i]), lost(servers, loads[i], i),
                        0.004);
}

/* Misses until one finds its set full, by chance. */
static double misses_until_full(struct rng *r, uint32_t sets, uint32_t ways)
{
    uint32_t taken[SETS_MOST] = {0}, n = 0;
    for (uint64_t set = rng_below(r, sets); taken[set] < ways; set = rng_below(r, sets), n++)
        taken[set]++;
    return n;
}

/* Half of all rounds find a full set before so many misses, and half do not. */
static void rounds_end_at_a_full_set(void **state)
{
    static const uint32_t sets[] = {1, 16, 64}, ways[] = {1, 4, 16};
    enum { ROUNDS = 4000 };
    struct rng r;
    (void)state;
    rng_seed(&r, 3, 3);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            double at = l2_miss_until_full(sets[i], ways[k]), before = 0;
            for (uint32_t n = 0; n < ROUNDS; n++) {
                double misses = misses_until_full(&r, sets[i], ways[k]);
                before += misses < at - 1 ? 1 : misses < at ? 0.5 : 0;
            }
            print_message("%u sets of %u: %.1f, %.0f before\n", sets[i], ways[k], at, before);
            assert_near(before / ROUNDS, 0.5, 0.1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erlangs_formula),
        cmocka_unit_test(any_hold_time_will_do),
        cmocka_unit_test(rounds_end_at_a_full_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
