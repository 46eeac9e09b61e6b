/* serialize.h - plain state to a block of bytes and back.
 *
 * One function per struct says what its state is (tape_data on each piece, in order); the tape's
 * mode decides whether that measures, saves or loads.  A block is good for the machine and the
 * build that made it only. */
#ifndef PLUMB_BASE_MEMORY_SERIALIZE_H
#define PLUMB_BASE_MEMORY_SERIALIZE_H

#include <stddef.h>
#include <string.h>

enum tape_mode { TAPE_MEASURE, TAPE_SAVE, TAPE_LOAD };

struct tape {
    enum tape_mode mode;
    unsigned char *block; /* of the caller, as long as measured before; NULL to measure */
    size_t bytes;         /* passed so far */
};

static inline void tape_data(struct tape *t, void *data, size_t n)
{
    if (!n) return;
    if (t->mode == TAPE_SAVE) memcpy(t->block + t->bytes, data, n);
    if (t->mode == TAPE_LOAD) memcpy(data, t->block + t->bytes, n);
    t->bytes += n;
}
#define TAPE_VALUE(t, lvalue) tape_data((t), &(lvalue), sizeof(lvalue))

#endif
