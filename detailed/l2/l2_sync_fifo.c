/* l2_sync_fifo.c - the actions of a home under QuickRelease (gpu/coherence/quickrelease.c), in a
 * slice of a read cache and a write cache.
 *
 * Dirty bytes of the L1s gather in the write cache. A block that leaves it goes to the L3, and all
 * L1s are told to drop their copies. The markers of releases leave the S-FIFO in groups: each goes
 * to the L3's channels and, as a round of probes, to the L1s, and groups end in order when all have
 * answered. A read is served from the write cache if that has the whole block; atomics are
 * performed at the L3. Source: Hechtman et al. 2014, 3.1. */
#include "detailed/l2/l2_sync_fifo.h"

#include "base/memory/alloc.h"
#include "detailed/coherence/sync_message.h"
#include "detailed/l2/l2_home.h"

#include <assert.h>
#include <string.h>

/* --- building --- */

static bool init(struct l2_slice *s)
{
    s->sync = mem_new(1, sizeof *s->sync);
    if (!s->sync) return false;
    s->fetch_delay = (uint16_t)s->p->write_cache.tag_latency;
    s->sync->applied = mem_new(s->w->reply->outputs, sizeof *s->sync->applied);
    return s->sync->applied &&
           write_cache_init(&s->sync->write, &s->p->write_cache, s->p->cache.line_bytes, 1) &&
           fifo_init(&s->sync->late, 0) && fifo_init(&s->sync->open, 0);
}

static void fini(struct l2_slice *s)
{
    if (!s->sync) return;
    write_cache_fini(&s->sync->write);
    fifo_fini(&s->sync->late);
    fifo_fini(&s->sync->open);
    mem_free(s->sync->applied);
    mem_free(s->sync);
}

static void clear(struct l2_slice *s)
{
    write_cache_clear(&s->sync->write);
    fifo_clear(&s->sync->late);
    fifo_clear(&s->sync->open);
    memset(s->sync->applied, 0, s->w->reply->outputs * sizeof *s->sync->applied);
    s->sync->rounds = 0;
    s->sync->told = s->sync->sent = false;
}

/* --- the actions of rows --- */

static struct block_place find(const struct l2_slice *s, uint64_t addr)
{
    uint64_t tag = cache_tag(&s->c, addr);
    return block_place_find(&s->c, write_cache_find(&s->sync->write, tag, cache_set(&s->c, tag)),
                            addr);
}

/* Whether wL2 has all bytes of the block. */
static bool has_all(const struct l2_slice *s, const struct block_place *at)
{
    return at->beside != WRITE_LINE_NONE &&
           s->sync->write.line[at->beside].mask == s->c.sector_mask[0][0];
}

static void tell_l1s(struct l2_slice *s, uint64_t addr, enum sync_message message)
{
    for (uint32_t sm = 0; sm < s->w->reply->outputs; sm++) {
        struct req *r = l2_ask_l1(s, sm, addr, s->c.p.sector_bytes);
        if (r) r->message = (uint16_t)message;
    }
}

static void invalidate(struct l2_slice *s, uint64_t addr)
{
    s->sync->told = true;
    tell_l1s(s, addr, SYNC_MESSAGE_INVALIDATE);
}

static void clean(struct l2_slice *s, uint32_t written)
{
    struct write_line *w = &s->sync->write.line[written];
    struct mem_op op = l2_operation_of(s, w->tag << s->c.line_shift, MEM_WRITE);
    op.mask = w->mask;
    op.version[0] = w->version;
    write_cache_remove(&s->sync->write, written);
    s->sync->sent = true;
    s->s.writebacks++;
    l2_send_operation(s, &op);
}

/* Evicts a block from wL2. Precondition: room towards the L3. */
static void evict_block(struct l2_slice *s, uint32_t written)
{
    uint64_t addr = s->sync->write.line[written].tag << s->c.line_shift;
    struct block_place at = l2_home_find(s, addr);
    const struct row *row = l2_home_row(s, at.state, HOME_EVICT);
    l2_home_prepare(s, &at, row, addr);
    assert(l2_home_find(s, addr).state == row->next &&
           "the state after an eviction is the table's");
}

static bool take(struct l2_slice *s, uint32_t req, const struct block_place *at,
                 const struct row *row)
{
    struct write_cache *w = &s->sync->write;
    struct req *r = &s->w->reqs->item[req];
    uint64_t tag = cache_tag(&s->c, r->addr), mask[2];
    uint32_t set = cache_set(&s->c, tag);
    if (!write_cache_has_entry(w, tag, set, 0)) return false;
    uint32_t victim = write_cache_victim(w, tag, set);
    if (victim != WRITE_LINE_NONE) {
        if (!l2_has_memory_room(s, w->line[victim].tag << s->c.line_shift)) return false;
        evict_block(s, victim);
        r = &s->w->reqs->item[req]; /* the invalidations may have moved the pool */
    }
    l2_home_count(s, req, at->beside != WRITE_LINE_NONE ? CACHE_HIT : CACHE_PASS);
    l2_home_prepare(s, at, row, r->addr);
    req_mask(s->w->reqs, r, mask);
    write_cache_store(w, tag, set, mask[0], r->version, 0);
    shadow_put(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    req_free(s->w->reqs, req);
    return true;
}

/* Serves a read from wL2, after a look-up of its tags behind those of rL2. */
static bool serve(struct l2_slice *s, uint32_t req, const struct block_place *at, uint64_t now)
{
    struct req *r = &s->w->reqs->item[req];
    r->version = s->sync->write.line[at->beside].version;
    shadow_expect(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    l2_home_count(s, req, CACHE_HIT);
    fifo_push(&s->sync->late, now + s->p->write_cache.tag_latency, req);
    return true;
}

/* The L3 is the point of coherence (3.1.1). */
static void send_atomic(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    uint64_t base = r->addr & ~(uint64_t)(s->c.p.sector_bytes - 1);
    struct mem_op op = l2_operation_of(s, base, MEM_ATOMIC);
    op.mask = l2_access_of(s, r).mask[0];
    op.entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, req});
    op.version[0] = r->version;
    s->sync->sent = true;
    shadow_put(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    l2_send_operation(s, &op);
}

/* --- releases --- */

static uint32_t rounds_answered(const struct l2_slice *s)
{
    uint32_t least = s->sync->rounds;
    for (uint32_t sm = 0; sm < s->w->reply->outputs; sm++)
        if (s->sync->applied[sm] < least) least = s->sync->applied[sm];
    return least;
}

/* Acknowledges the groups of releases that are over, oldest first. req.mask of a group's first
 * marker: answers of the L3 to come. */
static void end_releases(struct l2_slice *s)
{
    struct sync_home *h = s->sync;
    while (h->open.n) {
        uint32_t i = fifo_front(&h->open)->value;
        if (s->w->reqs->item[i].mask || rounds_answered(s) < h->open.due) return;
        fifo_pop(&h->open);
        for (uint32_t next; i != REQ_NONE; i = next) {
            next = s->w->reqs->item[i].next;
            s->w->reqs->item[i].next = REQ_NONE;
            l2_reply(s, i, REPLY_ACK);
        }
    }
}

static bool takes_answer(struct l2_slice *s, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    if (r->message != SYNC_MESSAGE_APPLIED) return false;
    s->sync->applied[r->sm]++;
    req_free(s->w->reqs, req);
    end_releases(s);
    return true;
}

static bool takes_marker(struct l2_slice *s, uint32_t req)
{
    if (s->w->reqs->item[req].message != SYNC_MESSAGE_MARKER) return false;
    write_cache_release(&s->sync->write, req, 0);
    return true;
}

static bool answered(struct l2_slice *s, uint32_t req)
{
    bool marker = s->w->reqs->item[req].message == SYNC_MESSAGE_MARKER;
    if (marker) {
        s->w->reqs->item[req].mask--;
        end_releases(s);
    }
    return marker;
}

/* --- the S-FIFO --- */

static void probe_l1s(struct l2_slice *s)
{
    s->sync->told = false;
    s->sync->rounds++;
    tell_l1s(s, s->id, SYNC_MESSAGE_PROBE);
}

/* Sends a group's marker to each channel of the slice; returns their number. */
static uint32_t mark_channels(struct l2_slice *s, uint32_t marker)
{
    const struct map *map = s->w->memory->map;
    uint32_t channels = map_slice_tells_channel(map) ? 1 : map->channels;
    s->sync->sent = false;
    for (uint32_t k = 0; k < channels; k++) {
        struct mem_op op = {.addr = k,
                            .entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, marker}),
                            .slice = (uint16_t)s->id,
                            .kind = MEM_MARKER};
        l2_send_operation(s, &op);
    }
    return channels;
}

/* Sends the marker of a group of releases behind what has gone to the L3 and to the L1s. Groups end
 * in order, so that one behind which nothing has gone ends with those before it. */
static void send_marker(struct l2_slice *s, uint32_t marker)
{
    if (s->sync->told) probe_l1s(s);
    s->w->reqs->item[marker].mask = s->sync->sent ? mark_channels(s, marker) : 0;
    fifo_push(&s->sync->open, s->sync->rounds, marker);
    end_releases(s);
}

/* Takes the markers at the head, up to the next block, as one group; returns its first. */
static uint32_t take_markers(struct l2_slice *s)
{
    struct write_cache *w = &s->sync->write;
    uint32_t first = write_cache_head(w, 0)->marker, last = first;
    for (;;) {
        write_cache_pop(w, 0);
        if (w->fifo[0].head == SYNC_NONE || write_cache_head(w, 0)->marker == SYNC_NONE)
            return first;
        uint32_t next = write_cache_head(w, 0)->marker;
        s->w->reqs->item[last].next = next;
        last = next;
    }
}

static void dequeue_entry(struct l2_slice *s)
{
    struct write_cache *w = &s->sync->write;
    struct sync_entry head = *write_cache_head(w, 0);
    if (head.marker != SYNC_NONE) {
        send_marker(s, take_markers(s));
        return;
    }
    uint32_t written = write_cache_find(w, head.tag, cache_set(&s->c, head.tag));
    if (written != WRITE_LINE_NONE) {
        if (!l2_has_memory_room(s, head.tag << s->c.line_shift)) return;
        evict_block(s, written);
    }
    write_cache_pop(w, 0);
}

static uint64_t step(struct l2_slice *s, uint64_t now)
{
    struct sync_home *h = s->sync;
    while (h->late.due <= now)
        l2_reply(s, fifo_pop(&h->late), REPLY_DATA);
    if (write_cache_dequeues(&h->write) != SYNC_NONE) dequeue_entry(s);
    return write_cache_dequeues(&h->write) != SYNC_NONE ? now + 1 : h->late.due;
}

static bool is_idle(const struct l2_slice *s)
{
    return !s->sync->late.n && !s->sync->open.n && !s->sync->write.markers;
}

static bool check(const struct l2_slice *s)
{
    return write_cache_check(&s->sync->write);
}

const struct home_ops l2_sync_fifo_ops = {.init = init,
                                          .fini = fini,
                                          .clear = clear,
                                          .find = find,
                                          .has_all = has_all,
                                          .clean = clean,
                                          .invalidate = invalidate,
                                          .take = take,
                                          .serve = serve,
                                          .send_atomic = send_atomic,
                                          .takes_answer = takes_answer,
                                          .takes_marker = takes_marker,
                                          .answered = answered,
                                          .step = step,
                                          .is_idle = is_idle,
                                          .check = check};
