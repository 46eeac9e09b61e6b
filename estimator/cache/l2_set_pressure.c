/* l2_set_pressure.c - see l2_set_pressure.h. */
#include "estimator/cache/l2_set_pressure.h"

#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "gpu/geometry/set_index.h"

#include <math.h>

enum { WIDEST = 2048, SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS };
_Static_assert((int)SLOTS >= 4 * (int)WIDEST, "tables stay sparse");
enum what { A_LINE, A_SET, AN_FRC_SET, WHAT_N };
static const uint32_t windows[BLOCK_WINDOWS] = {32, 256, WIDEST};

struct counter { /* valid in the current window, if `window` says so */
    uint64_t key;
    uint32_t window, n;
};
struct miss {
    uint64_t line;
    uint32_t set, frc_set; /* indices over all slices */
};
struct counting {
    const struct l2_params *l2;
    const struct map *map;
    uint32_t frc_ways, frc_sets; /* 0: no FRC */
    uint32_t window, n;
    struct miss miss[SAMPLE_BLOCK];
    struct counter at[WHAT_N][SLOTS];
};

static uint32_t *count_of(struct counting *c, enum what what, uint64_t key)
{
    struct counter *at = c->at[what];
    uint32_t i = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
    while (at[i].window == c->window && at[i].key != key)
        i = (i + 1) % SLOTS;
    if (at[i].window != c->window) at[i] = (struct counter){.key = key, .window = c->window};
    return &at[i].n;
}

/* Finds the misses of a block of the sample and the sets in which they look for a line; a slice's
 * chunks of the address space are treated as adjacent. */
static void find_misses(struct counting *c, const struct sampled *a, uint32_t n,
                        const uint32_t from[2])
{
    const struct l2_params *l2 = c->l2;
    uint64_t chunk = l2->interleave_bytes / l2->cache.line_bytes;
    c->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if ((a[i].kind == SAMPLED_READ && a[i].l1 < from[0]) || a[i].l2 < from[1]) continue;
        uint64_t line = a[i].addr / l2->cache.line_bytes,
                 local = line / chunk / l2->banks * chunk + line % chunk;
        uint32_t slice = map_slice(c->map, a[i].addr),
                 set = index_table[l2->cache.index](local, l2->cache.sets);
        struct miss *m = &c->miss[c->n++];
        *m = (struct miss){.line = line, .set = slice * l2->cache.sets + set};
        if (c->frc_sets) m->frc_set = slice * c->frc_sets + set % c->frc_sets;
    }
}

static bool finds_room(struct counting *c, const struct miss *m)
{
    if (c->frc_sets) {
        uint32_t *taken = count_of(c, AN_FRC_SET, m->frc_set);
        if ((*taken)++ < c->frc_ways) return true;
    }
    return (*count_of(c, A_SET, m->set))++ < c->l2->cache.ways;
}

struct share {
    double blocks, served;
};

/* Adds the windows of the block's misses; each block of memory counts once per window. */
static void windows_add(struct counting *c, uint32_t window, struct share *s)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (i % window == 0) c->window++;
        if ((*count_of(c, A_LINE, c->miss[i].line))++) continue;
        s->blocks++;
        s->served += finds_room(c, &c->miss[i]);
    }
}

/* Starts with the widest window: if all of it find a line, so do parts of it. */
static void find_lines_at_once(struct lines_at_once *l, const struct block_sample *s,
                               const struct map *map, const struct l2_params *l2,
                               const uint32_t from[2])
{
    static _Thread_local void *block;
    struct counting *c = THREAD_BLOCK(struct counting, block);
    struct share share[BLOCK_WINDOWS] = {{0, 0}};
    const struct frc_params *f = &l2->frc;
    c->l2 = l2;
    c->map = map;
    c->frc_ways = f->ways < f->entries ? f->ways : f->entries;
    c->frc_sets = c->frc_ways ? f->entries / c->frc_ways : 0;
    for (uint32_t b = 0; b < s->blocks; b++) {
        find_misses(c, s->at[b], s->n[b], from);
        for (uint32_t k = BLOCK_WINDOWS; k-- > 0 && windows[k] > l2->cache.ways;) {
            struct share before = share[k];
            windows_add(c, windows[k], &share[k]);
            if (share[k].served - before.served < share[k].blocks - before.blocks) continue;
            while (k-- > 0) /* all misses of a window find a line */
                share[k].blocks += c->n, share[k].served += c->n;
            break;
        }
    }
    for (uint32_t k = 0; k < BLOCK_WINDOWS; k++)
        l->served[k] = share[k].blocks > 0 ? share[k].served / share[k].blocks : 1;
}

struct kept_lines_at_once {
    struct memo memo;
    struct lines_at_once at[MEMO_PLACES];
};

void lines_at_once_find(struct lines_at_once *l, const struct launch_samples *s, uint32_t cls,
                        const struct map *map, const struct l2_params *l2, double l1_lines,
                        double l2_lines)
{
    static _Thread_local void *block;
    const struct cache_params *c = &l2->cache;
    const uint32_t from[] = {profile_sample_bucket(l1_lines), profile_sample_bucket(l2_lines)};
    const struct sample_content *seen = s->content;
    const uint32_t asked[] = {memory_load_equal_bucket(seen->l1[cls], l1_lines),
                              memory_load_equal_bucket(seen->l2[cls], l2_lines),
                              cls,
                              c->sets,
                              c->ways,
                              (uint32_t)c->index,
                              c->line_bytes,
                              c->sector_bytes,
                              l2->frc.entries,
                              l2->frc.ways};
    *l = (struct lines_at_once){.served = {1, 1, 1}};
    if (c->ways >= WIDEST) return; /* no window can fill a set */
    struct digest key = digest_join(digest_join(seen->digest, memory_load_map_digest(map)),
                                    digest_bytes(asked, sizeof asked));
    bool found;
    struct kept_lines_at_once *kept = THREAD_BLOCK(struct kept_lines_at_once, block);
    struct lines_at_once *of = &kept->at[memo_place(&kept->memo, key, &found)];
    if (!found) find_lines_at_once(of, &s->rows[cls], map, l2, from);
    *l = *of;
}

double lines_at_once_served(const struct lines_at_once *l, double together)
{
    double t = log(together / windows[0]) / log(8), share = l->served[BLOCK_WINDOWS - 1];
    if (t <= 0) return together * l->served[0];
    if (t < BLOCK_WINDOWS - 1) {
        uint32_t i = (uint32_t)t;
        share = l->served[i] + (t - i) * (l->served[i + 1] - l->served[i]);
    }
    return together * share;
}
