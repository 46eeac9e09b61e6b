/* arena.c - see arena.h.  A chain of blocks; an object larger than a block gets one of its own. */
#include "base/memory/arena.h"

#include "base/memory/alloc.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGN = 16 };

struct arena_block {
    struct arena_block *before;
    size_t used, cap;
    alignas(ALIGN) unsigned char bytes[];
};

static struct arena_block *add_block(struct arena *a, size_t bytes)
{
    size_t cap = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct arena_block *b = mem_new_unset(1, sizeof *b + cap);
    if (!b) return NULL;
    *b = (struct arena_block){.before = a->last, .cap = cap};
    a->last = b;
    return b;
}

void *arena_new(struct arena *a, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    struct arena_block *b = a->last;
    if (!b || b->cap - b->used < bytes) b = add_block(a, bytes);
    if (!b) return NULL;
    void *p = memset(b->bytes + b->used, 0, bytes);
    b->used += bytes;
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = arena_new(a, n, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

void arena_fini(struct arena *a)
{
    while (a->last) {
        struct arena_block *b = a->last;
        a->last = b->before;
        mem_free(b);
    }
}
