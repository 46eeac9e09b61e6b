/* follows_placement.c - where pages lie: the estimate is nearer to what the cycle model says of a
 * placement than it would be without the term (follows.h), and the L2's hits, the share of local
 * accesses and the energy of two memories are those of the cycle model. With a crossbar, as a
 * mesh's throughput is known less well than what is asked for here; without TLBs, and with sets of
 * the L2 that follow from the frames. */
#include "tests/support/follows.h"
#include "tests/support/knobs.h"

#define ONE_CTA                                                              \
    "generator = \"gather\"; ctas = 1; warps_per_cta = 32; iterations = 16;" \
    "footprint = \"32MB\"; distribution = \"uniform\";"
#define STREAM                                                               \
    "generator = \"stream\"; ctas = 96; warps_per_cta = 8; iterations = 16;" \
    "unroll = 2; footprint = \"12MB\";"
#define SCATTER                                                             \
    "generator = \"gather\"; ctas = 96; warps_per_cta = 4; iterations = 8;" \
    "footprint = \"32MB\"; distribution = \"uniform\";"
/* As large as the L2: whether all of it fits depends on the frames. */
#define RESIDENT                                                             \
    "generator = \"gather\"; ctas = 96; warps_per_cta = 4; iterations = 24;" \
    "footprint = \"960KB\"; distribution = \"uniform\";"

struct placed { /* from gem5gpu-temp to another machine */
    const char *program, *to, *set;
};
static const struct placed PLACED[] = {
    {ONE_CTA, "gem5gpu-temp-temp", NULL},
    {STREAM, "gem5gpu-temp", "pages.placement=interleaved"},
    {STREAM, "gem5gpu-temp-bw", NULL},
    {SCATTER, "gem5gpu-temp", "pages.placement=interleaved"},
    {SCATTER, "gem5gpu-temp-bw", NULL},
    {RESIDENT, "gem5gpu-temp-temp", NULL},
    {RESIDENT, "gem5gpu-temp", "pages.placement=interleaved"},
    {RESIDENT, "gem5gpu-temp-bw", NULL},
};

static struct metrics ask_engine(const struct machine *m, const char *text, enum engine engine)
{
    struct bench b = {.p = run_program(text, m->sm.warp_width)};
    struct answer a = {0};
    struct error e = {0};
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    if (engine == ENGINE_ESTIMATE && !bench_profile(&b, m, &e)) fail_msg("%s", e.text);
    if (!engine_run(engine, m, b.p, NULL, b.profile, &o, &a, &e)) fail_msg("%s", e.text);
    struct metrics out = a.m;
    answer_fini(&a);
    bench_fini(&b);
    return out;
}

static struct machine machine_of(const char *preset, const char *set)
{
    const char *const sets[] = {"noc.topology=crossbar", "tlb.l1_entries=0", "l2.index=modulo",
                                "noc.flit_bytes=32", set};
    return run_machine(preset, sets, set ? 5 : 4);
}

/* What counts as a move: as in the table of signs (docs/notebook/validation.md). */
static const double FELT = 0.03;

static bool compare(const struct placed *p)
{
    const struct machine m[2] = {machine_of("gem5gpu-temp", NULL), machine_of(p->to, p->set)};
    struct metrics sim[2], est[2];
    for (uint32_t i = 0; i < 2; i++) {
        sim[i] = ask_engine(&m[i], p->program, ENGINE_SIMULATE);
        est[i] = ask_engine(&m[i], p->program, ENGINE_ESTIMATE);
        assert_near(run_value(&est[i], "l2.hit_rate"), run_value(&sim[i], "l2.hit_rate"), 0.05);
        assert_near(run_value(&est[i], "dram.local_ratio"), run_value(&sim[i], "dram.local_ratio"),
                    0.1);
    }
    double simulated = run_value(&sim[1], "cycles") / run_value(&sim[0], "cycles"),
           estimated = run_value(&est[1], "cycles") / run_value(&est[0], "cycles");
    printf("%s %s: simulated %+.1f %%, estimated %+.1f %%\n", p->to, p->set ? p->set : "",
           100 * (simulated - 1), 100 * (estimated - 1));
    if (fabs(simulated - 1) < FELT) return fabs(estimated - 1) < FELT;
    return follows(simulated, estimated);
}

static void estimates_follow_placements(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (size_t i = 0; i < sizeof PLACED / sizeof *PLACED; i++)
        wrong += !compare(&PLACED[i]);
    assert_int_equal(wrong, 0);
}

/* Over the cycle model's time; what is open when is a model of its own. */
static void the_energy_of_two_memories_is_that_of_the_cycle_model(void **state)
{
    (void)state;
    static const char *const presets[] = {"gem5gpu-temp", "gem5gpu-temp-bw"};
    for (uint32_t i = 0; i < 2; i++) {
        const struct machine m = machine_of(presets[i], NULL);
        struct metrics sim = ask_engine(&m, STREAM, ENGINE_SIMULATE),
                       est = ask_engine(&m, STREAM, ENGINE_ESTIMATE);
        double longer = run_value(&est, "cycles") / run_value(&sim, "cycles");
        assert_near(run_value(&est, "dram.energy_mj.background") /
                        run_value(&sim, "dram.energy_mj.background"),
                    longer, 0.05);
        assert_near(run_value(&est, "dram.energy_mj.refresh") /
                        run_value(&sim, "dram.energy_mj.refresh"),
                    longer, 0.05);
        assert_near(run_value(&est, "dram.energy_mj.read") / run_value(&sim, "dram.energy_mj.read"),
                    1, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_follow_placements),
        cmocka_unit_test(the_energy_of_two_memories_is_that_of_the_cycle_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
