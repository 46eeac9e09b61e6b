/* Thread batches on the cycle model: the thesis's example of thread batch-aware scheduling (Mao
 * 5.3, figure 37) by its rules, as its drawing is lost; and that no policy keeps a warp from a
 * barrier that others wait at. What the example says of the claim TBAS-EX-FIG37 is printed. */
#include "base/memory/rng.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"

#include <stdio.h>

/* An SM with a memory of one bank; four batches of one CTA with two warps, each with a page of its
 * own, and two pages in a row of the bank; a running set of two warps. */
enum { BATCHES = 4, WARPS = 2, PAGE = 4096, LINE = 128, BASE = 1 << 20 };
#define FIGURE                                                                                  \
    "sm.count=1", "sm.throttle=ccws", "l2.banks=1", "noc.topology=crossbar", "dram.channels=1", \
        "dram.banks_per_group=1", "dram.row_bytes=8192", "dram.mapping=row:column"

/* A warp reads its half of the page line by line. Behind each line it computes for a time of its
 * own, at most so many instructions, so that the warps do not stay in step. */
enum { ROUNDS = 16, COMPUTE = 400, PROGRAMS = 10 };
/* Before that, batches read so many lines that nobody else reads, so that they do not become ready
 * in the order of their pages. */
static const uint32_t late[BATCHES] = {0, 2, 1, 3};

static void write_load(struct writer *w, uint32_t warp, uint32_t *pc, uint64_t addr)
{
    const struct hand_op load = {.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .pc = 16 * (*pc)++,
                                 .addr = BASE + addr,
                                 .after = true};
    hand_inst(w, warp, &load, 0);
}

static void write_warp(struct writer *w, uint32_t batch, uint32_t warp, struct rng *r)
{
    const struct hand_op end = {.cls = OP_EXIT};
    uint32_t pc = 0;
    for (uint32_t i = 0; i < late[batch]; i++)
        write_load(w, warp, &pc, BATCHES * PAGE + ((batch * 3 + i) * WARPS + warp) * LINE);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        write_load(w, warp, &pc, batch * PAGE + (warp * ROUNDS + round) * LINE);
        for (uint64_t n = rng_below(r, COMPUTE + 1); n; n--) {
            const struct hand_op add = {.cls = OP_INT, .pc = 16 * pc++, .after = true};
            hand_inst(w, warp, &add, 0);
        }
    }
    hand_inst(w, warp, &end, 0);
}

static struct program *figure_program(uint64_t seed)
{
    struct written t = written_begin(32);
    struct error e = {0};
    struct rng r;
    const struct launch l = {
        .name = "figure37", .grid = {BATCHES, 1, 1}, .block = {WARPS * 32, 1, 1}};
    rng_seed(&r, seed, 0);
    assert_true(writer_launch_begin(t.w, &l, &e));
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t warp = 0; warp < WARPS; warp++)
            write_warp(t.w, batch, warp, &r);
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

/* Means over programs whose warps compute for different times. */
struct outcome {
    double activates, latency, load_latency;
};

static struct outcome run_figure(const char *scheduler, const char *places, const char *steps)
{
    const char *sets[16] = {FIGURE, scheduler, places, steps};
    struct machine m = run_machine("fermi-vws", sets, steps ? 11 : 10);
    struct outcome o = {0};
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct metrics one = run_whole(&m, figure_program(seed));
        o.activates += run_value(&one, "dram.activates") / PROGRAMS;
        o.latency += run_value(&one, "dram.latency") / PROGRAMS;
        o.load_latency += run_value(&one, "latency.load_mean") / PROGRAMS;
    }
    print_message("%s %s: %.1f activations, %.1f ns, loads %.1f cycles\n", scheduler,
                  steps ? steps : "", o.activates, o.latency, o.load_latency);
    return o;
}

/* Fewer activations with each step, and the shortest latency with all of them. The running set of
 * figure 37b is a first level of two warps, whose batch does not matter. */
static void each_step_of_figure_37_saves_activations(void **state)
{
    (void)state;
#define SET "sm.tbas.warps=2"
    struct outcome b = run_figure("sm.scheduler=two_level", "sm.two_level.warps=2", NULL);
    struct outcome c = run_figure("sm.scheduler=tbas", SET, "sm.tbas.steps=gather");
    struct outcome d = run_figure("sm.scheduler=tbas", SET, "sm.tbas.steps=successor");
    struct outcome e = run_figure("sm.scheduler=tbas", SET, "sm.tbas.steps=older_first");
    assert_true(c.activates < b.activates);
    assert_true(d.activates < c.activates);
    assert_true(e.activates < d.activates);
    assert_true(e.latency < d.latency && e.latency < c.latency && e.latency < b.latency);
    assert_true(e.load_latency < d.load_latency && e.load_latency < b.load_latency);
    print_message("TBAS-EX-FIG37,%d\n", 1); /* the order above */
}

/* Pages of one batch instead of four: nothing is left to order, and each row is opened once. */
static void one_batch_opens_each_row_once(void **state)
{
    (void)state;
    const char *const sets[] = {FIGURE, "sm.scheduler=tbas", SET, "sm.max_ctas=1"};
    struct machine m = run_machine("fermi-vws", sets, 11);
    struct metrics one = run_whole(&m, figure_program(1));
    /* batch 0 has one row; the others begin in the row of what they read first */
    assert_near(run_value(&one, "dram.activates"), 1 + 2 * 3, 0);
}

/* CTAs of one batch meet at barriers, and batches are held back for each other. */
static void barriers_open_whatever_the_batches(void **state)
{
    (void)state;
    static const char *const steps[] = {"gather", "successor", "older_first"};
    static const char *const throttle[] = {"sm.throttle=none", "sm.throttle=fixed",
                                           "sm.throttle=iwl", "sm.throttle=ccws"};
    double instructions = 0;
    for (uint32_t i = 0; i < 3 * 4 * 3; i++) {
        char step[48], blocks[48], places[48];
        snprintf(step, sizeof step, "sm.tbas.steps=%s", steps[i % 3]);
        snprintf(blocks, sizeof blocks, "sm.batch_blocks=%u", 1 + 2 * (i / 12));
        snprintf(places, sizeof places, "sm.tbas.warps=%u", i % 5 + 1);
        const char *sets[] = {
            "sm.scheduler=tbas", "sm.count=2", throttle[i / 3 % 4], step, blocks, places, NULL};
        struct metrics m = run_sets(
            "fermi-vws", "generator = \"reduction\"; ctas = 12; warps_per_cta = 8; iterations = 2;",
            sets);
        double ran = run_value(&m, "warp_instructions");
        if (instructions == 0) instructions = ran;
        assert_float_equal(ran, instructions, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_of_figure_37_saves_activations),
        cmocka_unit_test(one_batch_opens_each_row_once),
        cmocka_unit_test(barriers_open_whatever_the_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
