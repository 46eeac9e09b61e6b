/* sim_partitions.c - wires the partitions of the L2 (detailed/l2/l2_link.h). */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"

static void slice_due(void *ctx, uint32_t slice, uint64_t cycle)
{
    sim_due(ctx, CLOCK_L2, slice, cycle);
}

bool sim_partitions_init(struct sim *s)
{
    uint32_t sms = s->m.sm.count;
    if (s->m.l2.partitions == 1) return true;
    s->partition_of = mem_new(sms, sizeof *s->partition_of);
    for (uint32_t i = 0; s->partition_of && i < sms; i++)
        s->partition_of[i] = l2_partition_of_sm(&s->m.l2, sms, i);
    if (!s->partition_of || !l2_has_homes(&s->m.l2)) return s->partition_of != NULL;
    if (!l2_links_init(&s->links, &s->m.l2, &s->map, s->partition_of)) return false;
    s->links.header_bytes = s->m.noc.header_bytes;
    s->links.due = slice_due;
    s->links.ctx = s;
    s->l2_wiring.links = &s->links;
    return true;
}
