/* Do the launches that stand for a program take as long as it, on its machine and on others? */
#include "estimator/model/launch_picks.h"
#include "base/memory/alloc.h"
#include "estimator/profile/profile_data.h"
#include "tests/support/estimator_support.h"

/* A decomposition: launches of three kernels, ever shorter. */
#define SHRINKING "configs/workloads/quick/lud.plt"
#define STREAMS                                                                           \
    "generator = \"stream\"; launches = 9; ctas = 64; warps_per_cta = 2; iterations = 4;" \
    "footprint = \"64KB\";"

static void bed_open(struct bed *b, const char *path)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = b->m.sm.warp_width};
    b->p = program_open(path, &o, &e);
    if (!b->p) fail_msg("%s", e.text);
    bed_profile(b, 2, false);
}

static double picked_us(const struct bed *b, const struct launch_picks *k)
{
    struct est_params p = bed_params(b);
    double us = 0;
    assert_true(launch_picks_time(k, b->f, &p, &us, NULL));
    return us;
}

static double program_us(const struct bed *b)
{
    struct metrics m;
    bed_estimate(b, &m, NULL);
    return m.v[M_time_us];
}

static struct launch_picks pick(const struct bed *b, uint32_t most)
{
    struct est_params p = bed_params(b);
    struct launch_picks k;
    uint32_t n = profile_launches(b->f);
    bool *all = mem_new(n, sizeof *all);
    assert_non_null(all);
    memset(all, true, n);
    assert_true(launch_picks_find(&k, b->f, all, most, &p, NULL));
    mem_free(all);
    return k;
}

static void equal_launches_are_solved_once(void **state)
{
    (void)state;
    struct bed b;
    bed_init(&b, "rx540", STREAMS);
    b.f->place[6] = b.f->place[8] = b.f->place[3];
    struct launch_picks k = pick(&b, 0);
    assert_int_equal(k.n, 7);
    assert_near(k.at[3].weight, 3, 0);
    assert_near(picked_us(&b, &k), program_us(&b), 1e-9 * program_us(&b));
    launch_picks_fini(&k);
    bed_fini(&b);
}

/* On its own machine to the last digits; on another one within some per cent of what it saves. */
static void few_launches_stand_for_all(void **state)
{
    static const char *const others[] = {"clock.noc_mhz=2400", "dram.channels=4",
                                         "clock.core_mhz=2600"};
    (void)state;
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    bed_open(&b, SHRINKING);
    struct launch_picks all = pick(&b, 0), some = pick(&b, 6);
    assert_true(all.n > 6 && some.n <= 6);
    double us = program_us(&b);
    assert_near(picked_us(&b, &some), us, 1e-9 * us);
    for (uint32_t i = 0; i < sizeof others / sizeof *others; i++) {
        bed_set(&b, others[i]);
        assert_near(picked_us(&b, &some) / us, program_us(&b) / us, 0.02);
        assert_near(picked_us(&b, &all), program_us(&b), 1e-9 * us);
    }
    launch_picks_fini(&all);
    launch_picks_fini(&some);
    bed_fini(&b);
}

static void only_what_is_selected_counts(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    struct error e = {0};
    bool selected[9] = {[4] = true};
    const struct scope fifth = {4, 1};
    bed_init(&b, "rx540", STREAMS);
    struct est_params p = bed_params(&b);
    struct launch_picks k;
    assert_true(launch_picks_find(&k, b.f, selected, 0, &p, &e));
    assert_true(estimate(b.f, &fifth, &p, &m, NULL, &e));
    assert_int_equal(k.n, 1);
    assert_near(picked_us(&b, &k), m.v[M_time_us], 1e-9 * m.v[M_time_us]);
    launch_picks_fini(&k);
    bed_fini(&b);
}

static void they_say_what_is_issued(void **state)
{
    (void)state;
    struct bed b;
    bed_init(&b, "rx540", STREAMS);
    struct launch_picks k = pick(&b, 0);
    assert_true(launch_picks_issue(&k, b.f, 1u << OP_LOAD | 1u << OP_TENSOR));
    assert_false(launch_picks_issue(&k, b.f, 1u << OP_TENSOR));
    launch_picks_fini(&k);
    bed_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_launches_are_solved_once),
        cmocka_unit_test(few_launches_stand_for_all),
        cmocka_unit_test(only_what_is_selected_counts),
        cmocka_unit_test(they_say_what_is_issued),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
