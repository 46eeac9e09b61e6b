/* sampled_profile.c - a profile in which a part of the program stands for the whole: against closed
 * forms, slow references and the exact profile. */
#include "sampler/strata/est_params.h"
#include "tests/support/estimator_support.h"

#include "estimator/pass/repeated_launches.h"
#include "estimator/pass/sm_group.h"
#include "estimator/profile/profile_data.h"
#include "estimator/reuse/followed_lines.h"
#include "estimator/reuse/line_accesses.h"
#include "trace/program/cursor.h"

#include <stdlib.h>
#include <string.h>

static void bed_sampled(struct bed *b, const char *machine, const char *program)
{
    struct error e = {0};
    bed_machine(b, machine, NULL, 0);
    bed_program(b, program);
    struct profile_view v = est_view_of(&b->m);
    b->f = profile_get(b->p, &v, PROFILE_SAMPLED, 2, false, NULL, &e);
    if (!b->f) fail_msg("%s", e.text);
}

/* --- which lines are followed --- */

static void one_key_in_so_many_is_followed(void **state)
{
    (void)state;
    struct followed_lines f;
    const struct line_sets at = {.index = INDEX_MODULO};
    for (uint32_t one_in = 1; one_in <= 16; one_in *= 2)
        for (uint32_t sets = 0; sets <= 8192; sets = sets ? sets * 16 : 512) {
            followed_lines_init(&f, one_in, sets, &at);
            uint32_t n = 0, most = sets ? sets : 4096;
            for (uint64_t line = 0; line < most; line++)
                n += followed_lines_has(&f, line);
            assert_int_equal(n, most / one_in);
            for (uint64_t line = 0; sets && line < most; line++)
                assert_true(followed_lines_has(&f, line) ==
                            followed_lines_has(&f, line + 37 * (uint64_t)sets));
        }
}

/* --- accesses of an instruction --- */

/* Lane by lane: a sector that the group has not touched is new; neighbours in a line go together.
 */
static uint32_t slow_accesses(const struct profile_view *v, const struct warp_inst *w,
                              struct line_access *out)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask), n = 0, lane_of[64], k = 0;
    for (uint32_t i = 0; i < 64; i++)
        if (w->mask >> i & 1) lane_of[k++] = i;
    for (uint32_t from = 0; from < lanes;) {
        uint32_t group = lane_of[from] / v->load_lanes, m = 0;
        uint64_t seen[256];
        for (; from < lanes && lane_of[from] / v->load_lanes == group; from++) {
            uint64_t addr = warp_inst_addr(w, from);
            for (uint64_t s = addr / v->l1_sector; s <= (addr + w->si->width - 1) / v->l1_sector;
                 s++) {
                bool known = false;
                for (uint32_t i = 0; i < m; i++)
                    known |= seen[i] == s;
                if (!known) seen[m++] = s;
            }
        }
        for (uint32_t i = 0; i < m; i++) {
            uint64_t line = seen[i] * v->l1_sector / v->l1_line;
            uint8_t bit = (uint8_t)(1u << seen[i] % (v->l1_line / v->l1_sector));
            if (!n || out[n - 1].line != line || (out[n - 1].mask & bit))
                out[n++] = (struct line_access){.line = line};
            out[n - 1].mask |= bit;
        }
    }
    return n;
}

static void sectors_of_loads_are_those_lane_by_lane(void **state)
{
    (void)state;
    static struct line_accesses a;
    static struct line_access slow[256];
    static const char *const machine[] = {"rx540", "qv100", "gtx480"};
    struct rng r;
    rng_seed(&r, 1, 0);
    for (uint32_t i = 0; i < 6000; i++) {
        struct bed b;
        bed_machine(&b, machine[i % 3], NULL, 0);
        struct profile_view v = est_view_of(&b.m);
        uint64_t list[64], window = UINT64_C(1) << (4 + rng_below(&r, 12));
        struct static_inst si = {.cls = OP_LOAD, .width = (uint8_t)(1u << rng_below(&r, 5))};
        struct warp_inst w = {.si = &si, .mask = rng_next(&r) | 1, .form = ADDR_LIST, .list = list};
        if (v.warp_width < 64) w.mask &= UINT32_MAX;
        for (uint32_t k = 0; k < 64; k++)
            list[k] = (1 << 20) + rng_below(&r, window);
        if (i % 2) w.form = ADDR_STRIDE, w.base = list[0], w.stride = (int64_t)rng_below(&r, 300);
        line_accesses_find(&a, &v, &w);
        assert_int_equal(a.n, slow_accesses(&v, &w, slow));
        for (uint32_t k = 0; k < a.n; k++) {
            assert_int_equal(a.at[k].line, slow[k].line);
            assert_int_equal(a.at[k].mask, slow[k].mask);
        }
    }
}

/* --- accesses alone --- */

/* A stream's global accesses are those that all of its instructions have among them, whole and by
 * halves. */
static void accesses_are_the_streams(void **state)
{
    (void)state;
    static const char *const machine[] = {"rx540", "qv100"};
    struct error e = {0};
    for (uint32_t m = 0; m < 2; m++) {
        struct bed b;
        bed_machine(&b, machine[m], NULL, 0);
        struct program_opts o = {.warp_width = b.m.sm.warp_width};
        b.p = program_open("configs/workloads/quick/bfs.plt", &o, &e);
        assert_non_null(b.p);
        struct reader *r = reader_new(b.p, &e);
        struct cursor all = {0}, some = {0};
        uint32_t seen = 0;
        for (uint32_t l = 0; l < program_launches(b.p); l++)
            for (uint32_t warp = 0; warp < program_launch(b.p, l)->warps_per_cta; warp++) {
                struct warp_inst x, y;
                assert_true(cursor_seek(&all, r, l, 0, warp, 0, &e) &&
                            cursor_seek(&some, r, l, 0, warp, 0, &e));
                while (cursor_next(&all, &x, &e) == GOT_INST) {
                    if (!inst_op_is_global(x.si->cls)) continue;
                    if (m && !x.mask) continue;
                    assert_int_equal(cursor_next_access(&some, &y, &e), GOT_INST);
                    assert_int_equal(x.code, y.code);
                    assert_int_equal(x.mask, y.mask);
                    assert_int_equal(warp_inst_addr(&x, 0), warp_inst_addr(&y, 0));
                    seen++;
                }
                assert_int_equal(cursor_next_access(&some, &y, &e), GOT_END);
                assert_true(all.done - some.done <= 1); /* a half's final exit */
            }
        assert_true(seen > 100);
        cursor_release(&all);
        cursor_release(&some);
        reader_free(r);
        program_close(b.p);
    }
}

/* --- SMs that follow --- */

#define TILES                                                                          \
    "generator = \"stencil\"; n = 512; ctas = 128; warps_per_cta = 4; iterations = 8;" \
    "launches = 2;"

/* Sums over a launch's accesses, which do not depend on their order. */
struct delivered {
    uint64_t n, lines, masks;
};

static struct delivered deliver(const struct bed *b, uint32_t full)
{
    struct error e = {0};
    struct delivered d = {0};
    struct profile_view v = est_view_of(&b->m);
    struct pass_plan plan = {.full = full, .followed = {.one_in = 1}};
    struct sm_group *g = sm_group_new(&v, b->p, &plan, 2, NULL, NULL, NULL, &e);
    struct team_work work[GROUP_WORKS];
    assert_non_null(g);
    sm_group_works(g, work);
    struct team *team = team_new(2, work, GROUP_WORKS);
    assert_non_null(team);
    sm_group_join(g, team);
    for (uint32_t l = 0; l < program_launches(b->p); l++) {
        struct group_window w = {.done = false};
        assert_true(sm_group_launch(g, l, &e));
        for (uint64_t from = 0; !w.done; from += 4096) {
            assert_true(sm_group_run(g, from, from + 4096, STREAM_SAMPLE, &w, &e));
            for (size_t i = 0; i < w.n; i++) {
                assert_true(w.order[i]->time < from + 4096);
                assert_true(!i || w.order[i]->time >= w.order[i - 1]->time);
                d.n++;
                d.lines += rng_splitmix64(w.order[i]->addr * 8 + w.order[i]->kind);
                d.masks += w.order[i]->mask;
            }
        }
    }
    sm_group_free(g);
    team_free(team);
    return d;
}

/* Whoever runs in full, the program's accesses are all there, each once. */
static void followers_access_what_is_theirs(void **state)
{
    (void)state;
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    bed_program(&b, TILES);
    struct delivered exact = deliver(&b, b.m.sm.count);
    for (uint32_t full = 1; full < b.m.sm.count; full += 3) {
        struct delivered d = deliver(&b, full);
        assert_int_equal(d.n, exact.n);
        assert_int_equal(d.lines, exact.lines);
        assert_int_equal(d.masks, exact.masks);
    }
    program_close(b.p);
}

/* --- what is left out --- */

/* Each of two launches streams over 96 MB, twice the lines of which only a part is run. */
#define LONG_STREAM                                                                           \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 24576; warps_per_cta = 4; unroll = 2;" \
    "iterations = 1; element_bytes = 4; launches = 2; footprint = \"96MB\";"

static void counts_are_those_of_the_whole(void **state)
{
    (void)state;
    struct bed b;
    bed_sampled(&b, "rx540", LONG_STREAM);
    uint64_t counted[2];
    struct error e = {0};
    assert_true(program_count(b.p, counted, &e));
    double footprint = 0;
    for (uint32_t l = 0; l < 2; l++) {
        const struct launch_profile *p = profile_launch(b.f, l);
        assert_near(profile_instructions(b.f, l), (double)counted[l], 1);
        assert_near(p->loads / (p->loads + p->stores), 0.5, 0.01);
        footprint += b.f->place[l].lines_after - b.f->place[l].lines_before;
    }
    /* every line is accessed once in each launch, and is new in the first */
    const struct launch_profile *first = profile_launch(b.f, 0);
    double accesses = first->loads + first->stores;
    assert_near(b.f->place[0].lines_after / accesses, 1, 0.1);
    assert_near(first->l2_read.far / first->l2_read.total, 1, 0.01);
    assert_true(footprint > 0);
    bed_fini(&b);
}

/* What an L2 of so many bytes writes back, over all stores. */
static double written_back(const struct bed *b, const struct launch_profile *p, double bytes)
{
    const struct curve *c = &p->l2_writeback;
    return 1 - curve_full_hits(c, bytes / b->f->view.l2_line) / (double)c->total;
}

/* A copy leaves half of the L2 dirty, though what stood there last was left out; its first launch
 * writes that much less than it stores, the second writes what the first has left, too. An L2 of
 * more than both arrays writes nothing. */
static void what_stays_dirty_is_not_written(void **state)
{
    (void)state;
    struct bed b;
    const double mb = 1 << 20, stored = 48 * mb;
    bed_sampled(&b, "rx540", LONG_STREAM);
    const struct launch_profile *first = profile_launch(b.f, 0), *second = profile_launch(b.f, 1);
    assert_near((double)first->l2_writeback.total / first->stores, 1, 0.05);
    for (double l2 = 4 * mb; l2 <= 64 * mb; l2 *= 2) {
        assert_near(written_back(&b, first, l2), 1 - 0.5 * l2 / stored, 0.05);
        assert_near(written_back(&b, second, l2), 1, 0.05);
    }
    assert_near(written_back(&b, first, 120 * mb), 0, 0.05);
    assert_near(written_back(&b, second, 120 * mb), 0, 0.05);
    bed_fini(&b);
}

#define SWEEPS                                                                               \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 6144; warps_per_cta = 4; unroll = 2;" \
    "iterations = 1; element_bytes = 4; launches = 3; footprint = \"24MB\";"

/* What a launch streamed over is touched again by the next one behind all of it: reads hit in an L2
 * of a third more lines, and not in one of a third less, though most CTAs were left out. */
static void reuse_goes_over_what_is_left_out(void **state)
{
    (void)state;
    struct bed b;
    bed_sampled(&b, "rx540", SWEEPS);
    const struct launch_profile *p = profile_launch(b.f, 2);
    double lines = b.f->place[0].lines_after;
    assert_true(lines > 100000);
    assert_true(curve_full_hits(&p->l2_read, 1.35 * lines) > 0.95 * (double)p->l2_read.total);
    assert_true(curve_full_hits(&p->l2_read, 0.65 * lines) < 0.05 * (double)p->l2_read.total);
    bed_fini(&b);
}

#define MANY                                                                               \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 64; warps_per_cta = 4; unroll = 2;" \
    "iterations = 4; element_bytes = 4; launches = 60; footprint = \"1MB\";"

static void launches_that_repeat_share_a_profile(void **state)
{
    (void)state;
    struct bed b;
    struct repeated_launches r = {0};
    uint32_t taken = 0, as = 0;
    bool failed = false;
    bed_machine(&b, "rx540", NULL, 0);
    bed_program(&b, MANY);
    r.p = b.p;
    for (uint32_t l = 0; l < program_launches(b.p); l++) {
        bool repeats = repeated_launches_find(&r, l, &as, &failed);
        assert_false(failed);
        assert_true(!repeats || (as < l && l - as < 16));
        assert_true(l >= 2 || !repeats);
        taken += !repeats;
    }
    assert_int_equal(taken, 2 + 58 / 16);
    repeated_launches_fini(&r);
    program_close(b.p);
}

#define SHAPE "op = \"gemm\"; M = 64; K = 64; tile_m = 64; tile_n = 64; warps_m = 2; warps_n = 2; "
#define LAYER                                                                                  \
    "layer = ( { " SHAPE "N = 64; name = \"q\"; a = \"x\"; b = \"wq\"; c = \"q\"; }, { " SHAPE \
    "N = 128; name = \"up\"; a = \"x\"; b = \"wu\"; c = \"u\"; }, { " SHAPE                    \
    "N = 64; name = \"k\"; a = \"x\"; b = \"wk\"; c = \"k\"; }, { " SHAPE                      \
    "N = 64; name = \"v\"; a = \"x\"; b = \"wv\"; c = \"v\"; } );"

/* The third product of one shape repeats the second; one of another shape does not. */
static void names_do_not_tell_launches_apart(void **state)
{
    (void)state;
    struct error e = {0};
    struct program *p = program_generate("layer", LAYER, NULL, &e);
    struct repeated_launches r = {.p = p};
    bool failed = false;
    uint32_t as = 0;
    assert_non_null(p);
    for (uint32_t l = 0; l < 4; l++)
        assert_int_equal(repeated_launches_find(&r, l, &as, &failed), l == 3);
    assert_int_equal(as, 2);
    assert_false(failed);
    repeated_launches_fini(&r);
    program_close(p);
}

/* --- tallies --- */

/* Accesses at distances of 0 to 15 among one line in four lie evenly over 0 to 63 among all. */
static void scaled_tallies_are_spread(void **state)
{
    (void)state;
    static struct hit_tally t;
    static struct curve c;
    const uint8_t in_set[REUSE_ORGS] = {3, 3, 3, 3, 3};
    for (uint32_t d = 0; d < 16; d++)
        hit_tally_add(&t, d, in_set, REUSE_ORGS);
    hit_tally_add(&t, REUSE_FAR, in_set, 0);
    hit_tally_scale(&t, 4, 4);
    hit_tally_curve(&t, &c);
    assert_near(t.total, 68, 1e-9);
    assert_near(t.far, 4, 1e-9);
    assert_near(t.in_set[2][3], 64, 1e-9);
    for (uint32_t lines = 0; lines <= 64; lines += 8)
        assert_near(curve_full_hits(&c, lines), lines, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_key_in_so_many_is_followed),
        cmocka_unit_test(sectors_of_loads_are_those_lane_by_lane),
        cmocka_unit_test(accesses_are_the_streams),
        cmocka_unit_test(followers_access_what_is_theirs),
        cmocka_unit_test(counts_are_those_of_the_whole),
        cmocka_unit_test(what_stays_dirty_is_not_written),
        cmocka_unit_test(reuse_goes_over_what_is_left_out),
        cmocka_unit_test(launches_that_repeat_share_a_profile),
        cmocka_unit_test(names_do_not_tell_launches_apart),
        cmocka_unit_test(scaled_tallies_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
