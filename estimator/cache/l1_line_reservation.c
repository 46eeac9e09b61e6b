/* l1_line_reservation.c - see l1_line_reservation.h. */
#include "estimator/cache/l1_line_reservation.h"

#include "base/memory/rng.h"
#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "gpu/geometry/set_index.h"

#include <math.h>

enum { PLACES = 4 * LINE_RUN }; /* a round has at most as many lines, and sets, as a run */

struct round_slot { /* of a line or a set; valid in the current round, if `round` says so */
    uint64_t key;
    uint32_t round, taken; /* taken: the line is reserved; ways of the set */
};
struct reserving {
    const struct cache_params *c;
    const struct frc_params *frc;
    uint32_t round;
    struct round_slot set[PLACES], frc_set[PLACES], line[PLACES];
};

static struct round_slot *find_slot(const struct reserving *r, struct round_slot *at, uint64_t key)
{
    uint64_t i = rng_splitmix64(key);
    while (at[i % PLACES].round == r->round && at[i % PLACES].key != key)
        i++;
    struct round_slot *s = &at[i % PLACES];
    if (s->round != r->round) *s = (struct round_slot){.key = key, .round = r->round};
    return s;
}

/* Takes an entry of the FRC for the line. */
static bool take_early(struct reserving *r, uint32_t set)
{
    const struct frc_params *f = r->frc;
    if (!f->entries) return false;
    uint32_t ways = f->ways < f->entries ? f->ways : f->entries;
    struct round_slot *s = find_slot(r, r->frc_set, set % (f->entries / ways));
    if (s->taken == ways) return false;
    s->taken++;
    return true;
}

/* false: the line's set is full of other reserved lines. */
static bool reserve_line(struct reserving *r, const struct sampled_line *a)
{
    struct round_slot *line = find_slot(r, r->line, a->line);
    if (line->taken) return true;
    uint32_t number = index_table[r->c->index](a->line, r->c->sets);
    struct round_slot *set = find_slot(r, r->set, number);
    bool early = !a->store && take_early(r, number);
    if (!early && set->taken == r->c->ways) return false;
    if (a->store) return true;
    set->taken += !early;
    line->taken = 1;
    return true;
}

struct full_rounds { /* rounds that ended with a full set */
    double n, sectors;
};

static void run_rounds(struct reserving *r, const struct sampled_line *a, uint32_t n, uint16_t l1,
                       struct full_rounds *sum)
{
    bool stores = r->c->write_miss != WRITE_MISS_NO_ALLOCATE;
    double sectors = 0;
    r->round++;
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].store ? !stores : a[i].l1 < l1) continue;
        if (!reserve_line(r, &a[i])) {
            sum->n++;
            sum->sectors += sectors;
            sectors = 0;
            r->round++;
            reserve_line(r, &a[i]);
        }
        sectors += a[i].store ? 0 : a[i].sectors;
    }
}

double l1_reserved_sectors(const struct line_sample *s, const struct cache_params *c,
                           const struct frc_params *frc, double lines)
{
    static _Thread_local void *block;
    struct reserving *r = THREAD_BLOCK(struct reserving, block);
    struct full_rounds sum = {0};
    if (c->alloc != ALLOC_ON_MISS) return INFINITY;
    r->c = c;
    r->frc = frc;
    for (uint32_t k = 0; k < s->runs; k++)
        run_rounds(r, s->at[k], s->n[k], profile_sample_bucket(lines), &sum);
    return sum.n > 0 && sum.sectors > 0 ? sum.sectors / sum.n : INFINITY;
}

struct kept_sectors {
    struct memo memo;
    double at[MEMO_PLACES];
};

double l1_reserved_sectors_cached(const struct line_sample *s, struct digest content,
                                  const struct cache_params *c, const struct frc_params *frc,
                                  double lines)
{
    static _Thread_local void *block;
    const uint32_t asked[] = {c->sets,
                              c->ways,
                              (uint32_t)c->index,
                              (uint32_t)c->alloc,
                              (uint32_t)c->write_miss,
                              frc->entries,
                              frc->ways,
                              profile_sample_bucket(lines)};
    struct digest key = digest_join(content, digest_bytes(asked, sizeof asked));
    bool found;
    struct kept_sectors *kept = THREAD_BLOCK(struct kept_sectors, block);
    double *of = &kept->at[memo_place(&kept->memo, key, &found)];
    if (!found) *of = l1_reserved_sectors(s, c, frc, lines);
    return *of;
}
