/* l1_moesi.c - the agent of MOESI and NMOESI: carries out the rows of their tables
 * (gpu/coherence/moesi.c, nmoesi.c) in an L1.
 *
 * A miss takes a line and an MSHR, puts the line's old block and sends one request to the home;
 * loads, stores and atomics to the block wait in the MSHR and are performed in order when the grant
 * comes. A put block is kept beside the cache until the home acknowledges it, so that probes still
 * find its bytes. A probe goes back as its own answer. An acquire and a release apply their event
 * to all lines in one cycle. Source: Candel 2019, 4.5.4, 4.6.4; what it leaves open:
 * docs/models/coherence.md. */
#include "detailed/l1/l1_moesi.h"

#include "detailed/l1/l1_moesi_state.h"
#include "gpu/geometry/bytemask.h"

#include <assert.h>

/* --- look-up --- */

struct moesi_lookup {
    enum owner_state state;
    uint32_t line, put; /* LINE_NONE, OWNER_NONE */
};

static struct moesi_lookup find_line(const struct l1 *l, uint64_t addr)
{
    const struct owner *o = l->owner_dir;
    struct moesi_lookup f = {OWN_I, cache_find(&l->c, cache_tag(&l->c, addr)), OWNER_NONE};
    if (f.line != LINE_NONE) {
        f.state = (enum owner_state)o->state[f.line];
        return f;
    }
    const uint32_t *at = hash_map_get(&o->put_at, cache_key(&l->c, addr));
    if (!at) return f;
    f.put = *at;
    f.state = o->put[f.put].lost ? OWN_PI : OWN_P;
    return f;
}

static const struct row *row_at(const struct l1 *l, enum owner_state state, enum owner_event event)
{
    const struct row *row = &l->w->coherence->agent.at[state][event];
    assert(!(row->action & DO_NEVER) && "the agent's table has a row for it");
    return row;
}

static uint64_t line_addr(const struct l1 *l, uint32_t line)
{
    return l->c.line[line].tag << l->c.line_shift;
}

/* --- sending --- */

static struct req *send_message(struct l1 *l, uint64_t addr, enum dir_event message, uint64_t now)
{
    uint32_t i = req_new(l->w->reqs);
    if (i == REQ_NONE || !fifo_push(&l->miss_queue, now, i)) {
        l->no_memory = true;
        return NULL;
    }
    struct req *r = &l->w->reqs->item[i];
    r->addr = addr;
    r->sm = l->sm & 1023;
    r->bytes = (uint8_t)l->grain;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    r->message = (uint16_t)message;
    return r;
}

static void with_bytes(const struct l1 *l, struct req *r, const uint64_t mask[2], uint32_t version)
{
    if (!mask[0] && !mask[1]) return;
    r->kind = REQ_WRITE;
    r->version = version;
    req_set_mask(l->w->reqs, r, mask);
}

static bool is_owned(enum owner_state s)
{
    return s == OWN_M || s == OWN_O || s == OWN_OM;
}

/* The bytes of a line that are newer than the L2's. */
static void dirty_bytes(const struct l1 *l, uint32_t line, uint64_t mask[2])
{
    const struct owner *o = l->owner_dir;
    mask[0] = mask[1] = 0;
    if (is_owned((enum owner_state)o->state[line]))
        bytemask_first(l->grain, mask);
    else if (o->state[line] == OWN_N)
        mask[0] = o->written[line][0], mask[1] = o->written[line][1];
}

static void drop_line(struct l1 *l, uint32_t line)
{
    l->owner_dir->state[line] = OWN_I;
    cache_drop(&l->c, line);
}

void l1_moesi_forget(struct l1 *l, uint32_t line)
{
    drop_line(l, line);
}

/* Evicts the line and informs the home. */
static void put_line(struct l1 *l, uint32_t line, uint64_t now)
{
    struct owner *o = l->owner_dir;
    enum owner_state state = (enum owner_state)o->state[line];
    uint64_t addr = line_addr(l, line);
    uint32_t i = owner_take_put(o);
    if (i == OWNER_NONE) {
        l->no_memory = true;
        return;
    }
    struct put *p = &o->put[i];
    *p = (struct put){
        .used = true, .owned = is_owned(state), .version = l->c.version ? l->c.version[line] : 0};
    dirty_bytes(l, line, p->mask);
    if (!hash_map_put(&o->put_at, cache_key(&l->c, addr), i)) l->no_memory = true;
    drop_line(l, line);
    enum dir_event message = p->owned ? DIR_PUT : state == OWN_N ? DIR_MERGE : DIR_LEAVE;
    struct req *r = send_message(l, addr, message, now);
    if (r) with_bytes(l, r, p->mask, p->version);
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

static void touch_line(struct l1 *l, uint32_t line)
{
    uint32_t set = cache_set_of_line(&l->c, line);
    l->c.repl.ops->touch(&l->c.repl, set, line - set * l->c.p.ways);
}

static enum l1_stall serve_hit(struct l1 *l, const struct l1_access *la, uint32_t line,
                               const struct row *row, uint64_t now)
{
    struct waiter w = {.mask = {la->mask[0], la->mask[1]}, .vinst = la->vinst, .kind = la->kind};
    if (row->action & DO_PUT && !l1_network_room(l, 1)) return L1_STALL_NETWORK;
    touch_line(l, line);
    l->s.hits++;
    l1_tell(l, la, true, false, now);
    if (la->kind == ACCESS_READ) {
        note_served(l, line, la->addr);
        l->s.read_hits++;
        l->s.modified_hits += row->state == OWN_M;
        l1_done(l, la->vinst, now);
    } else {
        perform_access(l, line, la->addr, &w);
        l->kept = true;
    }
    if (row->action & DO_PUT)
        put_line(l, line, now);
    else
        l->owner_dir->state[line] = row->next;
    return L1_GOES;
}

static bool wait_in(struct l1 *l, uint32_t entry, const struct l1_access *la)
{
    struct owner *o = l->owner_dir;
    uint32_t i = owner_take_waiter(o);
    if (i == OWNER_NONE) return false;
    o->waiter[i] =
        (struct waiter){.mask = {la->mask[0], la->mask[1]}, .vinst = la->vinst, .kind = la->kind};
    return mshr_wait(&l->c.mshr, entry, i);
}

static enum l1_stall join_request(struct l1 *l, const struct l1_access *la,
                                  const struct moesi_lookup *f, const struct row *row, uint64_t now)
{
    uint32_t entry = mshr_find(&l->c.mshr, cache_key(&l->c, la->addr));
    assert(entry != MSHR_NONE && "what is in flight has an MSHR");
    if (!mshr_can_merge(&l->c.mshr, entry)) return L1_STALL_MERGE;
    if (!wait_in(l, entry, la)) l->no_memory = true;
    l->owner_dir->state[f->line] = row->next;
    l->s.merges++;
    l1_tell(l, la, false, false, now);
    return L1_GOES;
}

static enum dir_event message_of(uint32_t action)
{
    if (action & DO_FETCH_OWN) return DIR_READ_OWN;
    if (action & DO_FETCH_N) return DIR_READ_N;
    if (action & DO_UPGRADE) return DIR_UPGRADE;
    return action & DO_UPGRADE_N ? DIR_UPGRADE_N : DIR_READ;
}

/* Makes room for a missing block and returns its line; LINE_NONE: all lines of the set have fills
 * in flight. */
static uint32_t make_room(struct l1 *l, uint64_t addr, uint64_t now)
{
    struct victim v;
    uint64_t tag = cache_tag(&l->c, addr);
    uint32_t line = cache_victim(&l->c, tag, false);
    if (line == LINE_NONE) return line;
    if (l->c.line[line].resident) {
        row_at(l, (enum owner_state)l->owner_dir->state[line], OWN_REPLACE);
        put_line(l, line, now);
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

static enum l1_stall send_request(struct l1 *l, const struct l1_access *la,
                                  const struct moesi_lookup *f, const struct row *row, uint64_t now)
{
    struct owner *o = l->owner_dir;
    uint64_t base = la->addr & ~(uint64_t)(l->grain - 1);
    if (!mshr_has_room(&l->c.mshr)) return L1_STALL_MSHR;
    if (!l1_network_room(l, 2)) return L1_STALL_NETWORK;
    uint32_t line = f->line == LINE_NONE ? make_room(l, la->addr, now) : f->line;
    if (line == LINE_NONE) return L1_STALL_LINE;
    uint32_t entry = mshr_alloc(&l->c.mshr, cache_key(&l->c, la->addr));
    if (entry == MSHR_NONE || !wait_in(l, entry, la)) {
        l->no_memory = true;
        return L1_STALL_LINE;
    }
    if (row->action & DO_DROP) l->c.line[line].valid = 0;
    l->c.mshr.entry[entry].line = line;
    l->c.line[line].pending = 1;
    o->state[line] = row->next;
    o->storing = l->w->stores_in_order && owns_line(l, la);
    if (f->state != OWN_N) o->written[line][0] = o->written[line][1] = 0;
    send_message(l, base, message_of(row->action), now);
    l->s.misses++;
    l1_tell(l, la, false, true, now);
    return L1_GOES;
}

static enum owner_event event_of(const struct l1 *l, const struct l1_access *la)
{
    bool round = (la->bypass || la->around_l2) && l->w->coherence->protocol->writers;
    switch ((enum access_kind)la->kind) {
    case ACCESS_READ: return round ? OWN_LOAD_GLC : OWN_LOAD;
    case ACCESS_WRITE: return round ? OWN_STORE_GLC : OWN_STORE;
    case ACCESS_ATOMIC: break;
    }
    return OWN_ATOMIC;
}

enum l1_stall l1_moesi_access(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    struct moesi_lookup f = find_line(l, la->addr);
    if (l->owner_dir->releasing && la->kind != ACCESS_READ) return L1_STALL_MERGE;
    if (l->owner_dir->storing) return L1_STALL_MERGE;
    bool older = l->c.mshr.used || l->waiting;
    if (l->w->stores_in_order && older && owns_line(l, la)) return L1_STALL_MERGE;
    const struct row *row = row_at(l, f.state, event_of(l, la));
    if (row->action & DO_WAIT) {
        if (row->action & DO_PUT && !l1_network_room(l, 1)) return L1_STALL_NETWORK;
        if (row->action & DO_PUT) put_line(l, f.line, now);
        return L1_STALL_MERGE;
    }
    if (row->action & DO_HIT) return serve_hit(l, la, f.line, row, now);
    if (row->action & DO_JOIN) return join_request(l, la, &f, row, now);
    return send_request(l, la, &f, row, now);
}

/* --- replies and probes of the home --- */

static void serve_waiters(struct l1 *l, uint32_t line, uint64_t addr, uint32_t entry, uint64_t now)
{
    struct owner *o = l->owner_dir;
    uint32_t i;
    while (mshr_next_waiter(&l->c.mshr, entry, &i)) {
        struct waiter w = o->waiter[i];
        owner_give_waiter(o, i);
        if (w.kind == ACCESS_READ)
            note_served(l, line, addr);
        else
            perform_access(l, line, addr, &w);
        if (l->p->wake == WAKE_TOGETHER)
            l1_done(l, w.vinst, now);
        else if (!fifo_push(&l->wake, now, w.vinst))
            l->no_memory = true;
    }
    mshr_release(&l->c.mshr, entry);
}

static void accept_grant(struct l1 *l, const struct req *r, uint64_t now)
{
    struct moesi_lookup f = find_line(l, r->addr);
    uint32_t entry = mshr_find(&l->c.mshr, cache_key(&l->c, r->addr));
    assert(f.line != LINE_NONE && entry != MSHR_NONE && "a grant is of what is in flight");
    const struct row *row = row_at(l, f.state, (enum owner_event)r->message);
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
        drop_line(l, f.line);
}

static void end_put(struct l1 *l, const struct req *r)
{
    struct owner *o = l->owner_dir;
    uint64_t key = cache_key(&l->c, r->addr);
    const uint32_t *at = hash_map_get(&o->put_at, key);
    assert(at && "the home answers to what was put");
    uint32_t i = *at;
    o->releasing -= o->put[i].released;
    owner_give_put(o, i);
    hash_map_del(&o->put_at, key);
}

/* Returns the probe to the home as its answer. */
static void answer_question(struct l1 *l, uint32_t req, uint64_t now)
{
    struct owner *o = l->owner_dir;
    struct req *r = &l->w->reqs->item[req];
    struct moesi_lookup f = find_line(l, r->addr);
    bool leaves = r->message == OWN_INVALIDATE;
    bool copy = f.line != LINE_NONE && l->c.line[f.line].valid;
    const struct row *row = row_at(l, f.state, (enum owner_event)r->message);
    uint64_t mask[2] = {0, 0};
    uint32_t version = 0;
    bool owned = is_owned(f.state);
    if (f.state == OWN_P) {
        mask[0] = o->put[f.put].mask[0], mask[1] = o->put[f.put].mask[1];
        version = o->put[f.put].version;
        owned = o->put[f.put].owned;
        o->put[f.put].lost = row->next == OWN_PI;
    } else if (f.line != LINE_NONE) {
        dirty_bytes(l, f.line, mask);
        version = l->c.version ? l->c.version[f.line] : 0;
    }
    bool supplies = row->action & DO_SUPPLY && (mask[0] || mask[1]);
    r->message = !supplies ? DIR_DONE : owned ? DIR_DATA : DIR_BYTES;
    r->reply = REPLY_NONE;
    if (supplies) with_bytes(l, r, mask, version);
    if (!fifo_push(&l->miss_queue, now, req)) l->no_memory = true;
    if (f.line == LINE_NONE) return;
    o->state[f.line] = row->next;
    if (leaves || row->next == OWN_IM) l->c.line[f.line].valid = 0;
    l->s.invalidations += copy && !l->c.line[f.line].valid;
    if (row->next == OWN_I) drop_line(l, f.line);
}

void l1_moesi_receive(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req r = l->w->reqs->item[req];
    if (r.reply == REPLY_NONE) {
        answer_question(l, req, now);
        return;
    }
    req_free(l->w->reqs, req);
    if (r.message == OWN_GONE)
        end_put(l, &r);
    else
        accept_grant(l, &r, now);
}

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
            drop_line(l, i);
        else
            o->state[i] = row->next;
        l->s.invalidations += (row->action & (DO_PUT | DO_DROP)) != 0;
    }
}

void l1_moesi_acquire(struct l1 *l, uint64_t now)
{
    for_all(l, OWN_ACQUIRE, now);
}

void l1_moesi_release(struct l1 *l, uint64_t now)
{
    struct owner *o = l->owner_dir;
    for_all(l, OWN_RELEASE, now);
    if (!l->w->coherence->protocol->writers) return;
    for (size_t i = 0; i < o->puts; i++) {
        struct put *p = &o->put[i];
        o->releasing += p->used && !p->released;
        p->released = p->used;
    }
}
