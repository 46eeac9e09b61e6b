/* register_file.c - banks, collectors, write buffer and register-file cache against closed forms, a
 * slow queue, and the cases of the thesis's figures 9 and 10. */
#include "detailed/register_file/register_file.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"
#include "tests/support/rmws_circuit.h"

enum { REGISTERS = 16, WARPS = 4, CODES = 64, RATIO = 2, NEVER = -1 };

/* --- a register file whose owner takes everything at once --- */

struct bed {
    struct register_file file;
    struct register_file_params p;
    struct sm_params sm;
    struct register_operands code[CODES];
    struct static_inst si[CODES];
    struct register_map map;
    bool closed[UNIT_NONE];     /* units that take nothing */
    int64_t dispatched[CODES];  /* core cycle by code; NEVER */
    int64_t written[REGISTERS]; /* by destination */
    uint32_t order[CODES], n;   /* codes as they were dispatched */
    uint64_t now;
};

static bool dispatch(void *self, const struct operand_collector *c, uint64_t now)
{
    struct bed *b = self;
    if (b->closed[c->unit]) return false;
    b->dispatched[c->inst.code] = (int64_t)now;
    b->order[b->n++] = c->inst.code;
    return true;
}

static void written(void *self, uint32_t warp, uint16_t dst, uint64_t ready, uint64_t now)
{
    (void)warp, (void)now;
    ((struct bed *)self)->written[dst] = (int64_t)ready;
}

/* One bank whose register r is bit r of the first port's segment, unless `p` says more. */
static void set_up(struct bed *b, const struct register_file_params *p)
{
    const struct register_file_owner owner = {b, dispatch, written};
    const struct register_warps w = {.registers = REGISTERS, .warps = WARPS, .subcores = 1};
    *b = (struct bed){.p = *p, .sm = {.max_warps = WARPS, .subcores = 1}};
    b->p.clock_ratio = RATIO;
    b->p.collectors = (struct collector_params){8, 2, 2};
    b->p.bank_entries = REGISTERS * WARPS / p->banks;
    if (!b->p.racetrack.read_cycles) b->p.racetrack.read_cycles = 1;
    if (!b->p.racetrack.write_cycles) b->p.racetrack.write_cycles = 2;
    b->map = (struct register_map){REGISTERS, b->code};
    for (uint32_t i = 0; i < CODES; i++)
        b->dispatched[i] = NEVER;
    for (uint32_t i = 0; i < REGISTERS; i++)
        b->written[i] = NEVER;
    assert_true(register_file_init(&b->file, &b->p, &b->sm, &owner));
    assert_true(register_file_launch(&b->file, &b->map, &w));
}

static const struct register_file_params racetrack = {
    .cells = CELLS_RACETRACK, .banks = 1, .racetrack = {.ports = 4}};

/* An instruction that reads a register (REG_NONE: none) and writes one. */
static void issue(struct bed *b, uint32_t warp, uint32_t code, uint16_t read, uint16_t write,
                  uint8_t unit)
{
    b->code[code] = (struct register_operands){
        .reads = read != REG_NONE, .writes = write != REG_NONE, .read = {read}, .write = {write}};
    b->si[code] = (struct static_inst){.dst = write};
    const struct warp_inst inst = {.si = &b->si[code], .code = code};
    register_file_fetch(&b->file, warp, code, collector_kind_of(unit));
    register_file_collect(&b->file, warp, &inst, unit, b->now);
}

/* The result of an instruction that was issued comes in this cycle. */
static void comes(struct bed *b, uint32_t warp, uint32_t code)
{
    const struct warp_inst inst = {.si = &b->si[code], .code = code};
    register_file_result(&b->file, UNIT_INT, warp, &inst, b->now);
}

static bool has_room(struct bed *b, uint32_t code, enum collector_kind kind)
{
    register_file_fetch(&b->file, 0, code, kind);
    return register_file_has_room(&b->file, 0, b->now);
}

static void step(struct bed *b)
{
    register_file_step(&b->file, b->now);
    assert_true(register_file_check(&b->file));
    register_file_dispatch(&b->file, ++b->now);
}

static void run(struct bed *b, uint32_t cycles)
{
    for (uint32_t i = 0; i < cycles; i++)
        step(b);
}

/* --- banks --- */

/* SRAM: k reads of one bank are there after k register cycles. */
static void reads_of_an_sram_bank_take_turns(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 1};
    set_up(&b, &p);
    for (uint32_t i = 0; i < 8; i++)
        issue(&b, 0, i, (uint16_t)i, REG_NONE, UNIT_INT);
    run(&b, 10);
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
    set_up(&b, &p);
    for (uint32_t i = 0; i < 8; i++)
        issue(&b, 0, i, (uint16_t)i, REG_NONE, UNIT_INT);
    run(&b, 2);
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
    set_up(&b, &racetrack);
    issue(&b, 0, 0, 9, REG_NONE, UNIT_INT); /* 9 bits, read: 10 register cycles */
    issue(&b, 0, 1, 4, REG_NONE, UNIT_INT); /* 5 bits back: until 16 */
    run(&b, 12);
    assert_int_equal(b.dispatched[0], 10 / RATIO);
    assert_int_equal(b.dispatched[1], 16 / RATIO);
    issue(&b, 0, 2, REG_NONE, 7, UNIT_INT);
    step(&b);
    comes(&b, 0, 2); /* in cycle 13: 3 bits, write: register cycles 26 to 31 */
    run(&b, 5);
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
    set_up(&b, &racetrack);
    issue(&b, 0, 0, 0, REG_NONE, UNIT_INT);
    issue(&b, 0, 1, REG_NONE, 0, UNIT_INT);
    run(&b, 2);
    issue(&b, 0, 2, 15, REG_NONE, UNIT_INT); /* register cycles 4 to 20 */
    comes(&b, 0, 1);
    run(&b, 3);
    issue(&b, 0, 3, 15, REG_NONE, UNIT_INT); /* to 21 */
    run(&b, 20);
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
        set_up(&b, &racetrack);
        for (uint32_t i = 0; i < CODES; i++) {
            while (!has_room(&b, 0, COLLECTOR_SP) || rng_below(&g, 3) == 0)
                step(&b);
            uint32_t to = (uint32_t)rng_below(&g, REGISTERS),
                     moves = to > bit ? to - bit : bit - to;
            uint64_t came = b.now * RATIO, begins = came > free_at ? came : free_at;
            issue(&b, 0, i, (uint16_t)to, REG_NONE, UNIT_INT);
            over[i] = free_at = begins + moves + 1;
            wait += begins - came + moves;
            shifts += moves;
            bit = to;
        }
        run(&b, 400);
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
    struct register_file_params p = racetrack;
    p.racetrack.auto_return = true;
    set_up(&b, &p);                          /* 16 rows in use: the middle is bit 8 */
    issue(&b, 0, 0, 12, REG_NONE, UNIT_INT); /* 12 bits: until 13; then 4 back */
    run(&b, 20);
    assert_int_equal(b.file.s.shifts, 12 + 4);
    assert_int_equal(b.file.bank[0].bit, 8);
    issue(&b, 0, 1, 8, REG_NONE, UNIT_INT);
    step(&b);
    assert_int_equal(b.dispatched[1], 21);
    run(&b, 2);
    assert_false(register_file_moves(&b.file));
    register_file_fini(&b.file);
}

/* --- collectors --- */

static void a_collector_is_needed_to_issue(void **state)
{
    (void)state;
    struct bed b;
    const struct register_file_params p = {.cells = CELLS_SRAM, .banks = 1};
    set_up(&b, &p);
    b.closed[UNIT_SFU] = true;
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(has_room(&b, i, COLLECTOR_SFU));
        issue(&b, 0, i, 1, REG_NONE, UNIT_SFU);
    }
    run(&b, 5);
    assert_false(has_room(&b, 2, COLLECTOR_SFU));
    assert_int_equal(register_file_blocked(&b.file, 0, COLLECTORS_ALL), 1);
    assert_int_equal(register_file_blocked(&b.file, 0, 1 << COLLECTOR_SP), 0);
    assert_true(has_room(&b, 2, COLLECTOR_SP));
    b.closed[UNIT_SFU] = false;
    run(&b, 1);
    assert_true(has_room(&b, 2, COLLECTOR_SFU));
    register_file_fini(&b.file);
}

/* Who is collected first goes first, except for memory, where the order of issue holds. */
static void only_memory_keeps_the_order_of_issue(void **state)
{
    (void)state;
    const uint8_t unit[] = {UNIT_INT, UNIT_MEMORY};
    for (uint32_t k = 0; k < 2; k++) {
        struct bed b;
        struct register_file_params p = racetrack;
        p.banks = 2; /* register r is in bank r mod 2 */
        set_up(&b, &p);
        issue(&b, 0, 0, 14, REG_NONE, unit[k]);
        issue(&b, 0, 1, 1, REG_NONE, unit[k]);
        run(&b, 20);
        assert_int_equal(b.order[0], k == 0 ? 1 : 0);
        register_file_fini(&b.file);
    }
}

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
    set_up(&b, &buffered);
    issue(&b, 0, 0, REG_NONE, 0, UNIT_INT);
    comes(&b, 0, 0);
    step(&b);
    assert_int_equal(b.written[0], 1);
    assert_int_equal(b.file.s.direct, 1); /* bit 0 is under the port */
    issue(&b, 0, 1, REG_NONE, 5, UNIT_INT);
    comes(&b, 0, 1);
    run(&b, 4);
    assert_int_equal(b.file.s.bank_writes, 1); /* it waits */
    b.code[0] = (struct register_operands){.reads = 1, .read = {5}};
    register_file_fetch(&b.file, 0, 0, COLLECTOR_SP);
    assert_int_equal(register_file_score(&b.file, 0), 0); /* five bits away, but in the buffer */
    issue(&b, 0, 2, 5, REG_NONE, UNIT_INT);               /* read after write: no bank is asked */
    run(&b, 2);
    assert_int_equal(b.file.s.buffer_reads, 1);
    assert_int_equal(b.file.s.bank_reads, 0);
    assert_int_equal(b.dispatched[2], 6);
    issue(&b, 0, 3, REG_NONE, 5, UNIT_INT); /* write after write */
    comes(&b, 0, 3);
    run(&b, 2);
    assert_int_equal(b.file.s.voided, 1);
    issue(&b, 1, 4, 5, REG_NONE, UNIT_INT); /* another warp's register 5 lies at the same bit */
    run(&b, 8);
    assert_int_equal(b.file.s.piggyback, 1);
    assert_int_equal(b.file.s.bank_writes, 2);
    assert_int_equal(b.file.s.shifts, 5);
    issue(&b, 0, 5, REG_NONE, 1, UNIT_INT);
    issue(&b, 0, 6, REG_NONE, 2, UNIT_INT);
    comes(&b, 0, 5);
    comes(&b, 0, 6);
    run(&b, 2);
    assert_true(has_room(&b, 6, COLLECTOR_SP));
    issue(&b, 0, 7, REG_NONE, 3, UNIT_INT); /* register 1 must go: 4 bits from 5 */
    run(&b, 8);
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
    set_up(&b, &buffered);
    issue(&b, 0, 0, REG_NONE, 5, UNIT_INT);
    comes(&b, 0, 0);
    run(&b, 2);
    assert_true(register_file_has_room(&b.file, 0, b.now));
    issue(&b, 0, 1, 5, 5, UNIT_INT);
    assert_int_equal(b.file.s.buffer_reads, 1);
    assert_int_equal(b.file.s.voided, 1);
    run(&b, 2);
    comes(&b, 0, 1);
    step(&b);
    issue(&b, 0, 2, 5, REG_NONE, UNIT_INT); /* the newer value is there */
    run(&b, 4);
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
    set_up(&b, &p);
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
    run(&b, 2);
    assert_int_equal(b.n, 2);
    register_file_fini(&b.file);
}

/* Full of results that have not come: nobody who writes can issue; a load takes its entry when its
 * data come. */
static void a_full_buffer_holds_up_issue(void **state)
{
    (void)state;
    struct bed b;
    set_up(&b, &buffered);
    issue(&b, 0, 0, REG_NONE, 1, UNIT_INT);
    issue(&b, 0, 1, REG_NONE, 2, UNIT_INT);
    b.code[2] = (struct register_operands){.writes = 1, .write = {3}};
    assert_false(has_room(&b, 2, COLLECTOR_SP));
    assert_true(has_room(&b, 2, COLLECTOR_MEMORY));
    issue(&b, 0, 3, REG_NONE, 4, UNIT_MEMORY);
    run(&b, 2);
    register_file_loaded(&b.file, 0, 3, 4, b.now); /* no entry: to the bank */
    run(&b, 8);
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
    set_up(&b, &p);
    register_file_activate(&b.file, 0, 1, 0);
    for (uint32_t i = 0; i < 3; i++) { /* registers 1, 2, 3: 1 leaves */
        issue(&b, 0, i, REG_NONE, (uint16_t)(i + 1), UNIT_INT);
        comes(&b, 0, i);
        step(&b);
        assert_int_equal(b.written[i + 1], b.now);
    }
    run(&b, 4);
    assert_int_equal(b.file.s.cache_writes, 3);
    assert_int_equal(b.file.s.bank_writes, 1);
    issue(&b, 0, 4, 3, REG_NONE, UNIT_INT);
    issue(&b, 0, 5, 1, REG_NONE, UNIT_INT);
    run(&b, 4);
    assert_int_equal(b.file.s.cache_reads, 1);
    assert_int_equal(b.file.s.bank_reads, 1);
    /* a load's data go to the bank, and the older value is forgotten */
    issue(&b, 0, 6, REG_NONE, 3, UNIT_MEMORY);
    register_file_loaded(&b.file, 0, 6, 3, b.now);
    run(&b, 8);
    assert_int_equal(b.file.s.bank_writes, 2);
    register_file_activate(&b.file, 0, 0, b.now); /* register 2 is left */
    run(&b, 8);
    assert_int_equal(b.file.s.bank_writes, 3);
    issue(&b, 0, 7, REG_NONE, 2, UNIT_INT); /* not active any more */
    comes(&b, 0, 7);
    run(&b, 8);
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
    set_up(&b, &racetrack);
    issue(&b, 0, 0, R0, REG_NONE, UNIT_INT);
    run(&b, 10);
    assert_int_equal(score(&b, 1, R1), 2);
    assert_int_equal(score(&b, 2, R2), 3);
    issue(&b, 0, 1, R1, REG_NONE, UNIT_INT);
    assert_int_equal(score(&b, 4, R4), 2);
    assert_true(score(&b, 4, R4) < score(&b, 3, R3));
    step(&b);
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
    struct register_file_params p = racetrack;
    p.banks = 4;
    rng_seed(&g, 22, 0);
    for (uint32_t turn = 0; turn < 200; turn++) {
        uint64_t circuit[WARPS], least = UINT64_MAX, nearest = 0;
        set_up(&b, &p);
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
        cmocka_unit_test(reads_of_an_sram_bank_take_turns),
        cmocka_unit_test(reads_of_several_banks_go_together),
        cmocka_unit_test(accesses_wait_for_their_shifts),
        cmocka_unit_test(reads_go_before_writes),
        cmocka_unit_test(random_reads_are_served_as_in_a_queue),
        cmocka_unit_test(idle_tracks_return_if_they_are_told_to),
        cmocka_unit_test(a_collector_is_needed_to_issue),
        cmocka_unit_test(only_memory_keeps_the_order_of_issue),
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
