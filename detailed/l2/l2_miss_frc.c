/* l2_miss_frc.c - misses that a fetch and replacement cache takes (Candel 5.5, 6.5).
 *
 * Early fetch: a miss that would have to evict takes a free entry of its FRC set and fetches at
 * once; the victim's line stays as it is. When the block arrives, its first reader is served, and
 * after frc.swap_cycles block and victim have been swapped. Other requests for the block are served
 * then, from the L2 (frc.hits_at_fetch: when it arrives). The victim is then evicted from the FRC
 * entry, off the critical path; requests for it wait at the entry [A]. If the set has no free
 * entry, conventional management takes the miss, and also if there is an invalid way (M2S).
 *
 * The victim's line is chosen at the miss and becomes the most recently used one (M2S), so that the
 * next miss finds another; whatever it contains at the swap is evicted. A swap whose line is in
 * transition waits. [A] Swaps do not delay look-ups; MSHRs count fetched blocks until their swap
 * has ended.
 *
 * Beside a directory (directory.h) the fetched block has its directory entry from the miss on:
 * lock, requester and sharers are those of any block, and bytes that a copy returns go into the FRC
 * entry. In an inclusive L2 a swap waits while the victim is locked, and nothing locks the victim
 * during the swap, so that its copies can be invalidated as soon as it is in the entry. */
#include "detailed/l2/l2_miss_internal.h"

#include <assert.h>

static struct l2_handle handle_of(uint32_t i)
{
    return (struct l2_handle){L2_OF_frc, i};
}

static bool take_miss(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                      uint64_t now)
{
    uint32_t i = frc_take(&s->frc, cache_set(&s->c, cache_tag(&s->c, a->addr)));
    if (i == FRC_NONE) return false;
    uint32_t entry = l2_open_entry(s, req, a, now);
    if (entry == MSHR_NONE) return true; /* no memory: the run has failed */
    s->c.mshr.entry[entry].phase = STAGE_EARLY;
    s->c.mshr.entry[entry].line = i; /* the FRC entry instead of a line */
    s->frc.entry[i].mshr = entry;
    if (!s->p->frc.victim_at_swap) {
        s->frc.entry[i].line = line;
        s->c.repl.ops->claim(&s->c.repl, line / s->c.p.ways, line % s->c.p.ways);
    }
    if (l2_memory_refuses(s, cache_tag(&s->c, a->addr))) {
        s->frc.entry[i].state = FRC_REFUSED;
        l2_side_wait(s, L2_OF_frc, s->p->notice_cycles, i, now);
        return true;
    }
    s->s.frc_fetches++;
    l2_send_fetch(s, entry);
    return true;
}

static bool in_use(const struct l2_slice *s, uint32_t line)
{
    const struct cache_line *l = &s->c.line[line];
    bool locked = s->c.keeps && l->resident && s->c.keeps(s->c.keeps_ctx, l->tag);
    return l->transient || l->pending || locked;
}

static bool is_swapped(const struct l2_slice *s, uint64_t tag)
{
    const struct fifo *due = &s->timed[L2_OF_frc];
    for (uint32_t k = 0; k < due->n; k++) {
        const struct frc_entry *e = &s->frc.entry[fifo_at(due, k)->value];
        if (e->state != FRC_SWAPPING) continue;
        const struct cache_line *l = &s->c.line[e->line];
        if (l->resident && l->tag == tag) return true;
    }
    return false;
}

/* Begins the swap if the entry's line is available. */
static bool start_swap(struct l2_slice *s, uint32_t i, uint64_t now)
{
    struct frc_entry *e = &s->frc.entry[i];
    if (s->p->frc.victim_at_swap) e->line = cache_victim(&s->c, e->block.tag, false);
    if (e->line == LINE_NONE || in_use(s, e->line)) return false;
    e->state = FRC_SWAPPING;
    if (s->p->frc.victim_at_swap)
        s->c.repl.ops->claim(&s->c.repl, e->line / s->c.p.ways, e->line % s->c.p.ways);
    l2_side_wait(s, L2_OF_frc, s->p->frc.swap_cycles, i, now);
    return true;
}

static bool take_block(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    uint32_t i = s->c.mshr.entry[entry].line, req;
    struct frc_entry *e = &s->frc.entry[i];
    assert(e->state == FRC_FETCHING && e->mshr == entry);
    e->block =
        (struct cache_block){.tag = s->c.mshr.entry[entry].key, .version = version, .valid = 1};
    e->state = FRC_FETCHED;
    bool more = true;
    while (more && mshr_next_waiter(&s->c.mshr, entry, &req)) {
        l2_serve_block(s, req, &e->block);
        more = s->p->frc.hits_at_fetch;
    }
    if (!start_swap(s, i, now)) s->frc.fetched++;
    return true;
}

static void retry_swaps(struct l2_slice *s, uint64_t now)
{
    for (uint32_t i = 0; i < s->p->frc.entries && s->frc.fetched; i++)
        if (s->frc.entry[i].state == FRC_FETCHED && start_swap(s, i, now)) s->frc.fetched--;
}

/* Ends a wait: that of a swap, or of a refusal. */
static void end_swap(struct l2_slice *s, uint32_t i, uint64_t now)
{
    struct frc_entry *e = &s->frc.entry[i];
    if (e->state == FRC_REFUSED) {
        l2_send_back(s, e->mshr);
        frc_release(&s->frc, i);
        return;
    }
    uint32_t line = e->line, mshr = e->mshr;
    if (in_use(s, line)) { /* another miss has taken the line */
        e->state = FRC_FETCHED;
        s->frc.fetched++;
        return;
    }
    bool victim = s->c.line[line].resident;
    struct cache_block in = e->block;
    if (victim) e->block = cache_block_copy(&s->c, line);
    cache_block_put(&s->c, line, &in);
    s->s.frc_swaps++;
    l2_serve_waiters(s, mshr, line);
    mshr_release(&s->c.mshr, mshr);
    if (!victim) {
        frc_release(&s->frc, i);
        return;
    }
    e->state = FRC_LEAVING;
    hash_map_put(&s->frc.leaving, e->block.tag, i);
    if (l2_eviction_takes_time(s, e->block.tag, e->block.dirty))
        l2_eviction_begin(s, handle_of(i), now);
    else
        l2_frc_evicted(s, i);
}

void l2_frc_evicted(struct l2_slice *s, uint32_t i)
{
    hash_map_del(&s->frc.leaving, s->frc.entry[i].block.tag);
    frc_release(&s->frc, i);
    l2_wake(s, s->c.n_lines + i);
}

static void end_wait(struct l2_slice *s, uint32_t i, uint64_t now)
{
    l2_eviction_step(s, handle_of(i), now);
}

static void count_lookup(struct l2_slice *s)
{
    s->s.frc_lookups++;
}

static void count_merge(struct l2_slice *s, uint32_t entry)
{
    s->s.frc_merges += s->c.mshr.entry[entry].phase == STAGE_EARLY;
}

static uint32_t find_leaving(const struct l2_slice *s, uint64_t tag)
{
    uint32_t i = frc_leaving(&s->frc, tag);
    return i == FRC_NONE ? LINE_NONE : s->c.n_lines + i;
}

static bool holds_victim(const struct l2_slice *s, uint64_t tag)
{
    return frc_leaving(&s->frc, tag) != FRC_NONE;
}

/* The entry with a fetched block whose swap has not ended; FRC_NONE: none. A directory's blocks are
 * whole lines here. */
static uint32_t find_fetched(const struct l2_slice *s, uint64_t tag)
{
    uint32_t entry = mshr_find(&s->c.mshr, tag);
    if (entry == MSHR_NONE || s->c.mshr.entry[entry].phase != STAGE_EARLY) return FRC_NONE;
    uint32_t i = s->c.mshr.entry[entry].line;
    uint8_t state = s->frc.entry[i].state;
    return state == FRC_FETCHED || state == FRC_SWAPPING ? i : FRC_NONE;
}

static bool take_bytes(struct l2_slice *s, uint64_t tag, const struct access *a, uint32_t version,
                       bool leaves)
{
    uint32_t i = leaves ? frc_leaving(&s->frc, tag) : find_fetched(s, tag);
    if (i == FRC_NONE) return false;
    struct cache_block *b = &s->frc.entry[i].block;
    cache_block_write(&s->c, b, a);
    b->version = version;
    return true;
}

static bool has_fetched(const struct l2_slice *s, uint64_t tag)
{
    return find_fetched(s, tag) != FRC_NONE;
}

/* With the queues of requests that wait at its victims. */
static uint64_t host_bytes(const struct l2_params *p)
{
    return frc_bytes(p->frc.entries) + (uint64_t)p->frc.entries * 2 * sizeof(uint32_t);
}

static uint32_t lookup_cycles(const struct l2_params *p)
{
    return p->frc.lookup_cycles;
}

static bool init_entries(struct l2_slice *s)
{
    return frc_init(&s->frc, &s->p->frc);
}

static void free_entries(struct l2_slice *s)
{
    frc_fini(&s->frc);
}

static void clear_entries(struct l2_slice *s)
{
    frc_clear(&s->frc);
}

static bool is_idle(const struct l2_slice *s)
{
    return !s->frc.busy;
}

static bool check_entries(const struct l2_slice *s)
{
    return frc_check(&s->frc);
}

static void tell_stuck(const struct l2_slice *s, struct text *out)
{
    text_add(out, ", %u FRC entries busy (%u without a line)", s->frc.busy, s->frc.fetched);
}

const struct l2_side_ops l2_side_frc = {.id = L2_OF_frc,
                                        .bytes = host_bytes,
                                        .lookup_cycles = lookup_cycles,
                                        .init = init_entries,
                                        .fini = free_entries,
                                        .clear = clear_entries,
                                        .looked_up = count_lookup,
                                        .holds = holds_victim,
                                        .leaving = find_leaving,
                                        .take_miss = take_miss,
                                        .fetched = take_block,
                                        .merged = count_merge,
                                        .take_bytes = take_bytes,
                                        .exchanges = is_swapped,
                                        .has_fetched = has_fetched,
                                        .ended = end_wait,
                                        .due = end_swap,
                                        .line_ready = retry_swaps,
                                        .is_idle = is_idle,
                                        .check = check_entries,
                                        .stuck = tell_stuck};
