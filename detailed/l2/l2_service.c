/* l2_service.c - functions that the miss policies share: replies, memory operations, counting; see
 * l2.h. */
#include "detailed/counters/locality.h"
#include "detailed/counters/site_counters.h"
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/directory.h"
#include "detailed/l2/l2_link.h"
#include "detailed/l2/l2_side.h"
#include "gpu/cache/agcb.h"
#include "gpu/pages/placement.h"

#include <assert.h>

struct access l2_access_of(const struct l2_slice *s, const struct req *r)
{
    struct access a = {.addr = r->addr, .kind = ACCESS_READ};
    if (r->kind == REQ_READ) return a;
    a.kind = r->kind == REQ_ATOMIC ? ACCESS_ATOMIC : ACCESS_WRITE;
    a.joins =
        true; /* otherwise the warp's older load would see the store, or an older atomic undo it */
    /* the request's mask is relative to the L1's grain; the L2's sector may be larger */
    uint64_t mask[2];
    req_mask(s->w->reqs, r, mask);
    bytemask_up(mask, (uint32_t)(r->addr & (s->c.p.sector_bytes - 1)), a.mask);
    return a;
}

struct access l2_part_of(const struct l2_slice *s, const struct req *r, uint32_t nth, uint32_t more)
{
    struct access a = l2_access_of(s, r);
    a.more = more;
    a.addr += (uint64_t)nth << s->c.sector_shift;
    bytemask_part(a.mask, nth << s->c.sector_shift, (1 + more) << s->c.sector_shift, a.mask);
    return a;
}

void l2_reply(struct l2_slice *s, uint32_t req, enum req_reply kind)
{
    if (s->directory) directory_answers(s, req, kind);
    s->w->reqs->item[req].reply = kind & 3u;
    if (s->link && l2_link_brought(s, req))
        l2_link_answer(s, req);
    else
        fifo_push(&s->replies, 0, req);
}

struct req *l2_ask_l1(struct l2_slice *s, uint32_t sm, uint64_t addr, uint32_t bytes)
{
    uint32_t i = req_new(s->w->reqs);
    if (i == REQ_NONE || !fifo_push(&s->replies, 0, i)) return NULL;
    struct req *r = &s->w->reqs->item[i];
    r->addr = addr;
    r->sm = sm & 1023;
    r->bytes = bytes & 255u;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    return r;
}

void l2_nack(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    s->s.nacks++;
    r->side_looked_up = false;
    nack_order_add(&s->nack_order, r, cache_key(&s->c, r->addr));
    l2_reply(s, req, REPLY_NACK);
}

bool l2_was_let_in(const struct l2_slice *s, const struct req *r)
{
    return r->counted && !r->refused && !s->directory;
}

static uint32_t *version_of(struct l2_slice *s, uint32_t line, uint64_t addr)
{
    return &s->c.version[(size_t)line * s->c.sectors + cache_sector(&s->c, addr)];
}

struct memory *l2_memory_of(const struct l2_wiring *w, uint64_t addr)
{
    return w->second_memory && addr >= MAP_SECOND_MEMORY ? w->second_memory : w->memory;
}

bool l2_send_operation(struct l2_slice *s, const struct mem_op *op)
{
    struct mem_op counted;
    if (s->most_under_way) op = l2_several_count(s, op, &counted);
    if (s->w->below.all) return s->w->below.send(s->w->below.all, op);
    struct memory *memory = l2_memory_of(s->w, op->addr);
    uint32_t channel = memory_send(memory, op);
    if (channel == UINT32_MAX) return false;
    if (memory == s->w->second_memory) channel += s->w->memory->channels;
    s->w->memory_due(s->w->ctx, channel);
    return true;
}

struct mem_op l2_operation_of(const struct l2_slice *s, uint64_t addr, enum mem_kind kind)
{
    return (struct mem_op){.addr = addr,
                           .entry = MSHR_NONE,
                           .bytes = s->c.p.sector_bytes,
                           .slice = (uint16_t)s->id,
                           .kind = (uint8_t)kind,
                           .sectors = 1};
}

bool l2_goes_through(const struct l2_slice *s, const struct access *a)
{
    return s->c.p.write == WRITE_THROUGH && a->kind != ACCESS_READ;
}

/* Whether a write that goes through is acknowledged by the memory. */
static bool memory_acknowledges(const struct l2_slice *s, const struct req *r)
{
    return s->p->write_ack == WRITE_ACK_MEMORY && r->kind == REQ_WRITE &&
           s->c.p.write == WRITE_THROUGH;
}

void l2_write_through(struct l2_slice *s, const struct req *r)
{
    struct access a = l2_access_of(s, r);
    uint64_t base = r->addr & ~(uint64_t)(s->c.p.sector_bytes - 1);
    struct mem_op op = l2_operation_of(s, base, MEM_WRITE);
    op.mask = a.mask[0];
    op.version[0] = r->version;
    uint32_t req = (uint32_t)(r - s->w->reqs->item);
    if (memory_acknowledges(s, r))
        op.entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, req});
    l2_send_operation(s, &op);
}

/* Replies to a request that has been performed, unless the memory will acknowledge it. */
static void reply_performed(struct l2_slice *s, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    if (memory_acknowledges(s, r)) return;
    l2_reply(s, req, r->kind == REQ_WRITE ? REPLY_ACK : REPLY_DATA);
}

void l2_answered(struct l2_slice *s, uint32_t req)
{
    l2_reply(s, req, s->w->reqs->item[req].kind == REQ_WRITE ? REPLY_ACK : REPLY_DATA);
}

void l2_changed(struct l2_slice *s, uint64_t addr, uint32_t version)
{
    shadow_put(s->w->shadow, s->seen, cache_key(&s->c, addr), version);
    if (s->link) l2_link_performed(s, addr);
}

/* Serves a request's sectors from addr on from data with these versions and note. */
static void serve_request(struct l2_slice *s, uint32_t req, uint64_t addr, uint32_t more,
                          uint32_t *version, uint16_t *note)
{
    struct req *r = &s->w->reqs->item[req];
    if (s->c.p.write == WRITE_THROUGH && r->kind != REQ_READ) l2_write_through(s, r);
    if (s->c.note && r->kind == REQ_READ && !r->bypass_l1)
        r->came_back = agcb_verify(note, cache_sector(&s->c, r->addr), r->predicted);
    uint64_t key = cache_key(&s->c, addr);
    uint32_t nth = (uint32_t)(key - cache_key(&s->c, r->addr));
    for (uint32_t k = 0; SHADOW_ON && k <= more; k++) {
        if (r->kind == REQ_READ) {
            *req_version(s->w->reqs, r, nth + k) = version[k];
            shadow_expect(s->w->shadow, s->seen, key + k, version[k]);
        } else {
            version[k] = r->version;
        }
    }
    for (uint32_t k = 0; r->kind != REQ_READ && k <= more; k++)
        l2_changed(s, addr + ((uint64_t)k << s->c.sector_shift), r->version);
    if (!s->joins || !r->open) reply_performed(s, req);
}

void l2_serve(struct l2_slice *s, uint32_t req, uint32_t line)
{
    struct req *r = &s->w->reqs->item[req];
    uint32_t *version = SHADOW_ON ? version_of(s, line, r->addr) : NULL;
    if (s->copies) back_invalidate_serves(s, r, s->c.line[line].transient);
    serve_request(s, req, r->addr, 0, version, s->c.note ? &s->c.note[line] : NULL);
}

void l2_serve_part(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line)
{
    if (!s->joins) {
        l2_serve(s, req, line);
        return;
    }
    if (s->link && a->kind == ACCESS_READ) l2_link_served(s, &s->w->reqs->item[req]);
    uint32_t *version = SHADOW_ON ? version_of(s, line, a->addr) : NULL;
    serve_request(s, req, a->addr, a->more, version, NULL);
}

void l2_serve_block(struct l2_slice *s, uint32_t req, struct cache_block *b)
{
    struct req *r = &s->w->reqs->item[req];
    struct access a = l2_access_of(s, r);
    if (a.kind != ACCESS_READ) cache_block_write(&s->c, b, &a);
    if (s->copies) back_invalidate_serves(s, r, false);
    serve_request(s, req, r->addr, 0, &b->version, &b->owner);
}

bool l2_serve_waiter(struct l2_slice *s, uint32_t entry, uint32_t line)
{
    uint32_t req;
    if (!mshr_next_waiter(&s->c.mshr, entry, &req)) return false;
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    if (a.kind != ACCESS_READ) cache_write_bytes(&s->c, line, &a);
    l2_serve(s, req, line);
    return true;
}

void l2_serve_waiters(struct l2_slice *s, uint32_t entry, uint32_t line)
{
    while (l2_serve_waiter(s, entry, line)) {
    }
}

void l2_look_again(struct l2_slice *s, uint32_t entry)
{
    uint32_t req;
    while (mshr_next_waiter(&s->c.mshr, entry, &req))
        fifo_push(&s->woken, 0, req);
}

bool l2_send_fetch(struct l2_slice *s, uint32_t entry)
{
    struct mem_op op =
        l2_operation_of(s, s->c.mshr.entry[entry].key << s->c.sector_shift, MEM_READ);
    op.entry = entry;
    op.delay = s->fetch_delay;
    op.sectors += s->c.mshr.entry[entry].more;
    op.bytes *= op.sectors;
    s->s.fetches += op.sectors;
    return l2_send_operation(s, &op);
}

bool l2_send_notice(struct l2_slice *s, uint64_t tag, uint32_t handle)
{
    struct mem_op op = l2_operation_of(s, tag << s->c.line_shift, MEM_NOTICE);
    op.entry = handle;
    return l2_send_operation(s, &op);
}

bool l2_send_writebacks(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t handle)
{
    assert((!dirty || !s->w->coherence || s->directory || s->home ||
            s->w->coherence->home.at[HOME_D][HOME_REPLACE].action & DO_CLEAN) &&
           "what leaves dirty is written");
    while (dirty) {
        uint32_t first = (uint32_t)__builtin_ctz(dirty), end = first;
        while (dirty >> end & 1)
            end++;
        dirty &= (uint8_t)(0xffu << end);
        struct mem_op op = {.addr =
                                (tag << s->c.line_shift) + ((uint64_t)first << s->c.sector_shift),
                            .entry = dirty ? MSHR_NONE : handle,
                            .bytes = s->c.p.sector_bytes * (end - first),
                            .slice = (uint16_t)s->id,
                            .kind = MEM_WRITE,
                            .sectors = (uint8_t)(end - first)};
        for (uint32_t k = 0; SHADOW_ON && k < op.sectors; k++)
            op.version[k] = shadow_get(s->w->shadow, s->seen, (op.addr >> s->c.sector_shift) + k);
        s->s.writebacks += op.sectors;
        if (!l2_send_operation(s, &op)) return false;
    }
    return true;
}

bool l2_has_memory_room(const struct l2_slice *s, uint64_t addr)
{
    const struct l2_wiring *w = s->w;
    if (s->most_under_way && s->under_way >= s->most_under_way) return false;
    uint32_t waiting = w->below.all ? w->below.waiting(w->below.all, s->id, addr)
                                    : memory_waiting(l2_memory_of(w, addr), s->id, addr);
    return waiting < s->p->miss_queue;
}

void l2_wait_for_memory(struct l2_slice *s, uint64_t addr)
{
    const struct l2_wiring *w = s->w;
    s->head_wait = HEAD_WAITS_MEMORY;
    s->head_queue = w->below.all ? NULL : memory_queue(l2_memory_of(w, addr), s->id, addr);
}

void l2_pass_by(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    l2_write_through(s, r);
    l2_changed(s, r->addr, r->version);
    reply_performed(s, req);
}

void l2_merge(struct l2_slice *s, uint32_t req, bool waits)
{
    const struct req *r = &s->w->reqs->item[req];
    struct access a = l2_access_of(s, r);
    uint64_t tag = cache_tag(&s->c, r->addr);
    uint32_t line = cache_find(&s->c, tag);
    bool beside = line == LINE_NONE && s->c.p.write == WRITE_BACK;
    l2_changed(s, r->addr, r->version);
    if (beside && l2_side_takes_bytes(s, tag, &a, r->version, waits)) return;
    /* a line that is being evicted has sent its bytes, and may still be read */
    a.through = line != LINE_NONE && s->c.line[line].transient && !waits;
    if (line == LINE_NONE || a.through || l2_goes_through(s, &a)) l2_write_through(s, r);
    if (line == LINE_NONE) return;
    cache_write_bytes(&s->c, line, &a);
    if (SHADOW_ON) *version_of(s, line, r->addr) = r->version;
}

void l2_count_fetch_time(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    uint64_t spent = now - s->c.mshr.since[entry], idle = s->w->idle_fetch_cycles;
    if (spent > idle) s->s.memory_cycles += (spent - idle) * (1u + s->c.mshr.entry[entry].more);
}

static void count_misses(struct l2_slice *s, const struct req *r, uint32_t n)
{
    const struct placement *at = s->w->placement;
    s->s.misses += n;
    if (!at || r->kind != REQ_READ || req_is_of_walk(r)) return;
    s->s.placed_misses += n;
    s->s.local_misses += n * at->is_local(at->table, r->addr, r->sm);
}

/* Tells those who listen of each sector. */
static void tell_counters(struct l2_slice *s, const struct req *r, uint64_t addr, bool hit,
                          bool merged)
{
    if (r->kind == REQ_READ && s->w->locality)
        locality_l2(s->w->locality, r->sm, cache_tag(&s->c, addr), hit || merged);
    if (s->w->sites) site_counters_l2(s->w->sites, addr, r->kind == REQ_READ, hit);
}

void l2_count_part(struct l2_slice *s, const struct req *r, uint64_t addr,
                   const struct access_plan *p)
{
    uint32_t n = 1 + p->more;
    bool hit = p->verdict == CACHE_HIT || (p->verdict == CACHE_ALLOCATE && p->written);
    bool merged = p->verdict == CACHE_MERGE;
    L2_EACH_SIDE(s, o)
    if (o->accessed) o->accessed(s, r, p);
    for (uint32_t k = 0; (s->w->locality || s->w->sites) && k < n; k++)
        tell_counters(s, r, addr + ((uint64_t)k << s->c.sector_shift), hit, merged);
    if (r->kind == REQ_READ)
        s->s.reads += n, s->s.read_hits += hit * n;
    else
        s->s.writes += n, s->s.write_hits += hit * n;
    if (merged)
        s->s.merges += n;
    else if (!hit)
        count_misses(s, r, n);
}

void l2_count(struct l2_slice *s, struct req *r, const struct access_plan *p)
{
    if (r->counted) return;
    r->counted = true;
    l2_count_part(s, r, r->addr, p);
}

void l2_fill_bank(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    if (s->banks.n) data_banks_take(&s->banks, cache_local_sector(&s->c, addr), now);
}

bool l2_host_writes(struct l2_slice *s, uint64_t addr)
{
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, addr));
    if (s->directory && !directory_forget(s, cache_key(&s->c, addr))) return false;
    s->head_wait = HEAD_GOES;
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, addr));
    if (line == LINE_NONE) return true;
    l2_send_writebacks(s, cache_tag(&s->c, addr), s->c.line[line].dirty & bit, MSHR_NONE);
    cache_forget(&s->c, line, bit);
    return true;
}
