/* zstd_frame.c - see zstd_frame.h. */
#include "base/text/zstd_frame.h"

#include "base/memory/alloc.h"

#include <zstd.h>

struct zstd_frame {
    ZSTD_CCtx *pack;
    ZSTD_DCtx *unpack;
};

struct zstd_frame *zstd_frame_new(void)
{
    struct zstd_frame *c = mem_new(1, sizeof *c);
    if (!c) return NULL;
    c->pack = ZSTD_createCCtx();
    c->unpack = ZSTD_createDCtx();
    if (c->pack && c->unpack) return c;
    zstd_frame_free(c);
    return NULL;
}

void zstd_frame_free(struct zstd_frame *c)
{
    if (!c) return;
    ZSTD_freeCCtx(c->pack);
    ZSTD_freeDCtx(c->unpack);
    mem_free(c);
}

size_t zstd_frame_bound(size_t n)
{
    return ZSTD_compressBound(n);
}

size_t zstd_frame_pack(struct zstd_frame *c, void *out, size_t cap, const void *in, size_t n,
                       int level)
{
    size_t written = ZSTD_compressCCtx(c->pack, out, cap, in, n, level);
    return ZSTD_isError(written) ? 0 : written;
}

size_t zstd_frame_pack_like(struct zstd_frame *c, void *out, size_t cap, const void *in, size_t n,
                            const void *like, size_t like_n, int level)
{
    size_t written = ZSTD_compress_usingDict(c->pack, out, cap, in, n, like, like_n, level);
    return ZSTD_isError(written) ? 0 : written;
}

bool zstd_frame_holds(const void *in, size_t packed, size_t n)
{
    return ZSTD_getFrameContentSize(in, packed) == n;
}

bool zstd_frame_unpack(struct zstd_frame *c, void *out, size_t n, const void *in, size_t packed)
{
    /* exactly one frame: trailing bytes would be a second frame or garbage */
    if (ZSTD_findFrameCompressedSize(in, packed) != packed) return false;
    return ZSTD_decompressDCtx(c->unpack, out, n, in, packed) == n;
}

bool zstd_frame_unpack_like(struct zstd_frame *c, void *out, size_t n, const void *in,
                            size_t packed, const void *like, size_t like_n)
{
    if (ZSTD_findFrameCompressedSize(in, packed) != packed) return false;
    return ZSTD_decompress_usingDict(c->unpack, out, n, in, packed, like, like_n) == n;
}
