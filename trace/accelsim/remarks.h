/* remarks.h - what a program's answers lack because its trace does not tell it, counted while the
 * trace is read and kept as notes of the program, one for each kind. */
#pragma once

#include "trace/accelsim/sass_opcodes.h"
#include "trace/plt/writer.h"

enum { REMARKS_OPCODES = 64, REMARKS_NAME = 40, REMARKS_STREAMS = 2 };

/* All zero at the beginning. */
struct remarks {
    bool allow_unknown; /* opcodes of memory and matrices that are not known are no error */
    struct remarks_opcode {
        char name[REMARKS_NAME];
        uint8_t untold;
        uint64_t instructions; /* of warps */
    } opcode[REMARKS_OPCODES];
    uint32_t n_opcodes;
    uint64_t others[SASS_UNTOLD_N]; /* instructions of opcodes beyond these */
    uint64_t stream[REMARKS_STREAMS], launches;
    uint32_t n_streams; /* different ones, counted up to REMARKS_STREAMS */
    uint64_t ignored;   /* lines of the list */
    char first_ignored[80];
};

void remarks_count(struct remarks *r, const char *opcode, size_t n, uint8_t untold);
void remarks_launch(struct remarks *r, uint64_t stream);
void remarks_ignore(struct remarks *r, uint64_t line, const char *text);
/* Adds the notes. false: no memory. */
bool remarks_write(const struct remarks *r, struct writer *w);
