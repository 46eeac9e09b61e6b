/* l1_sync_fifo.c - the actions of an agent under QuickRelease (gpu/coherence/quickrelease.c), in an
 * L1 of a read cache and a write cache.
 *
 * A store leaves its bytes in the write cache and is complete; it waits while the S-FIFO has no
 * entry for it. A load whose bytes were all written there is served from there; other loads take
 * the way of any L1. In each cycle one entry of the S-FIFO may leave: the bytes of a block go to
 * its slice, a release's marker to every slice. A probe is sent back when it comes: messages stay
 * in order, so all invalidations before it have been applied. Source: Hechtman et al. 2014, section
 * 3. */
#include "detailed/l1/l1_sync_fifo.h"

#include "base/memory/alloc.h"
#include "detailed/coherence/sync_message.h"
#include "detailed/l1/l1_agent.h"
#include "detailed/l1/l1_side.h"

#include <assert.h>

/* --- building --- */

static void free_write_cache(struct l1 *l)
{
    if (!l->sync) return;
    write_cache_fini(&l->sync->write);
    fifo_fini(&l->sync->late);
    mem_free(l->sync->release);
    mem_free(l->sync);
}

static void clear_write_cache(struct l1 *l)
{
    struct sync_agent *a = l->sync;
    write_cache_clear(&a->write);
    fifo_clear(&a->late);
    pool_clear(&a->releases, &a->release);
}

/* --- look-up --- */

static struct block_place find_block(const struct l1 *l, uint64_t addr)
{
    uint64_t tag = cache_tag(&l->c, addr);
    return block_place_find(&l->c, write_cache_find(&l->sync->write, tag, cache_set(&l->c, tag)),
                            addr);
}

/* Whether a load finds all its bytes in wL1. */
static bool is_written(const struct l1 *l, const struct block_place *at, const struct l1_access *la)
{
    return la->kind == ACCESS_READ && at->beside != WRITE_LINE_NONE &&
           !(la->mask[0] & ~l->sync->write.line[at->beside].mask);
}

/* --- sending --- */

/* Sends a block's dirty bytes to the L2; written: its line of wL1. Nothing answers. */
static void clean_block(struct l1 *l, uint32_t written, uint64_t now)
{
    const struct write_line *w = &l->sync->write.line[written];
    struct req *r = l1_agent_send(l, w->tag << l->c.line_shift, now);
    if (!r) return;
    r->vinst = UINT32_MAX; /* nothing answers */
    l1_agent_add_bytes(l, r, (const uint64_t[2]){w->mask, 0}, w->version);
    write_cache_remove(&l->sync->write, written);
}

/* Carries out the row for an event that is no access. */
static void apply_event(struct l1 *l, uint64_t addr, enum agent_event event, uint64_t now)
{
    struct block_place at = find_block(l, addr);
    const struct row *row = l1_agent_row(l, at.state, event);
    l1_agent_prepare(l, &at, row, addr, now);
    assert(find_block(l, addr).state == row->next && "the state after an event is the table's");
}

/* Evicts a block from wL1. Precondition: room for its bytes towards the network. */
static void evict_block(struct l1 *l, uint32_t written, uint64_t now)
{
    apply_event(l, l->sync->write.line[written].tag << l->c.line_shift, AGENT_EVICT, now);
}

/* --- accesses --- */

static bool release_group(struct l1 *l, uint32_t vinst, uint32_t group);

static enum l1_stall store_block(struct l1 *l, const struct agent_step *x)
{
    const struct l1_access *la = x->la;
    struct write_cache *w = &l->sync->write;
    uint64_t tag = cache_tag(&l->c, la->addr);
    uint32_t set = cache_set(&l->c, tag), group = l->w->sync_group_of(l->owner, la->vinst);
    if (!write_cache_has_entry(w, tag, set, group)) return L1_STALL_NETWORK;
    uint32_t victim = write_cache_victim(w, tag, set);
    if (victim != WRITE_LINE_NONE) {
        if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
        evict_block(l, victim, x->now);
    }
    bool hit = x->at.beside != WRITE_LINE_NONE;
    l1_agent_prepare(l, &x->at, x->row, la->addr, x->now);
    write_cache_store(w, tag, set, la->mask[0], shadow_store(l->w->shadow), group);
    if (la->released) release_group(l, UINT32_MAX, group);
    l->kept = true;
    l1_count_look_up(l, la, hit, false, x->now);
    return L1_GOES;
}

/* Serves a load from rL1, or from wL1 after a look-up of its tags behind those of rL1. */
static enum l1_stall serve_load(struct l1 *l, const struct agent_step *x)
{
    if (x->at.state == BLOCK_V) return l1_agent_load(l, x);
    uint32_t version = l->sync->write.line[x->at.beside].version;
    shadow_served(l->w->shadow, l->sm, x->la->addr, version);
    fifo_push(&l->sync->late, x->now + l->p->write_cache.tag_latency, x->la->vinst);
    l->s.hits++;
    l->s.read_hits++;
    l1_tell(l, x->la, true, false, x->now);
    return L1_GOES;
}

/* Fetches a block, behind its dirty bytes. */
static enum l1_stall fetch_block(struct l1 *l, const struct agent_step *x)
{
    if (!l1_network_room(l, 2)) return L1_STALL_NETWORK;
    l1_agent_prepare(l, &x->at, x->row, x->la->addr, x->now);
    return l1_agent_load(l, x);
}

/* --- releases --- */

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
    i = pool_take(&a->releases, &a->release);
    if (i == POOL_NONE) return false;
    a->release[i] = (struct release){.vinst = vinst};
    return write_cache_release(&a->write, i, group);
}

bool l1_sync_fifo_release(struct l1 *l, uint32_t vinst)
{
    return release_group(l, vinst, l->w->sync_group_of(l->owner, vinst));
}

uint32_t l1_sync_fifo_release_all(struct l1 *l, uint32_t vinst)
{
    const struct write_cache *w = &l->sync->write;
    uint32_t n = 0;
    for (uint32_t group = w->groups; group-- > 0;) {
        if (w->fifo[group].head == SYNC_NONE && (group || n)) continue;
        release_group(l, vinst, group);
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
        struct req *r = l1_agent_send(l, slice, now);
        if (!r) return;
        r->vinst = i;
        r->message = SYNC_MESSAGE_MARKER;
    }
}

static void end_release(struct l1 *l, uint32_t i, uint64_t now)
{
    struct sync_agent *a = l->sync;
    struct release *rel = &a->release[i];
    if (--rel->left) return;
    uint32_t vinst = rel->vinst;
    pool_give(&a->releases, &a->release, i);
    if (vinst != UINT32_MAX) l1_done(l, vinst, now);
}

/* --- messages --- */

static bool receive_message(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req *r = &l->w->reqs->item[req];
    struct req was = *r;
    switch ((enum sync_message)r->message) {
    case SYNC_MESSAGE_NONE:
    case SYNC_MESSAGE_APPLIED: return false;
    case SYNC_MESSAGE_PROBE:
        r->message = SYNC_MESSAGE_APPLIED;
        fifo_push(&l->miss_queue, now, req);
        return true;
    case SYNC_MESSAGE_INVALIDATE:
        req_free(l->w->reqs, req);
        l->s.probes++;
        apply_event(l, was.addr, AGENT_INVALIDATE, now);
        return true;
    case SYNC_MESSAGE_MARKER:
        req_free(l->w->reqs, req);
        end_release(l, was.vinst, now);
        return true;
    }
    return false;
}

static const struct agent_ops agent = {.find = find_block,
                                       .is_full = is_written,
                                       .hit = serve_load,
                                       .join = l1_agent_load,
                                       .request = fetch_block,
                                       .store = store_block,
                                       .receive = receive_message,
                                       .clean = clean_block};

static bool init_write_cache(struct l1 *l)
{
    struct sync_agent *a = mem_new(1, sizeof *a);
    l->sync = a;
    if (!a) return false;
    l->agent = &agent;
    a->releases = POOL(struct release, next);
    return write_cache_init(&a->write, &l->p->write_cache, l->p->cache.line_bytes,
                            l->w->sync_groups) &&
           fifo_init(&a->late, 0);
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

static void step_fifos(struct l1 *l, uint64_t now)
{
    struct sync_agent *a = l->sync;
    while (a->late.due <= now)
        l1_done(l, fifo_pop(&a->late), now);
    uint32_t fifo = write_cache_dequeues(&a->write);
    if (fifo != SYNC_NONE && l1_network_room(l, 1)) dequeue_entry(l, fifo, now);
}

static uint64_t fifos_due(const struct l1 *l, uint64_t now)
{
    bool dequeues = write_cache_dequeues(&l->sync->write) != SYNC_NONE && l1_network_room(l, 1);
    return dequeues ? now + 1 : l->sync->late.due;
}

static bool is_idle(const struct l1 *l)
{
    return !l->sync->releases.used && !l->sync->late.n;
}

static bool check_write_cache(const struct l1 *l)
{
    return write_cache_check(&l->sync->write);
}

const struct l1_side_ops l1_side_write_cache = {.id = MECHANISM_write_caches,
                                                .sends_behind = true,
                                                .init = init_write_cache,
                                                .fini = free_write_cache,
                                                .clear = clear_write_cache,
                                                .step = step_fifos,
                                                .due = fifos_due,
                                                .is_idle = is_idle,
                                                .check = check_write_cache};
