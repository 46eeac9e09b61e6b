/* l1_combine.c - the lines in which an L1 combines stores (l1.write = combine). Each holds a line
 * number and the mask of its stored bytes; all are searched for a number. The line whose last store
 * is oldest is sent to the L2 when another one is needed, all are by a release, and one is ahead of
 * an access to it that goes round or misses. */
#include "detailed/l1/l1_side.h"

#include "base/memory/alloc.h"

#include <string.h>

struct combine_line {
    uint64_t tag;
    uint64_t bytes[2]; /* by byte of the line; none: free */
    uint64_t last;     /* number of the last store to it */
};

struct combine {
    uint32_t used;
    uint64_t stores;
    struct combine_line line[]; /* [p->combine_lines] */
};

static struct combine *combine_of(const struct l1 *l)
{
    return l->side_state[L1_OF_combine];
}

static uint64_t host_bytes(const struct l1_params *p)
{
    return sizeof(struct combine) + p->combine_lines * sizeof(struct combine_line);
}

static bool init_lines(struct l1 *l)
{
    return (l->side_state[L1_OF_combine] = mem_new(1, host_bytes(l->p))) != NULL;
}

static void free_lines(struct l1 *l)
{
    mem_free(combine_of(l));
}

static void clear_lines(struct l1 *l)
{
    memset(combine_of(l), 0, host_bytes(l->p));
}

static bool in_use(const struct combine_line *at)
{
    return at->bytes[0] || at->bytes[1];
}

static struct combine_line *find_line(const struct l1 *l, uint64_t tag)
{
    struct combine *c = combine_of(l);
    for (uint32_t i = 0; c->used && i < l->p->combine_lines; i++)
        if (in_use(&c->line[i]) && c->line[i].tag == tag) return &c->line[i];
    return NULL;
}

static struct combine_line *oldest_line(const struct l1 *l)
{
    struct combine_line *best = NULL, *at = combine_of(l)->line;
    for (uint32_t i = 0; i < l->p->combine_lines; i++)
        if (in_use(&at[i]) && (!best || at[i].last < best->last)) best = &at[i];
    return best;
}

/* Sends a line's combined stores; the caller has made room for its sectors. */
static void spill_line(struct l1 *l, struct combine_line *at, uint64_t now)
{
    for (uint32_t sector = 0; sector < l->c.sectors; sector++) {
        struct l1_access a = {.vinst = UINT32_MAX};
        bytemask_part(at->bytes, sector << l->c.sector_shift, l->c.p.sector_bytes, a.mask);
        if (!a.mask[0] && !a.mask[1]) continue;
        l1_send(l, &a, REQ_WRITE,
                (at->tag << l->c.line_shift) + ((uint64_t)sector << l->c.sector_shift), now);
    }
    *at = (struct combine_line){0};
    combine_of(l)->used--;
}

static bool spill_ahead(struct l1 *l, const struct l1_access *a, bool round, uint64_t now)
{
    if (!combine_of(l)->used || (!round && l1_is_here(l, a))) return true;
    struct combine_line *at = find_line(l, cache_tag(&l->c, a->addr));
    if (!at) return true;
    if (!l1_network_room(l, l->c.sectors + 1)) return false;
    spill_line(l, at, now);
    return true;
}

static void spill_all(struct l1 *l, uint64_t now)
{
    while (combine_of(l)->used)
        spill_line(l, oldest_line(l), now);
}

static void put_bytes(struct l1 *l, struct combine_line *at, uint64_t tag, const uint64_t bytes[2])
{
    struct combine *c = combine_of(l);
    if (!at) {
        for (at = c->line; in_use(at); at++)
            ;
        at->tag = tag;
        c->used++;
    }
    at->bytes[0] |= bytes[0];
    at->bytes[1] |= bytes[1];
    at->last = c->stores++;
}

/* Combines the store with earlier ones to its line, or replaces the line whose last store is
 * oldest. A valid copy is updated; a fill in flight is not kept. */
enum l1_stall l1_combine_store(struct l1 *l, const struct l1_access *la, const struct access *a,
                               uint64_t now)
{
    uint64_t tag = cache_tag(&l->c, a->addr), bytes[2];
    struct combine_line *at = find_line(l, tag);
    if (!at && combine_of(l)->used == l->p->combine_lines) {
        if (!l1_network_room(l, l->c.sectors)) return L1_STALL_NETWORK;
        spill_line(l, oldest_line(l), now);
    }
    struct access_plan p = cache_plan(&l->c, a);
    struct victim v;
    bool hit = p.verdict == CACHE_HIT;
    cache_apply(&l->c, &p, a, &v);
    if (hit) l1_note_version(l, p.line, la->addr, shadow_store(l->w->shadow));
    bytemask_up(la->mask, (uint32_t)(la->addr & (l->c.p.line_bytes - l->grain)), bytes);
    put_bytes(l, at, tag, bytes);
    l->kept = true;
    l->s.combined += at != NULL;
    l1_count_look_up(l, la, hit, p.present, now);
    return L1_GOES;
}

const struct l1_side_ops l1_side_combine = {.id = MECHANISM_l1_combine,
                                            .sends_behind = true,
                                            .bytes = host_bytes,
                                            .init = init_lines,
                                            .fini = free_lines,
                                            .clear = clear_lines,
                                            .ahead = spill_ahead,
                                            .release = spill_all};
