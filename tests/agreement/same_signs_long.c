/* same_signs_long.c - every parameter turned up and down on many machines and programs: see
 * knobs.h.  What the estimate gets wrong more often than not is named in not_modelled, or here with
 * its reason; a reason that no longer holds fails the test, too. */
#include "tests/support/knobs.h"

static const struct {
    const char *path, *why;
} KNOWN[] = {
    {"sm.max_warps", "half the warps of a memory-bound gather, stream or handoff cost the cycle "
                     "model 6 to 8 %; the "
                     "estimate is bound by bandwidth alone and moves by 1 to 5 %"},
    {"sm.two_level.warps", "two warps that may issue, in the same way"},
    {"sm.units.int32.interval", "slower units, in the same way: 3 and 6 % simulated"},
    {"sm.dispatch",
     "queues of consecutive CTAs: another order of addresses moves the estimated channels by 5 to "
     "10 %, where the cycle model stands still"},
};
enum { KNOWN_N = sizeof KNOWN / sizeof *KNOWN };

static bool is_known(const char *path)
{
    for (uint32_t i = 0; i < KNOWN_N; i++)
        if (strcmp(KNOWN[i].path, path) == 0) return true;
    return false;
}

static void estimates_move_as_simulations_do(void **state)
{
    (void)state;
    struct knobs all;
    uint32_t failed = 0, moved = 0, turned = 0, named = 0, sum[SIGNS_N] = {0};
    knobs_init(&all, true);
    for (uint32_t i = 0; i < KNOB_PLACES_N; i++)
        turn_all(&all, &knob_places[i]);
    for (uint32_t i = 0; i < all.n; i++) {
        const struct knob *k = &all.at[i];
        bool fails = knob_fails(k) && !k->named;
        turned += k->turned > 0;
        named += k->named;
        moved += k->n[SIGNS_AGREE] + k->n[SIGNS_WRONG] > 0;
        for (uint32_t v = 0; v < SIGNS_N && !k->named; v++)
            sum[v] += k->n[v];
        if (fails || k->named || is_known(k->path))
            printf("%s: %u agree, %u wrong, %u still, %u jump%s\n", k->path, k->n[SIGNS_AGREE],
                   k->n[SIGNS_WRONG], k->n[SIGNS_STILL], k->n[SIGNS_JUMP],
                   k->named            ? " (named)"
                   : is_known(k->path) ? " (known)"
                                       : "");
        failed += fails != is_known(k->path);
    }
    printf(
        "%u parameters, %u turned, %u moved the cycle model, %u in or behind not_modelled; of the "
        "others' turns %u agree, %u wrong, %u still, %u jump\n",
        all.n, turned, moved, named, sum[SIGNS_AGREE], sum[SIGNS_WRONG], sum[SIGNS_STILL],
        sum[SIGNS_JUMP]);
    assert_int_equal(failed, 0);
    assert_true(turned >= 0.95 * all.n && moved >= 80);
    assert_true(sum[SIGNS_WRONG] <= 0.1 * (sum[SIGNS_AGREE] + sum[SIGNS_WRONG]));
    assert_true(sum[SIGNS_JUMP] <= 0.02 * (sum[SIGNS_STILL] + sum[SIGNS_JUMP]));
    knobs_fini(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_move_as_simulations_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
