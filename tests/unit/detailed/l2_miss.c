/* l2_miss.c - L2 miss management by hand: one slice, requests and a memory of our own, so
 * that every event has its cycle (Candel 5.4, 5.5, figure 6.2). */
#include "tests/support/l2_hand.h"

enum { A, B, C, D, E };

/* The time line's machine: look-up 10, L1 copies of A 10, eviction 70 (of a clean block, too),
 * fetch 120.  A is dirty and in its line, of which the set has one. */
#define TIME_LINE \
    "l2.ways=1", "l2.clean_victim_notice=true", "l2.victim_rule=lru", "l2.frc.entries=0"

static struct hand *with_a(struct hand *h)
{
    hand_ask(h, 0, REQ_WRITE, A);
    hand_run_until(h, START - 1);
    h->copies = A;
    return h;
}

static void conventional_time_line(void **state)
{
    (void)state;
    HAND(h, TIME_LINE);
    with_a(&h);
    uint32_t b = hand_ask(&h, START, REQ_READ, B), c = hand_ask(&h, START + 80, REQ_READ, C),
             d = hand_ask(&h, START + 230, REQ_READ, D);
    hand_run_until(&h, START + 9);
    assert_int_equal(h.s.c.mshr.used, 0); /* the look-up takes 10 */
    hand_run_until(&h, START + 10);
    assert_true(h.s.c.line[0].transient);
    hand_run_until(&h, START + 90);
    hand_assert_op(&h, "told", A, START + 10);
    hand_assert_op(&h, "write", A, START + 20);
    hand_assert_op(&h, "read", B, START + 90);
    assert_int_equal(h.s.s.line_waits, 1); /* C */
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, b), START + 210);
    hand_assert_op(&h, "notice", B, START + 210);
    hand_assert_op(&h, "read", C, START + 280);
    assert_int_equal(hand_answered(&h, c), START + 400);
    assert_int_equal(hand_answered(&h, d), START + 590);
    assert_int_equal(h.s.s.line_waits, 2);
    assert_int_equal(h.s.s.invalidation_cycles, 10);
    assert_int_equal(h.s.s.eviction_cycles, 3 * 70);
    hand_end(&h);
}

/* Who meets the line in transition is sent back at the end of its look-up, and has waited nowhere.
 */
static void a_line_in_transition_sends_back(void **state)
{
    (void)state;
    HAND(h, TIME_LINE, "l2.line_wait=nack");
    with_a(&h);
    uint32_t b = hand_ask(&h, START, REQ_READ, B), c = hand_ask(&h, START + 80, REQ_READ, C),
             again = hand_ask(&h, START + 150, REQ_WRITE, A);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, b), START + 210);
    assert_int_equal(hand_answered(&h, c), START + 90);
    assert_int_equal(hand_answered(&h, again), START + 160);
    assert_int_equal(h.s.s.nacks, 2);
    assert_int_equal(h.s.s.line_waits, 0);
    assert_true(hand_holds(&h, B));
    hand_end(&h);
}

/* A is served until its eviction is over, or not from the miss on. */
static void hits_on_a_victim(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        uint32_t nacks;
        uint64_t late;
    } rule[] = {{"l2.victim_hit=loads", 0, START + 89},       /* a hit */
                {"l2.victim_hit=wait", 0, START + 210 + 190}, /* behind B, then a miss */
                {"l2.victim_hit=nack", 1, START + 89}};
    for (uint32_t i = 0; i < 3; i++) {
        HAND(h, TIME_LINE, rule[i].set);
        with_a(&h);
        hand_ask(&h, START, REQ_READ, B);
        uint32_t last = hand_ask(&h, START + 79, REQ_READ, A);
        hand_run_until(&h, START + 1000);
        assert_int_equal(hand_answered(&h, last), rule[i].late);
        assert_int_equal(h.s.s.nacks, rule[i].nacks);
        hand_end(&h);
    }
    HAND(h, TIME_LINE);
    with_a(&h);
    hand_ask(&h, START, REQ_READ, B);
    uint32_t gone = hand_ask(&h, START + 81, REQ_READ, A);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, gone), START + 400);
    hand_end(&h);
}

#define FRC_LINE \
    "l2.ways=1", "l2.clean_victim_notice=true", "l2.victim_rule=lru", "l2.frc.lookup_cycles=0"

static void frc_time_line(void **state)
{
    (void)state;
    HAND(h, "l2.frc.entries=2", FRC_LINE);
    with_a(&h);
    uint32_t b = hand_ask(&h, START, REQ_READ, B), old = hand_ask(&h, START + 122, REQ_READ, A),
             c = hand_ask(&h, START + 80, REQ_READ, C), d = hand_ask(&h, START + 230, REQ_READ, D);
    hand_run_until(&h, START + 10);
    hand_assert_op(&h, "read", B, START + 10);
    assert_int_equal(h.s.frc.entry[0].state, FRC_FETCHING);
    hand_run_until(&h, START + 90);
    hand_assert_op(&h, "read", C, START + 90);
    assert_int_equal(h.s.frc.busy, 2);
    assert_false(h.s.c.line[0].transient);
    hand_run_until(&h, START + 212);
    assert_int_equal(hand_answered(&h, b), START + 130);
    assert_int_equal(hand_answered(&h, old), START + 132); /* its line is its own up to the swap */
    hand_assert_op(&h, "told", A, START + 133);
    hand_assert_op(&h, "write", A, START + 143);
    assert_int_equal(hand_answered(&h, c), START + 210);
    assert_int_equal(h.s.frc.entry[0].state, FRC_LEAVING);
    hand_run_until(&h, START + 213);
    assert_int_equal(h.s.frc.entry[0].state, FRC_FREE);
    hand_assert_op(&h, "notice", B, START + 213);
    hand_run_until(&h, START + 240);
    assert_int_equal(h.s.frc.entry[0].state, FRC_FETCHING); /* D recycles it */
    hand_assert_op(&h, "read", D, START + 240);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, d), START + 360);
    assert_int_equal(h.s.s.line_waits, 0);
    assert_int_equal(h.s.s.frc_fetches, 3);
    assert_int_equal(h.s.s.frc_swaps, 3);
    assert_int_equal(h.s.s.eviction_cycles, 0);
    hand_end(&h);
}

static void frc_tags_are_looked_up_behind_the_l2s(void **state)
{
    (void)state;
    HAND(h, "l2.frc.entries=2", "l2.ways=1", "l2.frc.lookup_cycles=4");
    with_a(&h);
    uint32_t hit = hand_ask(&h, START, REQ_READ, A), b = hand_ask(&h, START, REQ_READ, B);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, hit), START + 10);
    hand_assert_op(&h, "read", B, START + 14);
    assert_int_equal(hand_answered(&h, b), START + 134);
    hand_end(&h);
}

/* One entry: C finds none and is managed as ever, though it is D that gets the entry again. */
static void a_full_set_falls_back(void **state)
{
    (void)state;
    HAND(h, "l2.frc.entries=1", FRC_LINE);
    with_a(&h);
    hand_ask(&h, START, REQ_READ, B);
    uint32_t c = hand_ask(&h, START + 80, REQ_READ, C);
    hand_run_until(&h, START + 90);
    assert_true(h.s.c.line[0].transient);
    hand_assert_op(&h, "told", A, START + 90); /* A leaves its line for C */
    hand_run_until(&h, START + 289);
    hand_assert_op(&h, "write", A, START + 100);
    hand_assert_op(&h, "read", C, START + 170);
    assert_int_equal(h.s.frc.entry[0].state, FRC_FETCHED); /* B waits for the line */
    hand_run_until(&h, START + 290);
    assert_int_equal(hand_answered(&h, c), START + 290);
    hand_run_until(&h, START + 293);
    hand_assert_op(&h, "notice", C, START + 293); /* swapped with B */
    hand_end(&h);
}

static void others_are_served_after_the_swap(void **state)
{
    (void)state;
    static const char *const rule[] = {"l2.frc.hits_at_fetch=false", "l2.frc.hits_at_fetch=true"};
    for (uint32_t i = 0; i < 2; i++) {
        HAND(h, "l2.frc.entries=2", FRC_LINE, rule[i]);
        with_a(&h);
        uint32_t b = hand_ask(&h, START, REQ_READ, B), too = hand_ask(&h, START + 50, REQ_READ, B),
                 late = hand_ask(&h, START + 121, REQ_READ, B);
        hand_run_until(&h, START + 1000);
        assert_int_equal(hand_answered(&h, b), START + 130);
        assert_int_equal(hand_answered(&h, too), START + (i ? 130 : 133));
        assert_int_equal(hand_answered(&h, late), START + 133); /* came during the swap */
        assert_int_equal(h.s.s.frc_merges, 2);
        assert_int_equal(h.s.s.misses, 2); /* A and B */
        hand_end(&h);
    }
}

/* A block on its way out of the FRC: who wants it waits until it is out, and misses. */
static void a_leaving_block_is_waited_for(void **state)
{
    (void)state;
    HAND(h, "l2.frc.entries=2", FRC_LINE);
    with_a(&h);
    hand_ask(&h, START, REQ_READ, B);
    uint32_t again = hand_ask(&h, START + 150, REQ_WRITE, A);
    hand_run_until(&h, START + 1000);
    hand_assert_op(&h, "read", A, START + 213);
    assert_int_equal(hand_answered(&h, again), START + 213 + 120);
    hand_end(&h);
}

/* Two ways, A older than B; C misses, A is used again while C is fetched. */
static void the_victim_is_chosen_at_the_miss_or_at_the_swap(void **state)
{
    (void)state;
    static const char *const rule[] = {"l2.frc.victim_at_swap=false", "l2.frc.victim_at_swap=true"};
    for (uint32_t i = 0; i < 2; i++) {
        HAND(h, "l2.frc.entries=2", "l2.ways=2", "l2.frc.lookup_cycles=0", rule[i]);
        hand_ask(&h, 0, REQ_READ, A);
        hand_ask(&h, 300, REQ_READ, B);
        hand_run_until(&h, START - 1);
        hand_ask(&h, START, REQ_READ, C);
        hand_ask(&h, START + 50, REQ_READ, A);
        hand_run_until(&h, START + 1000);
        assert_int_equal(hand_holds(&h, A), i == 1);
        assert_int_equal(hand_holds(&h, B), i == 0);
        assert_true(hand_holds(&h, C));
        hand_end(&h);
    }
}

/* Two ways, both in transition for B and C; A's line is the LRU one. With lru_ext D, too, waits:
 * there is none; with three ways it takes the third line at once. */
static void which_line_a_miss_waits_for(void **state)
{
    (void)state;
    HAND(h, "l2.ways=2", "l2.victim_rule=lru_ext", "l2.clean_victim_notice=true");
    hand_ask(&h, 0, REQ_READ, A);
    hand_ask(&h, 300, REQ_READ, B);
    hand_run_until(&h, START - 1);
    hand_ask(&h, START, REQ_READ, C); /* A's line */
    hand_ask(&h, START + 20, REQ_READ,
             A); /* A is used on its way out: its line is the recent one */
    hand_ask(&h, START + 30, REQ_READ, D); /* B's line under both rules */
    hand_run_until(&h, START + 499);
    assert_int_equal(h.s.s.line_waits, 0);
    hand_ask(&h, START + 500, REQ_READ, E); /* C's line */
    hand_ask(&h, START + 501, REQ_READ, A); /* D's */
    uint32_t b = hand_ask(&h, START + 502, REQ_READ, B);
    hand_run_until(&h, START + 2000);
    assert_int_equal(h.s.s.line_waits, 1);
    assert_int_equal(h.s.s.set_full, 1); /* B found all lines in transition */
    assert_int_equal(hand_answered(&h, b), START + 500 + 10 + 2 * 190);
    hand_end(&h);
}

/* LRU takes a line in transition before one that was used since. */
static void lru_waits_where_lru_ext_does_not(void **state)
{
    (void)state;
    static const char *const rule[] = {"l2.victim_rule=lru", "l2.victim_rule=lru_ext"};
    for (uint32_t i = 0; i < 2; i++) {
        HAND(h, "l2.ways=2", "l2.clean_victim_notice=true", rule[i]);
        hand_ask(&h, 0, REQ_READ, A);
        hand_ask(&h, 300, REQ_READ, B);
        hand_run_until(&h, START - 1);
        hand_ask(&h, START, REQ_READ, C);      /* takes A's line, which becomes the recent one */
        hand_ask(&h, START + 10, REQ_READ, B); /* B's is again */
        uint32_t d = hand_ask(&h, START + 20, REQ_READ, D);
        hand_run_until(&h, START + 2000);
        assert_int_equal(hand_answered(&h, d), START + (i ? 20 + 10 + 190 : 10 + 2 * 190));
        assert_int_equal(h.s.s.line_waits, i == 0);
        hand_end(&h);
    }
}

/* The way of a notice goes on beside the controller's word; the FRC keeps it off the fetch. */
static void a_notice_takes_its_cycles(void **state)
{
    (void)state;
    static const char *const frc[][2] = {{"l2.frc.entries=0", "l2.ports=4"},
                                         {"l2.frc.entries=1", "l2.frc.lookup_cycles=0"}};
    for (uint32_t i = 0; i < 2; i++) {
        HAND(h, "l2.ways=1", "l2.clean_victim_notice=true", "l2.notice_cycles=40", frc[i][0],
             frc[i][1]);
        hand_ask(&h, 0, REQ_READ, A);
        hand_run_until(&h, START - 1);
        uint32_t b = hand_ask(&h, START, REQ_READ, B);
        hand_run_until(&h, START + 1000);
        assert_int_equal(hand_answered(&h, b), START + 10 + (i ? 0 : 70 + 40) + 120);
        assert_int_equal(h.s.s.eviction_cycles, i ? 0 : 70 + 40);
        assert_int_equal(h.s.frc.busy, 0);
        hand_end(&h);
    }
}

static void a_write_back_buffer_hides_write_backs(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.writeback_buffer=1");
    with_a(&h);
    h.copies = NOBODY;
    uint32_t b = hand_ask(&h, START, REQ_WRITE, B);
    uint32_t c = hand_ask(&h, START + 135, REQ_READ, C), d = hand_ask(&h, START + 300, REQ_READ, D);
    hand_run_until(&h, START + 1000);
    hand_assert_op(&h, "write", A, START + 10);
    hand_assert_op(&h, "read", B, START + 10);
    assert_int_equal(hand_answered(&h, b), START + 130);
    hand_assert_op(&h, "write", B, START + 145); /* A's place is free since 80 */
    assert_int_equal(hand_answered(&h, c), START + 145 + 120);
    assert_int_equal(hand_answered(&h, d), START + 310 + 120); /* C is clean */
    assert_int_equal(h.s.s.eviction_cycles, 0);
    hand_end(&h);
}

/* Its place is taken: the second write-back holds its line. */
static void a_full_buffer_hides_nothing(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.writeback_buffer=1");
    hand_ask_in_set(&h, 100, REQ_WRITE, A, 1);
    with_a(&h);
    h.copies = NOBODY;
    hand_run_until(&h, START + 399);
    hand_ask(&h, START + 400, REQ_READ, B);
    uint32_t b = hand_ask_in_set(&h, START + 410, REQ_READ, B, 1);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, b), START + 420 + 70 + 120);
    assert_int_equal(h.s.s.eviction_cycles, 70);
    hand_end(&h);
}

/* One line and a victim cache of one: A moves in 3 cycles, comes back for B in 3 (look-up 1); C
 * then finds it full of the dirty A, which goes to memory first. */
static void a_victim_cache_exchanges(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.vc.entries=1");
    with_a(&h);
    h.copies = NOBODY;
    uint32_t b = hand_ask(&h, START, REQ_READ, B), a = hand_ask(&h, START + 200, REQ_READ, A),
             b2 = hand_ask(&h, START + 300, REQ_WRITE, B),
             c = hand_ask(&h, START + 400, REQ_READ, C);
    hand_run_until(&h, START + 1000);
    hand_assert_op(&h, "read", B, START + 14);
    assert_int_equal(hand_answered(&h, b), START + 134);
    assert_int_equal(hand_answered(&h, a), START + 214);
    assert_int_equal(hand_answered(&h, b2), START + 314);
    assert_int_equal(h.s.s.vc_hits, 2);
    assert_int_equal(h.s.s.misses, 3); /* A, B, C */
    hand_assert_op(&h, "write", A, START + 411);
    hand_assert_op(&h, "read", C, START + 411 + 70 + 3);
    assert_int_equal(hand_answered(&h, c), START + 484 + 120);
    assert_int_equal(hand_keeps(&h, B), true);
    hand_end(&h);
}

/* What leaves an FRC entry moves into the victim cache and frees the entry at once. */
static void victims_of_the_frc_are_kept(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.vc.entries=4", "l2.frc.entries=4");
    with_a(&h);
    h.copies = NOBODY;
    uint32_t b = hand_ask(&h, START, REQ_READ, B);
    hand_run_until(&h, START + 131 + 3 + 2);
    assert_int_equal(h.s.frc.busy, 1);
    hand_run_until(&h, START + 131 + 3 + 3);
    assert_int_equal(h.s.frc.busy, 0);
    assert_int_equal(hand_answered(&h, b), START + 131);
    assert_true(hand_keeps(&h, A));
    uint32_t a = hand_ask(&h, START + 200, REQ_READ, A);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, a), START + 214);
    assert_int_equal(h.s.s.writebacks, 0);
    hand_end(&h);
}

static bool fetch_ahead(struct hand *h, uint32_t block, uint32_t set)
{
    return h->s.miss->fetch_ahead(&h->s, hand_block_addr(h, block, set), h->now);
}

/* A is dirty and has the only line of its set: its eviction would take time. */
static void only_what_is_free_is_fetched_ahead(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.mshr.entries=2");
    with_a(&h);
    h.copies = NOBODY;
    assert_false(fetch_ahead(&h, A, 0)); /* it is here */
    assert_true(fetch_ahead(&h, A, 1));
    assert_false(fetch_ahead(&h, A, 1)); /* it is on its way */
    assert_false(fetch_ahead(&h, B, 0)); /* its line is A's */
    assert_true(fetch_ahead(&h, B, 2));
    assert_false(fetch_ahead(&h, B, 3)); /* no MSHR is free */
    hand_run_until(&h, START + 1000);
    assert_int_equal(h.s.s.fetches, 2 + 1); /* and A's own */
    uint32_t hit = hand_ask_in_set(&h, START + 1100, REQ_READ, A, 1);
    hand_run_until(&h, START + 1200);
    assert_int_equal(hand_answered(&h, hit), START + 1110);
    hand_end(&h);
}

/* The victim cache has bytes of A that the memory lacks. */
static void what_is_beside_is_not_fetched_ahead(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.frc.entries=0", "l2.vc.entries=1");
    with_a(&h);
    h.copies = NOBODY;
    hand_ask(&h, START, REQ_READ, B);
    hand_run_until(&h, START + 500);
    assert_true(hand_keeps(&h, A));
    cache_drop(&h.s.c, 0);
    assert_false(fetch_ahead(&h, A, 0));
    assert_true(fetch_ahead(&h, C, 0));
    hand_end(&h);
}

/* B is on its way there when the store looks beside, and in the L2 before the load looks. */
static void none_passes_in_the_look_up_beside(void **state)
{
    (void)state;
    HAND(h, "l2.frc.entries=2", "l2.ways=1", "l2.frc.lookup_cycles=20");
    with_a(&h);
    hand_ask(&h, START, REQ_READ, B);
    uint32_t store = hand_ask(&h, START + 130, REQ_WRITE, B),
             load = hand_ask(&h, START + 146, REQ_READ, B);
    hand_run_until(&h, START + 1000);
    assert_int_equal(hand_answered(&h, store), START + 160);
    assert_int_equal(hand_answered(&h, load), START + 176);
    hand_end(&h);
}

/* A copy to the device puts A into the L2 while the victim cache holds it: one of them is left. */
static void the_l2s_copy_is_the_younger_one(void **state)
{
    (void)state;
    HAND(h, "l2.ways=1", "l2.vc.entries=2");
    with_a(&h);
    h.copies = NOBODY;
    hand_ask(&h, START, REQ_READ, B);
    hand_run_until(&h, START + 500);
    assert_true(hand_keeps(&h, A));
    struct access copy = {.addr = hand_block_addr(&h, A, 0), .kind = ACCESS_READ};
    struct victim v;
    cache_touch(&h.s.c, &copy, &v);
    hand_ask(&h, START + 501, REQ_READ, C);
    hand_run_until(&h, START + 1000);
    assert_true(hand_keeps(&h, A) && hand_holds(&h, C));
    assert_int_equal(h.s.victim_cache.index.n, 1);
    hand_end(&h);
}

/* The controller takes nothing, or all that comes. */
static void fill_memory(struct hand *h, bool full)
{
    h->memory.channel[0].taken[0] = full ? 100 : 0;
}

#define REFUSES                                                                        \
    "l2.ways=2", "l2.clean_victim_notice=true", "l2.notice_cycles=7", "l2.miss_queue=1", \
        "l2.memory_full=nack"

/* A slice that has A and B, the least recent first, before a full memory. */
static void with_a_and_b(struct hand *h, enum req_kind kind)
{
    hand_ask(h, 0, kind, A);
    hand_ask(h, 300, kind, B);
    hand_run_until(h, 1);
    fill_memory(h, false);
    hand_run_until(h, 299);
    fill_memory(h, false);
    hand_run_until(h, START - 1);
    assert_true(hand_holds(h, A) && hand_holds(h, B));
    fill_memory(h, true);
}

/* Each attempt to fetch costs a block: the way that the first has emptied is not looked for. */
static void a_full_memory_costs_a_block_each_time(void **state)
{
    (void)state;
    HAND(h, REFUSES, "l2.frc.entries=0");
    with_a_and_b(&h, REQ_READ);
    uint32_t c = hand_ask(&h, START, REQ_READ, C), e = hand_ask(&h, START + 50, REQ_READ, E);
    hand_run_until(&h, START + 16);
    assert_true(hand_holds(&h, A));
    hand_run_until(&h, START + 23);
    assert_true(!hand_holds(&h, A) && !hand_holds(&h, C) && hand_holds(&h, B));
    assert_int_equal(hand_answered(&h, c), 0);
    hand_run_until(&h, START + 24);
    assert_int_equal(hand_answered(&h, c), START + 10 + 7 + 7); /* notice, refusal */
    hand_run_until(&h, START + 100);
    assert_int_equal(hand_answered(&h, e), START + 74);
    assert_true(!hand_holds(&h, A) && !hand_holds(&h, B));
    assert_int_equal(h.s.s.nacks, 2);
    fill_memory(&h, false);
    uint32_t last = hand_ask(&h, START + 101, REQ_READ, D);
    hand_run_until(&h, START + 400);
    assert_int_equal(hand_answered(&h, last), START + 111 + READ); /* no victim */
    assert_true(hand_holds(&h, D));
    hand_end(&h);
}

static void and_an_frc_costs_none(void **state)
{
    (void)state;
    HAND(h, REFUSES, "l2.frc.entries=1", "l2.frc.lookup_cycles=0");
    with_a_and_b(&h, REQ_READ);
    uint32_t c = hand_ask(&h, START, REQ_READ, C);
    hand_run_until(&h, START + 16);
    assert_int_equal(h.s.frc.entry[0].state, FRC_REFUSED);
    hand_run_until(&h, START + 17);
    assert_int_equal(hand_answered(&h, c), START + 10 + 7);
    assert_true(hand_holds(&h, A) && hand_holds(&h, B));
    assert_int_equal(h.s.frc.busy, 0);
    assert_int_equal(h.s.s.frc_fetches, 0);
    fill_memory(&h, false);
    hand_ask(&h, START + 50, REQ_READ, D);
    hand_run_until(&h, START + 61);
    assert_int_equal(h.s.s.frc_fetches, 1);
    hand_end(&h);
}

static void a_dirty_victim_that_is_refused_stays(void **state)
{
    (void)state;
    HAND(h, REFUSES, "l2.frc.entries=0");
    with_a_and_b(&h, REQ_WRITE);
    uint32_t c = hand_ask(&h, START, REQ_READ, C);
    hand_run_until(&h, START + 17);
    assert_int_equal(hand_answered(&h, c), START + 10 + 7);
    assert_true(hand_holds(&h, A) && hand_holds(&h, B));
    fill_memory(&h, false);
    hand_ask(&h, START + 50, REQ_READ, D);
    hand_run_until(&h, START + 60);
    hand_assert_op(&h, "write", B, START + 60); /* A has become the recent one */
    hand_end(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conventional_time_line),
        cmocka_unit_test(a_line_in_transition_sends_back),
        cmocka_unit_test(hits_on_a_victim),
        cmocka_unit_test(frc_time_line),
        cmocka_unit_test(frc_tags_are_looked_up_behind_the_l2s),
        cmocka_unit_test(a_full_set_falls_back),
        cmocka_unit_test(others_are_served_after_the_swap),
        cmocka_unit_test(a_leaving_block_is_waited_for),
        cmocka_unit_test(the_victim_is_chosen_at_the_miss_or_at_the_swap),
        cmocka_unit_test(which_line_a_miss_waits_for),
        cmocka_unit_test(lru_waits_where_lru_ext_does_not),
        cmocka_unit_test(a_notice_takes_its_cycles),
        cmocka_unit_test(a_full_memory_costs_a_block_each_time),
        cmocka_unit_test(and_an_frc_costs_none),
        cmocka_unit_test(a_dirty_victim_that_is_refused_stays),
        cmocka_unit_test(a_write_back_buffer_hides_write_backs),
        cmocka_unit_test(a_full_buffer_hides_nothing),
        cmocka_unit_test(a_victim_cache_exchanges),
        cmocka_unit_test(victims_of_the_frc_are_kept),
        cmocka_unit_test(only_what_is_free_is_fetched_ahead),
        cmocka_unit_test(what_is_beside_is_not_fetched_ahead),
        cmocka_unit_test(none_passes_in_the_look_up_beside),
        cmocka_unit_test(the_l2s_copy_is_the_younger_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
