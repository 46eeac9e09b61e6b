/* arena.h - many small objects with one lifetime: allocate, never free singly, arena_fini frees
 * all. Memory is zeroed and aligned to 16 bytes; NULL when there is none. */
#pragma once

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *last;
};

void *arena_new(struct arena *a, size_t n, size_t size);
char *arena_strdup(struct arena *a, const char *s);
void arena_fini(struct arena *a);
