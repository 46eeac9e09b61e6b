/* register_file.c - banks and collectors of a register file against closed forms and a slow queue.
 */
#include "base/memory/rng.h"
#include "tests/support/register_file_bed.h"

/* --- banks --- */

/* SRAM: k reads of one bank are there after k register cycles. */
static void reads_of_an_sram_bank_take_turns(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 1};
    bed_set_up(&b, &p);
    for (uint32_t i = 0; i < 8; i++)
        bed_issue(&b, 0, i, (uint16_t)i, REG_NONE, UNIT_INT);
    bed_run(&b, 10);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(b.dispatched[i], (i + 1 + RATIO - 1) / RATIO);
    assert_int_equal(b.file.s.conflicts, 7);
    assert_int_equal(b.file.s.wait, 7 * 8 / 2);
    register_file_fini(&b.file);
}

/* Registers in banks of their own are there at once. */
static void reads_of_several_banks_go_together(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 16};
    bed_set_up(&b, &p);
    for (uint32_t i = 0; i < 8; i++)
        bed_issue(&b, 0, i, (uint16_t)i, REG_NONE, UNIT_INT);
    bed_run(&b, 2);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(b.dispatched[i], 1);
    assert_int_equal(b.file.s.conflicts, 0);
    register_file_fini(&b.file);
}

/* A read holds its bank for shift + 1 register cycles, a write for shift + 2. */
static void accesses_wait_for_their_shifts(void **state)
{
    (void)state;
    struct bed b;
    bed_set_up(&b, &bed_racetrack);
    bed_issue(&b, 0, 0, 9, REG_NONE, UNIT_INT); /* 9 bits, read: 10 register cycles */
    bed_issue(&b, 0, 1, 4, REG_NONE, UNIT_INT); /* 5 bits back: until 16 */
    bed_run(&b, 12);
    assert_int_equal(b.dispatched[0], 10 / RATIO);
    assert_int_equal(b.dispatched[1], 16 / RATIO);
    bed_issue(&b, 0, 2, REG_NONE, 7, UNIT_INT);
    bed_step(&b);
    bed_comes(&b, 0, 2); /* in cycle 13: 3 bits, write: register cycles 26 to 31 */
    bed_run(&b, 5);
    assert_int_equal(b.written[7], (26 + 3 + 2 + 1) / RATIO);
    assert_int_equal(b.file.s.shifts, 9 + 5 + 3);
    assert_int_equal(b.file.s.wait, 9 + (10 + 5) + 3);
    register_file_fini(&b.file);
}

/* A write that came first waits for the reads behind it. */
static void reads_go_before_writes(void **state)
{
    (void)state;
    struct bed b;
    bed_set_up(&b, &bed_racetrack);
    bed_issue(&b, 0, 0, 0, REG_NONE, UNIT_INT);
    bed_issue(&b, 0, 1, REG_NONE, 0, UNIT_INT);
    bed_run(&b, 2);
    bed_issue(&b, 0, 2, 15, REG_NONE, UNIT_INT); /* register cycles 4 to 20 */
    bed_comes(&b, 0, 1);
    bed_run(&b, 3);
    bed_issue(&b, 0, 3, 15, REG_NONE, UNIT_INT); /* to 21 */
    bed_run(&b, 20);
    assert_int_equal(b.dispatched[2], 20 / RATIO);
    assert_int_equal(b.dispatched[3], 22 / RATIO);
    assert_int_equal(b.written[0], (21 + 15 + 2) / RATIO);
    register_file_fini(&b.file);
}

/* Random reads of one bank against a queue written out: each begins when it has come and the last
 * one is over. */
static void random_reads_are_served_as_in_a_queue(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bed b;
        struct rng g;
        uint64_t free_at = 0, shifts = 0, wait = 0, over[CODES];
        uint32_t bit = 0;
        rng_seed(&g, 21, seed);
        bed_set_up(&b, &bed_racetrack);
        for (uint32_t i = 0; i < CODES; i++) {
            while (!bed_has_room(&b, 0, COLLECTOR_SP) || rng_below(&g, 3) == 0)
                bed_step(&b);
            uint32_t to = (uint32_t)rng_below(&g, REGISTERS),
                     moves = to > bit ? to - bit : bit - to;
            uint64_t came = b.now * RATIO, begins = came > free_at ? came : free_at;
            bed_issue(&b, 0, i, (uint16_t)to, REG_NONE, UNIT_INT);
            over[i] = free_at = begins + moves + 1;
            wait += begins - came + moves;
            shifts += moves;
            bit = to;
        }
        bed_run(&b, 400);
        for (uint32_t i = 0; i < CODES; i++)
            assert_int_equal(b.dispatched[i], (over[i] + RATIO - 1) / RATIO);
        assert_int_equal(b.file.s.shifts, shifts);
        assert_int_equal(b.file.s.wait, wait);
        assert_true(register_file_is_idle(&b.file));
        register_file_fini(&b.file);
    }
}

/* An idle bank goes a bit per register cycle to the middle, and the next access starts from there.
 */
static void idle_tracks_return_if_they_are_told_to(void **state)
{
    (void)state;
    struct bed b;
    struct register_file_params p = bed_racetrack;
    p.racetrack.auto_return = true;
    bed_set_up(&b, &p);                          /* 16 rows in use: the middle is bit 8 */
    bed_issue(&b, 0, 0, 12, REG_NONE, UNIT_INT); /* 12 bits: until 13; then 4 back */
    bed_run(&b, 20);
    assert_int_equal(b.file.s.shifts, 12 + 4);
    assert_int_equal(b.file.bank[0].bit, 8);
    bed_issue(&b, 0, 1, 8, REG_NONE, UNIT_INT);
    bed_step(&b);
    assert_int_equal(b.dispatched[1], 21);
    bed_run(&b, 2);
    assert_false(register_file_moves(&b.file));
    register_file_fini(&b.file);
}

/* --- collectors --- */

static void a_collector_is_needed_to_issue(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 1};
    bed_set_up(&b, &p);
    b.closed[UNIT_SFU] = true;
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(bed_has_room(&b, i, COLLECTOR_SFU));
        bed_issue(&b, 0, i, 1, REG_NONE, UNIT_SFU);
    }
    bed_run(&b, 5);
    assert_false(bed_has_room(&b, 2, COLLECTOR_SFU));
    assert_int_equal(register_file_blocked(&b.file, 0, COLLECTORS_ALL), 1);
    assert_int_equal(register_file_blocked(&b.file, 0, 1 << COLLECTOR_SP), 0);
    assert_true(bed_has_room(&b, 2, COLLECTOR_SP));
    b.closed[UNIT_SFU] = false;
    bed_run(&b, 1);
    assert_true(bed_has_room(&b, 2, COLLECTOR_SFU));
    register_file_fini(&b.file);
}

/* Who is collected first goes first, except for memory, where the order of issue holds. */
static void only_memory_keeps_the_order_of_issue(void **state)
{
    (void)state;
    const uint8_t unit[] = {UNIT_INT, UNIT_MEMORY};
    for (uint32_t k = 0; k < 2; k++) {
        struct bed b;
        struct register_file_params p = bed_racetrack;
        p.banks = 2; /* register r is in bank r mod 2 */
        bed_set_up(&b, &p);
        bed_issue(&b, 0, 0, 14, REG_NONE, unit[k]);
        bed_issue(&b, 0, 1, 1, REG_NONE, unit[k]);
        bed_run(&b, 20);
        assert_int_equal(b.order[0], k == 0 ? 1 : 0);
        register_file_fini(&b.file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_an_sram_bank_take_turns),
        cmocka_unit_test(reads_of_several_banks_go_together),
        cmocka_unit_test(accesses_wait_for_their_shifts),
        cmocka_unit_test(reads_go_before_writes),
        cmocka_unit_test(random_reads_are_served_as_in_a_queue),
        cmocka_unit_test(idle_tracks_return_if_they_are_told_to),
        cmocka_unit_test(a_collector_is_needed_to_issue),
        cmocka_unit_test(only_memory_keeps_the_order_of_issue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
