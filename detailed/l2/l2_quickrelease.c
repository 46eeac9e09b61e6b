/* l2_quickrelease.c - the home of QuickRelease: carries out the rows of its table
 * (gpu/coherence/quickrelease.c) in a slice of a read cache and a write cache.
 *
 * Dirty bytes of the L1s gather in the write cache. A block that leaves it goes to the L3, and all
 * L1s are told to drop their copies. The markers of releases leave the S-FIFO in groups: each goes
 * to the L3's channels and, as a round of probes, to the L1s, and groups end in order when all have
 * answered. A read is served from the write cache if that has the whole block; atomics are
 * performed at the L3. Source: Hechtman et al. 2014, 3.1. */
#include "detailed/l2/l2_quickrelease.h"

#include "base/memory/alloc.h"
#include "detailed/coherence/sync_lookup.h"
#include "detailed/coherence/sync_message.h"
#include "gpu/coherence/protocol.h"
#include "gpu/coherence/quickrelease_states.h"

#include <assert.h>
#include <string.h>

/* --- building --- */

bool l2_quickrelease_init(struct l2_slice *s)
{
    s->sync = mem_new(1, sizeof *s->sync);
    if (!s->sync) return false;
    s->sync->applied = mem_new(s->w->reply->outputs, sizeof *s->sync->applied);
    return s->sync->applied &&
           write_cache_init(&s->sync->write, &s->p->write_cache, s->p->cache.line_bytes, 1) &&
           fifo_init(&s->sync->late, 0) && fifo_init(&s->sync->open, 0);
}

void l2_quickrelease_fini(struct l2_slice *s)
{
    if (!s->sync) return;
    write_cache_fini(&s->sync->write);
    fifo_fini(&s->sync->late);
    fifo_fini(&s->sync->open);
    mem_free(s->sync->applied);
    mem_free(s->sync);
}

void l2_quickrelease_clear(struct l2_slice *s)
{
    write_cache_clear(&s->sync->write);
    fifo_clear(&s->sync->late);
    fifo_clear(&s->sync->open);
    memset(s->sync->applied, 0, s->w->reply->outputs * sizeof *s->sync->applied);
    s->sync->rounds = 0;
    s->sync->told = s->sync->sent = false;
}

/* --- look-up --- */

static struct sync_lookup find_block(const struct l2_slice *s, uint64_t addr)
{
    return sync_lookup(&s->c, &s->sync->write, addr);
}

static enum sync_home_event event_of(const struct l2_slice *s, const struct sync_lookup *f,
                                     const struct req *r)
{
    if (r->kind == REQ_WRITE) return SYNC_WRITE;
    if (r->kind == REQ_ATOMIC) return SYNC_HOME_ATOMIC;
    bool written = f->written != WRITE_LINE_NONE &&
                   s->sync->write.line[f->written].mask == s->c.sector_mask[0][0];
    return written ? SYNC_READ_WRITTEN : SYNC_READ;
}

static const struct row *row_at(const struct l2_slice *s, enum sync_state state,
                                enum sync_home_event event)
{
    const struct row *row = &s->w->coherence->home.at[state][event];
    assert(!(row->action & DO_NEVER) && "the home's table has a row for it");
    return row;
}

/* --- sending --- */

static void send_to_l1(struct l2_slice *s, uint32_t sm, uint64_t addr, enum sync_message message)
{
    uint32_t i = req_new(s->w->reqs);
    if (i == REQ_NONE || !fifo_push(&s->replies, 0, i)) {
        s->no_memory = true;
        return;
    }
    struct req *r = &s->w->reqs->item[i];
    r->addr = addr;
    r->vinst = UINT32_MAX;
    r->sm = sm & 1023;
    r->bytes = s->c.p.sector_bytes & 255u;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    r->message = (uint16_t)message;
}

static void invalidate_copies(struct l2_slice *s, uint64_t addr)
{
    s->sync->told = true;
    for (uint32_t sm = 0; sm < s->w->reply->outputs; sm++)
        send_to_l1(s, sm, addr, SYNC_MESSAGE_INVALIDATE);
}

static void send_bytes(struct l2_slice *s, uint32_t written)
{
    struct write_line *w = &s->sync->write.line[written];
    struct mem_op op = {.addr = w->tag << s->c.line_shift,
                        .mask = w->mask,
                        .entry = MSHR_NONE,
                        .bytes = s->c.p.sector_bytes,
                        .slice = (uint16_t)s->id,
                        .kind = MEM_WRITE,
                        .sectors = 1,
                        .version = {w->version}};
    write_cache_remove(&s->sync->write, written);
    s->sync->sent = true;
    s->s.writebacks++;
    l2_send_operation(s, &op);
}

static void apply_row(struct l2_slice *s, const struct sync_lookup *f, const struct row *row,
                      uint64_t addr)
{
    if (row->action & DO_DISCARD) s->c.mshr.entry[f->entry].killed = true;
    if (row->action & DO_CLEAN) send_bytes(s, f->written);
    if (row->action & DO_DROP) cache_forget(&s->c, f->line, UINT8_MAX);
    if (row->action & DO_INVALIDATE) invalidate_copies(s, addr);
}

/* Evicts a block from wL2. Precondition: room towards the L3. */
static void evict_block(struct l2_slice *s, uint32_t written)
{
    uint64_t addr = s->sync->write.line[written].tag << s->c.line_shift;
    struct sync_lookup f = find_block(s, addr);
    const struct row *row = row_at(s, f.state, SYNC_HOME_EVICT);
    apply_row(s, &f, row, addr);
    assert(find_block(s, addr).state == row->next && "the state after an eviction is the table's");
}

/* --- requests --- */

static void count_access(struct l2_slice *s, uint32_t req, enum verdict v)
{
    struct access_plan p = {.verdict = v};
    l2_count(s, &s->w->reqs->item[req], &p);
}

/* Takes dirty bytes into wL2. */
static bool take_bytes(struct l2_slice *s, uint32_t req, const struct sync_lookup *f,
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
    count_access(s, req, f->written != WRITE_LINE_NONE ? CACHE_HIT : CACHE_PASS);
    apply_row(s, f, row, r->addr);
    req_mask(s->w->reqs, r, mask);
    if (!write_cache_store(w, tag, set, mask[0], r->version, 0)) s->no_memory = true;
    shadow_put(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    req_free(s->w->reqs, req);
    return true;
}

/* Serves a read from wL2, after a look-up of its tags behind those of rL2. */
static void serve_written(struct l2_slice *s, uint32_t req, const struct sync_lookup *f,
                          uint64_t now)
{
    struct req *r = &s->w->reqs->item[req];
    r->version = s->sync->write.line[f->written].version;
    shadow_expect(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    count_access(s, req, CACHE_HIT);
    if (!fifo_push(&s->sync->late, now + s->p->write_cache.tag_latency, req)) s->no_memory = true;
}

/* Sends an atomic to the L3, the point of coherence (3.1.1). */
static void send_atomic(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    struct access a = l2_access_of(s, r);
    struct mem_op op = {.addr = r->addr & ~(uint64_t)(s->c.p.sector_bytes - 1),
                        .mask = a.mask[0],
                        .entry = l2_handle_pack((struct l2_handle){L2_OF_REQUEST, req}),
                        .bytes = s->c.p.sector_bytes,
                        .slice = (uint16_t)s->id,
                        .kind = MEM_ATOMIC,
                        .sectors = 1,
                        .version = {r->version}};
    count_access(s, req, CACHE_PASS);
    s->sync->sent = true;
    shadow_put(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    l2_send_operation(s, &op);
}

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

/* Puts a read that waits for a fetch aside, where it is decided again each cycle; false: it is
 * there. */
static bool put_aside(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    if (r->waited) return false;
    r->waited = true;
    if (!fifo_push(&s->woken, 0, req)) s->no_memory = true;
    return true;
}

bool l2_quickrelease_takes_answer(struct l2_slice *s, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    if (r->message != SYNC_MESSAGE_APPLIED) return false;
    s->sync->applied[r->sm]++;
    req_free(s->w->reqs, req);
    end_releases(s);
    return true;
}

bool l2_quickrelease_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    if (r->message == SYNC_MESSAGE_MARKER) {
        if (!write_cache_release(&s->sync->write, req, 0)) s->no_memory = true;
        return true;
    }
    uint64_t addr = r->addr;
    struct sync_lookup f = find_block(s, addr);
    const struct row *row = row_at(s, f.state, event_of(s, &f, r));
    if (row->action & DO_WAIT) return put_aside(s, req);
    if (row->action & DO_INSTALL) return take_bytes(s, req, &f, row);
    if (row->action & DO_HIT) {
        serve_written(s, req, &f, now);
        return true;
    }
    bool sends = row->action & (DO_CLEAN | DO_MEMORY);
    if (sends && !l2_has_memory_room(s, addr)) return false;
    apply_row(s, &f, row, addr);
    if (row->action & DO_LOOK_UP) return s->miss->access(s, req, now);
    send_atomic(s, req);
    assert(find_block(s, addr).state == row->next && "the state after an atomic is the table's");
    return true;
}

bool l2_quickrelease_answered(struct l2_slice *s, uint32_t req)
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
    for (uint32_t sm = 0; sm < s->w->reply->outputs; sm++)
        send_to_l1(s, sm, s->id, SYNC_MESSAGE_PROBE);
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
    if (!fifo_push(&s->sync->open, s->sync->rounds, marker)) s->no_memory = true;
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

uint64_t l2_quickrelease_step(struct l2_slice *s, uint64_t now)
{
    struct sync_home *h = s->sync;
    while (h->late.due <= now)
        l2_reply(s, fifo_pop(&h->late), REPLY_DATA);
    if (write_cache_dequeues(&h->write) != SYNC_NONE) dequeue_entry(s);
    return write_cache_dequeues(&h->write) != SYNC_NONE ? now + 1 : h->late.due;
}

bool l2_quickrelease_idle(const struct l2_slice *s)
{
    return !s->sync->late.n && !s->sync->open.n && !s->sync->write.markers;
}
