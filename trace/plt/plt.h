/* plt.h - the .plt file (docs/develop/trace-format.md): definitions shared by writer and reader.
 *
 *   header     magic, version
 *   frames     zstd, each with whole segments of one launch, in the order of CTAs and segments
 *   directory  one zstd frame: content (launches, code tables, commands), notes, index
 *   trailer    PLT_TRAILER bytes, fixed
 * The program's digest joins the digest of the directory's content part with a chain over the
 * unpacked segments: it depends neither on compression nor on notes. Of the headers only limits of
 * launches (launch_header.h) are joined to it, where there are any. */
#pragma once

#include "base/text/digest.h"
#include "trace/program/program.h"
#include "trace/stream/varint.h"

#define PLT_MAGIC "PLUMBTRC"
#define PLT_END "PLUMBEND"
enum {
    PLT_VERSION = 1,
    PLT_HEADER = 16,
    PLT_TRAILER = 64,
    PLT_FRAME_TARGET = 64 * 1024, /* unpacked bytes after which a frame is closed */
    PLT_LEVEL = 9,
    PLT_MAX_THREADS = 1 << 16, /* per CTA */
    PLT_MAX_SEGMENT = 1 << 30  /* bytes unpacked */
};
#define PLT_MAX_CTAS (UINT64_C(1) << 40)

struct plt_trailer {
    uint64_t directory, packed, raw, checksum; /* place, sizes and checksum of the directory */
    struct digest chain;                       /* over the segments */
};

/* Whether checksums are ignored, so that fuzzers reach the code behind them. */
static inline bool plt_checks_off(void)
{
#ifdef PLUMB_FUZZ_NO_CHECKSUMS
    return true;
#else
    return false;
#endif
}

void plt_put_header(struct bytes *out);
void plt_put_trailer(struct bytes *out, const struct plt_trailer *t);
/* false: damaged. */
bool plt_get_trailer(struct plt_trailer *t, const unsigned char raw[PLT_TRAILER]);
uint64_t plt_checksum(const void *bytes, size_t n);
struct digest plt_chain(struct digest before, const void *segment, size_t n);

/* Fills ctas and warps_per_cta from grid, block and width.  false: the sizes are out of bounds. */
bool launch_derive(struct launch *l, uint32_t width);
