/* line.c - see line.h. */
#include "trace/accelsim/line.h"

#include "base/text/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKEN = 96 };

bool accelsim_line_bad(const struct accelsim_line *l, const char *what, const char *allowed)
{
    return error_input(l->e, "%s:%llu: %s; %s", l->path,
                       (unsigned long long)instream_line_number(l->in), what, allowed);
}

static char *next_token(struct accelsim_line *l)
{
    while (*l->at == ' ' || *l->at == '\t')
        l->at++;
    if (!*l->at) return NULL;
    char *t = l->at;
    while (*l->at && *l->at != ' ' && *l->at != '\t')
        l->at++;
    if (*l->at) *l->at++ = 0;
    return t;
}

static bool read_number(struct accelsim_line *l, int base, uint64_t most, uint64_t *v)
{
    const char *t = next_token(l);
    return t && text_whole(&t, base, v) && *t == 0 && *v <= most;
}

static bool signed_number(struct accelsim_line *l, int64_t *v)
{
    char *t = next_token(l), *end;
    if (!t || (!isdigit((unsigned char)*t) && *t != '-')) return false;
    errno = 0;
    *v = strtoll(t, &end, 10);
    return *end == 0 && end != t && errno == 0;
}

static bool read_registers(struct accelsim_line *l, uint32_t most, uint32_t *n, uint16_t *r)
{
    uint64_t count;
    if (!read_number(l, 10, most, &count)) return false;
    *n = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        char *t = next_token(l), *end;
        if (!t || *t != 'R' || !isdigit((unsigned char)t[1])) return false;
        unsigned long v = strtoul(t + 1, &end, 10);
        if (*end || v > ACCELSIM_RZ) return false;
        r[i] = (uint16_t)v;
    }
    return true;
}

static bool is_contiguous(uint64_t mask)
{
    uint64_t shifted = mask >> __builtin_ctzll(mask);
    return (shifted & (shifted + 1)) == 0;
}

static bool strided_addresses(struct accelsim_line *l, struct accelsim_fields *f, uint32_t lanes)
{
    uint64_t base;
    int64_t stride;
    if (!read_number(l, 16, UINT64_MAX, &base) || !signed_number(l, &stride))
        return accelsim_line_bad(l, "base and stride", "expected 0xADDRESS STRIDE");
    if (f->mask && !is_contiguous(f->mask))
        return accelsim_line_bad(l, "a stride (mode 1) over scattered lanes",
                                 "modes 0 and 2 are for these");
    for (uint32_t i = 0; i < lanes; i++)
        f->addr[i] = base + (uint64_t)stride * i;
    return true;
}

static bool listed_addresses(struct accelsim_line *l, struct accelsim_fields *f, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++)
        if (!read_number(l, 16, UINT64_MAX, &f->addr[i]))
            return accelsim_line_bad(l, "list of addresses",
                                     "expected one 0xADDRESS per active lane");
    return true;
}

static bool delta_addresses(struct accelsim_line *l, struct accelsim_fields *f, uint32_t lanes)
{
    uint64_t at;
    if (!read_number(l, 16, UINT64_MAX, &at))
        return accelsim_line_bad(l, "base address", "expected 0xADDRESS");
    for (uint32_t i = 0; i < lanes; i++) {
        int64_t d = 0;
        if (i > 0 && !signed_number(l, &d))
            return accelsim_line_bad(l, "list of differences",
                                     "expected one for each active lane after the first");
        f->addr[i] = at += (uint64_t)d;
    }
    return true;
}

static bool read_addresses(struct accelsim_line *l, struct accelsim_fields *f)
{
    uint64_t mode;
    uint32_t lanes = (uint32_t)__builtin_popcountll(f->mask);
    if (!read_number(l, 10, 2, &mode))
        return accelsim_line_bad(l, "address mode", "allowed are 0, 1, 2");
    f->has_addresses = true;
    if (mode == 0) return listed_addresses(l, f, lanes);
    return mode == 1 ? strided_addresses(l, f, lanes) : delta_addresses(l, f, lanes);
}

static bool leading_numbers(struct accelsim_line *l, struct accelsim_fields *f)
{
    uint64_t unused;
    for (unsigned i = 0; l->tracer < 3 && i < 4; i++)
        if (!read_number(l, 10, UINT32_MAX, &unused))
            return accelsim_line_bad(l, "CTA and warp numbers",
                                     "tracers before version 3 write four numbers here");
    if (l->lineinfo && !read_number(l, 10, UINT32_MAX, &f->line))
        return accelsim_line_bad(l, "line number",
                                 "expected a decimal number ('enable lineinfo = 1')");
    return true;
}

bool accelsim_take_apart(struct accelsim_line *l, struct accelsim_fields *f)
{
    if (!leading_numbers(l, f)) return false;
    if (!read_number(l, 16, UINT32_MAX, &f->pc))
        return accelsim_line_bad(l, "program counter", "expected a hexadecimal number");
    if (!read_number(l, 16, UINT32_MAX, &f->mask))
        return accelsim_line_bad(l, "mask", "expected 8 hexadecimal digits");
    if (!read_registers(l, 1, &f->n_dst, &f->dst))
        return accelsim_line_bad(l, "destination", "expected 0, or 1 and R0 to R255");
    f->opcode = next_token(l);
    if (!f->opcode || !isupper((unsigned char)*f->opcode))
        return accelsim_line_bad(l, "opcode", "expected a SASS mnemonic");
    f->opcode_n = strlen(f->opcode);
    if (f->opcode_n > MAX_TOKEN)
        return accelsim_line_bad(l, "opcode", "at most 96 characters are allowed");
    if (!read_registers(l, INST_MAX_SRC, &f->n_src, f->src))
        return accelsim_line_bad(l, "sources", "expected 0 to 4 and as many of R0 to R255");
    if (!read_number(l, 10, 4096, &f->mem_width))
        return accelsim_line_bad(l, "memory width", "expected 0 or bytes");
    if (f->mem_width && !read_addresses(l, f)) return false;
    while (*l->at == ' ')
        l->at++;
    if (*l->at && !signed_number(l, &f->imm))
        return accelsim_line_bad(l, "immediate", "expected a decimal number");
    return next_token(l) == NULL ||
           accelsim_line_bad(l, "something behind the immediate", "nothing may follow");
}
