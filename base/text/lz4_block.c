/* lz4_block.c - see lz4_block.h. */
#include "base/text/lz4_block.h"

#include <limits.h>
#include <lz4.h>

size_t lz4_block_bound(size_t n)
{
    return n <= LZ4_MAX_INPUT_SIZE ? (size_t)LZ4_compressBound((int)n) : 0;
}

size_t lz4_block_pack(void *out, size_t cap, const void *in, size_t n)
{
    if (n > LZ4_MAX_INPUT_SIZE || cap > INT_MAX) return 0;
    int written = LZ4_compress_default(in, out, (int)n, (int)cap);
    return written > 0 ? (size_t)written : 0;
}

bool lz4_block_unpack(void *out, size_t n, const void *in, size_t packed)
{
    if (n > LZ4_MAX_INPUT_SIZE || packed > INT_MAX) return false;
    return LZ4_decompress_safe(in, out, (int)packed, (int)n) == (int)n;
}
