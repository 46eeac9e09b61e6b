/* How far are the closed hit rates of replacement policies from caches that run them?  Streams of
 * several kinds through the functional cache, every policy, hashed and modulo indexing; the errors
 * are printed and bounded. */
#include "estimator/cache/replacement_model.h"
#include "base/memory/rng.h"
#include "gpu/cache/cache.h"
#include "tests/support/check.h"

#include <math.h>

enum { ACCESSES = 120000, LINES = 512 };

/* --- streams of line numbers --- */

enum stream { ZIPF, UNIFORM, LOOP_SHORT, LOOP_LONG, HOT_AND_SCAN, PHASES, STENCIL, SMALL, STREAMS };
static const char *const stream_names[STREAMS] = {"zipf", "uniform", "loop 0.8", "loop 1.3",
                                                  "scan", "phases",  "stencil",  "small"};

static uint64_t zipf(struct rng *r)
{
    double u = rng_unit(r); /* density 1 / x over 1 .. 8192 */
    return (uint64_t)exp(u * log(8192));
}

static uint64_t line_of(enum stream s, uint64_t i, struct rng *r)
{
    switch (s) {
    case ZIPF: return zipf(r) * 7919 % 65536;
    case UNIFORM: return rng_below(r, 2 * LINES);
    case LOOP_SHORT: return i % (LINES * 8 / 10);
    case LOOP_LONG: return i % (LINES * 13 / 10);
    case HOT_AND_SCAN: return rng_below(r, 2) ? rng_below(r, LINES / 3) : 100000 + i;
    case PHASES: return i / 5000 * 300 + rng_below(r, 900);
    case STENCIL: return (i / 3) + (i % 3) * 200; /* each line three times, 600 accesses apart */
    case SMALL: return rng_below(r, LINES / 2);
    case STREAMS: break;
    }
    return 0;
}

struct shape {
    uint32_t sets, ways;
    enum index_kind index;
};
static const struct shape shapes[] = {
    {1, LINES, INDEX_MODULO}, {32, 16, INDEX_IPOLY}, {128, 4, INDEX_IPOLY}, {32, 16, INDEX_MODULO}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double measured(enum stream s, const struct shape *g, enum repl_kind kind)
{
    struct cache c;
    const struct cache_params p = {.sets = g->sets,
                                   .ways = g->ways,
                                   .line_bytes = 64,
                                   .sector_bytes = 64,
                                   .repl = kind,
                                   .repl_seed = 3,
                                   .index = g->index,
                                   .write_miss = WRITE_MISS_VALIDATE};
    struct rng r;
    double hits = 0;
    rng_seed(&r, 8, s);
    assert_true(cache_init(&c, &p, 1, 0, false));
    for (uint64_t i = 0; i < ACCESSES; i++) {
        uint64_t line = line_of(s, i, &r);
        if (g->index != INDEX_MODULO) line = rng_splitmix64(line) >> 8; /* the law: any set alike */
        struct access a = {.addr = line * 64, .kind = ACCESS_READ};
        struct victim v;
        hits += cache_touch(&c, &a, &v);
    }
    cache_fini(&c);
    return hits / ACCESSES;
}

static const struct reuse_org orgs[] = {{32, 64}};

static void collect(enum stream s, struct curve *out)
{
    struct reuse reuse;
    static struct hit_tally t;
    struct rng r;
    const struct reuse_params p = {.lines = 1 << 17, .n_orgs = 1, .org = {orgs[0]}};
    memset(&t, 0, sizeof t);
    rng_seed(&r, 8, s);
    assert_true(reuse_init(&reuse, &p, NULL, NULL));
    for (uint64_t i = 0; i < ACCESSES; i++) {
        struct reuse_distance d;
        assert_true(reuse_touch(&reuse, line_of(s, i, &r), &d));
        hit_tally_add(&t, d.fresh ? REUSE_FAR : d.global, d.in_set, 1);
    }
    hit_tally_curve(&t, out);
    reuse_fini(&reuse);
}

static double estimated(const struct curve *c, const struct shape *g, enum repl_kind kind)
{
    struct geometry_view view = {.lines = (double)g->sets * g->ways,
                                 .sets = g->sets,
                                 .org = g->index == INDEX_MODULO ? 0 : ORG_NONE,
                                 .org_ways = orgs[0].ways};
    struct hit_law law;
    hit_law_init(&law, &view);
    hit_law_policy(&law, kind, c, view.lines);
    return curve_hits(c, &law) / (double)c->total;
}

/* Mean and worst absolute error of the hit rate that each policy's model is held to.  Conflicts of
 * a cycle that would fit, but for its sets, are the worst; srrip is taken as LRU, and so is drrip,
 * which keeps a part of a cycle that LRU loses. */
static const struct bound {
    const char *name;
    double mean, worst;
} bounds[REPL_N] = {
    [REPL_LRU] = {"lru", 0.01, 0.07},      [REPL_FIFO] = {"fifo", 0.02, 0.11},
    [REPL_PLRU] = {"plru", 0.01, 0.07},    [REPL_RANDOM] = {"random", 0.02, 0.16},
    [REPL_SRRIP] = {"srrip", 0.025, 0.07}, [REPL_DRRIP] = {"drrip", 0.08, 0.56},
};

static void closed_forms_are_near_the_caches(void **state)
{
    (void)state;
    static struct curve curve[STREAMS];
    for (int s = 0; s < STREAMS; s++)
        collect((enum stream)s, &curve[s]);
    bool within = true;
    for (int kind = 0; kind < REPL_N; kind++) {
        double sum = 0, worst = 0;
        for (int s = 0; s < STREAMS; s++)
            for (int g = 0; g < SHAPES; g++) {
                double is = measured((enum stream)s, &shapes[g], (enum repl_kind)kind);
                double got = estimated(&curve[s], &shapes[g], (enum repl_kind)kind);
                double off = fabs(got - is);
                print_message("%-7s %-9s %3ux%-3u %s  hit rate %.3f, model %.3f%s\n",
                              bounds[kind].name, stream_names[s], shapes[g].sets, shapes[g].ways,
                              shapes[g].index == INDEX_MODULO ? "modulo" : "hashed", is, got,
                              off > 0.05 ? "  <--" : "");
                sum += off;
                worst = off > worst ? off : worst;
            }
        print_message("%s: mean error %.4f, worst %.4f\n", bounds[kind].name,
                      sum / (STREAMS * SHAPES), worst);
        within =
            within && sum / (STREAMS * SHAPES) <= bounds[kind].mean && worst <= bounds[kind].worst;
    }
    assert_true(within);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_are_near_the_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
