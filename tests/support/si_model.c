#include "tests/support/si_model.h"

#include "tests/support/check.h"

enum { FROM_MEMORY = 1, ROUND_L2 = 2 }; /* struct home.fetch */

bool si_wrong(struct si_walk *k, const char *what)
{
    if (!k->wrong) k->wrong = what;
    return false;
}

static const struct row *row_of(struct si_walk *k, bool home, uint8_t state, uint8_t event)
{
    const struct row *r = &(home ? &k->home : &k->agent)->at[state][event];
    k->met[home][state][event] = true;
    if (r->action & DO_NEVER) si_wrong(k, "a pair that cannot be met");
    return r;
}

static bool expect(struct si_walk *k, uint8_t state, uint8_t next)
{
    return (!k->wrong && state == next) || si_wrong(k, "not the next state");
}

static uint8_t agent_state(const struct cache_block *b)
{
    if (b->valid) return AGENT_V;
    if (!b->fetch) return AGENT_I;
    return b->killed ? AGENT_II : AGENT_IV;
}

static uint8_t home_state(const struct home *h)
{
    if (h->fetch) return h->fetch == ROUND_L2 ? HOME_R : HOME_F;
    if (h->dirty) return HOME_D;
    return h->valid ? HOME_V : HOME_I;
}

/* --- messages --- */

static bool append(struct msg *list, uint32_t size, const struct msg *m)
{
    for (uint32_t i = 0; i < size; i++)
        if (!list[i].kind) {
            list[i] = *m;
            return true;
        }
    return false;
}

static struct msg take_first(struct msg *list, uint32_t size)
{
    struct msg m = list[0];
    memmove(list, list + 1, (size - 1) * sizeof *list);
    memset(list + size - 1, 0, sizeof *list);
    return m;
}

static void count_msgs(struct si_on_way *o, const struct msg *list, uint32_t size, uint32_t c)
{
    for (uint32_t i = 0; i < size; i++) {
        const struct msg *m = &list[i];
        if (!m->kind || m->l1 != c) continue;
        bool writes = m->kind - 1 == HOME_WRITE || m->kind - 1 == HOME_WRITE_ROUND;
        o->all++;
        o->fills[m->line] += m->fill;
        o->marked += m->mark;
        o->stores += writes && !m->line && m->mask & FIRST;
    }
}

struct si_on_way si_on_way(const struct si *s, uint32_t c)
{
    struct si_on_way o = {0};
    count_msgs(&o, s->queue[c], QUEUE, c);
    for (uint32_t i = 0; i < LINES; i++)
        count_msgs(&o, s->home[i].wait, WAITERS, c);
    return o;
}

/* --- L1s --- */

static bool serve(struct si_walk *k, struct si *s, uint32_t c, uint8_t need, uint8_t value)
{
    if (need && value == BEFORE) return si_wrong(k, "a load is served old data");
    s->need[c] |= value == SINCE;
    return true;
}

static bool drop_for_room(struct si_walk *k, struct cache_block *b)
{
    const struct row *r = row_of(k, false, agent_state(b), AGENT_REPLACE);
    b->valid = b->value = 0;
    return expect(k, agent_state(b), r->next);
}

static bool keep(struct si_walk *k, struct si *s, uint32_t c, uint32_t line, uint8_t value)
{
    for (uint32_t i = 0; k->one_frame && i < LINES; i++)
        if (i != line && s->block[c][i].valid && !drop_for_room(k, &s->block[c][i])) return false;
    s->block[c][line].valid = 1;
    s->block[c][line].value = value;
    return true;
}

/* An access of an L1: its row's actions.  m: what it sends if it sends anything. */
static bool act(struct si_walk *k, struct si *s, const struct row *r, struct msg *m)
{
    uint32_t c = m->l1, a = r->action;
    struct cache_block *b = &s->block[c][m->line];
    bool load = m->kind - 1 == HOME_READ || m->kind - 1 == HOME_READ_ROUND;
    bool mine = !m->line && m->mask & FIRST;
    if ((load || m->kind - 1 == HOME_ATOMIC) && !(a & (DO_HIT | DO_JOIN | DO_FETCH | DO_ROUND)))
        return si_wrong(k, "an access is forgotten");
    if (a & DO_DISCARD) b->killed = 1;
    if (a & DO_DROP) b->valid = b->value = 0;
    if (a & DO_HIT && (!b->valid || !serve(k, s, c, m->need, b->value)))
        return si_wrong(k, "a hit without a copy");
    if (a & DO_JOIN) b->need |= m->need;
    if (a & DO_FETCH) b->fetch = 1, b->need = m->need, m->fill = 1, m->need = 0;
    if (m->mark) s->marked = (uint8_t)(1 + c), s->need[c] = 1;
    uint8_t value = !mine ? BEFORE : s->performed || s->marked == 1 + c ? SINCE : MINE;
    if (a & DO_INSTALL && !keep(k, s, c, m->line, k->values ? value : BEFORE)) return false;
    bool sends = a & (DO_FETCH | DO_WRITE | DO_ROUND);
    s->owed[c] += sends;
    return !sends || append(s->queue[c], QUEUE, m) || si_wrong(k, "no room");
}

bool si_access(struct si_walk *k, struct si *s, enum agent_event event, struct msg m)
{
    struct cache_block *b = &s->block[m.l1][m.line];
    const struct row *r = row_of(k, false, agent_state(b), (uint8_t)event);
    if (k->wrong || r->action & DO_WAIT) return false;
    bool sends = r->action & (DO_FETCH | DO_WRITE | DO_ROUND);
    if (sends && si_on_way(s, m.l1).all >= k->depth[m.l1]) return false;
    if (m.mark && (m.line || !k->values || s->marked)) return false;
    m.need = event <= AGENT_LOAD_ROUND && !m.line && s->need[m.l1];
    return act(k, s, r, &m) && expect(k, agent_state(b), r->next);
}

bool si_fill_l1(struct si_walk *k, struct si *s, uint32_t c, uint32_t line)
{
    struct cache_block *b = &s->block[c][line];
    const struct row *r = row_of(k, false, agent_state(b), AGENT_FILL);
    uint8_t value = (uint8_t)(b->answer - 1), need = b->need;
    if (!(r->action & DO_ANSWER)) return si_wrong(k, "who waits is forgotten");
    b->fetch = b->killed = b->need = b->answer = 0;
    if (r->action & DO_KEEP && !keep(k, s, c, line, value)) return false;
    return serve(k, s, c, need, value) && expect(k, agent_state(b), r->next);
}

bool si_acquire(struct si_walk *k, struct si *s, uint32_t c)
{
    for (uint32_t i = 0; i < k->lines; i++) {
        struct cache_block *b = &s->block[c][i];
        const struct row *r = row_of(k, false, agent_state(b), AGENT_ACQUIRE);
        if (r->action & DO_DISCARD) b->killed = 1;
        if (r->action & DO_DROP) b->valid = b->value = 0;
        if (!expect(k, agent_state(b), r->next)) return false;
    }
    s->need[c] |= s->performed;
    return true;
}

bool si_replace_l1(struct si_walk *k, struct si *s, uint32_t c, uint32_t line)
{
    return s->block[c][line].valid && drop_for_room(k, &s->block[c][line]);
}

/* --- the home --- */

/* The last store of an L1 that holds its bytes as its own has been performed. */
static void settle(struct si *s, uint32_t c)
{
    struct cache_block *b = &s->block[c][0];
    if (b->value == MINE && !si_on_way(s, c).stores) b->value = s->performed;
}

/* What a store or atomic leaves in the byte, *at, in the L2 or in memory. */
static void put_byte(struct si *s, const struct msg *m, uint8_t *at)
{
    if (m->line || !(m->mask & FIRST)) return;
    if (m->mark) s->performed = 1, s->marked = DONE;
    *at = s->performed;
    settle(s, m->l1);
}

static bool perform(struct si_walk *k, struct si *s, const struct msg *m, uint8_t value)
{
    struct home *h = &s->home[m->line];
    uint8_t event = (uint8_t)(m->kind - 1);
    s->owed[m->l1]--;
    if (m->fill) {
        s->block[m->l1][m->line].answer = (uint8_t)(1 + value);
        return true;
    }
    if (event == HOME_READ || event == HOME_READ_ROUND) return serve(k, s, m->l1, m->need, value);
    if (event == HOME_ATOMIC && !m->line) {
        if (value != s->performed) return si_wrong(k, "an atomic works on an old value");
        s->need[m->l1] |= value;
    }
    h->valid |= m->mask;
    h->dirty |= m->mask;
    put_byte(s, m, &h->value);
    return true;
}

/* As any cache does. */
static bool look_up(struct si_walk *k, struct si *s, const struct msg *m, uint8_t next)
{
    struct home *h = &s->home[m->line];
    bool write = m->kind - 1 == HOME_WRITE;
    uint8_t wants = write ? 0 : m->kind - 1 == HOME_ATOMIC ? FIRST : WHOLE;
    bool fetch = write ? k->fetch_on_write && !h->valid : (h->valid & wants) != wants;
    if (fetch && !h->fetch) h->fetch = FROM_MEMORY, h->fetched = h->memory;
    if (h->fetch && !append(h->wait, WAITERS, m)) return si_wrong(k, "no room");
    if (!h->fetch && !perform(k, s, m, h->value)) return false;
    return home_state(h) == HOME_F || expect(k, home_state(h), next);
}

static void to_memory(struct home *h)
{
    if (h->dirty & FIRST) h->memory = h->value;
    h->dirty = 0;
}

static void forget(struct home *h)
{
    h->valid = h->dirty = h->value = 0;
}

bool si_take_request(struct si_walk *k, struct si *s, uint32_t c)
{
    if (!s->queue[c][0].kind) return false;
    struct home *h = &s->home[s->queue[c][0].line];
    const struct row *r = row_of(k, true, home_state(h), (uint8_t)(s->queue[c][0].kind - 1));
    if (k->wrong || r->action & DO_WAIT) return false;
    struct msg m = take_first(s->queue[c], QUEUE);
    if (r->action & DO_LOOK_UP) return look_up(k, s, &m, r->next);
    if (r->action & DO_CLEAN) to_memory(h);
    if (r->action & DO_DROP) forget(h);
    bool reads = m.kind - 1 == HOME_READ_ROUND;
    if (r->action & DO_MEMORY && reads) h->fetch = ROUND_L2, h->fetched = h->memory;
    if (r->action & (DO_MEMORY | DO_JOIN) && reads && !append(h->wait, WAITERS, &m))
        return si_wrong(k, "no room");
    if (r->action & DO_MEMORY && !reads) s->owed[c]--, put_byte(s, &m, &h->memory);
    return expect(k, home_state(h), r->next);
}

bool si_fill_l2(struct si_walk *k, struct si *s, uint32_t line)
{
    struct home *h = &s->home[line];
    if (!h->fetch) return false;
    const struct row *r = row_of(k, true, home_state(h), HOME_FILL);
    uint8_t value = h->fetched;
    bool kept = r->action & DO_LOOK_UP;
    if (!kept && !(r->action & DO_ANSWER)) return si_wrong(k, "a fill is forgotten");
    if (kept && h->valid & FIRST) value = h->value;
    if (kept) h->value = value, h->valid = WHOLE;
    h->fetch = h->fetched = 0;
    while (h->wait[0].kind) {
        struct msg m = take_first(h->wait, WAITERS);
        if (!perform(k, s, &m, kept ? h->value : value)) return false;
    }
    return (kept && home_state(h) == HOME_D) || expect(k, home_state(h), r->next);
}

bool si_leave_l2(struct si_walk *k, struct si *s, uint32_t line)
{
    struct home *h = &s->home[line];
    if (h->fetch || !h->valid) return false;
    const struct row *r = row_of(k, true, home_state(h), HOME_REPLACE);
    if (r->action & DO_CLEAN) to_memory(h);
    forget(h);
    return expect(k, home_state(h), r->next);
}
