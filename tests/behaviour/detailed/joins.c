/* joins.c - neighbouring sectors that travel together (detailed/core/sim_joins.c) give the counts
 * of sectors that travel alone, and nearly their time: on one L2, over links between partitions and
 * through TLBs.
 *
 * A machine whose loads may wait aside for an MSHR joins none; with more MSHRs than loads in flight
 * nothing ever waits aside, and all else is the same. */
#include "tests/support/run.h"

#define APART "l1.mshr.wait_aside=true"
#define SMALL "sm.count=4", "l1.mshr.entries=4096"

/* How far cycles may be apart: of lanes that hit lines at random, the order at a row decides more.
 */
static const struct program_case {
    const char *text;
    double cycles;
} PROGRAMS[] = {
    {"generator = \"stream\"; kernel = \"triad\"; ctas = 24; warps_per_cta = 8; iterations = 6;",
     0.01},
    {"generator = \"stencil\"; ctas = 12; warps_per_cta = 8; iterations = 4;", 0.01},
    {"generator = \"gather\"; distribution = \"zipf\"; exponent = 0.8; ctas = 16;"
     "warps_per_cta = 4; iterations = 8; footprint = \"256KB\";",
     0.04},
    {"generator = \"reduction\"; ctas = 10; warps_per_cta = 8; iterations = 3;", 0.01},
};

static void agrees(const struct metrics *joined, const struct metrics *apart, const char *metric,
                   double within)
{
    double v;
    if (!metrics_value(apart, metric, &v)) return;
    assert_near(run_value(joined, metric), v, within * v);
}

static void agree(const char *preset, const struct program_case *k)
{
    static const char *const counts[] = {"l1.accesses", "l1.reads", "l1.writes", "l2.writes",
                                         "tlb.l1_lookups"};
    struct metrics joined = RUN(preset, k->text, SMALL);
    struct metrics apart = RUN(preset, k->text, SMALL, APART);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        agrees(&joined, &apart, counts[i], 0);
    agrees(&joined, &apart, "cycles", k->cycles);
    agrees(&joined, &apart, "l1.tag_hits", 0.05);
    agrees(&joined, &apart, "l2.accesses", 0.005);
    agrees(&joined, &apart, "l2.misses", 0.005);
}

static void joined_sectors_count_as_single_ones(void **state)
{
    static const char *const presets[] = {"qv100", "a100-80", "h100-sxm"};
    (void)state;
    for (size_t k = 0; k < sizeof presets / sizeof *presets; k++)
        for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++)
            agree(presets[k], &PROGRAMS[i]);
}

/* Stores and loads of other SMs between parts of a fetch of copies: the shadow memory of a build
 * with checks stops at old data. */
static void copies_of_several_sectors_are_never_old(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
        struct metrics m =
            RUN("a100-80", PROGRAMS[i].text, SMALL, "l2.link_bytes=8", "l2.miss_queue=2",
                "l2.mshr.entries=4", "l2.ports=1", "l2.bank_kb=8", "l2.index=modulo");
        assert_true(m.v[M_cycles] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_sectors_count_as_single_ones),
        cmocka_unit_test(copies_of_several_sectors_are_never_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
