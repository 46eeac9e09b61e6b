/* l2_copies.c - copies of lines that have their home in another partition: what a slice asks of the
 * home for its SMs, and what it keeps of what comes.
 *
 * A fetch has an MSHR of its own and takes a line when the data come, not before. A store or atomic
 * that the home performs removes the copies of all other partitions in that cycle; the notice costs
 * bytes of the link, no time [A]. More: l2_link.h, docs/models/partitions.md. */
#include "detailed/l2/l2_link.h"
#include "detailed/l2/l2_trains.h"

static const struct req *item_of(const struct l2_slice *s, uint32_t req)
{
    return &s->w->reqs->item[req];
}

/* The copy on its way of the sector with this key; MSHR_NONE: none. Those for several sectors are
 * found by their first. */
static uint32_t find_fetch(const struct l2_slice *s, uint64_t key)
{
    const struct mshr *m = &s->link->mshr;
    uint32_t before = s->joins ? cache_sector(&s->c, key << s->c.sector_shift) : 0;
    uint32_t e = mshr_find(m, key);
    if (before >= MSHR_SECTORS) before = MSHR_SECTORS - 1;
    for (uint32_t k = 1; e == MSHR_NONE && k <= before; k++) {
        e = mshr_find(m, key - k);
        if (e != MSHR_NONE && !mshr_covers(&m->entry[e], key)) return MSHR_NONE;
    }
    return e;
}

/* Removes the slice's copy of the sector, and does not keep one whose data have left the home, or,
 * with `any`, one that is asked for. */
static void drop_copy(struct l2_slice *s, uint64_t addr, bool any)
{
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, addr));
    uint64_t key = cache_key(&s->c, addr);
    uint32_t e = s->link->mshr.used ? find_fetch(s, key) : MSHR_NONE;
    struct mshr_entry *fetch = e == MSHR_NONE ? NULL : &s->link->mshr.entry[e];
    if (fetch && (any || fetch->phase)) fetch->killed |= 1u << (key - fetch->key) & MSHR_ALL;
    if (line == LINE_NONE || !(s->c.line[line].valid & bit)) return;
    cache_forget(&s->c, line, bit);
    s->s.copy_drops++;
}

void l2_link_performed(struct l2_slice *s, uint64_t addr)
{
    for (uint32_t i = 0; i < s->p->partitions; i++) {
        if (i == s->link->partition) continue;
        struct l2_slice *near = l2_link_peer(s, i);
        uint64_t drops = near->s.copy_drops;
        drop_copy(near, addr, false);
        if (near->s.copy_drops != drops) l2_link_notice(s);
    }
}

/* A read's sectors from an address on that have one outcome. */
struct sectors {
    uint64_t addr;
    uint32_t more; /* behind the first */
    uint32_t left; /* sectors of the request from the first on; 0: it is for one */
};

static void count_part(struct l2_slice *s, uint32_t req, const struct sectors *part,
                       enum verdict verdict)
{
    struct req *r = &s->w->reqs->item[req];
    struct access_plan p = {
        .verdict = verdict, .line = LINE_NONE, .entry = MSHR_NONE, .more = part->more};
    if (part->left || !r->counted) l2_count_part(s, r, part->addr, &p);
    r->counted = true;
}

static void begin_part(struct l2_slice *s, uint32_t req, const struct sectors *part)
{
    if (part->left) l2_begin_part(&s->w->reqs->item[req], part->left, part->more);
}

static bool wait_for_copy(struct l2_slice *s, uint32_t entry, uint32_t req,
                          const struct sectors *part)
{
    begin_part(s, req, part);
    if (part->left) s->w->reqs->item[req].open++;
    return mshr_wait(&s->link->mshr, entry, req);
}

/* Sends for copies of the part's sectors. */
static void fetch_copies(struct l2_slice *s, struct l2_slice *home, uint32_t req,
                         const struct sectors *part, uint64_t now)
{
    struct l2_link *k = s->link;
    uint64_t key = cache_key(&s->c, part->addr);
    uint32_t sm = item_of(s, req)->sm, entry = mshr_alloc_run(&k->mshr, key, part->more);
    uint32_t fetch = req_new(s->w->reqs); /* the pool may move */
    if (entry == MSHR_NONE || fetch == REQ_NONE || !wait_for_copy(s, entry, req, part)) return;
    struct req *f = &s->w->reqs->item[fetch];
    f->addr = key << s->c.sector_shift;
    f->entry = entry;
    f->sm = sm & 1023u;
    f->kind = REQ_READ;
    f->bytes = (1 + part->more) * s->c.p.sector_bytes & 255u;
    f->bypass_l1 = true;
    k->mshr.entry[entry].phase = 0;
    s->s.copy_fetches += 1 + part->more;
    l2_link_send(s, home, fetch, now);
}

static void serve_copies(struct l2_slice *s, uint32_t req, const struct sectors *part,
                         uint32_t line)
{
    struct access a = {.addr = part->addr, .kind = ACCESS_READ, .more = part->more};
    struct access_plan p = {.verdict = CACHE_HIT,
                            .line = line,
                            .entry = MSHR_NONE,
                            .present = true,
                            .more = part->more};
    struct victim v;
    cache_apply(&s->c, &p, &a, &v);
    s->s.copy_hits += 1 + part->more;
    count_part(s, req, part, CACHE_HIT);
    begin_part(s, req, part);
    l2_serve_part(s, req, &a, line);
}

/* How many of a part's sectors behind the first are like it: bits of those that are. */
static uint32_t alike(uint32_t bits, uint32_t more)
{
    uint32_t n = (uint32_t)__builtin_ctz(~(bits >> 1) | 1u << more);
    return n < more ? n : more;
}

/* The sectors of the part, as bits from its first on, of which a copy is on its way. */
static uint32_t on_their_way(const struct l2_slice *s, const struct sectors *part)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; s->link->mshr.used && k <= part->more; k++)
        if (find_fetch(s, cache_key(&s->c, part->addr) + k) != MSHR_NONE) bits |= 1u << k;
    return bits;
}

/* Decides the first sectors of a read's part that have one outcome, and makes it the part for
 * these; false: they wait at the head. */
static bool read_part(struct l2_slice *s, struct l2_slice *home, uint32_t req, struct sectors *part,
                      uint64_t now)
{
    struct mshr *m = &s->link->mshr;
    uint64_t key = cache_key(&s->c, part->addr);
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, part->addr));
    uint32_t have = line == LINE_NONE ? 0 : s->c.line[line].valid;
    have >>= cache_sector(&s->c, part->addr);
    if (have & 1) {
        part->more = alike(have, part->more);
        serve_copies(s, req, part, line);
        return true;
    }
    uint32_t entry = find_fetch(s, key);
    if (entry != MSHR_NONE) {
        const struct mshr_entry *e = &m->entry[entry];
        uint32_t nth = (uint32_t)(key - e->key), covered = (2u << e->more) - 1;
        uint32_t may = (covered & ~mshr_overtaken(m, entry)) >> nth & ~have;
        if (!(may & 1) || !mshr_can_merge(m, entry)) return false;
        part->more = alike(may, part->more);
        count_part(s, req, part, CACHE_MERGE);
        return wait_for_copy(s, entry, req, part);
    }
    if (!mshr_has_room(m) || !l2_link_has_room(s, home)) return false;
    uint32_t room = mshr_room_for_more(m);
    if (part->more) part->more = alike(~(have | on_their_way(s, part)), part->more);
    if (part->more > room) part->more = room;
    fetch_copies(s, home, req, part, now);
    return true;
}

bool l2_link_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    uint64_t addr = item_of(s, req)->addr;
    struct l2_slice *home = l2_link_home(s, addr);
    uint32_t more = l2_more(s, item_of(s, req));
    if (item_of(s, req)->kind != REQ_READ) {
        if (!l2_link_has_room(s, home)) return false;
        for (uint32_t k = 0; k <= more; k++)
            drop_copy(s, addr + ((uint64_t)k << s->c.sector_shift), true);
        s->s.link_writes += 1 + more;
        l2_link_send(s, home, req, now);
        return true;
    }
    uint32_t from = more ? item_of(s, req)->looked_up : 0, end = from + (more ? s->at_once : 1);
    while (from < end) {
        struct sectors part = {.addr = addr + ((uint64_t)from << s->c.sector_shift),
                               .more = end - 1 - from,
                               .left = more ? more + 1 - from : 0};
        if (!read_part(s, home, req, &part, now)) return false;
        from += 1 + part.more;
    }
    return true;
}

/* Takes a line for copies that have come; LINE_NONE: all are reserved, and they are not kept. */
static uint32_t line_for_copies(struct l2_slice *s, uint64_t tag)
{
    uint32_t line = cache_find(&s->c, tag);
    struct victim v = {0};
    if (line != LINE_NONE) return line;
    line = cache_victim(&s->c, tag, false);
    if (line == LINE_NONE) return line;
    cache_take(&s->c, line, tag, &v);
    if (v.dirty) l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
    return line;
}

static uint32_t version_of(const struct l2_slice *s, uint32_t fetch, uint32_t nth)
{
    return *req_version(s->w->reqs, &s->w->reqs->item[fetch], nth);
}

/* Keeps the sectors of a fetch that no store has overtaken. */
static void keep_copies(struct l2_slice *s, uint32_t fetch, const struct mshr_entry *e)
{
    uint64_t addr = e->key << s->c.sector_shift;
    uint32_t kept = ((2u << e->more) - 1) & ~e->killed, sector = cache_sector(&s->c, addr);
    uint32_t line = kept ? line_for_copies(s, cache_tag(&s->c, addr)) : LINE_NONE;
    if (line == LINE_NONE) return;
    s->c.line[line].valid |= (uint8_t)(kept << sector);
    for (uint32_t k = 0; k <= e->more; k++) {
        if (!(kept >> k & 1)) continue;
        if (SHADOW_ON)
            s->c.version[(size_t)line * s->c.sectors + sector + k] = version_of(s, fetch, k);
        l2_fill_bank(s, addr + ((uint64_t)k << s->c.sector_shift), s->link->now);
    }
}

/* Hands a fetch's data to a read that waits for them. */
static void answer_waiter(struct l2_slice *s, uint32_t req, uint32_t fetch,
                          const struct mshr_entry *e)
{
    struct req *r = &s->w->reqs->item[req];
    uint64_t first = cache_key(&s->c, r->addr);
    uint32_t more = l2_more(s, r);
    for (uint32_t k = 0; SHADOW_ON && k <= more; k++)
        if (mshr_covers(e, first + k))
            *req_version(s->w->reqs, r, k) = version_of(s, fetch, (uint32_t)(first + k - e->key));
    if (more) r->fetched = --r->open == 0;
    if (!more || r->fetched) l2_reply(s, req, REPLY_DATA);
}

void l2_copies_take(struct l2_slice *s, uint32_t fetch)
{
    struct mshr *m = &s->link->mshr;
    uint32_t entry = item_of(s, fetch)->entry, req;
    keep_copies(s, fetch, &m->entry[entry]);
    while (mshr_next_waiter(m, entry, &req))
        answer_waiter(s, req, fetch, &m->entry[entry]);
    mshr_release(m, entry);
    req_free(s->w->reqs, fetch);
}
