/* directory_l1s.c - see directory_l1s.h. */
#include "gpu/functional/memory/directory_l1s.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"
#include "gpu/geometry/bytemask.h"

#include <string.h>

bool directory_l1s_init(struct functional_caches *w)
{
    if (!w->coherence.protocol || !w->coherence.protocol->directory) return true;
    w->owner = mem_new(w->sms, sizeof *w->owner);
    bool ok = w->owner != NULL;
    for (uint32_t i = 0; ok && i < w->sms; i++) {
        struct directory_l1 *o = &w->owner[i];
        o->state = mem_new(w->l1[i].n_lines, sizeof *o->state);
        o->written = mem_new(w->l1[i].n_lines, sizeof *o->written);
        ok = o->state && o->written;
    }
    return ok;
}

void directory_l1s_fini(struct functional_caches *w)
{
    for (uint32_t i = 0; w->owner && i < w->sms; i++) {
        mem_free(w->owner[i].state);
        mem_free(w->owner[i].written);
    }
    mem_free(w->owner);
}

/* --- the lines of an L1 --- */

static bool is_owner(enum owner_state s)
{
    return s == OWN_E || s == OWN_O || s == OWN_M;
}

/* Whether the L1's data are newer than the L2's; an inclusive L2 asks this when it evicts the line
 * (inclusion_filter.h). */
static bool is_dirty(enum owner_state s)
{
    return s == OWN_O || s == OWN_M || s == OWN_N;
}

static enum owner_state state_at(const struct functional_caches *w, uint32_t sm, uint32_t line)
{
    return line == LINE_NONE ? OWN_I : (enum owner_state)w->owner[sm].state[line];
}

static void set_state(struct functional_caches *w, uint32_t sm, uint32_t line,
                      enum owner_state state)
{
    w->owner[sm].state[line] = (uint8_t)state;
    w->l1[sm].line[line].dirty = is_dirty(state);
}

static const struct row *agent_row(const struct functional_caches *w, enum owner_state state,
                                   enum owner_event event)
{
    return &w->coherence.agent.at[state][event];
}

/* Writes dirty bytes of an L1 to the L2. Bytes that the home has asked for go to memory where the
 * L2 lacks the line. */
static void write_down(struct functional_caches *w, uint64_t addr, const uint64_t mask[2],
                       bool asked)
{
    const struct access a = {.addr = addr, .kind = ACCESS_WRITE, .mask = {mask[0], mask[1]}};
    const struct cache *c = &w->slice[map_slice(&w->map, addr)];
    double queued;
    if (asked && cache_find(c, cache_tag(c, addr)) == LINE_NONE)
        functional_caches_write_memory(w, addr, &queued);
    else
        functional_caches_touch_l2(w, addr, &a);
}

/* Finds the bytes of a line that are newer than the L2's; false: there are none. */
static bool dirty_bytes(const struct functional_caches *w, uint32_t sm, uint32_t line,
                        uint64_t mask[2])
{
    const uint64_t *written = w->owner[sm].written[line];
    enum owner_state state = state_at(w, sm, line);
    if (!is_dirty(state)) return false;
    bytemask_first(w->l1[sm].p.line_bytes, mask);
    if (state == OWN_N) mask[0] = written[0], mask[1] = written[1];
    return mask[0] || mask[1];
}

/* Evicts the line from the L1 and informs the home at once. */
static void put_line(struct functional_caches *w, uint32_t sm, uint32_t line)
{
    struct cache *c = &w->l1[sm];
    uint64_t mask[2], addr = c->line[line].tag << c->line_shift;
    bool dirty = dirty_bytes(w, sm, line, mask);
    double done = w->timing.done; /* no instruction waits for the write */
    cache_drop(c, line);
    if (dirty) write_down(w, addr, mask, false);
    w->timing.done = done;
}

/* --- the home --- */

/* The L1s that have a block. */
struct holders {
    uint32_t n, owner; /* UINT32_MAX: nobody owns it */
};

static struct holders find_holders(const struct functional_caches *w, uint64_t addr, uint32_t asks,
                                   bool asker_has)
{
    struct holders h = {0, UINT32_MAX};
    for (uint32_t i = 0; i < w->sms; i++) {
        const struct cache *c = &w->l1[i];
        uint32_t line = i == asks && !asker_has ? LINE_NONE : cache_find(c, cache_tag(c, addr));
        if (line == LINE_NONE) continue;
        h.n++;
        if (i != asks && is_owner(state_at(w, i, line))) h.owner = i;
    }
    return h;
}

static enum dir_state state_of(const struct holders *h)
{
    if (h->owner == UINT32_MAX) return h->n ? DIR_S : DIR_I;
    return h->n == 1 ? DIR_X : DIR_O;
}

/* The home's record of the answers to its probes. */
struct answers {
    uint8_t waits; /* the state in which the home waits for them */
    bool held;     /* an owner has supplied its data */
};

/* Probes an L1 on behalf of the home and records its answer. */
static void ask_owner(struct functional_caches *w, uint32_t sm, uint64_t addr,
                      enum owner_event question, struct answers *to)
{
    struct cache *c = &w->l1[sm];
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE) return;
    uint64_t mask[2];
    enum owner_state was = state_at(w, sm, line);
    const struct row *row = agent_row(w, was, question);
    bool supplies = row->action & DO_SUPPLY && dirty_bytes(w, sm, line, mask);
    if (row->next == OWN_I)
        cache_drop(c, line);
    else
        set_state(w, sm, line, (enum owner_state)row->next);
    if (!supplies) return;
    enum dir_event answer = was == OWN_N ? DIR_BYTES : DIR_DATA;
    uint32_t action = w->coherence.home.at[to->waits][answer].action;
    to->held |= (action & DO_HOLD) != 0;
    if (action & DO_MERGE) write_down(w, addr, mask, true);
}

static void invalidate_copies(struct functional_caches *w, uint64_t addr, uint32_t but,
                              struct answers *to)
{
    for (uint32_t i = 0; i < w->sms; i++)
        if (i != but) ask_owner(w, i, addr, OWN_INVALIDATE, to);
}

static enum owner_event granted_event(enum dir_event message, uint8_t next)
{
    if (message == DIR_READ) return next == DIR_FE ? OWN_GRANT_E : OWN_GRANT_S;
    return message == DIR_READ_N || message == DIR_UPGRADE_N ? OWN_GRANT_N : OWN_GRANT_M;
}

/* Runs a transaction of the home from the request to its reply, which is returned. */
static enum owner_event answer_of_home(struct functional_caches *w, uint32_t sm, uint64_t addr,
                                       enum dir_event message, const struct holders *h)
{
    const struct transitions *t = &w->coherence.home;
    const struct row *row = &t->at[state_of(h)][message];
    struct answers to = {.waits = row->next};
    if (row->action & DO_SHARE) ask_owner(w, h->owner, addr, OWN_SHARE, &to);
    if (row->action & DO_HAVE_CLEAN) ask_owner(w, h->owner, addr, OWN_CLEAN, &to);
    if (row->action & DO_INVALIDATE) invalidate_copies(w, addr, sm, &to);
    if (row->next >= DIR_WS && row->next <= DIR_WC)
        row = &t->at[to.waits][to.held ? DIR_DONE_HELD : DIR_DONE];
    const struct access read = {.addr = addr, .kind = ACCESS_READ};
    if (row->action & DO_LOOK_UP)
        functional_caches_touch_l2(w, addr, &read);
    else
        fluid_serve(&w->timing, FLUID_L2,
                    fluid_slice_backlog(&w->timing, map_slice(&w->map, addr)));
    return granted_event(message, row->next);
}

/* --- the L1 --- */

static uint32_t make_room(struct functional_caches *w, uint32_t sm, uint64_t addr)
{
    struct cache *c = &w->l1[sm];
    struct victim v;
    uint32_t line = cache_victim(c, cache_tag(c, addr), false);
    if (c->line[line].resident) put_line(w, sm, line);
    cache_take(c, line, cache_tag(c, addr), &v);
    c->line[line].valid = 1;
    return line;
}

static void store_in(struct functional_caches *w, uint32_t sm, uint32_t line,
                     const struct access *a)
{
    uint64_t *written = w->owner[sm].written[line];
    if (a->kind == ACCESS_READ) return;
    written[0] |= a->mask[0];
    written[1] |= a->mask[1];
}

static void serve_hit(struct functional_caches *w, uint32_t sm, uint32_t line,
                      const struct access *a, const struct row *row)
{
    struct cache *c = &w->l1[sm];
    cache_use_line(c, line);
    store_in(w, sm, line, a);
    if (row->action & DO_PUT)
        put_line(w, sm, line);
    else
        set_state(w, sm, line, (enum owner_state)row->next);
    fluid_take_line(&w->timing, line, false);
    if (a->kind == ACCESS_WRITE)
        fluid_store(&w->timing, FLUID_L1, 0);
    else
        fluid_serve(&w->timing, FLUID_L1, 0);
}

static void send_request(struct functional_caches *w, uint32_t sm, uint32_t line,
                         const struct access *a, const struct row *row)
{
    struct cache *c = &w->l1[sm];
    enum owner_state was = state_at(w, sm, line);
    struct holders h = find_holders(w, a->addr, sm, was != OWN_I);
    if (is_owner(was)) h.owner = sm;
    if (line == LINE_NONE) line = make_room(w, sm, a->addr);
    uint64_t *written = w->owner[sm].written[line];
    if (was != OWN_N) written[0] = written[1] = 0;
    set_state(w, sm, line, (enum owner_state)row->next);
    fluid_take_line(&w->timing, line, true);
    enum owner_event grant = answer_of_home(w, sm, a->addr, moesi_request_of(row->action), &h);
    const struct row *then = agent_row(w, (enum owner_state)row->next, grant);
    line = cache_find(c, cache_tag(c, a->addr));
    if (line == LINE_NONE) return; /* an inclusive L2 has evicted its line */
    store_in(w, sm, line, a);
    set_state(w, sm, line, then->action & DO_PUT ? OWN_N : (enum owner_state)then->next);
    if (then->action & DO_PUT)
        put_line(w, sm, line);
    else if (then->action & DO_DROP)
        cache_drop(c, line);
    else
        functional_caches_note_copy(w, sm, a->addr);
}

void directory_l1s_access(struct functional_caches *w, uint32_t sm, const struct access *a,
                          uint8_t hint)
{
    struct cache *c = &w->l1[sm];
    bool round = hint & (HINT_BYPASS_L1 | HINT_BYPASS_L2);
    enum owner_event event =
        (enum owner_event)transitions_event(&w->coherence.agent, a->kind, round, false);
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    const struct row *row = agent_row(w, state_at(w, sm, line), event);
    if (row->action & DO_WAIT) { /* the L1 puts the block first, and then no longer has it */
        put_line(w, sm, line);
        line = LINE_NONE;
        row = agent_row(w, OWN_I, event);
    }
    if (row->action & DO_HIT)
        serve_hit(w, sm, line, a, row);
    else
        send_request(w, sm, line, a, row);
}

void directory_l1s_synchronise(struct functional_caches *w, uint32_t sm, enum owner_event event)
{
    struct cache *c = &w->l1[sm];
    for (uint32_t i = 0; i < c->n_lines; i++) {
        if (!c->line[i].resident) continue;
        const struct row *row = agent_row(w, state_at(w, sm, i), event);
        if (row->action & DO_NEVER) continue;
        if (row->action & DO_PUT)
            put_line(w, sm, i);
        else if (row->action & DO_DROP)
            cache_drop(c, i);
    }
}

/* --- its state --- */

bool directory_l1s_save(const struct functional_caches *w, uint32_t sm, struct cache_image *to)
{
    const struct cache *c = &w->l1[sm];
    if (!w->owner) return true;
    to->state = mem_new((size_t)to->n + 1, sizeof *to->state);
    to->written = mem_new((size_t)to->n + 1, sizeof *to->written);
    for (uint32_t k = 0; to->state && to->written && k < to->n; k++) {
        uint32_t line = cache_find(c, to->line[k].tag);
        to->line[k].dirty = 0;
        to->state[k] = w->owner[sm].state[line];
        if (to->state[k] == OWN_N)
            memcpy(to->written[k], w->owner[sm].written[line], sizeof to->written[k]);
    }
    return to->state && to->written;
}

void directory_l1s_serialize(struct functional_caches *w, struct serializer *t)
{
    for (uint32_t i = 0; w->owner && i < w->sms; i++) {
        serialize_data(t, w->owner[i].state, w->l1[i].n_lines * sizeof *w->owner[i].state);
        serialize_data(t, w->owner[i].written, w->l1[i].n_lines * sizeof *w->owner[i].written);
    }
}
