/* follows_translation.c - do estimates count the misses of the TLBs, and the walks, as the cycle
 * model does, and follow it where the shared TLB is far and walkers are few? */
#include "tests/support/ask.h"

#include <math.h>

static const char *const programs[] = {
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 8; unroll = 2; footprint = "
    "\"2MB\";",
    "generator = \"stream\"; kernel = \"triad\"; ctas = 64; warps_per_cta = 4; iterations = 12; "
    "unroll = 2;"};

#define TLBS(l1, l2) "sm.count=4", "tlb.l1_entries=" l1, "tlb.l2_entries=" l2

static struct metrics answer(enum engine engine, const char *program, const char *const *sets,
                             size_t n)
{
    struct machine m = run_machine("rx540", sets, n);
    return ask_of(engine, &m, program);
}

static void both_engines_count_the_same_walks(void **state)
{
    static const char *const tlbs[][3] = {
        {TLBS("8", "64")}, {TLBS("16", "128")}, {TLBS("64", "512")}};
    static const char *const names[] = {"tlb.l2_lookups", "tlb.walks"};
    (void)state;
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++) {
            struct metrics est = answer(ENGINE_ESTIMATE, programs[p], tlbs[i], 3),
                           sim = answer(ENGINE_SIMULATE, programs[p], tlbs[i], 3);
            for (int k = 0; k < 2; k++) {
                double e = run_value(&est, names[k]), s = run_value(&sim, names[k]);
                if (fabs(e / s - 1) > 0.3)
                    fail_msg("program %d, %s: %s: estimated %.0f, simulated %.0f", p, tlbs[i][1],
                             names[k], e, s);
            }
        }
}

static void estimates_follow_slow_translation(void **state)
{
    static const char *const slow[] = {TLBS("8", "64"), "tlb.l2_latency=1000"};
    static const char *const few[] = {TLBS("8", "64"), "tlb.walkers=1",
                                      "tlb.walk_cache_latency=20"};
    (void)state;
    struct metrics e0 = answer(ENGINE_ESTIMATE, programs[0], slow, 1),
                   s0 = answer(ENGINE_SIMULATE, programs[0], slow, 1);
    struct metrics e1 = answer(ENGINE_ESTIMATE, programs[0], slow, 4),
                   s1 = answer(ENGINE_SIMULATE, programs[0], slow, 4);
    struct metrics e2 = answer(ENGINE_ESTIMATE, programs[0], few, 5),
                   s2 = answer(ENGINE_SIMULATE, programs[0], few, 5);
    double base_e = run_value(&e0, "cycles"), base_s = run_value(&s0, "cycles");
    double simulated[] = {run_value(&s1, "cycles") / base_s, run_value(&s2, "cycles") / base_s};
    double estimated[] = {run_value(&e1, "cycles") / base_e, run_value(&e2, "cycles") / base_e};
    for (int i = 0; i < 2; i++) {
        assert_true(simulated[i] > 5);
        assert_near(estimated[i] / simulated[i], 1, 0.25);
    }
}

/* All of a short program waits for the walk of its first page, which reads every level from memory.
 */
static void all_wait_for_the_first_walk(void **state)
{
    static const char *const on[] = {"sm.count=4", "tlb.l1_entries=32", "tlb.l2_latency=40",
                                     "pages.kb=2048"};
    static const char *const program =
        "generator = \"elementwise\"; kernel = \"read\"; ctas = 32; warps_per_cta = 4;";
    double late[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        enum engine engine = i ? ENGINE_SIMULATE : ENGINE_ESTIMATE;
        struct machine bare = run_machine("v100", on, 1), m = run_machine("v100", on, 4);
        struct metrics without = ask_of(engine, &bare, program), with = ask_of(engine, &m, program);
        late[i] = run_value(&with, "cycles") - run_value(&without, "cycles");
        assert_near(run_value(&with, "tlb.walks"), 1, 1e-6);
        assert_near(run_value(&with, "tlb.walk_reads"), 4, 0.8);
    }
    assert_true(late[1] > 1000);
    assert_near(late[0] / late[1], 1, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_engines_count_the_same_walks),
                                       cmocka_unit_test(estimates_follow_slow_translation),
                                       cmocka_unit_test(all_wait_for_the_first_walk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
