/* l1_access.c - decides one access of an L1 at the end of its look-up; see l1_internal.h. */
#include "detailed/l1/l1_agent.h"
#include "detailed/l1/l1_side.h"

struct req *l1_send(struct l1 *l, const struct l1_access *a, enum req_kind kind, uint64_t addr,
                    uint64_t now)
{
    uint32_t i = req_take(l->w->reqs);
    if (i == REQ_NONE || !fifo_push(&l->miss_queue, now, i)) return NULL;
    struct req *r = &l->w->reqs->item[i];
    *r = (struct req){.addr = addr,
                      .vinst = a->vinst,
                      .next = REQ_NONE,
                      .sm = l->sm & 1023,
                      .kind = kind & 3u,
                      .bytes = l->grain & 255u,
                      .bypass_l1 = !l->cache_on || (a->bypass && l->ways.hints)};
    if (kind == REQ_READ) return r;
    req_set_mask(l->w->reqs, r, a->mask);
    r->version = shadow_store(l->w->shadow);
    return r;
}

/* The request is for all sectors that the access takes. */
static __attribute__((noinline)) void join_sectors(struct l1 *l, const struct l1_access *a,
                                                   struct req *r)
{
    r->vinst = l1_accesses(a->vinst, l->took - 1);
    r->bytes = l->took * l->grain & 255u;
    l->sending_more += l->took - 1;
    if (r->kind != REQ_READ) req_set_mask(l->w->reqs, r, a->mask);
}

/* Sends the sectors that the access takes. */
static inline struct req *send_sectors(struct l1 *l, const struct l1_access *a, enum req_kind kind,
                                       uint64_t now)
{
    struct req *r = l1_send(l, a, kind, a->addr & ~(uint64_t)(l->grain - 1), now);
    if (r && l->took > 1) join_sectors(l, a, r);
    return r;
}

void l1_note_version(struct l1 *l, uint32_t line, uint64_t addr, uint32_t version)
{
    if (!SHADOW_ON) return;
    l->c.version[(size_t)line * l->c.sectors + cache_sector(&l->c, addr)] = version;
    shadow_put(l->w->shadow, &l->w->shadow->l1[l->sm], cache_key(&l->c, addr), version);
}

static void expect_versions(const struct l1 *l, uint32_t line, uint64_t addr)
{
    for (uint32_t k = 0; SHADOW_ON && k < l->took; k++, addr += l->grain) {
        uint32_t version = l->c.version[(size_t)line * l->c.sectors + cache_sector(&l->c, addr)];
        shadow_expect(l->w->shadow, &l->w->shadow->l1[l->sm], cache_key(&l->c, addr), version);
        shadow_served(l->w->shadow, l->sm, addr, version);
    }
}

void l1_write_back(struct l1 *l, const struct victim *v, uint64_t now)
{
    if (!v->dirty) return;
    for (uint32_t sector = 0; sector < l->c.sectors; sector++) {
        if (!(v->dirty >> sector & 1)) continue;
        struct l1_access a = {.vinst = UINT32_MAX};
        cache_dirty_bytes(&l->c, v, sector, a.mask);
        l1_send(l, &a, REQ_WRITE,
                (v->tag << l->c.line_shift) + ((uint64_t)sector << l->c.sector_shift), now);
    }
}

static enum l1_stall go_round(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    enum req_kind kind = a->kind == ACCESS_READ    ? REQ_READ
                         : a->kind == ACCESS_WRITE ? REQ_WRITE
                                                   : REQ_ATOMIC;
    struct req *r = l1_send(l, a, kind, a->addr & ~(uint64_t)(l->grain - 1), now);
    if (r) r->bypass_l1 = true;
    l->s.bypasses++;
    return L1_GOES;
}

/* Removes the L1's copy of the sector for an atomic or a bypassing access; dirty bytes are sent
 * ahead of the access. */
static void drop_copy(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    uint32_t line = cache_find(&l->c, cache_tag(&l->c, a->addr));
    uint32_t entry = cache_fill_of(&l->c, line, cache_key(&l->c, a->addr));
    if (entry != MSHR_NONE) cache_kill_fill(&l->c, entry, a->addr);
    if (line == LINE_NONE) return;
    uint8_t bit = (uint8_t)(1u << cache_sector(&l->c, a->addr));
    struct victim v = cache_dirty(&l->c, line, bit);
    l1_write_back(l, &v, now);
    cache_forget(&l->c, line, bit);
}

static enum l1_stall bypass(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    if (!l1_network_room(l, 2)) return L1_STALL_NETWORK;
    if (l->goes_ahead && !l1_side_ahead(l, a, true, now)) return L1_STALL_NETWORK;
    drop_copy(l, a, now);
    return go_round(l, a, now);
}

enum l1_stall l1_load(struct l1 *l, const struct l1_access *la, const struct access *a,
                      uint64_t now)
{
    struct access_plan p;
    struct victim v; /* cache_apply sets it */
    struct req *sent;
    uint32_t entry;
    bool present;
    cache_plan_into(&l->c, a, &p);
    uint32_t n = l->took = 1 + p.more, waiter = l1_accesses(la->vinst, p.more);
    switch (p.verdict) {
    case CACHE_HIT:
        cache_apply(&l->c, &p, a, &v);
        expect_versions(l, p.line, a->addr);
        if (l->hears) L1_TELL(l, hit, l, la, p.line);
        l->s.hits += n;
        l->s.read_hits += n;
        l1_tell(l, la, true, false, now);
        l1_done(l, waiter, now);
        return L1_GOES;
    case CACHE_MERGE:
        cache_apply(&l->c, &p, a, &v);
        if (l->hears) L1_TELL(l, joins, l, la, p.entry);
        mshr_wait(&l->c.mshr, p.entry, waiter);
        l->s.merges += n;
        l1_tell(l, la, false, false, now);
        return L1_GOES;
    case CACHE_MISS:
        if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
        present = p.present || (l->c.p.tags && cache_has_tag(&l->c, a->addr));
        if (l->hears) L1_TELL(l, misses, l, &p);
        entry = cache_apply(&l->c, &p, a, &v);
        if (entry == MSHR_NONE || !mshr_wait(&l->c.mshr, entry, waiter))
            return L1_STALL_LINE; /* no memory: the run has failed */
        l1_write_back(l, &v, now);
        sent = send_sectors(l, la, REQ_READ, now);
        if (!sent) return L1_STALL_LINE;
        sent->entry = entry;
        sent->refused = la->refused;
        sent->turn = la->turn;
        if (l->hears) L1_TELL(l, missed, l, la, &p, sent);
        *(sent->predicted ? &l->s.bypasses : &l->s.misses) += n;
        if (!la->again) l->s.sector_misses += n - !present; /* the first takes the line */
        l1_tell(l, la, false, !sent->predicted, now);
        if (l->hears) L1_TELL(l, under_way, l, la, now);
        return L1_GOES;
    case CACHE_STALL_MSHR: return L1_STALL_MSHR;
    case CACHE_STALL_MERGE: return L1_STALL_MERGE;
    case CACHE_STALL_LINE:
    case CACHE_ALLOCATE:
    case CACHE_PASS: break;
    }
    return L1_STALL_LINE;
}

/* Called when a store's bytes are in `line`. */
static void note_stored(struct l1 *l, const struct l1_access *la, const struct access *a,
                        uint32_t line, uint64_t now)
{
    if (!a->through) {
        l1_note_version(l, line, la->addr, shadow_store(l->w->shadow));
        l->kept = true;
        return;
    }
    const struct req *r = send_sectors(l, la, REQ_WRITE, now);
    for (uint32_t k = 0; SHADOW_ON && r && k < l->took; k++)
        l1_note_version(l, line, la->addr + (uint64_t)k * l->grain, r->version);
}

static enum l1_stall store_access(struct l1 *l, const struct l1_access *la, struct access *a,
                                  uint64_t now)
{
    if (!l1_network_room(l, 1)) return L1_STALL_NETWORK;
    a->joins = !a->through && (a->allocate || l->p->cache.write_miss != WRITE_MISS_NO_ALLOCATE);
    struct access_plan p;
    struct victim v;
    cache_plan_into(&l->c, a, &p);
    l->took = 1 + p.more;
    bool hit = p.verdict == CACHE_HIT || (p.verdict == CACHE_ALLOCATE && p.written);
    bool present = p.present || (l->c.p.tags && cache_has_tag(&l->c, a->addr));
    switch (p.verdict) {
    case CACHE_HIT:
    case CACHE_ALLOCATE:
        cache_apply(&l->c, &p, a, &v);
        l1_write_back(l, &v, now);
        note_stored(l, la, a, p.line, now);
        break;
    case CACHE_PASS:
        cache_apply(&l->c, &p, a, &v);
        send_sectors(l, la, REQ_WRITE, now);
        break;
    case CACHE_MISS:  /* machine_check refuses fetch on write for an L1 */
    case CACHE_MERGE: /* it must wait for the fill, whose waiters must not see the store */
    case CACHE_STALL_MERGE:
    case CACHE_STALL_MSHR:
    case CACHE_STALL_LINE: return L1_STALL_LINE;
    }
    l1_count_look_up(l, la, hit, present, now);
    if (p.verdict == CACHE_ALLOCATE && !present) l->s.sector_misses += l->took - 1;
    return L1_GOES;
}

/* Sends the store to the L2 and removes the L1's copy of its sector. */
static enum l1_stall store_evict(struct l1 *l, const struct l1_access *la, const struct access *a,
                                 uint64_t now)
{
    if (!l1_network_room(l, 2)) return L1_STALL_NETWORK;
    struct access_plan p = cache_plan(&l->c, a);
    bool hit = p.verdict == CACHE_HIT;
    drop_copy(l, la, now);
    l1_send(l, la, REQ_WRITE, la->addr & ~(uint64_t)(l->grain - 1), now);
    l1_count_look_up(l, la, hit, p.present, now);
    return L1_GOES;
}

enum l1_stall l1_decide(struct l1 *l, const struct l1_access *la, uint64_t now)
{
    l->took = 1;
    if (la->way == L1_LOAD && !l->goes_ahead) {
        const struct access load = {.addr = la->addr, .kind = ACCESS_READ, .more = la->more};
        return l1_load(l, la, &load, now);
    }
    struct l1_access whole = *la; /* accesses may be smaller than sectors: convert the mask */
    bytemask_up(la->mask, (uint32_t)(la->addr & (l->grain - 1)), whole.mask);
    if (la->way == L1_PROTOCOL) return l1_agent_access(l, &whole, now);
    struct access a = {.addr = la->addr,
                       .kind = (enum access_kind)la->kind,
                       .more = la->more,
                       .mask = {whole.mask[0], whole.mask[1]}};
    l1_way_store((enum l1_way)la->way, &a);
    switch ((enum l1_way)la->way) {
    case L1_NONE: return l1_network_room(l, 1) ? go_round(l, &whole, now) : L1_STALL_NETWORK;
    case L1_PROTOCOL:
    case L1_ROUND: return bypass(l, &whole, now);
    case L1_PREDICTED:
        if (!l1_agcb_passes(l, la)) break;
        return l1_network_room(l, 1) ? go_round(l, la, now) : L1_STALL_NETWORK;
    case L1_LOAD: break;
    case L1_EVICT: return store_evict(l, &whole, &a, now);
    case L1_COMBINE: return l1_combine_store(l, &whole, &a, now);
    case L1_THROUGH:
    case L1_BACK:
    case L1_OWN: return store_access(l, &whole, &a, now);
    }
    if (l->goes_ahead && !l1_side_ahead(l, la, false, now)) return L1_STALL_NETWORK;
    return l1_load(l, la, &a, now);
}
