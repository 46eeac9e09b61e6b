/* l2_eviction.c - evicts a block from its line, or from an FRC entry.
 *
 * If the L2 is inclusive, the L1s' copies are invalidated first (back_invalidate.h). Then a side
 * structure takes the block (the victim cache), or it goes to memory. A dirty block is written
 * back; this ends when the controller accepts it or when it is written (eviction_end), or at once
 * if a side structure takes it (the write-back buffer). A clean block sends a notice, with
 * clean_victim_notice; otherwise there is nothing to wait for. */
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/l2_miss_internal.h"

void l2_eviction_set_stage(struct l2_slice *s, struct l2_handle h, enum stage stage)
{
    if (h.holder == L2_OF_frc)
        s->frc.entry[h.i].stage = (uint8_t)stage;
    else
        s->c.mshr.entry[h.i].phase = stage & 7u;
}

static enum stage stage_of(const struct l2_slice *s, struct l2_handle h)
{
    return h.holder == L2_OF_frc ? (enum stage)s->frc.entry[h.i].stage
                                 : (enum stage)s->c.mshr.entry[h.i].phase;
}

struct cache_block l2_eviction_block(const struct l2_slice *s, struct l2_handle h)
{
    return h.holder == L2_OF_frc ? s->frc.entry[h.i].block
                                 : cache_block_copy(&s->c, s->c.mshr.entry[h.i].line);
}

static uint64_t tag_of(const struct l2_slice *s, struct l2_handle h)
{
    return h.holder == L2_OF_frc ? s->frc.entry[h.i].block.tag
                                 : s->c.line[s->c.mshr.entry[h.i].line].tag;
}

static uint8_t dirty_of(const struct l2_slice *s, struct l2_handle h)
{
    return h.holder == L2_OF_frc ? s->frc.entry[h.i].block.dirty
                                 : s->c.line[s->c.mshr.entry[h.i].line].dirty;
}

void l2_eviction_end(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    if (h.holder == L2_OF_frc)
        l2_frc_evicted(s, h.i);
    else
        l2_line_evicted(s, h.i, now);
}

bool l2_eviction_sends(struct l2_slice *s, uint64_t tag, uint8_t dirty, struct l2_handle h)
{
    if (dirty && l2_side_takes_writeback(s, tag, dirty)) return false;
    if (dirty) return l2_send_writebacks(s, tag, dirty, l2_handle_pack(h));
    return s->p->clean_victim_notice && l2_send_notice(s, tag, l2_handle_pack(h));
}

static void send_out(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    if (l2_side_takes_victim(s, h, now)) return;
    if (h.holder == L2_OF_MSHR && dirty_of(s, h) && l2_memory_refuses(s, tag_of(s, h))) {
        l2_refuse(s, h, now);
        return;
    }
    l2_eviction_set_stage(s, h, STAGE_OUT);
    if (!dirty_of(s, h) && s->p->memory_full == MEMORY_FULL_NACK) {
        l2_victim_notice_wait(s, h, now);
        return;
    }
    if (!l2_eviction_sends(s, tag_of(s, h), dirty_of(s, h), h)) l2_eviction_end(s, h, now);
}

bool l2_eviction_takes_time(const struct l2_slice *s, uint64_t tag, uint8_t dirty)
{
    if (dirty || s->p->clean_victim_notice) return true;
    L2_EACH_SIDE(s, o)
    if (o->take_victim) return true;
    return back_invalidate_needed(s, tag);
}

void l2_eviction_begin(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    l2_eviction_set_stage(s, h, STAGE_INVALIDATE);
    if (!back_invalidate_begin(s, tag_of(s, h), l2_handle_pack(h))) send_out(s, h, now);
}

void l2_eviction_step(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    enum stage stage = stage_of(s, h);
    switch (stage) {
    case STAGE_INVALIDATE:
        if (h.holder == L2_OF_MSHR) {
            s->s.invalidation_cycles += now - s->c.mshr.since[h.i];
            s->c.mshr.since[h.i] = now;
        }
        send_out(s, h, now);
        break;
    case STAGE_OUT: l2_eviction_end(s, h, now); break;
    case STAGE_ROOM:
    case STAGE_MOVE:
    case STAGE_EXCHANGE:
        L2_EACH_SIDE(s, o)
        if (o->step_victim) o->step_victim(s, h, stage, now);
        break;
    case STAGE_REFUSED: l2_refused(s, h.i, now); break;
    case STAGE_FETCH:
    case STAGE_EARLY: break;
    }
}
