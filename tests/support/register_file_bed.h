/* register_file_bed.h - a register file with an owner that takes every instruction and result at
 * once, and notes when it did. */
#pragma once

#include "detailed/register_file/register_file.h"
#include "tests/support/check.h"

enum { REGISTERS = 16, WARPS = 4, CODES = 64, RATIO = 2, NEVER = -1 };

/* The register file, its instructions by code, and what has come of them. */
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

/* Makes one bank whose register r is bit r of the first port's segment, unless `p` says more. */
void bed_set_up(struct bed *b, const struct register_file_params *p);

/* One bank of racetrack memory with four ports. */
extern const struct register_file_params bed_racetrack;

/* Issues an instruction that reads a register (REG_NONE: none) and writes one. */
void bed_issue(struct bed *b, uint32_t warp, uint32_t code, uint16_t read, uint16_t write,
               uint8_t unit);

/* The result of an instruction that was issued comes in this cycle. */
void bed_comes(struct bed *b, uint32_t warp, uint32_t code);

/* Whether a collector of the kind takes the instruction in this cycle. */
bool bed_has_room(struct bed *b, uint32_t code, enum collector_kind kind);

/* One core cycle. */
void bed_step(struct bed *b);

/* So many core cycles. */
void bed_run(struct bed *b, uint32_t cycles);
