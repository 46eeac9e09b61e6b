/* plt.c - the frame of a .plt file: header, trailer, checksums. */
#include "trace/plt/plt.h"

void plt_put_header(struct bytes *out)
{
    bytes_put(out, PLT_MAGIC, 8);
    bytes_fixed64(out, PLT_VERSION);
}

uint64_t plt_checksum(const void *bytes, size_t n)
{
    return digest_bytes(bytes, n).lo;
}

void plt_put_trailer(struct bytes *out, const struct plt_trailer *t)
{
    size_t before = out->n;
    bytes_fixed64(out, t->directory);
    bytes_fixed64(out, t->packed);
    bytes_fixed64(out, t->raw);
    bytes_fixed64(out, t->checksum);
    bytes_fixed64(out, t->chain.hi);
    bytes_fixed64(out, t->chain.lo);
    if (!out->failed) bytes_fixed64(out, plt_checksum(out->p + before, out->n - before));
    bytes_put(out, PLT_END, 8);
}

bool plt_get_trailer(struct plt_trailer *t, const unsigned char raw[PLT_TRAILER])
{
    struct span in = {raw, raw + PLT_TRAILER, false};
    t->directory = span_fixed64(&in);
    t->packed = span_fixed64(&in);
    t->raw = span_fixed64(&in);
    t->checksum = span_fixed64(&in);
    t->chain.hi = span_fixed64(&in);
    t->chain.lo = span_fixed64(&in);
    uint64_t sum = span_fixed64(&in);
    return plt_checks_off() || sum == plt_checksum(raw, PLT_TRAILER - 16);
}

struct digest plt_chain(struct digest before, const void *segment, size_t n)
{
    return digest_join(before, digest_bytes(segment, n));
}
