/* l2_victim_notice.c - the time that the notice of a clean victim takes beside its wait for the
 * memory controller (l2.notice_cycles). */
#include "detailed/l2/l2_miss_internal.h"

void l2_victim_notice_wait(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    l2_side_wait(s, L2_OF_victim_notice, s->p->notice_cycles, l2_handle_pack(h), now);
}

/* Every return is a notice's but that of a fetch. */
static bool delay_return(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    if (h.holder == L2_OF_MSHR && s->c.mshr.entry[h.i].phase >= STAGE_FETCH) return false;
    l2_victim_notice_wait(s, h, now);
    return true;
}

static void end_notice(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    l2_eviction_step(s, l2_handle_unpack(handle), now);
}

const struct l2_side_ops l2_side_victim_notice = {
    .id = L2_OF_victim_notice, .returned = delay_return, .due = end_notice};
