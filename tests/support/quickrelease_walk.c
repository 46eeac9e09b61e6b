#include "tests/support/quickrelease_walk.h"

#include "tests/support/quickrelease_queues.h"

/* --- checks --- */

static uint32_t count_fills(const struct sync *s, uint32_t c, uint32_t line)
{
    uint32_t n = (s->home[line].fills >> c & 1u) + (uint32_t)(s->l1[c].block[line].answer != 0);
    for (uint32_t i = 0; i < UP; i++)
        n += s->l1[c].up[i].kind == UP_READ && s->l1[c].up[i].what == line;
    return n;
}

static bool has_mark(const struct l1_side *a)
{
    bool mark = a->block[0].mark;
    for (uint32_t i = 0; i < UP; i++)
        mark |= a->up[i].mark;
    return mark;
}

/* Places at which an L1's release is: one, if it is in progress. */
static uint32_t count_releases(const struct sync *s, uint32_t c)
{
    const struct l1_side *a = &s->l1[c];
    uint32_t n = a->answers != 0;
    for (uint32_t i = 0; i < ENTRIES; i++)
        n += (uint32_t)(a->fifo[i] >= MARKER) + (uint32_t)(s->fifo[i] == MARKER + c);
    for (uint32_t i = 0; i < UP; i++)
        n += a->up[i].kind == UP_MARKER;
    for (uint32_t i = 0; i < DOWN; i++)
        n += a->down[i].kind == DOWN_ACK;
    return n;
}

static bool l1_is_well(struct sync_walk *k, const struct sync *s, uint32_t c)
{
    const struct l1_side *a = &s->l1[c];
    uint32_t copies = 0, dirty = 0;
    for (uint32_t i = 0; i < LINES; i++) {
        const struct block *b = &a->block[i];
        if (b->fetch != count_fills(s, c, i)) return sync_wrong(k, "who waits is not attended to");
        if (b->valid && b->fetch) return sync_wrong(k, "a copy and a fill");
        if (b->mask && !sync_has_entry(a->fifo, i))
            return sync_wrong(k, "dirty in an L1 without an entry");
        copies += b->valid;
        dirty += b->mask != 0;
    }
    if (copies > 1 || dirty > 1) return sync_wrong(k, "two lines in one frame");
    if (s->marked == 1 + c && !has_mark(a)) return sync_wrong(k, "a store is lost");
    if (count_releases(s, c) != a->release) return sync_wrong(k, "a release is lost");
    return true;
}

static bool is_well(struct sync_walk *k, const struct sync *s)
{
    const struct home_line *first = &s->home[0];
    uint32_t dirty = 0;
    if ((first->mask & FIRST ? first->written : first->memory) != s->performed)
        return sync_wrong(k, "a store is lost or comes back");
    for (uint32_t i = 0; i < LINES; i++) {
        const struct home_line *h = &s->home[i];
        if (h->valid && h->value != h->memory)
            return sync_wrong(k, "the L2's copy is not as below");
        if (h->mask && !sync_has_entry(s->fifo, i))
            return sync_wrong(k, "dirty in the L2 without an entry");
        if ((h->fills | h->rounds) && !h->fetch) return sync_wrong(k, "nothing to wait for");
        dirty += h->mask != 0;
    }
    if (dirty > 1) return sync_wrong(k, "two lines in one frame");
    for (uint32_t c = 0; c < L1S; c++)
        if (!l1_is_well(k, s, c)) return false;
    return true;
}

/* --- steps --- */

#define TRY(kind, does)                                          \
    do {                                                         \
        struct sync next = from, *s = &next;                     \
        if (!k->wrong && (does) && !k->wrong && is_well(k, s))   \
            space_step(&k->s, space_reach(&k->s, s), (kind), 0); \
    } while (0)

static void accesses_of(struct sync_walk *k, const struct sync *at, uint32_t c, uint32_t line)
{
    const struct sync from = *at;
    uint8_t may = k->p.may[c];
    uint8_t marks = !line && !from.marked; /* an access may be marked */
    if (may & MAY_LOAD) {
        TRY(STEP_OTHER, sync_load(k, s, c, line, FIRST));
        TRY(STEP_OTHER, sync_load(k, s, c, line, WHOLE));
        TRY(STEP_OTHER, sync_acquire(k, s, c, line));
    }
    if (may & MAY_ROUND) TRY(STEP_OTHER, sync_go_round(k, s, c, line, false, 0));
    for (uint8_t mark = 0; mark <= marks; mark++) {
        if (may & MAY_ATOMIC) TRY(STEP_OTHER, sync_go_round(k, s, c, line, true, mark));
        for (uint8_t mask = FIRST; mask <= WHOLE; mask++)
            if (may & MAY_STORE && k->p.masks >> mask & 1 && (mask & FIRST || !mark))
                TRY(STEP_OTHER, sync_store(k, s, c, line, mask, mark));
    }
}

static void steps_of_l1(struct sync_walk *k, const struct sync *at, uint32_t c)
{
    const struct sync from = *at;
    for (uint32_t line = 0; line < LINES; line++) {
        accesses_of(k, at, c, line);
        TRY(STEP_OTHER, sync_replace_l1(k, &s->l1[c], line));
        if (k->p.victims) TRY(STEP_OTHER, sync_evict_l1(k, &s->l1[c], line));
        TRY(STEP_ON, sync_fill_l1(k, s, c, line));
    }
    if (k->p.may[c] & MAY_RELEASE) TRY(STEP_OTHER, sync_begin_release(k, s, c));
    TRY(STEP_ON, sync_dequeue_l1(k, s, c));
    TRY(STEP_ON, sync_take_up(k, s, c));
    TRY(STEP_ON, sync_take_down(k, s, c));
}

static void steps_of(struct sync_walk *k, uint32_t i)
{
    struct sync from;
    memcpy(&from, space_state(&k->s, i), sizeof from);
    k->s.first[i] = k->s.steps;
    for (uint32_t c = 0; c < L1S; c++)
        steps_of_l1(k, &from, c);
    for (uint32_t line = 0; line < LINES; line++) {
        TRY(STEP_OTHER, sync_replace_l2(k, s, line));
        if (k->p.victims) TRY(STEP_OTHER, sync_evict_l2(k, s, line));
        TRY(STEP_ON, sync_fill_l2(k, s, line));
    }
    TRY(STEP_ON, sync_dequeue_l2(k, s));
    k->s.first[i + 1] = k->s.steps;
}

static bool at_rest(const void *state)
{
    const struct sync *s = state;
    bool rest = true;
    for (uint32_t i = 0; i < LINES; i++)
        rest &= !s->home[i].fetch;
    for (uint32_t c = 0; c < L1S; c++) {
        const struct l1_side *a = &s->l1[c];
        rest &= !a->up[0].kind && !a->down[0].kind && !a->release;
        for (uint32_t i = 0; i < LINES; i++)
            rest &= !a->block[i].fetch;
    }
    return rest;
}

const char *sync_walk_all(struct sync_walk *k)
{
    struct sync start;
    uint32_t i = 0;
    memset(&start, 0, sizeof start);
    space_reach(&k->s, &start);
    for (; i < k->s.n && !k->wrong && (!k->most || i < k->most); i++)
        steps_of(k, i);
    if (!k->wrong && i == k->s.n) k->wrong = space_rests(&k->s, at_rest);
    return k->wrong;
}

struct sync_walk *sync_walk_new(const struct sync_shape *p)
{
    struct sync_walk *k = mem_new(1, sizeof *k);
    struct text why = {0};
    assert_non_null(k);
    assert_true(transitions_compile(&k->agent, &protocol_quickrelease.agent, &why));
    assert_true(transitions_compile(&k->home, &protocol_quickrelease.home, &why));
    k->p = *p;
    k->s.size = sizeof(struct sync);
    return k;
}

void sync_walk_free(struct sync_walk *k)
{
    space_fini(&k->s);
    mem_free(k);
}

struct sync_walk *sync_check(const struct sync_shape *p, uint32_t most)
{
    struct sync_walk *k = sync_walk_new(p);
    k->most = most;
    const char *why = sync_walk_all(k);
    print_message("quickrelease, %d L1s x %d lines: %u states, %u steps\n", L1S, LINES, k->s.n,
                  k->s.steps);
    if (why) fail_msg("quickrelease, %d L1s x %d lines: %s", L1S, LINES, why);
    return k;
}
