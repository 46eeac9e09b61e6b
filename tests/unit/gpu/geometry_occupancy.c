/* How many CTAs fit, and what bounds them?  Figures from NVIDIA's occupancy rules for a Volta SM.
 */
#include "gpu/geometry/occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct sm_params volta = {.warp_width = 32,
                                       .max_warps = 64,
                                       .max_ctas = 32,
                                       .registers = 65536,
                                       .register_unit = 8,
                                       .shared_kb = 96};
static const struct l1_params fixed = {.kb = 32};
static const struct l1_params adaptive = {
    .adaptive = true, .unified_kb = 128, .shared_options_kb = {6, {0, 8, 16, 32, 64, 96}}};

static struct occupancy run(const struct l1_params *l1, uint32_t warps, uint32_t regs,
                            uint32_t shared)
{
    struct launch l = {.warps_per_cta = warps, .registers_per_lane = regs, .shared_bytes = shared};
    return occupancy(&volta, l1, &l);
}

static void expect(struct occupancy o, uint32_t ctas, enum occupancy_limit limit)
{
    assert_int_equal(o.ctas, ctas);
    assert_int_equal(o.limit, limit);
}

static void each_resource_binds(void **state)
{
    (void)state;
    expect(run(&fixed, 8, 32, 0), 8, LIMIT_WARPS);
    expect(run(&fixed, 1, 16, 0), 32, LIMIT_CTAS);
    expect(run(&fixed, 8, 64, 0), 4, LIMIT_REGISTERS);
    expect(run(&fixed, 8, 33, 0), 6, LIMIT_REGISTERS); /* 33 is charged as 40 */
    expect(run(&fixed, 8, 32, 48 * 1024), 2, LIMIT_SHARED);
    expect(run(&fixed, 65, 32, 0), 0, LIMIT_WARPS);
    expect(run(&fixed, 32, 255, 0), 0, LIMIT_REGISTERS);
    expect(run(&fixed, 1, 1, 97 * 1024), 0, LIMIT_SHARED);
}

static void unknown_registers_do_not_bind(void **state)
{
    (void)state;
    expect(run(&fixed, 4, 0, 0), 16, LIMIT_WARPS);
}

static struct occupancy run_limited(uint32_t warps, uint32_t resident, uint32_t regs)
{
    struct launch l = {
        .warps_per_cta = warps, .registers_per_lane = regs, .resident_warps = resident};
    return occupancy(&volta, &fixed, &l);
}

/* Whole CTAs, at least one, and never more than another resource allows. */
static void a_launch_limits_its_warps(void **state)
{
    (void)state;
    expect(run_limited(4, 0, 32), 16, LIMIT_WARPS);
    expect(run_limited(4, 32, 32), 8, LIMIT_RESIDENT);
    expect(run_limited(4, 27, 32), 6, LIMIT_RESIDENT);
    expect(run_limited(8, 4, 32), 1, LIMIT_RESIDENT);
    expect(run_limited(4, 64, 32), 16, LIMIT_WARPS);
    expect(run_limited(4, UINT32_MAX, 32), 16, LIMIT_WARPS);
    expect(run_limited(8, 48, 64), 4, LIMIT_REGISTERS);
    expect(run_limited(65, 32, 32), 0, LIMIT_WARPS);
}

/* The limit counts warps of 32 lanes; one of 64 is two of them. */
static void a_limit_counts_warps_of_32_lanes(void **state)
{
    (void)state;
    const struct sm_params wide = {
        .warp_width = 64, .max_warps = 40, .max_ctas = 40, .register_unit = 8};
    static const uint32_t want[][2] = {{16, 4}, {15, 3}, {3, 1}, {1, 1}};
    for (int i = 0; i < 4; i++) {
        struct launch l = {.warps_per_cta = 2, .resident_warps = want[i][0]};
        expect(occupancy(&wide, &fixed, &l), want[i][1], LIMIT_RESIDENT);
    }
}

/* What the adaptive L1 keeps for shared memory is what the CTAs that may run need. */
static void a_limit_leaves_the_rest_to_the_l1(void **state)
{
    (void)state;
    struct launch l = {.warps_per_cta = 8, .shared_bytes = 8192, .resident_warps = 16};
    struct occupancy o = occupancy(&volta, &adaptive, &l);
    expect(o, 2, LIMIT_RESIDENT);
    assert_int_equal(o.shared_kb, 16);
    assert_int_equal(o.l1_kb, 112);
}

/* Khairy II: the smallest capacity with which shared memory does not limit; the L1 has the rest. */
static void adaptive_split(void **state)
{
    (void)state;
    static const struct {
        uint32_t shared, kb, ctas;
    } want[] = {{0, 0, 8},     {1024, 8, 8},  {1025, 16, 8},
                {4096, 32, 8}, {8193, 96, 8}, {20480, 96, 4}};
    for (int i = 0; i < 6; i++) {
        struct occupancy o = run(&adaptive, 8, 32, want[i].shared);
        assert_int_equal(o.shared_kb, want[i].kb);
        assert_int_equal(o.l1_kb, 128 - want[i].kb);
        assert_int_equal(o.ctas, want[i].ctas);
    }
}

static void fixed_split_keeps_the_l1(void **state)
{
    (void)state;
    struct occupancy o = run(&fixed, 8, 32, 4096);
    assert_int_equal(o.l1_kb, 32);
    assert_int_equal(o.shared_kb, 96);
}

/* GCN: 10 warps per SIMD and a CTA on one of them, so that of 10 slots 4-warp CTAs use but 8. */
static void one_subcore_wastes_what_is_left_over(void **state)
{
    (void)state;
    const struct sm_params gcn = {.warp_width = 64,
                                  .max_warps = 40,
                                  .max_ctas = 40,
                                  .register_unit = 8,
                                  .subcores = 4,
                                  .cta_binding = CTA_ONE_SUBCORE};
    static const uint32_t want[][2] = {{1, 40}, {2, 20}, {4, 8}, {10, 4}, {11, 0}};
    for (int i = 0; i < 5; i++) {
        struct launch l = {.warps_per_cta = want[i][0]};
        expect(occupancy(&gcn, &fixed, &l), want[i][1], LIMIT_WARPS);
    }
}

static void expect_refusal(const struct sm_params *sm, const struct l1_params *l1, struct launch l,
                           const char *wanted)
{
    struct text why = {0};
    assert_int_equal(occupancy(sm, l1, &l).ctas, 0);
    occupancy_refusal(sm, l1, &l, &why);
    assert_non_null(strstr(text_str(&why), wanted));
    text_fini(&why);
}

static void a_refusal_names_the_parameter(void **state)
{
    (void)state;
    struct sm_params bound = volta;
    bound.cta_binding = CTA_ONE_SUBCORE;
    bound.subcores = 4;
    expect_refusal(&volta, &fixed, (struct launch){.warps_per_cta = 65},
                   "its 65 warps exceed sm.max_warps = 64");
    expect_refusal(&bound, &fixed, (struct launch){.warps_per_cta = 17},
                   "its 17 warps exceed the 16 of a sub-core");
    expect_refusal(&volta, &fixed, (struct launch){.warps_per_cta = 32, .registers_per_lane = 255},
                   "its 262144 registers (255 a lane) exceed sm.registers = 65536");
    expect_refusal(&volta, &fixed, (struct launch){.warps_per_cta = 1, .shared_bytes = 97 * 1024},
                   "exceed sm.shared_kb of 96 KB");
    expect_refusal(&volta, &adaptive,
                   (struct launch){.warps_per_cta = 1, .shared_bytes = 97 * 1024},
                   "the largest of l1.shared_options_kb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resource_binds),
        cmocka_unit_test(unknown_registers_do_not_bind),
        cmocka_unit_test(a_launch_limits_its_warps),
        cmocka_unit_test(a_limit_counts_warps_of_32_lanes),
        cmocka_unit_test(a_limit_leaves_the_rest_to_the_l1),
        cmocka_unit_test(adaptive_split),
        cmocka_unit_test(fixed_split_keeps_the_l1),
        cmocka_unit_test(one_subcore_wastes_what_is_left_over),
        cmocka_unit_test(a_refusal_names_the_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
