#include "tests/support/protocol_walk.h"

/* --- checks --- */

static bool attended(const struct line *l, uint32_t c)
{
    const struct side *s = &l->side[c];
    return s->request || s->grant || (l->lock && l->who == c);
}

static bool line_is_well(struct walk *k, const struct line *l)
{
    uint8_t put_somewhere = 0;
    for (uint32_t i = 0; i < k->caches; i++) {
        const struct side *s = &l->side[i];
        bool stable = s->state == OWN_I || moesi_valid(s->state);
        if (stable == attended(l, i)) return moesi_wrong(k, "who waits is not attended to");
        if ((l->waits >> i & 1) != (s->question || s->answer))
            return moesi_wrong(k, "the home waits for nobody's word");
        if (moesi_valid(s->state) && !(l->sharers >> i & 1) && !s->question)
            return moesi_wrong(k, "a copy that the home does not know");
        put_somewhere |= s->put_data | s->answer_data;
    }
    if (l->lock >= DIR_WS && l->lock <= DIR_WC && !l->waits)
        return moesi_wrong(k, "nothing to wait for");
    if (moesi_home_state(l) == DIR_I && !put_somewhere && l->l2 != k->follow)
        return moesi_wrong(k, "a store is lost");
    return true;
}

/* The number of a state; UINT32_MAX: it is not well. */
static uint32_t reach(struct walk *k, const struct line *l)
{
    if (!line_is_well(k, l)) return UINT32_MAX;
    uint32_t cap = k->s.cap, i = space_reach(&k->s, l);
    if (k->s.cap == cap) return i;
    k->sync = realloc(k->sync, k->s.cap * sizeof *k->sync);
    assert_non_null(k->sync);
    return i;
}

static void note_step(struct walk *k, const struct line *l, enum step_kind kind, uint32_t cache)
{
    uint32_t next = reach(k, l);
    space_step(&k->s, next, kind, cache);
}

#define TRY(kind, does)                                                   \
    do {                                                                  \
        struct line next = from, *l = &next;                              \
        if (!k->wrong && (does) && !k->wrong) note_step(k, l, (kind), c); \
    } while (0)

/* Where a cache's acquire or release leads; lines take them together. */
static void sync_from(struct walk *k, uint32_t i, uint32_t c, uint8_t event)
{
    struct line l = *line_at(k, i);
    if (k->wrong || !moesi_synchronise(k, &l, c, event)) return;
    uint32_t next = reach(k, &l);
    k->sync[i][c][event == OWN_RELEASE] = next;
}

static void steps_of_cache(struct walk *k, uint32_t i, uint32_t c)
{
    const struct line from = *line_at(k, i);
    const struct side *s = &from.side[c];
    for (uint8_t e = OWN_LOAD; e <= OWN_ATOMIC; e++)
        if (k->writers || (e != OWN_LOAD_GLC && e != OWN_STORE_GLC))
            TRY(s->state == OWN_I ? STEP_FRAME : STEP_OTHER, moesi_access(k, l, c, e));
    TRY(STEP_OTHER, moesi_replace(k, l, c));
    if (k->writers) sync_from(k, i, c, OWN_ACQUIRE);
    if (k->writers) sync_from(k, i, c, OWN_RELEASE);
    if (s->grant) TRY(STEP_ON, moesi_granted(k, l, c));
    if (s->question && !s->grant) TRY(STEP_ON, moesi_asked(k, l, c));
    if (s->request) TRY(STEP_ON, moesi_take_request(k, l, c));
    if (s->answer) TRY(STEP_ON, moesi_take_answer(k, l, c));
}

static void steps_of(struct walk *k, uint32_t i)
{
    const struct line from = *line_at(k, i);
    const uint32_t c = 0;
    k->s.first[i] = k->s.steps;
    for (uint32_t cache = 0; cache < k->caches; cache++)
        steps_of_cache(k, i, cache);
    TRY(STEP_OTHER, moesi_leave_l2(k, l));
    TRY(STEP_ON, moesi_served(k, l));
    k->s.first[i + 1] = k->s.steps;
}

static bool at_rest(const void *state)
{
    const struct line *l = state;
    for (uint32_t c = 0; c < CACHES; c++)
        if (attended(l, c) || l->side[c].question || l->side[c].answer) return false;
    return !l->lock;
}

const char *walk_all(struct walk *k)
{
    struct line start;
    memset(&start, 0, sizeof start);
    start.l2 = k->follow;
    start.owner = start.who = NOBODY;
    reach(k, &start);
    uint32_t i = 0;
    for (; i < k->s.n && !k->wrong && (!k->most || i < k->most); i++)
        steps_of(k, i);
    if (!k->wrong && i == k->s.n) k->wrong = space_rests(&k->s, at_rest);
    return k->wrong;
}

void walk_free(struct walk *k)
{
    space_fini(&k->s);
    free(k->sync);
    mem_free(k);
}

struct walk *walk_new(const struct protocol *p, uint32_t caches, uint8_t follow)
{
    struct walk *k = mem_new(1, sizeof *k);
    struct text why = {0};
    assert_non_null(k);
    assert_true(transitions_compile(&k->agent, &p->agent, &why));
    assert_true(transitions_compile(&k->home, &p->home, &why));
    k->writers = p->writers;
    k->s.size = sizeof(struct line);
    k->caches = caches;
    k->follow = follow;
    return k;
}

void all_rows_met(const struct walk *k, const struct protocol *p)
{
    for (int home = 0; home < 2; home++) {
        const struct table *t = home ? &p->home : &p->agent;
        for (uint32_t i = 0; i < t->n; i++)
            if (!k->met[home][t->row[i].state][t->row[i].event])
                fail_msg("%s: the %s's %s at %s is never met", p->name, home ? "home" : "agent",
                         t->state[t->row[i].state], t->event[t->row[i].event]);
    }
}

struct walk *protocol_check(const struct protocol *p, uint32_t caches, uint8_t follow)
{
    struct walk *k = walk_new(p, caches, follow);
    const char *why = walk_all(k);
    print_message("%s, %u caches, bytes %#x: %u states, %u steps\n", p->name, caches, follow,
                  k->s.n, k->s.steps);
    if (why) fail_msg("%s, %u caches: %s", p->name, caches, why);
    return k;
}
