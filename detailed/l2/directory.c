/* directory.c - the home of MOESI and NMOESI: carries out the rows of their tables
 * (gpu/coherence/moesi.c, nmoesi.c) in an L2 slice.
 *
 * A block's state follows from its entry: its lock, else its owner and the number of its copies. A
 * request locks the entry until its reply leaves, and requests that find it locked are sent back
 * (NACK). A transaction first waits for the answers of copies (states W), then for the slice's
 * look-up (states F). When a line leaves an inclusive L2, or an entry leaves a finite directory,
 * all copies are recalled (state R). Source: Candel 2019, 4.6.4; what it leaves open:
 * docs/models/coherence.md. */
#include "detailed/l2/directory.h"

#include "detailed/l2/directory_entries.h"
#include "detailed/l2/l2_home.h"
#include "detailed/l2/l2_side.h"

#include <assert.h>

enum dir_state directory_state(const struct directory *d, const struct dir_entry *e)
{
    if (e->lock) return (enum dir_state)e->lock;
    uint32_t n = dir_entry_count(d, e);
    if (e->owner == NOBODY) return n ? DIR_S : DIR_I;
    return n == 1 ? DIR_X : DIR_O;
}

static void lock_entry(struct directory *d, struct dir_entry *e, uint8_t next)
{
    uint8_t locked = next >= DIR_WS ? next : 0;
    d->busy += (locked != 0);
    d->busy -= (e->lock != 0);
    d->unlocked |= e->lock && !locked;
    e->lock = locked;
    if (locked) return;
    e->req = REQ_NONE;
    e->held = false;
}

/* --- transactions --- */

enum dir_event directory_event(const struct l2_slice *s, const struct dir_entry *e,
                               const struct req *r)
{
    const struct directory *d = s->directory;
    bool here = dir_entry_lists(d, e, r->sm), owner = e->owner == r->sm;
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

static void ask_owner(struct l2_slice *s, struct dir_entry *e, uint32_t sm,
                      enum owner_event question)
{
    struct req *r = l2_ask_l1(s, sm, e->key << s->c.sector_shift, s->c.p.sector_bytes);
    if (!r) return;
    r->message = (uint16_t)question;
    e->waits++;
    s->directory->s.messages++;
    if (s->directory->far_cycles) s->directory->s.bytes += s->w->link_header;
}

static void invalidate_copies(struct l2_slice *s, struct dir_entry *e, uint32_t but)
{
    struct directory *d = s->directory;
    for (uint32_t sm = 0; (sm = dir_entry_next(d, e, sm)) != NOBODY; sm++) {
        if (sm == but) continue;
        ask_owner(s, e, sm, OWN_INVALIDATE);
        dir_entry_unlist(d, e, sm);
    }
}

static enum owner_event granted_event(const struct req *r, uint8_t locked)
{
    switch (r->message) {
    case DIR_READ: return locked == DIR_FE ? OWN_GRANT_E : OWN_GRANT_S;
    case DIR_READ_N:
    case DIR_UPGRADE_N: return OWN_GRANT_N;
    default: return OWN_GRANT_M;
    }
}

/* Grants the request: records the requester's copy in the entry and the grant in the request. */
static void grant_request(struct l2_slice *s, struct dir_entry *e, uint32_t req)
{
    struct directory *d = s->directory;
    struct req *r = &s->w->reqs->item[req];
    enum owner_event kind = granted_event(r, e->lock);
    dir_entry_list(d, e, r->sm);
    if (kind == OWN_GRANT_M || kind == OWN_GRANT_E) e->owner = r->sm;
    r->message = (uint16_t)kind;
}

static void apply_row(struct l2_slice *s, struct dir_entry *e, const struct row *row);

static void all_answered(struct l2_slice *s, struct dir_entry *e)
{
    enum dir_event event = e->held ? DIR_DONE_HELD : DIR_DONE;
    apply_row(s, e, l2_home_row(s, e->lock, event));
}

static bool entry_waits(const struct dir_entry *e)
{
    return e->lock >= DIR_WS && e->lock <= DIR_WC;
}

/* Carries out a row for e->req, except for the L2's look-up, which the caller does. */
static void apply_row(struct l2_slice *s, struct dir_entry *e, const struct row *row)
{
    uint32_t req = e->req, a = row->action, owner = e->owner;
    uint32_t sm = s->w->reqs->item[req].sm, version = e->held_version;
    if (a & DO_DEMOTE) e->owner = NOBODY;
    if (a & DO_SHARE) ask_owner(s, e, owner, OWN_SHARE);
    if (a & DO_HAVE_CLEAN) ask_owner(s, e, owner, OWN_CLEAN);
    if (a & DO_INVALIDATE) invalidate_copies(s, e, sm);
    if (a & DO_REMOVE) dir_entry_unlist(s->directory, e, sm);
    if (a & (DO_GRANT | DO_SUPPLY)) grant_request(s, e, req);
    if (a & DO_SUPPLY) s->w->reqs->item[req].version = version;
    if (a & DO_ANSWER) s->w->reqs->item[req].message = OWN_GONE;
    lock_entry(s->directory, e, row->next);
    if (a & (DO_GRANT | DO_ANSWER)) l2_reply(s, req, REPLY_ACK);
    if (a & DO_SUPPLY) l2_reply(s, req, REPLY_DATA);
    if (entry_waits(e) && !e->waits)
        all_answered(s, e);
    else if (!e->lock)
        dir_entry_forget_empty(s->directory, e);
}

bool directory_looks_up(const struct dir_entry *e, uint32_t req)
{
    return e->req == req && e->lock >= DIR_FE && e->lock <= DIR_FP;
}

bool directory_is_answer(const struct req *r)
{
    return r->message == DIR_DATA || r->message == DIR_BYTES || r->message == DIR_DONE;
}

/* Called when no copy is left of a block whose line the L2 evicts. */
static void all_left(struct l2_slice *s, struct dir_entry *e, uint64_t now)
{
    uint32_t handle = e->leaves;
    e->leaves = MSHR_NONE;
    lock_entry(s->directory, e, l2_home_row(s, DIR_R, DIR_DONE)->next);
    dir_entry_forget_empty(s->directory, e);
    if (handle != MSHR_NONE) l2_invalidated(s, handle, now);
}

static void take_answer(struct l2_slice *s, struct dir_entry *e, uint32_t req, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    assert(e && (entry_waits(e) || e->lock == DIR_R) && e->waits &&
           "somebody waits for the answer");
    e->waits--;
    if (r->message != DIR_DONE) {
        const struct row *row = l2_home_row(s, e->lock, r->message);
        if (row->action & DO_HOLD) {
            e->held = true;
            e->held_version = r->version;
        }
        if (row->action & DO_MERGE) l2_merge(s, req, e->leaves != MSHR_NONE);
    }
    req_free(s->w->reqs, req);
    if (e->waits) return;
    if (e->lock == DIR_R) {
        all_left(s, e, now);
        return;
    }
    all_answered(s, e);
    if (directory_looks_up(e, e->req)) fifo_push(&s->woken, 0, e->req);
}

/* --- a directory below the L2, and a finite one --- */

/* Whether the L2 serves the request without the directory: a read of what others share, too. */
static bool is_served_here(const struct l2_slice *s, const struct req *r)
{
    const struct dir_entry *e = dir_entry_find(s->directory, cache_key(&s->c, r->addr));
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, r->addr));
    return r->message == DIR_READ && e && !e->lock && e->owner == NOBODY && line != LINE_NONE &&
           (s->c.line[line].valid >> cache_sector(&s->c, r->addr) & 1);
}

/* Sends the request on to a directory below the L2; false: it has been there, or need not go. A
 * read that the L2 serves costs its link a message all the same: it names the new sharer. */
static bool goes_far(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct directory *d = s->directory;
    struct req *r = &s->w->reqs->item[req];
    uint32_t data = r->kind == REQ_WRITE ? r->bytes : 0;
    if (!d->far_cycles || r->side_looked_up) return false;
    d->s.bytes += s->w->link_header + data;
    if (is_served_here(s, r)) return false;
    r->side_looked_up = true;
    fifo_push(&d->far, now + d->far_cycles, req);
    return true;
}

uint64_t directory_step(struct l2_slice *s, uint64_t now)
{
    struct directory *d = s->directory;
    while (d->far.due <= now) {
        uint32_t req = fifo_pop(&d->far);
        if (l2_home_access(s, req, now)) continue;
        fifo_push(&s->woken, 0, req);
    }
    if (d->unlocked) l2_side_line_ready(s, now);
    d->unlocked = false;
    return d->far.due;
}

/* Recalls a block from the L1s and from the L2. */
static void recall_block(struct l2_slice *s, uint64_t tag)
{
    uint32_t line = cache_find(&s->c, tag);
    directory_recall(s, tag, MSHR_NONE);
    if (line == LINE_NONE) return;
    l2_send_writebacks(s, tag, s->c.line[line].dirty, MSHR_NONE);
    cache_drop(&s->c, line);
}

/* Whether a block may lose its entry: nothing about it is in progress. */
static bool may_recall(const struct l2_slice *s, uint64_t tag)
{
    uint32_t line = cache_find(&s->c, tag);
    return !directory_keeps(s, tag) && (line == LINE_NONE || !s->c.line[line].pending) &&
           mshr_find(&s->c.mshr, tag << (s->c.line_shift - s->c.sector_shift)) == MSHR_NONE;
}

/* Covers a block; false: all entries of its set are in use. */
static bool cover_block(struct l2_slice *s, uint64_t tag)
{
    struct dir_cover *c = &s->directory->cover;
    if (!c->sets) return true;
    size_t first = (size_t)(cache_set(&s->c, tag) % c->sets) * c->ways, place = SIZE_MAX;
    for (size_t i = first; i < first + c->ways; i++) {
        if (c->used[i] && c->tag[i] == tag) {
            c->used[i] = ++c->clock;
            return true;
        }
        bool older = place == SIZE_MAX || c->used[i] < c->used[place];
        if (older && (!c->used[i] || may_recall(s, c->tag[i]))) place = i;
    }
    if (place == SIZE_MAX) return false;
    if (c->used[place]) recall_block(s, c->tag[place]);
    c->tag[place] = tag;
    c->used[place] = ++c->clock;
    return true;
}

/* Whether the requester will have a copy. */
static bool takes_copy(const struct req *r)
{
    switch (r->message) {
    case DIR_READ:
    case DIR_READ_OWN:
    case DIR_UPGRADE:
    case DIR_READ_N:
    case DIR_UPGRADE_N: return true;
    default: return false;
    }
}

void directory_count_nack(struct directory *d)
{
    d->s.nacks++;
}

struct dir_entry *directory_admit(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct directory *d = s->directory;
    if (goes_far(s, req, now)) return NULL;
    const struct req *r = &s->w->reqs->item[req];
    uint64_t key = cache_key(&s->c, r->addr);
    if (directory_is_answer(r)) {
        d->s.messages++;
        take_answer(s, dir_entry_find(d, key), req, now);
        return NULL;
    }
    uint64_t tag = cache_tag(&s->c, r->addr);
    bool exchanged = s->c.keeps && l2_side_exchanges(s, tag);
    if (exchanged || (takes_copy(r) && !cover_block(s, tag))) {
        d->s.nacks++;
        l2_nack(s, req);
        return NULL;
    }
    struct dir_entry *e = dir_entry_obtain(d, key);
    if (e) d->s.messages += !directory_looks_up(e, req);
    return e;
}

bool directory_begin(struct l2_slice *s, struct dir_entry *e, uint32_t req, const struct row *row)
{
    e->req = req;
    apply_row(s, e, row);
    return directory_looks_up(e, req);
}

void directory_answers(struct l2_slice *s, uint32_t req, enum req_reply kind)
{
    struct directory *d = s->directory;
    struct req *r = &s->w->reqs->item[req];
    struct dir_entry *e = dir_entry_find(d, cache_key(&s->c, r->addr));
    if (!e || !directory_looks_up(e, req)) return;
    const struct row *row = l2_home_row(s, e->lock, DIR_SERVED);
    if (kind == REPLY_NACK) {
        lock_entry(d, e, DIR_I);
        dir_entry_forget_empty(d, e);
        return;
    }
    if (row->action & DO_GRANT) grant_request(s, e, req);
    if (row->action & DO_REMOVE) {
        dir_entry_unlist(d, e, r->sm);
        r->message = OWN_GONE;
    }
    lock_entry(d, e, row->next);
    dir_entry_forget_empty(d, e);
}

bool directory_keeps(const void *ctx, uint64_t tag)
{
    const struct l2_slice *s = ctx;
    uint64_t key = tag << (s->c.line_shift - s->c.sector_shift);
    for (uint32_t k = 0; k < s->c.sectors; k++) {
        const struct dir_entry *e = dir_entry_find(s->directory, key + k);
        if (e && e->lock) return true;
    }
    return false;
}

bool directory_forget(struct l2_slice *s, uint64_t key)
{
    struct directory *d = s->directory;
    struct dir_entry *e = dir_entry_find(d, key);
    if (!e) return true;
    if (e->lock || e->waits) return false;
    for (uint32_t sm = 0; (sm = dir_entry_next(d, e, sm)) != NOBODY; sm++)
        dir_entry_unlist(d, e, sm);
    dir_entry_forget_empty(d, e);
    return true;
}

bool directory_recall(struct l2_slice *s, uint64_t tag, uint32_t handle)
{
    struct directory *d = s->directory;
    uint64_t key = tag << (s->c.line_shift - s->c.sector_shift);
    bool asked = false;
    for (uint32_t k = 0; k < s->c.sectors; k++) {
        struct dir_entry *e = dir_entry_find(d, key + k);
        if (!e) continue;
        const struct row *row = l2_home_row(s, directory_state(d, e), DIR_REPLACE);
        assert(!(row->action & DO_WAIT) && "a line with a locked block stays");
        if (!(row->action & DO_INVALIDATE)) continue;
        d->s.recalls += dir_entry_count(d, e);
        e->leaves = handle;
        invalidate_copies(s, e, NOBODY);
        lock_entry(d, e, row->next);
        asked = true;
    }
    return asked && handle != MSHR_NONE;
}
