/* kernel.c - reader of one *.traceg file: header lines, then per CTA its warps'
 * instruction lines. */
#include "trace/accelsim/kernel.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/accelsim/instruction.h"
#include "trace/accelsim/places.h"
#include "trace/accelsim/sass_opcodes.h"
#include "trace/plt/plt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct kernel {
    const char *path;
    struct instream *in;
    struct writer *w;
    struct remarks *remarks;
    struct error *e;
    struct accelsim_line l; /* the current one */
    char *line;             /* its text, trimmed at its end; NULL at the end of the file */
    struct launch launch;
    struct text name, header;
    uint32_t warps;
    bool has[5]; /* the required header keys that were found */
    struct places places;
    uint64_t stream;
    uint64_t cta;         /* the open one, in the order of the file */
    uint64_t *seen_warps; /* bit set of the open CTA */
    bool commits;         /* an LDGDEPBAR has come, so that a DEPBAR waits for copies */
    struct {              /* an LDGSTS of which a second line may follow */
        bool is, paired;
        uint32_t code;
        uint64_t mask, addr[ACCELSIM_WIDTH];
    } copy;
};

/* The next line that is not empty.  false: end of the file (line NULL) or an error (*e set). */
static bool next_line(struct kernel *k)
{
    size_t n;
    k->e->kind = ERROR_NONE;
    do {
        k->line = instream_line(k->in, &n, k->e);
        if (!k->line) return false;
        while (n > 0 && isspace((unsigned char)k->line[n - 1]))
            k->line[--n] = 0;
        while (isspace((unsigned char)*k->line))
            k->line++;
    } while (*k->line == 0);
    k->l.at = k->line;
    return true;
}

static bool want_line(struct kernel *k, const char *what)
{
    if (next_line(k)) return true;
    if (k->e->kind != ERROR_NONE) return false;
    return accelsim_line_bad(&k->l, "the file ends too early", what);
}

/* --- header --- */

static bool parse_dim(const char *v, uint32_t dim[3])
{
    uint64_t x;
    for (unsigned d = 0; d < 3; d++) {
        if (*v++ != (d ? ',' : '(')) return false;
        if (!text_whole(&v, 10, &x) || x == 0 || x > UINT32_MAX) return false;
        dim[d] = (uint32_t)x;
    }
    return strcmp(v, ")") == 0;
}

static bool parse_number(const char *v, uint64_t most, uint64_t *out)
{
    return text_whole(&v, strncmp(v, "0x", 2) == 0 ? 16 : 10, out) && *v == 0 && *out <= most;
}

static bool parse_u32(const char *v, uint32_t *out)
{
    uint64_t x;
    if (!parse_number(v, UINT32_MAX, &x)) return false;
    *out = (uint32_t)x;
    return true;
}

/* The keys that the header must have, in the order of the enum. */
static const char *const needed[] = {"kernel name", "kernel id", "grid dim", "block dim",
                                     "binary version"};
enum { NEED_NAME, NEED_ID, NEED_GRID, NEED_BLOCK, NEED_BINARY, N_NEEDED };

static bool header_value(struct kernel *k, const char *key, const char *v)
{
    struct launch *l = &k->launch;
    uint64_t unused;
    for (unsigned i = 0; i < N_NEEDED; i++)
        if (strcmp(key, needed[i]) == 0) k->has[i] = true;
    if (strcmp(key, "kernel name") == 0) text_add(&k->name, "%s", v);
    if (strcmp(key, "kernel id") == 0) return parse_u32(v, &l->id);
    if (strcmp(key, "grid dim") == 0) return parse_dim(v, l->grid);
    if (strcmp(key, "block dim") == 0) return parse_dim(v, l->block);
    if (strcmp(key, "shmem") == 0) return parse_u32(v, &l->shared_bytes);
    if (strcmp(key, "nregs") == 0) return parse_u32(v, &l->registers_per_lane);
    if (strcmp(key, "resident_warps") == 0)
        return parse_u32(v, &l->resident_warps) && l->resident_warps > 0;
    if (strcmp(key, "binary version") == 0) return parse_number(v, 999, &unused);
    if (strcmp(key, "accelsim tracer version") == 0)
        return parse_number(v, ACCELSIM_TRACER_MAX, &k->l.tracer);
    if (strcmp(key, "enable lineinfo") == 0) return parse_number(v, 1, &k->l.lineinfo);
    if (strcmp(key, "cuda stream id") == 0) return parse_number(v, UINT64_MAX, &k->stream);
    if (strcmp(key, "shmem base_addr") == 0)
        return parse_number(v, UINT64_MAX, &k->places.shared_base);
    if (strcmp(key, "local mem base_addr") == 0)
        return parse_number(v, UINT64_MAX, &k->places.local_base);
    return true;
}

/* Whether a header line has its own field and is not repeated in the header text. */
static bool has_field(const char *key)
{
    static const char *const fields[] = {"kernel name", "kernel id", "grid dim",
                                         "block dim",   "shmem",     "nregs"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(key, fields[i]) == 0) return true;
    return false;
}

static bool header_line(struct kernel *k)
{
    char *equals = strstr(k->line, " = ");
    if (*k->line != '-' || !equals)
        return accelsim_line_bad(&k->l, "not a header line", "headers look like '-key = value'");
    *equals = 0;
    const char *key = k->line + 1, *v = equals + 3;
    if (!header_value(k, key, v)) {
        struct text what = {0};
        bool tracer = strcmp(key, "accelsim tracer version") == 0;
        text_add(&what, "value '%.60s' of '%.40s'", v, key);
        accelsim_line_bad(&k->l, text_str(&what),
                          tracer ? "tracers up to version 5 are understood"
                                 : "expected a number, or (x,y,z) with each at least 1");
        text_fini(&what);
        return false;
    }
    if (!has_field(key) && !places_is_line(key)) text_add(&k->header, "%s = %s\n", key, v);
    return true;
}

static bool read_header(struct kernel *k)
{
    for (;;) {
        if (!want_line(k, "a header ends with a line that begins with #")) return false;
        if (*k->line == '#') break;
        if (!header_line(k)) return false;
    }
    for (unsigned i = 0; i < N_NEEDED; i++)
        if (!k->has[i])
            return error_input(k->e, "%s:%llu: the header has no '-%s = ...' line; it is needed",
                               k->path, (unsigned long long)instream_line_number(k->in), needed[i]);
    if (k->name.failed || k->header.failed) return error_no_memory(k->e);
    k->launch.name = text_str(&k->name);
    k->launch.header = text_str(&k->header);
    if (!launch_derive(&k->launch, ACCELSIM_WIDTH))
        return accelsim_line_bad(&k->l, "grid or block out of bounds",
                                 "allowed are 65536 threads per CTA and 2^40 CTAs");
    k->warps = k->launch.warps_per_cta;
    return true;
}

/* --- instructions --- */

/* Counts an instruction of which the trace does not tell all. An opcode that is not known and has
 * addresses, or a name for memory or matrices, is an error unless it is allowed. */
static bool remark(struct kernel *k, const struct accelsim_fields *f, const struct sass *s,
                   const struct static_inst *si)
{
    uint8_t untold = s->untold;
    bool memory = s->memory || (!s->known && f->has_addresses);
    if (memory && !k->remarks->allow_unknown) {
        struct text what = {0};
        text_add(&what, "unknown opcode %s of memory or matrices", f->opcode);
        accelsim_line_bad(
            &k->l, text_str(&what),
            "--allow-unknown takes such for integer arithmetic; with it, 'plumb trace "
            "import' makes a trace that every command reads");
        text_fini(&what);
        return false;
    }
    if (!s->known) untold = memory ? SASS_UNKNOWN_MEMORY : SASS_UNKNOWN;
    if (f->mask && inst_op_is_memory(s->cls) && si->space == SPACE_NONE) untold = SASS_NO_ADDRESS;
    size_t stem = s->known ? strcspn(f->opcode, ".") : f->opcode_n;
    if (untold) remarks_count(k->remarks, f->opcode, stem, untold);
    return true;
}

static uint32_t code_of(struct kernel *k, const struct accelsim_fields *f, const struct sass *s,
                        struct static_inst *si)
{
    struct text t = {0};
    if (!instruction_read(&k->l, &k->places, f, s, &k->commits, si)) return UINT32_MAX;
    if (!remark(k, f, s, si)) return UINT32_MAX;
    instruction_describe(&k->l, f, si, &t);
    uint32_t code = t.failed ? UINT32_MAX : writer_code(k->w, si, text_str(&t));
    text_fini(&t);
    if (code == UINT32_MAX)
        error_run(k->e, "%s: out of memory, or more than 16 million instructions", k->path);
    return code;
}

/* --- body --- */

/* Writes an LDGSTS whose lines have all come. */
static bool end_copy(struct kernel *k, uint32_t warp)
{
    if (!k->copy.is) return true;
    k->copy.is = false;
    if (k->copy.mask && places_space(&k->places, k->copy.addr[0]) == SPACE_SHARED)
        return accelsim_line_bad(&k->l, "an LDGSTS before this line has only a shared address",
                                 "its global addresses are needed");
    return writer_inst(k->w, warp, k->copy.code, k->copy.mask, k->copy.addr, k->e);
}

/* Keeps an LDGSTS until it is known whether a second line follows. The tracer writes two, the
 * shared destination and the global source; its post-processing drops the first. */
static bool begin_copy(struct kernel *k, const struct accelsim_fields *f, uint32_t warp,
                       uint32_t code)
{
    bool second = k->copy.is && !k->copy.paired && k->copy.code == code && k->copy.mask == f->mask;
    if (!second && !end_copy(k, warp)) return false;
    k->copy.is = true;
    k->copy.paired = second;
    k->copy.code = code;
    k->copy.mask = f->mask;
    memcpy(k->copy.addr, f->addr, sizeof f->addr);
    return true;
}

/* Writes an instruction whose lanes all access the same space. */
static bool put_inst(struct kernel *k, uint32_t warp, struct accelsim_fields *f,
                     const struct sass *s, uint8_t *cls)
{
    struct static_inst si;
    uint64_t place = k->cta * k->warps + warp;
    uint32_t code = code_of(k, f, s, &si);
    if (code == UINT32_MAX) return false;
    *cls = si.cls;
    if (inst_is_copy(&si)) return begin_copy(k, f, warp, code);
    if (si.space == SPACE_LOCAL && !places_settle(&k->places, &k->l, f, si.width, place))
        return false;
    return end_copy(k, warp) &&
           writer_inst(k->w, warp, code, f->mask, f->has_addresses ? f->addr : NULL, k->e);
}

/* A generic access whose lanes access several spaces becomes one instruction for each of them. */
static bool put_spaces(struct kernel *k, uint32_t warp, const struct accelsim_fields *f,
                       const struct sass *s, uint8_t *cls)
{
    for (uint64_t left = f->mask; left;) {
        struct accelsim_fields part = *f;
        uint64_t rest = f->mask, mask = 0;
        uint32_t n = 0;
        uint8_t space = SPACE_N;
        for (uint32_t i = 0; rest; i++, rest &= rest - 1) {
            uint64_t lane = rest & (~rest + 1);
            uint8_t own = places_space(&k->places, f->addr[i]);
            if (!(left & lane) || (mask && own != space)) continue;
            space = own;
            mask |= lane;
            part.addr[n++] = f->addr[i];
        }
        part.mask = mask;
        left &= ~mask;
        if (!put_inst(k, warp, &part, s, cls)) return false;
    }
    return true;
}

static bool put_access(struct kernel *k, uint32_t warp, struct accelsim_fields *f, uint8_t *cls)
{
    struct sass s = sass_decode(f->opcode, f->opcode_n);
    bool several = s.generic && f->has_addresses && f->mask;
    return several ? put_spaces(k, warp, f, &s, cls) : put_inst(k, warp, f, &s, cls);
}

/* Blackwell's accesses of 32 bytes become two of 16, of which the last writes the register. */
static bool put_halves(struct kernel *k, uint32_t warp, struct accelsim_fields *f, uint8_t *cls)
{
    char name[128];
    const char *bits = strstr(f->opcode, "256");
    if (!bits || f->opcode_n >= sizeof name)
        return accelsim_line_bad(&k->l, "width of the access", "32 bytes are written 256");
    snprintf(name, sizeof name, "%.*s128%s", (int)(bits - f->opcode), f->opcode, bits + 3);
    struct accelsim_fields part = *f;
    part.opcode = name;
    part.mem_width = INST_MAX_WIDTH;
    part.n_dst = 0;
    if (!put_access(k, warp, &part, cls)) return false;
    part.n_dst = f->n_dst;
    for (uint32_t i = 0; i < ACCELSIM_WIDTH; i++)
        part.addr[i] = f->addr[i] + INST_MAX_WIDTH;
    return put_access(k, warp, &part, cls);
}

static bool read_inst(struct kernel *k, uint32_t warp, uint8_t *cls)
{
    struct accelsim_fields f = {0};
    if (!want_line(k, "more instructions were announced")) return false;
    if (*k->line == '#' || *k->line == 'w')
        return accelsim_line_bad(&k->l, "fewer instructions than announced",
                                 "'insts = N' counts the lines that follow");
    if (!accelsim_take_apart(&k->l, &f)) return false;
    instream_useful(k->in);
    struct sass s = sass_decode(f.opcode, f.opcode_n);
    bool halves = s.known && s.width > INST_MAX_WIDTH && f.has_addresses;
    return halves ? put_halves(k, warp, &f, cls) : put_access(k, warp, &f, cls);
}

static bool read_announced(struct kernel *k, const char *key, uint64_t most, uint64_t *v)
{
    size_t n = strlen(key);
    return strncmp(k->line, key, n) == 0 && parse_number(k->line + n, most, v);
}

static bool mark_warp(struct kernel *k, uint64_t warp)
{
    uint64_t bit = UINT64_C(1) << (warp % 64), *word = &k->seen_warps[warp / 64];
    if (*word & bit)
        return accelsim_line_bad(&k->l, "a warp that was there already",
                                 "each warp of the CTA comes once");
    *word |= bit;
    return true;
}

static bool read_warp(struct kernel *k)
{
    uint64_t warp, n;
    if (!read_announced(k, "warp = ", k->warps - 1, &warp))
        return error_input(k->e, "%s:%llu: expected 'warp = N' with N below %u, or #END_TB",
                           k->path, (unsigned long long)instream_line_number(k->in), k->warps);
    if (!mark_warp(k, warp) || !want_line(k, "expected 'insts = N'")) return false;
    if (!read_announced(k, "insts = ", UINT64_MAX, &n) || n == 0)
        return accelsim_line_bad(&k->l, "count of instructions",
                                 "expected 'insts = N' with N at least 1");
    uint8_t cls = OP_N;
    for (uint64_t i = 0; i < n; i++)
        if (!read_inst(k, (uint32_t)warp, &cls)) return false;
    return cls == OP_EXIT || accelsim_line_bad(&k->l, "the warp's last instruction is not EXIT",
                                               "each warp must end with one");
}

static bool all_warps_seen(struct kernel *k)
{
    for (uint32_t i = 0; i < k->warps; i++)
        if (!(k->seen_warps[i / 64] >> (i % 64) & 1))
            return error_input(
                k->e, "%s:%llu: warp %u of the CTA is missing; each of the %u must come", k->path,
                (unsigned long long)instream_line_number(k->in), i, k->warps);
    return true;
}

static bool check_cta_name(struct kernel *k)
{
    unsigned x, y, z;
    int used = 0;
    const uint32_t *g = k->launch.grid;
    bool ok =
        sscanf(k->line, "thread block = %u,%u,%u%n", &x, &y, &z, &used) == 3 && !k->line[used];
    return (ok && x < g[0] && y < g[1] && z < g[2]) ||
           accelsim_line_bad(&k->l, "name of the CTA",
                             "expected 'thread block = x,y,z' inside the grid");
}

static bool read_cta(struct kernel *k)
{
    if (!want_line(k, "the grid has more CTAs")) return false;
    if (strcmp(k->line, "#BEGIN_TB") != 0)
        return accelsim_line_bad(&k->l, "not the beginning of a CTA", "expected #BEGIN_TB");
    if (!want_line(k, "expected 'thread block = x,y,z'") || !check_cta_name(k)) return false;
    memset(k->seen_warps, 0, (k->warps + 63) / 64 * sizeof *k->seen_warps);
    if (!writer_cta_begin(k->w, k->e)) return false;
    for (;;) {
        if (!want_line(k, "expected #END_TB")) return false;
        if (strcmp(k->line, "#END_TB") == 0) break;
        if (!read_warp(k)) return false;
    }
    return all_warps_seen(k) && writer_cta_end(k->w, k->e);
}

static bool read_body(struct kernel *k)
{
    const struct launch *l = &k->launch;
    if (!writer_launch_begin(k->w, l, k->e)) return false;
    k->seen_warps = mem_new((k->warps + 63) / 64, sizeof *k->seen_warps);
    if (!k->seen_warps) return error_no_memory(k->e);
    for (; k->cta < l->ctas; k->cta++)
        if (!read_cta(k)) return false;
    if (next_line(k))
        return accelsim_line_bad(&k->l, "more than the grid's CTAs", "the file should end here");
    if (k->e->kind != ERROR_NONE) return false;
    char lines[PLACES_LINES];
    places_lines(&k->places, lines);
    if (k->places.measured && !writer_launch_header(k->w, lines)) return error_no_memory(k->e);
    remarks_launch(k->remarks, k->stream);
    return writer_launch_end(k->w, k->e);
}

bool accelsim_read_kernel(const char *path, struct writer *w, struct remarks *remarks,
                          struct error *e)
{
    struct error own;
    struct kernel k = {.path = path, .w = w, .remarks = remarks, .e = e ? e : &own};
    k.in = instream_open(path, k.e);
    k.l = (struct accelsim_line){.path = path, .in = k.in, .e = k.e};
    bool ok = k.in && read_header(&k) && read_body(&k);
    if (k.in) instream_close(k.in);
    text_fini(&k.name);
    text_fini(&k.header);
    mem_free(k.seen_warps);
    return ok;
}
