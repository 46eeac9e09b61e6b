/* hand.h - programs written by hand, one line per warp instruction, for tests that follow single
 * accesses. */
#pragma once

#include "tests/support/written.h"

/* Lane i accesses 4 bytes at addr + stride * i; where `column` is set, columns of so many lanes lie
 * side by side: addr + stride * (i % column) + 4 * (i / column).  A load's destination is its own
 * source, too, where `after` is set: it then waits for the one before it. */
struct hand_op {
    uint8_t cls, space; /* enum op_class, enum mem_space */
    uint32_t pc;
    uint64_t addr, stride;
    uint32_t lanes; /* 0: 1 */
    bool after;
    uint8_t hint;
    uint32_t column;
    uint8_t groups; /* that an OP_COPY_WAIT leaves open */
};

/* The address of a lane's access. */
uint64_t hand_addr(const struct hand_op *o, uint32_t lane);

/* Writes one instruction of a warp; nth, its place in the program, chooses the destination
 * register. */
void hand_inst(struct writer *w, uint32_t warp, const struct hand_op *o, uint32_t nth);

/* One launch of `ctas` CTAs of `warps` warps that all do the same; ended by OP_N. */
struct program *hand_program(const struct hand_op *op, uint32_t ctas, uint32_t warps,
                             uint32_t width);

/* Simulates one CTA of `warps` warps on the preset with n overrides. */
struct metrics hand_run(const char *preset, const char *const *sets, size_t n,
                        const struct hand_op *op, uint32_t warps);

/* hand_run with the overrides behind the number of warps. */
#define HAND(preset, op, warps, ...)                     \
    hand_run(preset, (const char *const[]){__VA_ARGS__}, \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), op, warps)
