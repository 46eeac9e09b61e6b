/* serialize.h - copies plain state to a block of bytes and back. One function per struct lists its
 * state (serialize_data on each piece, in order); the serializer's mode decides whether that
 * measures, saves or loads. A block is only valid for the machine and the build that made it. */
#pragma once

#include <stddef.h>
#include <string.h>

enum serialize_mode { SERIALIZE_MEASURE, SERIALIZE_SAVE, SERIALIZE_LOAD };

struct serializer {
    enum serialize_mode mode;
    unsigned char *block; /* the caller's, with the size measured before; NULL to measure */
    size_t bytes;         /* size so far */
};

static inline void serialize_data(struct serializer *t, void *data, size_t n)
{
    if (!n) return;
    if (t->mode == SERIALIZE_SAVE) memcpy(t->block + t->bytes, data, n);
    if (t->mode == SERIALIZE_LOAD) memcpy(data, t->block + t->bytes, n);
    t->bytes += n;
}
#define SERIALIZE_VALUE(t, lvalue) serialize_data((t), &(lvalue), sizeof(lvalue))
