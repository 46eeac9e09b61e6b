/* memory.h - device memory: a window of fixed addresses, its allocations, and what lies elsewhere
 * but device code may access: variables of modules and pinned memory of the host.
 *
 * Every range has a place in the simulated device memory, whose addresses the trace shows. Ranges
 * are at least 256 bytes apart, so that an access that misses its allocation hits none.
 *
 * Errors: no memory is cudaErrorMemoryAllocation of the caller. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_range {
    uint64_t host, bytes; /* where it lies */
    uint64_t trace;       /* its address in the trace */
    uint16_t number;      /* of the allocation, for reports */
    uint32_t key;
    bool device; /* in the window */
};

bool memory_init(void); /* false: the window cannot be had */
void *memory_new(size_t bytes);
bool memory_free(void *p);                       /* false: no allocation begins there */
bool memory_add(const void *host, size_t bytes); /* makes a range of the host's known */
bool memory_remove(const void *host);
/* The range that holds the address; NULL: none. */
const struct memory_range *memory_find(uint64_t address);
/* The nearest range that begins below the address; NULL: none. */
const struct memory_range *memory_below(uint64_t address);
uint64_t memory_used(void);
