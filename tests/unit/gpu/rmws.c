/* Racetrack-aware scheduling: the worked example of Mao's figure 8, distances as thermometers, and
 * the pick beside a scan of columns as the thesis tells it. */
#include "base/memory/rng.h"
#include "gpu/policies/sched.h"
#include "tests/support/check.h"
#include "tests/support/rmws_circuit.h"

#include <stdio.h>

enum { SLOTS = 64 };

struct bench {
    struct sched s;
    uint64_t score[SLOTS], age[SLOTS];
    uint32_t last; /* slot that issued last */
};

static uint64_t nearest(const void *owner, uint64_t slots)
{
    const uint64_t *score = ((const struct bench *)owner)->score;
    uint64_t least = UINT64_MAX, found = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!(slots >> i & 1) || score[i] > least) continue;
        if (score[i] < least) found = 0;
        least = score[i];
        found |= UINT64_C(1) << i;
    }
    return found;
}

static uint32_t pick(struct bench *b, uint64_t ready)
{
    static const struct sm_params p = {.scheduler = SCHED_RMWS, .owl_ctas = 1};
    const struct sched_view v = {.age = b->age, .nearest = nearest, .owner = b};
    sched_init(&b->s, &p, &v);
    b->s.last = b->last;
    return b->s.ops->pick(&b->s, ready, b->age);
}

/* --- figure 8 --------------------------------------------------------------------------------- */

/* The score of two operands, from their locations and their banks'. */
static uint64_t score_2(uint32_t a, uint32_t bank_a, uint32_t b, uint32_t bank_b)
{
    return rmws_distance(rmws_preprocessed(a, 8), rmws_preprocessed(bank_a, 8)) |
           rmws_distance(rmws_preprocessed(b, 8), rmws_preprocessed(bank_b, 8));
}

/* Both banks at 4. W0 reads R0 at 2 and R5 at 2; W1 reads R2 at 5 and R1 at 4 (figure 7b). */
static void figure_8(void **state)
{
    (void)state;
    assert_int_equal(rmws_preprocessed(2, 8), 0xe0);
    assert_int_equal(rmws_preprocessed(4, 8), 0xf8);
    assert_int_equal(rmws_preprocessed(2, 8) ^ rmws_preprocessed(4, 8), 0x18);
    assert_int_equal(rmws_distance(0xe0, 0xf8), 0x03);
    /* papers/mao/studies/register-file-examples.sh takes it from here. */
    printf("RM-EX-SCORE2,%d\n", __builtin_popcountll(rmws_distance(0xe0, 0xf8)));
    struct bench b = {.age = {0, 1}, .score = {score_2(2, 4, 2, 4), score_2(5, 4, 4, 4)}};
    assert_int_equal(b.score[0], 0x03);
    assert_int_equal(b.score[1], 0x01);
    assert_int_equal(pick(&b, 3), 1);
    assert_int_equal(pick(&b, 1), 0); /* W1 cannot issue: the next smallest */
}

/* --- distances -------------------------------------------------------------------------------- */

static uint64_t ones(uint32_t n)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < n; i++)
        v = v << 1 | 1;
    return v;
}

static void distances_are_thermometers(void **state)
{
    (void)state;
    for (uint32_t segment = 1; segment <= 64; segment++)
        for (uint32_t a = 0; a < segment; a++) {
            assert_true(rmws_preprocessed(a, segment) == ones(a + 1) << (segment - a - 1));
            for (uint32_t b = 0; b < segment; b++)
                assert_true(
                    rmws_distance(rmws_preprocessed(a, segment), rmws_preprocessed(b, segment)) ==
                    ones(a > b ? a - b : b - a));
        }
}

/* --- the minimum ------------------------------------------------------------------------------ */

/* Columns from right to left; the first in which a row has a zero names the rows of the minimum, of
 * which the last one goes again, else the oldest. */
static uint32_t scan_columns(const struct bench *b, uint64_t ready)
{
    for (uint32_t column = 0;; column++) {
        uint32_t found = SLOTS;
        for (uint32_t i = 0; i < SLOTS; i++) {
            bool zero = column == 64 || !(b->score[i] >> column & 1);
            if (!(ready >> i & 1) || !zero) continue;
            bool older = found == SLOTS || b->age[i] < b->age[found];
            if (found != b->last && (older || i == b->last)) found = i;
        }
        if (found != SLOTS) return found;
    }
}

static void shuffle_ages(struct bench *b, struct rng *r)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t k = (uint32_t)rng_below(r, i + 1);
        b->age[i] = b->age[k];
        b->age[k] = i;
    }
}

static void the_pick_is_that_of_the_column_scan(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 33, 0);
    for (uint32_t round = 0; round < 20000; round++) {
        struct bench b = {.last = (uint32_t)rng_below(&r, SLOTS)};
        uint32_t most = 1 + (uint32_t)rng_below(&r, 64);
        uint64_t ready = rng_next(&r) & rng_next(&r);
        shuffle_ages(&b, &r);
        for (uint32_t i = 0; i < SLOTS; i++)
            b.score[i] = ones((uint32_t)rng_below(&r, most));
        if (!ready) continue;
        assert_int_equal(pick(&b, ready), scan_columns(&b, ready));
    }
}

static void of_equals_the_last_or_the_oldest_goes(void **state)
{
    (void)state;
    struct bench b = {.age = {7, 5, 6, 4}, .score = {1, 1, 1, 3}, .last = 3};
    assert_int_equal(pick(&b, 0xf), 1);
    assert_int_equal(pick(&b, 0xd), 2);
    assert_int_equal(pick(&b, 0x8), 3);
    b.last = 0;
    assert_int_equal(pick(&b, 0xf), 0);
    assert_int_equal(pick(&b, 0xe), 1);
}

/* Where operands are not known, it is GTO. */
static void without_scores_it_is_gto(void **state)
{
    (void)state;
    struct bench b = {.age = {7, 5, 6, 4}};
    static const struct sm_params p = {.scheduler = SCHED_RMWS, .owl_ctas = 1};
    const struct sched_view v = {.age = b.age};
    sched_init(&b.s, &p, &v);
    b.s.last = 2;
    assert_int_equal(b.s.ops->pick(&b.s, 0xf, b.age), 2);
    assert_int_equal(b.s.ops->pick(&b.s, 0xb, b.age), 3);
    assert_int_equal(b.s.ops->pick(&b.s, 0x3, b.age), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_8),
        cmocka_unit_test(distances_are_thermometers),
        cmocka_unit_test(the_pick_is_that_of_the_column_scan),
        cmocka_unit_test(of_equals_the_last_or_the_oldest_goes),
        cmocka_unit_test(without_scores_it_is_gto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
