/* digest.h - 128-bit content digests (XXH3) that name machines, programs and results.
 * Not cryptographic.  Values are stored in files and databases: they must not change between
 * versions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
    uint64_t hi, lo;
};

struct digest digest_bytes(const void *bytes, size_t n);
struct digest digest_text(const char *s);
/* Order matters: digest_join(a, b) != digest_join(b, a). */
struct digest digest_join(struct digest a, struct digest b);
bool digest_equal(struct digest a, struct digest b);
void digest_hex(struct digest d, char out[33]);
bool digest_parse(struct digest *d, const char *hex); /* exactly 32 hex digits */
