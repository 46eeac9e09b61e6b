/* sass_opcodes.h - what a mnemonic of NVIDIA's machine code (SASS, Kepler to Blackwell) says about
 * an instruction. Source: the instruction set references of the CUDA Binary Utilities manual (11.1
 * for Kepler to Volta, 13.1 for Turing to Blackwell); the classes are those that a memory simulator
 * needs. */
#pragma once

#include "trace/stream/inst.h"

#include <stddef.h>

/* What a trace does not tell of an instruction, so that answers lack it. */
enum sass_untold {
    SASS_TOLD,
    SASS_UNKNOWN,
    SASS_UNKNOWN_MEMORY,
    SASS_NO_ADDRESS, /* of an instruction that accesses memory */
    SASS_BULK,
    SASS_TEXTURE,
    SASS_MATRIX, /* of warpgroups and tensor memory */
    SASS_WAIT,
    SASS_DEPENDENT,
    SASS_CACHE,
    SASS_UNTOLD_N
};
extern const char *const sass_untold_text[SASS_UNTOLD_N];

struct sass {
    uint8_t cls, space, hint;
    uint8_t width; /* bytes per lane if it accesses memory: 1 to 32 */
    bool known;
    bool generic;   /* LD, ST, ATOM: the address determines the space; `space` is the one for
                       global addresses */
    uint8_t untold; /* enum sass_untold; of a known one */
    bool memory;    /* not known, but named as NVIDIA names instructions for memory and matrices:
                       LD..., ST..., ATOM..., RED..., surfaces, textures, TMA, ...MMA */
};

/* Decodes `opcode` with its dotted modifiers, n characters. */
struct sass sass_decode(const char *opcode, size_t n);
/* A mnemonic that decodes to this instruction's class, space, width and hint (for export of other
 * programs). */
const char *sass_encode(const struct static_inst *si, char out[40]);
