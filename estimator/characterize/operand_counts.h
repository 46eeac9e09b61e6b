/* operand_counts.h - counts the warp registers that instructions read and write.
 *
 * Registers are those of gpu/geometry/register_map.h, each once in an instruction, whether it is
 * read, written or both. Register r of a warp is in bank r mod OPERAND_BANKS; other warps'
 * registers lie in others, which moves all registers of an instruction alike.
 *
 * Ownership: operand_code is of one launch; operand_code_init allocates. Source: Mao 3.3.2. */
#pragma once

#include "trace/program/program.h"

enum { OPERAND_BANKS = 16 };

struct operand_counts {
    uint64_t reads, results; /* warp registers */
    uint64_t shared;         /* instructions with two or more of their registers in one bank */
    uint64_t crowded;        /* with three or more */
    uint32_t per_lane;       /* the most of a launch */
};

struct operand_code {
    struct operand_counts *of; /* [n_code] what one execution adds; per_lane is the launch's */
};

bool operand_code_init(struct operand_code *c, const struct launch *l); /* false: no memory */
void operand_code_fini(struct operand_code *c);
void operand_counts_add(struct operand_counts *to, const struct operand_counts *u);
