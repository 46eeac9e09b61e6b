/* now.h - what compiled device code and the runtime share: the record of the running lane, and the
 * places of memory.
 *
 * All places are fixed addresses, so that compiled code has them as constants, and so that a
 * captured program shows the same addresses on every run. The record and shared memory lie below 2
 * GiB, where x86-64 reaches them with absolute addresses; programs are linked as
 * position-independent executables and lie elsewhere.
 *
 * A lane logs the pieces that it visits upwards from the beginning of its log, and the addresses
 * that it accesses downwards from its end. On entering a piece it makes sure that both fit. */
#pragma once

#include <stdint.h>

#define CUDA_NOW UINT64_C(0x20000000)           /* struct cuda_now */
#define CUDA_SHARED UINT64_C(0x21000000)        /* the running CTA's shared memory */
#define CUDA_SHARED_WINDOW UINT64_C(0x00100000) /* more than any GPU has */
#define CUDA_GLOBAL UINT64_C(0x200000000000)    /* device memory; trace addresses begin here */
#define CUDA_GLOBAL_WINDOW UINT64_C(0x10000000000)
#define CUDA_STACKS                                                              \
    UINT64_C(0x300000000000) /* the lanes' long logs, and deep stacks above them \
                              */
#define CUDA_SMALL_STACKS UINT64_C(0x380000000000)

enum { CUDA_WARP = 32 };

/* The offsets are part of compiled code. */
struct cuda_now {
    uint32_t *visit; /* where the next visit is written */
    uint64_t *word;  /* behind the place of the next address */
    uint32_t depth;  /* of calls */
    uint32_t lane;   /* in the CTA */
    uint32_t tid[3], ctaid[3], ntid[3], nctaid[3];
    uint32_t shared_bytes[2]; /* static and dynamic; all */
};
enum {
    NOW_VISIT = 0,
    NOW_WORD = 8,
    NOW_DEPTH = 16,
    NOW_LANE = 20,
    NOW_TID = 24,
    NOW_CTAID = 36,
    NOW_NTID = 48,
    NOW_NCTAID = 60
};

/* What a module of device code registers. */
struct cuda_kernel {
    const char *name; /* mangled */
    void (*run)(void **args);
    const void *code; /* kernel_blob.h */
    uint64_t code_bytes;
    uint64_t n_args;
    const uint32_t *arg_bytes; /* of each argument */
};
struct cuda_variable {
    const char *name;
    void *address;
    uint64_t bytes;
    void **cell; /* of a managed variable: holds the host's address; else NULL */
};
struct cuda_module {
    uint64_t version, warp; /* warp: lanes */
    const char *id;         /* the same in the host's part, as its "GPU binary" */
    const struct cuda_kernel *kernel;
    uint64_t n_kernels;
    const struct cuda_variable *variable;
    uint64_t n_variables;
};
enum { CUDA_MODULE_VERSION = 2 };
