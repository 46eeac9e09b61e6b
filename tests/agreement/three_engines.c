/* three_engines.c - three engines, one answer: does each keep the contract, does sampling hold
 * what it says? */
#include "base/memory/alloc.h"
#include "engine/answer_schema.h"
#include "engine/engine.h"
#include "tests/support/json_check.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdlib.h>

static const char *const SMALL[] = {"sm.count=2"};

/* A few hundred instructions per resident warp, lines used again: intervals are worth taking.
 * Registers leave room for few CTAs. */
static const char *const GATHER =
    "generator = \"gather\"; distribution = \"zipf\"; exponent = 0.8; ctas = 40; warps_per_cta = 4;"
    "iterations = 24; footprint = \"256KB\"; registers = 145;";
static const char *const LAUNCHES =
    "generator = \"stream\"; kernel = \"triad\"; ctas = 24; warps_per_cta = 4; iterations = 6;"
    "launches = 24; footprint = \"512KB\"; registers = 84;";

struct bed {
    struct machine m;
    struct program *p;
    struct run_opts o;
};

static struct bed make_bed(const char *program)
{
    struct bed b = {.m = run_machine("rx540", SMALL, 1)};
    b.p = run_program(program, b.m.sm.warp_width);
    run_opts_default(&b.o);
    /* Without a budget programs as small as these are simulated whole. */
    for (uint32_t l = 0; l < program_launches(b.p); l++)
        b.o.budget += program_launch(b.p, l)->warp_instructions / 2;
    b.o.no_cache = true;
    b.o.threads = 1;
    return b;
}

static struct answer ask(const struct bed *b, enum engine e)
{
    struct answer a;
    struct error error = {0};
    if (!engine_run(e, &b->m, b->p, NULL, NULL, &b->o, &a, &error)) fail_msg("%s", error.text);
    return a;
}

static struct error refused(const struct bed *b, enum engine e)
{
    struct answer a;
    struct error error = {0};
    assert_false(engine_run(e, &b->m, b->p, NULL, NULL, &b->o, &a, &error));
    answer_fini(&a);
    return error;
}

static void to_text(const struct answer *a, struct text *t)
{
    struct json j;
    json_init(&j, t);
    answer_json(a, &j);
}

/* Packets of address lines alone are a flit, too: stores that go through and loads that miss.  What
 * all engines count alike is the same; hits differ a little. */
static void engines_count_the_same_flits(void **state)
{
    (void)state;
    static const char *const header[] = {"noc.header_bytes=0", "noc.header_bytes=8"};
    for (uint32_t i = 0; i < 2; i++) {
        struct bed b = make_bed(LAUNCHES);
        struct errors all = {0};
        assert_true(machine_set(&b.m, &header[i], 1, &all));
        struct answer simulated = ask(&b, ENGINE_SIMULATE);
        const double *want = simulated.m.v;
        assert_true(want[M_noc_request_flits] >= want[M_l2_accesses]);
        for (enum engine e = 0; e < ENGINE_N; e++) {
            struct answer a = ask(&b, e);
            assert_near(a.m.v[M_noc_request_flits] / want[M_noc_request_flits], 1, 0.02);
            assert_near(a.m.v[M_noc_reply_flits] / want[M_noc_reply_flits], 1, 0.02);
            answer_fini(&a);
        }
        answer_fini(&simulated);
        program_close(b.p);
    }
}

static void answers_keep_the_contract(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    struct json_reader schema_reader = {0};
    struct text schema_text = {0};
    answer_schema(&schema_text);
    const struct node *schema = json_read(&schema_reader, text_str(&schema_text));
    assert_non_null(schema);
    b.o.per_kernel = true;
    for (enum engine e = 0; e < ENGINE_N; e++) {
        struct answer a = ask(&b, e);
        struct text t = {0};
        struct json_reader r = {0};
        char why[256] = "";
        to_text(&a, &t);
        const struct node *v = json_read(&r, text_str(&t));
        assert_non_null(v);
        if (!schema_valid(schema, schema, v, why, sizeof(why)))
            fail_msg("%s: %s", engine_name[e], why);
        assert_string_equal(node_get(v, "engine")->text, engine_name[e]);
        assert_true(node_get(v, "cycles")->number > 0);
        assert_non_null(node_path(v, "host.peak_rss_mb", '.'));
        arena_fini(&r.arena);
        text_fini(&t);
        answer_fini(&a);
    }
    arena_fini(&schema_reader.arena);
    text_fini(&schema_text);
    program_close(b.p);
}

/* The interval that sampling states, widened by two per cent for what is placed and warmed amiss.
 */
static void near_simulation(const char *program)
{
    struct bed b = make_bed(program);
    struct answer truth = ask(&b, ENGINE_SIMULATE), sample = ask(&b, ENGINE_SAMPLE);
    double cycles = truth.m.v[M_cycles], error = fabs(sample.m.v[M_cycles] / cycles - 1);
    assert_true(sample.has_confidence && sample.intervals >= 4);
    if (error > 1.5 * sample.half_width)
        fail_msg("error %.2f %%, half width %.2f %%", 100 * error, 100 * sample.half_width);
    assert_true(sample.simulated_share <= 0.5);
    assert_non_null(sample.control.name);
    /* accesses may vary more, where they leave less in doubt */
    double most = strstr(sample.control.name, "accesses") ? 2 : 1;
    assert_true(sample.control.variance_ratio <= most);
    assert_true(sample.control.variance_ratio > 0 && sample.control.intervals >= 2);
    assert_true(sample.simulated_instructions > sample.warmup_instructions);
    assert_true(sample.m.v[M_warp_instructions] == truth.m.v[M_warp_instructions]);
    assert_near(sample.m.v[M_lane_operations] / truth.m.v[M_lane_operations], 1, 0.02);
    assert_near(sample.m.v[M_l1_hit_rate], truth.m.v[M_l1_hit_rate],
                sample.half_widths.v[M_l1_hit_rate] + 0.03);
    assert_near(sample.m.v[M_ipc], sample.m.v[M_warp_instructions] / sample.m.v[M_cycles], 1e-9);
    answer_fini(&truth);
    answer_fini(&sample);
    program_close(b.p);
}

static void intervals_are_near_simulation(void **state)
{
    (void)state;
    near_simulation(GATHER);
}

static void whole_launches_are_near_simulation(void **state)
{
    (void)state;
    near_simulation(LAUNCHES);
}

/* JSON without the host object. */
static char *without_host(const struct answer *a)
{
    struct text t = {0};
    to_text(a, &t);
    char *host = strstr(t.s, "\"host\"");
    assert_non_null(host);
    *host = 0;
    return t.s;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    char *text[3];
    b.o.per_kernel = true;
    for (unsigned i = 0; i < 3; i++) {
        b.o.threads = i == 1 ? 2 : 1;
        struct answer a = ask(&b, ENGINE_SAMPLE);
        text[i] = without_host(&a);
        answer_fini(&a);
    }
    assert_string_equal(text[0], text[1]);
    assert_string_equal(text[0], text[2]);
    for (unsigned i = 0; i < 3; i++)
        mem_free(text[i]);
    program_close(b.p);
}

static void seeds_choose_other_intervals(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    struct answer one = ask(&b, ENGINE_SAMPLE);
    b.o.seed = 2;
    struct answer two = ask(&b, ENGINE_SAMPLE);
    assert_true(one.m.v[M_cycles] != two.m.v[M_cycles]);
    assert_near(one.m.v[M_cycles] / two.m.v[M_cycles], 1, one.half_width + two.half_width + 0.02);
    answer_fini(&one);
    answer_fini(&two);
    program_close(b.p);
}

/* Without functional warming every interval starts in empty caches: where lines are used again that
 * must show as too many misses and too many cycles. */
static void cold_caches_are_biased(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    struct answer truth = ask(&b, ENGINE_SIMULATE), warm = ask(&b, ENGINE_SAMPLE);
    b.o.cold = true;
    struct answer cold = ask(&b, ENGINE_SAMPLE);
    double should = truth.m.v[M_l2_hit_rate];
    assert_true(fabs(cold.m.v[M_l2_hit_rate] - should) >
                3 * fabs(warm.m.v[M_l2_hit_rate] - should));
    assert_true(cold.m.v[M_l2_hit_rate] < should - 0.02);
    answer_fini(&truth);
    answer_fini(&warm);
    answer_fini(&cold);
    program_close(b.p);
}

/* Of simulated launches the parts are the whole; of sampled ones nearly. */
static void kernels_add_up(void **state)
{
    (void)state;
    struct bed b = make_bed(LAUNCHES);
    b.o.per_kernel = true;
    for (enum engine e = 0; e < ENGINE_N; e++) {
        struct answer a = ask(&b, e);
        double cycles = 0, instructions = 0;
        assert_int_equal(a.n_kernels, 24);
        for (uint32_t k = 0; k < a.n_kernels; k++) {
            assert_int_equal(a.kernel[k].launch, k);
            cycles += a.kernel[k].m.v[M_cycles];
            instructions += a.kernel[k].m.v[M_warp_instructions];
        }
        assert_near(instructions / a.m.v[M_warp_instructions], 1, 1e-9);
        assert_near(cycles / a.m.v[M_cycles], 1, e == ENGINE_SAMPLE ? 0.05 : 1e-3);
        answer_fini(&a);
    }
    program_close(b.p);
}

static void scope_is_kept(void **state)
{
    (void)state;
    struct bed b = make_bed(LAUNCHES);
    for (enum engine e = 0; e < ENGINE_N; e++) {
        b.o.launch0 = b.o.launches = 0;
        struct answer all = ask(&b, e);
        b.o.launch0 = 4;
        b.o.launches = 16;
        struct answer a = ask(&b, e);
        assert_near(a.m.v[M_warp_instructions], all.m.v[M_warp_instructions] * 16 / 24, 1e-6);
        if (fabs(a.m.v[M_cycles] / all.m.v[M_cycles] - 16.0 / 24) > 0.15)
            fail_msg("%s: %.0f of %.0f cycles", engine_name[e], a.m.v[M_cycles], all.m.v[M_cycles]);
        answer_fini(&a);
        answer_fini(&all);
    }
    program_close(b.p);
}

static void limits_are_kept(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    b.o.max_instructions = 6000;
    b.o.budget = 5999;
    struct answer truth = ask(&b, ENGINE_SIMULATE), sample = ask(&b, ENGINE_SAMPLE);
    assert_near(truth.m.v[M_warp_instructions], 6000, 16);
    assert_true(sample.m.v[M_warp_instructions] == 6000);
    assert_near(sample.m.v[M_cycles] / truth.m.v[M_cycles], 1, sample.half_width + 0.03);
    answer_fini(&truth);
    answer_fini(&sample);
    program_close(b.p);
}

/* A budget that is too small for the error asked for is kept, and said so. */
static void budget_is_kept(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    struct answer full = ask(&b, ENGINE_SAMPLE);
    b.o.error = 1e-4;
    b.o.budget = (uint64_t)(0.4 * full.m.v[M_warp_instructions]);
    struct answer a = ask(&b, ENGINE_SAMPLE);
    assert_true(a.simulated_instructions <= b.o.budget);
    assert_true(a.simulated_instructions > b.o.budget / 2);
    bool said = false;
    for (uint32_t i = 0; i < a.n_warnings; i++)
        said |= strstr(a.warnings[i], "budget") != NULL;
    assert_true(said);
    answer_fini(&full);
    answer_fini(&a);
    program_close(b.p);
}

static void tiny_programs_are_simulated_whole(void **state)
{
    (void)state;
    struct bed b = make_bed("generator = \"stream\"; ctas = 4; warps_per_cta = 2; iterations = 2;");
    b.o.budget = 0;
    struct answer truth = ask(&b, ENGINE_SIMULATE), sample = ask(&b, ENGINE_SAMPLE);
    assert_true(sample.m.v[M_cycles] == truth.m.v[M_cycles]);
    assert_true(sample.half_width == 0 && sample.simulated_share == 1);
    assert_contains(sample.warnings[0], "a sample would cost");
    answer_fini(&truth);
    answer_fini(&sample);
    program_close(b.p);
}

/* Too little for two units of a kind: nothing is run, and what would do is said. */
static void budget_that_cannot_answer_is_refused(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    b.o.budget = 1;
    struct error e = refused(&b, ENGINE_SAMPLE);
    assert_int_equal(e.kind, ERROR_INPUT);
    const char *needs = strstr(e.text, "at least ");
    assert_non_null(needs);
    b.o.budget = strtoull(needs + strlen("at least "), NULL, 10);
    struct answer a = ask(&b, ENGINE_SAMPLE);
    assert_true(a.simulated_instructions <= b.o.budget + b.o.budget / 50);
    answer_fini(&a);
    program_close(b.p);
}

/* Every engine says the same of it, before any work. */
static void ctas_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct bed b = make_bed("generator = \"stream\"; warps_per_cta = 8; registers = 255;");
    for (enum engine e = 0; e < ENGINE_N; e++) {
        struct error why = refused(&b, e);
        assert_int_equal(why.kind, ERROR_INPUT);
        assert_contains(why.text, "a CTA of launch 0 (");
        assert_contains(why.text, "(255 a lane) exceed sm.registers");
    }
    program_close(b.p);
}

/* Warps that drift apart, which placing cannot know: short warm-ups leave 12 % here, and the half
 * width says so. */
static void slow_warmup_widens_the_interval(void **state)
{
    (void)state;
    struct bed b = make_bed("generator = \"stream\"; kernel = \"triad\"; ctas = 80;"
                            "warps_per_cta = 8; iterations = 16; unroll = 2;");
    struct answer truth = ask(&b, ENGINE_SIMULATE), sample = ask(&b, ENGINE_SAMPLE);
    double error = fabs(sample.m.v[M_cycles] / truth.m.v[M_cycles] - 1);
    if (error > sample.half_width)
        fail_msg("error %.2f %%, half width %.2f %%", 100 * error, 100 * sample.half_width);
    assert_true(sample.simulated_instructions <= b.o.budget);
    answer_fini(&truth);
    answer_fini(&sample);
    program_close(b.p);
}

static void wrong_scopes_are_refused(void **state)
{
    (void)state;
    struct bed b = make_bed(LAUNCHES);
    b.o.launch0 = 20;
    b.o.launches = 5;
    struct error e = refused(&b, ENGINE_ESTIMATE);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "no kernel launches 20-24; allowed: 0-23");
    b.o.launches = 0;
    b.o.launch0 = 0;
    b.o.kernel_name = "nobody";
    e = refused(&b, ENGINE_SIMULATE);
    assert_contains(e.text, "no kernel is called 'nobody'");
    program_close(b.p);
}

static void interrupts_stop(void **state)
{
    (void)state;
    struct bed b = make_bed(GATHER);
    plumb_interrupted = true;
    struct error simulate = refused(&b, ENGINE_SIMULATE), sample = refused(&b, ENGINE_SAMPLE);
    plumb_interrupted = false;
    assert_int_equal(simulate.kind, ERROR_INTERRUPTED);
    assert_int_equal(sample.kind, ERROR_INTERRUPTED);
    program_close(b.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_keep_the_contract),
        cmocka_unit_test(engines_count_the_same_flits),
        cmocka_unit_test(intervals_are_near_simulation),
        cmocka_unit_test(whole_launches_are_near_simulation),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(seeds_choose_other_intervals),
        cmocka_unit_test(cold_caches_are_biased),
        cmocka_unit_test(kernels_add_up),
        cmocka_unit_test(scope_is_kept),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(budget_is_kept),
        cmocka_unit_test(budget_that_cannot_answer_is_refused),
        cmocka_unit_test(ctas_that_do_not_fit_are_refused),
        cmocka_unit_test(slow_warmup_widens_the_interval),
        cmocka_unit_test(tiny_programs_are_simulated_whole),
        cmocka_unit_test(wrong_scopes_are_refused),
        cmocka_unit_test(interrupts_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
