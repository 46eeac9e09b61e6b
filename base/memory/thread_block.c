/* thread_block.c - see thread_block.h. */
#include "base/memory/thread_block.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <sys/mman.h>

struct piece { /* the blocks follow */
    size_t used;
};

static pthread_key_t piece_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;
static _Thread_local struct piece *piece;

static void free_piece(void *p)
{
    munmap(p, THREAD_BLOCKS_BYTES);
}

static void make_key(void)
{
    has_key = pthread_key_create(&piece_of_thread, free_piece) == 0;
}

bool thread_blocks_reserve(void)
{
    if (piece) return true;
    if (shim_fails(SHIM_ALLOC) || pthread_once(&once, make_key) != 0 || !has_key) return false;
    void *p = mmap(NULL, THREAD_BLOCKS_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    if (pthread_setspecific(piece_of_thread, p) != 0) {
        munmap(p, THREAD_BLOCKS_BYTES);
        return false;
    }
    piece = p;
    piece->used = alignof(max_align_t) > sizeof *piece ? alignof(max_align_t) : sizeof *piece;
    return true;
}

void *thread_block_make(void **mine, size_t bytes)
{
    bool reserved = thread_blocks_reserve();
    assert(reserved && "who may be refused memory reserves it before");
    if (!reserved) return NULL;
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    assert(bytes <= THREAD_BLOCKS_BYTES - piece->used && "all blocks fit");
    *mine = (char *)piece + piece->used;
    piece->used += bytes;
    return *mine;
}
