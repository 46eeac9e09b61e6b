/* l1_agent.c - the agent of every protocol, and the actions of one without directory (si).
 *
 * An access's row names what is done: hit, join, request, store or go round. Under si plain loads
 * take the way of any L1 (l1_load), and debug builds check that table and cache agree. A store's
 * bytes go to the L2; the block stays if the store writes it whole. Atomics and loads with hints go
 * round the L1: they drop its copy, and a fill in flight is not kept. An acquire drops the whole L1
 * in one cycle, as nothing in it is dirty. Source: Candel 2019, 2.4.A, 4.5.4; what it leaves open:
 * docs/models/coherence.md. */
#include "detailed/l1/l1_agent.h"

#include "detailed/l1/l1_owner.h"

#include <assert.h>

/* --- actions that operations share --- */

struct block_place l1_agent_find(const struct l1 *l, uint64_t addr)
{
    return block_place_find(&l->c, BESIDE_NONE, addr);
}

void l1_agent_prepare(struct l1 *l, const struct block_place *at, const struct row *row,
                      uint64_t addr, uint64_t now)
{
    if (row->action & DO_DISCARD) l->c.mshr.entry[at->entry].killed = true;
    if (row->action & DO_CLEAN) l->agent->clean(l, at->beside, now);
    if (!(row->action & DO_DROP)) return;
    cache_forget(&l->c, at->line, (uint8_t)(1u << cache_sector(&l->c, addr)));
    if (row->action & DO_WRITE)
        l->s.evicted_stores++;
    else
        l->s.invalidations++;
}

struct req *l1_agent_send(struct l1 *l, uint64_t addr, uint64_t now)
{
    uint32_t i = req_new(l->w->reqs);
    if (i == REQ_NONE || !fifo_push(&l->miss_queue, now, i)) return NULL;
    struct req *r = &l->w->reqs->item[i];
    r->addr = addr;
    r->sm = l->sm & 1023;
    r->bytes = l->grain & 255u;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    return r;
}

void l1_agent_add_bytes(const struct l1 *l, struct req *r, const uint64_t mask[2], uint32_t version)
{
    r->kind = REQ_WRITE;
    r->version = version;
    req_set_mask(l->w->reqs, r, mask);
}

/* --- operations of a cache without dirty bytes --- */

static struct access access_of(const struct l1_access *la)
{
    return (struct access){
        .addr = la->addr, .kind = (enum access_kind)la->kind, .mask = {la->mask[0], la->mask[1]}};
}

static bool stores_whole(const struct l1 *l, const struct block_place *at,
                         const struct l1_access *la)
{
    (void)at;
    if (la->kind != ACCESS_WRITE) return false;
    struct access a = access_of(la);
    struct access_plan p;
    return cache_stores_whole_sector(&l->c, &a, &p);
}

/* The cache's own plan must agree with the table. */
enum l1_stall l1_agent_load(struct l1 *l, const struct agent_step *x)
{
    struct access a = access_of(x->la);
#ifdef PLUMB_CHECKS
    enum verdict v = cache_plan(&l->c, &a).verdict;
    uint32_t action = x->row->action;
    assert((v == CACHE_HIT) == ((action & DO_HIT) != 0) && "the table's hits are the cache's");
    assert((v == CACHE_MERGE) <= ((action & DO_JOIN) != 0) && "joins are the cache's");
    assert((v == CACHE_MISS) <= ((action & DO_FETCH) != 0) && "fetches are the cache's");
#endif
    return l1_load(l, x->la, &a, x->now);
}

/* Sends the access, or a store's bytes, to the home; NULL: no memory. */
static struct req *send_access(struct l1 *l, const struct l1_access *la, enum req_kind kind,
                               uint64_t now)
{
    struct req *r = l1_send(l, la, kind, la->addr & ~(uint64_t)(l->grain - 1), now);
    if (r) r->around_l2 = la->around_l2 && !l->sync; /* QuickRelease's L2 heeds no hint */
    return r;
}

static enum l1_stall store_through(struct l1 *l, const struct agent_step *x)
{
    struct access a = access_of(x->la);
    struct access_plan p = {.line = LINE_NONE};
    struct victim v;
    bool hit = x->at.state == BLOCK_V, stays = x->row->action & DO_INSTALL;
    if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
    l1_agent_prepare(l, &x->at, x->row, a.addr, x->now);
    if (stays && cache_stores_whole_sector(&l->c, &a, &p)) cache_apply(&l->c, &p, &a, &v);
    if (x->row->action & DO_WRITE) {
        const struct req *r = send_access(l, x->la, REQ_WRITE, x->now);
        if (r && stays) l1_note_version(l, p.line, a.addr, r->version);
    }
    l1_count_look_up(l, x->la, hit, x->at.line != LINE_NONE, x->now);
    return L1_GOES;
}

static const struct agent_ops tags_ops = {.find = l1_agent_find,
                                          .is_full = stores_whole,
                                          .hit = l1_agent_load,
                                          .join = l1_agent_load,
                                          .request = l1_agent_load,
                                          .store = store_through};

bool l1_agent_init(struct l1 *l)
{
    const struct protocol *p = l->w->coherence->protocol;
    if (!l->agent) l->agent = p->directory ? &l1_owner_ops : &tags_ops;
    if (p->directory) l->owner_dir = owner_new(l->p->cache.sets * l->p->cache.ways);
    return !p->directory || l->owner_dir;
}

void l1_agent_fini(struct l1 *l)
{
    owner_free(l->owner_dir);
}

void l1_agent_clear(struct l1 *l)
{
    if (l->owner_dir) owner_clear(l->owner_dir);
}

/* --- accesses --- */

enum { REQUESTS = DO_FETCH | DO_FETCH_OWN | DO_FETCH_N | DO_UPGRADE | DO_UPGRADE_N };

/* Performs the access at the home. The dirty bytes of its block may go ahead. */
static enum l1_stall go_round(struct l1 *l, const struct agent_step *x)
{
    struct l1_access round = *x->la;
    if (!l1_network_room(l, l->sync ? 2 : 1)) return L1_STALL_NETWORK;
    l1_agent_prepare(l, &x->at, x->row, round.addr, x->now);
    round.bypass = true;
    enum req_kind kind = round.kind == ACCESS_READ ? REQ_READ : REQ_ATOMIC;
    if (x->row->action & DO_ROUND) send_access(l, &round, kind, x->now);
    l->s.bypasses++;
    return L1_GOES;
}

enum l1_stall l1_agent_access(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    const struct agent_ops *ops = l->agent;
    const struct transitions *t = &l->w->coherence->agent;
    if (l->owner_dir && l1_owner_holds(l, la)) return L1_STALL_MERGE;
    struct agent_step x = {.la = la, .at = ops->find(l, la->addr), .now = now};
    bool round = la->bypass || la->around_l2;
    bool full = ops->is_full && !round && ops->is_full(l, &x.at, la);
    uint32_t event = transitions_event(t, (enum access_kind)la->kind, round, full);
    x.row = transitions_row(t, x.at.state, event);
    uint32_t action = x.row->action;
    if (action & DO_WAIT)
        return action & DO_PUT ? l1_owner_put_ahead(l, x.at.line, now) : L1_STALL_MERGE;
    if (action & DO_HIT) return ops->hit(l, &x);
    if (action & DO_JOIN) return ops->join(l, &x);
    if (action & REQUESTS) return ops->request(l, &x);
    enum l1_stall stall = la->kind == ACCESS_WRITE ? ops->store(l, &x) : go_round(l, &x);
    assert((stall != L1_GOES || ops->find(l, la->addr).state == x.row->next) &&
           "the state after an access is the table's");
    return stall;
}

/* --- fills and acquires of a cache whose states are in the tags --- */

bool l1_agent_fill(struct l1 *l, const struct req *r)
{
    struct mshr_entry *e = &l->c.mshr.entry[r->entry];
    uint32_t action = l1_agent_row(l, e->killed ? BLOCK_II : BLOCK_IV, AGENT_FILL)->action;
    if (!(action & DO_KEEP)) e->killed = true;
    return action & DO_ANSWER;
}

/* All blocks in one state behave alike, so that the table is consulted once per state. */
static void acquire_tags(struct l1 *l)
{
    if (l1_agent_row(l, BLOCK_IV, AGENT_ACQUIRE)->action & DO_DISCARD) mshr_kill_all(&l->c.mshr);
    if (!(l1_agent_row(l, BLOCK_V, AGENT_ACQUIRE)->action & DO_DROP)) return;
    for (uint32_t i = 0; i < l->c.n_lines; i++)
        l->s.invalidations += (uint64_t)__builtin_popcount(l->c.line[i].valid);
    cache_invalidate(&l->c);
}

void l1_agent_acquire(struct l1 *l, uint64_t now)
{
    if (l->owner_dir)
        l1_owner_acquire(l, now);
    else
        acquire_tags(l);
}
