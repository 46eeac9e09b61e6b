/* register_numbers.h - small register numbers for the values of a kernel, by linear scan.
 *
 * A value lives from the first to the last position at which an instruction names it.  Values that
 * live at the same time get different numbers; a value may take the number of one that ends at its
 * own first position, as an instruction reads before it writes.
 *
 * Source: Poletto and Sarkar, Linear scan register allocation, 1999. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct live_range {
    uint32_t first, last; /* positions; first > last: never named */
    uint16_t number; /* set by register_numbers_assign; REG_NONE (inst.h) for those never named */
    uint16_t words;  /* consecutive numbers that the value takes; 0: one */
};

/* A loop: code from `head` to `tail`, which ends with a jump back. */
struct live_loop {
    uint32_t head, tail;
};

/* Extends every value that is live at a loop's beginning and used in it to the loop's end. Sorts
 * the loops. */
void register_numbers_extend(struct live_range *r, size_t n, struct live_loop *loop,
                             size_t n_loops);
/* false: no memory, or more than 65,535 values at once. */
bool register_numbers_assign(struct live_range *r, size_t n);
