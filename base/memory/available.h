/* available.h - the memory that this process may still allocate. */
#pragma once

#include <stdint.h>

/* The minimum, in bytes, of the host's available memory, the rest of the limit of its control group
 * (a container, a batch job) and the process's own limit; UINT64_MAX: unknown. */
uint64_t memory_available(void);
