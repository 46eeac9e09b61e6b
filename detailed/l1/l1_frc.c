/* l1_frc.c - the entries of an L1's FRC (l1.frc). cache_apply takes one for a miss that would evict
 * a line or finds none (cache_plan.c); this file frees it when the block is in its line and the
 * swap has ended. */
#include "detailed/l1/l1_internal.h"

uint32_t l1_frc_entry(const struct l1 *l, uint32_t entry)
{
    return l->frc.busy ? frc_fetching(&l->frc, entry) : FRC_NONE;
}

/* A fetched block occupies its FRC entry until it has been swapped with its victim. [A] The block
 * is in its line at once, since it makes no difference from where it is read. */
void l1_leave_frc(struct l1 *l, uint32_t entry, uint64_t now)
{
    uint32_t i = l1_frc_entry(l, entry);
    if (i == FRC_NONE) return;
    frc_filled(&l->frc, i);
    if (!l->p->frc.swap_cycles)
        frc_release(&l->frc, i);
    else if (!fifo_push(&l->swaps, now + l->p->frc.swap_cycles, i))
        l->no_memory = true;
}

void l1_end_swaps(struct l1 *l, uint64_t now)
{
    while (l->swaps.n && l->swaps.due <= now)
        frc_release(&l->frc, fifo_pop(&l->swaps));
}
