/* varint.h - growing byte strings and variable-length integers, the primitives of the .plt format.
 * Integers are LEB128: seven bits per byte, low bits first, at most ten bytes. Signed ones are
 * zigzag-encoded, so that small magnitudes stay short. A struct bytes that could not grow is marked
 * `failed` and ignores further writes; the owner checks once. A struct span that was read past its
 * end is marked `bad` and yields zeros; the owner checks once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { VARINT_MAX = 10 };

struct bytes {
    unsigned char *p;
    size_t n, cap;
    bool failed;
};

void bytes_put_growing(struct bytes *b, const void *p, size_t n);
void bytes_text(struct bytes *b, const char *s); /* length, then the characters; NULL writes "" */
void bytes_fixed64(struct bytes *b, uint64_t v); /* little endian */
void bytes_fini(struct bytes *b);

static inline size_t bytes_room(const struct bytes *b)
{
    return b->failed ? 0 : b->cap - b->n;
}
static inline void bytes_put(struct bytes *b, const void *p, size_t n)
{
    if (n == 0) return;
    if (bytes_room(b) < n) {
        bytes_put_growing(b, p, n);
        return;
    }
    memcpy(b->p + b->n, p, n);
    b->n += n;
}
static inline void bytes_byte(struct bytes *b, unsigned char v)
{
    if (bytes_room(b))
        b->p[b->n++] = v;
    else
        bytes_put(b, &v, 1);
}

struct span {
    const unsigned char *at, *end;
    bool bad;
};

uint64_t span_varint(struct span *s);
int64_t span_signed(struct span *s);
uint64_t span_fixed64(struct span *s);
/* n bytes in place, NULL when there are fewer. */
const unsigned char *span_take(struct span *s, uint64_t n);
/* Reads a count of items of at least `least` bytes each; marks the span bad if the rest is too
 * short for so many. */
uint64_t span_count(struct span *s, uint64_t least);

static inline uint64_t varint_zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t varint_unzigzag(uint64_t v)
{
    return (int64_t)((v >> 1) ^ (0 - (v & 1)));
}

/* Writes at most VARINT_MAX bytes and returns the position after them. */
static inline unsigned char *varint_put(unsigned char *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    *p++ = (unsigned char)v;
    return p;
}

static inline void bytes_varint(struct bytes *b, uint64_t v)
{
    unsigned char buffer[VARINT_MAX];
    if (bytes_room(b) >= VARINT_MAX)
        b->n = (size_t)(varint_put(b->p + b->n, v) - b->p);
    else
        bytes_put(b, buffer, (size_t)(varint_put(buffer, v) - buffer));
}
static inline void bytes_signed(struct bytes *b, int64_t v)
{
    bytes_varint(b, varint_zigzag(v));
}

/* Returns the position after the number; NULL: it exceeds the end or 64 bits. */
static inline const unsigned char *varint_get(const unsigned char *p, const unsigned char *end,
                                              uint64_t *v)
{
    if (p < end && *p < 0x80) {
        *v = *p;
        return p + 1;
    }
    uint64_t x = 0;
    for (unsigned shift = 0; shift < 64 && p < end; shift += 7) {
        unsigned char byte = *p++;
        x |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *v = x;
            return p;
        }
    }
    return NULL;
}

static inline size_t varint_size(uint64_t v)
{
    return ((64 - (size_t)__builtin_clzll(v | 1)) + 6) / 7;
}
