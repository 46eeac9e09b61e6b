/* l1_owner.c - the actions of an agent under MOESI and NMOESI (gpu/coherence/moesi.c, nmoesi.c).
 *
 * A miss takes a line and an MSHR, puts the line's old block and sends one request to the home, at
 * once or (coherence.l1_victim = "first") when the home has acknowledged the old block; loads,
 * stores and atomics to the block wait in the MSHR and are performed in order when the grant comes.
 * A put block is kept beside the cache until the home acknowledges it, so that probes still find
 * its bytes. A probe goes back as its own answer. An acquire and a release apply their event to all
 * lines in one cycle. Source: Candel 2019, 4.5.4, 4.6.4; what it leaves open:
 * docs/models/coherence.md. */
#include "detailed/l1/l1_owner.h"

#include "detailed/l1/l1_owner_state.h"
#include "gpu/geometry/bytemask.h"

#include <assert.h>

/* --- look-up --- */

static struct block_place find_owned(const struct l1 *l, uint64_t addr)
{
    const struct owner *o = l->owner_dir;
    struct block_place b = {OWN_I, cache_find(&l->c, cache_tag(&l->c, addr)), POOL_NONE, MSHR_NONE};
    if (b.line != LINE_NONE) {
        b.state = o->state[b.line];
        return b;
    }
    const uint32_t *at = hash_map_get(&o->put_at, cache_key(&l->c, addr));
    if (!at) return b;
    b.beside = *at;
    b.state = o->put[b.beside].lost ? OWN_PI : OWN_P;
    return b;
}

static uint64_t line_addr(const struct l1 *l, uint32_t line)
{
    return l->c.line[line].tag << l->c.line_shift;
}

/* --- sending --- */

static bool is_owned(uint32_t s)
{
    return s == OWN_M || s == OWN_O || s == OWN_OM;
}

/* The bytes of a line that are newer than the L2's. */
static void dirty_bytes(const struct l1 *l, uint32_t line, uint64_t mask[2])
{
    const struct owner *o = l->owner_dir;
    mask[0] = mask[1] = 0;
    if (is_owned(o->state[line]))
        bytemask_first(l->grain, mask);
    else if (o->state[line] == OWN_N)
        mask[0] = o->written[line][0], mask[1] = o->written[line][1];
}

void l1_owner_drop(struct l1 *l, uint32_t line)
{
    l->owner_dir->state[line] = OWN_I;
    cache_drop(&l->c, line);
}

static bool has_bytes(const uint64_t mask[2])
{
    return mask[0] || mask[1];
}

/* Evicts the line and informs the home. Returns its put; POOL_NONE: no memory. */
static uint32_t put_line(struct l1 *l, uint32_t line, uint64_t now)
{
    struct owner *o = l->owner_dir;
    uint32_t state = o->state[line], i = pool_take(&o->puts, &o->put);
    uint64_t addr = line_addr(l, line);
    if (i == POOL_NONE) return i;
    struct put *p = &o->put[i];
    *p = (struct put){
        .used = true, .owned = is_owned(state), .version = l->c.version ? l->c.version[line] : 0};
    dirty_bytes(l, line, p->mask);
    hash_map_put(&o->put_at, cache_key(&l->c, addr), i);
    l1_owner_drop(l, line);
    struct req *r = l1_agent_send(l, addr, now);
    if (!r) return POOL_NONE;
    r->message = p->owned ? DIR_PUT : state == OWN_N ? DIR_MERGE : DIR_LEAVE;
    if (has_bytes(p->mask)) l1_agent_add_bytes(l, r, p->mask, p->version);
    return i;
}

enum l1_stall l1_owner_put_ahead(struct l1 *l, uint32_t line, uint64_t now)
{
    if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
    put_line(l, line, now);
    return L1_STALL_MERGE;
}

/* --- accesses --- */

static void note_served(struct l1 *l, uint32_t line, uint64_t addr)
{
    if (SHADOW_ON) shadow_served(l->w->shadow, l->sm, addr, l->c.version[line]);
}

/* Performs a store or an atomic in the L1. */
static void perform_access(struct l1 *l, uint32_t line, uint64_t addr, const struct waiter *w)
{
    struct owner *o = l->owner_dir;
    if (w->kind == ACCESS_ATOMIC) note_served(l, line, addr);
    l1_note_version(l, line, addr, shadow_store(l->w->shadow));
    o->written[line][0] |= w->mask[0];
    o->written[line][1] |= w->mask[1];
}

static struct waiter waiter_of(const struct l1_access *la)
{
    return (struct waiter){
        .mask = {la->mask[0], la->mask[1]}, .vinst = la->vinst, .kind = la->kind};
}

static enum l1_stall serve_hit(struct l1 *l, const struct agent_step *x)
{
    const struct l1_access *la = x->la;
    const struct row *row = x->row;
    uint32_t line = x->at.line;
    struct waiter w = waiter_of(la);
    if (row->action & DO_PUT && !l1_network_room(l, 1)) return L1_STALL_NETWORK;
    cache_use_line(&l->c, line);
    l->s.hits++;
    l1_tell(l, la, true, false, x->now);
    if (la->kind == ACCESS_READ) {
        note_served(l, line, la->addr);
        l->s.read_hits++;
        l->s.modified_hits += row->state == OWN_M;
        l1_done(l, la->vinst, x->now);
    } else {
        perform_access(l, line, la->addr, &w);
        l->kept = true;
    }
    if (row->action & DO_PUT)
        put_line(l, line, x->now);
    else
        l->owner_dir->state[line] = row->next;
    return L1_GOES;
}

static bool wait_in(struct l1 *l, uint32_t entry, const struct l1_access *la)
{
    struct owner *o = l->owner_dir;
    uint32_t i = pool_take(&o->waiters, &o->waiter);
    if (i == POOL_NONE) return false;
    o->waiter[i] = waiter_of(la);
    return mshr_wait(&l->c.mshr, entry, i);
}

static enum l1_stall join_request(struct l1 *l, const struct agent_step *x)
{
    uint32_t entry = mshr_find(&l->c.mshr, cache_key(&l->c, x->la->addr));
    assert(entry != MSHR_NONE && "what is in flight has an MSHR");
    if (!mshr_can_merge(&l->c.mshr, entry)) return L1_STALL_MERGE;
    wait_in(l, entry, x->la);
    l->owner_dir->state[x->at.line] = x->row->next;
    l->s.merges++;
    l1_tell(l, x->la, false, false, x->now);
    return L1_GOES;
}

/* Makes room for a missing block and returns its line; LINE_NONE: all lines of the set have fills
 * in flight. *put: what becomes of the line's old block. */
static uint32_t make_room(struct l1 *l, uint64_t addr, uint64_t now, uint32_t *put)
{
    struct victim v;
    uint64_t tag = cache_tag(&l->c, addr);
    uint32_t line = cache_victim(&l->c, tag, false);
    if (line == LINE_NONE) return line;
    if (l->c.line[line].resident) {
        l1_agent_row(l, l->owner_dir->state[line], OWN_REPLACE);
        *put = put_line(l, line, now);
    }
    cache_take(&l->c, line, tag, &v);
    return line;
}

/* Whether the access is a store that needs its block exclusively. */
static bool owns_line(const struct l1 *l, const struct l1_access *la)
{
    return la->kind == ACCESS_ATOMIC ||
           (la->kind == ACCESS_WRITE && !l->w->coherence->protocol->writers);
}

/* Sends a miss's request to the home, behind the put if the fetch waits for it. */
static void send_fetch(struct l1 *l, uint64_t block, uint16_t message, uint32_t put, uint64_t now)
{
    if (put != POOL_NONE && l->w->victim_first) {
        struct put *p = &l->owner_dir->put[put];
        p->fetches = true;
        p->fetched = block;
        p->message = message;
        return;
    }
    struct req *r = l1_agent_send(l, block, now);
    if (r) r->message = message;
}

static enum l1_stall send_request(struct l1 *l, const struct agent_step *x)
{
    struct owner *o = l->owner_dir;
    uint32_t put = POOL_NONE;
    uint64_t addr = x->la->addr;
    if (!mshr_has_room(&l->c.mshr)) return L1_STALL_MSHR;
    if (!l1_network_room(l, 2)) return L1_STALL_NETWORK;
    uint32_t line = x->at.line == LINE_NONE ? make_room(l, addr, x->now, &put) : x->at.line;
    if (line == LINE_NONE) return L1_STALL_LINE;
    uint32_t entry = mshr_alloc(&l->c.mshr, cache_key(&l->c, addr));
    if (entry == MSHR_NONE || !wait_in(l, entry, x->la)) return L1_STALL_LINE;
    if (x->row->action & DO_DROP) l->c.line[line].valid = 0;
    l->c.mshr.entry[entry].line = line;
    l->c.line[line].pending = 1;
    o->state[line] = x->row->next;
    o->storing = l->w->stores_in_order && owns_line(l, x->la);
    if (x->at.state != OWN_N) o->written[line][0] = o->written[line][1] = 0;
    send_fetch(l, addr & ~(uint64_t)(l->grain - 1), moesi_request_of(x->row->action) & 0xffffu, put,
               x->now);
    l->s.misses++;
    l1_tell(l, x->la, false, true, x->now);
    return L1_GOES;
}

bool l1_owner_holds(const struct l1 *l, const struct l1_access *la)
{
    const struct owner *o = l->owner_dir;
    if (o->storing || (o->releasing && la->kind != ACCESS_READ)) return true;
    return l->w->stores_in_order && (l->c.mshr.used || l->waiting) && owns_line(l, la);
}

/* --- replies and probes of the home --- */

static void serve_waiters(struct l1 *l, uint32_t line, uint64_t addr, uint32_t entry, uint64_t now)
{
    struct owner *o = l->owner_dir;
    uint32_t i;
    while (mshr_next_waiter(&l->c.mshr, entry, &i)) {
        struct waiter w = o->waiter[i];
        pool_give(&o->waiters, &o->waiter, i);
        if (w.kind == ACCESS_READ)
            note_served(l, line, addr);
        else
            perform_access(l, line, addr, &w);
        if (l->p->wake == WAKE_TOGETHER)
            l1_done(l, w.vinst, now);
        else
            fifo_push(&l->wake, now, w.vinst);
    }
    mshr_release(&l->c.mshr, entry);
}

static void accept_grant(struct l1 *l, const struct req *r, uint64_t now)
{
    struct block_place f = find_owned(l, r->addr);
    uint32_t entry = mshr_find(&l->c.mshr, cache_key(&l->c, r->addr));
    assert(f.line != LINE_NONE && entry != MSHR_NONE && "a grant is of what is in flight");
    const struct row *row = l1_agent_row(l, f.state, r->message);
    l->c.line[f.line].pending = 0;
    l->owner_dir->storing = false;
    l->s.fills += r->reply == REPLY_DATA;
    if (r->reply == REPLY_DATA) l1_note_version(l, f.line, r->addr, r->version);
    assert((r->reply == REPLY_DATA || l->c.line[f.line].valid) && "who has no data gets them");
    l->c.line[f.line].valid = 1;
    if (row->action & DO_ANSWER) serve_waiters(l, f.line, r->addr, entry, now);
    l->owner_dir->state[f.line] = row->action & DO_PUT ? OWN_N : row->next;
    if (row->action & DO_PUT)
        put_line(l, f.line, now);
    else if (row->action & DO_DROP)
        l1_owner_drop(l, f.line);
}

static void end_put(struct l1 *l, const struct req *r, uint64_t now)
{
    struct owner *o = l->owner_dir;
    uint64_t key = cache_key(&l->c, r->addr);
    const uint32_t *at = hash_map_get(&o->put_at, key);
    assert(at && "the home answers to what was put");
    uint32_t i = *at;
    const struct put ended = o->put[i];
    o->releasing -= ended.released;
    o->put[i] = (struct put){0};
    pool_give(&o->puts, &o->put, i);
    hash_map_del(&o->put_at, key);
    if (ended.fetches) send_fetch(l, ended.fetched, ended.message, POOL_NONE, now);
}

/* Returns the probe to the home as its answer. */
static void answer_question(struct l1 *l, uint32_t req, uint64_t now)
{
    struct owner *o = l->owner_dir;
    struct req *r = &l->w->reqs->item[req];
    struct block_place f = find_owned(l, r->addr);
    bool leaves = r->message == OWN_INVALIDATE;
    bool copy = f.line != LINE_NONE && l->c.line[f.line].valid;
    const struct row *row = l1_agent_row(l, f.state, r->message);
    uint64_t mask[2] = {0, 0};
    uint32_t version = 0;
    bool owned = is_owned(f.state);
    if (f.state == OWN_P) {
        struct put *p = &o->put[f.beside];
        mask[0] = p->mask[0], mask[1] = p->mask[1];
        version = p->version;
        owned = p->owned;
        p->lost = row->next == OWN_PI;
    } else if (f.line != LINE_NONE) {
        dirty_bytes(l, f.line, mask);
        version = l->c.version ? l->c.version[f.line] : 0;
    }
    bool supplies = row->action & DO_SUPPLY && has_bytes(mask);
    r->message = !supplies ? DIR_DONE : owned ? DIR_DATA : DIR_BYTES;
    r->reply = REPLY_NONE;
    if (supplies) l1_agent_add_bytes(l, r, mask, version);
    fifo_push(&l->miss_queue, now, req);
    if (f.line == LINE_NONE) return;
    o->state[f.line] = row->next;
    if (leaves || row->next == OWN_IM) l->c.line[f.line].valid = 0;
    l->s.invalidations += copy && !l->c.line[f.line].valid;
    if (row->next == OWN_I) l1_owner_drop(l, f.line);
}

static bool receive_message(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req r = l->w->reqs->item[req];
    if (r.reply == REPLY_NONE) {
        answer_question(l, req, now);
        return true;
    }
    req_free(l->w->reqs, req);
    if (r.message == OWN_GONE)
        end_put(l, &r, now);
    else
        accept_grant(l, &r, now);
    return true;
}

const struct agent_ops l1_owner_ops = {.find = find_owned,
                                       .hit = serve_hit,
                                       .join = join_request,
                                       .request = send_request,
                                       .receive = receive_message};

/* --- synchronisation --- */

static void for_all(struct l1 *l, enum owner_event event, uint64_t now)
{
    struct owner *o = l->owner_dir;
    const struct transitions *t = &l->w->coherence->agent;
    for (uint32_t i = 0; i < l->c.n_lines; i++) {
        if (!l->c.line[i].resident) continue;
        const struct row *row = &t->at[o->state[i]][event];
        if (row->action & DO_NEVER) continue;
        if (row->action & DO_PUT)
            put_line(l, i, now);
        else if (row->action & DO_DROP)
            l1_owner_drop(l, i);
        else
            o->state[i] = row->next;
        l->s.invalidations += (row->action & (DO_PUT | DO_DROP)) != 0;
    }
}

void l1_owner_acquire(struct l1 *l, uint64_t now)
{
    for_all(l, OWN_ACQUIRE, now);
}

void l1_owner_release(struct l1 *l, uint64_t now)
{
    struct owner *o = l->owner_dir;
    for_all(l, OWN_RELEASE, now);
    if (!l->w->coherence->protocol->writers) return;
    for (size_t i = 0; i < o->puts.cap; i++) {
        struct put *p = &o->put[i];
        o->releasing += p->used && !p->released;
        p->released = p->used;
    }
}
