/* thread_block.h - large tables of one thread, made when the thread first uses them.
 *
 * _Thread_local variables are cleared when a thread starts, whether it uses them or not; a block's
 * pages cost nothing until they are touched.  Blocks are zeroed, and freed when their thread ends.
 * Like _Thread_local variables they cannot be refused: without memory the program aborts. */
#pragma once

#include <stddef.h>

/* mine: a _Thread_local pointer of the caller, NULL at first.  Returns *mine. */
void *thread_block_make(void **mine, size_t bytes);

/* The calling thread's block of `type`; pointer: a variable `static _Thread_local void *`. */
#define THREAD_BLOCK(type, pointer) \
    ((type *)((pointer) ? (pointer) : thread_block_make(&(pointer), sizeof(type))))
