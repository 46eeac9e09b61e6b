/* line.h - parses one instruction line of a *.traceg file: [line] pc mask n_dst [R] opcode n_src
 * [R...] width [mode addresses] [immediate] (Accel-Sim's tracer, versions 1 to 5; before version 3,
 * four more numbers come first). */
#pragma once

#include "base/io/file.h"
#include "trace/stream/inst.h"

enum {
    ACCELSIM_WIDTH = 32,
    ACCELSIM_RZ = 255 /* the register that is always zero */,
    ACCELSIM_TRACER_MAX = 5
};

/* The reader's position; owns nothing. */
struct accelsim_line {
    const char *path;
    const struct instream *in;
    char *at;                  /* next token of the line; parsing writes into the line */
    uint64_t tracer, lineinfo; /* of the file's header */
    struct error *e;
};

struct accelsim_fields {
    uint64_t line, pc, mask, mem_width;
    uint32_t n_dst, n_src;
    uint16_t dst, src[INST_MAX_SRC];
    const char *opcode; /* inside the line */
    size_t opcode_n;
    int64_t imm;
    uint64_t addr[ACCELSIM_WIDTH]; /* of the active lanes, in order */
    bool has_addresses;
};

/* Sets *l->e to "path:line: what; allowed" (wrong input).  Returns false. */
bool accelsim_line_bad(const struct accelsim_line *l, const char *what, const char *allowed);

/* Parses a line into f, which must be zeroed. Everything that does not follow the form above is an
 * error. */
bool accelsim_take_apart(struct accelsim_line *l, struct accelsim_fields *f);
