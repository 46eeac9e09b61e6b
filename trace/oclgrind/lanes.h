/* lanes.h - a record of what each work-item did, for tests of their merging into warps.
 *
 * A file of records in the host's byte order. Per launch: LANES_LAUNCH, then, when its first
 * instruction is executed, the code of the kernel and of the functions that it calls (LANES_INST,
 * one per LLVM instruction except phis, LANES_EDGE); per CTA: LANES_CTA and what the work-items
 * executed, each from barrier to barrier: LANES_LANE names the work-item, LANES_RUN is an
 * instruction, the LANES_ACCESS before it are its accesses. Blocks are named by the number of their
 * first instruction (phis count).
 *
 * Errors: writing fails without a word; ferror tells. */
#pragma once

#include <stdint.h>
#include <stdio.h>

enum lanes_kind {
    LANES_LAUNCH, /* a: its number in the program */
    LANES_INST,   /* a: number; b: block, from bit 32 on ops, from bit 48 on LANES_IS_* */
    LANES_EDGE,   /* a: block; b: a block behind it */
    LANES_CTA,    /* b: its number in the launch */
    LANES_LANE,   /* a: its number in the CTA */
    LANES_RUN,    /* a: instruction */
    LANES_ACCESS  /* a: bytes, from bit 24 on the space (enum mem_space); b: address */
};
enum {
    /* LANES_IS_END: last of its block. */
    LANES_IS_CALL = 1,
    LANES_IS_END = 2,
    LANES_IS_RETURN = 4
};

struct lanes_record {
    uint32_t kind, a;
    uint64_t b;
};

static inline void lanes_put(FILE *f, enum lanes_kind kind, uint32_t a, uint64_t b)
{
    struct lanes_record r = {(uint32_t)kind, a, b};
    if (f) fwrite(&r, sizeof r, 1, f);
}

struct lowered;
void lanes_put_code(FILE *f, const struct lowered *l);
