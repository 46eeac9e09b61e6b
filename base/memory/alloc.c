/* alloc.c - see alloc.h. */
#include "base/memory/alloc.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

static _Atomic unsigned armed[SHIM_N]; /* calls until the failing one, which counts as 1; 0 = off */

void shim_fail_after(enum shim kind, unsigned n)
{
    assert(kind < SHIM_N);
    atomic_store(&armed[kind], n);
}

bool shim_fails(enum shim kind)
{
    unsigned left = atomic_load_explicit(&armed[kind], memory_order_relaxed);
    while (left)
        if (atomic_compare_exchange_weak(&armed[kind], &left, left - 1)) return left == 1;
    return false;
}

static _Thread_local uint64_t refusals;

const uint64_t *mem_refusals(void)
{
    return &refusals;
}

static void *counted(void *p)
{
    refusals += !p;
    return p;
}

void *mem_new(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || shim_fails(SHIM_ALLOC)) return counted(NULL);
    return counted(calloc(1, bytes ? bytes : 1)); /* never NULL for an empty array */
}

void *mem_new_unset(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || shim_fails(SHIM_ALLOC)) return counted(NULL);
    return counted(malloc(bytes ? bytes : 1));
}

void *mem_new_aligned(size_t n, size_t size, size_t align)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - align ||
        shim_fails(SHIM_ALLOC))
        return counted(NULL);
    return counted(aligned_alloc(align, (bytes ? bytes + align - 1 : align) / align * align));
}

static size_t grown_capacity(size_t cap, size_t need)
{
    size_t next = cap ? cap : 8;
    while (next < need)
        next = next > SIZE_MAX / 2 ? need : next * 2;
    return next;
}

bool mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap) return true;
    size_t next = grown_capacity(*cap, need), bytes;
    void *old, *new;
    memcpy(&old, array, sizeof old);
    bool refused = __builtin_mul_overflow(next, size, &bytes) || shim_fails(SHIM_ALLOC);
    new = counted(refused ? NULL : realloc(old, bytes));
    if (!new) return false;
    memset((char *)new + *cap *size, 0, bytes - *cap * size);
    memcpy(array, &new, sizeof new);
    *cap = next;
    return true;
}

bool mem_grow_ring(void *ring, uint64_t *mask, uint64_t head, uint64_t tail, size_t size)
{
    enum { FIRST = 64 };
    char *old, *wide;
    memcpy(&old, ring, sizeof old);
    uint64_t cap = old ? (*mask + 1) * 2 : FIRST;
    wide = mem_new(cap, size);
    if (!wide) return false;
    for (uint64_t i = head; i != tail; i++)
        memcpy(wide + (i & (cap - 1)) * size, old + (i & *mask) * size, size);
    mem_free(old);
    memcpy(ring, &wide, sizeof wide);
    *mask = cap - 1;
    return true;
}

void mem_free(void *p)
{
    free(p);
}

void mem_large_pages(size_t bytes)
{
#ifdef __GLIBC__
    enum { PAGE = 2 << 20 };
    static atomic_flag called = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&called)) return;
    mallopt(M_MMAP_THRESHOLD, PAGE); /* smaller blocks are in the heap */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, (int)bytes);
    void *volatile first =
        malloc(PAGE / 2); /* volatile, so that compilers do not remove the allocation */
    free(first);          /* the heap has grown */
    mallopt(M_TOP_PAD, PAGE);
    uintptr_t end = (uintptr_t)sbrk(0), from = (end - bytes + PAGE - 1) / PAGE * PAGE;
    madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
    (void)bytes;
#endif
}

char *mem_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = mem_new(n, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}
