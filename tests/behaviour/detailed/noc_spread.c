/* noc_spread.c - do SMs and slices that are farther away take the cycles that noc.sm_spread and
 * noc.slice_spread say, once in each direction? */
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/mesh_layout.h"
#include "tests/support/patterns.h"

#include <math.h>

enum { SMS = 8, SLICES = 4, LOADS = 20 };

static uint32_t chosen;

/* One CTA chases, each load to a line that the L1 does not have; the others end at once. */
static void chases(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    (void)width;
    if (cta != chosen) return;
    hand_inst(w, warp,
              &(struct hand_op){.cls = OP_LOAD,
                                .space = SPACE_GLOBAL,
                                .pc = 16 * step,
                                .addr = BASE + (uint64_t)LINE * step,
                                .after = true},
              step);
}

#define MACHINE                                                                               \
    "sm.count=8", "l2.banks=4", "dram.channels=4", "dram.model=fixed", "dram.clock_mhz=1132", \
        "l2.slice_hash=modulo"

/* Cycles of the chase on that SM. */
static double chase_cycles(uint32_t sm, const char *sm_spread, const char *slice_spread)
{
    static const struct pattern p = {0, 1, SMS, 1, LOADS, chases};
    const char *const sets[] = {MACHINE, sm_spread, slice_spread};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    chosen = sm;
    struct metrics r = run_whole(&m, pattern_program(&p, m.sm.warp_width));
    return LOADS * run_value(&r, "latency.load_mean");
}

static void the_kth_sm_is_k_steps_farther(void **state)
{
    (void)state;
    for (uint32_t sm = 0; sm < SMS; sm++) {
        double near = chase_cycles(sm, "noc.sm_spread=0", "noc.slice_spread=0");
        double far = chase_cycles(sm, "noc.sm_spread=30", "noc.slice_spread=0");
        double step = floor(sm * 30.0 / (SMS - 1) + 0.5);
        assert_near(far - near, 2 * step * LOADS, 1e-6);
    }
}

static void a_slice_adds_its_own_part(void **state)
{
    (void)state;
    const char *const sets[] = {MACHINE};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    struct map map;
    struct error e = {0};
    assert_true(map_init(&map, &m.l2, &m.dram, &e));
    double want = 0;
    for (uint32_t i = 0; i < LOADS; i++) {
        uint32_t slice = map_slice(&map, BASE + (uint64_t)LINE * i);
        want += 2 * floor(slice * 11.0 / (SLICES - 1) + 0.5);
    }
    assert_true(want > 0);
    double near = chase_cycles(3, "noc.sm_spread=0", "noc.slice_spread=0");
    assert_near(chase_cycles(3, "noc.sm_spread=0", "noc.slice_spread=11") - near, want, 1e-6);
    double sm = 2 * floor(3 * 16.0 / (SMS - 1) + 0.5) * LOADS;
    assert_near(chase_cycles(3, "noc.sm_spread=16", "noc.slice_spread=11") - near, want + sm, 1e-6);
}

/* What both engines call the latency without load is the mean over SMs and slices. */
static void the_idle_latency_is_the_mean(void **state)
{
    (void)state;
    const char *const sets[] = {MACHINE, "noc.latency=10", "noc.sm_spread=14",
                                "noc.slice_spread=6"};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    assert_near(noc_idle_latency(&m.noc, SMS, SLICES), 10 + 7 + 3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kth_sm_is_k_steps_farther),
        cmocka_unit_test(a_slice_adds_its_own_part),
        cmocka_unit_test(the_idle_latency_is_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
