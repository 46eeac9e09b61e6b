/* export.c - writes a program as a directory of text traces; see accelsim.h. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/accelsim/accelsim.h"
#include "trace/accelsim/places.h"
#include "trace/accelsim/sass_opcodes.h"
#include "trace/program/cursor.h"
#include "trace/program/launch_header.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 32, RZ = 255 };

struct exporter {
    const struct program *p;
    const struct launch *l;
    uint32_t launch;
    struct outfile *out;
    struct reader *r;
    struct cursor c;
    uint64_t *warp_instructions;
    bool from_trace, lineinfo, immediates, ctaids;
    struct places places; /* of a launch whose local addresses were offsets */
    uint64_t cta;
    struct error *e;
};

/* --- what is lost --- */

static bool header_number(const struct launch *l, const char *key, uint64_t *v)
{
    return launch_header_number(l->header, key, v) == HEADER_FOUND;
}

static bool came_from_trace(const struct launch *l)
{
    uint64_t unused;
    return l->warp_width == WIDTH && header_number(l, "binary version", &unused);
}

struct losses {
    bool mnemonics, registers, buffers, hints, synchronisation;
};

static void note_losses(struct losses *x, const struct launch *l)
{
    x->mnemonics = true;
    for (uint32_t i = 0; i < l->n_code; i++) {
        const struct static_inst *si = &l->code[i];
        x->buffers |= si->buffer != 0;
        x->hints |= (si->hint & ~(HINT_BYPASS_L1 | HINT_ASYNC)) != 0;
        x->synchronisation |= si->cls == OP_ACQUIRE || si->cls == OP_RELEASE;
    }
    x->registers |= l->n_registers > RZ;
}

static void list_losses(const struct program *p, struct text *lost)
{
    struct losses x = {0};
    for (uint32_t i = 0; i < program_launches(p); i++)
        if (!came_from_trace(program_launch(p, i))) note_losses(&x, program_launch(p, i));
    if (program_source_width(p) != WIDTH)
        text_add(lost, "warps of %u lanes: each becomes two of 32\n", program_source_width(p));
    if (x.mnemonics) text_add(lost, "opcodes: a SASS mnemonic of the same class stands for each\n");
    if (x.registers) text_add(lost, "registers from 255 on: numbered modulo 255\n");
    if (x.buffers) text_add(lost, "names of buffers\n");
    if (x.hints) text_add(lost, "cache hints other than bypassing L1\n");
    if (x.synchronisation) text_add(lost, "acquire and release: both become MEMBAR\n");
}

/* --- one instruction --- */

/* The value of " key=" after the mnemonic, or NULL. */
static const char *attribute_of(const char *mnemonic, const char *key)
{
    const char *found = strstr(mnemonic, key);
    return found ? found + strlen(key) : NULL;
}

static uint32_t register_number(uint16_t r)
{
    return r < RZ ? r : r % RZ;
}

static void put_registers(struct exporter *x, const uint16_t *r, uint32_t n)
{
    outfile_printf(x->out, "%u", n);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(x->out, " R%u", register_number(r[i]));
}

/* "255,7,:": numbers up to the end mark. */
static uint32_t kept_registers(const char **s, uint16_t *r)
{
    uint32_t n = 0;
    char *end;
    while (n < INST_MAX_SRC && **s >= '0' && **s <= '9') {
        r[n++] = (uint16_t)strtoul(*s, &end, 10);
        *s = *end == ',' ? end + 1 : end;
    }
    if (**s == ':') (*s)++;
    return n;
}

static void put_kept_registers(struct exporter *x, const uint16_t *r, uint32_t n)
{
    outfile_printf(x->out, "%u", n);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(x->out, " R%u", r[i]);
}

static void put_operands(struct exporter *x, const struct static_inst *si, const char *name)
{
    const char *kept = x->from_trace ? attribute_of(name, " regs=") : NULL;
    char own[40];
    int n = x->from_trace ? (int)strcspn(name, " ") : 0;
    if (!n) name = sass_encode(si, own), n = (int)strlen(own);
    uint16_t dst[INST_MAX_SRC] = {si->dst}, src[INST_MAX_SRC];
    uint32_t n_dst = kept ? kept_registers(&kept, dst) : si->dst != REG_NONE;
    uint32_t n_src = kept ? kept_registers(&kept, src) : si->n_src;
    if (kept) {
        put_kept_registers(x, dst, n_dst);
        outfile_printf(x->out, " %.*s ", n, name);
        put_kept_registers(x, src, n_src);
    } else {
        put_registers(x, dst, n_dst);
        outfile_printf(x->out, " %.*s ", n, name);
        put_registers(x, si->src, n_src);
    }
}

static bool is_contiguous(uint64_t mask)
{
    uint64_t shifted = mask >> __builtin_ctzll(mask);
    return (shifted & (shifted + 1)) == 0;
}

/* The addresses as the tracer wrote them; returns their number. */
static uint32_t traced_addresses(const struct exporter *x, const struct warp_inst *w,
                                 uint64_t addr[WIDTH])
{
    const struct static_inst *si = w->si;
    const char *name = x->l->strings + si->opcode;
    bool places = x->from_trace && si->space == SPACE_LOCAL && x->places.measured;
    bool generic = places && sass_decode(name, strcspn(name, " ")).generic;
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    for (uint32_t k = 0; k < lanes; k++) {
        addr[k] = warp_inst_addr(w, k);
        if (places) addr[k] = places_traced(&x->places, addr[k], si->width, generic);
    }
    return lanes;
}

static bool is_even(const uint64_t *addr, uint32_t n)
{
    int64_t step = n > 1 ? (int64_t)(addr[1] - addr[0]) : 0;
    if (n < 2 || step != (int32_t)step) return false;
    for (uint32_t k = 2; k < n; k++)
        if ((int64_t)(addr[k] - addr[k - 1]) != step) return false;
    return true;
}

/* Writes addresses in the form that the tracer chooses: a stride for at least two neighbouring
 * lanes, evenly spaced; else differences. */
static void put_addresses(struct exporter *x, const struct warp_inst *w)
{
    uint64_t addr[WIDTH];
    uint32_t lanes = traced_addresses(x, w, addr);
    if (lanes == 0) {
        outfile_printf(x->out, " 1 0x0 0");
        return;
    }
    bool even = is_contiguous(w->mask) && is_even(addr, lanes);
    outfile_printf(x->out, " %d 0x%llx", even ? 1 : 2, (unsigned long long)addr[0]);
    if (even) outfile_printf(x->out, " %lld", (long long)(addr[1] - addr[0]));
    for (uint32_t k = 1; !even && k < lanes; k++)
        outfile_printf(x->out, " %lld", (long long)(addr[k] - addr[k - 1]));
}

static void put_inst(struct exporter *x, const struct warp_inst *w)
{
    const struct static_inst *si = w->si;
    const char *name = x->l->strings + si->opcode, *bytes = NULL, *imm = NULL;
    if (x->ctaids) {
        const uint32_t *g = x->l->grid;
        unsigned long long c = x->cta;
        outfile_printf(x->out, "%llu %llu %llu %u ", c % g[0], c / g[0] % g[1], c / g[0] / g[1],
                       x->c.warp);
    }
    if (x->lineinfo) {
        const char *line = attribute_of(name, " line=");
        outfile_printf(x->out, "%lu ", line ? strtoul(line, NULL, 10) : 0);
    }
    outfile_printf(x->out, "%04x %08llx ", si->pc, (unsigned long long)w->mask);
    put_operands(x, si, name);
    if (x->from_trace) bytes = attribute_of(name, " bytes="), imm = attribute_of(name, " imm=");
    bool addressed = inst_has_addresses(si);
    unsigned long width = addressed ? si->width : 0;
    outfile_printf(x->out, " %lu", bytes ? strtoul(bytes, NULL, 10) : width);
    if (addressed) put_addresses(x, w);
    long long own = si->cls == OP_COPY_WAIT ? (long long)inst_open_groups(si) : 0;
    if (x->immediates || imm) outfile_printf(x->out, " %lld", imm ? strtoll(imm, NULL, 10) : own);
    outfile_printf(x->out, " \n");
}

/* --- one launch --- */

static void put_header(struct exporter *x)
{
    const struct launch *l = x->l;
    struct text name = {0}; /* a line end in it would end the line of the header */
    text_add_shown(&name, "-kernel name = %s\n-kernel id = %u\n", l->name, l->id);
    outfile_write(x->out, text_str(&name), name.len);
    text_fini(&name);
    outfile_printf(x->out, "-grid dim = (%u,%u,%u)\n", l->grid[0], l->grid[1], l->grid[2]);
    outfile_printf(x->out, "-block dim = (%u,%u,%u)\n", l->block[0], l->block[1], l->block[2]);
    outfile_printf(x->out, "-shmem = %u\n-nregs = %u\n", l->shared_bytes, l->registers_per_lane);
    if (!x->from_trace && l->resident_warps)
        outfile_printf(x->out, "-resident_warps = %u\n", l->resident_warps);
    const char *s = x->from_trace
                        ? l->header
                        : "binary version = 70\ncuda stream id = 0\nshmem base_addr = 0x0\n"
                          "local mem base_addr = 0x0\nnvbit version = none\n"
                          "accelsim tracer version = 5\nenable lineinfo = 0\n";
    while (*s) {
        size_t n = strcspn(s, "\n");
        if (!places_is_line(s)) outfile_printf(x->out, "-%.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
    }
    outfile_printf(
        x->out,
        "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] [immediate]\n\n");
}

/* A first pass that only counts instructions, since the counts precede the lines. */
static bool count_warps(struct exporter *x)
{
    for (uint32_t w = 0; w < x->l->warps_per_cta; w++) {
        x->e->kind = ERROR_NONE;
        if (!cursor_seek(&x->c, x->r, x->launch, x->cta, w, 0, x->e)) return false;
        x->warp_instructions[w] = cursor_skip(&x->c, UINT64_MAX, x->e);
        if (x->e->kind != ERROR_NONE) return false;
    }
    return true;
}

static bool put_warp(struct exporter *x, uint32_t warp)
{
    struct warp_inst w;
    enum got g;
    outfile_printf(x->out, "\nwarp = %u\ninsts = %llu\n", warp,
                   (unsigned long long)x->warp_instructions[warp]);
    if (!cursor_seek(&x->c, x->r, x->launch, x->cta, warp, 0, x->e)) return false;
    while ((g = cursor_next(&x->c, &w, x->e)) == GOT_INST)
        put_inst(x, &w);
    return g == GOT_END;
}

static bool put_cta(struct exporter *x)
{
    const uint32_t *g = x->l->grid;
    unsigned long long c = x->cta;
    if (!count_warps(x)) return false;
    outfile_printf(x->out, "#BEGIN_TB\n\nthread block = %llu,%llu,%llu\n", c % g[0],
                   c / g[0] % g[1], c / g[0] / g[1]);
    for (uint32_t w = 0; w < x->l->warps_per_cta; w++)
        if (!put_warp(x, w)) return false;
    outfile_printf(x->out, "\n#END_TB\n\n");
    return true;
}

static bool put_launch(struct exporter *x)
{
    uint64_t v = 0;
    x->from_trace = came_from_trace(x->l);
    places_of_launch(x->l, &x->places);
    x->lineinfo = x->from_trace && header_number(x->l, "enable lineinfo", &v) && v == 1;
    v = x->from_trace ? 0 : 5;
    if (x->from_trace) header_number(x->l, "accelsim tracer version", &v);
    x->immediates = v >= 5;
    x->ctaids = v < 3;
    x->warp_instructions = mem_new(x->l->warps_per_cta, sizeof *x->warp_instructions);
    if (!x->warp_instructions) return error_no_memory(x->e);
    put_header(x);
    bool ok = true;
    for (x->cta = 0; ok && x->cta < x->l->ctas; x->cta++)
        ok = put_cta(x);
    mem_free(x->warp_instructions);
    return ok;
}

static bool write_launch(struct exporter *x, const char *dir)
{
    char name[40];
    snprintf(name, sizeof name, "kernel-%u.traceg", x->launch + 1);
    char *path = file_join(dir, name);
    x->l = program_launch(x->p, x->launch);
    x->out = path ? outfile_open(path, x->e) : NULL;
    bool ok = path || error_no_memory(x->e);
    mem_free(path);
    if (!ok || !x->out) return false;
    if (put_launch(x)) return outfile_commit(x->out, x->e);
    outfile_abort(x->out);
    return false;
}

static bool write_list(const struct program *p, const char *dir, struct error *e)
{
    char *path = file_join(dir, "kernelslist.g");
    if (!path) return error_no_memory(e);
    struct outfile *out = outfile_open(path, e);
    mem_free(path);
    if (!out) return false;
    for (uint32_t i = 0; i < program_commands(p); i++) {
        const struct command *c = program_command(p, i);
        if (c->kind == COMMAND_LAUNCH)
            outfile_printf(out, "kernel-%u.traceg\n", c->launch + 1);
        else
            outfile_printf(out, "%s,0x%016llx,%llu\n",
                           c->kind == COMMAND_COPY_TO_DEVICE ? "MemcpyHtoD" : "MemcpyDtoH",
                           (unsigned long long)c->addr, (unsigned long long)c->bytes);
    }
    return outfile_commit(out, e);
}

bool accelsim_export(const struct program *p, const char *dir, bool lossy, struct text *lost,
                     struct error *e)
{
    struct error own;
    struct exporter x = {.p = p, .e = e ? e : &own};
    list_losses(p, lost);
    if (lost->failed) return error_no_memory(e);
    if (lost->len && !lossy)
        return error_input(
            e, "%s: this program does not fit the format without losses; --lossy accepts them",
            program_name(p));
    if (!file_make_dirs(dir, e)) return false;
    x.r = reader_new(p, x.e);
    bool ok = x.r != NULL;
    for (; ok && x.launch < program_launches(p); x.launch++)
        ok = write_launch(&x, dir);
    cursor_release(&x.c);
    reader_free(x.r);
    return ok && write_list(p, dir, e);
}
