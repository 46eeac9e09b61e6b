/* difference.c - are the parts of a difference what they say, and all of it? */
#include "engine/difference.h"
#include "tests/support/ask.h"

#include <math.h>

#define GATHER                                                                          \
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 4; unroll = 2;" \
    "footprint = \"256KB\";"

enum { SETS = 4 };

static struct difference find(const char *const base[SETS], const char *const sets[SETS],
                              double *time)
{
    size_t n = 0, k = 0;
    struct difference d;
    struct run_opts o;
    struct error e = {0};
    struct errors all = {0};
    while (n < SETS && base[n])
        n++;
    while (k < SETS && sets[k])
        k++;
    struct machine a = run_machine("rx540", base, n), b = a;
    if (!machine_set(&b, sets, k, &all)) fail_msg("%s", all.item[0].text);
    struct program *p = run_program(GATHER, a.sm.warp_width);
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!difference_find(&a, &b, p, &o, &d, &e)) fail_msg("%s", e.text);
    if (time) {
        struct metrics x = ask(ENGINE_ESTIMATE, &a, p), y = ask(ENGINE_ESTIMATE, &b, p);
        *time = y.v[M_time_us] / x.v[M_time_us];
    }
    program_close(p);
    return d;
}

/* A change of one kind is all of that kind. */
static void each_kind_is_told_from_the_others(void **state)
{
    (void)state;
    static const struct {
        const char *base[SETS], *set[SETS];
        enum difference_kind kind;
    } cases[] = {
        {{"l2.bank_kb=32", "dram.channels=1"}, {"l2.bank_kb=256"}, DIFFERENCE_TRAFFIC},
        {{"clock.noc_mhz=120"}, {"clock.noc_mhz=1200"}, DIFFERENCE_SERVICE},
        {{"l2.bank_kb=32", "dram.channels=1"}, {"dram.channels=4"}, DIFFERENCE_SERVICE},
        {{"l1.mshr.entries=1"}, {"l1.mshr.entries=32"}, DIFFERENCE_ENTRIES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct difference d = find(cases[i].base, cases[i].set, NULL);
        assert_true(d.known && d.time < 0.8);
        for (uint32_t k = 0; k < DIFFERENCE_N; k++) {
            double share = d.part[k] / (d.time - 1);
            if (fabs(share - (k == cases[i].kind)) > 0.05)
                fail_msg("%s: %s %.3f", cases[i].set[0], difference_name[k], share);
        }
    }
}

static void parts_sum_to_the_whole(void **state)
{
    (void)state;
    static const char *const base[SETS] = {"l1.mshr.entries=4", "l2.bank_kb=64", "dram.channels=1"};
    static const char *const sets[][SETS] = {
        {"l1.mshr.entries=16", "l2.bank_kb=128", "dram.channels=4", "clock.core_mhz=600"},
        {"l2.bank_kb=128", "dram.channels=2"},
        {"l1.kb=64", "l1.mshr.entries=8"}, /* whose profile is another one */
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        double time, sum = 0;
        struct difference d = find(base, sets[i], &time);
        assert_true(d.known);
        for (uint32_t k = 0; k < DIFFERENCE_N; k++)
            sum += d.part[k];
        assert_near(sum, d.time - 1, 1e-9);
        assert_near(d.time, time, 1e-9);
    }
}

static void nothing_is_taken_apart_that_needs_another_profile(void **state)
{
    (void)state;
    static const char *const base[SETS] = {NULL}, *const more[SETS] = {"sm.count=4"},
                             *const none[SETS] = {NULL};
    assert_false(find(base, more, NULL).known);
    struct difference same = find(base, none, NULL);
    assert_true(same.known && same.time == 1);
    for (uint32_t k = 0; k < DIFFERENCE_N; k++)
        assert_near(same.part[k], 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_told_from_the_others),
        cmocka_unit_test(parts_sum_to_the_whole),
        cmocka_unit_test(nothing_is_taken_apart_that_needs_another_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
