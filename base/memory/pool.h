/* pool.h - numbers of an array's elements that are taken and given back; the array grows when all
 * are taken. The owner keeps the array (a pointer that is NULL at first, freed by mem_free), and
 * each element has a uint32_t that chains free ones and is the owner's while it is taken.
 *
 * Elements are zero when they are taken for the first time, later as they were left. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { POOL_NONE = UINT32_MAX };

struct pool {
    size_t cap;
    uint32_t size, link; /* bytes of an element, and where its uint32_t is */
    uint32_t free, used;
};

/* An empty pool of elements of a type, which are chained by that member. */
#define POOL(type, member)                                   \
    ((struct pool){.size = (uint32_t)sizeof(type),           \
                   .link = (uint32_t)offsetof(type, member), \
                   .free = POOL_NONE})

bool pool_grow(struct pool *p, void *array);
/* Gives all elements back. */
void pool_clear(struct pool *p, void *array);

/* array: the address of the pointer to the array. */
static inline uint32_t *pool_link(const struct pool *p, const void *array, uint32_t i)
{
    char *first;
    memcpy(&first, array, sizeof first);
    return (uint32_t *)(void *)(first + (size_t)i * p->size + p->link);
}
/* Takes an element; pointers into the array are invalid afterwards. POOL_NONE: no memory. */
static inline uint32_t pool_take(struct pool *p, void *array)
{
    if (p->free == POOL_NONE && !pool_grow(p, array)) return POOL_NONE;
    uint32_t i = p->free;
    p->free = *pool_link(p, array, i);
    p->used++;
    return i;
}
static inline void pool_give(struct pool *p, void *array, uint32_t i)
{
    *pool_link(p, array, i) = p->free;
    p->free = i;
    p->used--;
}
