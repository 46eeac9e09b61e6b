/* sass_opcodes.h - what a mnemonic of NVIDIA's machine code (SASS, Kepler to Ampere) says about an
 * instruction.
 *
 * Facts: the opcode lists of the CUDA Binary Utilities manual; which classes a memory simulator
 * needs is ours. */
#ifndef PLUMB_TRACE_ACCELSIM_SASS_OPCODES_H
#define PLUMB_TRACE_ACCELSIM_SASS_OPCODES_H

#include "trace/program/inst.h"

#include <stddef.h>

struct sass {
    uint8_t cls, space, hint;
    uint8_t width; /* bytes per lane if it accesses memory */
    bool known;
    bool
        generic; /* LD, ST, ATOM, LDGSTS: the address tells the space; `space` is for global ones */
};

/* `opcode` with its dotted modifiers, n characters. */
struct sass sass_decode(const char *opcode, size_t n);
/* A mnemonic that decodes to this instruction's class, space, width and hint (for export of other
 * programs). */
const char *sass_encode(const struct static_inst *si, char out[40]);

#endif
