/* below.h - what an L2 slice sends its operations to instead of to memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct mem_op;

struct below {
    void *all;       /* NULL: there is none */
    uint32_t cycles; /* of the L2, that an unloaded fetch from memory takes longer through it */
    /* Takes an operation of a slice; false: no memory. */
    bool (*send)(void *all, const struct mem_op *op);
    /* The slice's operations that wait there for the address; slices bound their number. */
    uint32_t (*waiting)(const void *all, uint32_t slice, uint64_t addr);
};
