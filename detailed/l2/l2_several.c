/* l2_several.c - partitions that are L2s of their own over one memory side (l2.partition_home =
 * memory; gpu/mechanisms/l2_partitions.h).
 *
 * Each L2 keeps what its SMs read and write; within a launch it does not see what other L2s write.
 * Atomics are performed behind it: its copy leaves, and the memory side reads the sector and writes
 * it (MI300: rocprofiler-compute says that they go past the L2). At the beginning of a launch an L2
 * sends what is dirty to memory and drops all lines, since another may have written them; what is
 * read then comes behind these writes. What write-back L1s send then comes behind them, and stays
 * in their L2 ([A]: an L1 of such machines is written through).
 *
 * A slice may have so many operations under way (l2.link_requests): a read until its data are back,
 * a write until the memory side has taken it. At the bound, no miss is let through; a victim, which
 * leaves when its line is filled, is sent all the same and counts. */
#include "detailed/l2/l2.h"
#include "detailed/l2/l2_handle.h"
#include "detailed/l2/l2_link.h"

#include <assert.h>

static bool pass_atomic(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    uint64_t tag = cache_tag(&s->c, r->addr), key = cache_key(&s->c, r->addr);
    uint32_t line = cache_find(&s->c, tag);
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, r->addr));
    struct access_plan plan = {.verdict = CACHE_PASS, .line = line, .entry = MSHR_NONE};
    struct mem_op read = {.addr = key << s->c.sector_shift,
                          .entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, req}),
                          .bytes = s->c.p.sector_bytes,
                          .slice = (uint16_t)s->id,
                          .kind = MEM_READ,
                          .sectors = 1};
    if (cache_fill_of(&s->c, line, key) != MSHR_NONE) return false; /* it would be kept, and old */
    if (!l2_has_memory_room(s, r->addr)) return false;
    if (line != LINE_NONE) {
        l2_send_writebacks(s, tag, s->c.line[line].dirty & bit, MSHR_NONE);
        cache_forget(&s->c, line, bit);
    }
    l2_count(s, r, &plan);
    if (SHADOW_ON) hash_map_del(s->seen, key);
    l2_send_operation(s, &read);
    l2_write_through(s, r);
    return true;
}

void l2_several_flush(struct l2_slice *s)
{
    if (!l2_are_several(s->p)) return;
    for (uint32_t i = 0; i < s->c.n_lines; i++)
        if (s->c.line[i].resident && s->c.line[i].dirty)
            l2_send_writebacks(s, s->c.line[i].tag, s->c.line[i].dirty, MSHR_NONE);
    cache_invalidate(&s->c);
    mshr_kill_all(&s->c.mshr);
    if (SHADOW_ON) hash_map_clear(s->seen);
}

const struct mem_op *l2_several_count(struct l2_slice *s, const struct mem_op *op,
                                      struct mem_op *counted)
{
    s->under_way++;
    if (op->entry != MSHR_NONE) return op;
    *counted = *op;
    counted->entry = l2_handle_pack((struct l2_handle){L2_OF_partitions, 0});
    return counted;
}

bool l2_several_returned(struct l2_slice *s, struct l2_handle h)
{
    assert(s->under_way > 0);
    s->under_way--;
    return h.holder == L2_OF_partitions;
}

bool l2_partition_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    if (s->link && l2_link_is_far(s, r->addr)) return l2_link_access(s, req, now);
    if (!s->link && r->kind == REQ_ATOMIC) return pass_atomic(s, req);
    return s->miss->access(s, req, now);
}
