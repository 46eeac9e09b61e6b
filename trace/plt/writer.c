/* writer.c - see writer.h; the file is described in plt.h. */
#include "trace/plt/writer.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/zstd_frame.h"
#include "trace/plt/cta_writer.h"
#include "trace/plt/plt.h"
#include "trace/program/launch_header.h"

#include <assert.h>
#include <stdio.h>

struct table_blob {
    struct bytes bytes;
    struct digest digest;
};

struct writer {
    char *path;
    struct outfile *file;
    struct zstd_frame *codec;
    uint32_t width;
    struct bytes notes, commands, launches, headers, frames, ctas; /* parts of the directory */
    uint32_t n_notes, n_commands, n_launches;
    uint64_t n_frames;
    struct table_blob *table;
    size_t n_tables, tables_cap;
    struct digest chain;
    /* the open launch */
    bool in_launch, in_cta;
    struct launch launch;
    char *name, *header;
    struct code_table code;
    struct cta cta;
    uint64_t ctas_done;
    struct segment_encoder encoder;
    struct bytes frame, packed, cta_index; /* frame: segments not yet packed */
    uint64_t frame_segments, cta_segments;
};

static bool start_file(struct writer *w, struct error *e)
{
    w->file = outfile_open(w->path, e);
    if (!w->file) return false;
    struct bytes header = {0};
    plt_put_header(&header);
    outfile_write(w->file, header.p, header.n);
    bool ok = !header.failed;
    bytes_fini(&header);
    return ok || error_no_memory(e);
}

struct writer *writer_new(const char *path, uint32_t warp_width, const char *source_note,
                          struct error *e)
{
    assert(warp_width == 32 || warp_width == 64);
    struct writer *w = mem_new(1, sizeof *w);
    if (!w) {
        error_no_memory(e);
        return NULL;
    }
    w->width = warp_width;
    w->path = mem_strdup(path);
    w->codec = zstd_frame_new();
    bytes_text(&w->notes, source_note);
    if (!w->path || !w->codec || w->notes.failed)
        error_no_memory(e);
    else if (start_file(w, e))
        return w;
    writer_abort(w);
    return NULL;
}

static void launch_fini(struct writer *w)
{
    mem_free(w->name);
    mem_free(w->header);
    w->name = w->header = NULL;
    code_fini(&w->code);
    w->in_launch = false;
}

static void writer_free(struct writer *w)
{
    launch_fini(w);
    cta_fini(&w->cta);
    segment_encoder_fini(&w->encoder);
    struct bytes *const all[] = {&w->notes, &w->commands, &w->launches, &w->headers,  &w->frames,
                                 &w->ctas,  &w->frame,    &w->packed,   &w->cta_index};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bytes_fini(all[i]);
    for (size_t i = 0; i < w->n_tables; i++)
        bytes_fini(&w->table[i].bytes);
    mem_free(w->table);
    zstd_frame_free(w->codec);
    mem_free(w->path);
    mem_free(w);
}

void writer_abort(struct writer *w)
{
    if (!w) return;
    if (w->file) outfile_abort(w->file);
    writer_free(w);
}

bool writer_note(struct writer *w, const char *text)
{
    bytes_text(&w->notes, text);
    w->n_notes++;
    return !w->notes.failed;
}

bool writer_copy(struct writer *w, enum command_kind kind, uint64_t addr, uint64_t bytes,
                 struct error *e)
{
    assert(!w->in_launch && kind != COMMAND_LAUNCH);
    bytes_varint(&w->commands, kind);
    bytes_varint(&w->commands, addr);
    bytes_varint(&w->commands, bytes);
    w->n_commands++;
    return !w->commands.failed || error_no_memory(e);
}

bool launch_derive(struct launch *l, uint32_t width)
{
    uint64_t threads = 1, ctas = 1;
    for (unsigned d = 0; d < 3; d++) {
        if (l->grid[d] == 0 || l->block[d] == 0) return false;
        if (__builtin_mul_overflow(ctas, l->grid[d], &ctas)) return false;
        if (__builtin_mul_overflow(threads, l->block[d], &threads)) return false;
    }
    if (threads > PLT_MAX_THREADS || ctas > PLT_MAX_CTAS) return false;
    l->ctas = ctas;
    l->warps_per_cta = (uint32_t)((threads + width - 1) / width);
    l->warp_width = width;
    return true;
}

bool writer_launch_begin(struct writer *w, const struct launch *l, struct error *e)
{
    assert(!w->in_launch);
    w->launch = *l;
    if (!launch_derive(&w->launch, w->width))
        return error_input(
            e,
            "%s: kernel %s: grid (%u,%u,%u), block (%u,%u,%u) out of bounds; allowed are "
            "1 to 65536 threads per CTA and 1 to 2^40 CTAs",
            w->path, l->name ? l->name : "?", l->grid[0], l->grid[1], l->grid[2], l->block[0],
            l->block[1], l->block[2]);
    w->in_launch = true;
    w->name = mem_strdup(l->name ? l->name : "");
    w->header = mem_strdup(l->header ? l->header : "");
    w->ctas_done = 0;
    bool code = code_init(&w->code);
    return (w->name && w->header && code) || error_no_memory(e);
}

uint32_t writer_code(struct writer *w, const struct static_inst *si, const char *mnemonic)
{
    assert(w->in_launch && si->cls < OP_N && si->space < SPACE_N && si->n_src <= INST_MAX_SRC);
    assert(!inst_op_is_memory(si->cls) || inst_has_addresses(si));
    assert(inst_copy_fits(si));
    return code_add(&w->code, si, mnemonic);
}

bool writer_cta_begin(struct writer *w, struct error *e)
{
    assert(w->in_launch && !w->in_cta && w->ctas_done < w->launch.ctas);
    w->in_cta = true;
    return cta_begin(&w->cta, &w->code, w->width, w->launch.warps_per_cta) || error_no_memory(e);
}

bool writer_inst(struct writer *w, uint32_t warp, uint32_t code, uint64_t mask,
                 const uint64_t *addrs, struct error *e)
{
    assert(w->in_cta && warp < w->launch.warps_per_cta && code < w->code.n);
    assert(w->width == WARP_MAX_LANES || mask >> 32 == 0);
    assert(addrs || !mask || w->code.slot[code] == CODE_NO_SLOT);
    return cta_inst(&w->cta, warp, code, mask, addrs) || error_no_memory(e);
}

/* Packs the frame and adds its entry: varint segments, varint packed bytes, checksum. */
static bool flush_frame(struct writer *w, struct error *e)
{
    if (w->frame_segments == 0) return true;
    size_t bound = zstd_frame_bound(w->frame.n);
    if (!mem_grow(&w->packed.p, &w->packed.cap, bound, 1)) return error_no_memory(e);
    size_t n = zstd_frame_pack(w->codec, w->packed.p, bound, w->frame.p, w->frame.n, PLT_LEVEL);
    if (n == 0) return error_no_memory(e);
    outfile_write(w->file, w->packed.p, n);
    bytes_varint(&w->frames, w->frame_segments);
    bytes_varint(&w->frames, n);
    bytes_fixed64(&w->frames, plt_checksum(w->packed.p, n));
    w->n_frames++;
    w->frame.n = 0;
    w->frame_segments = 0;
    return !w->frames.failed || error_no_memory(e);
}

static bool add_segment(struct writer *w, struct error *e)
{
    size_t before = w->frame.n;
    if (!segment_finish(&w->encoder, &w->frame)) return error_no_memory(e);
    size_t n = w->frame.n - before;
    if (n > PLT_MAX_SEGMENT)
        return error_run(e, "%s: a segment of CTA %llu takes more than 1 GiB", w->path,
                         (unsigned long long)w->ctas_done);
    w->chain = plt_chain(w->chain, w->frame.p + before, n);
    bytes_varint(&w->cta_index, n);
    bytes_varint(&w->cta_index, w->encoder.instructions);
    if (w->width == WARP_MAX_LANES) bytes_varint(&w->cta_index, w->encoder.half_instructions);
    w->cta_segments++;
    w->frame_segments++;
    return w->frame.n < PLT_FRAME_TARGET || flush_frame(w, e);
}

bool writer_cta_end(struct writer *w, struct error *e)
{
    assert(w->in_cta);
    w->in_cta = false;
    uint32_t unfinished = cta_unfinished(&w->cta);
    if (unfinished < w->launch.warps_per_cta)
        return error_input(
            e, "%s: kernel %s: warp %u of CTA %llu does not end with an exit; each warp must",
            w->path, w->name, unfinished, (unsigned long long)w->ctas_done);
    w->cta_index.n = 0;
    w->cta_segments = 0;
    cta_rewind(&w->cta);
    while (cta_next_segment(&w->cta, &w->encoder))
        if (!add_segment(w, e)) return false;
    bytes_varint(&w->ctas, w->cta_segments);
    bytes_put(&w->ctas, w->cta_index.p, w->cta_index.n);
    w->ctas_done++;
    return !(w->ctas.failed || w->cta_index.failed) || error_no_memory(e);
}

/* Stores the launch's code table if it is new and returns its number; tables_cap: no memory. */
static size_t keep_table(struct writer *w)
{
    struct bytes b = {0};
    code_write(&w->code, &b);
    struct digest d = digest_bytes(b.p, b.n);
    size_t i = 0;
    while (i < w->n_tables && !digest_equal(w->table[i].digest, d))
        i++;
    bool grown = !b.failed && mem_grow(&w->table, &w->tables_cap, i + 1, sizeof *w->table);
    if (!grown || i < w->n_tables) {
        bytes_fini(&b);
        return grown ? i : SIZE_MAX;
    }
    w->table[w->n_tables++] = (struct table_blob){b, d};
    return i;
}

bool writer_launch_header(struct writer *w, const char *lines)
{
    assert(w->in_launch);
    size_t own = strlen(w->header), more = strlen(lines);
    char *both = mem_new(own + more + 1, 1);
    if (!both) return false;
    memcpy(both, w->header, own);
    memcpy(both + own, lines, more);
    mem_free(w->header);
    w->header = both;
    return true;
}

/* The launch's header text, with a line of its limit. */
static void put_header(struct writer *w)
{
    char line[LAUNCH_HEADER_LIMIT];
    if (!launch_header_limit_line(&w->launch, w->header, line)) *line = '\0';
    size_t own = strlen(w->header), more = strlen(line);
    bytes_varint(&w->headers, own + more);
    bytes_put(&w->headers, w->header, own);
    bytes_put(&w->headers, line, more);
}

static void put_launch(struct writer *w, size_t table)
{
    const struct launch *l = &w->launch;
    struct bytes *out = &w->launches;
    bytes_text(out, w->name);
    bytes_varint(out, l->id);
    for (unsigned d = 0; d < 3; d++)
        bytes_varint(out, l->grid[d]);
    for (unsigned d = 0; d < 3; d++)
        bytes_varint(out, l->block[d]);
    bytes_varint(out, l->registers_per_lane);
    bytes_varint(out, l->shared_bytes);
    bytes_varint(out, table);
    put_header(w);
    bytes_varint(&w->commands, COMMAND_LAUNCH);
    w->n_commands++;
    w->n_launches++;
}

bool writer_launch_end(struct writer *w, struct error *e)
{
    assert(w->in_launch && !w->in_cta);
    if (w->ctas_done != w->launch.ctas)
        return error_input(e, "%s: kernel %s has %llu CTAs of %llu; all are needed", w->path,
                           w->name, (unsigned long long)w->ctas_done,
                           (unsigned long long)w->launch.ctas);
    if (!flush_frame(w, e)) return false;
    size_t table = keep_table(w);
    if (table == SIZE_MAX) return error_no_memory(e);
    put_launch(w, table);
    launch_fini(w);
    return !(w->launches.failed || w->headers.failed || w->commands.failed) || error_no_memory(e);
}

static void put_part(struct bytes *out, uint64_t count, const struct bytes *part)
{
    bytes_varint(out, count);
    bytes_put(out, part->p, part->n);
}

static void put_content(const struct writer *w, struct bytes *out)
{
    bytes_varint(out, w->width);
    bytes_varint(out, w->n_tables);
    for (size_t i = 0; i < w->n_tables; i++)
        bytes_put(out, w->table[i].bytes.p, w->table[i].bytes.n);
    put_part(out, w->n_launches, &w->launches);
    put_part(out, w->n_commands, &w->commands);
}

/* content length, content, notes (source note, further notes), headers, frames, CTAs */
static void put_directory(const struct writer *w, struct bytes *out)
{
    struct bytes content = {0};
    put_content(w, &content);
    bytes_varint(out, content.n);
    bytes_put(out, content.p, content.n);
    put_part(out, w->n_notes + 1u, &w->notes);
    bytes_put(out, w->headers.p, w->headers.n);
    put_part(out, w->n_frames, &w->frames);
    bytes_put(out, w->ctas.p, w->ctas.n);
    out->failed |= content.failed;
    bytes_fini(&content);
}

static bool write_end(struct writer *w, const struct bytes *directory, struct error *e)
{
    size_t bound = zstd_frame_bound(directory->n);
    if (!mem_grow(&w->packed.p, &w->packed.cap, bound, 1)) return error_no_memory(e);
    size_t n = zstd_frame_pack(w->codec, w->packed.p, bound, directory->p, directory->n, PLT_LEVEL);
    if (n == 0) return error_no_memory(e);
    struct plt_trailer t = {outfile_tell(w->file), n, directory->n, plt_checksum(w->packed.p, n),
                            w->chain};
    outfile_write(w->file, w->packed.p, n);
    struct bytes trailer = {0};
    plt_put_trailer(&trailer, &t);
    outfile_write(w->file, trailer.p, trailer.n);
    bool ok = !trailer.failed;
    bytes_fini(&trailer);
    return ok || error_no_memory(e);
}

bool writer_commit(struct writer *w, struct error *e)
{
    assert(!w->in_launch);
    struct bytes directory = {0};
    put_directory(w, &directory);
    bool ok = directory.failed ? error_no_memory(e) : write_end(w, &directory, e);
    bytes_fini(&directory);
    if (!ok) {
        writer_abort(w);
        return false;
    }
    ok = outfile_commit(w->file, e);
    writer_free(w);
    return ok;
}
