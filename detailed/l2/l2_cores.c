/* l2_cores.c - requests of CPU cores in a memory partition: they come over the same network as the
 * SMs', and the slice hands them to its memory controller and returns the data, without a look into
 * its tags: CPUs have caches of their own (Mao 5.4.2), and no kernel touches their memory. A
 * request for which the controller has no room waits at the head of the slice's port, with all
 * behind it. */
#include "detailed/l2/l2.h"

#include <assert.h>

bool l2_has_room_for_core(const struct l2_slice *s, uint32_t req)
{
    uint64_t addr = s->w->reqs->item[req].addr;
    return memory_cores_waiting(l2_memory_of(s->w, addr), s->id, addr) < s->p->miss_queue;
}

void l2_send_for_core(struct l2_slice *s, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    bool write = r->kind == REQ_WRITE;
    struct mem_op op = {.addr = r->addr,
                        .entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, req}),
                        .bytes = r->bytes,
                        .slice = (uint16_t)s->id,
                        .kind = MEM_READ,
                        .sectors = 1,
                        .of_core = true};
    assert(!s->w->below.all);
    if (write) {
        op.kind = MEM_WRITE;
        op.entry = MSHR_NONE;
        req_free(s->w->reqs, req); /* nobody waits for it */
    }
    l2_send_operation(s, &op);
}

bool l2_answers_core(struct l2_slice *s, uint32_t req)
{
    if (!l2_is_of_core(s, req)) return false;
    s->w->reqs->item[req].reply = REPLY_DATA;
    fifo_push(&s->replies, 0, req);
    return true;
}
