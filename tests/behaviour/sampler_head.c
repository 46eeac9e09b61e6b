/* sampler_head.c - of long programs only the first waves are profiled before they are sampled. */
#include "geometry/occupancy.h"
#include "sampler/head.h"
#include "sampler/sampling.h"
#include "tests/behaviour/run.h"

static void short_programs_are_profiled_whole(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *h = NULL;
    struct program *p =
        run_program("generator = \"stencil\"; ctas = 1000; warps_per_cta = 8;", m.sm.warp_width);
    assert_true(head_instructions(p) < HEAD_LONG && head_open(&m, p, &h, &e));
    assert_null(h);
    program_close(p);
}

static void long_programs_by_their_first_waves(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *h = NULL;
    struct program *p = run_program(
        "generator = \"stencil\"; ctas = 20000; warps_per_cta = 8; launches = 2;", m.sm.warp_width);
    assert_true(head_instructions(p) >= HEAD_LONG && head_open(&m, p, &h, &e));
    assert_non_null(h);
    for (uint32_t l = 0; l < 2; l++) {
        uint64_t wave = (uint64_t)occupancy(&m.sm, &m.l1, program_launch(p, l)).ctas * m.sm.count;
        assert_int_equal(program_launch(h, l)->ctas, HEAD_WAVES * wave);
        assert_int_equal(program_launch(p, l)->ctas, 20000);
    }
    assert_true(head_instructions(h) < head_instructions(p) / 20);
    program_close(h);
    program_close(p);
}

/* Length of the run, with at most so many instructions of the program (0: all). */
static bool is_long(const struct machine *m, const struct program *p, uint64_t most)
{
    struct error e = {0};
    struct run_opts o;
    struct program *h = NULL;
    struct correction none = correction_none();
    struct profile_view view = profile_view_of(&m->sm, &m->l1, &m->l2, &m->coherence);
    run_opts_default(&o);
    o.max_instructions = most;
    o.no_cache = true;
    assert_true(head_open(m, p, &h, &e));
    struct profile *profile = profile_get(h, &view, 1, false, &e);
    struct sampling s = {.m = m, .p = p, .o = &o};
    assert_non_null(profile);
    assert_true(sampling_start(&s, profile, &none, &e));
    bool found = s.is_long;
    sampling_fini(&s);
    profile_free(profile);
    program_close(h);
    return found;
}

/* Few and short intervals are for long runs: a short part of a long program is none. */
static void a_part_is_judged_by_its_own_length(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(
        "generator = \"stencil\"; ctas = 20000; warps_per_cta = 8; launches = 2;", m.sm.warp_width);
    assert_true(is_long(&m, p, 0));
    assert_true(is_long(&m, p, HEAD_LONG));
    assert_false(is_long(&m, p, HEAD_LONG / 10));
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_programs_are_profiled_whole),
        cmocka_unit_test(long_programs_by_their_first_waves),
        cmocka_unit_test(a_part_is_judged_by_its_own_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
