/* l2_writeback_buffer.c - dirty victims that wait for the memory beside their lines (Candel 7.3):
 * their eviction is over at once. */
#include "detailed/l2/l2_miss_internal.h"

static void clear_buffer(struct l2_slice *s)
{
    s->buffered = 0;
}

static bool take_writeback(struct l2_slice *s, uint64_t tag, uint8_t dirty)
{
    if (s->buffered >= s->p->writeback_buffer) return false;
    s->buffered++;
    l2_send_writebacks(s, tag, dirty,
                       l2_handle_pack((struct l2_handle){L2_OF_writeback_buffer, 0}));
    return true;
}

static void end_writeback(struct l2_slice *s, uint32_t i, uint64_t now)
{
    (void)i, (void)now;
    s->buffered--;
}

static bool is_idle(const struct l2_slice *s)
{
    return !s->buffered;
}

static bool check_buffer(const struct l2_slice *s)
{
    return s->buffered <= s->p->writeback_buffer;
}

static void tell_stuck(const struct l2_slice *s, struct text *out)
{
    text_add(out, ", %u write-backs in the buffer", s->buffered);
}

const struct l2_side_ops l2_side_writeback_buffer = {.id = L2_OF_writeback_buffer,
                                                     .clear = clear_buffer,
                                                     .take_writeback = take_writeback,
                                                     .ended = end_writeback,
                                                     .is_idle = is_idle,
                                                     .check = check_buffer,
                                                     .stuck = tell_stuck};
