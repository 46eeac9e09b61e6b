/* memory_side.c - the terms for a memory-side cache (L3) and for QuickRelease's write caches. */
#include "estimator/terms/write_cache_model.h"
#include "tests/support/estimator_support.h"

static const char again[] =
    "generator = \"pointer_chase\"; ctas = 32; warps_per_cta = 4; iterations = 2000;"
    "footprint = \"1MB\"; stride = 64;";
enum { LINES = (1 << 20) / 64 };

static void estimate_with(const char *set, struct metrics *m)
{
    struct bed b;
    bed_init(&b, "apu-quickrelease-wt", again);
    if (set) bed_set(&b, set);
    bed_estimate(&b, m, NULL);
    bed_fini(&b);
}

/* Lines that do not fit the L2 come from memory once if they fit the L3, and else every time. */
static void what_fits_the_l3_is_fetched_once(void **state)
{
    struct metrics with, small;
    (void)state;
    estimate_with(NULL, &with);
    estimate_with("l3.kb=256", &small);
    assert_near(with.v[M_dram_reads], LINES, 0.1 * LINES);
    assert_near(small.v[M_dram_reads], small.v[M_l2_fetches], 0.1 * small.v[M_l2_fetches]);
    assert_true(small.v[M_dram_reads] > 3 * with.v[M_dram_reads]);
    assert_near(with.v[M_l2_fetches], small.v[M_l2_fetches], 0.01 * small.v[M_l2_fetches]);
    assert_true(small.v[M_cycles] > with.v[M_cycles]);
}

/* Loads that other SMs' stores have made miss go to the L2; the first of each line goes on. */
static void lost_loads_go_to_the_l2(void **state)
{
    struct bed b = {.f = NULL};
    struct launch_profile *p = test_calloc(1, sizeof *p);
    struct cache_levels v = {.l1 = {.reads = 400, .read_hits = 200},
                             .l2 = {.reads = 200, .read_hits = 100},
                             .fetches = 100,
                             .written_through = 1000,
                             .l3 = {.fetched = 0.5}};
    (void)state;
    bed_machine(&b, "apu-quickrelease", NULL, 0);
    p->loads = 400;
    p->sent = 1000;
    p->shared.lost_loads = 50;
    p->shared.lost_first = 10;
    struct est_params e = bed_params(&b);
    write_cache_model_find(&v, p, &e);
    assert_near(v.l1.read_hits, 150, 1e-9);
    assert_near(v.l2.reads, 250, 1e-9);
    assert_near(v.l2.read_hits, 140, 1e-9);
    assert_near(v.fetches, 110, 1e-9);
    assert_near(cache_levels_memory_reads(&v), 60, 1e-9);
    assert_near(v.written_through, 1000, 1e-9);
    test_free(p);
}

/* The L2's write caches have 128 entries here, those of the L3 256 more. */
static void stores_of_several_sms_join(void **state)
{
    struct bed b = {.f = NULL};
    struct launch_profile *p = test_calloc(1, sizeof *p);
    struct cache_levels v = {.written_through = 1000};
    (void)state;
    bed_machine(&b, "apu-quickrelease", NULL, 0);
    p->sent = 1000;
    p->shared.joins[3] = 100;  /* lags from 8 to 15 */
    p->shared.joins[7] = 40;   /* 128 to 255 */
    p->shared.joins[10] = 200; /* 1024 to 2047 */
    struct est_params e = bed_params(&b);
    write_cache_model_find(&v, p, &e);
    assert_near(v.written_through, 900, 1e-9);
    assert_near(cache_levels_memory_writes(&v), 860, 1e-9);
    test_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_the_l3_is_fetched_once),
        cmocka_unit_test(lost_loads_go_to_the_l2),
        cmocka_unit_test(stores_of_several_sms_join),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
