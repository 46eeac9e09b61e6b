/* available.h - how much memory this process may still take. */
#ifndef PLUMB_BASE_MEMORY_AVAILABLE_H
#define PLUMB_BASE_MEMORY_AVAILABLE_H

#include <stdint.h>

/* Bytes: the least of what the host has left, what its control group (a container, a batch job)
 * leaves and what the process's own limit allows; UINT64_MAX: nobody says. */
uint64_t memory_available(void);

#endif
