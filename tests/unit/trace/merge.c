/* Do lanes come together again as they would on a stack of immediate post-dominators?
 *
 * Random programs are lowered to control-flow graphs, every lane walks through with its own coin,
 * and the merged warp is compared with the stack. */
#include "tests/support/check.h"
#include "tests/support/merge_graphs.h"

enum { MAX_PATH = 6000, LANES = 32 };

struct warp {
    uint32_t path[LANES][MAX_PATH];
    size_t n[LANES], at[LANES];
    const struct graph *g;
    size_t count, broken_barriers;
};

/* false: a lane that does not want to end. */
static bool walk(struct warp *w, const struct graph *g, struct rng *r)
{
    w->g = g;
    uint64_t bias = 1 + rng_below(r, 3);
    for (int l = 0; l < LANES; l++) {
        w->n[l] = w->at[l] = 0;
        for (int b = 0; b != NONE;) {
            if (w->n[l] == MAX_PATH) return false;
            w->path[l][w->n[l]++] = reconverge_visit((uint32_t)b, 0);
            bool second = g->succ[b][1] != NONE && rng_below(r, 4) < bias;
            b = g->succ[b][second];
        }
    }
    return true;
}

static bool on_piece(void *ctx, uint32_t piece, uint64_t mask)
{
    struct warp *w = ctx;
    assert_true(mask != 0);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        assert_true(w->at[l] < w->n[l]);
        assert_int_equal(w->path[l][w->at[l]], reconverge_visit(piece, 0));
        w->at[l]++;
    }
    w->count++;
    if (w->g->barrier[piece] && mask != UINT32_MAX) w->broken_barriers++;
    return true;
}

static size_t merged(struct warp *w, const struct merge_order *o)
{
    struct merge_lane lane[LANES];
    for (int l = 0; l < LANES; l++) {
        lane[l] = (struct merge_lane){w->path[l], w->n[l], 0, MERGE_NO_PIECE, false, false};
        w->at[l] = 0;
    }
    w->count = w->broken_barriers = 0;
    assert_true(merge_run(o, lane, LANES, on_piece, w));
    for (int l = 0; l < LANES; l++)
        assert_int_equal(w->at[l], w->n[l]);
    return w->count;
}

struct entry {
    int block, until;
    uint64_t mask;
};

/* The reference: how many blocks a warp executes with a stack of immediate post-dominators. */
static size_t stacked(struct warp *w)
{
    static struct entry stack[LANES * MAX_BLOCKS];
    size_t height = 0, count = 0;
    memset(w->at, 0, sizeof w->at);
    stack[height++] = (struct entry){0, NONE, UINT32_MAX};
    while (height) {
        struct entry *top = &stack[height - 1];
        if (top->block == top->until) {
            height--;
            continue;
        }
        int b = top->block;
        uint64_t mask = top->mask, side[2] = {0, 0};
        count++;
        for (int l = 0; l < LANES; l++) {
            if (!(mask >> l & 1)) continue;
            assert_int_equal(w->path[l][w->at[l]++], b);
            if (w->at[l] == w->n[l]) continue;
            bool second = (int)w->path[l][w->at[l]] != w->g->succ[b][0];
            side[second] |= (uint64_t)1 << l;
        }
        top->block = w->g->ipdom[b];
        if (!side[0] && !side[1]) height--;
        for (int k = 0; k < 2; k++)
            if (side[k])
                stack[height++] = (struct entry){w->g->succ[b][k], w->g->ipdom[b], side[k]};
    }
    return count;
}

struct totals {
    size_t merged, stacked, worse, differ, programs;
};

static struct totals compare(unsigned kinds, uint64_t seed, int programs)
{
    static struct warp w;
    struct totals t = {0};
    for (int i = 0; i < programs; i++) {
        struct rng r;
        rng_seed(&r, seed, (uint64_t)i);
        struct graph g = {0};
        struct making m = {&g, &r, kinds};
        int end = graph_make_list(&m, graph_new_block(&g), 0, NONE, NONE);
        g.succ[end][0] = NONE;
        graph_shuffle(&g, &r);
        if (!walk(&w, &g, &r)) continue;
        graph_find_ipdoms(&g);
        struct merge_order o;
        graph_make_order(&o, &g);
        size_t a = merged(&w, &o), b = stacked(&w);
        merge_order_fini(&o);
        t.merged += a;
        t.stacked += b;
        t.worse += a > b;
        t.differ += a != b;
        t.programs++;
    }
    return t;
}

static void structured_code_merges_like_the_stack(void **state)
{
    (void)state;
    struct totals t = compare(STRUCTURED, 1, 250);
    assert_true(t.programs > 120);
    assert_int_equal(t.differ, 0);
}

static void breaks_and_continues_merge_at_least_as_well(void **state)
{
    (void)state;
    struct totals t = compare(ALL, 2, 250);
    assert_true(t.programs > 120);
    assert_int_equal(t.worse, 0);
    assert_true(t.merged < t.stacked);
}

/* Two nested loops whose trip counts depend on the lane: the inner body runs as often as the
 * slowest lane needs in each round of the outer one. */
static void nested_loops_cost_the_slowest_lane_of_each_round(void **state)
{
    (void)state;
    enum { ENTRY, OUTER, INNER, BODY, TAIL, END, ROUNDS = 6 };
    struct graph g = {
        .n = 6,
        .succ = {
            {OUTER, NONE}, {INNER, END}, {BODY, TAIL}, {INNER, NONE}, {OUTER, NONE}, {NONE, NONE}}};
    static struct warp w;
    w.g = &g;
    size_t expected = 1 + (ROUNDS + 1) + 1 + ROUNDS; /* entry, outer heads, end, tails */
    unsigned slowest[ROUNDS] = {0};
    for (unsigned l = 0; l < LANES; l++) {
        size_t n = 0;
        w.path[l][n++] = ENTRY;
        for (unsigned round = 0; round < ROUNDS; round++) {
            unsigned trips = (l * 7 + round * 13) % 11;
            if (trips > slowest[round]) slowest[round] = trips;
            w.path[l][n++] = OUTER;
            for (unsigned k = 0; k < trips; k++) {
                w.path[l][n++] = INNER;
                w.path[l][n++] = BODY;
            }
            w.path[l][n++] = INNER;
            w.path[l][n++] = TAIL;
        }
        w.path[l][n++] = OUTER;
        w.path[l][n++] = END;
        w.n[l] = n;
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        expected += 2 * slowest[round] + 1;
    struct merge_order o;
    graph_make_order(&o, &g);
    assert_int_equal(merged(&w, &o), expected);
    merge_order_fini(&o);
}

/* A random body between barriers in a loop of fixed length: every barrier sees all lanes, whatever
 * happened before it. */
static void barriers_wait_for_all_lanes(void **state)
{
    (void)state;
    static struct warp w;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct rng r;
        rng_seed(&r, 3, seed);
        struct graph g = {0};
        struct making m = {&g, &r, ALL};
        int at = graph_new_block(&g);
        for (int k = 0; k < 3 && g.n < MAX_BLOCKS / 2; k++) {
            int barrier = graph_new_block(&g), next = graph_new_block(&g);
            at = graph_make_list(&m, at, 2, NONE, NONE);
            g.succ[at][0] = barrier;
            g.succ[barrier][0] = next;
            g.barrier[barrier] = true;
            at = next;
        }
        graph_shuffle(&g, &r);
        if (!walk(&w, &g, &r)) continue;
        struct merge_order o;
        graph_make_order(&o, &g);
        merged(&w, &o);
        assert_int_equal(w.broken_barriers, 0);
        merge_order_fini(&o);
    }
}

/* The pieces that the lanes first .. first + n - 1 go through, with their masks. */
struct half {
    uint32_t first, n, at;
    uint32_t piece[LANES * MAX_PATH];
    uint64_t mask[LANES * MAX_PATH];
};

static bool on_half(void *ctx, uint32_t piece, uint64_t mask)
{
    struct half *h = ctx;
    uint64_t own = mask >> h->first & (((uint64_t)1 << h->n) - 1);
    if (own == 0) return true;
    h->piece[h->at] = piece;
    h->mask[h->at++] = own;
    return true;
}

static void run_lanes(const struct merge_order *o, const struct warp *w, uint32_t first, uint32_t n,
                      struct half *h)
{
    struct merge_lane lane[LANES];
    for (uint32_t l = 0; l < n; l++)
        lane[l] = (struct merge_lane){w->path[first + l], w->n[first + l], 0,
                                      MERGE_NO_PIECE,     false,           false};
    h->at = 0;
    assert_true(merge_run(o, lane, n, on_half, h));
}

/* Tells each lane's path bit by bit; what is told of an open lane may go on in its last visit. */
static void run_by_bits(const struct merge_order *o, const struct warp *w, struct rng *r,
                        struct half *h)
{
    struct merge_lane lane[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        lane[l] = (struct merge_lane){w->path[l], 0, 0, MERGE_NO_PIECE, true, true};
    h->at = 0;
    for (bool open = true; open;) {
        open = false;
        for (uint32_t l = 0; l < LANES; l++) {
            size_t more = rng_below(r, 4);
            lane[l].n = lane[l].n + more < w->n[l] ? lane[l].n + more : w->n[l];
            lane[l].open = lane[l].n < w->n[l];
            lane[l].going = lane[l].open && rng_below(r, 2);
            open |= lane[l].open;
        }
        assert_true(merge_run(o, lane, LANES, on_half, h));
    }
}

static void open_lanes_merge_as_if_all_were_known(void **state)
{
    (void)state;
    static struct warp w;
    static struct half whole, bits;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct rng r;
        rng_seed(&r, 6, seed);
        struct graph g = {0};
        struct making m = {&g, &r, ALL};
        graph_make_list(&m, graph_new_block(&g), 0, NONE, NONE);
        graph_shuffle(&g, &r);
        if (!walk(&w, &g, &r)) continue;
        struct merge_order o;
        graph_make_order(&o, &g);
        whole.first = bits.first = 0;
        whole.n = bits.n = LANES;
        run_lanes(&o, &w, 0, LANES, &whole);
        run_by_bits(&o, &w, &r, &bits);
        assert_int_equal(whole.at, bits.at);
        assert_memory_equal(whole.piece, bits.piece, whole.at * sizeof *whole.piece);
        assert_memory_equal(whole.mask, bits.mask, whole.at * sizeof *whole.mask);
        merge_order_fini(&o);
    }
}

/* A wide warp seen by halves goes the same way as two narrow ones. */
static void halves_of_a_warp_merge_as_they_would_alone(void **state)
{
    (void)state;
    static struct warp w;
    static struct half wide, narrow;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct rng r;
        rng_seed(&r, 4, seed);
        struct graph g = {0};
        struct making m = {&g, &r, ALL};
        graph_make_list(&m, graph_new_block(&g), 0, NONE, NONE);
        graph_shuffle(&g, &r);
        if (!walk(&w, &g, &r)) continue;
        struct merge_order o;
        graph_make_order(&o, &g);
        for (uint32_t half = 0; half < 2; half++) {
            wide.first = half * LANES / 2;
            narrow.first = 0;
            wide.n = narrow.n = LANES / 2;
            run_lanes(&o, &w, 0, LANES, &wide);
            run_lanes(&o, &w, half * LANES / 2, LANES / 2, &narrow);
            assert_int_equal(wide.at, narrow.at);
            assert_memory_equal(wide.piece, narrow.piece, wide.at * sizeof *wide.piece);
            assert_memory_equal(wide.mask, narrow.mask, wide.at * sizeof *wide.mask);
        }
        merge_order_fini(&o);
    }
}

struct steps {
    uint32_t piece[16];
    uint64_t mask[16];
    uint32_t n;
};

static bool on_step(void *ctx, uint32_t piece, uint64_t mask)
{
    struct steps *s = ctx;
    s->piece[s->n] = piece;
    s->mask[s->n++] = mask;
    return true;
}

/* if (a) f(); else f(); rest, where f is piece 5: called from two places, it runs first, and the
 * lanes that are in it at the same time run it together. */
static void calls_run_before_their_callers_go_on(void **state)
{
    (void)state;
    enum { ENTRY, CALL_A, BEHIND_A, CALL_B, REST, FUNCTION };
    struct graph g = {.n = 6,
                      .succ = {{CALL_A, CALL_B},
                               {BEHIND_A, NONE},
                               {REST, NONE},
                               {REST, NONE},
                               {NONE, NONE},
                               {NONE, NONE}}};
    uint32_t in = reconverge_visit(FUNCTION, 1);
    uint32_t a[] = {ENTRY, CALL_A, in, BEHIND_A, REST}, b[] = {ENTRY, CALL_B, in, REST};
    struct merge_lane lane[] = {{a, 5, 0, MERGE_NO_PIECE, false, false},
                                {b, 4, 0, MERGE_NO_PIECE, false, false}};
    struct merge_order o;
    graph_make_order(&o, &g);
    struct steps s = {.n = 0};
    assert_true(merge_run(&o, lane, 2, on_step, &s));
    assert_int_equal(s.n, 7); /* the calls were not made at once: f runs twice */
    assert_int_equal(s.piece[0], ENTRY);
    assert_int_equal(s.mask[0], 3);
    bool a_first = s.piece[1] == CALL_A;
    assert_int_equal(s.piece[2], FUNCTION);
    assert_int_equal(s.mask[2], a_first ? 1 : 2);
    assert_int_equal(s.piece[6], REST);
    assert_int_equal(s.mask[6], 3);
    merge_order_fini(&o);
}

static void runs_can_be_cut_anywhere(void **state)
{
    (void)state;
    enum { HEAD, BODY, EXIT };
    struct graph g = {.n = 3, .succ = {{BODY, EXIT}, {HEAD, NONE}, {NONE, NONE}}};
    uint32_t a[] = {HEAD, BODY, HEAD, BODY, HEAD, EXIT};
    struct merge_lane lane = {a, 2, 0, MERGE_NO_PIECE, false, false};
    struct merge_order o;
    graph_make_order(&o, &g);
    struct steps s = {.n = 0};
    assert_true(merge_run(&o, &lane, 1, on_step, &s));
    assert_int_equal(lane.before, BODY);
    lane = (struct merge_lane){a + 2, 4, 0, lane.before, false, false};
    assert_true(merge_run(&o, &lane, 1, on_step, &s));
    assert_int_equal(s.n, 6);
    assert_int_equal(s.piece[5], EXIT);
    merge_order_fini(&o);
}

static void too_many_pieces_are_refused(void **state)
{
    (void)state;
    struct merge_flow f = {.n = MERGE_MAX_PIECES + 1};
    struct merge_order o;
    struct error e;
    assert_false(merge_order_init(&o, &f, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "16385 pieces");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structured_code_merges_like_the_stack),
        cmocka_unit_test(breaks_and_continues_merge_at_least_as_well),
        cmocka_unit_test(nested_loops_cost_the_slowest_lane_of_each_round),
        cmocka_unit_test(barriers_wait_for_all_lanes),
        cmocka_unit_test(halves_of_a_warp_merge_as_they_would_alone),
        cmocka_unit_test(open_lanes_merge_as_if_all_were_known),
        cmocka_unit_test(calls_run_before_their_callers_go_on),
        cmocka_unit_test(runs_can_be_cut_anywhere),
        cmocka_unit_test(too_many_pieces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
