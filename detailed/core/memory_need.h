/* memory_need.h - the host memory that a simulation of a machine needs, before any of it is
 * allocated. Each component states its bytes (component.h); memory that grows with
 * the program (requests beyond a queue's initial room, its trace) is not included. The result is
 * within a quarter of what the parts allocate (tests/unit/detailed/memory_need.c). */
#pragma once

#include "base/error.h"

#include <stdint.h>

struct machine;

uint64_t memory_need(const struct machine *m); /* bytes */
/* false: the machine needs more memory than is available; *e says so. */
bool memory_suffices(const struct machine *m, struct error *e);
