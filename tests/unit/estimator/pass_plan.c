/* pass_plan.c - how much of a program a profile looks at: foretold from a few warps, against counts
 * of all of them; the same for one estimate, ten times as much for a sweep. */
#include "estimator/pass/pass_plan.h"
#include "tests/support/estimator_support.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "estimator/profile/profile_data.h"

#include <math.h>

static const char *const PROGRAMS[] = {
    "generator = \"stream\"; kernel = \"triad\"; ctas = 64; warps_per_cta = 8; iterations = 8;",
    "generator = \"gather\"; ctas = 60; warps_per_cta = 4; iterations = 8; footprint = \"1MB\";",
    "generator = \"stencil\"; ctas = 64; warps_per_cta = 8; iterations = 4; n = 512;",
    "generator = \"transpose\"; kernel = \"naive\"; ctas = 64; warps_per_cta = 8; n = 512;",
    "generator = \"handoff\"; ctas = 40; warps_per_cta = 4; iterations = 16;",
};
enum { N_PROGRAMS = sizeof PROGRAMS / sizeof *PROGRAMS };

static void transactions_are_foretold(void **state)
{
    (void)state;
    static const char *const machines[] = {"rx540", "qv100"};
    for (uint32_t i = 0; i < 2 * N_PROGRAMS; i++) {
        struct bed b;
        bed_init(&b, machines[i % 2], PROGRAMS[i / 2]);
        double instructions = (double)pass_instructions(b.p),
               counted = instructions / TRANSACTION_PART + (double)profile_accesses(b.f),
               foretold = pass_foretold_cost(b.p, &b.f->view);
        if (fabs(foretold / counted - 1) > 0.15)
            fail_msg("%s on %s: %g foretold, %g counted", PROGRAMS[i / 2], machines[i % 2],
                     foretold, counted);
        bed_fini(&b);
    }
}

static enum profile_detail detail_of(const char *program, double times)
{
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    bed_program(&b, program);
    struct profile_view v = est_view_of(&b.m);
    enum profile_detail d = profile_detail_for(b.p, &v, times);
    assert_int_equal(d, profile_detail_for(b.p, &v, times));
    program_close(b.p);
    return d;
}

/* Some 50 thousand, 5 million and 50 million transactions. */
static void small_programs_have_exact_profiles(void **state)
{
    (void)state;
#define STREAM(ctas)                                                                               \
    "generator = \"stream\"; kernel = \"copy\"; warps_per_cta = 8; iterations = 64; ctas = " #ctas \
    ";"
    assert_int_equal(detail_of(STREAM(16), PROFILE_TIMES_ONE), PROFILE_EXACT);
    assert_int_equal(detail_of(STREAM(1500), PROFILE_TIMES_ONE), PROFILE_SAMPLED);
    assert_int_equal(detail_of(STREAM(1500), PROFILE_TIMES_SWEEP), PROFILE_EXACT);
    assert_int_equal(detail_of(STREAM(15000), PROFILE_TIMES_SWEEP), PROFILE_SAMPLED);
    assert_int_equal(detail_of(STREAM(15000), INFINITY), PROFILE_EXACT);
}

/* Both kinds of profile are kept, each under its own name. */
static void the_detail_is_part_of_the_key(void **state)
{
    (void)state;
    struct bed b;
    bed_init(&b, "rx540", PROGRAMS[0]);
    char *exact = profile_cache_path(b.p, &b.f->view, PROFILE_EXACT),
         *sampled = profile_cache_path(b.p, &b.f->view, PROFILE_SAMPLED);
    assert_string_not_equal(exact, sampled);
    mem_free(exact);
    mem_free(sampled);
    bed_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transactions_are_foretold),
        cmocka_unit_test(small_programs_have_exact_profiles),
        cmocka_unit_test(the_detail_is_part_of_the_key),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
