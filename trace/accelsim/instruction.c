/* instruction.c - see instruction.h. */
#include "trace/accelsim/instruction.h"

#include <string.h>

static void settle_generic(struct static_inst *si, uint8_t space)
{
    si->space = space;
    if (space != SPACE_SHARED) return;
    si->cls = si->cls == OP_LOAD ? OP_SHARED_LOAD : OP_SHARED_STORE;
    si->hint = 0;
}

/* An LDGSTS names no register that it loads. A DEPBAR waits for groups of copies if the kernel
 * commits some; other kernels use it for what their loads' registers say already. */
static bool settle_copies(struct accelsim_line *l, const struct accelsim_fields *f,
                          const struct sass *s, bool *commits, struct static_inst *si)
{
    if (si->hint & HINT_ASYNC) {
        si->dst = REG_NONE;
        if (si->cls != OP_LOAD) si->hint = 0; /* it has no addresses */
    }
    *commits |= s->cls == OP_COPY_COMMIT;
    if (s->cls == OP_COPY_COMMIT) si->dst = REG_NONE;
    bool depbar = strncmp(f->opcode, "DEPBAR", 6) == 0;
    if (depbar && *commits && !f->has_addresses) {
        if (f->imm < 0 || f->imm >= INST_COPY_GROUPS)
            return accelsim_line_bad(l, "groups of a DEPBAR", "allowed are 0 to 63");
        si->cls = OP_COPY_WAIT;
        si->dst = REG_NONE;
        si->width = (uint8_t)f->imm;
    }
    return inst_copy_fits(si) ||
           accelsim_line_bad(l, si->cls == OP_LOAD ? "size of an LDGSTS" : "addresses",
                             si->cls == OP_LOAD ? "allowed are 4, 8 and 16 bytes per lane"
                                                : "an LDGDEPBAR has none");
}

static void set_registers(const struct accelsim_fields *f, struct static_inst *si)
{
    si->dst = f->n_dst && f->dst != ACCELSIM_RZ ? f->dst : REG_NONE;
    for (uint32_t i = 0; i < f->n_src; i++)
        if (f->src[i] != ACCELSIM_RZ) si->src[si->n_src++] = f->src[i];
}

static struct static_inst static_of(const struct places *p, const struct accelsim_fields *f,
                                    const struct sass *s)
{
    struct static_inst si = {
        .pc = (uint32_t)f->pc, .cls = s->cls, .space = s->space, .hint = s->hint};
    set_registers(f, &si);
    bool reads_memory = s->known && s->space != SPACE_NONE;
    if (f->has_addresses && !reads_memory)
        si.space = SPACE_GLOBAL; /* so that the addresses are stored */
    if (f->has_addresses) si.width = s->width; /* what is wider comes in parts */
    if (f->has_addresses && s->generic && f->mask) settle_generic(&si, places_space(p, f->addr[0]));
    if (!f->has_addresses) {
        si.space = SPACE_NONE;
        if (inst_op_is_memory(si.cls)) si.cls = OP_INT;
    }
    return si;
}

bool instruction_read(struct accelsim_line *l, const struct places *p,
                      const struct accelsim_fields *f, const struct sass *s, bool *commits,
                      struct static_inst *si)
{
    *si = static_of(p, f, s);
    return settle_copies(l, f, s, commits, si);
}

void instruction_describe(const struct accelsim_line *l, const struct accelsim_fields *f,
                          const struct static_inst *si, struct text *t)
{
    text_add(t, "%s", f->opcode);
    if (f->imm) text_add(t, " imm=%lld", (long long)f->imm);
    uint32_t width = inst_has_addresses(si) ? si->width : 0;
    if (f->mem_width != width) text_add(t, " bytes=%llu", (unsigned long long)f->mem_width);
    if (l->lineinfo) text_add(t, " line=%llu", (unsigned long long)f->line);
    bool rz = f->n_src != si->n_src || (f->n_dst && si->dst == REG_NONE);
    if (!rz) return;
    text_add(t, " regs=");
    if (f->n_dst) text_add(t, "%u,", f->dst);
    text_add(t, ":");
    for (uint32_t i = 0; i < f->n_src; i++)
        text_add(t, "%u,", f->src[i]);
}
