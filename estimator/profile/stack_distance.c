/* stack_distance.c - see stack_distance.h. */
#include "estimator/profile/stack_distance.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"
#include "base/memory/prefetch.h"

#include <assert.h>
#include <string.h>

static size_t count_places(const struct reuse *r, uint32_t org)
{
    size_t slices = r->p.at.slices ? r->p.at.slices : 1;
    return slices * (r->p.org[org].sets >> r->skipped) * r->p.org[org].ways;
}

/* Only sets that can be touched have a place. */
static void skip_sets(struct reuse *r)
{
    uint32_t sets = r->p.org[0].sets;
    if (r->p.one_in < 2 || !r->p.n_orgs || sets < r->p.one_in || (sets & (sets - 1))) return;
    r->skipped = (uint32_t)__builtin_ctz(r->p.one_in);
    r->first = (uint32_t)__builtin_ctz(sets);
}

static bool sets_init(struct reuse *r)
{
    for (uint32_t o = 0; o < r->p.n_orgs; o++) {
        r->set[o] = mem_new(count_places(r, o), sizeof *r->set[o]);
        if (!r->set[o]) return false;
    }
    return true;
}

bool reuse_init(struct reuse *r, const struct reuse_params *p, reuse_dropped_fn *dropped, void *ctx)
{
    assert(p->lines >= 64 && p->n_orgs <= REUSE_ORGS);
    for (uint32_t o = 0; o < p->n_orgs; o++) {
        assert(p->org[o].ways % 4 == 0 && p->org[o].ways <= REUSE_WAYS);
        assert(o == 0 || p->org[o].sets % p->org[o - 1].sets == 0);
    }
    *r = (struct reuse){.p = *p, .dropped = dropped, .ctx = ctx};
    skip_sets(r);
    r->window = (2 * p->lines + 63) / 64 * 64;
    r->words = r->window / 64;
    r->bit = mem_new(r->words, sizeof *r->bit);
    r->tree = mem_new((size_t)r->words + 1, sizeof *r->tree);
    if (r->bit && r->tree && hash_map_init(&r->index, 1024) && sets_init(r)) return true;
    reuse_fini(r);
    return false;
}

void reuse_fini(struct reuse *r)
{
    for (uint32_t o = 0; o < r->p.n_orgs; o++)
        mem_free(r->set[o]);
    hash_map_fini(&r->index);
    mem_free(r->line);
    mem_free(r->pos);
    mem_free(r->id_at);
    mem_free(r->spare);
    mem_free(r->bit);
    mem_free(r->tree);
    *r = (struct reuse){0};
}

void reuse_clear(struct reuse *r)
{
    if (r->next == 0) return;
    hash_map_clear(&r->index);
    memset(r->bit, 0, ((size_t)r->next + 63) / 64 * sizeof *r->bit);
    memset(r->tree, 0, ((size_t)r->words + 1) * sizeof *r->tree);
    for (uint32_t o = 0; o < r->p.n_orgs; o++)
        memset(r->set[o], 0, count_places(r, o) * sizeof *r->set[o]);
    r->next = r->live = r->n_spare = r->ids = 0;
}

static void tree_add(struct reuse *r, uint32_t word, uint32_t delta)
{
    for (uint32_t i = word + 1; i <= r->words; i += i & (0u - i))
        r->tree[i] += delta;
}

/* Counts the lines whose last access is younger than position p.  The tree counts full words; the
 * word being filled never lies before p's. */
static uint32_t count_younger(const struct reuse *r, uint32_t p)
{
    uint32_t word = p / 64, upto = 0;
    for (uint32_t i = word; i; i &= i - 1)
        upto += r->tree[i];
    upto += popcount(r->bit[word] & (UINT64_MAX >> (63 - p % 64)));
    return r->live - upto;
}

/* Vectors of four ways; sets begin at multiples of 16 bytes because their ways are a multiple of
 * four. */
typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));

/* The index of `mark` (id + 1) in a set, not before `from`; `ways`: it is not there. */
static uint32_t set_find(const uint32_t *set, uint32_t from, uint32_t ways, uint32_t mark)
{
    const four *at = (const four *)(const void *)set;
    for (uint32_t w = from / 4; w < ways / 4; w++) {
        four same = (four)(at[w] == mark);
        two any = (two)same;
        if (!(any[0] | any[1])) continue;
        return 4 * w + (same[0] ? 0 : same[1] ? 1 : same[2] ? 2 : 3);
    }
    return ways;
}

static inline uint32_t *set_at(const struct reuse *r, uint32_t org, const struct line_place *at)
{
    uint32_t set = line_set(&r->p.at, at, r->p.org[org].sets);
    if (!r->skipped) return r->set[org] + (size_t)set * r->p.org[org].ways;
    uint32_t low = set & ((1u << r->first) - 1), high = set >> r->first;
    size_t place = ((size_t)high << (r->first - r->skipped)) + (low >> r->skipped);
    return r->set[org] + place * r->p.org[org].ways;
}

static uint8_t set_bucket(uint32_t distance, uint32_t ways)
{
    return (uint8_t)(distance < ways ? histogram_bucket(distance) : REUSE_SET_FAR);
}

/* Makes `mark` the youngest, in place of the w-th. */
static inline void set_to_front(uint32_t *set, uint32_t w, uint32_t mark)
{
    enum { FEW = 8 };
    if (w > FEW) {
        memmove(set + 1, set, w * sizeof *set);
    } else {
        for (; w; w--)
            set[w] = set[w - 1];
    }
    set[0] = mark;
}

static void set_forget(struct reuse *r, uint32_t id)
{
    struct line_place at = line_place(&r->p.at, r->line[id]);
    for (uint32_t o = 0; o < r->p.n_orgs; o++) {
        uint32_t ways = r->p.org[o].ways, *set = set_at(r, o, &at);
        uint32_t w = set_find(set, 0, ways, id + 1);
        if (w == ways) continue;
        memmove(set + w, set + w + 1, (ways - w - 1) * sizeof *set);
        set[ways - 1] = 0;
    }
}

static void drop_line(struct reuse *r, uint32_t id)
{
    if (r->dropped) r->dropped(r->ctx, id);
    set_forget(r, id);
    hash_map_del(&r->index, r->line[id]);
    r->spare[r->n_spare++] = id;
    r->live--;
}

/* Renumbers positions from 0, the oldest first, and forgets lines beyond the bound. */
static void compact_places(struct reuse *r)
{
    uint32_t excess = r->live > r->p.lines ? r->live - r->p.lines : 0, to = 0;
    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t b = r->bit[w]; b; b &= b - 1) {
            uint32_t id = r->id_at[w * 64 + (uint32_t)__builtin_ctzll(b)];
            if (excess) {
                excess--;
                drop_line(r, id);
                continue;
            }
            r->id_at[to] = id;
            r->pos[id] = to++;
        }
    }
    memset(r->bit, 0, r->words * sizeof *r->bit);
    memset(r->tree, 0, ((size_t)r->words + 1) * sizeof *r->tree);
    for (uint32_t i = 0; i < to; i++)
        r->bit[i / 64] |= (uint64_t)1 << i % 64;
    for (uint32_t w = 0; w < r->words; w++) {
        uint32_t i = w + 1, up = i + (i & (0u - i));
        if (w < to / 64) r->tree[i] += popcount(r->bit[w]);
        if (up <= r->words) r->tree[up] += r->tree[i];
    }
    r->next = to;
}

/* Goes from many sets to few: the fewer the sets, the more lines lie between two touches of a line,
 * provided that lines of one set stay together when there are fewer sets. */
static void sets_touch(struct reuse *r, uint64_t line, struct reuse_distance *d)
{
    struct line_place at = line_place(&r->p.at, line);
    uint32_t least = d->fresh ? UINT32_MAX : 0;
    for (uint32_t o = r->p.n_orgs; o-- > 0;) {
        uint32_t ways = r->p.org[o].ways, *set = set_at(r, o, &at);
        uint32_t w = least < ways ? set_find(set, least, ways, d->id + 1) : ways;
        if (w > least && r->p.at.index == INDEX_MODULO) least = w;
        d->in_set[o] = set_bucket(w, ways);
        set_to_front(set, w == ways ? w - 1 : w, d->id + 1);
    }
}

static bool grow_places(struct reuse *r)
{
    size_t need = (size_t)r->ids + 1;
    return mem_grow(&r->line, &r->line_cap, need, sizeof *r->line) &&
           mem_grow(&r->pos, &r->pos_cap, need, sizeof *r->pos) &&
           mem_grow(&r->spare, &r->spare_cap, need, sizeof *r->spare);
}

static bool find_or_add(struct reuse *r, uint64_t line, struct reuse_distance *d)
{
    const uint32_t *known = hash_map_get(&r->index, line);
    d->fresh = !known;
    if (known) {
        d->id = *known;
        return true;
    }
    d->id = r->n_spare ? r->spare[r->n_spare - 1] : r->ids;
    if ((!r->n_spare && !grow_places(r)) || !hash_map_put(&r->index, line, d->id)) return false;
    if (r->n_spare)
        r->n_spare--;
    else
        r->ids++;
    r->line[d->id] = line;
    r->live++;
    r->fresh++;
    return true;
}

static void clear_place(struct reuse *r, uint32_t p)
{
    r->bit[p / 64] &= ~((uint64_t)1 << p % 64);
    if (p / 64 < r->next / 64) tree_add(r, p / 64, UINT32_MAX);
}

bool reuse_touch(struct reuse *r, uint64_t line, struct reuse_distance *d)
{
    if (r->next == r->window) compact_places(r);
    if (r->next >= r->at_cap &&
        !mem_grow(&r->id_at, &r->at_cap, (size_t)r->next + 1, sizeof *r->id_at))
        return false;
    if (!find_or_add(r, line, d)) return false;
    if (!d->fresh && r->pos[d->id] + 1 == r->next) { /* the youngest line again: no line moves */
        d->global = 0;
        memset(d->in_set, 0, sizeof d->in_set);
        return true;
    }
    d->global = d->fresh ? REUSE_FAR : count_younger(r, r->pos[d->id]);
    if (!d->fresh) clear_place(r, r->pos[d->id]);
    r->pos[d->id] = r->next;
    r->id_at[r->next] = d->id;
    r->bit[r->next / 64] |= (uint64_t)1 << r->next % 64;
    if (++r->next % 64 == 0) tree_add(r, r->next / 64 - 1, popcount(r->bit[r->next / 64 - 1]));
    if (r->p.n_orgs) sets_touch(r, line, d);
    return true;
}

void reuse_soon(const struct reuse *r, uint64_t line)
{
    prefetch_line(&r->index.slot[hash_map_home(&r->index, line)]);
    struct line_place at = line_place(&r->p.at, line);
    for (uint32_t o = 0; o < r->p.n_orgs; o++)
        prefetch_line(
            set_at(r, o, &at)); /* the youngest entries; most lines are found among them */
}

bool reuse_soon_id(const struct reuse *r, uint64_t line, uint32_t *id)
{
    const uint32_t *known = hash_map_get(&r->index, line);
    if (!known) return false;
    *id = *known;
    prefetch_line(&r->pos[*id]);
    return true;
}

bool reuse_peek(const struct reuse *r, uint64_t line, struct reuse_distance *d)
{
    const uint32_t *known = hash_map_get(&r->index, line);
    if (!known) return false;
    d->id = *known;
    d->fresh = false;
    d->global = count_younger(r, r->pos[d->id]);
    struct line_place at = line_place(&r->p.at, line);
    for (uint32_t o = 0; o < r->p.n_orgs; o++) {
        uint32_t ways = r->p.org[o].ways;
        d->in_set[o] = set_bucket(set_find(set_at(r, o, &at), 0, ways, d->id + 1), ways);
    }
    return true;
}

bool reuse_in_set(const struct reuse *r, uint64_t line, uint32_t org, uint32_t ways, bool *known)
{
    const uint32_t *id = hash_map_get(&r->index, line);
    *known = id != NULL;
    if (!id) return false;
    struct line_place at = line_place(&r->p.at, line);
    uint32_t room = (ways < r->p.org[org].ways ? ways + 3 : r->p.org[org].ways) / 4 * 4;
    return set_find(set_at(r, org, &at), 0, room, *id + 1) < (ways < room ? ways : room);
}

uint32_t reuse_depth(const struct reuse *r, uint64_t line)
{
    const uint32_t *known = hash_map_get(&r->index, line);
    return known ? count_younger(r, r->pos[*known]) : REUSE_FAR;
}

void reuse_each(const struct reuse *r, void (*fn)(void *ctx, uint32_t id, uint32_t depth),
                void *ctx)
{
    uint32_t depth = 0;
    for (uint32_t w = (r->next + 63) / 64; w-- > 0;)
        for (uint64_t b = r->bit[w]; b;) {
            uint32_t top = 63 - (uint32_t)__builtin_clzll(b);
            fn(ctx, r->id_at[w * 64 + top], depth++);
            b &= ~((uint64_t)1 << top);
        }
}

void reuse_each_in_sets(const struct reuse *r, uint32_t org,
                        void (*fn)(void *ctx, uint32_t id, uint32_t bucket), void *ctx)
{
    size_t places = count_places(r, org);
    for (size_t i = 0; i < places; i++)
        if (r->set[org][i]) fn(ctx, r->set[org][i] - 1, histogram_bucket(i % r->p.org[org].ways));
}
