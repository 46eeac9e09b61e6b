/* register_front.c - what stands in front of a register file's banks, and the scores by which
 * schedulers choose: write buffer, register-file cache, the cases of the thesis's figures 9 and 10.
 */
#include "base/memory/rng.h"
#include "tests/support/register_file_bed.h"
#include "tests/support/rmws_circuit.h"

/* --- write buffer (figure 9) --- */

static struct write_buffer_key key(uint32_t warp, uint16_t reg)
{
    return (struct write_buffer_key){.warp = warp, .reg = reg, .bank = 0, .bit = (uint8_t)reg};
}

/* Two entries of one bank, case by case. */
static void write_buffer_table(void **state)
{
    (void)state;
    struct write_buffer w;
    struct write_buffer_key forced, k[] = {key(0, 1), key(0, 2), key(1, 1), key(0, 3)};
    assert_true(write_buffer_init(&w, 2, 1));
    assert_int_equal(write_buffer_take(&w, &k[0], 0, &forced), CLAIM_FREE);
    /* issued, no data yet (V=1, R=0): no read, no second writer */
    assert_true(write_buffer_read(&w, &k[0], 0) == UINT64_MAX);
    assert_int_equal(write_buffer_claim(&w, &k[0], 0), CLAIM_REFUSED);
    assert_int_equal(write_buffer_take(&w, &k[1], 0, &forced), CLAIM_FREE);
    /* full, and nothing is ready */
    assert_int_equal(write_buffer_claim(&w, &k[2], 0), CLAIM_REFUSED);
    assert_true(write_buffer_arrives(&w, &k[1]));
    /* the same register of another warp is another register */
    assert_true(write_buffer_read(&w, &k[2], 0) == UINT64_MAX);
    /* R=1: read after write; two reads of a bank take two register cycles, F > 0 until then */
    assert_int_equal(write_buffer_read(&w, &k[1], 10), 11);
    assert_int_equal(write_buffer_read(&w, &k[1], 10), 12);
    assert_int_equal(write_buffer_claim(&w, &k[1], 11), CLAIM_REFUSED);
    assert_int_equal(write_buffer_claim(&w, &k[2], 11), CLAIM_REFUSED);
    /* F = 0: write after write voids it */
    assert_int_equal(write_buffer_claim(&w, &k[1], 12), CLAIM_VOIDS);
    /* another register's writer forces it out */
    assert_int_equal(write_buffer_take(&w, &k[3], 12, &forced), CLAIM_FORCES);
    assert_int_equal(forced.warp, 0);
    assert_int_equal(forced.reg, 2);
    assert_true(write_buffer_read(&w, &k[1], 13) == UINT64_MAX);
    /* of two ready ones, the one that has been ready longer is forced out */
    assert_true(write_buffer_arrives(&w, &k[3]));
    assert_true(write_buffer_arrives(&w, &k[0]));
    assert_int_equal(write_buffer_take(&w, &k[1], 14, &forced), CLAIM_FORCES);
    assert_int_equal(forced.reg, 3);
    /* piggyback: only a ready entry at that very bit */
    struct write_buffer_key out;
    assert_false(write_buffer_pop_at(&w, 0, 2, 14, &out)); /* k[1] has no data yet */
    assert_true(write_buffer_pop_at(&w, 0, 1, 14, &out));
    assert_int_equal(out.warp, 0);
    assert_int_equal(out.reg, 1);
    assert_false(write_buffer_pop_at(&w, 0, 1, 14, &out));
    write_buffer_fini(&w);
}

static const struct register_file_params buffered = {
    .cells = CELLS_RACETRACK, .banks = 1, .racetrack = {.ports = 4}, .write_buffer = 2};

/* A result is ready a core cycle after it has come, and reaches its bank in one of four ways. */
static void results_leave_the_buffer_in_four_ways(void **state)
{
    (void)state;
    struct bed b;
    bed_set_up(&b, &buffered);
    bed_issue(&b, 0, 0, REG_NONE, 0, UNIT_INT);
    bed_comes(&b, 0, 0);
    bed_step(&b);
    assert_int_equal(b.written[0], 1);
    assert_int_equal(b.file.s.direct, 1); /* bit 0 is under the port */
    bed_issue(&b, 0, 1, REG_NONE, 5, UNIT_INT);
    bed_comes(&b, 0, 1);
    bed_run(&b, 4);
    assert_int_equal(b.file.s.bank_writes, 1); /* it waits */
    b.code[0] = (struct register_operands){.reads = 1, .read = {5}};
    register_file_fetch(&b.file, 0, 0, COLLECTOR_SP);
    assert_int_equal(register_file_score(&b.file, 0), 0); /* five bits away, but in the buffer */
    bed_issue(&b, 0, 2, 5, REG_NONE, UNIT_INT);           /* read after write: no bank is asked */
    bed_run(&b, 2);
    assert_int_equal(b.file.s.buffer_reads, 1);
    assert_int_equal(b.file.s.bank_reads, 0);
    assert_int_equal(b.dispatched[2], 6);
    bed_issue(&b, 0, 3, REG_NONE, 5, UNIT_INT); /* write after write */
    bed_comes(&b, 0, 3);
    bed_run(&b, 2);
    assert_int_equal(b.file.s.voided, 1);
    bed_issue(&b, 1, 4, 5, REG_NONE, UNIT_INT); /* another warp's register 5 lies at the same bit */
    bed_run(&b, 8);
    assert_int_equal(b.file.s.piggyback, 1);
    assert_int_equal(b.file.s.bank_writes, 2);
    assert_int_equal(b.file.s.shifts, 5);
    bed_issue(&b, 0, 5, REG_NONE, 1, UNIT_INT);
    bed_issue(&b, 0, 6, REG_NONE, 2, UNIT_INT);
    bed_comes(&b, 0, 5);
    bed_comes(&b, 0, 6);
    bed_run(&b, 2);
    assert_true(bed_has_room(&b, 6, COLLECTOR_SP));
    bed_issue(&b, 0, 7, REG_NONE, 3, UNIT_INT); /* register 1 must go: 4 bits from 5 */
    bed_run(&b, 8);
    assert_int_equal(b.file.s.overflow, 1);
    assert_int_equal(b.file.s.shifts, 5 + 4);
    assert_int_equal(b.file.s.wait, 5 + 4); /* an idle bank begins at once */
    register_file_fini(&b.file);
}

/* r = r + x: the entry is read and taken over by one instruction, whose older value is voided. */
static void an_instruction_may_read_the_entry_that_it_takes(void **state)
{
    (void)state;
    struct bed b;
    bed_set_up(&b, &buffered);
    bed_issue(&b, 0, 0, REG_NONE, 5, UNIT_INT);
    bed_comes(&b, 0, 0);
    bed_run(&b, 2);
    assert_true(register_file_has_room(&b.file, 0, b.now));
    bed_issue(&b, 0, 1, 5, 5, UNIT_INT);
    assert_int_equal(b.file.s.buffer_reads, 1);
    assert_int_equal(b.file.s.voided, 1);
    bed_run(&b, 2);
    bed_comes(&b, 0, 1);
    bed_step(&b);
    bed_issue(&b, 0, 2, 5, REG_NONE, UNIT_INT); /* the newer value is there */
    bed_run(&b, 4);
    assert_int_equal(b.file.s.buffer_reads, 2);
    assert_int_equal(b.file.s.bank_reads + b.file.s.bank_writes, 0);
    register_file_fini(&b.file);
}

/* Constant loads of the integer unit have addresses that nobody needs behind it. */
static void addresses_stay_with_memory_instructions(void **state)
{
    (void)state;
    struct bed b;
    const uint64_t list[] = {64, 4};
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 1};
    bed_set_up(&b, &p);
    b.code[0] = (struct register_operands){.reads = 0};
    const struct warp_inst inst = {
        .si = &b.si[0], .code = 0, .form = ADDR_LIST, .mask = 3, .list = list};
    register_file_fetch(&b.file, 0, 0, COLLECTOR_SP);
    register_file_collect(&b.file, 0, &inst, UNIT_INT, 0);
    register_file_fetch(&b.file, 0, 0, COLLECTOR_MEMORY);
    register_file_collect(&b.file, 0, &inst, UNIT_MEMORY, 0);
    const struct operand_collector *memory =
        &b.file.collector[b.file.set[COLLECTOR_MEMORY].order[0]];
    assert_ptr_not_equal(memory->inst.list, list);
    assert_int_equal(memory->inst.list[1], 4);
    bed_run(&b, 2);
    assert_int_equal(b.n, 2);
    register_file_fini(&b.file);
}

/* Full of results that have not come: nobody who writes can issue; a load takes its entry when its
 * data come. */
static void a_full_buffer_holds_up_issue(void **state)
{
    (void)state;
    struct bed b;
    bed_set_up(&b, &buffered);
    bed_issue(&b, 0, 0, REG_NONE, 1, UNIT_INT);
    bed_issue(&b, 0, 1, REG_NONE, 2, UNIT_INT);
    b.code[2] = (struct register_operands){.writes = 1, .write = {3}};
    assert_false(bed_has_room(&b, 2, COLLECTOR_SP));
    assert_true(bed_has_room(&b, 2, COLLECTOR_MEMORY));
    bed_issue(&b, 0, 3, REG_NONE, 4, UNIT_MEMORY);
    bed_run(&b, 2);
    register_file_loaded(&b.file, 0, 3, 4, b.now); /* no entry: to the bank */
    bed_run(&b, 8);
    assert_int_equal(b.file.s.around, 1);
    assert_int_equal(b.file.s.bank_writes, 1);
    assert_true(b.written[4] > 0);
    register_file_fini(&b.file);
}

/* --- register-file cache --- */

static void active_warps_keep_their_last_results(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {
        .cells = CELLS_RACETRACK, .banks = 1, .racetrack = {.ports = 4}, .cache_entries = 2};
    bed_set_up(&b, &p);
    register_file_activate(&b.file, 0, 1, 0);
    for (uint32_t i = 0; i < 3; i++) { /* registers 1, 2, 3: 1 leaves */
        bed_issue(&b, 0, i, REG_NONE, (uint16_t)(i + 1), UNIT_INT);
        bed_comes(&b, 0, i);
        bed_step(&b);
        assert_int_equal(b.written[i + 1], b.now);
    }
    bed_run(&b, 4);
    assert_int_equal(b.file.s.cache_writes, 3);
    assert_int_equal(b.file.s.bank_writes, 1);
    bed_issue(&b, 0, 4, 3, REG_NONE, UNIT_INT);
    bed_issue(&b, 0, 5, 1, REG_NONE, UNIT_INT);
    bed_run(&b, 4);
    assert_int_equal(b.file.s.cache_reads, 1);
    assert_int_equal(b.file.s.bank_reads, 1);
    /* a load's data go to the bank, and the older value is forgotten */
    bed_issue(&b, 0, 6, REG_NONE, 3, UNIT_MEMORY);
    register_file_loaded(&b.file, 0, 6, 3, b.now);
    bed_run(&b, 8);
    assert_int_equal(b.file.s.bank_writes, 2);
    register_file_activate(&b.file, 0, 0, b.now); /* register 2 is left */
    bed_run(&b, 8);
    assert_int_equal(b.file.s.bank_writes, 3);
    bed_issue(&b, 0, 7, REG_NONE, 2, UNIT_INT); /* not active any more */
    bed_comes(&b, 0, 7);
    bed_run(&b, 8);
    assert_int_equal(b.file.s.bank_writes, 4);
    assert_int_equal(b.file.s.cache_writes, 3);
    register_file_fini(&b.file);
}

/* --- scores --- */

static uint32_t score(struct bed *b, uint32_t code, uint16_t read)
{
    b->code[code] = (struct register_operands){.reads = 1, .read = {read}};
    register_file_fetch(&b->file, 0, code, COLLECTOR_SP);
    return register_file_score(&b->file, 0);
}

/* Figure 10: of a bank at R0's place, scheduler 0 takes R1, the nearer one, although R2 lies on the
 * way that scheduler 1 goes; and in cycle 2 R4 is the nearest, since the bank counts as being where
 * R1 is, before it has got there. */
static void schedulers_see_the_newest_access_of_a_bank(void **state)
{
    (void)state;
    enum { R0 = 8, R1 = 6, R2 = 11, R3 = 12, R4 = 4 };
    struct bed b;
    bed_set_up(&b, &bed_racetrack);
    bed_issue(&b, 0, 0, R0, REG_NONE, UNIT_INT);
    bed_run(&b, 10);
    assert_int_equal(score(&b, 1, R1), 2);
    assert_int_equal(score(&b, 2, R2), 3);
    bed_issue(&b, 0, 1, R1, REG_NONE, UNIT_INT);
    assert_int_equal(score(&b, 4, R4), 2);
    assert_true(score(&b, 4, R4) < score(&b, 3, R3));
    bed_step(&b);
    assert_int_equal(score(&b, 1, R1), 0);
    assert_int_equal(b.file.s.scored, 2);
    assert_int_equal(b.file.s.score_3, 1);
    assert_int_equal(b.file.s.score_2, 1);
    register_file_fini(&b.file);
}

/* Random operands beside the thesis's circuit: preprocessed locations, their exclusive or moved to
 * the bottom, and the or over the operands; the slots with the smallest score are those that a scan
 * of the columns finds first. */
static void scores_are_those_of_the_circuit(void **state)
{
    (void)state;
    enum { SEGMENT = 16, READS = 3 };
    struct bed b;
    struct rng g;
    struct register_file_params p = bed_racetrack;
    p.banks = 4;
    rng_seed(&g, 22, 0);
    for (uint32_t turn = 0; turn < 200; turn++) {
        uint64_t circuit[WARPS], least = UINT64_MAX, nearest = 0;
        bed_set_up(&b, &p);
        b.file.segment = SEGMENT;
        for (uint32_t k = 0; k < p.banks; k++)
            b.file.newest[k] = (uint8_t)rng_below(&g, SEGMENT);
        for (uint32_t w = 0; w < WARPS; w++) {
            b.code[w] = (struct register_operands){.reads = READS};
            register_file_fetch(&b.file, w, w, COLLECTOR_SP);
            circuit[w] = 0;
            for (uint32_t i = 0; i < READS; i++) {
                struct register_place *at = &register_next_of(&b.file, w)->read[i];
                *at = (struct register_place){(uint8_t)rng_below(&g, p.banks),
                                              (uint8_t)rng_below(&g, SEGMENT)};
                circuit[w] |= rmws_distance(rmws_preprocessed(at->bit, SEGMENT),
                                            rmws_preprocessed(b.file.newest[at->bank], SEGMENT));
            }
            assert_int_equal((UINT64_C(1) << register_file_score(&b.file, w)) - 1, circuit[w]);
            if (circuit[w] < least) nearest = 0, least = circuit[w];
            if (circuit[w] == least) nearest |= UINT64_C(1) << w;
        }
        assert_int_equal(register_file_nearest(&b.file, 0, (1 << WARPS) - 1), nearest);
        register_file_fini(&b.file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_buffer_table),
        cmocka_unit_test(results_leave_the_buffer_in_four_ways),
        cmocka_unit_test(an_instruction_may_read_the_entry_that_it_takes),
        cmocka_unit_test(addresses_stay_with_memory_instructions),
        cmocka_unit_test(a_full_buffer_holds_up_issue),
        cmocka_unit_test(active_warps_keep_their_last_results),
        cmocka_unit_test(schedulers_see_the_newest_access_of_a_bank),
        cmocka_unit_test(scores_are_those_of_the_circuit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
