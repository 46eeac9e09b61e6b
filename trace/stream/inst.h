/* inst.h - a warp instruction as the engines see it. The static part is stored once per kernel; the
 * cursor delivers the dynamic part. Addresses are byte addresses of the first byte that a lane
 * accesses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum op_class {
    OP_INT,
    OP_FP32,
    OP_FP64,
    OP_SFU,
    OP_TENSOR, /* a matrix instruction of one warp: PTX mma.sync, SASS HMMA */
    OP_BRANCH,
    OP_LOAD,
    OP_STORE,
    OP_ATOMIC, /* global, local and generic memory */
    OP_SHARED_LOAD,
    OP_SHARED_STORE, /* shared memory; shared atomics are shared stores with a destination */
    OP_BARRIER,
    OP_FENCE,
    OP_ACQUIRE,
    OP_RELEASE,
    OP_EXIT,
    OP_COPY_COMMIT, /* closes the warp's open group of asynchronous copies */
    OP_COPY_WAIT,   /* waits for the warp's groups; see inst_open_groups */
    OP_WGMMA,       /* a warp's part of a warpgroup's matrix instruction: PTX wgmma, SASS HGMMA */
    OP_N
};
extern const char *const op_class_name[OP_N];

enum mem_space { SPACE_NONE, SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED, SPACE_CONST, SPACE_N };
extern const char *const mem_space_name[SPACE_N];

/* GLC, SLC, evict-first; HINT_ASYNC: a load that is an asynchronous copy (inst_is_copy) */
enum { HINT_BYPASS_L1 = 1, HINT_BYPASS_L2 = 2, HINT_STREAM = 4, HINT_ASYNC = 8 };
enum {
    REG_NONE = 0xffff,
    INST_MAX_SRC = 4,
    INST_MAX_WIDTH = 16,
    WARP_MAX_LANES = 64,
    /* A wait for copies leaves fewer groups open: SASS counts them in six bits (DEPBAR.LE). */
    INST_COPY_GROUPS = 64
};

struct static_inst {
    uint32_t pc;
    uint8_t cls;   /* enum op_class */
    uint8_t space; /* enum mem_space */
    uint8_t width; /* bytes per lane of a memory access; groups of OP_COPY_WAIT; else 0 */
    uint8_t hint;
    uint8_t n_src;
    uint16_t dst; /* first destination register, REG_NONE = none */
    uint16_t src[INST_MAX_SRC];
    uint16_t buffer; /* which allocation, for reports; 0 = unknown */
    uint32_t opcode; /* offset of its mnemonic in the launch's string table */
};

/* Whether an instruction has lane addresses: all memory classes do, and whatever else names a space
 * (constant loads count as int, yet have addresses). */
static inline bool inst_has_addresses(const struct static_inst *si)
{
    return si->space != SPACE_NONE;
}

static inline bool inst_op_is_matrix(uint8_t cls)
{
    return cls == OP_TENSOR || cls == OP_WGMMA;
}
static inline bool inst_op_is_arithmetic(uint8_t cls)
{
    return cls <= OP_SFU || inst_op_is_matrix(cls);
}

static inline bool inst_op_is_memory(uint8_t cls)
{
    return cls >= OP_LOAD && cls <= OP_SHARED_STORE;
}
static inline bool inst_op_is_global(uint8_t cls)
{
    return cls >= OP_LOAD && cls <= OP_ATOMIC;
}

/* Whether an instruction is an asynchronous copy: a load from global to shared memory that no
 * register waits for (PTX cp.async, SASS LDGSTS). A warp's copies since its last OP_COPY_COMMIT
 * are its open group. Source: PTX ISA, "Data Movement and Conversion Instructions: cp.async". */
static inline bool inst_is_copy(const struct static_inst *si)
{
    return si->cls == OP_LOAD && (si->hint & HINT_ASYNC);
}
/* The committed groups, the youngest ones, for which an OP_COPY_WAIT does not wait. */
static inline uint32_t inst_open_groups(const struct static_inst *si)
{
    return si->width;
}
/* Whether what the instruction says of copies can be: 4, 8 or 16 bytes per lane from global memory,
 * no destination, and at most INST_COPY_GROUPS - 1 groups. */
bool inst_copy_fits(const struct static_inst *si);

enum addr_form { ADDR_NONE, ADDR_STRIDE, ADDR_LIST };

struct warp_inst {
    const struct static_inst *si;
    uint32_t code;        /* index of si in the launch's table */
    uint8_t form;         /* enum addr_form */
    uint64_t mask;        /* active lanes, lane 0 = bit 0 */
    uint64_t base;        /* ADDR_STRIDE: address of the first active lane */
    int64_t stride;       /* ADDR_STRIDE: step from each active lane to the next active one */
    const uint64_t *list; /* ADDR_LIST: one address per active lane in lane order; valid until the
                             cursor moves */
};

/* The address of the k-th active lane. */
static inline uint64_t warp_inst_addr(const struct warp_inst *w, uint32_t k)
{
    return w->form == ADDR_LIST ? w->list[k] : w->base + (uint64_t)w->stride * k;
}
