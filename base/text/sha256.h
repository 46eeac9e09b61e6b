/* sha256.h - SHA-256 (FIPS 180-4), for where another program demands that digest: a browser admits
 * a page's own scripts by it. Names of plumb's own are digests of digest.h. */
#pragma once

#include <stddef.h>

enum { SHA256_BYTES = 32, SHA256_BASE64 = 45 };

void sha256(const void *bytes, size_t n, unsigned char out[SHA256_BYTES]);
/* The digest in base 64 (RFC 4648), with a NUL. */
void sha256_base64(const void *bytes, size_t n, char out[SHA256_BASE64]);
