#include "tests/support/protocol_model.h"

#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { PEND_LOAD = 1, PEND_STORE = 2, PEND_ATOMIC = 4 };

bool moesi_wrong(struct walk *k, const char *what)
{
    k->wrong = what;
    return false;
}

uint8_t all_bytes(uint32_t caches)
{
    return (uint8_t)((1u << (caches + 1)) - 1);
}

static const struct row *row_of(struct walk *k, bool home, uint8_t state, uint8_t event)
{
    const struct row *r = &(home ? &k->home : &k->agent)->at[state][event];
    k->met[home][state][event] = true;
    if (r->action & DO_NEVER) moesi_wrong(k, "a pair without a row");
    return r;
}

bool moesi_valid(uint8_t state)
{
    return state == OWN_S || state == OWN_E || state == OWN_O || state == OWN_M || state == OWN_N;
}

/* --- values --- */

static void write_byte(struct walk *k, struct line *l, uint32_t c, bool atomic)
{
    uint8_t bit = (uint8_t)(1u << (atomic ? k->caches : c)) & k->follow, rest = (uint8_t)~bit;
    l->l2 &= rest, l->held_data &= rest;
    for (uint32_t i = 0; i < k->caches; i++) {
        struct side *s = &l->side[i];
        s->data &= rest, s->put_data &= rest, s->answer_data &= rest, s->grant_data &= rest;
        s->need &= rest;
    }
    l->side[c].data |= bit;
}

/* A load is served from the cache. */
static bool load(struct walk *k, const struct line *l, uint32_t c)
{
    const struct side *s = &l->side[c];
    uint8_t want = (uint8_t)(s->need | 1u << c | 1u << k->caches) & k->follow;
    if (!k->writers) want = k->follow;
    return (s->data & want) == want || moesi_wrong(k, "a load is served old data");
}

static bool store(struct walk *k, struct line *l, uint32_t c, bool atomic)
{
    bool alone = atomic || !k->writers;
    for (uint32_t i = 0; i < k->caches; i++)
        if (alone && i != c && (moesi_valid(l->side[i].state) || l->side[i].state == OWN_OM))
            return moesi_wrong(k, "two copies at a store of one that owns");
    if (alone && l->side[c].state != OWN_M)
        return moesi_wrong(k, "a store of one that does not own");
    if (!alone && l->side[c].state != OWN_N && l->side[c].state != OWN_P)
        return moesi_wrong(k, "an n-store that nobody will merge");
    if (atomic && k->follow & ~l->side[c].data & 1u << k->caches)
        return moesi_wrong(k, "an atomic works on an old value");
    write_byte(k, l, c, atomic);
    return true;
}

/* --- agents --- */

static void put(struct side *s, uint32_t c)
{
    bool owned = s->state == OWN_M || s->state == OWN_O, n = s->state == OWN_N;
    s->put = owned ? A_DATA : n ? A_BYTES : A_NONE;
    s->put_data = (uint8_t)(owned ? s->data : n ? s->data & (1u << c) : 0);
    s->request = (uint8_t)((owned ? DIR_PUT : n ? DIR_MERGE : DIR_LEAVE) + 1);
    s->data = 0;
}

static uint8_t asks(uint32_t action)
{
    if (action & DO_FETCH) return DIR_READ + 1;
    if (action & DO_FETCH_OWN) return DIR_READ_OWN + 1;
    if (action & DO_FETCH_N) return DIR_READ_N + 1;
    if (action & DO_UPGRADE) return DIR_UPGRADE + 1;
    if (action & DO_UPGRADE_N) return DIR_UPGRADE_N + 1;
    return 0;
}

static bool access_now(struct walk *k, struct line *l, uint32_t c, uint8_t event)
{
    if (event == OWN_LOAD || event == OWN_LOAD_GLC) return load(k, l, c);
    return store(k, l, c, event == OWN_ATOMIC);
}

bool moesi_access(struct walk *k, struct line *l, uint32_t c, uint8_t event)
{
    struct side *s = &l->side[c];
    const struct row *r = row_of(k, false, s->state, event);
    uint8_t kind = event == OWN_ATOMIC                          ? PEND_ATOMIC
                   : event == OWN_LOAD || event == OWN_LOAD_GLC ? PEND_LOAD
                                                                : PEND_STORE;
    bool says = r->action & (DO_WAIT | DO_HIT | DO_JOIN) || asks(r->action);
    if (k->wrong || !says) return k->wrong ? false : moesi_wrong(k, "an access is forgotten");
    if (r->action & DO_DROP) s->data = 0;
    if (r->action & DO_HIT) {
        uint8_t last = s->state;
        s->state = r->action & DO_PUT ? last : r->next;
        if (!access_now(k, l, c, event)) return false;
        s->state = last;
    }
    if (r->action & DO_JOIN) s->pending |= kind;
    if (asks(r->action)) s->request = asks(r->action), s->pending = kind;
    if (r->action & DO_PUT) put(s, c);
    s->state = r->next;
    return true;
}

bool moesi_replace(struct walk *k, struct line *l, uint32_t c)
{
    struct side *s = &l->side[c];
    if (!moesi_valid(s->state)) return false;
    const struct row *r = row_of(k, false, s->state, OWN_REPLACE);
    if (!(r->action & DO_PUT)) return moesi_wrong(k, "a copy does not leave");
    put(s, c);
    s->state = r->next;
    return true;
}

bool moesi_synchronise(struct walk *k, struct line *l, uint32_t c, uint8_t event)
{
    struct side *s = &l->side[c];
    const struct row *r = &k->agent.at[s->state][event];
    if (event == OWN_ACQUIRE) s->need = l->l2;
    if (r->action & DO_NEVER) return true;
    row_of(k, false, s->state, event);
    if (r->action & DO_PUT) put(s, c);
    if (r->action & DO_DROP) s->data = 0;
    s->state = r->next;
    return event != OWN_RELEASE || s->state != OWN_N || moesi_wrong(k, "a release keeps bytes");
}

static bool serve_pending(struct walk *k, struct line *l, uint32_t c, const struct row *r)
{
    struct side *s = &l->side[c];
    uint8_t p = s->pending, next = r->next;
    s->pending = 0;
    s->state = r->action & DO_PUT ? OWN_N : r->action & DO_DROP ? OWN_S : next;
    if (p & PEND_STORE && !store(k, l, c, false)) return false;
    if (p & PEND_ATOMIC && !store(k, l, c, true)) return false;
    /* loads in NI and II came before the acquire: they may be served what was there before it */
    bool after = !(r->action & (DO_PUT | DO_DROP));
    return !(p & PEND_LOAD && after) || load(k, l, c);
}

bool moesi_granted(struct walk *k, struct line *l, uint32_t c)
{
    struct side *s = &l->side[c];
    const struct row *r = row_of(k, false, s->state, (uint8_t)(s->grant - 1));
    if (k->wrong) return false;
    if (s->grant - 1 != OWN_GONE) {
        if (s->grant_has) s->data = s->grant_data;
        s->grant = s->grant_data = s->grant_has = 0;
        if (!(r->action & DO_ANSWER)) return moesi_wrong(k, "who waits is forgotten");
        if (!serve_pending(k, l, c, r)) return false;
    } else {
        s->grant = s->put = s->put_data = 0;
    }
    if (r->action & DO_PUT) put(s, c);
    if (r->action & DO_DROP) s->data = 0;
    s->state = r->next;
    return true;
}

bool moesi_asked(struct walk *k, struct line *l, uint32_t c)
{
    struct side *s = &l->side[c];
    uint8_t event = (uint8_t)(s->question - 1);
    const struct row *r = row_of(k, false, s->state, event);
    if (k->wrong) return false;
    bool owned = s->state == OWN_M || s->state == OWN_O || s->state == OWN_OM;
    s->question = 0;
    s->answer = A_NONE;
    if (r->action & (DO_REPLY | DO_SUPPLY)) s->answer = A_PLAIN;
    if (r->action & DO_SUPPLY && s->state == OWN_P && s->put) {
        s->answer = s->put;
        s->answer_data = s->put_data;
    } else if (r->action & DO_SUPPLY && owned) {
        s->answer = A_DATA;
        s->answer_data = s->data;
    } else if (r->action & DO_SUPPLY && s->state == OWN_N) {
        s->answer = A_BYTES;
        s->answer_data = s->data & (uint8_t)(1u << c);
    }
    if (event == OWN_INVALIDATE || r->next == OWN_IM) s->data = 0;
    s->state = r->next;
    if (s->state == OWN_PI) s->put = s->put_data = 0;
    return true;
}

/* --- the home --- */

uint8_t moesi_home_state(const struct line *l)
{
    if (l->lock) return l->lock;
    if (l->owner == NOBODY) return l->sharers ? DIR_S : DIR_I;
    return l->sharers == 1u << l->owner ? DIR_X : DIR_O;
}

static uint8_t meaning(const struct walk *k, const struct line *l, uint32_t c)
{
    uint8_t what = (uint8_t)(l->side[c].request - 1);
    bool listed = l->sharers >> c & 1, owner = l->owner == c;
    switch (what) {
    case DIR_UPGRADE: return listed && (owner || !k->writers) ? what : DIR_READ_OWN;
    case DIR_UPGRADE_N: return listed ? what : DIR_READ_N;
    case DIR_PUT: return owner ? what : listed ? DIR_LEAVE : DIR_STALE;
    case DIR_MERGE:
    case DIR_LEAVE: return listed ? what : DIR_STALE;
    default: return what;
    }
}

static void ask(struct line *l, uint32_t c, uint8_t question)
{
    l->side[c].question = (uint8_t)(question + 1);
    l->waits |= (uint8_t)(1u << c);
}

static void grant(struct walk *k, struct line *l, const uint8_t *data)
{
    static const uint8_t by_request[DIR_EVENTS] = {[DIR_READ_OWN] = OWN_GRANT_M,
                                                   [DIR_UPGRADE] = OWN_GRANT_M,
                                                   [DIR_READ_N] = OWN_GRANT_N,
                                                   [DIR_UPGRADE_N] = OWN_GRANT_N};
    struct side *s = &l->side[l->who];
    uint8_t kind = by_request[l->what], bit = (uint8_t)(1u << l->who);
    if (l->what == DIR_READ) kind = l->lock == DIR_FE ? OWN_GRANT_E : OWN_GRANT_S;
    (void)k;
    s->grant = (uint8_t)(kind + 1);
    s->grant_has = data != NULL;
    s->grant_data = data ? *data : 0;
    if (kind == OWN_GRANT_M) l->sharers = 0;
    if (kind == OWN_GRANT_M || kind == OWN_GRANT_E) l->owner = l->who;
    l->sharers |= bit;
}

static void leave(struct line *l)
{
    l->sharers &= (uint8_t) ~(1u << l->who);
    if (l->owner == l->who) l->owner = NOBODY;
}

static void send_questions(struct line *l, uint32_t caches, uint32_t action)
{
    if (action & (DO_SHARE | DO_HAVE_CLEAN))
        ask(l, l->owner, action & DO_SHARE ? OWN_SHARE : OWN_CLEAN);
    if (!(action & DO_INVALIDATE)) return;
    for (uint32_t i = 0; i < caches; i++)
        if (l->sharers >> i & 1 && i != l->who) ask(l, i, OWN_INVALIDATE);
    l->sharers &= (uint8_t)(l->who == NOBODY ? 0 : 1u << l->who);
    if (l->owner != l->who) l->owner = NOBODY;
}

static bool home_act(struct walk *k, struct line *l, const struct row *r);

/* No question is open any more. */
static bool all_answered(struct walk *k, struct line *l)
{
    if (l->waits || l->lock < DIR_WS || (l->lock > DIR_WC && l->lock != DIR_R)) return true;
    const struct row *r = row_of(k, true, l->lock, l->held ? DIR_DONE_HELD : DIR_DONE);
    if (!k->wrong && r->next == l->lock) return moesi_wrong(k, "answers that end nothing");
    return !k->wrong && home_act(k, l, r);
}

static bool home_act(struct walk *k, struct line *l, const struct row *r)
{
    uint32_t a = r->action;
    struct side *who = l->who == NOBODY ? NULL : &l->side[l->who];
    bool serves = a & (DO_REMOVE | DO_ANSWER | DO_WRITE | DO_GRANT | DO_SUPPLY);
    if (serves && !who) return moesi_wrong(k, "an answer to nobody");
    if (a & (DO_SHARE | DO_HAVE_CLEAN) && l->owner == NOBODY)
        return moesi_wrong(k, "no owner to ask");
    if (a & DO_DEMOTE) l->owner = NOBODY;
    send_questions(l, k->caches, a);
    if (a & DO_REMOVE) leave(l);
    if (a & DO_ANSWER) who->grant = OWN_GONE + 1;
    if (a & DO_WRITE) l->l2 |= who->put_data;
    if (a & DO_GRANT && l->lock >= DIR_FE && l->lock <= DIR_FM)
        grant(k, l, &l->l2);
    else if (a & DO_GRANT)
        grant(k, l, NULL);
    if (a & DO_REMOVE && l->lock == DIR_FP) who->grant = OWN_GONE + 1;
    if (a & DO_SUPPLY) grant(k, l, &l->held_data);
    l->lock = r->next >= DIR_WS ? r->next : 0;
    if (!l->lock) l->who = NOBODY, l->what = l->held = l->held_data = 0;
    if (moesi_home_state(l) != r->next && !(a & DO_REMOVE))
        return moesi_wrong(k, "not the next state");
    return all_answered(k, l);
}

bool moesi_take_request(struct walk *k, struct line *l, uint32_t c)
{
    uint8_t event = meaning(k, l, c);
    const struct row *r = row_of(k, true, moesi_home_state(l), event);
    if (k->wrong) return false;
    if (r->action & DO_NACK) return false; /* it comes again: nothing has changed */
    l->who = (uint8_t)c;
    l->what = event;
    l->side[c].request = 0;
    return home_act(k, l, r);
}

bool moesi_take_answer(struct walk *k, struct line *l, uint32_t c)
{
    struct side *s = &l->side[c];
    uint8_t kind = s->answer, data = s->answer_data;
    s->answer = s->answer_data = 0;
    l->waits &= (uint8_t) ~(1u << c);
    if (kind != A_PLAIN) {
        const struct row *r = row_of(k, true, l->lock, kind == A_DATA ? DIR_DATA : DIR_BYTES);
        if (k->wrong) return false;
        if (r->action & DO_HOLD) l->held = 1, l->held_data = data;
        if (r->action & DO_MERGE) l->l2 |= data;
        if (kind == A_DATA && r->action & DO_MERGE && l->lock != DIR_R) l->l2 = data;
    }
    return all_answered(k, l);
}

bool moesi_leave_l2(struct walk *k, struct line *l)
{
    const struct row *r = row_of(k, true, moesi_home_state(l), DIR_REPLACE);
    if (k->wrong || (l->lock && !(r->action & DO_WAIT)))
        return k->wrong ? false : moesi_wrong(k, "a locked line leaves");
    if (l->lock || moesi_home_state(l) == DIR_I) return false;
    if (!(r->action & DO_INVALIDATE)) return moesi_wrong(k, "a line leaves before its copies");
    return home_act(k, l, r);
}

bool moesi_served(struct walk *k, struct line *l)
{
    if (l->lock < DIR_FE || l->lock > DIR_FP) return false;
    const struct row *r = row_of(k, true, l->lock, DIR_SERVED);
    if (!k->wrong && r->next == l->lock) return moesi_wrong(k, "a block that is locked for ever");
    return !k->wrong && home_act(k, l, r);
}
