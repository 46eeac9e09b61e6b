/* register_file_bed.h - a register file with an owner that takes every instruction and result at
 * once, and notes when it did. */
#pragma once

#include "detailed/register_file/register_file.h"
#include "tests/support/check.h"

enum { REGISTERS = 16, WARPS = 4, CODES = 64, RATIO = 2, NEVER = -1 };

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

static inline bool bed_dispatch(void *self, const struct operand_collector *c, uint64_t now)
{
    struct bed *b = self;
    if (b->closed[c->unit]) return false;
    b->dispatched[c->inst.code] = (int64_t)now;
    b->order[b->n++] = c->inst.code;
    return true;
}

static inline void bed_written(void *self, uint32_t warp, uint16_t dst, uint64_t ready,
                               uint64_t now)
{
    (void)warp, (void)now;
    ((struct bed *)self)->written[dst] = (int64_t)ready;
}

/* One bank whose register r is bit r of the first port's segment, unless `p` says more. */
static inline void bed_set_up(struct bed *b, const struct register_file_params *p)
{
    const struct register_file_owner owner = {b, bed_dispatch, bed_written};
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

static const struct register_file_params bed_racetrack = {
    .cells = CELLS_RACETRACK, .banks = 1, .racetrack = {.ports = 4}};

/* An instruction that reads a register (REG_NONE: none) and writes one. */
static inline void bed_issue(struct bed *b, uint32_t warp, uint32_t code, uint16_t read,
                             uint16_t write, uint8_t unit)
{
    b->code[code] = (struct register_operands){
        .reads = read != REG_NONE, .writes = write != REG_NONE, .read = {read}, .write = {write}};
    b->si[code] = (struct static_inst){.dst = write};
    const struct warp_inst inst = {.si = &b->si[code], .code = code};
    register_file_fetch(&b->file, warp, code, collector_kind_of(unit));
    register_file_collect(&b->file, warp, &inst, unit, b->now);
}

/* The result of an instruction that was issued comes in this cycle. */
static inline void bed_comes(struct bed *b, uint32_t warp, uint32_t code)
{
    const struct warp_inst inst = {.si = &b->si[code], .code = code};
    register_file_result(&b->file, UNIT_INT, warp, &inst, b->now);
}

static inline bool bed_has_room(struct bed *b, uint32_t code, enum collector_kind kind)
{
    register_file_fetch(&b->file, 0, code, kind);
    return register_file_has_room(&b->file, 0, b->now);
}

static inline void bed_step(struct bed *b)
{
    register_file_step(&b->file, b->now);
    assert_true(register_file_check(&b->file));
    register_file_dispatch(&b->file, ++b->now);
}

static inline void bed_run(struct bed *b, uint32_t cycles)
{
    for (uint32_t i = 0; i < cycles; i++)
        bed_step(b);
}
