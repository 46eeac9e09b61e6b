/* Which warps run, and where: the figures of Mao's chapter 4 as programs of a few lines, counted on
 * the cycle model.  What the figures say is printed, one claim of papers/claims.csv a line,
 * for papers/mao/studies/vws-examples.sh. */
#include "detailed/core/sim_internal.h"
#include "tests/support/hand.h"

#include <stdio.h>

enum { LINE = 128, SEGMENT_LINES = 4, SEGMENT = SEGMENT_LINES * LINE, ROUNDS = 6, BASE = 1 << 20 };

/* What a warp does: a load after the other, of one line each. */
typedef uint32_t lines_fn(uint64_t cta, uint32_t warp, uint64_t *line);

static void write_warp(struct writer *w, uint64_t cta, uint32_t warp, lines_fn *lines)
{
    uint64_t line[256];
    uint32_t n = lines(cta, warp, line);
    for (uint32_t i = 0; i < n; i++) {
        struct hand_op load = {.cls = OP_LOAD,
                               .space = SPACE_GLOBAL,
                               .pc = 16 * i,
                               .addr = BASE + line[i] * LINE,
                               .after = true};
        hand_inst(w, warp, &load, i);
    }
    const struct hand_op end = {.cls = OP_EXIT};
    hand_inst(w, warp, &end, 0);
}

static struct program *program_of(uint32_t ctas, uint32_t warps, lines_fn *lines)
{
    struct written t = written_begin(32);
    struct error e = {0};
    const struct launch l = {.name = "hand", .grid = {ctas, 1, 1}, .block = {warps * 32, 1, 1}};
    assert_true(writer_launch_begin(t.w, &l, &e));
    for (uint32_t c = 0; c < ctas; c++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t warp = 0; warp < warps; warp++)
            write_warp(t.w, c, warp, lines);
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

static struct metrics run_lines(const char *const *sets, size_t n, uint32_t ctas, uint32_t warps,
                                lines_fn *lines)
{
    struct machine m = run_machine("fermi-vws", sets, n);
    return run_whole(&m, program_of(ctas, warps, lines));
}
#define LINES(ctas, warps, lines, ...)            \
    run_lines((const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), ctas, warps, lines)

static void say(const char *claim, double value, double want)
{
    print_message("%s,%.0f\n", claim, value);
    assert_float_equal(value, want, 0);
}

/* Figure 22: both warps of a CTA go through its two segments again and again. */
static uint32_t two_segments(uint64_t cta, uint32_t warp, uint64_t *line)
{
    uint32_t n = 0;
    (void)warp;
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < 2 * SEGMENT_LINES; i++)
            line[n++] = cta * 2 * SEGMENT_LINES + i;
    return n;
}

#define TWO_SEGMENTS_L1 \
    "l1.kb=1", "l1.ways=8", "sm.count=1", "sm.throttle=fixed", "sm.active_warps=2"

/* The L1 holds two segments, two warps may be active.  From one CTA: each line is missed once.
 * From two: every round misses all of them. */
static void intracl_leaves_the_compulsory_misses(void **state)
{
    (void)state;
    struct metrics same = LINES(2, 2, two_segments, TWO_SEGMENTS_L1, "sm.active_set=cta");
    say("VWS-EX-FIG22", run_value(&same, "l1.misses") - 2 * 2 * SEGMENT_LINES, 0);
    struct metrics apart = LINES(2, 2, two_segments, TWO_SEGMENTS_L1, "sm.active_set=spread");
    assert_true(run_value(&apart, "l1.misses") >= ROUNDS * 2 * 2 * SEGMENT_LINES);
    assert_true(run_value(&apart, "cycles") > 1.5 * run_value(&same, "cycles"));
}

/* Figure 23: neighbouring CTAs share a block. */
static uint32_t shared_by_two(uint64_t cta, uint32_t warp, uint64_t *line)
{
    (void)warp;
    line[0] = cta / 2;
    return 1;
}

/* Four CTAs one after the other on two SMs. */
static void serial_dispatch_halves_the_compulsory_misses(void **state)
{
    (void)state;
    struct metrics turn =
        LINES(4, 1, shared_by_two, "sm.count=2", "sm.max_ctas=1", "sm.dispatch=interleaved");
    assert_float_equal(run_value(&turn, "l1.misses"), 4, 0);
    assert_float_equal(run_value(&turn, "l1.hits"), 0, 0);
    struct metrics row =
        LINES(4, 1, shared_by_two, "sm.count=2", "sm.max_ctas=1", "sm.dispatch=serial");
    say("VWS-EX-FIG23", run_value(&row, "l1.misses"), 2);
    assert_float_equal(run_value(&row, "l1.hits"), 2, 0);
}

/* Equal parts whatever the numbers: every CTA runs once, also when there are fewer than SMs. */
static void serial_queues_hold_every_cta_once(void **state)
{
    (void)state;
    static const char *const queues[] = {"sm.dispatch=serial", "sm.dispatch=balanced"};
    for (uint32_t ctas = 1; ctas < 40; ctas += 3)
        for (uint32_t i = 0; i < 2; i++) {
            struct metrics m = LINES(ctas, 2, shared_by_two, queues[i]);
            assert_float_equal(run_value(&m, "warp_instructions"), ctas * 2 * 2, 0);
        }
}

/* The first half of 64 CTAs do 40 loads each, the others one.  One CTA at a time on each of two
 * SMs: in queues of their own the first SM's 1,280 loads take the time; balanced they are shared,
 * and the parts stay consecutive: lines that neighbours share are missed once, but at borders. */
static uint32_t heavy_first(uint64_t cta, uint32_t warp, uint64_t *line)
{
    (void)warp;
    for (uint32_t i = 0; i < 40; i++)
        line[i] = cta / 2 * 40 + i;
    return cta < 32 ? 40 : 1;
}

static void a_balanced_queue_shares_heavy_ctas(void **state)
{
    (void)state;
#define TWO_SMS "sm.count=2", "sm.max_ctas=1"
    struct metrics turn = LINES(64, 1, heavy_first, TWO_SMS, "sm.dispatch=interleaved");
    struct metrics own = LINES(64, 1, heavy_first, TWO_SMS, "sm.dispatch=serial");
    struct metrics shared = LINES(64, 1, heavy_first, TWO_SMS, "sm.dispatch=balanced");
    double most = 32 * 40 / (32 * 40 / 2 + 16.0); /* heavy loads of the busier SM */
    assert_true(run_value(&own, "cycles") > 0.9 * most * run_value(&shared, "cycles"));
    assert_float_equal(run_value(&own, "l1.misses"), 16 * 40 + 16, 0);
    assert_in_range((uint64_t)run_value(&shared, "l1.misses"), 16 * 40 + 16, 18 * 40 + 20);
    assert_true(run_value(&turn, "l1.misses") > 30 * 40);
}

/* Barriers under the tightest limit, every order and choice: nobody waits for a warp that may not
 * go.  (A warp at a barrier gives its place away.) */
static void barriers_open_under_every_policy(void **state)
{
    (void)state;
    static const char *const scheduler[] = {"lrr", "gto", "two_level", "intercl", "owl", "tbas"};
    static const char *const how[][2] = {{"sm.throttle=none", "sm.two_level.warps=8"},
                                         {"sm.throttle=fixed", "sm.active_set=cta"},
                                         {"sm.throttle=fixed", "sm.active_set=spread"},
                                         {"sm.throttle=iwl", "sm.iwl.alpha=0.0"},
                                         {"sm.throttle=ccws", "sm.ccws.gain=1000.0"}};
    double instructions = 0;
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 5; k++) {
            char order[48];
            snprintf(order, sizeof order, "sm.scheduler=%s", scheduler[i]);
            const char *sets[6] = {order, "sm.count=2", how[k][0]};
            uint32_t n = 3;
            if (k) sets[n++] = how[k][1];
            if (k == 1 || k == 2) sets[n++] = "sm.active_warps=1";
            sets[n++] = NULL;
            struct metrics m = run_sets(
                "fermi-vws",
                "generator = \"reduction\"; ctas = 12; warps_per_cta = 8; iterations = 2;", sets);
            double ran = run_value(&m, "warp_instructions");
            if (instructions == 0) instructions = ran;
            assert_float_equal(ran, instructions, 0);
        }
}

/* OWL: neighbouring SMs begin with different CTAs, although CTAs come one by one. */
static void owl_begins_with_another_cta_on_each_sm(void **state)
{
    (void)state;
    const char *const sets[] = {"sm.scheduler=owl", "sm.count=4"};
    struct machine m = run_machine("fermi-vws", sets, 2);
    struct program *p = program_of(64, 4, two_segments);
    const struct sim_scope scope = {.max_instructions = 1000};
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    if (!s || sim_run(s, &scope, NULL, NULL, &e) != SIM_LIMIT) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(s->sm[i].ctas, 8);
        assert_int_equal(s->sm[i].sub[0].warps.sched.leader, i);
    }
    sim_free(s);
    program_close(p);
}

/* Each line once: IWL has nothing to throttle and CCWS has lost nothing; both leave LRR as it is.
 */
static uint32_t stream(uint64_t cta, uint32_t warp, uint64_t *line)
{
    for (uint32_t i = 0; i < 8; i++)
        line[i] = (cta * 4 + warp) * 8 + i;
    return 8;
}

static void streams_are_left_alone(void **state)
{
    (void)state;
    struct metrics lrr = LINES(120, 4, stream, "sm.scheduler=lrr");
    struct metrics iwl = LINES(120, 4, stream, "sm.scheduler=lrr", "sm.throttle=iwl");
    struct metrics ccws = LINES(120, 4, stream, "sm.scheduler=lrr", "sm.throttle=ccws");
    assert_float_equal(run_value(&iwl, "cycles"), run_value(&lrr, "cycles"), 0);
    assert_float_equal(run_value(&ccws, "cycles"), run_value(&lrr, "cycles"), 0);
}

/* Private working sets, gone through again and again by 16 warps: together more than the L1.  A
 * throttle that sees it keeps them in; what it saves is most of the misses. */
static uint32_t rounds_of(uint64_t first, uint32_t lines, uint32_t rounds, uint64_t *line)
{
    uint32_t n = 0;
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < lines; i++)
            line[n++] = first * lines + i;
    return n;
}

static uint32_t set_of_64(uint64_t cta, uint32_t warp, uint64_t *line)
{
    return rounds_of(cta * 4 + warp, 64, 4, line);
}

static uint32_t set_of_24(uint64_t cta, uint32_t warp, uint64_t *line)
{
    return rounds_of(cta * 4 + warp, 24, 10, line);
}

#define ONE_SM "sm.count=1", "sm.max_ctas=4"

/* Four sets of 64 lines fill the L1; equation 4.6 says four warps, too.  Before it does, a tenth of
 * the warps and those that run beside them have gone unhindered. */
static void iwl_and_a_fixed_limit_keep_working_sets_in_the_l1(void **state)
{
    (void)state;
    struct metrics lrr = LINES(40, 4, set_of_64, ONE_SM, "sm.scheduler=lrr");
    struct metrics fixed = LINES(40, 4, set_of_64, ONE_SM, "sm.throttle=fixed", "sm.active_warps=4",
                                 "sm.active_set=cta");
    struct metrics iwl = LINES(40, 4, set_of_64, ONE_SM, "sm.throttle=iwl", "sm.active_set=cta");
    double least = 40 * 4 * 64, all = run_value(&lrr, "l1.misses");
    assert_true(all > 3.9 * least);
    assert_true(run_value(&fixed, "l1.misses") < 1.02 * least);
    assert_true(run_value(&iwl, "l1.misses") < 2 * least);
    assert_true(run_value(&iwl, "cycles") < 0.8 * run_value(&lrr, "cycles"));
}

/* An adaptive L1 is as large as the launch leaves it: without shared memory, all 128 KB. */
static void iwl_knows_how_large_the_l1_is(void **state)
{
    (void)state;
    const char *const sets[] = {"sm.throttle=iwl"};
    struct machine m = run_machine("qv100", sets, 1);
    struct program *p = program_of(4, 1, set_of_24);
    struct error e = {0};
    struct sim *s = sim_new(&m, p, &e);
    if (!s || sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE) fail_msg("%s", e.text);
    assert_int_equal(s->sm[0].admission.throttle.l1_blocks, 128 * 1024 / LINE);
    sim_free(s);
    program_close(p);
}

/* Sixteen victim tags see that a line comes back after eight others of its warp have been lost. */
static void ccws_keeps_working_sets_in_the_l1(void **state)
{
    (void)state;
    struct metrics lrr = LINES(40, 4, set_of_24, ONE_SM, "sm.scheduler=lrr");
    struct metrics ccws = LINES(40, 4, set_of_24, ONE_SM, "sm.scheduler=lrr", "sm.throttle=ccws");
    double least = 40 * 4 * 24;
    print_message("misses %.0f, ccws %.0f of at least %.0f; cycles %.0f, %.0f\n",
                  run_value(&lrr, "l1.misses"), run_value(&ccws, "l1.misses"), least,
                  run_value(&lrr, "cycles"), run_value(&ccws, "cycles"));
    assert_true(run_value(&lrr, "l1.misses") > 8 * least);
    assert_true(run_value(&ccws, "l1.misses") < 0.5 * run_value(&lrr, "l1.misses"));
}

/* A line that a full table of tags sends away early is lost to its warp like any other. */
static void ccws_sees_what_a_table_of_tags_sends_away(void **state)
{
    (void)state;
#define FULL_TABLE ONE_SM, "sm.scheduler=lrr", "l1.alloc=on_fill", "l1.tags=256"
    struct metrics lrr = LINES(40, 4, set_of_24, FULL_TABLE);
    struct metrics ccws = LINES(40, 4, set_of_24, FULL_TABLE, "sm.throttle=ccws");
    double least = 40 * 4 * 24;
    print_message("misses %.0f, ccws %.0f of at least %.0f\n", run_value(&lrr, "l1.misses"),
                  run_value(&ccws, "l1.misses"), least);
    assert_true(run_value(&lrr, "l1.misses") > 8 * least);
    assert_true(run_value(&ccws, "l1.misses") < 0.5 * run_value(&lrr, "l1.misses"));
}

/* Whose data loads find: CTAs of one warp each that read their own line and their predecessor's on
 * one SM, one after the other. */
static uint32_t own_and_last(uint64_t cta, uint32_t warp, uint64_t *line)
{
    (void)warp;
    line[0] = cta;
    line[1] = cta + 1;
    line[2] = cta + 1;
    return 3;
}

static void classes_of_reuse_are_counted(void **state)
{
    (void)state;
    struct metrics m =
        LINES(10, 1, own_and_last, "sm.count=1", "sm.max_ctas=1", "sm.reuse_classes=true");
    assert_float_equal(run_value(&m, "l1.reuse.hits.intra_warp"), 10, 0);
    assert_float_equal(run_value(&m, "l1.reuse.hits.inter_cta"), 9, 0);
    assert_float_equal(run_value(&m, "l1.reuse.misses.cold"), 11, 0);
    assert_float_equal(run_value(&m, "l1.reuse.cta_distance.to_1"), 9, 0);
    /* on two SMs in turn every neighbour is on the other one: the L2 serves it */
    m = LINES(10, 1, own_and_last, "sm.count=2", "sm.max_ctas=1", "sm.reuse_classes=true");
    assert_float_equal(run_value(&m, "l1.reuse.hits.intra_warp"), 10, 0);
    double away = run_value(&m, "l1.reuse.misses.inter_cta");
    double cold = run_value(&m, "l1.reuse.misses.cold");
    assert_true(away + cold == 20);
    assert_float_equal(run_value(&m, "l2.reuse.hits.inter_core"), away, 0);
    assert_in_range((uint64_t)away, 8, 9);
    /* serial: only the border between the two queues */
    m = LINES(10, 1, own_and_last, "sm.count=2", "sm.max_ctas=1", "sm.reuse_classes=true",
              "sm.dispatch=serial");
    assert_float_equal(run_value(&m, "l1.reuse.hits.inter_cta"), 8, 0);
    assert_float_equal(run_value(&m, "l1.reuse.misses.inter_cta"), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intracl_leaves_the_compulsory_misses),
        cmocka_unit_test(serial_dispatch_halves_the_compulsory_misses),
        cmocka_unit_test(serial_queues_hold_every_cta_once),
        cmocka_unit_test(a_balanced_queue_shares_heavy_ctas),
        cmocka_unit_test(barriers_open_under_every_policy),
        cmocka_unit_test(owl_begins_with_another_cta_on_each_sm),
        cmocka_unit_test(streams_are_left_alone),
        cmocka_unit_test(iwl_and_a_fixed_limit_keep_working_sets_in_the_l1),
        cmocka_unit_test(iwl_knows_how_large_the_l1_is),
        cmocka_unit_test(ccws_keeps_working_sets_in_the_l1),
        cmocka_unit_test(ccws_sees_what_a_table_of_tags_sends_away),
        cmocka_unit_test(classes_of_reuse_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
