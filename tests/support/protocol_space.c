#include "tests/support/protocol_space.h"

static uint32_t space_hash(const struct space *s, const unsigned char *at)
{
    uint64_t h = 0xcbf29ce484222325u, word = 0;
    for (size_t i = 0; i < s->size; i += sizeof word) {
        size_t left = s->size - i;
        memcpy(&word, at + i, left < sizeof word ? left : sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return (uint32_t)(h ^ h >> 32);
}

static void space_grow(struct space *s)
{
    s->cap = s->cap ? s->cap * 2 : 1u << 12;
    s->state = realloc(s->state, s->cap * s->size);
    s->first = realloc(s->first, (s->cap + 1) * sizeof *s->first);
    free(s->slot);
    s->mask = s->cap * 4 - 1;
    s->slot = calloc((size_t)s->mask + 1, sizeof *s->slot);
    assert_true(s->state && s->slot && s->first);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t at = space_hash(s, space_state(s, i)) & s->mask;
        while (s->slot[at])
            at = (at + 1) & s->mask;
        s->slot[at] = i + 1;
    }
}

uint32_t space_reach(struct space *s, const void *state)
{
    if (s->n == s->cap) space_grow(s);
    uint32_t at = space_hash(s, state) & s->mask;
    for (; s->slot[at]; at = (at + 1) & s->mask)
        if (!memcmp(space_state(s, s->slot[at] - 1), state, s->size)) return s->slot[at] - 1;
    memcpy(s->state + (size_t)s->n * s->size, state, s->size);
    s->slot[at] = ++s->n;
    return s->n - 1;
}

void space_step(struct space *s, uint32_t next, enum step_kind kind, uint32_t cache)
{
    if (s->steps == s->step_cap) {
        s->step_cap = s->step_cap ? s->step_cap * 2 : 1u << 14;
        s->step = realloc(s->step, s->step_cap * sizeof *s->step);
        assert_non_null(s->step);
    }
    s->step[s->steps++] = (struct step){next, (uint8_t)kind, (uint8_t)cache};
}

/* Depth first from one state over steps of what is under way: a way back to the path is a circle.
 * seen: 0 not yet, 1 on the path, 2 done. */
static bool space_no_circle(const struct space *k, uint32_t from, uint8_t *seen, uint32_t *path,
                            uint32_t *at)
{
    uint32_t depth = 0;
    path[0] = from;
    at[0] = k->first[from];
    seen[from] = 1;
    for (;;) {
        uint32_t i = path[depth];
        if (at[depth] < k->first[i + 1]) {
            const struct step *s = &k->step[at[depth]++];
            if (s->kind != STEP_ON || s->next == i || seen[s->next] == 2) continue;
            if (seen[s->next] == 1) return false;
            seen[s->next] = 1;
            path[++depth] = s->next;
            at[depth] = k->first[s->next];
            continue;
        }
        seen[i] = 2;
        if (!depth--) return true;
    }
}

const char *space_rests(const struct space *k, bool (*at_rest)(const void *state))
{
    const char *why = NULL;
    uint8_t *seen = calloc(k->n, 1);
    uint32_t *path = calloc(k->n, sizeof *path), *at = calloc(k->n, sizeof *at);
    assert_true(seen && path && at);
    for (uint32_t i = 0; i < k->n && !why; i++) {
        bool goes_on = at_rest(space_state(k, i));
        for (uint32_t s = k->first[i]; s < k->first[i + 1]; s++)
            goes_on |= k->step[s].kind == STEP_ON && k->step[s].next != i;
        if (!goes_on)
            why = "deadlock";
        else if (!seen[i] && !space_no_circle(k, i, seen, path, at))
            why = "messages that go on for ever";
    }
    free(seen);
    free(path);
    free(at);
    return why;
}

void space_fini(struct space *s)
{
    free(s->state);
    free(s->slot);
    free(s->first);
    free(s->step);
}
