/* same_accesses.c - are the accesses that are counted in the trace those that come to the cycle
 * model's L1s, and do they bring intervals to the work of the program? */
#include "sampler/statistics/access_count.h"

#include "engine/engine.h"
#include "sampler/constants.h"
#include "sampler/strata/long_program.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdatomic.h>

enum { LAUNCHES = 64 };

static struct access_counts count(const struct machine *m, const struct program *p, uint64_t read,
                                  unsigned threads)
{
    struct access_counts out = {0};
    struct error e = {0};
    bool all[LAUNCHES];
    for (uint32_t l = 0; l < LAUNCHES; l++)
        all[l] = true;
    assert_true(program_launches(p) <= LAUNCHES);
    if (!access_count_run(m, p, all, read, threads, NULL, NULL, &out, &e)) fail_msg("%s", e.text);
    return out;
}

/* Every known way in which lanes join, or go elsewhere. */
static void counted_is_simulated(void **state)
{
    (void)state;
    static const char *const programs[] = {"configs/workloads/quick/bfs.plt",
                                           "configs/workloads/quick/kmeans.plt"};
    static const struct {
        const char *preset, *set;
    } on[] = {{"rx540", "l1.latency=20"},
              {"rx540", "sm.coalesce_loads=false"},
              {"rx540", "l1.enabled=false"},
              {"rx540", "l1.merge_loads=true"},
              {"rx540", "l1.write=back"},
              {"rx540", "l1.bypass=all"},
              {"rx540", "coherence.protocol=nmoesi"},
              {"titanv", "l1.latency=20"},
              {"qv100", "l1.latency=20"}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
            struct machine m = run_machine(on[i].preset, &on[i].set, 1);
            struct program *p = run_open(programs[k], m.sm.warp_width);
            struct access_counts c = count(&m, p, ACCESS_COUNT_READ, 1);
            assert_true(c.variance == 0);
            struct metrics s = run_whole(&m, p);
            double seen = s.v[M_l1_accesses] + s.v[M_l1_joined];
            if (seen != c.total)
                fail_msg("%s %s %s: %.0f simulated, %.0f counted", on[i].preset, on[i].set,
                         programs[k], seen, c.total);
        }
}

/* A part of the CTAs says as much as it says it does, with any number of threads. */
static void part_is_near(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program("generator = \"gather\"; distribution = \"zipf\"; ctas = 1000; "
                                    "warps_per_cta = 1; iterations = 4; footprint = \"4MB\";",
                                    m.sm.warp_width);
    struct access_counts all = count(&m, p, ACCESS_COUNT_READ, 1);
    static const uint64_t read[] = {16000, 8000, 4000};
    uint64_t n = long_program_instructions(p);
    assert_true(count(&m, p, n, 1).total == all.total && count(&m, p, n, 1).variance == 0);
    assert_true(count(&m, p, n - 1, 1).variance > 0);
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        struct access_counts part = count(&m, p, read[i], 1), twice = count(&m, p, read[i], 2);
        assert_true(part.total == twice.total && part.variance == twice.variance);
        assert_true(part.variance > 0 && part.total != all.total);
        print_message("%.4f of the accesses, standard error %.4f\n", part.total / all.total,
                      sqrt(part.variance) / all.total);
        assert_true(fabs(part.total - all.total) <= 3 * sqrt(part.variance));
    }
    program_close(p);
}

struct beside {
    atomic_uint runs;
    bool succeeds;
};

static bool run_beside(void *ctx)
{
    struct beside *b = ctx;
    atomic_fetch_add(&b->runs, 1);
    return b->succeeds;
}

/* What runs beside the count runs once, on any number of threads, and its failure is the count's.
 */
static void something_runs_beside(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p =
        run_program("generator = \"stencil\"; ctas = 300; warps_per_cta = 2;", m.sm.warp_width);
    const bool all[] = {true};
    struct access_counts alone = count(&m, p, ACCESS_COUNT_READ, 1);
    for (unsigned threads = 1; threads <= 3; threads++)
        for (int succeeds = 0; succeeds < 2; succeeds++) {
            struct beside b = {.succeeds = succeeds};
            struct access_counts out = {0};
            struct error e = {0};
            assert_int_equal(
                access_count_run(&m, p, all, ACCESS_COUNT_READ, threads, run_beside, &b, &out, &e),
                succeeds);
            assert_int_equal(b.runs, 1);
            assert_int_equal(e.kind, ERROR_NONE);
            if (succeeds) assert_true(out.total == alone.total);
        }
    program_close(p);
}

/* A reduction's warps begin each interval together and come to their loads together, so windows
 * have more or fewer of them than the program: off by 3.8 to 7.1 % (seeds 1 to 4) without. */
static void intervals_do_the_work(void **state)
{
    (void)state;
    enum { SEEDS = 3 };
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program *p = run_program("generator = \"reduction\"; ctas = 1000; warps_per_cta = 8; "
                                    "iterations = 8; unroll = 1;",
                                    m.sm.warp_width);
    struct run_opts o;
    struct answer truth, a;
    int by_accesses = 0;
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!engine_run(ENGINE_SIMULATE, &m, p, NULL, NULL, &o, &truth, &e)) fail_msg("%s", e.text);
    o.budget = (uint64_t)truth.m.v[M_warp_instructions] / 2;
    for (o.seed = 1; o.seed <= SEEDS; o.seed++) {
        if (!engine_run(ENGINE_SAMPLE, &m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
        double off = a.m.v[M_cycles] / truth.m.v[M_cycles] - 1;
        print_message("seed %d: off by %+.2f %%, half width %.2f %%, control %s\n", (int)o.seed,
                      100 * off, 100 * a.half_width, a.control.name);
        by_accesses += strstr(a.control.name, "accesses") != NULL;
        assert_true(a.control.variance_ratio < 0.6);
        assert_true(fabs(off) < 0.02);
        answer_fini(&a);
    }
    assert_true(2 * by_accesses > SEEDS);
    answer_fini(&truth);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_is_simulated), cmocka_unit_test(part_is_near),
        cmocka_unit_test(something_runs_beside), cmocka_unit_test(intervals_do_the_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
