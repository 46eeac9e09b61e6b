/* unpack.c - see unpack.h. */
#include "base/io/unpack.h"

#include "base/memory/alloc.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* --- plain --- */

static void *plain_start(void)
{
    return mem_new(1, 1);
}

static enum unpack_verdict plain_step(void *state, struct unpack_span *s)
{
    (void)state;
    size_t n = (size_t)(s->in_end - s->in), room = (size_t)(s->out_end - s->out);
    if (n > room) n = room;
    if (n) memcpy(s->out, s->in, n);
    s->in += n;
    s->out += n;
    return UNPACK_OK;
}

static const struct unpack_ops plain = {
    .name = "plain", .start = plain_start, .stop = mem_free, .step = plain_step};

/* --- xz --- */

/* What an archive may ask for: fifteen times what xz -9 does. */
enum { XZ_MEMORY_MAX = 1 << 30 };

static void *xz_start(void)
{
    lzma_stream *x = mem_new(1, sizeof *x);
    if (x && lzma_stream_decoder(x, XZ_MEMORY_MAX, LZMA_CONCATENATED) == LZMA_OK) return x;
    mem_free(x);
    return NULL;
}

static void xz_stop(void *state)
{
    lzma_end(state);
    mem_free(state);
}

static enum unpack_verdict xz_step(void *state, struct unpack_span *s)
{
    lzma_stream *x = state;
    x->next_in = s->in;
    x->avail_in = (size_t)(s->in_end - s->in);
    x->next_out = s->out;
    x->avail_out = (size_t)(s->out_end - s->out);
    lzma_ret r = lzma_code(x, s->last ? LZMA_FINISH : LZMA_RUN);
    bool all_in = x->avail_in == 0, room_left = x->avail_out > 0;
    s->in = x->next_in;
    s->out = x->next_out;
    if (r == LZMA_STREAM_END) return UNPACK_OK;
    if (r == LZMA_MEM_ERROR || r == LZMA_MEMLIMIT_ERROR) return UNPACK_NO_MEMORY;
    if (r == LZMA_BUF_ERROR) return s->last ? UNPACK_TRUNCATED : UNPACK_OK;
    if (r != LZMA_OK) return UNPACK_CORRUPT;
    return s->last && all_in && room_left ? UNPACK_TRUNCATED : UNPACK_OK;
}

static const struct unpack_ops xz = {.name = "xz",
                                     .magic = {0xFD, '7', 'z', 'X', 'Z', 0},
                                     .magic_n = 6,
                                     .start = xz_start,
                                     .stop = xz_stop,
                                     .step = xz_step};

/* --- gzip --- */

struct gz {
    z_stream z;
    bool between; /* between two members */
};

static void *gz_start(void)
{
    struct gz *g = mem_new(1, sizeof *g);
    if (g && inflateInit2(&g->z, 15 + 16) == Z_OK) return g; /* + 16: a gzip header */
    mem_free(g);
    return NULL;
}

static void gz_stop(void *state)
{
    struct gz *g = state;
    inflateEnd(&g->z);
    mem_free(g);
}

static enum unpack_verdict gz_step(void *state, struct unpack_span *s)
{
    struct gz *g = state;
    while (s->in < s->in_end && s->out < s->out_end) {
        if (g->between && inflateReset(&g->z) != Z_OK) return UNPACK_CORRUPT;
        g->between = false;
        g->z.next_in = (z_const Bytef *)(uintptr_t)s->in;
        g->z.avail_in = (uInt)(s->in_end - s->in);
        g->z.next_out = s->out;
        g->z.avail_out = (uInt)(s->out_end - s->out);
        int r = inflate(&g->z, Z_NO_FLUSH);
        s->in = g->z.next_in;
        s->out = g->z.next_out;
        if (r == Z_MEM_ERROR) return UNPACK_NO_MEMORY;
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR) return UNPACK_CORRUPT;
        g->between = r == Z_STREAM_END;
        if (r == Z_BUF_ERROR) break;
    }
    bool starved = s->last && s->in == s->in_end && s->out < s->out_end && !g->between;
    return starved ? UNPACK_TRUNCATED : UNPACK_OK;
}

static const struct unpack_ops gz = {.name = "gzip",
                                     .magic = {0x1F, 0x8B},
                                     .magic_n = 2,
                                     .start = gz_start,
                                     .stop = gz_stop,
                                     .step = gz_step};

/* --- zstd --- */

struct zst {
    ZSTD_DStream *d;
    size_t left; /* 0: at the end of a frame, everything flushed */
};

static void zst_stop(void *state)
{
    struct zst *z = state;
    ZSTD_freeDStream(z->d);
    mem_free(z);
}

static void *zst_start(void)
{
    struct zst *z = mem_new(1, sizeof *z);
    if (!z) return NULL;
    z->left = 1;
    z->d = ZSTD_createDStream();
    if (z->d) return z;
    zst_stop(z);
    return NULL;
}

static enum unpack_verdict zst_step(void *state, struct unpack_span *s)
{
    struct zst *z = state;
    bool flushed = false;
    while (!flushed && s->out < s->out_end && (s->in < s->in_end || z->left)) {
        ZSTD_inBuffer in = {.src = s->in, .size = (size_t)(s->in_end - s->in)};
        ZSTD_outBuffer out = {.dst = s->out, .size = (size_t)(s->out_end - s->out)};
        z->left = ZSTD_decompressStream(z->d, &out, &in);
        if (ZSTD_isError(z->left)) return UNPACK_CORRUPT;
        s->in += in.pos;
        s->out += out.pos;
        flushed =
            s->in == s->in_end &&
            s->out < s->out_end; /* output space is left, so that everything has been flushed */
    }
    bool starved = s->last && s->in == s->in_end && s->out < s->out_end && z->left;
    return starved ? UNPACK_TRUNCATED : UNPACK_OK;
}

static const struct unpack_ops zst = {.name = "zstd",
                                      .magic = {0x28, 0xB5, 0x2F, 0xFD},
                                      .magic_n = 4,
                                      .start = zst_start,
                                      .stop = zst_stop,
                                      .step = zst_step};

const struct unpack_ops *unpack_for(const unsigned char *first, size_t n)
{
    static const struct unpack_ops *const all[] = {&xz, &gz, &zst};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (n >= all[i]->magic_n && memcmp(first, all[i]->magic, all[i]->magic_n) == 0)
            return all[i];
    return &plain;
}
