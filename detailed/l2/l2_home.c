/* l2_home.c - the home of every protocol, and the actions of one without directory (si).
 *
 * Under si a request without the hint SLC is the miss management's. One with it drops the L2's
 * copy, whose dirty bytes go to memory first, and leaves none. A read past the L2 takes an MSHR
 * without a line: further such reads of the block join it, all else waits. Under an inclusive
 * L2 what must wait is sent back, since answers of L1s stand behind it in the queue. Source:
 * Candel 2019, 2.4.A, 4.6.4. */
#include "detailed/l2/l2_home.h"

#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/directory.h"
#include "detailed/l2/l2_side.h"
#include "detailed/l2/l2_sync_fifo.h"

#include <assert.h>

/* mshr_entry.phase of a read that bypasses the L2; the phases of miss management are smaller. */
enum { PHASE_ROUND = 7 };

bool l2_home_init(struct l2_slice *s)
{
    const struct coherence *c = s->w->coherence;
    if (!c || !c->protocol->sync_fifos) return true;
    s->home = &l2_sync_fifo_ops;
    return s->home->init(s);
}

/* --- look-up --- */

/* The state under si. */
static enum home_state state_of(const struct l2_slice *s, const struct block_place *at,
                                uint64_t addr)
{
    const struct cache *c = &s->c;
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    if (at->entry != MSHR_NONE)
        return c->mshr.entry[at->entry].phase == PHASE_ROUND ? HOME_R : HOME_F;
    if (at->line == LINE_NONE) {
        /* a victim that waits beside the lines for invalidations has not been written yet */
        bool leaves = s->copies && l2_side_leaving(s, cache_tag(c, addr)) != LINE_NONE;
        return leaves ? HOME_F : HOME_I;
    }
    const struct cache_line *l = &c->line[at->line];
    if (l->transient) return HOME_F;
    return l->dirty & bit ? HOME_D : l->valid & bit ? HOME_V : HOME_I;
}

struct block_place l2_home_find(const struct l2_slice *s, uint64_t addr)
{
    const struct cache *c = &s->c;
    if (s->home) return s->home->find(s, addr);
    struct block_place at = {.line = cache_find(c, cache_tag(c, addr)),
                             .beside = BESIDE_NONE,
                             .entry = mshr_find(&c->mshr, cache_key(c, addr))};
    at.state = (uint8_t)state_of(s, &at, addr);
    return at;
}

/* The row for a request. e: the block's entry in the directory; without one, sets *at. */
static const struct row *row_of(const struct l2_slice *s, const struct req *r,
                                const struct dir_entry *e, struct block_place *at)
{
    const struct transitions *t = &s->w->coherence->home;
    if (e) return transitions_row(t, directory_state(s->directory, e), directory_event(s, e, r));
    *at = l2_home_find(s, r->addr);
    bool full = s->home && s->home->has_all(s, at);
    enum access_kind kind = (enum access_kind)r->kind; /* enum req_kind has the same order */
    return transitions_row(t, at->state, transitions_event(t, kind, r->around_l2, full));
}

/* --- actions --- */

void l2_home_count(struct l2_slice *s, uint32_t req, enum verdict v)
{
    struct access_plan p = {.verdict = v};
    l2_count(s, &s->w->reqs->item[req], &p);
}

/* Puts a read that waits for a fetch aside, where it is decided again each cycle; false: it is
 * there. */
static bool put_aside(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    if (r->waited) return false;
    r->waited = true;
    fifo_push(&s->woken, 0, req);
    return true;
}

/* A request that must wait stays at the head, false. Under an inclusive L2 it is sent back, since
 * lines and MSHRs may wait for L1s' answers that are queued behind it; so it is by a directory. */
static bool put_off(struct l2_slice *s, uint32_t req)
{
    if (s->home) return put_aside(s, req);
    if (!s->copies && !s->directory) return false;
    if (s->directory) directory_count_nack(s->directory);
    l2_nack(s, req);
    return true;
}

void l2_home_prepare(struct l2_slice *s, const struct block_place *at, const struct row *row,
                     uint64_t addr)
{
    uint32_t action = row->action;
    uint64_t tag = cache_tag(&s->c, addr);
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, addr));
    if (action & DO_DISCARD) s->c.mshr.entry[at->entry].killed = true;
    if (action & DO_CLEAN && s->home) s->home->clean(s, at->beside);
    if (action & DO_CLEAN && !s->home) l2_send_writebacks(s, tag, bit, MSHR_NONE);
    if (action & DO_DROP) back_invalidate_begin(s, tag, MSHR_NONE);
    if (action & DO_DROP) cache_forget(&s->c, at->line, bit);
    if (action & DO_INVALIDATE) s->home->invalidate(s, addr);
}

static bool join_fill(struct l2_slice *s, uint32_t req, uint32_t entry)
{
    if (!mshr_can_merge(&s->c.mshr, entry)) return put_off(s, req);
    mshr_wait(&s->c.mshr, entry, req);
    l2_home_count(s, req, CACHE_MERGE);
    return true;
}

static void start_read(struct l2_slice *s, uint32_t req, uint64_t now)
{
    uint32_t entry = mshr_alloc(&s->c.mshr, cache_key(&s->c, s->w->reqs->item[req].addr));
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req)) return;
    s->c.mshr.entry[entry].phase = PHASE_ROUND;
    s->c.mshr.since[entry] = now;
    l2_home_count(s, req, CACHE_MISS);
    l2_send_fetch(s, entry);
}

/* Hands the request on to memory. */
static void pass_on(struct l2_slice *s, uint32_t req, uint64_t now)
{
    if (s->w->reqs->item[req].kind == REQ_READ) {
        start_read(s, req, now);
        return;
    }
    l2_home_count(s, req, CACHE_PASS);
    if (s->home)
        s->home->send_atomic(s, req);
    else
        l2_pass_by(s, req);
}

bool l2_home_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct dir_entry *e = NULL;
    if (s->home && s->home->takes_marker(s, req)) return true;
    if (s->directory && !(e = directory_admit(s, req, now))) return true;
    if (e && directory_looks_up(e, req)) return s->miss->access(s, req, now);
    const struct req *r = &s->w->reqs->item[req];
    uint64_t addr = r->addr;
    struct block_place at;
    const struct row *row = row_of(s, r, e, &at);
    uint32_t action = row->action;
    if (action & (DO_WAIT | DO_NACK)) return put_off(s, req);
    if (e) return !directory_begin(s, e, req, row) || s->miss->access(s, req, now);
    if (action & DO_JOIN) return join_fill(s, req, at.entry);
    if (action & DO_INSTALL) return s->home->take(s, req, &at, row);
    if (action & DO_HIT) return s->home->serve(s, req, &at, now);
    if (action & (DO_CLEAN | DO_MEMORY) && !l2_has_memory_room(s, addr)) return false;
    bool reads = action & DO_MEMORY && r->kind == REQ_READ;
    if (reads && !mshr_has_room(&s->c.mshr)) return put_off(s, req);
    l2_home_prepare(s, &at, row, addr);
    if (action & DO_LOOK_UP) return s->miss->access(s, req, now);
    if (action & DO_MEMORY) pass_on(s, req, now);
    assert(l2_home_find(s, addr).state == row->next && "the state after an access is the table's");
    return true;
}

bool l2_home_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    const struct mshr_entry *e = &s->c.mshr.entry[entry];
    struct shadow *sh = s->w->shadow;
    uint32_t req;
    if (s->directory || s->home) return false;
    if (e->phase != PHASE_ROUND) return !(l2_home_row(s, HOME_F, HOME_FILL)->action & DO_LOOK_UP);
    l2_count_fetch_time(s, entry, now);
    shadow_expect(sh, &sh->l2, e->key, version);
    if (!(l2_home_row(s, HOME_R, HOME_FILL)->action & DO_ANSWER)) return true;
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        s->w->reqs->item[req].version = version;
        l2_reply(s, req, REPLY_DATA);
    }
    mshr_release(&s->c.mshr, entry);
    return true;
}
