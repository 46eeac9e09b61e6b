/* l2_eviction.c - evicts a block from its line, or from an FRC entry.
 *
 * If the L2 is inclusive, the L1s' copies are invalidated first (back_invalidate.h). Then the block
 * goes into the victim cache, if there is one, else to memory. A dirty block is written back; this
 * ends when the controller accepts it or when it is written (eviction_end), or at once if the
 * write-back buffer has room. A clean block sends a notice, with clean_victim_notice, which takes
 * notice_cycles; otherwise there is nothing to wait for.
 *
 * Victim cache: its LRU block makes room, if necessary, by the same path to memory;
 * moving in then takes vc.swap_cycles. Room is reserved from the beginning. [A] If all its blocks
 * are being exchanged, the evicted block itself goes to memory. */
#include "detailed/coherence/back_invalidate.h"
#include "detailed/l2/l2_miss_internal.h"

static void set_stage(struct l2_slice *s, uint32_t handle, enum stage stage)
{
    if (handle >= L2_OF_FRC)
        s->frc.entry[handle - L2_OF_FRC].stage = (uint8_t)stage;
    else
        s->c.mshr.entry[handle].phase = (uint32_t)stage & 15u;
}

static enum stage stage_of(const struct l2_slice *s, uint32_t handle)
{
    return handle >= L2_OF_FRC ? (enum stage)s->frc.entry[handle - L2_OF_FRC].stage
                               : (enum stage)s->c.mshr.entry[handle].phase;
}

static struct cache_block block_of(const struct l2_slice *s, uint32_t handle)
{
    return handle >= L2_OF_FRC ? s->frc.entry[handle - L2_OF_FRC].block
                               : cache_block_copy(&s->c, s->c.mshr.entry[handle].line);
}

static void end_eviction(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    if (handle >= L2_OF_FRC)
        l2_frc_evicted(s, handle - L2_OF_FRC, now);
    else
        l2_line_evicted(s, handle, now);
}

uint32_t l2_victim_cache_line(const struct l2_slice *s, uint64_t tag)
{
    return s->p->vc.entries ? cache_find(&s->victim_cache, tag) : LINE_NONE;
}

/* false: nothing to wait for. */
static bool to_memory(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t handle)
{
    if (dirty && s->buffered < s->p->writeback_buffer) {
        s->buffered++;
        l2_send_writebacks(s, tag, dirty, L2_OF_BUFFER);
        return false;
    }
    if (dirty) return l2_send_writebacks(s, tag, dirty, handle);
    return s->p->clean_victim_notice && l2_send_notice(s, tag, handle);
}

static void move_in(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    struct cache_block b = block_of(s, handle);
    uint32_t at = cache_victim(&s->victim_cache, b.tag, false);
    s->victim_cache_reserved--;
    cache_block_put(&s->victim_cache, at, &b);
    end_eviction(s, handle, now);
}

/* Starts the move into the victim cache, which has room. */
static void start_move(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    set_stage(s, handle, STAGE_MOVE);
    if (!s->p->vc.swap_cycles)
        move_in(s, handle, now);
    else if (!fifo_push(&s->moves, now + s->p->vc.swap_cycles, handle))
        s->no_memory = true;
}

/* The LRU block of the victim cache among those that are not being exchanged. */
static uint32_t oldest_kept(const struct l2_slice *s)
{
    const struct repl *r = &s->victim_cache.repl;
    for (uint32_t w = r->ops->first(r, 0); w != WAY_NONE; w = r->ops->next(r, 0, w))
        if (s->victim_cache.line[w].resident && !s->victim_cache.line[w].transient) return w;
    return LINE_NONE;
}

/* Reserves room in the victim cache; false: there is none. */
static bool make_room(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    if (s->victim_cache.index.n + s->victim_cache_reserved < s->victim_cache.n_lines) {
        s->victim_cache_reserved++;
        start_move(s, handle, now);
        return true;
    }
    uint32_t line = oldest_kept(s);
    if (line == LINE_NONE) return false;
    const struct cache_line *l = &s->victim_cache.line[line];
    uint64_t tag = l->tag;
    uint8_t dirty = l->dirty;
    cache_drop(&s->victim_cache, line);
    s->victim_cache_reserved++;
    set_stage(s, handle, STAGE_ROOM);
    if (!to_memory(s, tag, dirty, handle)) start_move(s, handle, now);
    return true;
}

static void send_out(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    struct cache_block b = block_of(s, handle);
    uint32_t stale = l2_victim_cache_line(
        s, b.tag); /* a host-to-device copy may have filled the L2 in the meantime */
    if (stale != LINE_NONE) cache_drop(&s->victim_cache, stale);
    if (s->p->vc.entries && make_room(s, handle, now)) return;
    set_stage(s, handle, STAGE_OUT);
    if (!to_memory(s, b.tag, b.dirty, handle)) end_eviction(s, handle, now);
}

bool l2_eviction_is_answered(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    if (!s->p->clean_victim_notice || !s->p->notice_cycles) return false;
    if (handle < L2_OF_FRC && s->c.mshr.entry[handle].phase >= STAGE_FETCH) return false;
    if (!fifo_push(&s->notices, now + s->p->notice_cycles, handle)) s->no_memory = true;
    return true;
}

bool l2_eviction_takes_time(const struct l2_slice *s, uint64_t tag, uint8_t dirty)
{
    return dirty || s->p->clean_victim_notice || s->p->vc.entries || back_invalidate_needed(s, tag);
}

void l2_eviction_begin(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    set_stage(s, handle, STAGE_INVALIDATE);
    uint64_t tag = handle >= L2_OF_FRC ? s->frc.entry[handle - L2_OF_FRC].block.tag
                                       : s->c.line[s->c.mshr.entry[handle].line].tag;
    if (!back_invalidate_begin(s, tag, handle)) send_out(s, handle, now);
}

static void end_exchange(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint32_t line = e->line, vc_line = cache_find(&s->victim_cache, e->key);
    struct cache_block in = cache_block_copy(&s->victim_cache, vc_line);
    cache_drop(&s->victim_cache, vc_line);
    if (s->c.line[line].resident) {
        struct cache_block victim = cache_block_copy(&s->c, line);
        uint32_t stale = l2_victim_cache_line(s, victim.tag);
        if (stale != LINE_NONE) cache_drop(&s->victim_cache, stale);
        cache_block_put(&s->victim_cache, cache_victim(&s->victim_cache, victim.tag, false),
                        &victim);
    }
    l2_set_transient(s, line, false);
    cache_block_put(&s->c, line, &in);
    if (in.partial)
        l2_look_again(s, entry); /* sectors that the block lacks must be fetched first */
    else
        l2_serve_waiters(s, entry, line);
    mshr_release(&s->c.mshr, entry);
    l2_wake_line(s, line, now);
}

static void start_exchange(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    set_stage(s, entry, STAGE_EXCHANGE);
    if (!s->p->vc.swap_cycles)
        end_exchange(s, entry, now);
    else if (!fifo_push(&s->moves, now + s->p->vc.swap_cycles, entry))
        s->no_memory = true;
}

/* Called when no L1 copy of the victim is left. If its line is needed for a block of the victim
 * cache, the two are exchanged. */
static void l1s_told(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    uint32_t vc_line =
        handle < L2_OF_FRC ? l2_victim_cache_line(s, s->c.mshr.entry[handle].key) : LINE_NONE;
    if (vc_line != LINE_NONE && s->victim_cache.line[vc_line].transient)
        start_exchange(s, handle, now);
    else
        send_out(s, handle, now);
}

void l2_eviction_step(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    switch (stage_of(s, handle)) {
    case STAGE_INVALIDATE:
        if (handle < L2_OF_FRC) {
            s->s.invalidation_cycles += now - s->c.mshr.since[handle];
            s->c.mshr.since[handle] = now;
        }
        l1s_told(s, handle, now);
        break;
    case STAGE_ROOM: start_move(s, handle, now); break;
    case STAGE_MOVE: move_in(s, handle, now); break;
    case STAGE_OUT: end_eviction(s, handle, now); break;
    case STAGE_EXCHANGE: end_exchange(s, handle, now); break;
    case STAGE_FETCH:
    case STAGE_EARLY: break;
    }
}

void l2_exchange_begin(struct l2_slice *s, uint32_t entry, uint32_t vc_line, uint64_t now)
{
    const struct cache_line *victim = &s->c.line[s->c.mshr.entry[entry].line];
    set_stage(s, entry, STAGE_INVALIDATE);
    s->victim_cache.line[vc_line].transient = true;
    if (!victim->resident || !back_invalidate_begin(s, victim->tag, entry))
        start_exchange(s, entry, now);
}
