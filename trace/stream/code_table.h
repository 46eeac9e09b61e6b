/* code_table.h - the table of a kernel's static instructions and their mnemonics. Instructions and
 * strings are stored once: adding an equal one returns the index (offset) of the first. Each
 * instruction with addresses has a predictor slot (segment.h); slots are assigned in the order of
 * appearance and shared from CODE_SLOTS on, which bounds a cursor's memory and costs a little
 * compression.
 *
 * Ownership: the table owns its arrays; `strings` starts with an empty string at offset 0. */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/stream/inst.h"
#include "trace/stream/varint.h"

enum { CODE_SLOTS = 128, CODE_NO_SLOT = 0xff, CODE_MAX = 1 << 24 };

struct code_table {
    struct static_inst *si;
    uint8_t *slot;        /* predictor slot of each instruction, CODE_NO_SLOT without addresses */
    uint8_t *global_slot; /* the same, CODE_NO_SLOT but for accesses to global memory */
    uint32_t n, n_addressed;
    struct bytes strings;
    uint32_t n_registers; /* above every register number used */
    size_t si_cap, slot_cap, global_slot_cap;
    struct hash_map by_content, by_text;
};

bool code_init(struct code_table *t); /* false: no memory */
void code_fini(struct code_table *t);
/* The index of the instruction with the mnemonic (NULL: none); adds it if it is new. si->opcode is
 * ignored. UINT32_MAX: no memory, or the table is full. */
uint32_t code_add(struct code_table *t, const struct static_inst *si, const char *mnemonic);
/* Convert the table to bytes, for the file and for digests, and back. code_read: false if the bytes
 * are no table. */
void code_write(const struct code_table *t, struct bytes *out);
bool code_read(struct code_table *t, struct span *in);

static inline uint32_t code_slots(const struct code_table *t)
{
    return t->n_addressed < CODE_SLOTS ? t->n_addressed : CODE_SLOTS;
}
