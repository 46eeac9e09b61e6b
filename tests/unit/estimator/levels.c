/* Write-backs of an L2: as many as of a cache that keeps lines and dirty bits and evicts by its
 * rule?
 */
#include "base/memory/rng.h"
#include "estimator/cache/cache_levels.h"
#include "estimator/profile/sector_reuse.h"
#include "tests/support/check.h"

#include <math.h>

enum { ACCESSES = 60000, LINES = 512, SPACE = 4096 };

enum pattern { UNIFORM, SKEWED, HOT_AND_SCAN, LOOP, PATTERNS };

static uint64_t line_of(enum pattern p, uint64_t i, struct rng *r)
{
    switch (p) {
    case UNIFORM: return rng_below(r, 2 * LINES);
    case SKEWED: return (uint64_t)exp(rng_unit(r) * log(SPACE - 1));
    case HOT_AND_SCAN:
        return rng_below(r, 2) ? rng_below(r, LINES / 2) : LINES + i % (SPACE - LINES);
    case LOOP: return i % (LINES * 13 / 10);
    case PATTERNS: break;
    }
    return 0;
}

/* --- the cache itself: fully associative, lines of one sector --- */

struct cache {
    uint64_t line[LINES], when[LINES];
    bool dirty[LINES];
    uint32_t used, at[SPACE]; /* line -> way + 1 */
    uint64_t clock, writebacks;
};

static uint32_t way_for(struct cache *c, enum repl_kind kind, struct rng *r)
{
    uint32_t oldest = 0;
    if (c->used < LINES) return c->used++;
    if (kind == REPL_RANDOM) return (uint32_t)rng_below(r, LINES);
    for (uint32_t i = 1; i < LINES; i++)
        if (c->when[i] < c->when[oldest]) oldest = i;
    return oldest;
}

static void cache_access(struct cache *c, uint64_t line, bool write, enum repl_kind kind,
                         struct rng *r)
{
    uint32_t way = c->at[line] - 1;
    c->clock++;
    if (!c->at[line]) {
        bool full = c->used == LINES;
        way = way_for(c, kind, r);
        if (full) c->at[c->line[way]] = 0;
        if (full) c->writebacks += c->dirty[way];
        c->at[line] = way + 1;
        c->line[way] = line;
        c->dirty[way] = false;
        c->when[way] = c->clock;
    }
    if (kind == REPL_LRU) c->when[way] = c->clock;
    c->dirty[way] |= write;
}

/* --- both on the same stream --- */

static double played(enum pattern p, uint32_t one_in, enum repl_kind kind)
{
    static struct cache c;
    struct rng r, victims;
    memset(&c, 0, sizeof c);
    rng_seed(&r, 8, p);
    rng_seed(&victims, 9, 1);
    for (uint64_t i = 0; i < ACCESSES; i++) {
        uint64_t line = line_of(p, i, &r);
        cache_access(&c, line, rng_below(&r, one_in) == 0, kind, &victims);
    }
    return (double)c.writebacks;
}

static void collect(enum pattern p, uint32_t one_in, struct launch_profile *f)
{
    struct chain c;
    struct rng r;
    uint32_t value[CHAIN_SECTORS];
    const struct chain_params cp = {.sectors = 1,
                                    .write_miss = WRITE_MISS_FETCH,
                                    .write_back = true,
                                    .nominal_lines = LINES,
                                    .reuse = {.lines = 2 * SPACE}};
    assert_true(chain_init(&c, &cp));
    c.counting = true;
    rng_seed(&r, 8, p);
    for (uint64_t i = 0; i < ACCESSES; i++) {
        uint64_t line = line_of(p, i, &r);
        if (rng_below(&r, one_in) == 0)
            chain_write(&c, line, 1, sector_reuse_parts(1), value);
        else
            chain_read(&c, line, 1, value);
    }
    assert_false(c.failed);
    chain_dirty(&c, &c.soiled);
    hit_tally_curve(&c.read[0].distance, &f->l2_read);
    hit_tally_curve(&c.write, &f->l2_write);
    hit_tally_curve(&c.soiled, &f->l2_writeback);
    chain_fini(&c);
}

static double estimated(const struct launch_profile *f, enum repl_kind kind)
{
    const struct l1_params off = {.enabled = false};
    const struct profile_view view = {.l1_line = 64, .l1_sector = 64, .l2_line = 64};
    const struct l3_params none = {.kb = 0};
    struct l2_params l2 = {.banks = 1};
    struct cache_levels v;
    l2.cache = (struct cache_params){.sets = 1,
                                     .ways = LINES,
                                     .line_bytes = 64,
                                     .sector_bytes = 64,
                                     .repl = kind,
                                     .write = WRITE_BACK,
                                     .write_miss = WRITE_MISS_FETCH};
    const struct cached_machine c = {&view, &off, &l2, &none, 0, 1, 1};
    cache_levels_find(&v, f, &c);
    return v.writebacks;
}

/* Write-backs told over those played; one_in: accesses of which one writes. */
static double told(enum pattern p, uint32_t one_in, enum repl_kind kind)
{
    static struct launch_profile f;
    memset(&f, 0, sizeof f);
    collect(p, one_in, &f);
    double want = played(p, one_in, kind);
    assert_true(want > ACCESSES / 50.0);
    return estimated(&f, kind) / want;
}

static void lru_is_exact(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < PATTERNS; p++)
        for (uint32_t one_in = 1; one_in <= 3; one_in += 2)
            assert_near(told(p, one_in, REPL_LRU), 1, 0.001);
}

/* Lines that are only written: a write-back per miss. */
static void what_is_only_written_goes_down_by_the_policys_misses(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < PATTERNS; p++) {
        assert_near(told(p, 1, REPL_RANDOM), 1, 0.03);
        assert_near(told(p, 1, REPL_FIFO), 1, 0.03);
    }
}

/* A known gap: a line that is also read between two writes must survive each of these uses, and the
 * model asks for the longest of them only.  Too few write-backs, worst where all uses are alike. */
static void reads_between_writes_count_once(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < PATTERNS; p++) {
        double random = told(p, 3, REPL_RANDOM), fifo = told(p, 3, REPL_FIFO);
        assert_true(random > (p == LOOP ? 0.6 : 0.85) && random < 1.01);
        assert_true(fifo > 0.85 && fifo < 1.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_is_exact),
        cmocka_unit_test(what_is_only_written_goes_down_by_the_policys_misses),
        cmocka_unit_test(reads_between_writes_count_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
