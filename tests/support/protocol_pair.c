#include "tests/support/protocol_pair.h"

struct pairs {
    const struct walk *a, *b; /* the lines: rows, columns */
    size_t words;             /* of a row */
    uint64_t *met, *todo;     /* [a->s.n][words] */
    uint64_t *frame[CACHES];  /* [words] of the second line's: the cache's frame is not taken */
    bool *waits;              /* [a->s.n] on the list */
    uint32_t *list, first, last;
    uint64_t n;
};

static bool leaves_frame(const struct walk *k, uint32_t i, uint32_t c)
{
    uint8_t s = line_at(k, i)->side[c].state;
    return s == OWN_I || s == OWN_P || s == OWN_PI;
}

static void put_on_list(struct pairs *p, uint32_t a)
{
    if (p->waits[a]) return;
    p->waits[a] = true;
    p->list[p->last] = a;
    p->last = p->last + 1 == p->a->s.n ? 0 : p->last + 1;
}

static void reach_pair(struct pairs *p, uint32_t a, uint32_t b)
{
    size_t at = (size_t)a * p->words + b / 64;
    uint64_t bit = UINT64_C(1) << b % 64;
    if ((p->met[at] | p->todo[at]) & bit) return;
    p->todo[at] |= bit;
    put_on_list(p, a);
}

/* The first line takes a step beside all of these states of the second. */
static void step_first(struct pairs *p, const uint64_t *row, const struct step *s)
{
    const uint64_t *free = s->kind == STEP_FRAME ? p->frame[s->cache] : NULL;
    uint64_t *todo = p->todo + (size_t)s->next * p->words, any = 0;
    const uint64_t *met = p->met + (size_t)s->next * p->words;
    for (size_t w = 0; w < p->words; w++) {
        uint64_t fresh = row[w] & (free ? free[w] : UINT64_MAX) & ~met[w];
        todo[w] |= fresh;
        any |= fresh;
    }
    if (any) put_on_list(p, s->next);
}

static void step_second(struct pairs *p, uint32_t a, uint32_t b)
{
    const struct walk *k = p->b;
    for (uint32_t i = k->s.first[b]; i < k->s.first[b + 1]; i++) {
        const struct step *s = &k->s.step[i];
        if (s->next == b) continue;
        if (s->kind == STEP_FRAME && !leaves_frame(p->a, a, s->cache)) continue;
        reach_pair(p, a, s->next);
    }
    for (uint32_t c = 0; k->writers && c < k->caches; c++)
        for (uint32_t e = 0; e < 2; e++)
            reach_pair(p, p->a->sync[a][c][e], k->sync[b][c][e]);
}

static const char *pairs_of_row(struct pairs *p, uint32_t a, uint64_t *row)
{
    size_t at = (size_t)a * p->words;
    for (size_t w = 0; w < p->words; w++) {
        row[w] = p->todo[at + w];
        p->todo[at + w] = 0;
        p->met[at + w] |= row[w];
        p->n += (uint64_t)__builtin_popcountll(row[w]);
    }
    for (uint32_t c = 0; c < p->a->caches; c++)
        for (size_t w = 0; w < p->words && !leaves_frame(p->a, a, c); w++)
            if (row[w] & ~p->frame[c][w]) return "two lines in one frame";
    for (uint32_t i = p->a->s.first[a]; i < p->a->s.first[a + 1]; i++)
        if (p->a->s.step[i].next != a) step_first(p, row, &p->a->s.step[i]);
    for (size_t w = 0; w < p->words; w++)
        for (uint64_t rest = row[w]; rest; rest &= rest - 1)
            step_second(p, a, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(rest));
    return NULL;
}

static void pairs_init(struct pairs *p, const struct walk *a, const struct walk *b)
{
    *p = (struct pairs){.a = a, .b = b, .words = (b->s.n + 63) / 64};
    p->met = calloc(a->s.n * p->words, sizeof *p->met);
    p->todo = calloc(a->s.n * p->words, sizeof *p->todo);
    p->waits = calloc(a->s.n, sizeof *p->waits);
    p->list = calloc(a->s.n, sizeof *p->list);
    assert_true(p->met && p->todo && p->waits && p->list);
    for (uint32_t c = 0; c < a->caches; c++) {
        p->frame[c] = calloc(p->words, sizeof **p->frame);
        assert_non_null(p->frame[c]);
        for (uint32_t i = 0; i < b->s.n; i++)
            p->frame[c][i / 64] |= (uint64_t)leaves_frame(b, i, c) << i % 64;
    }
}

static void pairs_fini(struct pairs *p)
{
    free(p->met);
    free(p->todo);
    free(p->waits);
    free(p->list);
    for (uint32_t c = 0; c < CACHES; c++)
        free(p->frame[c]);
}

/* Each state that a line alone can reach is reached beside some state of the other. */
static const char *all_lines_met(const struct pairs *p)
{
    uint64_t *column = calloc(p->words, sizeof *column);
    uint64_t rows = 0, columns = 0;
    assert_non_null(column);
    for (size_t a = 0; a < p->a->s.n; a++) {
        bool any = false;
        for (size_t w = 0; w < p->words; w++) {
            column[w] |= p->met[a * p->words + w];
            any |= p->met[a * p->words + w] != 0;
        }
        rows += any;
    }
    for (size_t w = 0; w < p->words; w++)
        columns += (uint64_t)__builtin_popcountll(column[w]);
    free(column);
    return rows == p->a->s.n && columns == p->b->s.n ? NULL : "a line's states beside no other's";
}

const char *walk_pairs(const struct walk *a, const struct walk *b, uint64_t *states)
{
    struct pairs p;
    const char *why = NULL;
    pairs_init(&p, a, b);
    uint64_t *row = calloc(p.words, sizeof *row);
    assert_non_null(row);
    reach_pair(&p, 0, 0);
    while (!why && p.waits[p.list[p.first]]) {
        uint32_t at = p.list[p.first];
        p.first = p.first + 1 == a->s.n ? 0 : p.first + 1;
        p.waits[at] = false;
        why = pairs_of_row(&p, at, row);
    }
    if (!why) why = all_lines_met(&p);
    *states = p.n;
    free(row);
    pairs_fini(&p);
    return why;
}

void check_pairs(const struct protocol *p, uint8_t follow)
{
    uint64_t n;
    struct walk *a = protocol_check(p, 2, follow), *b = protocol_check(p, 2, 0);
    const char *why = walk_pairs(a, b, &n);
    print_message("%s, 2 caches x 2 lines, bytes %#x: %llu states\n", p->name, follow,
                  (unsigned long long)n);
    if (why) fail_msg("%s, 2 caches x 2 lines: %s", p->name, why);
    walk_free(a);
    walk_free(b);
}
