/* Whom the functional pass lets go on, what it tells the policies, and what follows for accesses.
 */
#include "estimator/functional/warp_admission.h"
#include "base/memory/rng.h"
#include "estimator/profile/profile_data.h"
#include "tests/support/estimator_support.h"
#include "trace/plt/writer.h"

#include <string.h>

static struct warp_view view_of(const char *const *sets, size_t n)
{
    struct bed b;
    bed_machine(&b, "fermi-vws", sets, n);
    return warp_view_of(&b.m.sm, &b.m.l1);
}
#define VIEW(...)                               \
    view_of((const char *const[]){__VA_ARGS__}, \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool same_view(const struct warp_view *a, const struct warp_view *b)
{
    double of[2][WARP_VIEW_NUMBERS];
    warp_view_numbers(a, of[0]);
    warp_view_numbers(b, of[1]);
    return memcmp(of[0], of[1], sizeof of[0]) == 0;
}

static void came(struct govern *g, uint32_t warp, bool load)
{
    govern_came(g, (struct warp_rank){warp, warp}, load);
}

static struct govern *govern_of(const struct warp_view *v, uint32_t ctas, uint32_t warps)
{
    struct govern *g = govern_new(v);
    assert_non_null(g);
    assert_true(govern_launch(g, 0, ctas * warps, ctas * warps, ctas));
    for (uint32_t i = 0; i < ctas * warps; i++) {
        const struct govern_warp w = {i, 0, i / warps, i / warps, i + 1};
        govern_born(g, &w);
        came(g, i, true);
    }
    return g;
}

/* All that may go at once, as a mask of warps; they stay away. */
static uint64_t go(struct govern *g, uint64_t now)
{
    uint64_t gone = 0;
    for (uint32_t w; (w = govern_take(g, now)) != GOVERN_NONE;)
        gone |= UINT64_C(1) << w;
    return gone;
}

/* Two CTAs of three warps, two may be active: the first CTA's, or one of each.  One at a barrier
 * gives its place to the next; one that ends does, too. */
static void a_limit_holds_the_others(void **state)
{
    (void)state;
    struct warp_view of_cta = VIEW("sm.throttle=fixed", "sm.active_warps=2", "sm.active_set=cta");
    struct warp_view of_each = VIEW("sm.throttle=fixed", "sm.active_warps=2");
    struct govern *g = govern_of(&of_cta, 2, 3);
    assert_int_equal(go(g, 0), 0x3);
    govern_at_barrier(g, 0, 0);
    assert_int_equal(go(g, 1), 0x4);
    govern_ended(g, 1);
    assert_int_equal(go(g, 2), 0x8);
    govern_opened(g, 0); /* back before the other CTA's: those are held again */
    came(g, 0, false);
    came(g, 3, false);
    assert_int_equal(go(g, 3), 0x1);
    govern_free(g);
    g = govern_of(&of_each, 2, 3);
    assert_int_equal(go(g, 0), 0x9);
    govern_free(g);
}

/* Held: two run beside each other, or three while one that was active before waits for its data, or
 * one at a barrier does.  Nobody held: no more than the limit, even when fewer are left. */
static void those_side_by_side_are_counted(void **state)
{
    (void)state;
    struct warp_view v = VIEW("sm.throttle=fixed", "sm.active_warps=2", "sm.active_set=cta");
    struct govern *g = govern_of(&v, 2, 2);
    go(g, 0);
    assert_int_equal(govern_take(g, 10), GOVERN_NONE); /* 10 cycles of two */
    assert_float_equal(g->beside_cycles, 10 * 2, 0);
    govern_at_barrier(g, 0, 25); /* its data are under way until then */
    assert_int_equal(govern_take(g, 10), 2);
    govern_turned(g, 2, true, 1);
    assert_int_equal(govern_take(g, 20), GOVERN_NONE); /* 10 of 1, 2, and 0 at its barrier */
    assert_float_equal(g->beside_cycles, 20 + 10 * 3, 0);
    govern_opened(g, 0);
    assert_int_equal(govern_take(g, 30), GOVERN_NONE); /* 10 of 0, 1, and 2 still */
    assert_float_equal(g->beside_cycles, 50 + 10 * 3, 0);
    assert_float_equal(g->held_cycles, 30, 0);
    for (uint32_t i = 0; i < 3; i++)
        govern_ended(g, i);
    assert_int_equal(govern_take(g, 30), 3);
    assert_int_equal(govern_take(g, 40), GOVERN_NONE);
    assert_float_equal(g->beside_cycles, 80 + 10 * 2, 0);
    assert_float_equal(g->held_cycles, 30, 0);
    govern_free(g);
}

/* A first level of two: the third comes when one waits for memory, not while it only paces. */
static void a_first_level_is_left_for_memory(void **state)
{
    (void)state;
    struct warp_view v = VIEW("sm.scheduler=two_level", "sm.two_level.warps=2");
    struct govern *g = govern_of(&v, 1, 4);
    assert_int_equal(go(g, 0), 0x3 << 1 | 0); /* the slots after the one promoted last, 0 */
    govern_turned(g, 1, false, 1);
    assert_int_equal(go(g, 1), 0);
    govern_turned(g, 1, true, 1);
    assert_int_equal(go(g, 2), 0x8);
    govern_free(g);
}

/* What leaves the L1 is what an LRU list of its lines says: CCWS finds as many lost lines as when
 * it is told by a list that is searched from end to end. */
static void ccws_hears_of_lines_that_leave(void **state)
{
    (void)state;
    enum { LINES = 16, WARPS = 4, STEPS = 4000, BLOCKS = 40 };
    struct warp_view v = VIEW("sm.throttle=ccws", "sm.scheduler=gto", "l1.kb=2", "l1.ways=4");
    assert_int_equal(v.l1_lines, LINES);
    struct govern *g = govern_of(&v, 1, WARPS);
    struct sm_params p = warp_view_params(&v);
    struct throttle t;
    struct rng r;
    uint64_t list[LINES] = {0}, lost = 0; /* block + 1, youngest first */
    assert_true(throttle_init(&t, &p, LINES));
    throttle_launch(&t, WARPS, 0);
    for (uint32_t i = 0; i < WARPS; i++)
        t.ops->born(&t, i);
    rng_seed(&r, 7, 0);
    for (uint32_t i = 0; i < STEPS; i++) {
        uint64_t block = rng_below(&r, BLOCKS);
        uint32_t at = 0;
        while (at < LINES && list[at] != block + 1)
            at++;
        const struct throttle_access a = {(uint32_t)rng_below(&r, WARPS), block, true, at == LINES};
        govern_access(g, &a, i);
        t.ops->access(&t, &a, 0, i);
        uint64_t leaves = at == LINES ? list[LINES - 1] : 0;
        memmove(&list[1], &list[0], (at < LINES ? at : LINES - 1) * sizeof *list);
        list[0] = block + 1;
        if (leaves) t.ops->left(&t, leaves - 1);
    }
    lost = t.ccws->hits;
    assert_true(lost > STEPS / 100);
    assert_int_equal(g->throttle.ccws->hits, lost);
    throttle_fini(&t);
    govern_free(g);
}

/* A view has what its policies look at, and no more. */
static void views_tell_policies_apart(void **state)
{
    (void)state;
    struct warp_view lrr = VIEW("sm.launch_cycles=0");
    struct warp_view all = VIEW("sm.throttle=fixed", "sm.active_warps=48", "sm.active_set=cta");
    struct warp_view most = VIEW("sm.throttle=fixed", "sm.active_warps=47", "sm.active_set=cta");
    assert_true(same_view(&lrr, &all)); /* 48 warps are all that an SM has */
    assert_false(same_view(&lrr, &most));
    assert_false(warp_view_governed(&lrr));
    assert_true(warp_view_governed(&most));
    struct warp_view four = VIEW("sm.throttle=iwl"),
                     eight = VIEW("sm.throttle=iwl", "sm.iwl.beta=8");
    assert_false(same_view(&four, &eight));
    assert_false(same_view(&four, &lrr));
    struct warp_view serial = VIEW("sm.dispatch=serial");
    assert_false(same_view(&serial, &lrr));
    assert_false(warp_view_governed(&serial));
}

/* --- accesses --- */

enum { LINE = 128, SEGMENT = 4, ROUNDS = 6 };

/* CTAs of `warps` warps; each goes over the lines `from` .. + n of its CTA, ROUNDS times, one load
 * after the other. */
struct walk {
    uint32_t ctas, warps, lines, ctas_per_block;
};

static struct program *walks(const struct walk *w)
{
    struct error e = {0};
    const char *path = in_folder("walk.plt");
    struct writer *out = writer_new(path, 32, "", &e);
    struct launch l = {
        .name = "walk", .grid = {w->ctas, 1, 1}, .block = {32 * w->warps, 1, 1}, .header = ""};
    struct static_inst load = {
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 1, .n_src = 1, .src = {1}};
    struct static_inst end = {.pc = 8, .cls = OP_EXIT, .dst = REG_NONE};
    assert_non_null(out);
    assert_true(writer_launch_begin(out, &l, &e));
    uint32_t code = writer_code(out, &load, NULL), exits = writer_code(out, &end, NULL);
    for (uint32_t c = 0; c < w->ctas; c++) {
        assert_true(writer_cta_begin(out, &e));
        for (uint32_t i = 0; i < w->warps; i++) {
            for (uint32_t k = 0; k < ROUNDS * w->lines; k++) {
                uint64_t line = 1024 + (uint64_t)(c / w->ctas_per_block) * w->lines + k % w->lines;
                assert_true(writer_inst(out, i, code, 1, &(uint64_t){line * LINE}, &e));
            }
            assert_true(writer_inst(out, i, exits, 1, NULL, &e));
        }
        assert_true(writer_cta_end(out, &e));
    }
    assert_true(writer_launch_end(out, &e) && writer_commit(out, &e));
    struct program *p = program_open(path, &(struct program_opts){.warp_width = 32}, &e);
    assert_non_null(p);
    return p;
}

/* Loads that an L1 of the machine's lines misses, by the profile. */
static double misses(const struct walk *w, const char *const *sets, size_t n)
{
    struct bed b;
    bed_machine(&b, "fermi-vws", sets, n);
    b.p = walks(w);
    bed_profile(&b, 1, false);
    const struct curve *c = &profile_launch(b.f, 0)->l1_read;
    double missed = (double)c->total - curve_full_hits(c, b.m.l1.kb * 1024.0 / LINE);
    bed_fini(&b);
    return missed;
}
#define MISSES(w, ...)                            \
    misses(w, (const char *const[]){__VA_ARGS__}, \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Mao, figure 22: two warps may be active, the L1 holds one CTA's eight lines.  From one CTA: each
 * line is missed once.  From two: every round misses all of them. */
static void figure_22(void **state)
{
    (void)state;
    const struct walk w = {2, 2, 2 * SEGMENT, 1};
#define FIGURE_22 "l1.kb=1", "l1.ways=8", "sm.count=1", "sm.throttle=fixed", "sm.active_warps=2"
    double same = MISSES(&w, FIGURE_22, "sm.active_set=cta");
    double apart = MISSES(&w, FIGURE_22, "sm.active_set=spread");
    assert_float_equal(same, 2 * 2 * SEGMENT, 1e-6);
    assert_float_equal(apart, ROUNDS * 2 * 2 * 2 * SEGMENT, 1e-6);
}

/* Figure 23: neighbours share their lines; one after the other on an SM, the second finds them. */
static void figure_23(void **state)
{
    (void)state;
    const struct walk w = {4, 1, SEGMENT, 2};
    double dealt = MISSES(&w, "sm.count=2", "sm.max_ctas=1");
    double serial = MISSES(&w, "sm.count=2", "sm.max_ctas=1", "sm.dispatch=serial");
    double balanced = MISSES(&w, "sm.count=2", "sm.max_ctas=1", "sm.dispatch=balanced");
    assert_float_equal(dealt, 4 * SEGMENT, 1e-6);
    assert_float_equal(serial, 2 * SEGMENT, 1e-6);
    assert_float_equal(balanced, 2 * SEGMENT, 1e-6);
}

/* A limit that is never reached, and loads that CCWS never keeps, leave the order as it is: so do
 * the accesses in it that wait for others' lines.  (48 warps are an SM's, 47 a limit; 24 there.) */
static void holding_nobody_changes_nothing(void **state)
{
    (void)state;
    const struct walk w = {12, 8, 24, 3};
    static const char *const rule[] = {"sm.scheduler=lrr", "sm.scheduler=gto"};
#define ANY rule[i], "sm.count=2", "sm.max_ctas=3", "l1.kb=4", "l1.ways=4"
    for (uint32_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        double plain = MISSES(&w, ANY);
        assert_true(plain > 12 / 3 * 24); /* some more than once */
        assert_float_equal(MISSES(&w, ANY, "sm.throttle=fixed", "sm.active_warps=47"), plain, 0);
        assert_float_equal(MISSES(&w, ANY, "sm.throttle=ccws", "sm.ccws.gain=0.001"), plain, 0);
    }
}

/* A launch of fewer CTAs than SMs, under every policy: nothing is missed twice, nobody fails. */
static void sms_without_a_cta(void **state)
{
    (void)state;
    const struct walk w = {1, 2, SEGMENT, 1};
    static const char *const policy[] = {
        "sm.scheduler=two_level", "sm.scheduler=intercl", "sm.scheduler=owl",  "sm.throttle=fixed",
        "sm.throttle=iwl",        "sm.throttle=ccws",     "sm.dispatch=serial"};
    for (uint32_t i = 0; i < sizeof policy / sizeof *policy; i++)
        assert_float_equal(MISSES(&w, "sm.count=4", policy[i]), SEGMENT, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_holds_the_others),
        cmocka_unit_test(those_side_by_side_are_counted),
        cmocka_unit_test(a_first_level_is_left_for_memory),
        cmocka_unit_test(ccws_hears_of_lines_that_leave),
        cmocka_unit_test(views_tell_policies_apart),
        cmocka_unit_test(figure_22),
        cmocka_unit_test(figure_23),
        cmocka_unit_test(holding_nobody_changes_nothing),
        cmocka_unit_test(sms_without_a_cta),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
