/* protocol_tables.c - the protocols' tables: complete, without dead states, and as the page
 * shows them. */
#include "base/memory/alloc.h"
#include "gpu/coherence/protocol.h"
#include "tests/support/check.h"

#include <stdio.h>

enum { ROWS_MAX = TABLE_STATES_MAX * TABLE_EVENTS_MAX + 1 };

/* Table i over all protocols, each with an agent's and a home's. */
static const struct table *table_at(uint32_t i)
{
    uint32_t kind = PROTOCOL_NONE + 1 + i / 2;
    return i % 2 ? &protocol_table[kind]->home : &protocol_table[kind]->agent;
}

#define FOR_EACH_TABLE(t)                                  \
    for (uint32_t i_ = 0; i_ < 2 * (PROTOCOL_N - 1); i_++) \
        for (const struct table *t = table_at(i_), *once_ = t; once_; once_ = NULL)

static bool compiles(const struct table *t, const char *said)
{
    struct transitions *out = mem_new(1, sizeof *out);
    struct text why = {0};
    assert_non_null(out);
    bool ok = transitions_compile(out, t, &why);
    if (!ok && said && !strstr(text_str(&why), said)) fail_msg("%s", text_str(&why));
    text_fini(&why);
    mem_free(out);
    return ok;
}

static uint32_t events_of(const struct table *t)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < t->events; e++)
        n += t->event[e] != NULL;
    return n;
}

static void every_table_is_complete(void **state)
{
    (void)state;
    FOR_EACH_TABLE(t)
    {
        assert_true(compiles(t, NULL));
        assert_true(t->sparse || t->n == t->states * events_of(t));
    }
    struct coherence c;
    assert_true(coherence_init(&c, PROTOCOL_NONE) && !c.protocol);
    assert_true(coherence_init(&c, PROTOCOL_SI) && c.protocol == &protocol_si);
}

static void a_table_without_one_of_its_rows_is_refused(void **state)
{
    (void)state;
    struct row rows[ROWS_MAX];
    FOR_EACH_TABLE(t)
    for (uint32_t gone = 0; gone < t->n && !t->sparse; gone++) {
        char said[64];
        struct table less = *t;
        const struct row *r = &t->row[gone];
        memcpy(rows, t->row, t->n * sizeof *rows);
        memmove(&rows[gone], &rows[gone + 1], (t->n - gone - 1) * sizeof *rows);
        less.row = rows;
        less.n--;
        snprintf(said, sizeof said, "no row for %s at %s", t->state[r->state], t->event[r->event]);
        assert_false(compiles(&less, said));
    }
}

static void a_pair_with_two_rows_is_refused(void **state)
{
    (void)state;
    struct row rows[ROWS_MAX];
    FOR_EACH_TABLE(t)
    for (uint32_t twice = 0; twice < t->n; twice++) {
        struct table more = *t;
        memcpy(rows, t->row, t->n * sizeof *rows);
        rows[t->n] = t->row[twice];
        more.row = rows;
        more.n++;
        assert_false(compiles(&more, "two rows"));
    }
}

static bool has_rows(const struct table *t, uint32_t state)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->row[i].state == state) return true;
    return false;
}

/* A state that no row leads to any more has dead rows. */
static void a_state_out_of_reach_is_refused(void **state)
{
    (void)state;
    struct row rows[ROWS_MAX];
    FOR_EACH_TABLE(t)
    for (uint32_t lost = 1; lost < t->states; lost++) {
        struct table cut = *t;
        if (!has_rows(t, lost)) continue;
        memcpy(rows, t->row, t->n * sizeof *rows);
        for (uint32_t i = 0; i < t->n; i++)
            if (rows[i].next == lost && rows[i].state != lost) rows[i].next = rows[i].state;
        cut.row = rows;
        assert_false(compiles(&cut, "leads to"));
    }
}

/* What can be read off a two-state write-through protocol without its code. */
static void si_keeps_its_promises(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < protocol_si.agent.n; i++) {
        const struct row *r = &protocol_si.agent.row[i];
        bool never = r->action & DO_NEVER;
        bool store = r->event == AGENT_STORE_WHOLE || r->event == AGENT_STORE;
        bool passes = r->event == AGENT_LOAD_ROUND || r->event == AGENT_ATOMIC;
        assert_true(never || !store || r->action & DO_WRITE);              /* always written down */
        assert_true(!store || !(r->action & DO_FETCH));                    /* never fetched */
        assert_true(!passes || r->next == BLOCK_I || r->next == BLOCK_II); /* no copy is kept */
        assert_true(r->event != AGENT_STORE || r->next != BLOCK_V);
        assert_true(never || r->event != AGENT_ACQUIRE || r->next == BLOCK_I ||
                    r->next == BLOCK_II);
    }
    for (uint32_t i = 0; i < protocol_si.home.n; i++) {
        const struct row *r = &protocol_si.home.row[i];
        bool leaves_dirt = r->state == HOME_D && r->next != HOME_D && !(r->action & DO_NEVER);
        assert_true(!leaves_dirt || r->action & DO_CLEAN);
    }
}

/* What section 3.1 of the paper says, as far as it can be read off the tables. */
static void quickrelease_keeps_its_promises(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < protocol_quickrelease.agent.n; i++) {
        const struct row *r = &protocol_quickrelease.agent.row[i];
        bool copy = r->state == BLOCK_V || r->state == BLOCK_W;
        bool dirty = r->state == BLOCK_D || r->state == BLOCK_W || r->state == BLOCK_ID;
        bool leaves = copy && r->next != BLOCK_V && r->next != BLOCK_W && r->event != AGENT_REPLACE;
        if (r->action & DO_NEVER) continue;
        assert_true(r->event != AGENT_STORE || !(r->action & (DO_FETCH | DO_WRITE | DO_WAIT)));
        assert_true(r->event != AGENT_STORE || r->action & DO_INSTALL);
        assert_true(r->event != AGENT_ACQUIRE || (!r->action && r->next == r->state));
        assert_true(!(r->action & DO_CLEAN) || dirty);
        assert_true(!leaves || r->action & DO_DROP);
        assert_true(r->event != AGENT_EVICT || r->action & DO_CLEAN);
    }
    for (uint32_t i = 0; i < protocol_quickrelease.home.n; i++) {
        const struct row *r = &protocol_quickrelease.home.row[i];
        if (r->action & DO_NEVER) continue;
        assert_true(!(r->action & DO_CLEAN) || r->action & DO_INVALIDATE); /* broadcast, 3.1.1 */
        assert_true(!(r->action & DO_CLEAN) || r->state != BLOCK_W || r->action & DO_DROP);
        assert_true(r->event != HOME_ATOMIC || r->action & DO_INVALIDATE);
        assert_true(r->event != HOME_WRITE || !(r->action & (DO_LOOK_UP | DO_ANSWER)));
    }
}

/* As docs/models/coherence.md writes actions; in the order of enum action. */
static const char *const action_name[ACTIONS] = {
    "never",        "wait",       "discard",     "clean",        "drop",        "look up",
    "hit",          "join",       "fetch",       "install",      "write",       "go round",
    "to memory",    "keep",       "answer",      "fetch to own", "fetch for n", "upgrade",
    "upgrade to n", "put",        "acknowledge", "supply",       "nack",        "share",
    "have clean",   "invalidate", "hold",        "merge",        "demote",      "grant",
    "remove"};

static void add_actions(uint32_t action, struct text *out)
{
    const char *between = "";
    if (action == DO_NOTHING) text_add(out, "nothing");
    for (uint32_t i = 0; i < ACTIONS; i++) {
        if (!(action >> i & 1)) continue;
        text_add(out, "%s%s", between, action_name[i]);
        between = ", ";
    }
}

static void cell(const struct table *t, uint32_t state, uint32_t event, struct text *out)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];
        if (r->state != state || r->event != event) continue;
        if (r->action & DO_NEVER)
            text_add(out, "-");
        else
            add_actions(r->action, out);
        if (r->next != state) text_add(out, " → %s", t->state[r->next]);
        return;
    }
    text_add(out, "-");
}

static bool is_met(const struct table *t, uint32_t event)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->row[i].event == event) return true;
    return false;
}

static void table_markdown(const struct table *t, struct text *out)
{
    text_add(out, "| state |");
    for (uint32_t e = 0; e < t->events; e++)
        if (is_met(t, e)) text_add(out, " %s |", t->event[e]);
    text_add(out, "\n| --- |");
    for (uint32_t e = 0; e < t->events; e++)
        if (is_met(t, e)) text_add(out, " --- |");
    for (uint32_t s = 0; s < t->states; s++) {
        if (!has_rows(t, s)) continue;
        text_add(out, "\n| %s |", t->state[s]);
        for (uint32_t e = 0; e < t->events; e++) {
            if (!is_met(t, e)) continue;
            text_add(out, " ");
            cell(t, s, e, out);
            text_add(out, " |");
        }
    }
    text_add(out, "\n");
}

static void the_page_shows_the_tables(void **state)
{
    (void)state;
    FILE *f = fopen("docs/models/coherence.md", "r");
    assert_non_null(f);
    static char page[1 << 16];
    size_t n = fread(page, 1, sizeof page - 1, f);
    fclose(f);
    page[n] = '\0';
    FOR_EACH_TABLE(t)
    {
        struct text now = {0};
        table_markdown(t, &now);
        if (!strstr(page, text_str(&now)))
            fail_msg("docs/models/coherence.md should hold:\n%s", text_str(&now));
        text_fini(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_complete),
        cmocka_unit_test(a_table_without_one_of_its_rows_is_refused),
        cmocka_unit_test(a_pair_with_two_rows_is_refused),
        cmocka_unit_test(a_state_out_of_reach_is_refused),
        cmocka_unit_test(si_keeps_its_promises),
        cmocka_unit_test(quickrelease_keeps_its_promises),
        cmocka_unit_test(the_page_shows_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
