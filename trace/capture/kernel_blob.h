/* kernel_blob.h - a kernel's code as bytes, which a compiler leaves in an object file.
 *
 * Beside its pieces and their order (capture.h), the bytes say what a program that logs visits and
 * addresses needs to make steps of them: each access that the code logs, with its size and source
 * line. A generic access is one address in the log and three steps of its piece: to global, shared
 * and private memory.
 *
 * Ownership: kernel_code_read allocates, kernel_code_fini frees; mnemonics and file names point
 * into the bytes, which outlive the struct. */
#pragma once

#include "trace/capture/capture.h"
#include "trace/stream/varint.h"

/* Changes with the form of the bytes: objects that another one made are refused. */
enum { KERNEL_BLOB_VERSION = 1 };

/* An access that the code logs. */
struct kernel_access {
    uint32_t bytes, line;
    bool generic, writes;
};

struct kernel_piece {
    uint32_t first_access, n_accesses; /* in kernel_code.access */
    uint32_t line;                     /* of its first instruction; 0: unknown */
    uint32_t instructions;             /* of one lane that visits it */
};

struct kernel_code {
    struct capture_kernel kernel;
    struct kernel_piece *piece; /* as many as kernel.piece */
    struct kernel_access *access;
    uint32_t n_accesses;
    uint32_t registers;    /* of 32 bits, per lane; an estimate by live ranges */
    uint32_t shared_bytes; /* static; dynamic shared memory follows */
    bool deep;             /* calls functions or has large arrays of its own: needs much stack */
    const char *file;      /* the source file of its lines; "": unknown */
};

/* Appends. The caller looks at out->failed. */
void kernel_code_write(const struct kernel_code *k, struct bytes *out);
/* false: the bytes are no kernel, or no memory. */
bool kernel_code_read(struct kernel_code *k, const void *bytes, size_t n);
void kernel_code_fini(struct kernel_code *k);
