/* protocol.c - the list of protocols, and the check of their tables.
 *
 * Rows become a matrix of states and events. A pair with two rows, or without one unless the table
 * is sparse, and a state that no row leads to are refused with the reason; a simulation does not
 * start then. The tables stand in the file of each protocol: si.c, moesi.c, nmoesi.c,
 * quickrelease.c. */
#include "gpu/coherence/protocol.h"

#include <assert.h>

const struct protocol *const protocol_table[PROTOCOL_N] = {[PROTOCOL_SI] = &protocol_si,
                                                           [PROTOCOL_NMOESI] = &protocol_nmoesi,
                                                           [PROTOCOL_MOESI] = &protocol_moesi,
                                                           [PROTOCOL_QUICKRELEASE] =
                                                               &protocol_quickrelease};

static bool fill_transitions(struct transitions *t, const struct table *from, struct text *why)
{
    bool seen[TABLE_STATES_MAX][TABLE_EVENTS_MAX] = {{false}};
    for (uint32_t i = 0; i < from->n; i++) {
        const struct row *r = &from->row[i];
        if (seen[r->state][r->event]) {
            text_add(why, "two rows for %s at %s", from->state[r->state], from->event[r->event]);
            return false;
        }
        seen[r->state][r->event] = true;
        t->at[r->state][r->event] = *r;
    }
    for (uint32_t s = 0; s < from->states; s++)
        for (uint32_t e = 0; e < from->events; e++)
            if (!seen[s][e] && from->sparse) {
                t->at[s][e] = (struct row){(uint8_t)s, (uint8_t)e, DO_NEVER, (uint8_t)s};
            } else if (!seen[s][e]) {
                text_add(why, "no row for %s at %s", from->state[s], from->event[e]);
                return false;
            }
    return true;
}

static bool has_rows(const struct table *from, uint32_t state)
{
    for (uint32_t i = 0; i < from->n; i++)
        if (from->row[i].state == state) return true;
    return false;
}

/* Whether every state that has rows can be reached from the first state. */
static bool all_met(const struct table *from, struct text *why)
{
    uint32_t met = 1;
    for (uint32_t round = 0; round < from->states; round++)
        for (uint32_t i = 0; i < from->n; i++) {
            const struct row *r = &from->row[i];
            if (met >> r->state & 1 && !(r->action & DO_NEVER)) met |= 1u << r->next;
        }
    for (uint32_t s = 0; s < from->states; s++)
        if (!(met >> s & 1) && has_rows(from, s)) {
            text_add(why, "no row leads to %s", from->state[s]);
            return false;
        }
    return true;
}

bool transitions_compile(struct transitions *t, const struct table *from, struct text *why)
{
    assert(from->states <= TABLE_STATES_MAX && from->events <= TABLE_EVENTS_MAX);
    *t = (struct transitions){0};
    return fill_transitions(t, from, why) && all_met(from, why);
}

bool coherence_init(struct coherence *c, enum protocol_kind kind)
{
    struct text why = {0};
    *c = (struct coherence){.protocol = protocol_table[kind]};
    bool ok = !c->protocol || (transitions_compile(&c->agent, &c->protocol->agent, &why) &&
                               transitions_compile(&c->home, &c->protocol->home, &why));
    assert(ok && "a protocol's tables are complete");
    text_fini(&why);
    return ok;
}

enum agent_event agent_event_of(enum access_kind kind, bool round, bool whole)
{
    switch (kind) {
    case ACCESS_READ: return round ? AGENT_LOAD_ROUND : AGENT_LOAD;
    case ACCESS_WRITE: return whole && !round ? AGENT_STORE_WHOLE : AGENT_STORE_PART;
    case ACCESS_ATOMIC: break;
    }
    return AGENT_ATOMIC;
}
