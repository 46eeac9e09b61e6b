/* l1_frc.c - the FRC of an L1 (l1.frc). cache_apply takes an entry for a miss that would evict a
 * line or finds none (cache_plan.c); this file frees it when the block is in its line and the swap
 * has ended. */
#include "detailed/l1/l1_side.h"

#include "base/memory/alloc.h"
#include "gpu/cache/frc.h"

struct l1_frc {
    struct frc entries;
    struct fifo swaps; /* entries in the order in which their swaps end */
};

static struct l1_frc *frc_of(const struct l1 *l)
{
    return l->side_state[L1_OF_frc];
}

static uint64_t host_bytes(const struct l1_params *p)
{
    return frc_bytes(p->frc.entries);
}

static bool init_entries(struct l1 *l)
{
    struct l1_frc *f = l->side_state[L1_OF_frc] = mem_new(1, sizeof *f);
    return f && frc_init(&f->entries, &l->p->frc) && fifo_init(&f->swaps, 0);
}

static void free_entries(struct l1 *l)
{
    struct l1_frc *f = frc_of(l);
    if (!f) return;
    frc_fini(&f->entries);
    fifo_fini(&f->swaps);
    mem_free(f);
}

static void clear_entries(struct l1 *l)
{
    frc_clear(&frc_of(l)->entries);
    fifo_clear(&frc_of(l)->swaps);
}

static bool attach(struct l1 *l, struct cache *tags)
{
    tags->frc = &frc_of(l)->entries;
    return true;
}

static void count_fetch(struct l1 *l, const struct l1_access *a, const struct access_plan *p,
                        struct req *r)
{
    (void)a;
    (void)r;
    l->s.frc_fetches += p->line == LINE_NONE;
}

/* The entry into which an MSHR entry's block is fetched, FRC_NONE: none. */
static uint32_t entry_of(const struct l1_frc *f, uint32_t mshr)
{
    return f->entries.busy ? frc_fetching(&f->entries, mshr) : FRC_NONE;
}

/* A fetched block occupies its entry until it has been swapped with its victim. [A] The block is in
 * its line at once, since it makes no difference from where it is read. */
static void begin_swap(struct l1 *l, uint32_t mshr, uint64_t now)
{
    struct l1_frc *f = frc_of(l);
    uint32_t i = entry_of(f, mshr);
    if (i == FRC_NONE) return;
    frc_filled(&f->entries, i);
    if (!l->p->frc.swap_cycles)
        frc_release(&f->entries, i);
    else
        fifo_push(&f->swaps, now + l->p->frc.swap_cycles, i);
}

static void give_up(struct l1 *l, uint32_t mshr)
{
    uint32_t i = entry_of(frc_of(l), mshr);
    if (i == FRC_NONE) return;
    frc_release(&frc_of(l)->entries, i);
    l->s.frc_fetches--;
}

static void end_swaps(struct l1 *l, uint64_t now)
{
    struct l1_frc *f = frc_of(l);
    while (f->swaps.n && f->swaps.due <= now)
        frc_release(&f->entries, fifo_pop(&f->swaps));
}

static uint64_t swaps_due(const struct l1 *l, uint64_t now)
{
    (void)now;
    return frc_of(l)->swaps.n ? frc_of(l)->swaps.due : UINT64_MAX;
}

static bool check_entries(const struct l1 *l)
{
    return frc_check(&frc_of(l)->entries);
}

const struct l1_side_ops l1_side_frc = {.id = MECHANISM_l1_frc,
                                        .bytes = host_bytes,
                                        .init = init_entries,
                                        .attach = attach,
                                        .fini = free_entries,
                                        .clear = clear_entries,
                                        .missed = count_fetch,
                                        .ended = begin_swap,
                                        .given_up = give_up,
                                        .step = end_swaps,
                                        .due = swaps_due,
                                        .check = check_entries};
