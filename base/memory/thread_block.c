/* thread_block.c - see thread_block.h. */
#include "base/memory/thread_block.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

struct block { /* the table follows */
    _Alignas(max_align_t) struct block *next;
    size_t bytes; /* all */
};

static pthread_key_t blocks_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_blocks(void *first)
{
    for (struct block *b = first, *next; b; b = next) {
        next = b->next;
        munmap(b, b->bytes);
    }
}

static void make_key(void)
{
    if (pthread_key_create(&blocks_of_thread, free_blocks) != 0) abort();
}

void *thread_block_make(void **mine, size_t bytes)
{
    bytes += sizeof(struct block);
    /* not from the heap, which would clear it */
    struct block *b =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED || pthread_once(&once, make_key) != 0) abort();
    *b = (struct block){.next = pthread_getspecific(blocks_of_thread), .bytes = bytes};
    if (pthread_setspecific(blocks_of_thread, b) != 0) abort();
    return *mine = b + 1;
}
