/* alloc.h - allocation and fault injection. Every allocation and every system call that can fail in
 * a correct program goes through here or through file.h, so that tests can make the n-th one fail
 * (shim_fail_after). Allocation returns zeroed memory, or NULL if there is none; an overflow of n *
 * size counts as none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_new(size_t n, size_t size);
/* Memory that is neither zeroed nor touched, for pools whose items are written before they are
 * read. */
void *mem_new_unset(size_t n, size_t size);
/* The same, aligned to `align` bytes, a power of two. */
void *mem_new_aligned(size_t n, size_t size, size_t align);
/* Grows *array (of elements of `size` bytes) so that it holds at least `need`; doubles.  New
 * elements are zeroed.  false: no memory, *array and *cap unchanged. */
bool mem_grow(void *array, size_t *cap, size_t need, size_t size);
/* Doubles the capacity of *ring, which has *mask + 1 elements (a power of two), or allocates a ring
 * that is NULL. Elements head..tail-1, each at its number & *mask, keep their numbers. false: no
 * memory, nothing changed. */
bool mem_grow_ring(void *ring, uint64_t *mask, uint64_t head, uint64_t tail, size_t size);
void mem_free(void *p);
/* Where this thread counts its allocations that have failed. A run in which many queues may grow
 * looks there whether one of them could not, instead of at each. */
const uint64_t *mem_refusals(void);
char *mem_strdup(const char *s);
/* Places the next `bytes` of the heap on large pages, if the host has them. A simulated machine is
 * thousands of blocks of a few KB that are used irregularly: on small pages the host spends much of
 * its time on address translation.  An answer that needs little memory does not call it, since
 * clearing a large page takes longer than the answer.  Later calls have no effect; no error if the
 * first has none. */
enum { MEM_LARGE_HEAP = 64 << 20 }; /* a machine of 80 SMs needs less */
void mem_large_pages(size_t bytes);

enum shim { SHIM_ALLOC, SHIM_WRITE, SHIM_FSYNC, SHIM_RENAME, SHIM_OPEN, SHIM_N };
/* From now on the n-th call (1 = the next) of that kind fails once; n = 0 switches it off.  Tests
 * only. */
void shim_fail_after(enum shim kind, unsigned n);
bool shim_fails(enum shim kind); /* true exactly when the armed call is reached */
