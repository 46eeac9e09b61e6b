/* Where points lie: latencies as they are, sizes as logarithms, names apart, and what follows from
 * the whole machine, but nothing twice. */
#include "base/io/file.h"
#include "gpu/machine/machine.h"
#include "sweeps/auto/auto_columns.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>

static void load(struct plan *plan, const char *machine, const char *axes)
{
    struct errors all = {0};
    struct error e;
    struct outfile *f = outfile_open(in_folder("sweep.cfg"), &e);
    outfile_printf(f,
                   "machine = %s;\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"
                   "engine = \"auto\";\naxes = ( %s );\n",
                   machine, axes);
    assert_true(outfile_commit(f, &e));
    if (!plan_load(plan, in_folder("sweep.cfg"), NULL, &all)) fail_msg("%s", all.item[0].text);
}

static struct auto_columns make(const struct plan *plan)
{
    struct auto_columns c;
    struct error e = {0};
    if (!auto_columns_make(&c, plan, &e)) fail_msg("%s", e.text);
    return c;
}

/* Four latencies, three of them the same distance apart; four capacities, each twice the last. */
static void times_are_linear_and_sizes_logarithmic(void **state)
{
    (void)state;
    struct plan plan;
    load(&plan, "\"rx540\"", "{ path = \"sm.memory_latency\"; values = [10, 20, 30, 50]; }");
    struct auto_columns c = make(&plan);
    assert_true(fabs(c.x[1 * c.width] - 0.25) < 1e-12);
    assert_true(fabs(c.x[2 * c.width] - 0.5) < 1e-12);
    assert_true(c.x[3 * c.width] == 1 && c.x[0] == 0);
    auto_columns_fini(&c);
    plan_fini(&plan);
    load(&plan, "\"rx540\"", "{ path = \"l1.mshr.entries\"; values = [8, 16, 32, 64]; }");
    c = make(&plan);
    assert_int_equal(c.width,
                     2); /* no machine's figure follows from it; the last is the caller's */
    for (uint32_t i = 0; i < 4; i++)
        assert_true(fabs(c.x[i * c.width] - i / 3.0) < 1e-12);
    auto_columns_fini(&c);
    plan_fini(&plan);
}

/* Two parts of a round trip: the unloaded latency of an L2 hit is a column, exact between its ends,
 * and so is that of the memory. */
static void a_round_trip_is_one_column(void **state)
{
    (void)state;
    struct plan plan;
    load(&plan, "\"rx540\"",
         "{ path = \"l2.latency\"; values = [10, 60, 110]; },"
         "{ path = \"noc.latency\"; values = [4, 40]; }");
    struct auto_columns c = make(&plan);
    double trip[6];
    struct error e;
    for (uint32_t i = 0; i < 6; i++) {
        struct machine m;
        assert_true(plan_machine(&plan, i, &m, &e));
        trip[i] = log(machine_derived_value(&m, "l2_hit_cycles"));
    }
    assert_int_equal(c.width, 2 + 2 + 1);
    for (uint32_t i = 0; i < 6; i++) /* the last axis is the fastest: the ends are 0 and 5 */
        assert_true(fabs(c.x[i * c.width + 2] - (trip[i] - trip[0]) / (trip[5] - trip[0])) < 1e-9);
    auto_columns_fini(&c);
    plan_fini(&plan);
}

/* Slices of 64 to 512 KB: the L2's capacity says the same as the axis, and is left out.  A value of
 * 0 (no bound) stands apart from the small ones. */
static void nothing_is_said_twice(void **state)
{
    (void)state;
    struct plan plan;
    load(&plan, "\"rx540\"", "{ path = \"l2.bank_kb\"; values = [64, 128, 512]; }");
    struct auto_columns c = make(&plan);
    assert_int_equal(c.width, 2);
    auto_columns_fini(&c);
    plan_fini(&plan);
    load(&plan, "\"rx540\"", "{ path = \"l2.mshr.entries\"; values = [0, 16, 32, 64]; }");
    c = make(&plan);
    assert_int_equal(c.width, 3);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(c.x[i * c.width + 1] == (i == 0));
    auto_columns_fini(&c);
    plan_fini(&plan);
}

/* Machines differ by name, and by what they are: bandwidth, capacity, latency, lanes. */
static void machines_are_compared_by_what_they_are(void **state)
{
    (void)state;
    struct plan plan;
    load(&plan, "( \"rx540\", \"rx570\", \"hd7870\", \"vega64\" )",
         "{ path = \"l1.mshr.entries\"; values = [16, 64]; }");
    struct auto_columns c = make(&plan);
    assert_true(c.width > 4 + 1 + 1);
    for (uint32_t i = 0; i < plan_points(&plan); i++)
        for (uint32_t k = 0; k < c.width; k++)
            assert_true(c.x[i * c.width + k] >= 0 && c.x[i * c.width + k] <= 1);
    auto_columns_fini(&c);
    plan_fini(&plan);
}

static int setup(void **state)
{
    struct error e;
    if (folder_make(state) != 0) return -1;
    struct outfile *f = outfile_open(in_folder("small.cfg"), &e);
    outfile_printf(f, "generator = \"stream\";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n");
    return outfile_commit(f, &e) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_linear_and_sizes_logarithmic),
        cmocka_unit_test(a_round_trip_is_one_column),
        cmocka_unit_test(nothing_is_said_twice),
        cmocka_unit_test(machines_are_compared_by_what_they_are),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
