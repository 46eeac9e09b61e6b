/* sass_opcodes.h - what a mnemonic of NVIDIA's machine code (SASS, Kepler to Ampere) says about an
 * instruction. Source: the opcode lists of the CUDA Binary Utilities manual; the classes are those
 * that a memory simulator needs. */
#pragma once

#include "trace/program/inst.h"

#include <stddef.h>

struct sass {
    uint8_t cls, space, hint;
    uint8_t width; /* bytes per lane if it accesses memory */
    bool known;
    bool generic; /* LD, ST, ATOM: the address determines the space; `space` is the one for
                     global addresses */
};

/* Decodes `opcode` with its dotted modifiers, n characters. */
struct sass sass_decode(const char *opcode, size_t n);
/* A mnemonic that decodes to this instruction's class, space, width and hint (for export of other
 * programs). */
const char *sass_encode(const struct static_inst *si, char out[40]);
