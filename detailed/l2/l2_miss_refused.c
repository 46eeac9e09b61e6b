/* l2_miss_refused.c - misses that the memory has no room for (l2.memory_full = "nack").
 *
 * In the public simulator of Candel's group a controller whose queue is full refuses what comes.
 * The refusal goes back to the L1, which asks again, and the miss begins anew. A dirty victim that
 * is refused stays in its line. A fetch comes after its victim has left, so that the line is
 * without a block then; the simulator does not look for such lines, and the next miss takes the
 * least recent line of the set again. So each attempt at a full memory costs the L2 a block. An FRC
 * fetches before its victim leaves, and loses none. The answer takes l2.notice_cycles. */
#include "detailed/l2/l2_miss_internal.h"

bool l2_memory_refuses(const struct l2_slice *s, uint64_t tag)
{
    return s->p->memory_full == MEMORY_FULL_NACK && !l2_has_memory_room(s, tag << s->c.line_shift);
}

void l2_refuse(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    l2_eviction_set_stage(s, h, STAGE_REFUSED);
    l2_victim_notice_wait(s, h, now);
}

void l2_send_back(struct l2_slice *s, uint32_t entry)
{
    uint32_t req;
    while (mshr_next_waiter(&s->c.mshr, entry, &req))
        l2_nack(s, req);
    mshr_release(&s->c.mshr, entry);
}

void l2_refused(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    uint32_t line = s->c.mshr.entry[entry].line;
    l2_set_transient(s, line, false);
    l2_send_back(s, entry);
    l2_wake_line(s, line, now);
}
