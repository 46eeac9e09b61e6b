#include "tests/support/quickrelease_model.h"

#include "tests/support/quickrelease_queues.h"

bool sync_wrong(struct sync_walk *k, const char *what)
{
    if (!k->wrong) k->wrong = what;
    return false;
}

static const struct row *row_of(struct sync_walk *k, bool home, uint8_t state, uint32_t event)
{
    const struct row *r = &(home ? &k->home : &k->agent)->at[state][event];
    k->met[home][state][event] = true;
    if (r->action & DO_NEVER) sync_wrong(k, "a pair that cannot be met");
    return r;
}

static bool expect(struct sync_walk *k, uint8_t state, uint8_t next)
{
    return (!k->wrong && state == next) || sync_wrong(k, "not the next state");
}

static uint8_t state_of(bool valid, bool dirty, bool fetch, bool killed)
{
    if (valid) return dirty ? SYNC_W : SYNC_V;
    if (!fetch) return dirty ? SYNC_D : SYNC_I;
    return dirty ? SYNC_ID : killed ? SYNC_II : SYNC_IV;
}

static uint8_t agent_state(const struct block *b)
{
    return state_of(b->valid, b->mask, b->fetch, b->killed);
}

static uint8_t home_state(const struct home_line *h)
{
    return state_of(h->valid, h->mask, h->fetch, h->killed);
}

/* --- L1s --- */

static bool serve(struct sync_walk *k, struct l1_side *a, uint8_t need, uint8_t value)
{
    if (need && !value) return sync_wrong(k, "a load is served old data");
    a->need |= value;
    return true;
}

static bool drop_copy(struct sync_walk *k, struct block *b)
{
    if (!b->valid) return sync_wrong(k, "nothing to drop");
    b->valid = b->value = 0;
    return true;
}

static void send_bytes(struct sync_walk *k, struct l1_side *a, uint32_t line)
{
    struct block *b = &a->block[line];
    if (!b->mask) sync_wrong(k, "nothing to send");
    sync_send_up(k, a, (struct up){UP_WRITE, (uint8_t)line, b->mask, 0, b->mark});
    b->mask = b->mark = 0;
}

/* What a row does to the block before its access. */
static bool prepare_block(struct sync_walk *k, struct l1_side *a, uint32_t line,
                          const struct row *r)
{
    struct block *b = &a->block[line];
    if (r->action & DO_DISCARD && !b->fetch) return sync_wrong(k, "nothing to discard");
    if (r->action & DO_DISCARD) b->killed = 1;
    if (r->action & DO_CLEAN) send_bytes(k, a, line);
    return !(r->action & DO_DROP) || drop_copy(k, b);
}

bool sync_evict_l1(struct sync_walk *k, struct l1_side *a, uint32_t line)
{
    struct block *b = &a->block[line];
    if (!b->mask || !sync_has_room(k, a, 1)) return false;
    const struct row *r = row_of(k, false, agent_state(b), SYNC_EVICT);
    return prepare_block(k, a, line, r) && expect(k, agent_state(b), r->next);
}

bool sync_dequeue_l1(struct sync_walk *k, struct sync *s, uint32_t c)
{
    struct l1_side *a = &s->l1[c];
    if (!sync_is_dequeued(a->fifo, k->p.entries1)) return false;
    uint8_t head = a->fifo[0];
    if (head >= MARKER)
        sync_send_up(k, a, (struct up){.kind = UP_MARKER});
    else if (a->block[head - 1].mask && !sync_evict_l1(k, a, head - 1u))
        return false;
    sync_pop_entry(a->fifo);
    return true;
}

bool sync_replace_l1(struct sync_walk *k, struct l1_side *a, uint32_t line)
{
    struct block *b = &a->block[line];
    if (!b->valid) return false;
    const struct row *r = row_of(k, false, agent_state(b), SYNC_REPLACE);
    return drop_copy(k, b) && expect(k, agent_state(b), r->next);
}

bool sync_load(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, uint8_t asked)
{
    struct l1_side *a = &s->l1[c];
    struct block *b = &a->block[line];
    bool written = !(asked & ~b->mask);
    uint8_t need = a->need && !line && asked & FIRST;
    const struct row *r = row_of(k, false, agent_state(b), written ? SYNC_LOAD_WRITTEN : SYNC_LOAD);
    uint32_t sends = (r->action & DO_CLEAN ? 1u : 0u) + (r->action & DO_FETCH ? 1u : 0u);
    if (k->wrong || r->action & DO_WAIT || !sync_has_room(k, a, sends)) return false;
    if (!(r->action & (DO_HIT | DO_JOIN | DO_FETCH))) return sync_wrong(k, "a load is forgotten");
    if (!prepare_block(k, a, line, r)) return false;
    if (r->action & DO_HIT && !written && !b->valid) return sync_wrong(k, "a hit without a copy");
    if (r->action & DO_HIT && !written && !serve(k, a, need, b->value)) return false;
    if (r->action & DO_JOIN) b->need |= need;
    if (r->action & DO_FETCH) {
        b->fetch = 1, b->need = need;
        sync_send_up(k, a, (struct up){.kind = UP_READ, .what = (uint8_t)line});
    }
    return expect(k, agent_state(b), r->next);
}

bool sync_go_round(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, bool atomic,
                   uint8_t mark)
{
    struct l1_side *a = &s->l1[c];
    struct block *b = &a->block[line];
    const struct row *r = row_of(k, false, agent_state(b), atomic ? SYNC_ATOMIC : SYNC_LOAD_ROUND);
    if (k->wrong || !sync_has_room(k, a, r->action & DO_CLEAN ? 2 : 1)) return false;
    if (!(r->action & DO_ROUND)) return sync_wrong(k, "an access is forgotten");
    if (!prepare_block(k, a, line, r)) return false;
    sync_send_up(k, a,
                 (struct up){.kind = atomic ? UP_ATOMIC : UP_ROUND,
                             .what = (uint8_t)line,
                             .need = !line && a->need,
                             .mark = mark});
    if (mark) s->marked = (uint8_t)(1 + c), a->need = 1;
    return expect(k, agent_state(b), r->next);
}

/* The write cache has one line: that of the other block leaves. */
static bool make_room(struct sync_walk *k, struct l1_side *a, uint32_t line)
{
    for (uint32_t i = 0; i < LINES; i++)
        if (i != line && a->block[i].mask && !sync_evict_l1(k, a, i)) return false;
    return true;
}

bool sync_store(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, uint8_t mask,
                uint8_t mark)
{
    struct l1_side *a = &s->l1[c];
    struct block *b = &a->block[line];
    const struct row *r = row_of(k, false, agent_state(b), SYNC_STORE);
    if (k->wrong || !sync_takes_entry(a->fifo, line, b->mask, k->p.entries1)) return false;
    if (!make_room(k, a, line)) return false;
    if (!(r->action & DO_INSTALL)) return sync_wrong(k, "a store is forgotten");
    if (!prepare_block(k, a, line, r)) return false;
    if (!sync_is_entered(a->fifo, line, b->mask)) sync_append_entry(k, a->fifo, 1 + line);
    b->mask |= mask;
    b->mark |= mark;
    if (mark) s->marked = (uint8_t)(1 + c), a->need = 1;
    return expect(k, agent_state(b), r->next);
}

bool sync_begin_release(struct sync_walk *k, struct sync *s, uint32_t c)
{
    struct l1_side *a = &s->l1[c];
    if (a->release) return false;
    a->release = 1;
    a->covered = a->need;
    sync_append_entry(k, a->fifo, MARKER + c);
    return true;
}

bool sync_acquire(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line)
{
    struct block *b = &s->l1[c].block[line];
    const struct row *r = row_of(k, false, agent_state(b), SYNC_ACQUIRE);
    return r->action == DO_NOTHING ? expect(k, agent_state(b), r->next)
                                   : sync_wrong(k, "an acquire that does something");
}

bool sync_fill_l1(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line)
{
    struct l1_side *a = &s->l1[c];
    struct block *b = &a->block[line];
    if (!b->answer) return false;
    const struct row *r = row_of(k, false, agent_state(b), SYNC_FILL);
    uint8_t value = (uint8_t)(b->answer - 1), need = b->need;
    if (!(r->action & DO_ANSWER)) return sync_wrong(k, "who waits is forgotten");
    b->fetch = b->killed = b->need = b->answer = 0;
    for (uint32_t i = 0; r->action & DO_KEEP && i < LINES; i++)
        if (i != line) sync_replace_l1(k, a, i);
    if (r->action & DO_KEEP) b->valid = 1, b->value = value;
    return serve(k, a, need, value) && expect(k, agent_state(b), r->next);
}

/* --- what comes to an L1 --- */

static bool invalidate(struct sync_walk *k, struct l1_side *a, uint32_t line)
{
    struct block *b = &a->block[line];
    const struct row *r = row_of(k, false, agent_state(b), SYNC_INVALIDATE);
    return prepare_block(k, a, line, r) && expect(k, agent_state(b), r->next);
}

static bool end_release(struct sync_walk *k, struct sync *s, struct l1_side *a)
{
    if (!a->release || (a->covered && !s->performed))
        return sync_wrong(k, "a release is over early");
    for (uint32_t c = 0; a->covered && c < L1S; c++)
        s->l1[c].need = 1;
    a->release = a->covered = 0;
    return true;
}

bool sync_take_down(struct sync_walk *k, struct sync *s, uint32_t c)
{
    struct l1_side *a = &s->l1[c];
    struct down m = a->down[0];
    memmove(a->down, a->down + 1, sizeof a->down - sizeof *a->down);
    a->down[DOWN - 1] = (struct down){0, 0};
    switch ((enum down_kind)m.kind) {
    case DOWN_NONE: return false;
    case DOWN_INVALIDATE: return invalidate(k, a, m.what);
    case DOWN_PROBE:
        sync_send_up(k, a, (struct up){.kind = UP_APPLIED, .what = m.what});
        return true;
    case DOWN_ACK: return end_release(k, s, a);
    }
    return false;
}

/* --- the slice --- */

static bool prepare_home(struct sync_walk *k, struct sync *s, uint32_t line, const struct row *r)
{
    struct home_line *h = &s->home[line];
    if (r->action & DO_DISCARD && !h->fetch) return sync_wrong(k, "nothing to discard");
    if (r->action & DO_DISCARD) h->killed = 1;
    if (r->action & DO_CLEAN && !h->mask) return sync_wrong(k, "nothing to send");
    if (r->action & DO_CLEAN && h->mask & FIRST) h->memory = h->written;
    if (r->action & DO_CLEAN) h->mask = h->written = 0;
    if (r->action & DO_DROP && !h->valid) return sync_wrong(k, "nothing to drop");
    if (r->action & DO_DROP) h->valid = h->value = 0;
    for (uint32_t c = 0; r->action & DO_INVALIDATE && c < L1S; c++)
        sync_send_down(k, &s->l1[c], DOWN_INVALIDATE, line);
    return true;
}

bool sync_evict_l2(struct sync_walk *k, struct sync *s, uint32_t line)
{
    struct home_line *h = &s->home[line];
    if (!h->mask || !sync_has_room_down(k, s)) return false;
    const struct row *r = row_of(k, true, home_state(h), SYNC_HOME_EVICT);
    return prepare_home(k, s, line, r) && expect(k, home_state(h), r->next);
}

bool sync_replace_l2(struct sync_walk *k, struct sync *s, uint32_t line)
{
    struct home_line *h = &s->home[line];
    if (!h->valid) return false;
    const struct row *r = row_of(k, true, home_state(h), SYNC_HOME_REPLACE);
    h->valid = h->value = 0;
    return expect(k, home_state(h), r->next);
}

bool sync_dequeue_l2(struct sync_walk *k, struct sync *s)
{
    if (!sync_is_dequeued(s->fifo, k->p.entries2)) return false;
    uint32_t head = s->fifo[0];
    if (head < MARKER && s->home[head - 1].mask && !sync_evict_l2(k, s, head - 1)) return false;
    sync_pop_entry(s->fifo);
    if (head < MARKER) return true;
    if (k->unprobed) {
        sync_send_down(k, &s->l1[head - MARKER], DOWN_ACK, 0);
        return true;
    }
    s->l1[head - MARKER].answers = (uint8_t)((1u << L1S) - 1);
    for (uint32_t c = 0; c < L1S; c++)
        sync_send_down(k, &s->l1[c], DOWN_PROBE, head - MARKER);
    return true;
}

/* The value of line 0's first byte goes to whom it is for. */
static bool answer(struct sync_walk *k, struct sync *s, uint32_t c, const struct up *m,
                   uint8_t value)
{
    if (m->kind == UP_ROUND) return serve(k, &s->l1[c], m->need, value);
    s->l1[c].block[m->what].answer = (uint8_t)(1 + value);
    return true;
}

static bool look_up(struct sync_walk *k, struct sync *s, uint32_t c, const struct up *m)
{
    struct home_line *h = &s->home[m->what];
    uint8_t bit = (uint8_t)(1u << c);
    if (h->valid) return answer(k, s, c, m, h->value);
    if (!h->fetch) h->fetch = 1, h->fetched = h->memory;
    if (m->kind == UP_READ) h->fills |= bit;
    if (m->kind == UP_ROUND) h->rounds |= bit;
    if (m->need) h->needs |= bit;
    return true;
}

static void take_bytes(struct sync_walk *k, struct sync *s, const struct up *m)
{
    struct home_line *h = &s->home[m->what];
    if (!sync_is_entered(s->fifo, m->what, h->mask)) sync_append_entry(k, s->fifo, 1u + m->what);
    h->mask |= m->mask;
    if (m->mark) s->performed = 1, s->marked = DONE;
    if (!m->what && m->mask & FIRST) h->written = s->performed;
}

static bool perform_atomic(struct sync_walk *k, struct sync *s, uint32_t c, const struct up *m)
{
    struct home_line *h = &s->home[m->what];
    if (m->what) return true;
    if (h->memory != s->performed) return sync_wrong(k, "an atomic works on an old value");
    s->l1[c].need |= h->memory;
    if (m->mark) s->performed = 1, s->marked = DONE;
    h->memory = s->performed;
    return true;
}

static bool make_room_l2(struct sync_walk *k, struct sync *s, uint32_t line)
{
    for (uint32_t i = 0; i < LINES; i++)
        if (i != line && s->home[i].mask && !sync_evict_l2(k, s, i)) return false;
    return true;
}

static uint32_t home_event(const struct home_line *h, const struct up *m)
{
    if (m->kind == UP_WRITE) return SYNC_WRITE;
    if (m->kind == UP_ATOMIC) return SYNC_HOME_ATOMIC;
    return h->mask == WHOLE ? SYNC_READ_WRITTEN : SYNC_READ;
}

/* Whether a request can be taken now, its row's waits aside. */
static bool may_take(struct sync_walk *k, struct sync *s, uint32_t c, const struct up *m,
                     const struct row *r)
{
    const struct home_line *h = &s->home[m->what];
    if (k->wrong || r->action & DO_WAIT) return false;
    if (m->kind == UP_ROUND && h->rounds >> c & 1) return false; /* one at a time waits */
    if (m->kind == UP_WRITE && !sync_takes_entry(s->fifo, m->what, h->mask, k->p.entries2))
        return false;
    if (m->kind == UP_WRITE && !make_room_l2(k, s, m->what)) return false;
    return !(r->action & DO_INVALIDATE) || sync_has_room_down(k, s);
}

static bool take_access(struct sync_walk *k, struct sync *s, uint32_t c, const struct up *m)
{
    struct home_line *h = &s->home[m->what];
    const struct row *r = row_of(k, true, home_state(h), home_event(h, m));
    if (!may_take(k, s, c, m, r)) return false;
    if (!(r->action & (DO_HIT | DO_LOOK_UP | DO_INSTALL | DO_MEMORY)))
        return sync_wrong(k, "a request is forgotten");
    if (!prepare_home(k, s, m->what, r)) return false;
    if (r->action & DO_HIT && !answer(k, s, c, m, h->written)) return false;
    if (r->action & DO_LOOK_UP && !look_up(k, s, c, m)) return false;
    if (r->action & DO_INSTALL) take_bytes(k, s, m);
    if (r->action & DO_MEMORY && !perform_atomic(k, s, c, m)) return false;
    return expect(k, home_state(h), r->next);
}

bool sync_take_up(struct sync_walk *k, struct sync *s, uint32_t c)
{
    struct l1_side *a = &s->l1[c];
    struct up m = a->up[0];
    memmove(a->up, a->up + 1, sizeof a->up - sizeof *a->up);
    memset(&a->up[UP - 1], 0, sizeof *a->up);
    if (m.kind == UP_NONE) return false;
    if (m.kind == UP_MARKER) {
        sync_append_entry(k, s->fifo, MARKER + c);
        return true;
    }
    if (m.kind != UP_APPLIED) return take_access(k, s, c, &m);
    struct l1_side *who = &s->l1[m.what];
    who->answers &= (uint8_t) ~(1u << c);
    if (!who->answers) sync_send_down(k, who, DOWN_ACK, 0);
    return true;
}

bool sync_fill_l2(struct sync_walk *k, struct sync *s, uint32_t line)
{
    struct home_line *h = &s->home[line], was = *h;
    if (!h->fetch) return false;
    const struct row *r = row_of(k, true, home_state(h), SYNC_HOME_FILL);
    if (!(r->action & DO_ANSWER)) return sync_wrong(k, "who waits is forgotten");
    h->fetch = h->killed = h->fetched = h->fills = h->rounds = h->needs = 0;
    if (r->action & DO_KEEP) h->valid = 1, h->value = was.fetched;
    for (uint32_t c = 0; c < L1S; c++) {
        if (was.fills >> c & 1) s->l1[c].block[line].answer = (uint8_t)(1 + was.fetched);
        if (was.rounds >> c & 1 && !serve(k, &s->l1[c], was.needs >> c & 1, was.fetched))
            return false;
    }
    return expect(k, home_state(h), r->next);
}
