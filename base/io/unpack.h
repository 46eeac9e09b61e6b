/* unpack.h - streaming decompression, chosen by the first bytes (used by instream.c). Archives may
 * consist of several members or frames; an archive that ends inside a member is truncated, and
 * bytes after a member that begin no other one are corrupt. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum unpack_verdict { UNPACK_OK, UNPACK_TRUNCATED, UNPACK_CORRUPT, UNPACK_NO_MEMORY };

/* One call's input and output; `in` and `out` are advanced. */
struct unpack_span {
    const unsigned char *in, *in_end;
    unsigned char *out, *out_end;
    bool last; /* nothing follows in_end */
};

struct unpack_ops {
    const char *name;
    unsigned char magic[6];
    size_t magic_n;
    void *(*start)(void); /* NULL: no memory */
    void (*stop)(void *state);
    /* Consumes input and produces output until either is used up.  With `last` and all input
     * consumed and output space left, UNPACK_OK means that the stream is whole. */
    enum unpack_verdict (*step)(void *state, struct unpack_span *s);
};

enum { UNPACK_MAGIC_MAX = 6 };

/* The decompressor for data that begin with these bytes; plain copying if they are no known
 * archive. */
const struct unpack_ops *unpack_for(const unsigned char *first, size_t n);
