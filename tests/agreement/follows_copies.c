/* follows_copies.c - does the estimator see what asynchronous copies hide: loads through registers
 * against copies that run one or two steps ahead, of few warps that wait and of many? */
#include "tests/support/ask.h"
#include "tests/support/follows.h"

#include <stdio.h>

static double cycles(enum engine engine, uint32_t ctas, uint32_t stages)
{
    const char *const sets[] = {"sm.count=4"};
    struct machine m = run_machine("qv100", sets, 1);
    char text[200];
    snprintf(text, sizeof text,
             "generator = \"tiled_matmul\"; n = 256; tile = 64; ctas = %u; warps_per_cta = 8; "
             "iterations = 16; unroll = 2; stages = %u;",
             ctas, stages);
    struct metrics a = ask_of(engine, &m, text);
    return run_value(&a, "cycles");
}

static double product_cycles(enum engine engine, const char *entries)
{
    const char *const sets[] = {"sm.count=4", entries};
    struct machine m = run_machine("qv100", sets, 2);
    struct metrics a =
        ask_of(engine, &m,
               "generator = \"gemm\"; M = 256; N = 256; K = 512; type = \"fp16\"; stages = 3;");
    return run_value(&a, "cycles");
}

/* Copies of 16 bytes a lane go past the L1 and hold none of its MSHRs. */
static void copies_past_the_l1_need_no_mshrs(void **state)
{
    static const enum engine engines[] = {ENGINE_ESTIMATE, ENGINE_SIMULATE};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        double many = product_cycles(engines[i], "l1.mshr.entries=512");
        double few = product_cycles(engines[i], "l1.mshr.entries=8");
        if (fabs(few / many - 1) > 0.1)
            fail_msg("engine %u: %.0f cycles with 512 MSHRs, %.0f with 8", engines[i], many, few);
    }
}

static void estimates_follow_the_stages(void **state)
{
    (void)state;
    for (uint32_t ctas = 4; ctas <= 16; ctas *= 4) {
        double sim = cycles(ENGINE_SIMULATE, ctas, 1), est = cycles(ENGINE_ESTIMATE, ctas, 1);
        for (uint32_t stages = 2; stages <= 3; stages++) {
            double s = cycles(ENGINE_SIMULATE, ctas, stages);
            double e = cycles(ENGINE_ESTIMATE, ctas, stages);
            if (fabs(e / s - 1) > 0.17 || !follows(s / sim, e / est))
                fail_msg("%u CTAs, %u stages: %.0f, estimated %.0f; of loads %.0f, %.0f", ctas,
                         stages, s, e, sim, est);
        }
    }
}

static double attention_cycles(enum engine engine)
{
    const char *const sets[] = {"sm.count=4"};
    struct machine m = run_machine("h100-sxm", sets, 1);
    struct metrics a = ask_of(engine, &m,
                              "generator = \"attention\"; heads = 2; queries = 512; keys = 1024; "
                              "head_dim = 128; type = \"bf16\";");
    return run_value(&a, "cycles");
}

/* Two CTAs on an SM that wait for copies in front of barriers: round robin keeps them in step, so
 * that products and exponentials do not hide each other. */
static void waits_in_front_of_barriers_keep_ctas_in_step(void **state)
{
    (void)state;
    double s = attention_cycles(ENGINE_SIMULATE), e = attention_cycles(ENGINE_ESTIMATE);
    if (fabs(e / s - 1) > 0.2) fail_msg("simulated %.0f, estimated %.0f", s, e);
}

static double tile_cycles(enum engine engine)
{
    const char *const sets[] = {"sm.count=4"};
    struct machine m = run_machine("h100-sxm", sets, 1);
    struct metrics a = ask_of(engine, &m,
                              "generator = \"gemm\"; M = 256; N = 256; K = 512; layout = \"tn\"; "
                              "tile_m = 128; tile_n = 128; warps_m = 2; warps_n = 2; stages = 3;");
    return run_value(&a, "cycles");
}

/* A warp of each sub-core in step, that loads a slice from shared memory while it multiplies the
 * one before: the loads' time is hidden. */
static void slices_that_are_loaded_ahead_take_no_time(void **state)
{
    (void)state;
    double s = tile_cycles(ENGINE_SIMULATE), e = tile_cycles(ENGINE_ESTIMATE);
    if (fabs(e / s - 1) > 0.15) fail_msg("simulated %.0f, estimated %.0f", s, e);
}

static double alone_cycles(enum engine engine)
{
    struct machine m = run_machine("mi300x", NULL, 0);
    struct metrics a = ask_of(engine, &m,
                              "generator = \"gemm\"; M = 1; N = 512; K = 1024; layout = \"tn\"; "
                              "type = \"bf16\"; tile_m = 128; tile_n = 128; tile_k = 32; "
                              "warps_m = 2; warps_n = 2; stages = 4;");
    return run_value(&a, "cycles");
}

/* A CTA alone on its SM: all its warps read their fragments, and only then multiply.  The estimate
 * takes the reads of all of them one after the other, of which the cycle model hides a part. */
static void units_wait_for_the_shared_memory_in_step(void **state)
{
    (void)state;
    double s = alone_cycles(ENGINE_SIMULATE), e = alone_cycles(ENGINE_ESTIMATE);
    if (fabs(e / s - 1) > 0.25) fail_msg("simulated %.0f, estimated %.0f", s, e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_follow_the_stages),
        cmocka_unit_test(copies_past_the_l1_need_no_mshrs),
        cmocka_unit_test(slices_that_are_loaded_ahead_take_no_time),
        cmocka_unit_test(waits_in_front_of_barriers_keep_ctas_in_step),
        cmocka_unit_test(units_wait_for_the_shared_memory_in_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
