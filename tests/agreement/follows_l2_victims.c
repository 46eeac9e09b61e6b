/* follows_l2_victims.c - do estimates follow the cycle model where the L2's victims leave before
 * the fetch: evictions of every kind, L1 copies of an inclusive L2's victims, an FRC of every size,
 * victim cache, write-back buffer, counts and energy? */
#include "tests/support/ask.h"

#include <string.h>

#define GATHER                                                                                    \
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 3; unroll = 2; footprint" \
    " = \"4MB\";"
#define COPY                                                                                    \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 64; warps_per_cta = 4; iterations = 6; " \
    "unroll = 2;"
#define FEW "l2.mshr.entries=16"
#define WRITTEN "l2.eviction_end=written"

static struct metrics answer_of(enum engine engine, const char *program, const char *const *more)
{
    const char *sets[12] = {"l2.bank_kb=32", "dram.channels=8"};
    size_t n = 2;
    for (; *more; more++)
        sets[n++] = *more;
    struct machine m = run_machine("rx540", sets, n);
    return ask_of(engine, &m, program);
}

static const char *const how[][6] = {
    {FEW},
    {FEW, "l2.notice_cycles=100"},
    {FEW, "l2.clean_victim_notice=false"},
    {FEW, WRITTEN},
    {FEW, WRITTEN, "l2.notice_cycles=300"},
    {FEW, WRITTEN, "l2.writeback_buffer=4"},
    {FEW, WRITTEN, "l2.writeback_buffer=64"},
    {FEW, WRITTEN, "l2.notice_cycles=100", "l2.frc.entries=4"},
    {FEW, WRITTEN, "l2.notice_cycles=100", "l2.frc.entries=16"},
    {FEW, WRITTEN, "l2.notice_cycles=100", "l2.frc.entries=64"},
    {FEW, WRITTEN, "l2.frc.entries=64", "l2.frc.swap_cycles=200"},
    {FEW, WRITTEN, "l2.vc.entries=64", "l2.vc.swap_cycles=100"},
};
enum { HOW = sizeof how / sizeof *how };
/* Which configurations the quick tier takes beside the first; the long one takes all. */
#ifndef EVERY
enum { EVERY = 3 };
#endif

static double or_none(const struct metrics *m, const char *path)
{
    double v = 0;
    metrics_value(m, path, &v);
    return v;
}

/* How long a miss waits for its victim, whom the FRC takes, and what both do to the time: against
 * the first configuration, so that other terms' errors stay out. */
static void times_follow(void **state)
{
    (void)state;
    static const char *const programs[] = {GATHER, COPY};
    double sim0 = 0, est0 = 0;
    for (size_t i = 0; i < 2 * HOW; i++) {
        if (i % HOW % EVERY) continue;
        const char *program = programs[i / HOW], *const *sets = how[i % HOW];
        struct metrics s = answer_of(ENGINE_SIMULATE, program, sets),
                       e = answer_of(ENGINE_ESTIMATE, program, sets);
        double sim = run_value(&s, "cycles"), est = run_value(&e, "cycles"),
               waits = run_value(&s, "l2.miss_latency.eviction"),
               share = or_none(&s, "l2.frc_share");
        print_message("%2zu: simulated %.0f, estimated %.0f\n", i, sim, est);
        if (i % HOW == 0) sim0 = sim, est0 = est;
        assert_near(est / est0 * (sim0 / sim), 1, 0.3);
        assert_near(run_value(&e, "l2.miss_latency.eviction"), waits, 3 + 0.4 * waits);
        assert_near(or_none(&e, "l2.frc_share"), share, 0.08);
        if (share <= 0) continue;
        double swaps = or_none(&s, "energy_mj.frc_swap");
        assert_near(or_none(&e, "l2.frc_lookups") / or_none(&s, "l2.frc_lookups"), 1, 0.5);
        assert_near(or_none(&e, "energy_mj.frc_swap") / swaps, 1, 0.15);
    }
}

/* Few sets and MSHRs without limit: misses wait for lines, and FRC entries are more of them. */
static void sets_that_are_full_keep_misses_waiting(void **state)
{
    (void)state;
    static const char *const few[][6] = {
        {"l2.bank_kb=4", "l2.ways=4", "dram.model=fixed", "dram.fixed_latency=1000"},
        {"l2.bank_kb=4", "l2.ways=4", "dram.model=fixed", "dram.fixed_latency=1000",
         "l2.frc.entries=512", "l2.frc.ways=512"},
        {"l2.bank_kb=64", "l2.ways=64", "dram.model=fixed", "dram.fixed_latency=1000"}};
    double sim[3], est[3];
    for (size_t i = 0; i < 3; i++) {
        const char *sets[7] = {0};
        memcpy(sets, few[i], sizeof few[i]);
        struct metrics s = answer_of(ENGINE_SIMULATE, COPY, sets),
                       e = answer_of(ENGINE_ESTIMATE, COPY, sets);
        sim[i] = run_value(&s, "cycles");
        est[i] = run_value(&e, "cycles");
        print_message("%s: simulated %.0f, estimated %.0f\n", few[i][0], sim[i], est[i]);
    }
    for (size_t i = 1; i < 3; i++) {
        assert_true(sim[0] > 2 * sim[i]);
        assert_true(est[0] > 1.5 * est[i]);
    }
}

#define CHASE                                                                                      \
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; footprint = \"512KB\"; stride = " \
    "64; iterations = 6000;"
#define KEPT "l2.inclusion=inclusive"

/* One load at a time: each victim's one copy is asked for over idle networks, and the L2's pipeline
 * takes the answer (closed form: both ways and a look-up). */
static void copies_are_asked_alone(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double cycles;
    } idle[] = {{"l2.latency=10", 18}, {"l2.latency=30", 38}, {"noc.latency=9", 28}};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        const char *const sets[] = {KEPT, idle[i].set, NULL};
        for (int engine = 0; engine < 2; engine++) {
            struct metrics m = answer_of(engine ? ENGINE_ESTIMATE : ENGINE_SIMULATE, CHASE, sets);
            double asked = run_value(&m, "coherence.recalls");
            double waited =
                run_value(&m, "l2.miss_latency.invalidation") * run_value(&m, "l2.misses");
            assert_near(asked, 6000 - 1024, 60);
            assert_near(waited / asked, idle[i].cycles, engine ? 2 : 0.01);
        }
    }
}

/* With few MSHRs most requests are sent back and come again: questions and answers stand behind
 * them. */
static void copies_are_asked_behind_retries(void **state)
{
    (void)state;
    static const char *const sets[][6] = {
        {KEPT, WRITTEN, "l2.notice_cycles=100", "l2.mshr.entries=32"},
        {KEPT, WRITTEN, "l2.notice_cycles=100", "l2.mshr.entries=32", "l2.frc.entries=16"},
        {KEPT, WRITTEN, "l2.notice_cycles=100", "l2.mshr.entries=32", "l2.frc.entries=128"}};
    double sim0 = 0, est0 = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct metrics s = answer_of(ENGINE_SIMULATE, GATHER, sets[i]),
                       e = answer_of(ENGINE_ESTIMATE, GATHER, sets[i]);
        double sim = run_value(&s, "cycles"), est = run_value(&e, "cycles"),
               waits = run_value(&s, "l2.miss_latency.invalidation");
        print_message("%zu: simulated %.0f, estimated %.0f, copies %.0f, %.0f\n", i, sim, est,
                      waits, run_value(&e, "l2.miss_latency.invalidation"));
        if (i == 0) sim0 = sim, est0 = est;
        if (i == 0) assert_true(waits > 100);
        assert_near(est / est0 * (sim0 / sim), 1, 0.3);
        assert_near(run_value(&e, "l2.miss_latency.invalidation"), waits, 10 + 0.3 * waits);
        assert_near(run_value(&e, "coherence.recalls") / run_value(&s, "coherence.recalls"), 1,
                    0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_follow),
        cmocka_unit_test(sets_that_are_full_keep_misses_waiting),
        cmocka_unit_test(copies_are_asked_alone),
        cmocka_unit_test(copies_are_asked_behind_retries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
