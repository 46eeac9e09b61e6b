/* same_facts.c - what can be counted is the same in an estimate as in a simulation, without asking
 * for an exact profile: instructions, accesses and what becomes of them in the L1, compulsory
 * reads. */
#include "tests/support/ask.h"

/* The L2 of the second holds what the programs touch: all reads of its memory are compulsory. */
static const char *const MACHINES[] = {"rx540", "qv100"};
static const double OFF[] = {0.06, 1e-9};
static const char *const PROGRAMS[] = {
    "generator = \"stream\"; kernel = \"add\"; ctas = 96; warps_per_cta = 8; iterations = 8;",
    "generator = \"stencil\"; ctas = 64; warps_per_cta = 8; iterations = 8; n = 1024;",
    "generator = \"reduction\"; ctas = 96; warps_per_cta = 8; iterations = 8;",
};

static struct metrics answer_of(enum engine engine, const struct machine *m,
                                const struct program *p)
{
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
    if (engine == ENGINE_ESTIMATE) assert_string_equal(a.profile, "exact");
    struct metrics out = a.m;
    answer_fini(&a);
    return out;
}

static void facts_are_the_same(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct machine m = run_machine(MACHINES[i % 2], NULL, 0);
        struct program *p = run_program(PROGRAMS[i / 2], m.sm.warp_width);
        struct metrics s = answer_of(ENGINE_SIMULATE, &m, p), t = answer_of(ENGINE_ESTIMATE, &m, p);
        assert_true(s.v[M_warp_instructions] > 32768); /* such programs were sampled once */
        assert_near(t.v[M_warp_instructions], s.v[M_warp_instructions], 1e-6);
        assert_near(t.v[M_l1_reads] / s.v[M_l1_reads], 1, 1e-9);
        assert_near(t.v[M_dram_reads] / s.v[M_dram_reads], 1, OFF[i % 2]);
        program_close(p);
    }
}

/* Each access of an L1 hits, joins a fetch, misses or goes round; stores to lines that are there
 * are hits, but for those that a write cache takes. This program stores to what it has loaded. */
static void each_l1_access_is_counted_once(void **state)
{
    (void)state;
    static const struct {
        const char *preset, *set;
    } on[] = {{"rx540", "l1.latency=20"}, {"rx540", "l1.enabled=false"},
              {"rx540", "l1.bypass=all"}, {"rx540", "coherence.protocol=nmoesi"},
              {"qv100", "l1.latency=20"}, {"apu-quickrelease", "l1.latency=20"}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        struct machine m = run_machine(on[i].preset, &on[i].set, 1);
        struct program *p = run_open("configs/workloads/quick/lud.plt", m.sm.warp_width);
        double stored[2];
        for (uint32_t k = 0; k < 2; k++) {
            struct metrics a = answer_of(k ? ENGINE_ESTIMATE : ENGINE_SIMULATE, &m, p);
            double all = a.v[M_l1_hits] + a.v[M_l1_merges] + a.v[M_l1_misses] + a.v[M_l1_bypasses];
            assert_near(all, a.v[M_l1_accesses], 1e-9);
            stored[k] = a.v[M_l1_hits] - a.v[M_l1_read_hits];
        }
        /* under NMOESI a store that needs the block for itself is no hit, which no profile knows */
        if (m.coherence.protocol != PROTOCOL_NMOESI) assert_near(stored[1], stored[0], 32);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(facts_are_the_same),
                                       cmocka_unit_test(each_l1_access_is_counted_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
