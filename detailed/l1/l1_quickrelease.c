/* l1_quickrelease.c - the agent of QuickRelease: carries out the rows of its table
 * (gpu/coherence/quickrelease.c) in an L1 of a read cache and a write cache.
 *
 * A store leaves its bytes in the write cache and is complete; it waits while the S-FIFO has no
 * entry for it. A load whose bytes were all written there is served from there; other loads take
 * the way of any L1. In each cycle one entry of the S-FIFO may leave: the bytes of a block go to
 * its slice, a release's marker to every slice. A probe is sent back when it comes: messages stay
 * in order, so all invalidations before it have been applied. Source: Hechtman et al. 2014, section
 * 3. */
#include "detailed/l1/l1_quickrelease.h"

#include "base/memory/alloc.h"
#include "detailed/coherence/sync_lookup.h"
#include "detailed/coherence/sync_message.h"
#include "detailed/l1/l1_internal.h"
#include "gpu/coherence/protocol.h"
#include "gpu/coherence/quickrelease_states.h"

#include <assert.h>

/* --- building --- */

bool l1_quickrelease_init(struct l1 *l)
{
    struct sync_agent *a = mem_new(1, sizeof *a);
    l->sync = a;
    if (!a) return false;
    a->free = SYNC_NONE;
    return write_cache_init(&a->write, &l->p->write_cache, l->p->cache.line_bytes,
                            l->w->sync_groups) &&
           fifo_init(&a->late, 0);
}

void l1_quickrelease_fini(struct l1 *l)
{
    if (!l->sync) return;
    write_cache_fini(&l->sync->write);
    fifo_fini(&l->sync->late);
    mem_free(l->sync->release);
    mem_free(l->sync);
}

void l1_quickrelease_clear(struct l1 *l)
{
    struct sync_agent *a = l->sync;
    write_cache_clear(&a->write);
    fifo_clear(&a->late);
    a->free = SYNC_NONE;
    for (uint32_t i = a->cap; i > 0; i--) {
        a->release[i - 1].next = a->free;
        a->free = i - 1;
    }
    a->used = 0;
}

/* --- look-up --- */

static struct sync_lookup find_block(const struct l1 *l, uint64_t addr)
{
    return sync_lookup(&l->c, &l->sync->write, addr);
}

static enum sync_agent_event event_of(const struct l1 *l, const struct sync_lookup *f,
                                      const struct l1_access *la)
{
    if (la->kind == ACCESS_WRITE) return SYNC_STORE;
    if (la->kind == ACCESS_ATOMIC) return SYNC_ATOMIC;
    if (la->bypass || la->around_l2) return SYNC_LOAD_ROUND;
    uint64_t asked = la->mask[0];
    bool written =
        f->written != WRITE_LINE_NONE && !(asked & ~l->sync->write.line[f->written].mask);
    return written ? SYNC_LOAD_WRITTEN : SYNC_LOAD;
}

static const struct row *row_at(const struct l1 *l, enum sync_state state,
                                enum sync_agent_event event)
{
    const struct row *row = &l->w->coherence->agent.at[state][event];
    assert(!(row->action & DO_NEVER) && "the agent's table has a row for it");
    return row;
}

/* --- sending --- */

static struct req *send_message(struct l1 *l, uint64_t addr, uint32_t vinst, uint64_t now)
{
    uint32_t i = req_new(l->w->reqs);
    if (i == REQ_NONE || !fifo_push(&l->miss_queue, now, i)) {
        l->no_memory = true;
        return NULL;
    }
    struct req *r = &l->w->reqs->item[i];
    r->addr = addr;
    r->vinst = vinst;
    r->sm = l->sm & 1023;
    r->bytes = l->grain & 255u;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    return r;
}

/* Sends a block's dirty bytes to the L2; nothing answers. */
static void send_bytes(struct l1 *l, uint32_t written, uint64_t now)
{
    struct write_line *w = &l->sync->write.line[written];
    struct req *r = send_message(l, w->tag << l->c.line_shift, UINT32_MAX, now);
    if (!r) return;
    const uint64_t mask[2] = {w->mask, 0};
    r->kind = REQ_WRITE;
    r->version = w->version;
    req_set_mask(l->w->reqs, r, mask);
    write_cache_remove(&l->sync->write, written);
}

/* Carries out what a row does to the block before its access. */
static void apply_row(struct l1 *l, const struct sync_lookup *f, const struct row *row,
                      uint64_t now)
{
    if (row->action & DO_DISCARD) l->c.mshr.entry[f->entry].killed = true;
    if (row->action & DO_CLEAN) send_bytes(l, f->written, now);
    if (row->action & DO_DROP) {
        cache_forget(&l->c, f->line, UINT8_MAX);
        l->s.invalidations++;
    }
}

/* Evicts a block from wL1. Precondition: room for its bytes towards the network. */
static void evict_block(struct l1 *l, uint32_t written, uint64_t now)
{
    uint64_t addr = l->sync->write.line[written].tag << l->c.line_shift;
    struct sync_lookup f = find_block(l, addr);
    const struct row *row = row_at(l, f.state, SYNC_EVICT);
    apply_row(l, &f, row, now);
    assert(find_block(l, addr).state == row->next && "the state after an eviction is the table's");
}

/* --- accesses --- */

static bool release_group(struct l1 *l, uint32_t vinst, uint32_t group);

static enum l1_stall store_block(struct l1 *l, const struct l1_access *la,
                                 const struct sync_lookup *f, const struct row *row, uint64_t now)
{
    struct write_cache *w = &l->sync->write;
    uint64_t tag = cache_tag(&l->c, la->addr);
    uint32_t set = cache_set(&l->c, tag), group = l->w->sync_group_of(l->owner, la->vinst);
    if (!write_cache_has_entry(w, tag, set, group)) return L1_STALL_NETWORK;
    uint32_t victim = write_cache_victim(w, tag, set);
    if (victim != WRITE_LINE_NONE) {
        if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
        evict_block(l, victim, now);
    }
    bool hit = f->written != WRITE_LINE_NONE;
    apply_row(l, f, row, now);
    if (!write_cache_store(w, tag, set, la->mask[0], shadow_store(l->w->shadow), group))
        l->no_memory = true;
    if (la->released && !release_group(l, UINT32_MAX, group)) l->no_memory = true;
    l->kept = true;
    l->s.hits += hit;
    l->s.misses += !hit;
    l1_tell(l, la, hit, !hit, now);
    return L1_GOES;
}

/* Serves a load from wL1, after a look-up of its tags behind those of rL1. */
static enum l1_stall load_written(struct l1 *l, const struct l1_access *la,
                                  const struct sync_lookup *f, uint64_t now)
{
    uint32_t version = l->sync->write.line[f->written].version;
    shadow_served(l->w->shadow, l->sm, la->addr, version);
    if (!fifo_push(&l->sync->late, now + l->p->write_cache.tag_latency, la->vinst))
        l->no_memory = true;
    l->s.hits++;
    l->s.read_hits++;
    l1_tell(l, la, true, false, now);
    return L1_GOES;
}

static enum l1_stall go_round(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    struct l1_access round = *la;
    round.bypass = true;
    enum req_kind kind = la->kind == ACCESS_READ ? REQ_READ : REQ_ATOMIC;
    struct req *r = l1_send(l, &round, kind, la->addr & ~(uint64_t)(l->grain - 1), now);
    if (r) r->message = SYNC_MESSAGE_NONE;
    l->s.bypasses++;
    return L1_GOES;
}

enum l1_stall l1_quickrelease_access(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    struct sync_lookup f = find_block(l, la->addr);
    const struct row *row = row_at(l, f.state, event_of(l, &f, la));
    if (row->action & DO_WAIT) return L1_STALL_MERGE;
    if (row->action & DO_INSTALL) return store_block(l, la, &f, row, now);
    if (row->action & DO_HIT && f.state != SYNC_V) return load_written(l, la, &f, now);
    if (row->action & (DO_FETCH | DO_ROUND) && !l1_network_room(l, 2)) return L1_STALL_NETWORK;
    apply_row(l, &f, row, now);
    if (row->action & DO_ROUND) return go_round(l, la, now);
    struct access a = {.addr = la->addr, .kind = ACCESS_READ};
    return l1_load(l, la, &a, now);
}

/* --- releases --- */

static uint32_t new_release(struct sync_agent *a)
{
    if (a->free == SYNC_NONE) {
        uint32_t old = a->cap;
        size_t cap = old;
        if (!mem_grow(&a->release, &cap, old ? (size_t)old * 2 : 16, sizeof *a->release))
            return SYNC_NONE;
        a->cap = (uint32_t)cap;
        for (uint32_t i = a->cap; i > old; i--) {
            a->release[i - 1].next = a->free;
            a->free = i - 1;
        }
    }
    uint32_t i = a->free;
    a->free = a->release[i].next;
    a->used++;
    return i;
}

static bool join_release(struct l1 *l, struct release *rel, uint32_t vinst)
{
    if (vinst == UINT32_MAX) return true;
    if (rel->vinst != UINT32_MAX) vinst = l->w->join(l->owner, rel->vinst, vinst);
    rel->vinst = vinst;
    return vinst != UINT32_MAX;
}

/* Releases that follow each other without a store between them share a marker. */
static bool release_group(struct l1 *l, uint32_t vinst, uint32_t group)
{
    struct sync_agent *a = l->sync;
    uint32_t i = write_cache_youngest_marker(&a->write, group);
    if (i != SYNC_NONE) return join_release(l, &a->release[i], vinst);
    i = new_release(a);
    if (i == SYNC_NONE) return false;
    a->release[i] = (struct release){.vinst = vinst};
    return write_cache_release(&a->write, i, group);
}

bool l1_quickrelease_release(struct l1 *l, uint32_t vinst)
{
    return release_group(l, vinst, l->w->sync_group_of(l->owner, vinst));
}

uint32_t l1_quickrelease_release_all(struct l1 *l, uint32_t vinst)
{
    const struct write_cache *w = &l->sync->write;
    uint32_t n = 0;
    for (uint32_t group = w->groups; group-- > 0;) {
        if (w->fifo[group].head == SYNC_NONE && (group || n)) continue;
        if (!release_group(l, vinst, group)) l->no_memory = true;
        n++;
    }
    return n;
}

/* Sends the marker to every slice, behind the bytes that have left for it. */
static void send_marker(struct l1 *l, uint32_t i, uint64_t now)
{
    struct release *rel = &l->sync->release[i];
    rel->left = l->w->map->slices;
    for (uint32_t slice = 0; slice < l->w->map->slices; slice++) {
        struct req *r = send_message(l, slice, i, now);
        if (r) r->message = SYNC_MESSAGE_MARKER;
    }
}

static void end_release(struct l1 *l, uint32_t i, uint64_t now)
{
    struct sync_agent *a = l->sync;
    struct release *rel = &a->release[i];
    if (--rel->left) return;
    uint32_t vinst = rel->vinst;
    rel->next = a->free;
    a->free = i;
    a->used--;
    if (vinst != UINT32_MAX) l1_done(l, vinst, now);
}

/* --- messages --- */

static void invalidate_block(struct l1 *l, uint64_t addr, uint64_t now)
{
    struct sync_lookup f = find_block(l, addr);
    const struct row *row = row_at(l, f.state, SYNC_INVALIDATE);
    l->s.probes++;
    apply_row(l, &f, row, now);
    assert(find_block(l, addr).state == row->next && "the state after a probe is the table's");
}

bool l1_quickrelease_receive(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req *r = &l->w->reqs->item[req];
    struct req was = *r;
    switch ((enum sync_message)r->message) {
    case SYNC_MESSAGE_NONE:
    case SYNC_MESSAGE_APPLIED: return false;
    case SYNC_MESSAGE_PROBE:
        r->message = SYNC_MESSAGE_APPLIED;
        if (!fifo_push(&l->miss_queue, now, req)) l->no_memory = true;
        return true;
    case SYNC_MESSAGE_INVALIDATE:
        req_free(l->w->reqs, req);
        invalidate_block(l, was.addr, now);
        return true;
    case SYNC_MESSAGE_MARKER:
        req_free(l->w->reqs, req);
        end_release(l, was.vinst, now);
        return true;
    }
    return false;
}

/* --- time --- */

/* Dequeues one entry of the S-FIFO. */
static void dequeue_entry(struct l1 *l, uint32_t fifo, uint64_t now)
{
    struct write_cache *w = &l->sync->write;
    struct sync_entry head = *write_cache_head(w, fifo);
    if (head.marker != SYNC_NONE) {
        write_cache_pop(w, fifo);
        send_marker(l, head.marker, now);
        return;
    }
    uint32_t written = write_cache_find(w, head.tag, cache_set(&l->c, head.tag));
    if (written != WRITE_LINE_NONE) evict_block(l, written, now);
    write_cache_pop(w, fifo);
}

void l1_quickrelease_step(struct l1 *l, uint64_t now)
{
    struct sync_agent *a = l->sync;
    while (a->late.due <= now)
        l1_done(l, fifo_pop(&a->late), now);
    uint32_t fifo = write_cache_dequeues(&a->write);
    if (fifo != SYNC_NONE && l1_network_room(l, 1)) dequeue_entry(l, fifo, now);
}

uint64_t l1_quickrelease_due(const struct l1 *l, uint64_t now)
{
    bool dequeues = write_cache_dequeues(&l->sync->write) != SYNC_NONE && l1_network_room(l, 1);
    return dequeues ? now + 1 : l->sync->late.due;
}

bool l1_quickrelease_idle(const struct l1 *l)
{
    return !l->sync->used && !l->sync->late.n;
}
