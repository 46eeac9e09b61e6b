#include "detailed/coherence/directory.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { NOBODY = UINT32_MAX };

struct dir_entry {
    uint64_t key;
    uint32_t owner;
    uint32_t req; /* the transaction's request, REQ_NONE */
    uint32_t waits;
    uint32_t held_version;
    uint8_t lock; /* the locked state, 0: not locked */
    bool held;    /* the owner's data have come for who asked */
};

struct directory {
    struct linemap at;
    struct dir_entry *entry;
    uint64_t *sharers; /* [cap * words] */
    uint32_t words, cap, n, locked;
    uint32_t *free; /* [cap] */
    uint32_t n_free;
    struct directory_stats s;
};

static bool grow(struct directory *d)
{
    uint32_t cap = d->cap ? d->cap * 2 : 1024;
    struct dir_entry *entry = mem_new(cap, sizeof *entry);
    uint64_t *sharers = mem_new((size_t)cap * d->words, sizeof *sharers);
    uint32_t *unused = mem_new(cap, sizeof *unused);
    bool ok = entry && sharers && unused;
    if (ok && d->cap) {
        memcpy(entry, d->entry, d->cap * sizeof *entry);
        memcpy(sharers, d->sharers, (size_t)d->cap * d->words * sizeof *sharers);
        memcpy(unused, d->free, d->n_free * sizeof *unused);
    }
    mem_free(ok ? d->entry : entry);
    mem_free(ok ? d->sharers : sharers);
    mem_free(ok ? d->free : unused);
    if (!ok) return false;
    d->entry = entry;
    d->sharers = sharers;
    d->free = unused;
    d->cap = cap;
    return true;
}

struct directory *directory_new(uint32_t sms)
{
    struct directory *d = mem_new(1, sizeof *d);
    if (!d) return NULL;
    d->words = (sms + 63) / 64;
    if (linemap_init(&d->at, 1024) && grow(d)) return d;
    directory_free(d);
    return NULL;
}

void directory_free(struct directory *d)
{
    if (!d) return;
    linemap_fini(&d->at);
    mem_free(d->entry);
    mem_free(d->sharers);
    mem_free(d->free);
    mem_free(d);
}

void directory_clear(struct directory *d)
{
    linemap_clear(&d->at);
    d->n = d->n_free = d->locked = 0;
    d->s = (struct directory_stats){0};
}

const struct directory_stats *directory_stats(const struct directory *d)
{
    return &d->s;
}

bool directory_idle(const struct directory *d)
{
    return !d->locked;
}

/* --- entries --- */

static uint64_t *sharers_of(const struct directory *d, const struct dir_entry *e)
{
    return &d->sharers[(size_t)(e - d->entry) * d->words];
}

static bool listed(const struct directory *d, const struct dir_entry *e, uint32_t sm)
{
    return sharers_of(d, e)[sm / 64] >> sm % 64 & 1;
}

static void list(const struct directory *d, const struct dir_entry *e, uint32_t sm)
{
    sharers_of(d, e)[sm / 64] |= UINT64_C(1) << sm % 64;
}

static void unlist(const struct directory *d, struct dir_entry *e, uint32_t sm)
{
    sharers_of(d, e)[sm / 64] &= ~(UINT64_C(1) << sm % 64);
    if (e->owner == sm) e->owner = NOBODY;
}

static uint32_t count(const struct directory *d, const struct dir_entry *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->words; i++)
        n += (uint32_t)__builtin_popcountll(sharers_of(d, e)[i]);
    return n;
}

static struct dir_entry *find(const struct directory *d, uint64_t key)
{
    const uint32_t *i = linemap_get(&d->at, key);
    return i ? &d->entry[*i] : NULL;
}

/* NULL: no memory. */
static struct dir_entry *entry_of(struct directory *d, uint64_t key)
{
    struct dir_entry *e = find(d, key);
    if (e) return e;
    if (!d->n_free && d->n == d->cap && !grow(d)) return NULL;
    uint32_t i = d->n_free ? d->free[--d->n_free] : d->n++;
    if (!linemap_put(&d->at, key, i)) return NULL;
    d->entry[i] = (struct dir_entry){.key = key, .owner = NOBODY, .req = REQ_NONE};
    memset(&d->sharers[(size_t)i * d->words], 0, d->words * sizeof *d->sharers);
    return &d->entry[i];
}

static void forget_empty(struct directory *d, struct dir_entry *e)
{
    if (e->lock || e->owner != NOBODY || count(d, e)) return;
    linemap_del(&d->at, e->key);
    d->free[d->n_free++] = (uint32_t)(e - d->entry);
}

static enum dir_state state_of(const struct directory *d, const struct dir_entry *e)
{
    if (e->lock) return (enum dir_state)e->lock;
    uint32_t n = count(d, e);
    if (e->owner == NOBODY) return n ? DIR_S : DIR_I;
    return n == 1 ? DIR_X : DIR_O;
}

static void lock(struct directory *d, struct dir_entry *e, uint8_t next)
{
    uint8_t locked = next >= DIR_WS ? next : 0;
    d->locked += (locked != 0);
    d->locked -= (e->lock != 0);
    e->lock = locked;
    if (locked) return;
    e->req = REQ_NONE;
    e->held = false;
}

/* --- transactions --- */

static const struct transitions *table(const struct l2_slice *s)
{
    return &s->w->coherence->home;
}

/* What a request means to who has this of the block. */
static enum dir_event meaning(const struct l2_slice *s, const struct dir_entry *e,
                              const struct req *r)
{
    const struct directory *d = s->directory;
    bool here = listed(d, e, r->sm), owner = e->owner == r->sm;
    bool writers = s->w->coherence->protocol->writers;
    switch (r->message) {
    case DIR_UPGRADE: return here && (owner || !writers) ? DIR_UPGRADE : DIR_READ_OWN;
    case DIR_UPGRADE_N: return here ? DIR_UPGRADE_N : DIR_READ_N;
    case DIR_PUT: return owner ? DIR_PUT : here ? DIR_LEAVE : DIR_STALE;
    case DIR_MERGE: return here ? DIR_MERGE : DIR_STALE;
    case DIR_LEAVE: return here ? DIR_LEAVE : DIR_STALE;
    default: return (enum dir_event)r->message;
    }
}

static void ask(struct l2_slice *s, struct dir_entry *e, uint32_t sm, enum owner_event question)
{
    uint32_t i = req_new(s->w->reqs);
    if (i == REQ_NONE || !fifo_push(&s->replies, 0, i)) {
        s->no_memory = true;
        return;
    }
    struct req *r = &s->w->reqs->item[i];
    r->addr = e->key << s->c.sector_shift;
    r->sm = sm & 1023;
    r->bytes = (uint8_t)s->c.p.sector_bytes;
    r->kind = REQ_READ;
    r->bypass_l1 = true;
    r->message = (uint16_t)question;
    e->waits++;
    s->directory->s.messages++;
}

static void invalidate(struct l2_slice *s, struct dir_entry *e, uint32_t but)
{
    struct directory *d = s->directory;
    for (uint32_t i = 0; i < d->words; i++)
        for (uint64_t rest = sharers_of(d, e)[i]; rest; rest &= rest - 1) {
            uint32_t sm = i * 64 + (uint32_t)__builtin_ctzll(rest);
            if (sm == but) continue;
            ask(s, e, sm, OWN_INVALIDATE);
            unlist(d, e, sm);
        }
}

static enum owner_event granted(const struct req *r, uint8_t locked)
{
    switch (r->message) {
    case DIR_READ: return locked == DIR_FE ? OWN_GRANT_E : OWN_GRANT_S;
    case DIR_READ_N:
    case DIR_UPGRADE_N: return OWN_GRANT_N;
    default: return OWN_GRANT_M;
    }
}

/* Who asked has what it asked for: the entry says so, and so will the answer. */
static void grant(struct l2_slice *s, struct dir_entry *e, uint32_t req)
{
    struct directory *d = s->directory;
    struct req *r = &s->w->reqs->item[req];
    enum owner_event kind = granted(r, e->lock);
    list(d, e, r->sm);
    if (kind == OWN_GRANT_M || kind == OWN_GRANT_E) e->owner = r->sm;
    r->message = (uint16_t)kind;
}

static void act(struct l2_slice *s, struct dir_entry *e, const struct row *row);

static void all_answered(struct l2_slice *s, struct dir_entry *e)
{
    enum dir_event event = e->held ? DIR_DONE_HELD : DIR_DONE;
    act(s, e, &table(s)->at[e->lock][event]);
}

static bool waits(const struct dir_entry *e)
{
    return e->lock >= DIR_WS && e->lock <= DIR_WC;
}

/* Carries a row out for e->req; a look-up in the L2 is left to be done. */
static void act(struct l2_slice *s, struct dir_entry *e, const struct row *row)
{
    uint32_t req = e->req, a = row->action, owner = e->owner;
    uint32_t sm = s->w->reqs->item[req].sm, version = e->held_version;
    assert(!(a & DO_NEVER) && "the directory's table has a row for it");
    if (a & DO_DEMOTE) e->owner = NOBODY;
    if (a & DO_SHARE) ask(s, e, owner, OWN_SHARE);
    if (a & DO_HAVE_CLEAN) ask(s, e, owner, OWN_CLEAN);
    if (a & DO_INVALIDATE) invalidate(s, e, sm);
    if (a & DO_REMOVE) unlist(s->directory, e, sm);
    if (a & (DO_GRANT | DO_SUPPLY)) grant(s, e, req);
    if (a & DO_SUPPLY) s->w->reqs->item[req].version = version;
    if (a & DO_ANSWER) s->w->reqs->item[req].message = OWN_GONE;
    lock(s->directory, e, row->next);
    if (a & (DO_GRANT | DO_ANSWER)) l2_reply(s, req, REPLY_ACK);
    if (a & DO_SUPPLY) l2_reply(s, req, REPLY_DATA);
    if (waits(e) && !e->waits)
        all_answered(s, e);
    else if (!e->lock)
        forget_empty(s->directory, e);
}

static bool looks_up(const struct dir_entry *e)
{
    return e->lock >= DIR_FE && e->lock <= DIR_FP;
}

bool directory_is_answer(const struct req *r)
{
    return r->message == DIR_DATA || r->message == DIR_BYTES || r->message == DIR_DONE;
}

static void take_answer(struct l2_slice *s, struct dir_entry *e, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    assert(e && waits(e) && e->waits && "somebody waits for the answer");
    e->waits--;
    if (r->message != DIR_DONE) {
        const struct row *row = &table(s)->at[e->lock][r->message];
        assert(!(row->action & DO_NEVER) && "the directory's table has a row for it");
        if (row->action & DO_HOLD) {
            e->held = true;
            e->held_version = r->version;
        }
        if (row->action & DO_MERGE) l2_merge(s, req);
    }
    req_free(s->w->reqs, req);
    if (e->waits) return;
    all_answered(s, e);
    if (looks_up(e) && !fifo_push(&s->woken, 0, e->req)) s->no_memory = true;
}

bool directory_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct directory *d = s->directory;
    const struct req *r = &s->w->reqs->item[req];
    uint64_t key = cache_key(&s->c, r->addr);
    if (directory_is_answer(r)) {
        d->s.messages++;
        take_answer(s, find(d, key), req);
        return true;
    }
    struct dir_entry *e = entry_of(d, key);
    if (!e) {
        s->no_memory = true;
        return true;
    }
    if (e->req == req && looks_up(e)) return s->miss->access(s, req, now);
    const struct row *row = &table(s)->at[state_of(d, e)][meaning(s, e, r)];
    d->s.messages++;
    if (row->action & DO_NACK) {
        d->s.nacks++;
        l2_nack(s, req);
        return true;
    }
    e->req = req;
    act(s, e, row);
    e = find(d, key);
    bool now_look = e && e->req == req && looks_up(e);
    return !now_look || s->miss->access(s, req, now);
}

void directory_answers(struct l2_slice *s, uint32_t req, enum req_reply kind)
{
    struct directory *d = s->directory;
    struct req *r = &s->w->reqs->item[req];
    struct dir_entry *e = find(d, cache_key(&s->c, r->addr));
    if (!e || e->req != req || !looks_up(e)) return;
    const struct row *row = &table(s)->at[e->lock][DIR_SERVED];
    if (kind == REPLY_NACK) {
        lock(d, e, DIR_I);
        forget_empty(d, e);
        return;
    }
    if (row->action & DO_GRANT) grant(s, e, req);
    if (row->action & DO_REMOVE) {
        unlist(d, e, r->sm);
        r->message = OWN_GONE;
    }
    lock(d, e, row->next);
    forget_empty(d, e);
}
