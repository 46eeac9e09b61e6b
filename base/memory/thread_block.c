/* thread_block.c - see thread_block.h. */
#include "base/memory/thread_block.h"

#include <pthread.h>
#include <stdlib.h>

struct block { /* the table follows */
    _Alignas(max_align_t) struct block *next;
};

static pthread_key_t blocks_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_blocks(void *first)
{
    for (struct block *b = first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

static void make_key(void)
{
    if (pthread_key_create(&blocks_of_thread, free_blocks) != 0) abort();
}

void *thread_block_make(void **mine, size_t bytes)
{
    struct block *b = calloc(1, sizeof *b + bytes);
    if (!b || pthread_once(&once, make_key) != 0) abort();
    b->next = pthread_getspecific(blocks_of_thread);
    if (pthread_setspecific(blocks_of_thread, b) != 0) abort();
    return *mine = b + 1;
}
