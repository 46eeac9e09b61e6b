#include "tests/support/si_walk.h"

static bool block_is_well(struct si_walk *k, const struct si *s, uint32_t c, uint32_t line,
                          const struct si_on_way *o)
{
    const struct cache_block *b = &s->block[c][line];
    if (b->fetch != o->fills[line] + (b->answer != 0))
        return si_wrong(k, "who waits is not attended to");
    if (b->valid && b->fetch) return si_wrong(k, "a copy and a fill");
    return true;
}

static bool is_well(struct si_walk *k, const struct si *s)
{
    const struct home *h = &s->home[0];
    if ((h->valid & FIRST ? h->value : h->memory) != s->performed)
        return si_wrong(k, "a store is lost or comes back");
    for (uint32_t i = 0; i < k->lines; i++)
        if (s->home[i].wait[0].kind && !s->home[i].fetch) return si_wrong(k, "nothing to wait for");
    for (uint32_t c = 0; c < L1S; c++) {
        struct si_on_way o = si_on_way(s, c);
        if (s->owed[c] != o.all) return si_wrong(k, "a request is lost");
        if (s->marked == 1 + c && !o.marked) return si_wrong(k, "a store is lost");
        for (uint32_t i = 0; i < k->lines; i++)
            if (!block_is_well(k, s, c, i, &o)) return false;
        if (k->one_frame && s->block[c][0].valid && s->block[c][1].valid)
            return si_wrong(k, "two lines in one frame");
    }
    return true;
}

#define TRY(kind, does)                                          \
    do {                                                         \
        struct si next = from, *s = &next;                       \
        if (!k->wrong && (does) && !k->wrong && is_well(k, s))   \
            space_step(&k->s, space_reach(&k->s, s), (kind), 0); \
    } while (0)

#define MESSAGE(event, ...) \
    ((struct msg){.kind = (event) + 1, .l1 = (uint8_t)c, .line = (uint8_t)line, __VA_ARGS__})

static void loads_and_atomics(struct si_walk *k, const struct si *at, uint32_t c, uint32_t line)
{
    const struct si from = *at;
    TRY(STEP_OTHER, si_access(k, s, AGENT_LOAD, MESSAGE(HOME_READ, )));
    TRY(STEP_OTHER, si_access(k, s, AGENT_LOAD_ROUND, MESSAGE(HOME_READ, )));
    TRY(STEP_OTHER, si_access(k, s, AGENT_LOAD_ROUND, MESSAGE(HOME_READ_ROUND, )));
    for (uint8_t mark = 0; mark < 2; mark++)
        TRY(STEP_OTHER,
            si_access(k, s, AGENT_ATOMIC, MESSAGE(HOME_ATOMIC, .mask = FIRST, .mark = mark)));
}

static void stores(struct si_walk *k, const struct si *at, uint32_t c, uint32_t line)
{
    const struct si from = *at;
    for (uint8_t mask = FIRST; mask <= WHOLE; mask++)
        for (uint8_t mark = 0; mark <= (mask & FIRST); mark++) {
            enum agent_event event = mask == WHOLE ? AGENT_STORE_WHOLE : AGENT_STORE_PART;
            struct msg plain = MESSAGE(HOME_WRITE, .mask = mask, .mark = mark), round = plain;
            round.kind = HOME_WRITE_ROUND + 1;
            TRY(STEP_OTHER, si_access(k, s, event, plain));
            if (mask != WHOLE) TRY(STEP_OTHER, si_access(k, s, AGENT_STORE_PART, round));
        }
}

static void steps_of(struct si_walk *k, uint32_t i)
{
    struct si from;
    memcpy(&from, space_state(&k->s, i), sizeof from);
    k->s.first[i] = k->s.steps;
    for (uint32_t c = 0; c < L1S; c++) {
        for (uint32_t line = 0; line < k->lines; line++) {
            loads_and_atomics(k, &from, c, line);
            stores(k, &from, c, line);
            TRY(STEP_OTHER, si_replace_l1(k, s, c, line));
            if (from.block[c][line].answer) TRY(STEP_ON, si_fill_l1(k, s, c, line));
        }
        TRY(STEP_OTHER, si_acquire(k, s, c));
        TRY(STEP_ON, si_take_request(k, s, c));
    }
    for (uint32_t line = 0; line < k->lines; line++) {
        TRY(STEP_OTHER, si_leave_l2(k, s, line));
        TRY(STEP_ON, si_fill_l2(k, s, line));
    }
    k->s.first[i + 1] = k->s.steps;
}

static bool at_rest(const void *state)
{
    const struct si *s = state;
    bool rest = true;
    for (uint32_t c = 0; c < L1S; c++)
        for (uint32_t i = 0; i < LINES; i++)
            rest &= !s->queue[c][0].kind && !s->block[c][i].fetch && !s->home[i].fetch;
    return rest;
}

const char *si_walk_all(struct si_walk *k)
{
    struct si start;
    uint32_t i = 0;
    memset(&start, 0, sizeof start);
    space_reach(&k->s, &start);
    for (; i < k->s.n && !k->wrong && (!k->most || i < k->most); i++)
        steps_of(k, i);
    if (!k->wrong && i == k->s.n) k->wrong = space_rests(&k->s, at_rest);
    return k->wrong;
}

struct si_walk *si_walk_new(uint32_t lines, bool fetch_on_write, bool values, uint8_t d0,
                            uint8_t d1)
{
    struct si_walk *k = mem_new(1, sizeof *k);
    struct text why = {0};
    assert_non_null(k);
    assert_true(transitions_compile(&k->agent, &protocol_si.agent, &why));
    assert_true(transitions_compile(&k->home, &protocol_si.home, &why));
    k->lines = lines;
    k->one_frame = lines > 1;
    k->fetch_on_write = fetch_on_write;
    k->values = values;
    k->depth[0] = d0, k->depth[1] = d1;
    k->s.size = sizeof(struct si);
    return k;
}

void si_walk_free(struct si_walk *k)
{
    space_fini(&k->s);
    mem_free(k);
}

struct si_walk *si_check(uint32_t lines, bool fetch_on_write, bool values, uint8_t d0, uint8_t d1)
{
    struct si_walk *k = si_walk_new(lines, fetch_on_write, values, d0, d1);
    const char *why = si_walk_all(k);
    print_message("si, 2 caches x %u lines, %u and %u messages: %u states, %u steps\n", lines, d0,
                  d1, k->s.n, k->s.steps);
    if (why) fail_msg("si, 2 caches x %u lines: %s", lines, why);
    return k;
}
