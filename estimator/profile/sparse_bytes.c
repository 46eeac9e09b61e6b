/* sparse_bytes.c - see sparse_bytes.h. */
#include "estimator/profile/sparse_bytes.h"

#include <string.h>

static size_t count_pieces(size_t n)
{
    return (n + SPARSE_PIECE - 1) / SPARSE_PIECE;
}

static size_t map_bytes(size_t n)
{
    return (count_pieces(n) + 7) / 8;
}

static size_t piece_bytes(size_t n, size_t at)
{
    return n - at < SPARSE_PIECE ? n - at : SPARSE_PIECE;
}

size_t sparse_bytes_bound(size_t n)
{
    return map_bytes(n) + n;
}

static bool is_empty(const char *piece, size_t bytes)
{
    static const char empty[SPARSE_PIECE];
    return memcmp(piece, empty, bytes) == 0;
}

/* Where the pieces from `at` on end that are alike: empty or not. */
static size_t end_of_run(const char *in, size_t n, size_t at, bool empty)
{
    while (at < n && is_empty(in + at, piece_bytes(n, at)) == empty)
        at += piece_bytes(n, at);
    return at;
}

struct digest sparse_bytes_digest(const void *in, size_t n)
{
    const char *from = in;
    const uint64_t length = n;
    struct digest d = digest_bytes(&length, sizeof length);
    for (size_t at = 0, end; (at = end_of_run(from, n, at, true)) < n; at = end) {
        end = end_of_run(from, n, at, false);
        const uint64_t place[] = {at, end};
        d = digest_join(digest_join(d, digest_bytes(place, sizeof place)),
                        digest_bytes(from + at, end - at));
    }
    return d;
}

size_t sparse_bytes_pack(void *out, const void *in, size_t n)
{
    const char *from = in;
    unsigned char *map = out;
    char *to = (char *)out + map_bytes(n);
    memset(map, 0, map_bytes(n));
    for (size_t i = 0, at = 0; at < n; i++, at += SPARSE_PIECE) {
        size_t bytes = piece_bytes(n, at);
        if (is_empty(from + at, bytes)) continue;
        map[i / 8] |= (unsigned char)(1u << i % 8);
        memcpy(to, from + at, bytes);
        to += bytes;
    }
    return (size_t)(to - (char *)out);
}

bool sparse_bytes_unpack(void *out, size_t n, const void *in, size_t packed)
{
    const unsigned char *map = in;
    if (packed < map_bytes(n)) return false;
    const char *from = (const char *)in + map_bytes(n), *end = (const char *)in + packed;
    for (size_t i = 0, at = 0; at < n; i++, at += SPARSE_PIECE) {
        size_t bytes = piece_bytes(n, at);
        if (!(map[i / 8] >> i % 8 & 1)) continue;
        if ((size_t)(end - from) < bytes) return false;
        memcpy((char *)out + at, from, bytes);
        from += bytes;
    }
    return from == end;
}
