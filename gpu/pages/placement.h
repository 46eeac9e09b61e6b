/* placement.h - where the addresses of programs lie in the memories, as those see it who only ask:
 * NULL stands for a machine on which they are physical. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct page_table;

struct placement {
    struct page_table *table;
    uint64_t (*touch)(struct page_table *t, uint64_t addr, uint32_t client);
    bool (*find)(const struct page_table *t, uint64_t addr, uint64_t *physical);
    /* Whether a physical address lies in a bank that belongs to the SM. */
    bool (*is_local)(const struct page_table *t, uint64_t physical, uint32_t sm);
};

/* The physical address; what has no place yet gets one. client: an SM by its number, a CPU by the
 * number of SMs and more. */
static inline uint64_t placement_touch(const struct placement *p, uint64_t addr, uint32_t client)
{
    return p ? p->touch(p->table, addr, client) : addr;
}
/* false: it has no place. */
static inline bool placement_find(const struct placement *p, uint64_t addr, uint64_t *physical)
{
    *physical = addr;
    return !p || p->find(p->table, addr, physical);
}
