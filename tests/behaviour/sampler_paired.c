/* sampler_paired.c - is the difference between two machines told more closely on the same intervals
 * than by samples of their own, and as closely as is said? */
#include "sampler/engine.h"
#include "tests/behaviour/run.h"
#include "tests/unit/folder.h"

enum { SEEDS = 8 };

/* Launches of every size: what one interval takes says little of another. */
static const char *const PROGRAM = "configs/workloads/quick/bfs.plt";
static const char *const SLOWER[] = {"l2.latency=40"};

struct bed {
    struct machine a, b;
    struct program *p;
    struct run_opts o;
};

static struct bed make_bed(const char *const *second, uint32_t n)
{
    struct bed b = {.a = run_machine("rx540", NULL, 0), .b = run_machine("rx540", second, n)};
    struct program_opts wide = {.warp_width = b.a.sm.warp_width};
    struct error error = {0};
    b.p = program_open(PROGRAM, &wide, &error);
    if (!b.p) fail_msg("%s", error.text);
    run_opts_default(&b.o);
    for (uint32_t l = 0; l < program_launches(b.p); l++) /* or it is simulated whole */
        b.o.budget += program_launch(b.p, l)->warp_instructions / 2;
    b.o.no_cache = true;
    b.o.threads = 1;
    return b;
}

static struct answer ask(const struct bed *b, enum engine e, const struct machine *m, uint64_t seed)
{
    struct answer a;
    struct error error = {0};
    struct run_opts o = b->o;
    o.seed = seed;
    if (!engine_run(e, m, b->p, NULL, NULL, &o, &a, &error)) fail_msg("%s", error.text);
    return a;
}

static void ask_pair(const struct bed *b, uint64_t seed, struct answer *first,
                     struct answer *second)
{
    struct error error = {0};
    struct run_opts o = b->o;
    o.seed = seed;
    if (!engine_sample_pair(&b->a, &b->b, b->p, NULL, &o, first, second, &error))
        fail_msg("%s", error.text);
    assert_true(second->paired.known);
    assert_int_equal(first->intervals, second->intervals);
    assert_near(second->m.v[M_cycles] / first->m.v[M_cycles], second->paired.ratio, 1e-9);
}

static double variance(const double *v)
{
    double mean = 0, square = 0;
    for (int i = 0; i < SEEDS; i++)
        mean += v[i] / SEEDS;
    for (int i = 0; i < SEEDS; i++)
        square += (v[i] - mean) * (v[i] - mean) / (SEEDS - 1);
    return square;
}

static void same_machine_does_not_differ(void **state)
{
    (void)state;
    struct bed b = make_bed(NULL, 0);
    struct answer first, second, alone = ask(&b, ENGINE_SAMPLE, &b.a, 3);
    ask_pair(&b, 3, &first, &second);
    assert_true(second.paired.ratio == 1);
    assert_true(second.paired.half_width < 0.5 * second.paired.apart);
    assert_true(first.m.v[M_cycles] == alone.m.v[M_cycles]); /* the first is sampled as ever */
    answer_fini(&first);
    answer_fini(&second);
    answer_fini(&alone);
    program_close(b.p);
}

/* Over seeds: the ratio on the same intervals varies far less than that of two samples, and holds
 * what simulations have. */
static void differences_are_tighter_than_levels(void **state)
{
    (void)state;
    struct bed b = make_bed(SLOWER, 1);
    struct answer x = ask(&b, ENGINE_SIMULATE, &b.a, 1), y = ask(&b, ENGINE_SIMULATE, &b.b, 1);
    double truth = y.m.v[M_cycles] / x.m.v[M_cycles], paired[SEEDS], apart[SEEDS];
    uint32_t held = 0, tighter = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct answer first, second, own = ask(&b, ENGINE_SAMPLE, &b.b, 100 + seed);
        ask_pair(&b, seed, &first, &second);
        paired[seed] = second.paired.ratio;
        apart[seed] = own.m.v[M_cycles] / first.m.v[M_cycles];
        held += fabs(paired[seed] - truth) <= second.paired.half_width;
        tighter += second.paired.half_width < second.paired.apart;
        answer_fini(&first);
        answer_fini(&second);
        answer_fini(&own);
    }
    print_message(
        "ratio %.4f: variance %.2e on the same intervals, %.2e on others; %u of %d held\n", truth,
        variance(paired), variance(apart), held, SEEDS);
    assert_true(truth > 1.05);
    assert_true(variance(paired) < 0.25 * variance(apart));
    assert_true(held >= SEEDS - 2 && tighter >= SEEDS - 2);
    answer_fini(&x);
    answer_fini(&y);
    program_close(b.p);
}

/* Without a budget so small a program is simulated whole, on both. */
static void whole_programs_differ_exactly(void **state)
{
    (void)state;
    struct bed b = make_bed(SLOWER, 1);
    struct answer first, second;
    b.o.budget = 0;
    struct answer x = ask(&b, ENGINE_SIMULATE, &b.a, 1), y = ask(&b, ENGINE_SIMULATE, &b.b, 1);
    ask_pair(&b, 1, &first, &second);
    assert_true(second.paired.ratio == y.m.v[M_cycles] / x.m.v[M_cycles]);
    assert_true(second.paired.half_width == 0);
    answer_fini(&first);
    answer_fini(&second);
    answer_fini(&x);
    answer_fini(&y);
    program_close(b.p);
}

/* Files in the cache directory whose names end like that. */
static uint32_t kept(const char *suffix)
{
    uint32_t n = 0;
    DIR *d = opendir(in_folder("plumb"));
    for (struct dirent *f; d && (f = readdir(d));)
        n += strlen(f->d_name) > strlen(suffix) &&
             strcmp(f->d_name + strlen(f->d_name) - strlen(suffix), suffix) == 0;
    if (d) closedir(d);
    return n;
}

/* A long program's functional pass is kept for both machines, each under its own name. */
static void both_passes_are_kept(void **state)
{
    (void)state;
    static const char *const set[] = {"sm.count=2", "l2.bank_kb=128"};
    struct bed b = {.a = run_machine("rx540", set, 1), .b = run_machine("rx540", set, 2)};
    struct answer first, second, again, apart;
    b.p = run_program("generator = \"stream\"; ctas = 160; warps_per_cta = 8; iterations = 16;"
                      "arithmetic = 64; launches = 2;",
                      b.a.sm.warp_width);
    run_opts_default(&b.o);
    b.o.budget = 200000;
    b.o.threads = 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    ask_pair(&b, 1, &first, &second);
    assert_int_equal(kept(".track"), 2);
    ask_pair(&b, 1, &again, &apart); /* from the files */
    assert_true(first.m.v[M_cycles] == again.m.v[M_cycles]);
    assert_true(second.m.v[M_cycles] == apart.m.v[M_cycles]);
    unsetenv("XDG_CACHE_HOME");
    answer_fini(&first);
    answer_fini(&second);
    answer_fini(&again);
    answer_fini(&apart);
    program_close(b.p);
}

/* A second machine whose intervals cannot be placed is run whole, which a budget forbids. */
static void a_budget_binds_the_second_machine(void **state)
{
    (void)state;
    static const char *const serial[] = {"sm.dispatch=serial"};
    struct bed b = make_bed(serial, 1);
    struct answer first, second;
    struct error error = {0};
    assert_false(engine_sample_pair(&b.a, &b.b, b.p, NULL, &b.o, &first, &second, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.text, "sm.dispatch = serial"));
    answer_fini(&first);
    answer_fini(&second);
    program_close(b.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_machine_does_not_differ),
        cmocka_unit_test(differences_are_tighter_than_levels),
        cmocka_unit_test(whole_programs_differ_exactly),
        cmocka_unit_test(both_passes_are_kept),
        cmocka_unit_test(a_budget_binds_the_second_machine),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
