/* same_signs.c - parameters turned up and down at two places, as a quick part of what
 * same_signs_long.c does at all of them: see knobs.h. */
#include "tests/support/knobs.h"

static void estimates_move_as_simulations_do(void **state)
{
    (void)state;
    static const char *const quick[] = {"rx540 units", "qv100 partial"};
    struct knobs all;
    uint32_t turned = 0, sum[SIGNS_N] = {0};
    knobs_init(&all, true);
    for (uint32_t i = 0; i < KNOB_PLACES_N; i++)
        for (uint32_t k = 0; k < sizeof quick / sizeof *quick; k++)
            if (strcmp(knob_places[i].name, quick[k]) == 0) turn_all(&all, &knob_places[i]);
    for (uint32_t i = 0; i < all.n; i++) {
        turned += all.at[i].turned > 0;
        for (uint32_t v = 0; v < SIGNS_N && !all.at[i].named; v++)
            sum[v] += all.at[i].n[v];
    }
    printf("%u of %u parameters turned: %u turns agree, %u wrong, %u still, %u jump\n", turned,
           all.n, sum[SIGNS_AGREE], sum[SIGNS_WRONG], sum[SIGNS_STILL], sum[SIGNS_JUMP]);
    knobs_fini(&all);
    /* those of the L3, of CPUs and of write caches need a machine that has them */
    assert_true(turned >= 0.85 * all.n && sum[SIGNS_AGREE] >= 30);
    /* as many as at all places together (docs/notebook/estimator.md, section 4) */
    assert_true(sum[SIGNS_WRONG] <= 0.07 * (sum[SIGNS_WRONG] + sum[SIGNS_AGREE]));
    assert_true(sum[SIGNS_JUMP] <= 0.02 * (sum[SIGNS_STILL] + sum[SIGNS_JUMP]));
}

/* The rule itself: what must not pass. */
static void wrong_signs_and_jumps_are_seen(void **state)
{
    (void)state;
    assert_int_equal(judge_signs(0.10, 0.08, 0), SIGNS_AGREE);
    assert_int_equal(judge_signs(0.10, -0.08, 0), SIGNS_WRONG);
    assert_int_equal(judge_signs(0.10, 0, 0), SIGNS_WRONG);
    assert_int_equal(judge_signs(0.10, -0.08, 0.06), SIGNS_BETWEEN);
    assert_int_equal(judge_signs(0.005, 0.05, 0), SIGNS_JUMP);
    assert_int_equal(judge_signs(-0.005, 0.02, 0), SIGNS_STILL);
    struct knob k = {.path = "", .n = {[SIGNS_AGREE] = 2, [SIGNS_WRONG] = 3}};
    assert_true(knob_fails(&k));
    k.n[SIGNS_AGREE] = 3;
    assert_false(knob_fails(&k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_signs_and_jumps_are_seen),
        cmocka_unit_test(estimates_move_as_simulations_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
