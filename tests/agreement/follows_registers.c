/* follows_registers.c - do estimates follow the cycle model where a register file takes time:
 * cells, ports, mappings, collectors, banks, what stands in front of the banks, and the counts that
 * energy is made of? */
#include "tests/support/ask.h"

#include <math.h>

#define ARITHMETIC                                                                       \
    "generator = \"stream\"; ctas = 60; warps_per_cta = 4; iterations = 3; unroll = 2; " \
    "arithmetic = 40; footprint = \"64KB\"; registers = 20;"
#define MATMUL "generator = \"matmul\"; ctas = 60; warps_per_cta = 8; iterations = 8;"
#define RACETRACK "register_file.cells=racetrack"

struct both {
    struct metrics sim, est;
};

static struct both answers(const char *program, const char *const *sets)
{
    const char *all[5] = {0};
    size_t n = 0;
    for (; sets[n]; n++)
        all[n] = sets[n];
    struct machine m = run_machine("fermi-rf", all, n);
    return (struct both){ask_of(ENGINE_SIMULATE, &m, program),
                         ask_of(ENGINE_ESTIMATE, &m, program)};
}

static double ratio(const struct both *b, const char *path)
{
    double sim = run_value(&b->sim, path);
    return sim > 0 ? run_value(&b->est, path) / sim : 1;
}

static const struct {
    const char *sets[4];
    double band; /* of the logarithm of the times over those of SRAM */
} how[] = {
    {{RACETRACK}, 0.4},
    {{RACETRACK, "register_file.racetrack.ports=1"}, 0.45},
    {{RACETRACK, "register_file.racetrack.ports=16"}, 0.25},
    {{RACETRACK, "register_file.mapping=remapped"}, 0.25},
    {{RACETRACK, "register_file.mapping=warp_banks"}, 0.25},
    {{RACETRACK, "register_file.write_buffer=32"}, 0.35},
    {{RACETRACK, "register_file.write_buffer=32", "sm.scheduler=rmws"}, 0.35},
    {{RACETRACK, "register_file.collectors.sp=1"}, 0.6},
    {{RACETRACK, "register_file.banks=4", "register_file.racetrack.ports=16"}, 0.5},
    {{"register_file.banks=2"}, 0.25},
};

/* Against SRAM, so that other terms' errors stay out. */
static void times_follow(void **state)
{
    (void)state;
    static const char *const programs[] = {ARITHMETIC, MATMUL}, *const none[] = {NULL};
    for (size_t k = 0; k < 2; k++) {
        struct both sram = answers(programs[k], none);
        double base = ratio(&sram, "cycles"), slowest = 0;
        assert_near(log(base), 0, 0.4);
        for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
            struct both b = answers(programs[k], how[i].sets);
            double slower = run_value(&b.sim, "cycles") / run_value(&sram.sim, "cycles"),
                   error = log(ratio(&b, "cycles") / base);
            print_message("%-28s %-34s %.2f of SRAM, error %+.2f; shifts %.2f, reads %.2f\n",
                          how[i].sets[0], how[i].sets[1] ? how[i].sets[1] : "", slower, error,
                          how[i].sets[0][14] == 'c' ? ratio(&b, "register_file.shifts") : 1,
                          ratio(&b, "register_file.bank_reads"));
            assert_near(error, 0, how[i].band);
            assert_near(ratio(&b, "register_file.reads"), 1, 1e-6);
            assert_near(ratio(&b, "register_file.writes"), 1, 1e-6);
            slowest = slower > slowest ? slower : slowest;
        }
        assert_true(slowest > 1.5); /* there is something to follow */
    }
}

/* What energy is made of, where nothing stands in front of the banks. */
static void shifts_follow(void **state)
{
    (void)state;
    static const char *const programs[] = {ARITHMETIC, MATMUL};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 5; i++) {
            struct both b = answers(programs[k], how[i].sets);
            double r = ratio(&b, "register_file.shifts");
            print_message("%zu %zu: shifts %.2f\n", k, i, r);
            assert_true(r > 0.4 && r < 2.5);
            assert_near(ratio(&b, "register_file.bank_accesses"), 1, 1e-6);
        }
}

/* What a write buffer or a register-file cache serves. */
static void what_stays_in_front_follows(void **state)
{
    (void)state;
    static const char *const front[][4] = {
        {"register_file.write_buffer=32", RACETRACK, "register_file.mapping=remapped"},
        {"register_file.write_buffer=128", RACETRACK, "register_file.mapping=remapped"},
        {"sm.scheduler=two_level", "register_file.cache_entries=2"},
        {"sm.scheduler=two_level", "register_file.cache_entries=6"}};
    static const char *const programs[] = {ARITHMETIC, MATMUL};
    for (size_t i = 0; i < 8; i++) {
        struct both b = answers(programs[i / 4], front[i % 4]);
        double all = run_value(&b.sim, "register_file.reads"),
               sim = 1 - run_value(&b.sim, "register_file.bank_reads") / all,
               est = 1 - run_value(&b.est, "register_file.bank_reads") / all;
        print_message("%zu: of the operands %.2f are kept from the banks, estimated %.2f\n", i, sim,
                      est);
        assert_near(est, sim, 0.35);
    }
}

/* An instruction of shared memory holds its collector for its own time there, not for that of all of
 * a warp's between two waits. */
static void shared_memory_follows(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    struct both b = answers("configs/workloads/quick/binomial.plt", none);
    assert_near(log(ratio(&b, "cycles")), 0, 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_follow),
        cmocka_unit_test(shifts_follow),
        cmocka_unit_test(what_stays_in_front_follows),
        cmocka_unit_test(shared_memory_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
