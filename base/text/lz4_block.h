/* lz4_block.h - LZ4 blocks in memory, for what is read far more often than it is written: they
 * unpack in a third of a zstd frame's time, and take twice its room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Of n packed bytes, at most; 0: n is too large. */
size_t lz4_block_bound(size_t n);
/* Bytes written, 0 on failure. */
size_t lz4_block_pack(void *out, size_t cap, const void *in, size_t n);
/* Unpacks a block; true if and only if it is complete and unpacks to n bytes. */
bool lz4_block_unpack(void *out, size_t n, const void *in, size_t packed);
