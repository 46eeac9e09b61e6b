/* follows_networks.c - do estimates follow the cycle model from one network, port or bank to the
 * next? */
#include "tests/support/ask.h"
#include "tests/support/follows.h"

#define GATHER                                                                                   \
    "generator = \"gather\"; ctas = 64; warps_per_cta = 8; iterations = 4; footprint = \"1MB\";" \
    "unroll = 2;"
#define STRIDE "generator = \"stride\"; stride = 1; ctas = 64; warps_per_cta = 8; iterations = 6;"
#define STORES                                                                                \
    "generator = \"partial\"; kernel = \"once\"; stride = 16; ctas = 48; warps_per_cta = 4; " \
    "iterations = 8; footprint = \"256KB\";"

static double cycles_of(enum engine engine, const struct machine *m, const char *program)
{
    struct metrics a = ask_of(engine, m, program);
    return run_value(&a, "cycles") - m->sm.launch_cycles;
}

/* On the bare crossbar neither links nor ports bind the strides: L2 MSHRs do, for as long as a
 * fetch lasts, and that is estimated at 356 cycles instead of 130: a known gap, its cause not
 * proven. Three banks: a stride of whole lines would keep to one of four, which estimates do not
 * see. */
static const char *const CASES[][2] = {
    {"noc.topology=crossbar", NULL},
    {"noc.sms_per_port=2", NULL},
    {"noc.sms_per_port=8", NULL},
    {"noc.topology=mesh", NULL},
    {"noc.topology=mesh", "noc.flit_bytes=16"},
    {"l2.data_banks=1", "l2.bank_cycles=4"},
    {"l2.data_banks=3", "l2.bank_cycles=8"},
};
enum { N = sizeof CASES / sizeof CASES[0] };

/* A clear difference: an estimate that follows it keeps its direction (follows.h). */
static const double CLEAR = 1.5;

static void estimates_follow(const char *program)
{
    double sim[N], est[N];
    for (uint32_t i = 0; i < N; i++) {
        const char *sets[] = {"sm.count=16", "l2.banks=16", "dram.channels=16", CASES[i][0],
                              CASES[i][1]};
        struct machine m = run_machine("qv100", sets, CASES[i][1] ? 5 : 4);
        sim[i] = cycles_of(ENGINE_SIMULATE, &m, program);
        est[i] = cycles_of(ENGINE_ESTIMATE, &m, program);
        print_message("%-24s %-18s simulated %8.0f estimated %8.0f: %.2f\n", CASES[i][0],
                      CASES[i][1] ? CASES[i][1] : "", sim[i], est[i], est[i] / sim[i]);
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < i; k++)
            if (sim[i] > CLEAR * sim[k] || sim[k] > CLEAR * sim[i])
                assert_true(follows(sim[i] / sim[k], est[i] / est[k]));
}

static void gathers(void **state)
{
    (void)state;
    estimates_follow(GATHER);
}

static void strides(void **state)
{
    (void)state;
    estimates_follow(STRIDE);
}

/* Partial stores of SMs that go through the slices in step, each at another one, never meet; with
 * queues of CTAs per SM they do.  What is seen without meetings does not depend on the network's
 * clock. */
static void steps_through_the_slices(void **state)
{
    (void)state;
    static const char *const turn[] = {"sm.dispatch=interleaved", "sm.dispatch=serial",
                                       "clock.noc_mhz=2264"};
    double sim[3], est[3];
    for (uint32_t i = 0; i < 3; i++) {
        const char *sets[] = {"sm.count=8", "l2.banks=8", "dram.channels=4", turn[i]};
        struct machine m = run_machine("qv100", sets, 4);
        sim[i] = cycles_of(ENGINE_SIMULATE, &m, STORES);
        est[i] = cycles_of(ENGINE_ESTIMATE, &m, STORES);
        print_message("%-24s simulated %8.0f estimated %8.0f: %.2f\n", turn[i], sim[i], est[i],
                      est[i] / sim[i]);
    }
    assert_true(sim[1] > CLEAR * sim[0] && follows(sim[1] / sim[0], est[1] / est[0]));
    assert_true(fabs(sim[2] / sim[0] - 1) < 0.01 && fabs(est[2] / est[0] - 1) < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gathers), cmocka_unit_test(strides),
                                       cmocka_unit_test(steps_through_the_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
