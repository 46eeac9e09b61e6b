/* moesi_write_sharing.c - a directory without time: for each line the SMs that have it and that
 * have had it, its owner, and whether it is dirty.
 *
 * A store takes the line from all other SMs. An access loses a hit if its L1 would still have the
 * line by capacity, but another SM's store has taken it. An access asks copies if there are others
 * (stores) or an owner (loads), and if the line was accessed within the reach of the L1s. Under
 * QuickRelease it also counts stores that meet in the write caches. Source: gpu/coherence/moesi.c;
 * Candel 2019, 2.4.A. */
#include "estimator/reuse/moesi_write_sharing.h"

#include "base/memory/alloc.h"
#include "estimator/reuse/stream.h"

#include <string.h>

enum { NO_OWNER = UINT32_MAX };
struct shared_line {
    uint32_t owner;     /* SM whose copy is the only one, or newer than the L2's */
    bool dirty, loaded; /* loaded: since the last store, by an SM that had lost it */
    uint32_t launch, asked, asked_by_loads;
    uint32_t written;      /* the launch in which it was stored to */
    uint64_t writers;      /* SMs (modulo 64) whose write caches have it */
    uint64_t last, stored; /* stored: when the last of them came */
};

bool sharing_init(struct sharing *s, uint32_t sms, uint32_t l1_lines)
{
    *s = (struct sharing){.words = (sms + 63) / 64, .reach = (uint64_t)sms * l1_lines};
    return hash_map_init(&s->id, 1024);
}

void sharing_fini(struct sharing *s)
{
    hash_map_fini(&s->id);
    mem_free(s->line);
    mem_free(s->sets);
}

void sharing_start(struct sharing *s)
{
    s->launch++;
    s->stores = 0;
    s->count = (struct shared_counts){0};
}

static struct shared_line *line_of(struct sharing *s, uint64_t key, uint64_t **has, uint64_t **had)
{
    uint32_t *at = hash_map_get(&s->id, key), i = at ? *at : s->n;
    size_t words = 2 * (size_t)s->words;
    if (!at) {
        if (!mem_grow(&s->line, &s->line_cap, (size_t)i + 1, sizeof *s->line) ||
            !mem_grow(&s->sets, &s->set_cap, (i + 1) * words, sizeof *s->sets) ||
            !hash_map_put(&s->id, key, i))
            return NULL;
        s->line[i] = (struct shared_line){.owner = NO_OWNER};
        memset(s->sets + i * words, 0, words * sizeof *s->sets);
        s->n++;
    }
    *has = s->sets + i * words;
    *had = *has + s->words;
    return &s->line[i];
}

static bool others(const struct sharing *s, const uint64_t *set, uint32_t sm)
{
    for (uint32_t w = 0; w < s->words; w++)
        if (set[w] & ~(w == sm / 64 ? UINT64_C(1) << sm % 64 : 0)) return true;
    return false;
}

static void note_question(struct sharing *s, struct shared_line *l, const struct shared_op *op)
{
    struct shared_counts *n = &s->count;
    if (l->launch != s->launch) l->launch = s->launch, l->asked = l->asked_by_loads = 0;
    l->asked_by_loads += !op->store;
    if (l->asked_by_loads > n->hottest_loads) n->hottest_loads = l->asked_by_loads;
    n->asked++;
    l->asked += !op->atomic;
    if (l->asked > n->hottest) n->hottest = l->asked;
}

void sharing_access(struct sharing *s, uint32_t sm, uint64_t line, const struct shared_op *op)
{
    uint64_t *has, *had, bit = UINT64_C(1) << sm % 64;
    struct shared_line *l = line_of(s, line, &has, &had);
    if (!l) {
        s->failed = true;
        return;
    }
    bool here = has[sm / 64] & bit, was = had[sm / 64] & bit, shared = others(s, has, sm);
    bool asks = op->store ? shared : !here && l->owner != NO_OWNER;
    if (asks && s->now - l->last < s->reach) note_question(s, l, op);
    if (op->near && was && op->store && (!here || shared)) s->count.lost_stores += op->sectors;
    bool lost = op->near && was && !op->store && !here;
    if (lost) s->count.lost_loads += op->sectors;
    if (lost && !l->loaded) s->count.lost_first += op->sectors;
    l->loaded = !op->store && (l->loaded || !here);
    if (op->store) memset(has, 0, s->words * sizeof *has);
    if (asks && !op->store && !l->dirty) l->owner = NO_OWNER;
    if (op->store || (!here && !shared)) l->owner = sm, l->dirty = op->store;
    l->last = s->now++;
    has[sm / 64] |= bit;
    had[sm / 64] |= bit;
}

/* An SM's write cache joins what that SM stores to a line; other SMs' stores to it meet below. The
 * caches are FIFOs: a line leaves when so many others have come. */
static void gather_store(struct sharing *s, const struct profile_view *v, uint32_t sm,
                         uint64_t line, uint32_t sectors)
{
    uint64_t *has, *had, bit = UINT64_C(1) << sm % 64;
    struct shared_line *l = line_of(s, line, &has, &had);
    if (!l) {
        s->failed = true;
        return;
    }
    uint64_t lag = s->stores - l->stored;
    uint32_t k = lag ? 63 - (uint32_t)__builtin_clzll(lag) : 0;
    bool gone = lag > (uint64_t)v->keeps.combine_lines * v->sms;
    if (l->written != s->launch || gone) l->writers = 0;
    if (l->writers & bit) return;
    if (l->writers && k < SHARED_LAGS) s->count.joins[k] += sectors;
    l->writers |= bit;
    l->written = s->launch;
    l->stored = s->stores++;
}

/* A load that comes to the L2 sends the line's bytes on. */
static void spill_stores(struct sharing *s, uint64_t line)
{
    const uint32_t *at = hash_map_get(&s->id, line);
    if (at) s->line[*at].writers = 0;
}

/* A load's copy is near if the pass's own L1 would still have it; what of stores and atomics is
 * near the curve of stores says. */
bool sharing_walk(struct sharing *s, const struct profile_view *v,
                  const struct stream_op *const *order, const uint16_t *sm, size_t n)
{
    uint32_t lines = v->l1_class_bytes / v->l1_line;
    for (size_t k = 0; v->l1_emptied == L1_NEVER && k < n; k++) {
        const struct stream_op *op = order[k];
        bool store = op->kind != STREAM_READ;
        const struct shared_op o = {.store = store,
                                    .near = store || op->l1 < lines,
                                    .atomic = op->kind == STREAM_ATOMIC,
                                    .sectors = (uint32_t)__builtin_popcount(op->mask)};
        sharing_access(s, sm[k], op->addr / v->l1_line, &o);
        if (v->stores_leave && op->kind == STREAM_WRITE)
            gather_store(s, v, sm[k], op->addr / v->l1_line, o.sectors);
        else if (v->stores_leave && !o.near)
            spill_stores(s, op->addr / v->l1_line);
    }
    return !s->failed;
}
