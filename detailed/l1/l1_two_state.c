/* l1_two_state.c - the agent of a protocol without directory (si): carries out the row for the
 * state of an access's block.
 *
 * Plain loads take the way of any L1 (l1_load), and debug builds check that table and cache agree.
 * A store's bytes go to the L2; the block stays if the store writes it whole. Atomics and loads
 * with hints go round the L1: they drop its copy, and a fill in flight is not kept. An acquire
 * drops the whole L1 in one cycle, as nothing in it is dirty. Source: Candel 2019, 2.4.A, 4.5.4;
 * what it leaves open: docs/models/coherence.md. */
#include "detailed/l1/l1_two_state.h"

#include <assert.h>

/* The place of an access's block. */
struct l1_lookup {
    enum agent_state state;
    uint32_t line;  /* its line, or LINE_NONE */
    uint32_t entry; /* MSHR entry of its fill in flight, or MSHR_NONE */
};

static struct l1_lookup find_line(const struct cache *c, uint64_t addr)
{
    struct l1_lookup f = {AGENT_I, cache_find(c, cache_tag(c, addr)), MSHR_NONE};
    if (f.line != LINE_NONE && (c->line[f.line].valid >> cache_sector(c, addr) & 1)) {
        f.state = AGENT_V;
        return f;
    }
    f.entry = mshr_find(&c->mshr, cache_key(c, addr));
    if (f.entry != MSHR_NONE) f.state = c->mshr.entry[f.entry].killed ? AGENT_II : AGENT_IV;
    return f;
}

static struct access access_of(const struct l1_access *la)
{
    return (struct access){
        .addr = la->addr, .kind = (enum access_kind)la->kind, .mask = {la->mask[0], la->mask[1]}};
}

/* Plans a load that uses the cache; the cache's own plan must agree with the table. */
static enum l1_stall look_up(struct l1 *l, const struct l1_access *la, const struct access *a,
                             uint32_t action, uint64_t now)
{
#ifdef PLUMB_CHECKS
    enum verdict v = cache_plan(&l->c, a).verdict;
    assert((v == CACHE_HIT) == ((action & DO_HIT) != 0) && "the table's hits are the cache's");
    assert((v == CACHE_MERGE) <= ((action & DO_JOIN) != 0) && "joins are the cache's");
    assert((v == CACHE_MISS) <= ((action & DO_FETCH) != 0) && "fetches are the cache's");
#else
    (void)action;
#endif
    return l1_load(l, la, a, now);
}

/* Sends the access, or a store's bytes, to the home; NULL: no memory. */
static struct req *send_request(struct l1 *l, const struct l1_access *la, enum req_kind kind,
                                uint64_t now)
{
    uint64_t base = la->addr & ~(uint64_t)(l->grain - 1);
    struct req *r = l1_send(l, la, kind, base, now);
    if (r) r->around_l2 = la->around_l2;
    return r;
}

/* Performs a store. p: where the bytes are kept, if the table says so; present: the line was valid.
 */
static void store_access(struct l1 *l, const struct l1_access *la, const struct access_plan *p,
                         bool present, const struct row *row, uint64_t now)
{
    struct access a = access_of(la);
    bool stays = row->action & DO_INSTALL;
    struct victim v;
    if (stays) cache_apply(&l->c, p, &a, &v);
    if (row->action & DO_WRITE) {
        const struct req *r = send_request(l, la, REQ_WRITE, now);
        if (r && stays) l1_note_version(l, p->line, a.addr, r->version);
    }
    bool hit = row->state == AGENT_V;
    l->s.hits += hit;
    l->s.misses += !hit;
    l->s.sector_misses += !hit && present;
    l->s.evicted_stores += (row->action & DO_DROP) != 0;
    l1_tell(l, la, hit, !hit, now);
}

static void go_round(struct l1 *l, const struct l1_access *la, uint32_t action, uint64_t now)
{
    enum req_kind kind = la->kind == ACCESS_READ ? REQ_READ : REQ_ATOMIC;
    struct l1_access round = *la;
    round.bypass = true;
    if (action & DO_ROUND) send_request(l, &round, kind, now);
    l->s.bypasses++;
    l->s.invalidations += (action & DO_DROP) != 0;
}

enum l1_stall l1_two_state_access(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    struct l1_lookup f = find_line(&l->c, la->addr);
    struct access a = access_of(la);
    struct access_plan p = {.line = LINE_NONE};
    bool whole = cache_stores_whole_sector(&l->c, &a, &p);
    enum agent_event event = agent_event_of(a.kind, la->bypass || la->around_l2, whole);
    const struct row *row = &l->w->coherence->agent.at[f.state][event];
    uint32_t action = row->action;
    if (event == AGENT_LOAD && action & (DO_HIT | DO_JOIN | DO_FETCH))
        return look_up(l, la, &a, action, now);
    if (action & DO_WAIT) return L1_STALL_MERGE;
    if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
    if (action & DO_DISCARD) l->c.mshr.entry[f.entry].killed = true;
    if (action & DO_DROP)
        cache_forget(&l->c, f.line, (uint8_t)(1u << cache_sector(&l->c, la->addr)));
    if (la->kind == ACCESS_WRITE)
        store_access(l, la, &p, f.line != LINE_NONE, row, now);
    else
        go_round(l, la, action, now);
    assert(find_line(&l->c, la->addr).state == row->next &&
           "the state after an access is the table's");
    return L1_GOES;
}

bool l1_two_state_fill(struct l1 *l, const struct req *r)
{
    struct mshr_entry *e = &l->c.mshr.entry[r->entry];
    uint32_t action = l->w->coherence->agent.at[e->killed ? AGENT_II : AGENT_IV][AGENT_FILL].action;
    if (!(action & DO_KEEP)) e->killed = true;
    return action & DO_ANSWER;
}

/* All blocks in one state behave alike, so that the table is consulted once per state. */
void l1_two_state_acquire(struct l1 *l)
{
    const struct transitions *t = &l->w->coherence->agent;
    if (t->at[AGENT_IV][AGENT_ACQUIRE].action & DO_DISCARD) mshr_kill_all(&l->c.mshr);
    if (!(t->at[AGENT_V][AGENT_ACQUIRE].action & DO_DROP)) return;
    for (uint32_t i = 0; i < l->c.n_lines; i++)
        l->s.invalidations += (uint64_t)__builtin_popcount(l->c.line[i].valid);
    cache_invalidate(&l->c);
}
