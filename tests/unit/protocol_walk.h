/* protocol_walk.h - every state that the caches of protocol_model.h can reach, breadth first. */
#ifndef PLUMB_TESTS_UNIT_PROTOCOL_WALK_H
#define PLUMB_TESTS_UNIT_PROTOCOL_WALK_H

#include "tests/unit/protocol_model.h"

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
        bool stable = s->state == OWN_I || valid(s->state);
        if (stable == attended(l, i)) return wrong(k, "who waits is not attended to");
        if ((l->waits >> i & 1) != (s->question || s->answer))
            return wrong(k, "the home waits for nobody's word");
        if (valid(s->state) && !(l->sharers >> i & 1) && !s->question)
            return wrong(k, "a copy that the home does not know");
        put_somewhere |= s->put_data | s->answer_data;
    }
    if (l->lock >= DIR_WS && l->lock <= DIR_WC && !l->waits) return wrong(k, "nothing to wait for");
    if (dir_state(l) == DIR_I && !put_somewhere && l->l2 != all_bytes(k))
        return wrong(k, "a store is lost");
    return true;
}

static bool is_well(struct walk *k, const struct world *w)
{
    for (uint32_t i = 0; i < k->lines; i++)
        if (!line_is_well(k, &w->line[i])) return false;
    return true;
}

static uint32_t hash(const struct world *w)
{
    const unsigned char *at = (const unsigned char *)w;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof *w; i++)
        h = (h ^ at[i]) * 0x100000001b3u;
    return (uint32_t)(h ^ h >> 32);
}

static void grow(struct walk *k)
{
    k->cap = k->cap ? k->cap * 2 : 1u << 12;
    k->state = realloc(k->state, k->cap * sizeof *k->state);
    free(k->slot);
    k->mask = k->cap * 4 - 1;
    k->slot = calloc((size_t)k->mask + 1, sizeof *k->slot);
    assert_true(k->state && k->slot);
    for (uint32_t i = 0; i < k->n; i++) {
        uint32_t at = hash(&k->state[i]) & k->mask;
        while (k->slot[at])
            at = (at + 1) & k->mask;
        k->slot[at] = i + 1;
    }
}

static void reach(struct walk *k, const struct world *w)
{
    if (!is_well(k, w)) return;
    if (k->n == k->cap) grow(k);
    uint32_t at = hash(w) & k->mask;
    for (; k->slot[at]; at = (at + 1) & k->mask)
        if (!memcmp(&k->state[k->slot[at] - 1], w, sizeof *w)) return;
    k->state[k->n++] = *w;
    k->slot[at] = k->n;
}

#define TRY(step)                                           \
    do {                                                    \
        struct world w = from;                              \
        struct line *l = &w.line[line];                     \
        (void)l;                                            \
        if (!k->wrong && (step) && !k->wrong) reach(k, &w); \
    } while (0)

static void steps_of(struct walk *k, struct world from, uint32_t line, uint32_t c)
{
    const struct side *s = &from.line[line].side[c];
    for (uint8_t e = OWN_LOAD; e <= OWN_ATOMIC; e++)
        if (k->writers || (e != OWN_LOAD_GLC && e != OWN_STORE_GLC)) TRY(access(k, &w, line, c, e));
    TRY(replace(k, l, c));
    if (k->writers && line == 0) {
        TRY(synchronise(k, &w, c, OWN_ACQUIRE));
        TRY(synchronise(k, &w, c, OWN_RELEASE));
    }
    if (s->grant) TRY(granted(k, l, c));
    if (s->question && !s->grant) TRY(asked(k, l, c));
    if (s->request) TRY(take_request(k, l, c));
    if (s->answer) TRY(take_answer(k, l, c));
}

/* What is wrong; NULL: nothing. */
static const char *walk_all(struct walk *k)
{
    struct world start;
    memset(&start, 0, sizeof start);
    for (uint32_t i = 0; i < k->lines; i++) {
        start.line[i].l2 = all_bytes(k);
        start.line[i].owner = start.line[i].who = NOBODY;
    }
    grow(k);
    reach(k, &start);
    for (uint32_t i = 0; i < k->n && !k->wrong && (!k->most || i < k->most); i++)
        for (uint32_t line = 0; line < k->lines && !k->wrong; line++) {
            struct world from = k->state[i];
            for (uint32_t c = 0; c < k->caches; c++)
                steps_of(k, from, line, c);
            TRY(leave_l2(k, l));
            TRY(served(k, l));
        }
    free(k->state);
    free(k->slot);
    return k->wrong;
}

static struct walk *walk_new(const struct protocol *p, uint32_t caches, uint32_t lines, bool values)
{
    struct walk *k = mem_new(1, sizeof *k);
    struct text why = {0};
    assert_non_null(k);
    assert_true(transitions_compile(&k->agent, &p->agent, &why));
    assert_true(transitions_compile(&k->home, &p->home, &why));
    k->writers = p->writers;
    k->caches = caches;
    k->lines = lines;
    k->values = values;
    return k;
}

static inline void all_rows_met(const struct walk *k, const struct protocol *p)
{
    for (int home = 0; home < 2; home++) {
        const struct table *t = home ? &p->home : &p->agent;
        for (uint32_t i = 0; i < t->n; i++)
            if (!k->met[home][t->row[i].state][t->row[i].event])
                fail_msg("%s: the %s's %s at %s is never met", p->name, home ? "home" : "agent",
                         t->state[t->row[i].state], t->event[t->row[i].event]);
    }
}

/* Nothing goes wrong in any of the states, or in those that are met first (most; 0: all). */
static inline struct walk *check(const struct protocol *p, uint32_t caches, uint32_t lines,
                                 bool values, uint32_t most)
{
    struct walk *k = walk_new(p, caches, lines, values);
    k->most = most;
    const char *why = walk_all(k);
    print_message("%s, %u caches x %u lines: %u states\n", p->name, caches, lines, k->n);
    if (why) fail_msg("%s, %u caches x %u lines: %s", p->name, caches, lines, why);
    return k;
}

#endif
