/* code_table.c - the static instructions and mnemonics of a kernel: stored once, found by the
 * digest of their bytes, written to and read from a .plt file. A reader refuses classes, widths,
 * register numbers and string offsets out of range, so that a damaged file cannot lead beyond an
 * array. The format: docs/develop/trace-format.md. */
#include "trace/stream/code_table.h"

#include "base/memory/alloc.h"
#include "base/text/digest.h"

bool code_init(struct code_table *t)
{
    *t = (struct code_table){0};
    bytes_put(&t->strings, "", 1);
    if (!t->strings.failed && hash_map_init(&t->by_content, 64) && hash_map_init(&t->by_text, 64))
        return true;
    code_fini(t);
    return false;
}

void code_fini(struct code_table *t)
{
    mem_free(t->si);
    mem_free(t->slot);
    mem_free(t->global_slot);
    bytes_fini(&t->strings);
    hash_map_fini(&t->by_content);
    hash_map_fini(&t->by_text);
    *t = (struct code_table){0};
}

/* Offset of the string; UINT32_MAX: no memory. */
static uint32_t intern_string(struct code_table *t, const char *s)
{
    if (!s || !*s) return 0;
    size_t n = strlen(s) + 1;
    uint64_t key = digest_bytes(s, n).lo;
    for (uint32_t *found; (found = hash_map_get(&t->by_text, key)); key++)
        if (strcmp((const char *)t->strings.p + *found, s) == 0) return *found;
    uint32_t offset = (uint32_t)t->strings.n;
    if (t->strings.n + n > UINT32_MAX) return UINT32_MAX;
    bytes_put(&t->strings, s, n);
    return !t->strings.failed && hash_map_put(&t->by_text, key, offset) ? offset : UINT32_MAX;
}

/* Clears padding and unused sources, so that equal instructions are equal bytes. */
static void make_canonical(struct static_inst *out, const struct static_inst *si, uint32_t opcode)
{
    memset(out, 0, sizeof *out);
    out->pc = si->pc;
    out->cls = si->cls;
    out->space = si->space;
    out->width = si->width;
    out->hint = si->hint;
    out->n_src = si->n_src < INST_MAX_SRC ? si->n_src : INST_MAX_SRC;
    out->dst = si->dst;
    for (unsigned i = 0; i < INST_MAX_SRC; i++)
        out->src[i] = i < out->n_src ? si->src[i] : REG_NONE;
    out->buffer = si->buffer;
    out->opcode = opcode;
}

static void note_registers(struct code_table *t, const struct static_inst *si)
{
    if (si->dst != REG_NONE && si->dst >= t->n_registers) t->n_registers = si->dst + 1u;
    for (unsigned i = 0; i < si->n_src; i++)
        if (si->src[i] != REG_NONE && si->src[i] >= t->n_registers)
            t->n_registers = si->src[i] + 1u;
}

static bool append_instruction(struct code_table *t, const struct static_inst *si)
{
    if (t->n >= CODE_MAX || !mem_grow(&t->si, &t->si_cap, t->n + 1, sizeof *t->si) ||
        !mem_grow(&t->slot, &t->slot_cap, t->n + 1, 1) ||
        !mem_grow(&t->global_slot, &t->global_slot_cap, t->n + 1, 1))
        return false;
    bool addressed = inst_has_addresses(si);
    t->slot[t->n] = addressed ? (uint8_t)(t->n_addressed % CODE_SLOTS) : CODE_NO_SLOT;
    t->global_slot[t->n] = inst_op_is_global(si->cls) ? t->slot[t->n] : CODE_NO_SLOT;
    t->n_addressed += addressed;
    memcpy(&t->si[t->n++], si, sizeof *si);
    note_registers(t, si);
    return true;
}

uint32_t code_add(struct code_table *t, const struct static_inst *si, const char *mnemonic)
{
    uint32_t opcode = intern_string(t, mnemonic);
    if (opcode == UINT32_MAX) return UINT32_MAX;
    struct static_inst c;
    make_canonical(&c, si, opcode);
    uint64_t key = digest_bytes(&c, sizeof c).lo & (HASH_MAP_EMPTY >> 1);
    for (uint32_t *found; (found = hash_map_get(&t->by_content, key)); key++)
        if (memcmp(&t->si[*found], &c, sizeof c) == 0) return *found;
    if (!hash_map_put(&t->by_content, key, t->n) || !append_instruction(t, &c)) return UINT32_MAX;
    return t->n - 1;
}

void code_write(const struct code_table *t, struct bytes *out)
{
    bytes_varint(out, t->strings.n);
    bytes_put(out, t->strings.p, t->strings.n);
    bytes_varint(out, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct static_inst *si = &t->si[i];
        const unsigned char small[5] = {si->cls, si->space, si->width, si->hint, si->n_src};
        bytes_put(out, small, sizeof small);
        bytes_varint(out, si->pc);
        bytes_varint(out, (uint16_t)(si->dst + 1)); /* REG_NONE becomes 0 */
        for (unsigned k = 0; k < si->n_src; k++)
            bytes_varint(out, si->src[k]);
        bytes_varint(out, si->buffer);
        bytes_varint(out, si->opcode);
    }
}

static bool read_inst(struct static_inst *si, size_t strings, struct span *in)
{
    const unsigned char *small = span_take(in, 5);
    if (!small) return false;
    memset(si, 0, sizeof *si);
    si->cls = small[0];
    si->space = small[1];
    si->width = small[2];
    si->hint = small[3];
    si->n_src = small[4];
    if (si->cls >= OP_N || si->space >= SPACE_N || si->n_src > INST_MAX_SRC) return false;
    uint64_t pc = span_varint(in), dst = span_varint(in), src[INST_MAX_SRC], high = 0;
    for (unsigned k = 0; k < si->n_src; k++)
        high |= src[k] = span_varint(in);
    uint64_t buffer = span_varint(in), opcode = span_varint(in);
    if (in->bad || pc > UINT32_MAX || (dst | high | buffer) > UINT16_MAX || opcode >= strings)
        return false;
    si->pc = (uint32_t)pc;
    si->dst = (uint16_t)(dst - 1);
    for (unsigned k = 0; k < INST_MAX_SRC; k++)
        si->src[k] = k < si->n_src ? (uint16_t)src[k] : REG_NONE;
    si->buffer = (uint16_t)buffer;
    si->opcode = (uint32_t)opcode;
    bool has_width = si->width >= 1 && si->width <= INST_MAX_WIDTH;
    if (!inst_copy_fits(si)) return false;
    return inst_has_addresses(si) ? has_width : !inst_op_is_memory(si->cls);
}

bool code_read(struct code_table *t, struct span *in)
{
    *t = (struct code_table){0};
    uint64_t size = span_count(in, 1);
    const unsigned char *strings = span_take(in, size);
    if (!strings || size == 0 || strings[0] != 0 || strings[size - 1] != 0) return false;
    bytes_put(&t->strings, strings, size);
    uint64_t n = span_count(in, 9);
    struct static_inst si;
    for (uint64_t i = 0; i < n && !in->bad; i++)
        if (!read_inst(&si, size, in) || !append_instruction(t, &si)) in->bad = true;
    return !in->bad && !t->strings.failed;
}
