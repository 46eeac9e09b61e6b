/* time_line.c - when the events of Candel's figure 6.2 (5.2) happen, watched cycle by
 * cycle: requests B, C and D for one line that holds A.  What is seen is printed, one claim of
 * papers/claims.csv a line, for papers/candel/studies/time-line.sh; l2_miss.c asserts how
 * it comes about. */
#include "tests/support/l2_hand.h"

enum { A, B, C, D, NEVER = 9999 };
#define PARAMETERS \
    "l2.ways=1", "l2.clean_victim_notice=true", "l2.victim_rule=lru", "l2.notice_cycles=0"

static void say(const char *claim, uint64_t value, uint64_t want)
{
    print_message("%s,%llu\n", claim, (unsigned long long)value);
    assert_int_equal(value, want);
}

/* A is dirty, in its line, and an L1 has a copy; C and D reach the tags at 90 and 240. */
static void begin(struct hand *h, uint32_t asked[3])
{
    hand_ask(h, 0, REQ_WRITE, A);
    hand_run_until(h, START - 1);
    h->copies = A;
    asked[0] = hand_ask(h, START, REQ_READ, B);
    asked[1] = hand_ask(h, START + 80, REQ_READ, C);
    asked[2] = hand_ask(h, START + 230, REQ_READ, D);
}

/* The cycle at which `what` went out for a block. */
static uint64_t went(const struct hand *h, const char *what, uint32_t block)
{
    for (uint32_t i = 0; i < h->logged; i++)
        if (h->log[i].at >= START && strcmp(h->log[i].what, what) == 0 &&
            h->log[i].addr == hand_block_addr(h, block, 0))
            return h->log[i].at - START;
    return NEVER;
}

static void conventional(void **state)
{
    (void)state;
    uint64_t gone = NEVER, asked_at = NEVER;
    uint32_t asked[3];
    HAND(h, PARAMETERS, "l2.frc.entries=0");
    begin(&h, asked);
    for (uint64_t t = 0; t < 1000; t++) {
        hand_run_until(&h, START + t);
        if (gone == NEVER && !hand_holds(&h, A)) gone = t;
        if (asked_at == NEVER && h.s.waiting) asked_at = t;
    }
    say("TL-CONV-MISS-10", went(&h, "told", A), 10);
    say("TL-CONV-A-HIT-UNTIL-90", gone, 90);
    say("TL-CONV-C-ARR-90", asked_at, 90);
    say("TL-CONV-C-START-210", hand_answered(&h, asked[0]) - START, 210);
    say("TL-CONV-C-DONE-400", hand_answered(&h, asked[1]) - START, 400);
    assert_true(went(&h, "read", D) > 400);
    hand_end(&h);
}

static void with_an_frc(void **state)
{
    (void)state;
    uint64_t transient = 0, entry_of_d = NEVER;
    uint32_t asked[3];
    bool here = true;
    HAND(h, PARAMETERS, "l2.frc.entries=2", "l2.frc.lookup_cycles=0");
    begin(&h, asked);
    for (uint64_t t = 0; t < 1000; t++) {
        hand_run_until(&h, START + t);
        transient += h.s.c.line[0].transient;
        here &= hand_holds(&h, A) || t > hand_answered(&h, asked[0]) - START;
        for (uint32_t i = 0; i < 2 && went(&h, "read", D) == t; i++)
            if (h.s.frc.entry[i].state == FRC_FETCHING) entry_of_d = i;
    }
    say("TL-FRC-B-FETCH-10", went(&h, "read", B), 10);
    say("TL-FRC-C-FETCH-90", went(&h, "read", C), 90);
    say("TL-FRC-REUSE-D", entry_of_d, 0);
    say("TL-FRC-NO-TRANSIENT", transient, 0);
    assert_true(here); /* A is in its line until B is here */
    hand_end(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conventional),
                                       cmocka_unit_test(with_an_frc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
