/* l1_bank_turns.c - do accesses enter the banks of an L1 in as many cycles as a queue before them
 * would take? */
#include "estimator/reuse/l1_bank_turns.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>

static const struct profile_view view = {.l1_line = 128,
                                         .l1_sector = 32,
                                         .l1_ports = 4,
                                         .l1_banks = 4,
                                         .l1_bank_bytes = 32,
                                         .l1_bank_ports = 1,
                                         .l1_bank_index = INDEX_MODULO};

static double cycles_of(const struct profile_view *v, uint64_t lines_apart, uint32_t mask,
                        uint32_t n)
{
    struct l1_bank_turns t = {0};
    for (uint32_t i = 0; i < n; i++)
        l1_bank_turns_enter(&t, v, i * lines_apart, mask);
    return t.cycles;
}

/* One sector of each of 32 lines, all in one bank: a cycle each, where banks met by chance would
 * let two in (Accel-Sim's and detailed/l1/l1.c's rule). */
static void strides_meet_one_bank(void **state)
{
    (void)state;
    assert_near(cycles_of(&view, 1, 1, 32), 32, 0);
    assert_near(cycles_of(&view, 3, 1, 32), 32, 0);
    assert_near(cycles_of(&view, 1, 15, 32), 32, 0); /* whole lines: four ports */
    assert_near(cycles_of(&view, 1, 3, 32), 32, 0);  /* the first bank is taken again */
    struct profile_view two = view;
    two.l1_bank_ports = 2;
    assert_near(cycles_of(&two, 1, 1, 32), 16, 0);
}

/* XOR spreads what the lowest digit puts into one bank: sectors 0, 4, 8, 12 of 4 banks. */
static void the_index_decides(void **state)
{
    (void)state;
    struct profile_view hashed = view;
    hashed.l1_bank_index = INDEX_XOR;
    assert_near(cycles_of(&hashed, 1, 1, 32), 8, 0);
}

/* Neighbours of one access that share a bank go together, as far as ports allow; a sector wider
 * than a bank takes several. */
static void widths_of_banks_and_sectors_differ(void **state)
{
    (void)state;
    struct profile_view wide = view, narrow = view;
    wide.l1_bank_bytes = 128;
    assert_near(cycles_of(&wide, 1, 15, 8), 8, 0);
    wide.l1_ports = 2;
    assert_near(cycles_of(&wide, 1, 15, 8), 16, 0);
    narrow.l1_bank_bytes = 16;
    assert_near(cycles_of(&narrow, 1, 15, 8), 16, 0);
}

/* The queue's pace with n of b banks drawn by chance: the sum over k of the probability that the
 * first k differ. */
static void chance_gives_the_closed_form(void **state)
{
    (void)state;
    enum { DRAWS = 200000 };
    struct l1_bank_turns t = {0};
    struct rng r;
    double sum = 0, free = 1;
    rng_seed(&r, 5, 5);
    for (uint32_t i = 0; i < DRAWS; i++)
        l1_bank_turns_enter(&t, &view, i, 1u << rng_below(&r, 4));
    for (uint32_t k = 1; k <= 4; k++) {
        free *= (5.0 - k) / 4;
        sum += free;
    }
    assert_near(DRAWS / t.cycles, sum, 0.01 * sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strides_meet_one_bank),
                                       cmocka_unit_test(the_index_decides),
                                       cmocka_unit_test(widths_of_banks_and_sectors_differ),
                                       cmocka_unit_test(chance_gives_the_closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
