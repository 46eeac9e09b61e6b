/* l1_memory.h - what structures beside an L1's lines remember from one access to the next, as plain
 * data. The cycle model and the functional machine have the same; warm states and checkpoints carry
 * it from one to the other.
 *
 * Memory: l1_memory_init allocates. */
#pragma once

#include "base/memory/serialize.h"
#include "gpu/machine/params/l1.h"

struct l1_memory {
    void *of[L1_STRUCTURES]; /* NULL: the structure is off, or remembers nothing */
};

uint64_t l1_memory_bytes(const struct l1_params *p);
/* As at the beginning of a run; call l1_memory_fini even if it fails. false: no memory. */
bool l1_memory_init(struct l1_memory *m, const struct l1_params *p);
void l1_memory_fini(struct l1_memory *m);
void l1_memory_clear(struct l1_memory *m, const struct l1_params *p);
/* Both are of L1s with these parameters, or `from` is empty. */
void l1_memory_copy(struct l1_memory *to, const struct l1_memory *from, const struct l1_params *p);
void l1_memory_serialize(struct l1_memory *m, const struct l1_params *p, struct serializer *t);
