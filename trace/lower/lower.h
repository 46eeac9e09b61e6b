/* lower.h - lowers an LLVM kernel to pieces of warp instructions (capture.h).
 *
 * docs/guide/capture.md lists what becomes an instruction, and of which class. LLVM instructions
 * that cost nothing on a GPU (bit casts, phis, constant address steps, debugging) become none; the
 * values that they connect share a register.
 *
 * Ownership: the LLVM values belong to the front end and outlive the struct. */
#pragma once

#include "base/memory/arena.h"
#include "base/memory/hash_map.h"
#include "trace/capture/capture.h"

#include <llvm-c/Core.h>

enum {
    LOWER_FIRST = 1,  /* the first of its piece: passing it is a visit */
    LOWER_STEP = 2,   /* may access memory */
    LOWER_LATE = 4,   /* its accesses are only known when it is executed */
    LOWER_ENTER = 8,  /* calls a function of the program */
    LOWER_LEAVE = 16, /* returns from one */
    LOWER_BARRIER = 32,
    LOWER_NARROW = 64 /* truncates an integer to a width that is no whole number of bytes:
                         lower_check_narrow */
};

struct lower_inst {
    LLVMValueRef value;
    uint32_t piece;
    uint16_t step;
    uint8_t flags;
    uint16_t known; /* LOWER_LATE: accesses seen so far */
    /* Registers and buffer; class and space of loads, stores and atomics. */
    struct static_inst regs;
    /* Of a vector operation: the registers from one element to the next, of the result and of each
     * source. */
    uint8_t dst_step, src_step[INST_MAX_SRC];
    const char *mnemonic;
};

struct lowered {
    struct capture_kernel kernel;
    struct lower_inst *inst;
    size_t n, cap;
    struct hash_map index;  /* LLVM value -> inst */
    uint64_t private_bytes; /* of a lane's arrays */
    struct arena names;
};

/* The number of the allocation that a kernel argument or a global variable points to; 0: unknown.
 */
typedef uint16_t lower_buffer(void *ctx, LLVMValueRef pointer);

struct lower_dialect; /* shape.h */

/* by_words: register numbers stand for 32-bit registers, a wide value's the first of several; else
 * for values. Precondition: *l is zero. false: *e says why. Call lowered_fini in either case. */
bool lower_kernel(struct lowered *l, LLVMValueRef function, const struct lower_dialect *dialect,
                  bool by_words, lower_buffer *buffer, void *ctx, struct error *e);
void lowered_fini(struct lowered *l);

/* The class of an access to a memory space. */
enum lower_access { LOWER_LOAD, LOWER_STORE, LOWER_ATOMIC };
enum op_class lower_class(enum lower_access kind, enum mem_space space);
/* Makes instructions for the next access of a LOWER_LATE instruction.  false: no memory. */
bool lower_add_access(struct lowered *l, struct lower_inst *i, enum lower_access kind,
                      enum mem_space space, uint64_t bytes);

/* Checks that the `size` bytes of a LOWER_NARROW instruction's result have no bit beyond its width.
 * Oclgrind 21.10 keeps such bits and then takes other branches than the program would. false: *e
 * says so. */
bool lower_check_narrow(const struct lower_inst *i, const unsigned char *data, uint32_t size,
                        struct error *e);

static inline struct lower_inst *lower_find(const struct lowered *l, const void *value)
{
    const uint32_t *i = hash_map_get(&l->index, (uint64_t)(uintptr_t)value);
    return i ? &l->inst[*i] : NULL;
}
