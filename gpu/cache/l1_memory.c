/* l1_memory.c - see l1_memory.h. */
#include "gpu/cache/l1_memory.h"

#include "base/memory/alloc.h"
#include "gpu/cache/agcb.h"
#include "gpu/cache/stride_table.h"

#include <string.h>

#define BYTES(name, ID, p) [L1_OF_##name] = ID##_MEMORY(p),

/* Bytes of a structure's memory; 0: it has none. */
static size_t bytes_of(const struct l1_params *p, enum l1_structure id)
{
    const size_t bytes[L1_STRUCTURES] = {L1_MECHANISMS(BYTES, p)};
    return p->enabled ? bytes[id] : 0;
}

uint64_t l1_memory_bytes(const struct l1_params *p)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < L1_STRUCTURES; i++)
        sum += bytes_of(p, (enum l1_structure)i);
    return sum;
}

void l1_memory_clear(struct l1_memory *m, const struct l1_params *p)
{
    for (uint32_t i = 0; i < L1_STRUCTURES; i++)
        if (m->of[i]) memset(m->of[i], 0, bytes_of(p, (enum l1_structure)i));
    if (m->of[L1_OF_agcb]) agcb_clear(&p->agcb, m->of[L1_OF_agcb]);
}

bool l1_memory_init(struct l1_memory *m, const struct l1_params *p)
{
    for (uint32_t i = 0; i < L1_STRUCTURES; i++) {
        size_t bytes = bytes_of(p, (enum l1_structure)i);
        m->of[i] = bytes ? mem_new(1, bytes) : NULL;
        if (bytes && !m->of[i]) return false;
    }
    l1_memory_clear(m, p);
    return true;
}

void l1_memory_fini(struct l1_memory *m)
{
    for (uint32_t i = 0; i < L1_STRUCTURES; i++)
        mem_free(m->of[i]);
    *m = (struct l1_memory){0};
}

void l1_memory_copy(struct l1_memory *to, const struct l1_memory *from, const struct l1_params *p)
{
    for (uint32_t i = 0; i < L1_STRUCTURES; i++)
        if (from->of[i]) memcpy(to->of[i], from->of[i], bytes_of(p, (enum l1_structure)i));
}

void l1_memory_serialize(struct l1_memory *m, const struct l1_params *p, struct serializer *t)
{
    for (uint32_t i = 0; i < L1_STRUCTURES; i++)
        if (m->of[i]) serialize_data(t, m->of[i], bytes_of(p, (enum l1_structure)i));
}
