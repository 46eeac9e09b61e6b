/* lines_at_once.c - see lines_at_once.h. */
#include "estimator/lines_at_once.h"

#include "base/rng.h"
#include "geometry/index.h"

#include <math.h>

enum { PLACES = 4 * SAMPLE_BLOCK, KEPT = 256 };
enum what { A_LINE, A_SET, AN_FRC_SET, WHAT_N };
static const uint32_t windows[LOAD_WINDOWS] = {32, 256, 2048};

struct counter { /* in the present window, if `window` says so */
    uint64_t key;
    uint32_t window, n;
};
struct counting {
    const struct l2_params *l2;
    const struct map *map;
    uint32_t window;
    struct counter at[WHAT_N][PLACES];
};

static uint32_t *count_of(struct counting *c, enum what what, uint64_t key)
{
    struct counter *at = c->at[what];
    uint64_t i = splitmix64(key);
    while (at[i % PLACES].window == c->window && at[i % PLACES].key != key)
        i++;
    at = &at[i % PLACES];
    if (at->window != c->window) *at = (struct counter){.key = key, .window = c->window};
    return &at->n;
}

/* The block's set inside its slice, whose blocks of the address space stand side by side. */
static uint32_t set_of(const struct l2_params *l2, uint64_t line)
{
    uint64_t chunk = l2->interleave_bytes / l2->cache.line_bytes;
    uint64_t local = line / chunk / l2->banks * chunk + line % chunk;
    return index_table[l2->cache.index](local, l2->cache.sets);
}

static bool finds_room(struct counting *c, uint64_t line, uint64_t slice)
{
    const struct l2_params *l2 = c->l2;
    const struct frc_params *f = &l2->frc;
    uint64_t set = set_of(l2, line);
    if (f->entries) {
        uint32_t ways = f->ways < f->entries ? f->ways : f->entries, sets = f->entries / ways;
        uint32_t *taken = count_of(c, AN_FRC_SET, slice << 32 | set % sets);
        if ((*taken)++ < ways) return true;
    }
    return (*count_of(c, A_SET, slice << 32 | set))++ < l2->cache.ways;
}

/* One window's misses; *served of them find a line, each block counts once. */
static double window_add(struct counting *c, const struct sampled *a, uint32_t n, uint16_t l1,
                         uint16_t l2, double *served)
{
    double blocks = 0;
    c->window++;
    for (uint32_t i = 0; i < n; i++) {
        if ((a[i].kind == SAMPLED_READ && a[i].l1 < l1) || a[i].l2 < l2) continue;
        uint64_t line = a[i].addr / c->l2->cache.line_bytes;
        if ((*count_of(c, A_LINE, line))++) continue;
        blocks++;
        *served += finds_room(c, line, map_slice(c->map, a[i].addr));
    }
    return blocks;
}

static double share_served(struct counting *c, const struct block_sample *s, uint32_t window,
                           uint16_t l1, uint16_t l2)
{
    double blocks = 0, served = 0;
    for (uint32_t b = 0; b < s->blocks; b++)
        for (uint32_t i = 0; i < s->n[b]; i += window) {
            uint32_t left = s->n[b] - i;
            blocks += window_add(c, &s->at[b][i], left < window ? left : window, l1, l2, &served);
        }
    return blocks > 0 ? served / blocks : 1;
}

static void find(struct lines_at_once *l, const struct block_sample *s, const struct map *map,
                 const struct l2_params *l2, const uint32_t from[2])
{
    static _Thread_local struct counting c;
    c.l2 = l2;
    c.map = map;
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        l->served[k] = share_served(&c, s, windows[k], (uint16_t)from[0], (uint16_t)from[1]);
}

void lines_at_once_find(struct lines_at_once *l, const struct launch_samples *s, uint32_t cls,
                        const struct map *map, const struct l2_params *l2, double l1_lines,
                        double l2_lines)
{
    static _Thread_local struct {
        struct digest key;
        struct lines_at_once answer;
    } kept[KEPT];
    const struct cache_params *c = &l2->cache;
    const uint32_t from[] = {sample_bucket(l1_lines), sample_bucket(l2_lines)};
    const uint32_t asked[] = {from[0],       from[1],         cls,
                              c->sets,       c->ways,         (uint32_t)c->index,
                              c->line_bytes, l2->frc.entries, l2->frc.ways};
    *l = (struct lines_at_once){.served = {1, 1, 1}};
    if (c->ways >= SAMPLE_BLOCK) return; /* no window fills it */
    struct digest key = digest_join(digest_join(s->content->digest, digest_bytes(map, sizeof *map)),
                                    digest_bytes(asked, sizeof asked));
    uint64_t at = key.lo % KEPT;
    if (!digest_equal(kept[at].key, key)) {
        find(&kept[at].answer, &s->rows[cls], map, l2, from);
        kept[at].key = key;
    }
    *l = kept[at].answer;
}

double lines_at_once_served(const struct lines_at_once *l, double together)
{
    double t = log(together / windows[0]) / log(8), share = l->served[LOAD_WINDOWS - 1];
    if (t <= 0) return together * l->served[0];
    if (t < LOAD_WINDOWS - 1) {
        uint32_t i = (uint32_t)t;
        share = l->served[i] + (t - i) * (l->served[i + 1] - l->served[i]);
    }
    return together * share;
}
