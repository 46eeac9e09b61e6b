/* Programs written by hand, whose time follows from one thing: what an acquire takes away, a warp
 * that outlasts the others, channels taken in turns, CTAs that stay on a sub-core. */
#include "base/memory/rng.h"
#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"
#include "tests/support/estimator_support.h"
#include "trace/plt/writer.h"

enum { LANES = 64, FAR = 1 << 20 };

struct hand {
    struct writer *w;
    uint32_t warp, load, chained, add, other, acquire, exit;
};

static void hand_code(struct hand *h)
{
    struct static_inst load = {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 1};
    struct static_inst add = {.pc = 8, .cls = OP_INT, .dst = 3, .n_src = 1, .src = {3}};
    struct static_inst acquire = {.pc = 16, .cls = OP_ACQUIRE, .dst = REG_NONE};
    struct static_inst end = {.pc = 24, .cls = OP_EXIT, .dst = REG_NONE};
    h->load = writer_code(h->w, &load, NULL);
    load.pc = 4;
    load.n_src = 1; /* needs what the one before brought */
    load.src[0] = 1;
    h->chained = writer_code(h->w, &load, NULL);
    h->add = writer_code(h->w, &add, NULL);
    add.pc = 12; /* a chain of its own */
    add.dst = add.src[0] = 4;
    h->other = writer_code(h->w, &add, NULL);
    h->acquire = writer_code(h->w, &acquire, NULL);
    h->exit = writer_code(h->w, &end, NULL);
}

/* Lanes side by side from addr. */
static void hand_inst(struct hand *h, uint32_t code, uint32_t lanes, uint64_t addr)
{
    struct error e = {0};
    uint64_t list[LANES], mask = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
    bool memory = code == h->load || code == h->chained;
    for (uint32_t i = 0; i < lanes; i++)
        list[i] = addr + 4 * i;
    if (!writer_inst(h->w, h->warp, code, mask, memory ? list : NULL, &e)) fail_msg("%s", e.text);
}

typedef void warp_fn(struct hand *h, uint32_t cta, const void *ctx);

static void hand_launch(struct hand *h, uint32_t ctas, uint32_t warps, warp_fn *warp,
                        const void *ctx)
{
    struct error e = {0};
    struct launch l = {
        .name = "hand", .grid = {ctas, 1, 1}, .block = {LANES * warps, 1, 1}, .header = ""};
    assert_true(writer_launch_begin(h->w, &l, &e));
    hand_code(h);
    for (uint32_t c = 0; c < ctas; c++) {
        assert_true(writer_cta_begin(h->w, &e));
        for (h->warp = 0; h->warp < warps; h->warp++) {
            warp(h, c, ctx);
            hand_inst(h, h->exit, LANES, 0);
        }
        assert_true(writer_cta_end(h->w, &e));
    }
    assert_true(writer_launch_end(h->w, &e));
}

/* The launch, again for each of ctx[n]. */
static void bed_hand_each(struct bed *b, uint32_t ctas, uint32_t warps, warp_fn *warp,
                          const void *const *ctx, uint32_t n)
{
    struct error e = {0};
    const char *path = in_folder("hand.plt");
    struct hand h = {.w = writer_new(path, LANES, "", &e)};
    assert_non_null(h.w);
    for (uint32_t i = 0; i < n; i++)
        hand_launch(&h, ctas, warps, warp, ctx[i]);
    assert_true(writer_commit(h.w, &e));
    b->p = program_open(path, &(struct program_opts){.warp_width = LANES}, &e);
    if (!b->p) fail_msg("%s", e.text);
    bed_profile(b, 1, false);
}

static void bed_hand(struct bed *b, uint32_t ctas, uint32_t warps, warp_fn *warp, const void *ctx)
{
    bed_hand_each(b, ctas, warps, warp, &ctx, 1);
}

/* --- acquires --- */

enum { TIMES = 10 };

static void same_line_again(struct hand *h, uint32_t cta, const void *ctx)
{
    const bool *acquires = ctx;
    for (uint32_t i = 0; i < TIMES; i++) {
        hand_inst(h, h->load, 1, FAR + cta * 4096);
        hand_inst(h, h->chained, 1, FAR + cta * 4096);
        if (*acquires) hand_inst(h, h->acquire, LANES, 0);
    }
}

/* The first load after each acquire misses, the second one does not. */
static void acquires_empty_the_l1(void **state)
{
    (void)state;
    for (uint32_t acquires = 0; acquires < 2; acquires++) {
        struct bed b;
        struct metrics m;
        bool with = acquires;
        bed_machine(&b, "rx540", NULL, 0);
        bed_hand(&b, 2, 1, same_line_again, &with);
        const struct curve *c = &profile_launch(b.f, 0)->l1_read;
        double misses = 2 * (with ? TIMES : 1);
        assert_near(c->total, 2 * 2 * TIMES, 0);
        assert_near(c->far, misses, 0);
        bed_estimate(&b, &m, NULL);
        assert_near(m.v[M_l2_reads], misses, 0.01);
        assert_near(m.v[M_l2_fetches], 2, 0.01); /* the L2 keeps the lines */
        bed_fini(&b);
    }
}

static void first_lines_again(struct hand *h, uint32_t cta, const void *ctx)
{
    const bool *acquires = ctx;
    for (uint32_t i = 0; i < TIMES; i++) {
        hand_inst(h, h->load, 1, cta * 4096); /* line 0, too */
        if (*acquires) hand_inst(h, h->acquire, LANES, 0);
    }
}

/* Who wants a line that an acquire took is counted where there are acquires, not in the launches
 * after them. */
static void acquires_end_with_their_launch(void **state)
{
    (void)state;
    static const bool with = true, without = false;
    const void *const launches[] = {&without, &with, &without, &with};
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    bed_hand_each(&b, 2, 4, first_lines_again, launches, 4);
    double wanted[4];
    for (uint32_t i = 0; i < 4; i++)
        wanted[i] = profile_launch(b.f, i)->wanted;
    assert_true(wanted[0] <= 0 && wanted[2] <= 0);
    assert_true(wanted[1] > 0 && wanted[3] > 0);
    assert_near(wanted[1], wanted[3], 0);
    bed_fini(&b);
}

/* --- the longest warp --- */

enum { MANY = 1000, FEW = 2, CTAS = 64 };

/* Spread over channels and banks. */
static uint64_t row_of_its_own(uint32_t i)
{
    return FAR + rng_splitmix64(i) % (1 << 18) * 4096;
}

static void one_chases_longer(struct hand *h, uint32_t cta, const void *ctx)
{
    const uint32_t *who = ctx;
    uint32_t n = cta == *who ? MANY : FEW;
    for (uint32_t i = 0; i < n; i++)
        hand_inst(h, h->chained, 1, row_of_its_own(cta * MANY + i));
}

static void one_adds_longer(struct hand *h, uint32_t cta, const void *ctx)
{
    const uint32_t *who = ctx;
    for (uint32_t i = 0; i < (cta == *who ? MANY : FEW); i++)
        hand_inst(h, h->add, LANES, 0);
}

/* Of waves of short warps and one long one nothing but the long one is seen: in step with a chain
 * of additions, and with one of loads, each with its row to open. */
static void the_longest_warp_goes_on_alone(void **state)
{
    (void)state;
    const uint32_t who[] = {0, CTAS - 1}, only = 0;
    for (uint32_t i = 0; i < 4; i++) {
        warp_fn *warp = i < 2 ? one_adds_longer : one_chases_longer;
        struct bed b, alone;
        bed_machine(&b, "rx540", NULL, 0);
        bed_set(&b, "sm.launch_cycles=0");
        alone = b;
        bed_hand(&alone, 1, 1, warp, &only);
        bed_hand(&b, CTAS, 1, warp, &who[i % 2]);
        const struct launch_profile *p = profile_launch(b.f, 0);
        assert_near(p->longest_instructions, MANY + 1, 0);
        assert_near(p->longest_waits, i < 2 ? 0 : MANY, 0);
        double ratio = bed_cycles(&b) / bed_cycles(&alone);
        print_message("ratio %u %.3f\n", i, ratio);
        assert_true(ratio > 0.98 && ratio < (i < 2 ? 1.05 : 1.4));
        bed_fini(&b);
        bed_fini(&alone);
    }
}

/* --- channels taken in turns --- */

enum { CHANNELS = 4, TURN = 64, WARPS = 256, STRIPE = 256 };

struct turns {
    struct map map;
    uint64_t block[CHANNELS][WARPS * TURN]; /* of a channel, ascending */
    bool together;                          /* everyone at one channel at a time */
};

static void turns_find(struct turns *t, const struct bed *b)
{
    struct error e = {0};
    uint32_t n[CHANNELS] = {0}, full = 0;
    assert_true(map_init(&t->map, &b->m.l2, &b->m.dram, &e));
    for (uint64_t a = FAR; full < CHANNELS; a += STRIPE) {
        uint32_t c = map_channel(&t->map, a);
        if (n[c] == WARPS * TURN) continue;
        t->block[c][n[c]++] = a;
        full += n[c] == WARPS * TURN;
    }
}

static void channel_by_channel(struct hand *h, uint32_t cta, const void *ctx)
{
    const struct turns *t = ctx;
    uint32_t warp = cta * 4 + h->warp;
    for (uint32_t i = 0; i < CHANNELS * TURN; i++) {
        uint32_t c = t->together ? i / TURN : (i + warp) % CHANNELS;
        uint32_t k = t->together ? i % TURN : i / CHANNELS;
        hand_inst(h, h->chained, LANES, t->block[c][k * WARPS + warp]);
    }
}

/* All warps at one channel, then all at the next: over the launch an even load, yet never more than
 * one channel's bandwidth, or two channels' while some warps are a turn ahead. */
static void channels_in_turns_are_one_channel(void **state)
{
    (void)state;
    static struct turns t;
    struct bed b;
    bed_machine(&b, "rx540", NULL, 0);
    assert_int_equal(b.m.dram.channels, CHANNELS);
    turns_find(&t, &b);
    const struct dram_params *d = &b.m.dram;
    double bytes = (double)CHANNELS * TURN * WARPS * STRIPE;
    double gbps = (double)d->bus_bytes * d->beats_per_clock * d->clock_mhz / 1e3;
    double one_channel = bytes / (gbps * 1e3) * b.m.clock.core_mhz;
    for (uint32_t i = 0; i < 2; i++) {
        t.together = i == 1;
        bed_hand(&b, WARPS / 4, 4, channel_by_channel, &t);
        double ratio = bed_cycles(&b) / one_channel;
        assert_true(t.together ? ratio >= 0.5 && ratio < 1.1 : ratio >= 0.25 && ratio < 0.5);
        bed_fini(&b);
    }
}

/* --- CTAs on one sub-core --- */

enum { ADDS = 2000, UNIT = 4 }; /* 64 lanes on units of 16 */

static void adds(struct hand *h, uint32_t cta, const void *ctx)
{
    (void)cta, (void)ctx;
    for (uint32_t i = 0; i < ADDS; i++)
        hand_inst(h, h->add, LANES, 0);
}

/* One CTA of four warps on each SM: one after the other on one unit, or each on its own. */
static void bound_ctas_leave_sub_cores_idle(void **state)
{
    (void)state;
    static const struct {
        const char *binding;
        uint32_t ctas, in_turn; /* warps of one unit */
    } cases[] = {{"sm.cta_binding=one_subcore", 8, 4},
                 {"sm.cta_binding=one_subcore", 32, 4},
                 {"sm.cta_binding=warps_round_robin", 8, 1},
                 {"sm.cta_binding=warps_round_robin", 32, 4}};
    for (uint32_t i = 0; i < 4; i++) {
        struct bed b;
        bed_machine(&b, "rx540", NULL, 0);
        bed_set(&b, "sm.launch_cycles=0");
        bed_set(&b, cases[i].binding);
        bed_hand(&b, cases[i].ctas, 4, adds, NULL);
        double ratio = bed_cycles(&b) / (ADDS * UNIT * cases[i].in_turn);
        assert_true(ratio > 0.99 && ratio < 1.1);
        bed_fini(&b);
    }
}

/* --- chains of dependent instructions --- */

static void two_chains(struct hand *h, uint32_t cta, const void *ctx)
{
    (void)cta, (void)ctx;
    for (uint32_t i = 0; i < ADDS; i++)
        hand_inst(h, i % 2 ? h->other : h->add, LANES, 0);
}

/* One warp alone: a chain takes its latency per instruction, two in turns half of it, and no
 * latency is shorter than the unit's interval. */
static void a_chain_takes_its_latency(void **state)
{
    (void)state;
    static const struct {
        warp_fn *warp;
        const char *latency;
        double each;
    } cases[] = {{adds, "sm.units.int32.latency=4", 4},
                 {adds, "sm.units.int32.latency=20", 20},
                 {two_chains, "sm.units.int32.latency=4", 4},
                 {two_chains, "sm.units.int32.latency=20", 10},
                 {two_chains, "sm.units.int32.latency=40", 20}};
    for (uint32_t i = 0; i < 5; i++) {
        struct bed b;
        bed_machine(&b, "rx540", NULL, 0);
        bed_set(&b, "sm.launch_cycles=0");
        bed_set(&b, cases[i].latency);
        bed_hand(&b, 1, 1, cases[i].warp, NULL);
        double ratio = bed_cycles(&b) / (ADDS * cases[i].each);
        assert_true(ratio > 0.97 && ratio < 1.03);
        bed_fini(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acquires_empty_the_l1),
        cmocka_unit_test(acquires_end_with_their_launch),
        cmocka_unit_test(the_longest_warp_goes_on_alone),
        cmocka_unit_test(channels_in_turns_are_one_channel),
        cmocka_unit_test(bound_ctas_leave_sub_cores_idle),
        cmocka_unit_test(a_chain_takes_its_latency),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
