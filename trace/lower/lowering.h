/* lowering.h - the state of lowering one kernel; shared by lower.c and lower_registers.c. */
#pragma once

#include "trace/capture/register_numbers.h"
#include "trace/lower/lower.h"
#include "trace/lower/shape.h"

struct edge {
    uint32_t from, to;
};

struct block {
    LLVMBasicBlockRef ref;
    uint32_t function, first_piece, last_piece;
    uint32_t first, last; /* positions */
};

struct lowering {
    struct lowered *l;
    LLVMTargetDataRef layout;
    const struct lower_dialect *dialect;
    LLVMValueRef *function; /* the kernel, then those it calls */
    struct block *block;
    struct shape *shape;      /* of each value; parameters cost nothing */
    uint32_t *class_of;       /* union-find over values that share a register */
    bool *written;            /* of a class: an instruction writes it */
    struct live_range *range; /* of a class */
    struct live_loop *loop;
    struct edge *edge;
    bool *barrier; /* of a piece */
    size_t n_functions, functions_cap, n_blocks, blocks_cap, n_loops, loops_cap;
    size_t n_edges, edges_cap, pieces_cap, barriers_cap;
    uint32_t n_pieces;
    bool by_words; /* a register is 32 bits of a value; else it is a value */
    lower_buffer *buffer;
    void *ctx;
    struct error *e;
};

/* The value's number (and position); UINT32_MAX for constants, functions, blocks. */
static inline uint32_t lowering_number(const struct lowering *w, LLVMValueRef v)
{
    if (LLVMValueIsBasicBlock(v)) return UINT32_MAX;
    const uint32_t *i = hash_map_get(&w->l->index, (uint64_t)(uintptr_t)v);
    return i ? *i : UINT32_MAX;
}

static inline bool lowering_is_instruction(const struct lowering *w, uint32_t i)
{
    return LLVMIsAInstruction(w->l->inst[i].value) != NULL;
}

static inline bool shape_is_free(const struct shape *s)
{
    return s->ops + s->sfu == 0 && s->flags == 0;
}

static inline const struct block *lowering_block(const struct lowering *w, LLVMBasicBlockRef b)
{
    return &w->block[*hash_map_get(&w->l->index, (uint64_t)(uintptr_t)b)];
}

/* Gives every value its class, live range and register (inst[].regs).  Errors: no memory. */
bool lowering_name_registers(struct lowering *w);
