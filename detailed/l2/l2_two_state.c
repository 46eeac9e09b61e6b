/* l2_two_state.c - the home of a protocol without directory (si): sends a request to the slice's
 * miss management, or past the L2 to memory.
 *
 * A request without the hint SLC is the miss management's. One with it drops the L2's copy,
 * whose dirty bytes go to memory first, and leaves none. A read past the L2 takes an MSHR
 * without a line: further such reads of the block join it, all else waits. Under an inclusive
 * L2 what must wait is sent back, since answers of L1s stand behind it in the queue. Source:
 * Candel 2019, 2.4.A, 4.6.4. */
#include "detailed/l2/l2_two_state.h"

#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/l2_side.h"

#include <assert.h>

/* mshr_entry.phase of a read that bypasses the L2; the phases of miss management are smaller. */
enum { PHASE_ROUND = 15 };

struct l2_lookup {
    enum home_state state;
    uint32_t line, entry;
};

static struct l2_lookup find_line(const struct l2_slice *s, uint64_t addr)
{
    const struct cache *c = &s->c;
    struct l2_lookup f = {HOME_I, cache_find(c, cache_tag(c, addr)),
                          mshr_find(&c->mshr, cache_key(c, addr))};
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    if (f.entry != MSHR_NONE) {
        f.state = c->mshr.entry[f.entry].phase == PHASE_ROUND ? HOME_R : HOME_F;
        return f;
    }
    /* a victim that waits beside the lines for invalidations has not been written yet */
    bool leaves = s->copies && f.line == LINE_NONE;
    if (leaves && l2_side_leaving(s, cache_tag(c, addr)) != LINE_NONE) f.state = HOME_F;
    if (f.line == LINE_NONE) return f;
    const struct cache_line *l = &c->line[f.line];
    if (l->transient)
        f.state = HOME_F;
    else if (l->dirty & bit)
        f.state = HOME_D;
    else if (l->valid & bit)
        f.state = HOME_V;
    return f;
}

static enum home_event event_of(const struct req *r)
{
    switch ((enum req_kind)r->kind) {
    case REQ_READ: return r->around_l2 ? HOME_READ_ROUND : HOME_READ;
    case REQ_WRITE: return r->around_l2 ? HOME_WRITE_ROUND : HOME_WRITE;
    case REQ_ATOMIC: break;
    }
    return HOME_ATOMIC;
}

static void count_access(struct l2_slice *s, uint32_t req, enum verdict v)
{
    struct access_plan p = {.verdict = v};
    l2_count(s, &s->w->reqs->item[req], &p);
}

static void start_read(struct l2_slice *s, uint32_t req, uint64_t addr, uint64_t now)
{
    uint32_t entry = mshr_alloc(&s->c.mshr, cache_key(&s->c, addr));
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req)) {
        s->no_memory = true;
        return;
    }
    s->c.mshr.entry[entry].phase = PHASE_ROUND;
    s->c.mshr.since[entry] = now;
    count_access(s, req, CACHE_MISS);
    l2_send_fetch(s, entry);
}

/* A request that must wait stays at the head, false. Under an inclusive L2 it is sent back: lines
 * and MSHRs may wait for L1s' answers that are queued behind it. */
static bool put_off(struct l2_slice *s, uint32_t req)
{
    if (!s->copies) return false;
    l2_nack(s, req);
    return true;
}

static bool join_fill(struct l2_slice *s, uint32_t req, uint32_t entry)
{
    if (!mshr_can_merge(&s->c.mshr, entry)) return put_off(s, req);
    if (!mshr_wait(&s->c.mshr, entry, req)) s->no_memory = true;
    count_access(s, req, CACHE_MERGE);
    return true;
}

/* Removes the L2's copy; its dirty bytes go to memory ahead of the access. */
static void drop_line(struct l2_slice *s, const struct l2_lookup *f, uint64_t addr, uint32_t action)
{
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, addr));
    if (action & DO_CLEAN) l2_send_writebacks(s, cache_tag(&s->c, addr), bit, MSHR_NONE);
    if (!(action & DO_DROP)) return;
    back_invalidate_begin(s, cache_tag(&s->c, addr), MSHR_NONE);
    cache_forget(&s->c, f->line, bit);
}

bool l2_two_state_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    uint64_t addr = r->addr;
    struct l2_lookup f = find_line(s, addr);
    const struct row *row = &s->w->coherence->home.at[f.state][event_of(r)];
    uint32_t action = row->action;
    if (action & DO_LOOK_UP) return s->miss->access(s, req, now);
    if (action & DO_JOIN) return join_fill(s, req, f.entry);
    if (action & DO_WAIT) return put_off(s, req);
    if (!(action & DO_MEMORY)) return true;
    bool read = r->kind == REQ_READ;
    if (!l2_has_memory_room(s, addr)) return false;
    if (read && !mshr_has_room(&s->c.mshr)) return put_off(s, req);
    drop_line(s, &f, addr, action);
    if (read) {
        start_read(s, req, addr, now);
    } else {
        count_access(s, req, CACHE_PASS);
        l2_pass_by(s, req);
    }
    assert(find_line(s, addr).state == row->next && "the state after an access is the table's");
    return true;
}

bool l2_two_state_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    const struct mshr_entry *e = &s->c.mshr.entry[entry];
    const struct transitions *t = &s->w->coherence->home;
    if (e->phase != PHASE_ROUND) return !(t->at[HOME_F][HOME_FILL].action & DO_LOOK_UP);
    struct shadow *sh = s->w->shadow;
    uint32_t req;
    l2_count_fetch_time(s, s->c.mshr.since[entry], now);
    shadow_expect(sh, &sh->l2, e->key, version);
    if (!(t->at[HOME_R][HOME_FILL].action & DO_ANSWER)) return true;
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        s->w->reqs->item[req].version = version;
        l2_reply(s, req, REPLY_DATA);
    }
    mshr_release(&s->c.mshr, entry);
    return true;
}

bool l2_two_state_cleans(const struct l2_slice *s)
{
    return s->w->coherence->home.at[HOME_D][HOME_REPLACE].action & DO_CLEAN;
}
