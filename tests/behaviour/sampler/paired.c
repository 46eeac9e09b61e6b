/* paired.c - is the difference between two machines told more closely on the same intervals
 * than by samples of their own, and as closely as is said? */
#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef SEEDS
enum { SEEDS = 5 }; /* paired_long.c takes more */
#endif

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
    if (!engine_sample_pair(&b->a, &b->b, b->p, &o, first, second, &error))
        fail_msg("%s", error.text);
    assert_true(second->paired.known);
    assert_int_equal(first->intervals, second->intervals);
    assert_true(second->seconds > 0 && second->seconds < 0.95 * first->seconds); /* its own */
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
    assert_true(variance(paired) < 0.5 * variance(apart));
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

static const char *const STREAM =
    "generator = \"stream\"; ctas = 160; warps_per_cta = 8; iterations = 16; arithmetic = 64;"
    "launches = 2;";

/* A long program's functional pass is kept for both machines, each under its own name. */
static void both_passes_are_kept(void **state)
{
    (void)state;
    static const char *const set[] = {"sm.count=2", "l2.bank_kb=128"};
    struct bed b = {.a = run_machine("rx540", set, 1), .b = run_machine("rx540", set, 2)};
    struct answer first, second, again, apart;
    b.p = run_program(STREAM, b.a.sm.warp_width);
    run_opts_default(&b.o);
    b.o.budget = 200000;
    b.o.threads = 1;
    setenv("XDG_CACHE_HOME", folder_path, 1);
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

enum { CROWD = 5 };
struct crowd {
    double cycles[CROWD], ratio[CROWD], half_width[CROWD];
    struct error failed[CROWD];
    uint32_t told;
    unsigned fail_after; /* once the second is told; 0: never */
    pthread_mutex_t lock;
};

static bool note(uint32_t i, struct answer *a, const struct error *failed, void *ctx)
{
    struct crowd *c = ctx;
    pthread_mutex_lock(&c->lock);
    c->told++;
    if (failed)
        c->failed[i] = *failed;
    else
        c->cycles[i] = a->m.v[M_cycles];
    c->ratio[i] = a->paired.ratio;
    c->half_width[i] = a->paired.half_width;
    if (i == 1 && c->fail_after) shim_fail_after(SHIM_ALLOC, c->fail_after);
    pthread_mutex_unlock(&c->lock);
    return true;
}

static struct crowd ask_all(const struct bed *b, const struct machine *const *m, unsigned threads)
{
    struct crowd c = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct run_opts o = b->o;
    struct answer first;
    struct error error = {0};
    o.threads = threads;
    if (!engine_sample_all(m, CROWD, b->p, &o, &first, note, &c, &error))
        fail_msg("%s", error.text);
    c.cycles[0] = first.m.v[M_cycles];
    answer_fini(&first);
    return c;
}

/* The same with less to do between accesses. */
static const char *const SHORT_STREAM =
    "generator = \"stream\"; ctas = 160; warps_per_cta = 8; iterations = 4; arithmetic = 16;"
    "launches = 2;";

static void use_stream(struct bed *b, const struct machine *m)
{
    program_close(b->p);
    b->a = *m;
    b->p = run_program(SHORT_STREAM, m->sm.warp_width);
    b->o.budget = 28000;
}

/* Of five machines two share the first's pass, one has its own, and on one the program does not
 * fit: each is told what it would be told alone with the first, on any number of threads. */
static void a_crowd_is_told_what_pairs_are(void **state)
{
    (void)state;
    static const char *const set[CROWD] = {NULL, "l2.latency=40", "sm.max_warps=4",
                                           "l2.bank_kb=128", "l2.mshr.entries=8"};
    static const char *const few[] = {"sm.count=2"};
    struct bed b = make_bed(NULL, 0);
    struct machine m[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        const char *both[] = {few[0], set[i]};
        m[i] = run_machine("rx540", both, i ? 2 : 1);
    }
    use_stream(&b, &m[0]);
    const struct machine *all[CROWD];
    for (uint32_t i = 0; i < CROWD; i++)
        all[i] = &m[i];
    struct crowd one = ask_all(&b, all, 1), three = ask_all(&b, all, 3);
    assert_int_equal(one.told, CROWD - 1);
    assert_int_equal(three.told, CROWD - 1);
    for (uint32_t i = 0; i < CROWD; i++) {
        struct answer first, second;
        assert_true(one.cycles[i] == three.cycles[i]);
        assert_true(one.half_width[i] == three.half_width[i]);
        assert_int_equal(one.failed[i].kind, i == 2 ? ERROR_INPUT : ERROR_NONE);
        assert_int_equal(three.failed[i].kind, one.failed[i].kind);
        if (i == 0 || i == 2) continue;
        b.b = m[i];
        ask_pair(&b, b.o.seed, &first, &second);
        assert_true(first.m.v[M_cycles] == one.cycles[0]);
        assert_true(second.m.v[M_cycles] == one.cycles[i]);
        assert_true(second.paired.ratio == one.ratio[i]);
        assert_true(second.paired.half_width == one.half_width[i]);
        assert_true(second.paired.ratio != 1);
        answer_fini(&first);
        answer_fini(&second);
    }
    program_close(b.p);
}

/* Machines 2, 3 and 4 share a pass; memory fails them so many allocations after machine 1. */
static struct crowd ask_short_of_memory(const struct bed *b, unsigned after)
{
    static const char *const set[CROWD][2] = {{"sm.count=2", "l2.mshr.entries=96"},
                                              {"sm.count=2", "l2.mshr.entries=8"},
                                              {"l2.latency=40", "l2.mshr.entries=96"},
                                              {"l2.latency=40", "l2.mshr.entries=8"},
                                              {"l2.latency=40", "l2.mshr.entries=9"}};
    struct crowd c = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_after = after};
    struct machine m[CROWD];
    const struct machine *all[CROWD];
    struct answer first;
    struct error e = {0};
    for (uint32_t i = 0; i < CROWD; i++) {
        const char *const some[] = {"sm.count=2", set[i][0], set[i][1]};
        m[i] = run_machine("rx540", some, 3);
        all[i] = &m[i];
    }
    assert_true(engine_sample_all(all, CROWD, b->p, &b->o, &first, note, &c, &e));
    shim_fail_after(SHIM_ALLOC, 0);
    assert_int_equal(c.told, CROWD - 1);
    answer_fini(&first);
    return c;
}

/* A pass that cannot be had fails all who share it.  Where the first of them fails after that, and
 * before its first interval, the others do not wait for it to walk. */
static void none_waits_for_what_has_failed(void **state)
{
    (void)state;
    static const char *const few[] = {"sm.count=2"};
    struct bed b = make_bed(NULL, 0);
    struct machine two = run_machine("rx540", few, 1);
    use_stream(&b, &two);
    unsigned low = 0, high = 1 << 11; /* the last that fails all, the first that does not */
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        struct crowd c = ask_short_of_memory(&b, middle);
        assert_int_equal(c.failed[2].kind, ERROR_RUN);
        assert_int_equal(c.failed[3].kind, c.failed[4].kind);
        if (c.failed[3].kind == ERROR_NONE)
            high = middle;
        else
            low = middle;
    }
    assert_true(low > 0 && high < 1 << 11);
    program_close(b.p);
}

/* Who may share: warps as wide, not many more at once, and the program fits. */
static void unlike_machines_do_not_share(void **state)
{
    (void)state;
    static const char *const few[] = {"sm.count=2"};
    static const char *const turn[] = {"sm.count=8", "sm.count=1", "sm.max_warps=4", "l1.kb=32"};
    static const bool shares[] = {false, true, false, true};
    struct bed b = make_bed(NULL, 0);
    struct machine two = run_machine("rx540", few, 1);
    use_stream(&b, &two);
    assert_true(engine_shares(&b.a, &b.a, b.p));
    for (int i = 0; i < 4; i++) {
        const char *set[] = {few[0], turn[i]};
        struct machine m = run_machine("rx540", set, 2);
        assert_int_equal(engine_shares(&b.a, &m, b.p), shares[i]);
    }
    struct machine narrow = run_machine("qv100", NULL, 0);
    assert_false(engine_shares(&b.a, &narrow, b.p));
    assert_true(engine_may_sample(&b.a, b.p, &b.o));
    b.o.budget = 0;
    assert_false(engine_may_sample(&b.a, b.p, &b.o));
    program_close(b.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_machine_does_not_differ),
        cmocka_unit_test(differences_are_tighter_than_levels),
        cmocka_unit_test(whole_programs_differ_exactly),
        cmocka_unit_test(both_passes_are_kept),
        cmocka_unit_test(a_crowd_is_told_what_pairs_are),
        cmocka_unit_test(none_waits_for_what_has_failed),
        cmocka_unit_test(unlike_machines_do_not_share),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
