/* same_latency.c - do both engines mean the same by the latency of a load: from the issue, with
 * all that it waits for behind it (queue before the L1, MSHRs, network, memory), to the answer; and
 * by the slowest transaction of an instruction? */
#include "tests/support/ask.h"

#define COPY                                                                   \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 80; warps_per_cta = 4;" \
    "iterations = 4; unroll = 2;"
#define GATHER                                                                    \
    "generator = \"gather\"; distribution = \"zipf\"; exponent = 0.8; ctas = 40;" \
    "warps_per_cta = 4; iterations = 6; footprint = \"2MB\";"
#define REDUCTION "generator = \"reduction\"; ctas = 160; warps_per_cta = 8; iterations = 2;"

struct latency {
    double cycles, mean, p95, slowest, slowest_p95;
};

static struct latency latency(enum engine engine, const char *preset, const char *set,
                              const char *program)
{
    struct machine m = run_machine(preset, &set, set ? 1 : 0);
    struct metrics a = ask_of(engine, &m, program);
    return (struct latency){run_value(&a, "cycles"), run_value(&a, "latency.load_mean"),
                            run_value(&a, "latency.load_p95"),
                            run_value(&a, "latency.max_per_instruction_mean"),
                            run_value(&a, "latency.max_per_instruction_p95")};
}

/* Where the engines agree on the cycles they must agree on where these go. */
static void estimates_count_from_the_issue(void **state)
{
    static const struct row {
        const char *preset, *set, *program;
    } rows[] = {
        {"hd7770-pdp16", "l1.mshr.entries=16", COPY},
        {"hd7770-pdp16", "l1.mshr.entries=16", REDUCTION},
        {"hd7770-pdp16", "l1.mshr.entries=16", GATHER},
        {"hd7770-pdp16", "l1.mshr.entries=64", GATHER},
        {"hd7770-pdp16", "l1.mshr.entries=256", GATHER},
        {"hd7770-pdp16", "l1.mshr.wait_aside=false", GATHER},
        {"rx540", NULL, COPY},
        {"rx540", NULL, REDUCTION},
        {"rx540", NULL, GATHER},
        {"rx540", "l1.access_queue=512", GATHER},
        {"rx540", "l1.mshr.entries=8", GATHER},
        {"qv100", NULL, COPY},
        {"qv100", NULL, REDUCTION},
        {"qv100", NULL, GATHER},
        {"qv100", "l1.mshr.entries=8", GATHER},
    };
    uint32_t wrong = 0;
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct latency sim = latency(ENGINE_SIMULATE, r->preset, r->set, r->program);
        struct latency est = latency(ENGINE_ESTIMATE, r->preset, r->set, r->program);
        double mean = est.mean / sim.mean, p95 = est.p95 / sim.p95;
        assert_true(est.cycles > 0.75 * sim.cycles && est.cycles < 1.35 * sim.cycles);
        double most = est.slowest / sim.slowest, most95 = est.slowest_p95 / sim.slowest_p95;
        bool holds = mean > 0.65 && mean < 1.45 && p95 > 0.5 && p95 < 1.3 && most > 0.7 &&
                     most < 1.45 && most95 > 0.5 && most95 < 1.1;
        wrong += !holds;
        if (!holds)
            print_message("row %u, %s %s: mean %.0f, estimated x %.2f; p95 %.0f, x %.2f; slowest of"
                          " an instruction %.0f, x %.2f, p95 %.0f, x %.2f\n",
                          i, r->preset, r->set ? r->set : "", sim.mean, mean, sim.p95, p95,
                          sim.slowest, most, sim.slowest_p95, most95);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimates_count_from_the_issue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
