/* zstd_frame.c - see zstd_frame.h. */
#include "base/text/zstd_frame.h"

#include "base/memory/alloc.h"

#include <zstd.h>

struct codec {
    ZSTD_CCtx *pack;
    ZSTD_DCtx *unpack;
};

struct codec *codec_new(void)
{
    struct codec *c = mem_new(1, sizeof *c);
    if (!c) return NULL;
    c->pack = ZSTD_createCCtx();
    c->unpack = ZSTD_createDCtx();
    if (c->pack && c->unpack) return c;
    codec_free(c);
    return NULL;
}

void codec_free(struct codec *c)
{
    if (!c) return;
    ZSTD_freeCCtx(c->pack);
    ZSTD_freeDCtx(c->unpack);
    mem_free(c);
}

size_t codec_bound(size_t n)
{
    return ZSTD_compressBound(n);
}

size_t codec_pack(struct codec *c, void *out, size_t cap, const void *in, size_t n, int level)
{
    size_t written = ZSTD_compressCCtx(c->pack, out, cap, in, n, level);
    return ZSTD_isError(written) ? 0 : written;
}

bool codec_holds(const void *in, size_t packed, size_t n)
{
    return ZSTD_getFrameContentSize(in, packed) == n;
}

bool codec_unpack(struct codec *c, void *out, size_t n, const void *in, size_t packed)
{
    /* Exactly one frame: trailing bytes would be a second frame or rubbish. */
    if (ZSTD_findFrameCompressedSize(in, packed) != packed) return false;
    return ZSTD_decompressDCtx(c->unpack, out, n, in, packed) == n;
}
