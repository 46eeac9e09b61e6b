/* same_latency.c - do both engines mean the same by the latency of a load: from the issue, with
 * all that it waits for behind it (queue before the L1, MSHRs, network, memory), to the answer; and
 * by the slowest transaction of an instruction?
 *
 * Each warp does nothing but load, each load waits for the one before it, and all warps are there
 * at once.  So a warp has at most one load under way, and Little's law bounds the latency by the
 * cycles, in either engine: steps x mean latency <= cycles.  What waits in front of the issue makes
 * the difference. */
#include "base/memory/rng.h"
#include "tests/support/ask.h"
#include "tests/support/follows.h"
#include "tests/support/patterns.h"

#include <stdio.h>

/* --- programs --- */

static void load(struct writer *w, uint32_t warp, uint64_t at, uint64_t stride, uint32_t width)
{
    pattern_vector(
        w, warp,
        (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = stride, .after = true},
        width);
}

/* Words side by side that are never met again. */
static void streams(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    load(w, warp, TABLE + 4u * width * ((cta * 4u + warp) * 67u + step), 4, width);
}

/* A table of 192 KB by chance, a few lines at a time. */
static void rereads(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t nth = rng_splitmix64(cta * 256u + warp * 64u + step) % 1500;
    load(w, warp, BASE + LINE * nth, LINE / 16, width);
}

/* A line of its own for each lane. */
static void scatters(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t nth = rng_splitmix64(cta * 256u + warp * 64u + step) % 4096;
    load(w, warp, TABLE + LINE * nth, 13 * LINE / 2, width);
}

enum { STEPS = 32, PROGRAMS = 3 };
static const struct pattern PATTERN[PROGRAMS] = {
    {0, 1, 32, 4, STEPS, streams}, {0, 1, 32, 4, STEPS, rereads}, {0, 1, 16, 2, STEPS, scatters}};

/* --- machines: those of a preset behind each other, the first as it is --- */

static const struct row {
    const char *preset, *set;
} ROWS[] = {
    {"hd7770-pdp16", NULL},
    {"hd7770-pdp16", "l1.mshr.entries=16"},
    {"hd7770-pdp16", "l1.mshr.entries=64"},
    {"hd7770-pdp16", "l1.mshr.wait_aside=false"},
    {"rx540", NULL},
    {"rx540", "l1.access_queue=512"},
    {"rx540", "l1.mshr.entries=8"},
    {"qv100", NULL},
    {"qv100", "l1.mshr.entries=8"},
};
enum { ROWS_N = sizeof ROWS / sizeof *ROWS };

enum { LOAD_MEAN, LOAD_P95, SLOWEST_MEAN, SLOWEST_P95, LATENCIES };
static const char *const PATH[LATENCIES] = {"latency.load_mean", "latency.load_p95",
                                            "latency.max_per_instruction_mean",
                                            "latency.max_per_instruction_p95"};

struct seen {
    double cycles, of[LATENCIES];
};

static struct seen see(enum engine engine, const struct row *r, const struct pattern *pattern)
{
    struct machine m = run_machine(r->preset, &r->set, r->set ? 1 : 0);
    struct program *p = pattern_program(pattern, m.sm.warp_width);
    struct metrics a = ask(engine, &m, p);
    struct seen s = {.cycles = run_value(&a, "cycles")};
    for (int i = 0; i < LATENCIES; i++)
        s.of[i] = run_value(&a, PATH[i]);
    program_close(p);
    return s;
}

/* A warp alone waits for nobody. */
static struct seen see_alone(const struct row *r, const struct pattern *pattern)
{
    struct pattern alone = *pattern;
    alone.ctas = alone.warps = 1;
    return see(ENGINE_SIMULATE, r, &alone);
}

/* --- what must hold --- */

/* How far a latency is off where it stands in a histogram: its buckets are 1/16 of it wide. */
static const double BUCKET = 1.0 / 16;

/* Nothing is under way for longer than the whole takes; no transaction is later than the slowest of
 * its instruction. */
static uint32_t laws_broken(const struct row *r, int program, const struct seen *s)
{
    uint32_t broken = 0;
    broken += STEPS * s->of[SLOWEST_MEAN] > s->cycles * (1 + BUCKET / 2);
    broken += s->of[LOAD_MEAN] > s->of[SLOWEST_MEAN] * (1 + BUCKET);
    broken += s->of[LOAD_P95] > s->of[SLOWEST_P95] * (1 + BUCKET);
    if (broken)
        printf("%s %s, program %d: loads %.0f (p95 %.0f), slowest %.0f (p95 %.0f), a step %.0f\n",
               r->preset, r->set ? r->set : "", program, s->of[LOAD_MEAN], s->of[LOAD_P95],
               s->of[SLOWEST_MEAN], s->of[SLOWEST_P95], s->cycles / STEPS);
    return broken;
}

/* A change counts where it is more than the mean error of two estimates (README.md, of cycles). */
static const double COUNTS = 1.12 * 1.12;

static uint32_t not_followed(const char *what, const struct row *r, int program,
                             const struct seen *sim, const struct seen *est,
                             const struct seen *sim0, const struct seen *est0)
{
    uint32_t wrong = 0;
    for (int i = 0; i < LATENCIES; i++) {
        double simulated = sim->of[i] / sim0->of[i], estimated = est->of[i] / est0->of[i];
        if (fabs(log(simulated)) < log(COUNTS) || follows(simulated, estimated)) continue;
        printf("%s %s, program %d, %s: simulated %.0f, %s x %.2f, estimated x %.2f\n", r->preset,
               r->set ? r->set : "", program, PATH[i], sim->of[i], what, simulated, estimated);
        wrong++;
    }
    return wrong;
}

/* What is known to be wrong, so that a repair is noticed.  Where an rx540's L1 lets 512 accesses
 * wait before it, an estimated load of the table takes 8 % longer than a step of its warp: the
 * first loads wait as one batch, in steps that are no longer for it. */
enum { KNOWN_BROKEN = 1, KNOWN_WRONG = 0 };

/* The waits behind the issue are in the latency, and change with the machine. */
static void estimates_count_from_the_issue(void **state)
{
    (void)state;
    uint32_t broken = 0, wrong = 0;
    for (int k = 0; k < PROGRAMS; k++) {
        struct seen sim0 = {0}, est0 = {0};
        for (uint32_t i = 0; i < ROWS_N; i++) {
            const struct row *r = &ROWS[i];
            struct seen sim = see(ENGINE_SIMULATE, r, &PATTERN[k]),
                        est = see(ENGINE_ESTIMATE, r, &PATTERN[k]),
                        alone = see_alone(r, &PATTERN[k]);
            if (!r->set) sim0 = sim, est0 = est;
            broken += laws_broken(r, k, &sim) + laws_broken(r, k, &est);
            wrong += not_followed("against a warp alone", r, k, &sim, &est, &alone, &alone);
            wrong += not_followed("against the preset", r, k, &sim, &est, &sim0, &est0);
        }
    }
    assert_int_equal(broken, KNOWN_BROKEN);
    assert_int_equal(wrong, KNOWN_WRONG);
}

/* Where a load finds its way free, the law has no slack: a step is a latency. */
static void a_warp_alone_is_always_under_way(void **state)
{
    (void)state;
    static const char *const presets[] = {"hd7770-pdp16", "rx540"};
    for (uint32_t i = 0; i < 2; i++) {
        struct row r = {presets[i], NULL};
        struct seen s = see_alone(&r, &PATTERN[0]);
        assert_true(fabs(STEPS * s.of[SLOWEST_MEAN] / s.cycles - 1) < BUCKET / 2);
    }
}

#define SCATTERED                                                                       \
    "generator = \"gather\"; distribution = \"uniform\"; ctas = 16; warps_per_cta = 1;" \
    "iterations = 32; unroll = 1; footprint = \"8KB\";"

/* Up to 64 lines of an L1 that has nearly all of them: the mean one waits for half of the others.
 */
static void transactions_of_a_load_take_turns(void **state)
{
    (void)state;
    static const char *const preset[] = {"rx540", "rx570", "qv100"};
    for (uint32_t i = 0; i < sizeof preset / sizeof *preset; i++) {
        struct machine m = run_machine(preset[i], NULL, 0);
        struct metrics s = ask_of(ENGINE_SIMULATE, &m, SCATTERED),
                       e = ask_of(ENGINE_ESTIMATE, &m, SCATTERED);
        double simulated = run_value(&s, PATH[LOAD_MEAN]);
        assert_near(run_value(&e, PATH[LOAD_MEAN]), simulated, 0.2 * simulated);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_count_from_the_issue),
        cmocka_unit_test(a_warp_alone_is_always_under_way),
        cmocka_unit_test(transactions_of_a_load_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
