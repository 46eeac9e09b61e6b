/* sparse_bytes.h - bytes of which many are 0, without those: which pieces of SPARSE_PIECE bytes
 * differ from 0, a bit each, then these pieces.
 *
 * A launch's samples have room for the largest machine's blocks, of which most launches fill a
 * small part. */
#pragma once

#include "base/text/digest.h"

#include <stdbool.h>
#include <stddef.h>

enum { SPARSE_PIECE = 512 };

size_t sparse_bytes_bound(size_t n); /* what n bytes take at most */
/* Returns the bytes written; out has room for sparse_bytes_bound(n). */
size_t sparse_bytes_pack(void *out, const void *in, size_t n);
/* The digest of n bytes, for which pieces of zeros cost little. */
struct digest sparse_bytes_digest(const void *in, size_t n);
/* Precondition: the n bytes of `out` are 0.  Pieces of zeros stay untouched, so that fresh pages
 * cost nothing.  false: `in` is not what a pack of n bytes gives. */
bool sparse_bytes_unpack(void *out, size_t n, const void *in, size_t packed);
