/* thread_block.h - large tables of one thread, made when the thread first uses them.
 *
 * _Thread_local variables are cleared when a thread starts, whether it uses them or not; the pages
 * of a block cost nothing until they are touched.  Blocks are zeroed, lie in one reserved piece of
 * address space per thread, and are freed when their thread ends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { THREAD_BLOCKS_BYTES = 16 << 20 }; /* of address space: all blocks of a thread fit */

/* Reserves the calling thread's piece, if it has none yet; false: no memory.  After that, no block
 * is refused. */
bool thread_blocks_reserve(void);

/* mine: a _Thread_local pointer of the caller, NULL at first.  Returns *mine. */
void *thread_block_make(void **mine, size_t bytes);

/* The calling thread's block of `type`; pointer: a variable `static _Thread_local void *`. */
#define THREAD_BLOCK(type, pointer) \
    ((type *)((pointer) ? (pointer) : thread_block_make(&(pointer), sizeof(type))))
