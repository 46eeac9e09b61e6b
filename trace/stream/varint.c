/* varint.c - byte strings that grow and spans that are read to their end, without a check at each
 * step: errors stay in the struct (`failed`, `bad`), and what is read behind an error is 0. */
#include "trace/stream/varint.h"

#include "base/memory/alloc.h"

void bytes_put_growing(struct bytes *b, const void *p, size_t n)
{
    if (b->failed || n == 0) return;
    if (!mem_grow(&b->p, &b->cap, b->n + n, 1)) {
        b->failed = true;
        return;
    }
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

void bytes_text(struct bytes *b, const char *s)
{
    size_t n = s ? strlen(s) : 0;
    bytes_varint(b, n);
    bytes_put(b, s, n);
}

void bytes_fixed64(struct bytes *b, uint64_t v)
{
    unsigned char raw[8];
    for (unsigned i = 0; i < 8; i++)
        raw[i] = (unsigned char)(v >> (8 * i));
    bytes_put(b, raw, sizeof raw);
}

void bytes_fini(struct bytes *b)
{
    mem_free(b->p);
    *b = (struct bytes){0};
}

uint64_t span_varint(struct span *s)
{
    uint64_t v = 0;
    const unsigned char *next = varint_get(s->at, s->end, &v);
    if (!next) {
        s->bad = true;
        s->at = s->end;
        return 0;
    }
    s->at = next;
    return v;
}

int64_t span_signed(struct span *s)
{
    return varint_unzigzag(span_varint(s));
}

uint64_t span_fixed64(struct span *s)
{
    const unsigned char *raw = span_take(s, 8);
    uint64_t v = 0;
    for (unsigned i = 0; raw && i < 8; i++)
        v |= (uint64_t)raw[i] << (8 * i);
    return v;
}

const unsigned char *span_take(struct span *s, uint64_t n)
{
    if (n > (uint64_t)(s->end - s->at)) {
        s->bad = true;
        s->at = s->end;
        return NULL;
    }
    const unsigned char *p = s->at;
    s->at += n;
    return p;
}

uint64_t span_count(struct span *s, uint64_t least)
{
    uint64_t n = span_varint(s);
    if (n > (uint64_t)(s->end - s->at) / (least ? least : 1)) {
        s->bad = true;
        return 0;
    }
    return n;
}
