/* memory_need.h - the memory that a simulation of a machine takes, before any of it is taken.
 *
 * One function per part says its bytes from its parameters; what grows with a program (requests
 * under way beyond a queue's first room, its trace) is not in it.  Within a quarter of what the
 * parts allocate (tests/unit/detailed/memory_need.c). */
#ifndef PLUMB_DETAILED_CORE_MEMORY_NEED_H
#define PLUMB_DETAILED_CORE_MEMORY_NEED_H

#include "base/error.h"

#include <stdint.h>

struct machine;

uint64_t memory_need(const struct machine *m); /* bytes */
/* false: *e, the machine needs more than there is. */
bool memory_suffices(const struct machine *m, struct error *e);

#endif
