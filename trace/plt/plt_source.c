/* plt_source.c - programs that lie in a .plt file: the directory is unpacked when the file is
 * opened, frames are unpacked from the map as readers ask for them. */
#include "trace/plt/plt_directory.h"

#include "base/memory/alloc.h"
#include "trace/program/launch_header.h"

static void plt_close(void *source)
{
    struct plt *f = source;
    if (!f) return;
    for (uint64_t i = 0; i < f->n_tables; i++)
        code_fini(&f->table[i]);
    for (uint64_t i = 0; f->index && i < f->n_launches; i++) {
        mem_free(f->index[i].segment);
        mem_free(f->index[i].before);
        mem_free(f->index[i].first);
        mem_free(f->index[i].start);
    }
    mem_free(f->table);
    mem_free(f->frame);
    mem_free(f->index);
    arena_fini(&f->arena);
    filemap_close(&f->map);
    mem_free(f);
}

/* A NUL-terminated copy in the arena; NULL marks the span bad. */
static const char *read_text(struct plt *f, struct span *in)
{
    uint64_t n = span_count(in, 1);
    const unsigned char *s = span_take(in, n);
    char *copy = s ? arena_new(&f->arena, n + 1, 1) : NULL;
    if (!copy) {
        in->bad = true;
        return "";
    }
    memcpy(copy, s, n);
    return copy;
}

static bool read_tables(struct plt *f, struct span *in)
{
    uint64_t n = span_count(in, 4);
    f->table = mem_new(n, sizeof *f->table);
    if (!f->table) return false;
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        f->n_tables = i + 1;
        if (!code_read(&f->table[i], in)) in->bad = true;
    }
    return !in->bad;
}

static uint32_t read_u32(struct span *in)
{
    uint64_t v = span_varint(in);
    if (v > UINT32_MAX) in->bad = true;
    return (uint32_t)v;
}

static void set_code(struct launch *l, const struct code_table *t)
{
    l->n_code = t->n;
    l->code = t->si;
    l->n_registers = t->n_registers;
    l->strings = (const char *)t->strings.p;
}

static void read_launch(struct program *p, struct program_launch *pl, struct span *in)
{
    struct plt *f = p->source;
    struct launch *l = &pl->face;
    l->name = read_text(f, in);
    l->id = read_u32(in);
    for (unsigned d = 0; d < 3; d++)
        l->grid[d] = read_u32(in);
    for (unsigned d = 0; d < 3; d++)
        l->block[d] = read_u32(in);
    l->registers_per_lane = read_u32(in);
    l->shared_bytes = read_u32(in);
    uint64_t table = span_varint(in);
    if (in->bad || table >= f->n_tables || !launch_derive(l, p->source_width)) {
        in->bad = true;
        return;
    }
    pl->source_warps = l->warps_per_cta;
    launch_derive(l, p->width);
    pl->code = &f->table[table];
    set_code(l, pl->code);
}

static bool read_launches(struct program *p, struct span *in)
{
    struct plt *f = p->source;
    uint64_t n = span_count(in, 11);
    p->launches = mem_new(n, sizeof *p->launches);
    f->index = mem_new(n, sizeof *f->index);
    if (!p->launches || !f->index) return false;
    f->n_launches = n;
    p->n_launches = (uint32_t)n;
    for (uint64_t i = 0; i < n && !in->bad; i++)
        read_launch(p, &p->launches[i], in);
    return !in->bad;
}

static bool read_commands(struct program *p, struct span *in)
{
    uint64_t n = span_count(in, 1);
    uint32_t launches = 0;
    p->commands = mem_new(n, sizeof *p->commands);
    if (!p->commands) return false;
    p->n_commands = (uint32_t)n;
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        struct command *c = &p->commands[i];
        uint64_t kind = span_varint(in);
        if (kind > COMMAND_COPY_TO_HOST) in->bad = true;
        c->kind = (enum command_kind)kind;
        if (kind == COMMAND_LAUNCH) {
            c->launch = launches++;
        } else {
            c->addr = span_varint(in);
            c->bytes = span_varint(in);
            if (!program_copy_fits(c->addr, c->bytes)) in->bad = true;
        }
    }
    return !in->bad && launches == p->n_launches;
}

static bool read_content(struct program *p, struct span *in, struct error *e)
{
    uint64_t width = span_varint(in);
    if (width != 32 && width != 64)
        return plt_damaged(p, "warps are neither 32 nor 64 lanes wide", e);
    p->source_width = (uint32_t)width;
    if (!program_fit_width(p, e)) return false;
    if (!read_tables(p->source, in)) return plt_damaged(p, "code tables", e);
    if (!read_launches(p, in)) return plt_damaged(p, "launches", e);
    if (!read_commands(p, in) || in->at != in->end) return plt_damaged(p, "commands", e);
    return true;
}

static bool read_notes(struct program *p, struct span *in)
{
    struct plt *f = p->source;
    uint64_t n = span_count(in, 1);
    if (n == 0) return false;
    p->note = read_text(f, in);
    p->warnings = mem_new(n, sizeof *p->warnings);
    if (!p->warnings) return false;
    for (uint64_t i = 1; i < n && !in->bad; i++)
        p->warnings[p->n_warnings++] = read_text(f, in);
    for (uint32_t i = 0; i < p->n_launches; i++) {
        p->launches[i].face.header = read_text(f, in);
        if (!launch_header_limit(&p->launches[i].face)) in->bad = true;
    }
    return !in->bad;
}

/* Limits of launches change what a machine does with them, so that they are part of the digest; a
 * program without any keeps that of its content. */
static void join_limits(struct program *p)
{
    struct digest d = p->digest;
    bool any = false;
    for (uint32_t i = 0; i < p->n_launches; i++) {
        const uint32_t *limit = &p->launches[i].face.resident_warps;
        d = digest_join(d, digest_bytes(limit, sizeof *limit));
        any |= *limit != 0;
    }
    if (any) p->digest = d;
}

static bool read_frames(struct plt *f, uint64_t directory, struct span *in)
{
    uint64_t n = span_count(in, 10), offset = PLT_HEADER;
    f->frame = mem_new(n, sizeof *f->frame);
    if (!f->frame || n > UINT32_MAX) return false;
    f->n_frames = n;
    for (uint64_t i = 0; i < n; i++) {
        struct frame *frame = &f->frame[i];
        frame->segments = span_varint(in);
        frame->packed = read_u32(in);
        frame->checksum = span_fixed64(in);
        frame->offset = offset;
        offset += frame->packed;
        if (frame->segments == 0 || frame->packed == 0) return false;
    }
    return !in->bad && offset == directory;
}

/* Assigns segments to frames in order. */
struct dealer {
    struct plt *f;
    uint64_t frame, left; /* remaining segments of `frame` */
};

static bool deal_segment(struct dealer *d, uint64_t size, struct segment_entry *s)
{
    if (d->left == 0) {
        if (++d->frame >= d->f->n_frames) return false;
        d->left = d->f->frame[d->frame].segments;
    }
    struct frame *frame = &d->f->frame[d->frame];
    if (size == 0 || size > PLT_MAX_SEGMENT || frame->raw + size > UINT32_MAX) return false;
    *s = (struct segment_entry){(uint32_t)d->frame, (uint32_t)frame->raw, (uint32_t)size};
    frame->raw += size;
    d->left--;
    return true;
}

struct index_caps {
    size_t segment, before;
};

/* Whether the last source warp's high half has no work-items, so that it is no warp of the launch.
 */
static bool lacks_a_half(const struct program *p, const struct launch *l)
{
    return program_by_halves(p) && l->warps_per_cta % 2 == 1;
}

static bool read_cta(struct dealer *d, const struct program *p, struct launch_index *x,
                     struct index_caps *cap, struct launch *l, struct span *in)
{
    uint64_t n = span_count(in, 2), before = 0;
    if (n == 0 || !mem_grow(&x->segment, &cap->segment, x->n + n, sizeof *x->segment) ||
        !mem_grow(&x->before, &cap->before, x->n + n, sizeof *x->before))
        return false;
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        if (!deal_segment(d, span_varint(in), &x->segment[x->n])) return false;
        x->before[x->n++] = before;
        uint64_t whole = span_varint(in);
        uint64_t halves = p->source_width == WARP_MAX_LANES ? span_varint(in) : 0;
        before += program_by_halves(p) ? halves : whole;
    }
    /* the halves' counts include the final exit of every half, even of a missing one */
    if (lacks_a_half(p, l) && before > 0) before--;
    l->warp_instructions += before;
    return !in->bad;
}

/* Frees the table of CTA starts if all CTAs have the same length, the common case. */
static void forget_equal_starts(struct launch_index *x, uint64_t ctas)
{
    x->each = ctas ? x->start[1] : 0;
    for (uint64_t c = 0; c < ctas; c++)
        if (x->start[c + 1] != (c + 1) * x->each) return;
    mem_free(x->start);
    x->start = NULL;
}

static bool read_launch_index(struct dealer *d, struct program *p, uint32_t launch, struct span *in)
{
    struct launch_index *x = &d->f->index[launch];
    struct launch *l = &p->launches[launch].face;
    struct index_caps cap = {0};
    if (l->ctas > (uint64_t)(in->end - in->at) / 3) return false;
    x->first = mem_new(l->ctas + 1, sizeof *x->first);
    x->start = mem_new(l->ctas + 1, sizeof *x->start);
    if (!x->first || !x->start) return false;
    for (uint64_t c = 0; c < l->ctas; c++) {
        x->first[c] = x->n;
        if (!read_cta(d, p, x, &cap, l, in)) return false;
        x->start[c + 1] = l->warp_instructions;
    }
    x->first[l->ctas] = x->n;
    forget_equal_starts(x, l->ctas);
    if (x->n == l->ctas) { /* the common case costs no memory */
        mem_free(x->first);
        mem_free(x->before);
        x->first = x->before = NULL;
    }
    return true;
}

static bool read_index(struct program *p, uint64_t directory, struct span *in, struct error *e)
{
    struct plt *f = p->source;
    if (!read_frames(f, directory, in)) return plt_damaged(p, "list of frames", e);
    struct dealer d = {f, UINT64_MAX, 0};
    for (uint32_t i = 0; i < p->n_launches; i++)
        if (!read_launch_index(&d, p, i, in)) return plt_damaged(p, "index of CTAs", e);
    if (in->at != in->end || d.frame + 1 != f->n_frames || d.left)
        return plt_damaged(p, "index", e);
    return true;
}

static bool read_directory(struct program *p, const struct bytes *raw, uint64_t directory,
                           struct error *e)
{
    struct plt *f = p->source;
    struct span in = {raw->p, raw->p + raw->n, false};
    uint64_t n = span_count(&in, 1);
    const unsigned char *content = span_take(&in, n);
    if (!content) return plt_damaged(p, "directory", e);
    struct span inner = {content, content + n, false};
    f->content = digest_bytes(content, n);
    p->digest = digest_join(f->content, f->chain);
    if (!read_content(p, &inner, e)) return false;
    if (!read_notes(p, &in)) return plt_damaged(p, "notes or headers of launches", e);
    join_limits(p);
    return read_index(p, directory, &in, e);
}

static bool check_trailer(const struct program *p, const struct plt_trailer *t, size_t size,
                          struct error *e)
{
    size_t room = size - PLT_HEADER - PLT_TRAILER;
    if (t->packed > room || t->directory != size - PLT_TRAILER - t->packed)
        return plt_damaged(p, "place of the directory", e);
    /* zstd cannot unpack to more than this many times the input. */
    if (t->raw == 0 || t->raw / 50000 > t->packed)
        return plt_damaged(p, "size of the directory", e);
    return true;
}

static bool unpack_directory(struct program *p, struct bytes *raw, uint64_t *place, struct error *e)
{
    struct plt *f = p->source;
    const unsigned char *end = f->map.bytes + f->map.n;
    struct plt_trailer t;
    if (memcmp(end - 8, PLT_END, 8) != 0) return plt_damaged(p, "it is cut off", e);
    if (!plt_get_trailer(&t, end - PLT_TRAILER))
        return plt_damaged(p, "checksum of the trailer", e);
    if (!check_trailer(p, &t, f->map.n, e)) return false;
    const unsigned char *packed = f->map.bytes + t.directory;
    if (!plt_checks_off() && plt_checksum(packed, t.packed) != t.checksum)
        return plt_damaged(p, "checksum of the directory", e);
    if (!mem_grow(&raw->p, &raw->cap, t.raw, 1)) return error_no_memory(e);
    raw->n = t.raw;
    f->chain = t.chain;
    *place = t.directory;
    struct zstd_frame *codec = zstd_frame_new();
    bool ok = codec && zstd_frame_unpack(codec, raw->p, t.raw, packed, t.packed);
    bool no_memory = !codec;
    zstd_frame_free(codec);
    if (no_memory) return error_no_memory(e);
    return ok || plt_damaged(p, "directory does not unpack", e);
}

static bool check_header(const struct program *p, const struct filemap *map, struct error *e)
{
    if (map->n < 8 || memcmp(map->bytes, PLT_MAGIC, 8) != 0)
        return error_input(e, "%s: not a .plt trace; it should begin with %s", p->path, PLT_MAGIC);
    struct span in = {map->bytes + 8, map->bytes + map->n, false};
    uint64_t version = span_fixed64(&in);
    if (in.bad || map->n < PLT_HEADER + PLT_TRAILER) return plt_damaged(p, "it is cut off", e);
    if (version != PLT_VERSION)
        return error_input(e, "%s: trace format version %llu; this program reads version %d",
                           p->path, (unsigned long long)version, PLT_VERSION);
    return true;
}

static uint32_t plt_segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    const struct launch_index *x = &((const struct plt *)p->source)->index[launch];
    return x->first ? (uint32_t)(x->first[cta + 1] - x->first[cta]) : 1;
}

static uint64_t plt_cta_start(const struct program *p, uint32_t launch, uint64_t cta)
{
    const struct launch_index *x = &((const struct plt *)p->source)->index[launch];
    return x->start ? x->start[cta] : cta * x->each;
}

static uint64_t plt_segment_start(const struct program *p, uint32_t launch, uint64_t cta,
                                  uint32_t segment)
{
    const struct launch_index *x = &((const struct plt *)p->source)->index[launch];
    return x->first ? x->before[x->first[cta] + segment] : 0;
}

static struct segment_place plt_place(const struct program *p, uint32_t launch, uint64_t cta,
                                      uint32_t segment)
{
    const struct launch_index *x = &((const struct plt *)p->source)->index[launch];
    const struct segment_entry *s = &x->segment[x->first ? x->first[cta] + segment : cta];
    return (struct segment_place){s->frame, s->offset, s->size};
}

static bool plt_load(const struct program *p, uint64_t block, struct block_tools *t,
                     struct bytes *out, struct error *e)
{
    const struct plt *f = p->source;
    const struct frame *frame = &f->frame[block];
    const unsigned char *packed = f->map.bytes + frame->offset;
    if (!plt_checks_off() && plt_checksum(packed, frame->packed) != frame->checksum)
        return plt_damaged(p, "checksum of a frame", e);
    if (frame->raw / 50000 > frame->packed) return plt_damaged(p, "size of a frame", e);
    if (!mem_grow(&out->p, &out->cap, frame->raw, 1)) return error_no_memory(e);
    out->n = frame->raw;
    return zstd_frame_unpack(t->codec, out->p, out->n, packed, frame->packed) ||
           plt_damaged(p, "a frame does not unpack", e);
}

static const struct source_ops plt_ops = {
    .segments = plt_segments,
    .cta_start = plt_cta_start,
    .segment_start = plt_segment_start,
    .place = plt_place,
    .load = plt_load,
    .verify = plt_verify,
    .close = plt_close,
};

bool source_open_plt(struct program *p, struct error *e)
{
    struct plt *f = mem_new(1, sizeof *f);
    if (!f) return error_no_memory(e);
    p->source = f;
    p->ops = &plt_ops;
    struct bytes raw = {0};
    uint64_t directory = 0;
    bool ok = filemap_open(&f->map, p->path, e) && check_header(p, &f->map, e) &&
              unpack_directory(p, &raw, &directory, e) && read_directory(p, &raw, directory, e);
    bytes_fini(&raw);
    p->stored_bytes = f->map.n;
    return ok;
}
