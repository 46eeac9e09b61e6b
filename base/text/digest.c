/* digest.c - see digest.h. */
#include "base/text/digest.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

struct digest digest_bytes(const void *bytes, size_t n)
{
    XXH128_hash_t h = XXH3_128bits(n ? bytes : "", n);
    return (struct digest){.hi = h.high64, .lo = h.low64};
}

struct digest digest_text(const char *s)
{
    return digest_bytes(s, strlen(s));
}

static void put_le(unsigned char *out, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        out[i] = (unsigned char)(v >> (8 * i));
}

struct digest digest_join(struct digest a, struct digest b)
{
    unsigned char bytes[32]; /* little-endian on every machine */
    put_le(bytes, a.hi);
    put_le(bytes + 8, a.lo);
    put_le(bytes + 16, b.hi);
    put_le(bytes + 24, b.lo);
    return digest_bytes(bytes, sizeof bytes);
}

bool digest_equal(struct digest a, struct digest b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

void digest_hex(struct digest d, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)d.hi, (unsigned long long)d.lo);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool digest_parse(struct digest *d, const char *hex)
{
    uint64_t half[2] = {0, 0};
    if (strlen(hex) != 32) return false;
    for (unsigned i = 0; i < 32; i++) {
        int v = hex_digit(hex[i]);
        if (v < 0) return false;
        half[i / 16] = half[i / 16] << 4 | (uint64_t)v;
    }
    *d = (struct digest){.hi = half[0], .lo = half[1]};
    return true;
}
