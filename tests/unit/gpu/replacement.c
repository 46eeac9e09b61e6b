/* Does every replacement policy do what its definition says?  Each against a slow obvious model of
 * its own, over random streams with lines that may not leave; then the sequences of the papers. */
#include "base/memory/rng.h"
#include "gpu/cache/cache.h"
#include "tests/support/check.h"

#include <math.h>

enum { WAYS = 8, SETS = 4, STEPS = 40000 };

/* One set as a reader of the definitions would write it. */
struct slow {
    uint64_t tag[WAYS];
    bool valid[WAYS];
    uint64_t used[WAYS], filled[WAYS]; /* times */
    bool left_older[WAYS];             /* plru: [node], root 1 */
    int rrpv[WAYS];
    uint64_t now;
};

static int invalid_way(const struct slow *s, const bool *held)
{
    for (int w = 0; w < WAYS; w++)
        if (!s->valid[w] && !held[w]) return w;
    return -1;
}

static int oldest(const struct slow *s, const uint64_t *time, const bool *held)
{
    int best = -1;
    for (int w = 0; w < WAYS; w++)
        if (s->valid[w] && !held[w] && (best < 0 || time[w] < time[best])) best = w;
    return best;
}

static void plru_use(struct slow *s, int way)
{
    int node = 1, low = 0, span = WAYS;
    while (span > 1) {
        bool right = way >= low + span / 2;
        s->left_older[node] = right;
        node = 2 * node + right;
        span /= 2;
        low += right ? span : 0;
    }
}

static int plru_lead(const struct slow *s)
{
    int node = 1;
    while (node < WAYS)
        node = 2 * node + !s->left_older[node];
    return node - WAYS;
}

/* Replaces victim after victim in a copy until one may leave. */
static int plru_victim(const struct slow *s, const bool *held)
{
    struct slow copy = *s;
    for (int k = 0; k < WAYS; k++) {
        int w = plru_lead(&copy);
        if (s->valid[w] && !held[w]) return w;
        plru_use(&copy, w);
    }
    return -1;
}

/* Jaleel 2010, figure 3: search for 3 from the left, else age all.  Lines that may not leave stop
 * at 3. */
static int srrip_victim(struct slow *s, const bool *held)
{
    bool any = false;
    for (int w = 0; w < WAYS; w++)
        any = any || (s->valid[w] && !held[w]);
    while (any) {
        for (int w = 0; w < WAYS; w++)
            if (s->valid[w] && !held[w] && s->rrpv[w] == 3) return w;
        for (int w = 0; w < WAYS; w++)
            s->rrpv[w] += s->valid[w] && s->rrpv[w] < 3;
    }
    return -1;
}

static int slow_victim(struct slow *s, enum repl_kind kind, const bool *held)
{
    int w = invalid_way(s, held);
    if (w >= 0) return w;
    switch (kind) {
    case REPL_LRU: return oldest(s, s->used, held);
    case REPL_FIFO: return oldest(s, s->filled, held);
    case REPL_PLRU: return plru_victim(s, held);
    case REPL_SRRIP:
    case REPL_DRRIP: return srrip_victim(s, held);
    case REPL_RANDOM:
    case REPL_N: break;
    }
    return -1;
}

static void slow_use(struct slow *s, int way, bool fill)
{
    s->used[way] = ++s->now;
    if (fill) s->filled[way] = s->now;
    s->valid[way] = true;
    s->rrpv[way] = fill ? 2 : 0;
    plru_use(s, way);
}

static struct repl policy(enum repl_kind kind, uint32_t sets, uint32_t ways)
{
    struct repl r = {.ops = repl_table[kind], .sets = sets, .ways = ways, .seed = 11};
    assert_true(r.ops->init(&r));
    return r;
}

static uint32_t best(const struct repl *r, uint32_t set, const bool *held)
{
    uint32_t w = r->ops->first(r, set);
    while (w != WAY_NONE && held[w])
        w = r->ops->next(r, set, w);
    return w;
}

/* Jaleel 2010, 4: of four sets the first is SRRIP's and the third BRRIP's; the others do as the one
 * with fewer misses. */
static struct {
    int misses; /* of the first, less those of the third, from -512 to 511; begins at -1 */
    int bimodal;
} duel;

static int duelled(uint32_t set)
{
    if (set == 0 && duel.misses < 511) duel.misses++;
    if (set == 2 && duel.misses > -512) duel.misses--;
    if (set == 0 || (set != 2 && duel.misses < 0)) return 2;
    return ++duel.bimodal % 32 ? 3 : 2;
}

/* The tag's way, or a victim; held lines are those whose fill is in flight. */
static void step(struct repl *r, struct slow *s, enum repl_kind kind, uint32_t set, struct rng *g)
{
    bool held[WAYS] = {0};
    uint64_t tag = rng_below(g, 2 * WAYS);
    int at = -1;
    for (int w = 0; w < WAYS; w++) {
        held[w] = s->valid[w] && rng_below(g, 4) == 0;
        if (s->valid[w] && s->tag[w] == tag) at = w;
    }
    if (at >= 0 && rng_below(g, 12) == 0) {
        s->valid[at] = false;
        r->ops->retire(r, set, (uint32_t)at);
        return;
    }
    if (at >= 0) {
        slow_use(s, at, false);
        r->ops->touch(r, set, (uint32_t)at);
        return;
    }
    uint32_t got = best(r, set, held);
    bool was_free = invalid_way(s, held) >= 0;
    int want = slow_victim(s, kind, held);
    if (got == WAY_NONE) {
        for (int w = 0; w < WAYS; w++)
            assert_true(held[w]);
        return;
    }
    assert_false(held[got]);
    if (was_free)
        assert_false(s->valid[got]); /* which of them is the policy's affair */
    else if (kind != REPL_RANDOM)
        assert_int_equal(got, want);
    if (rng_below(g, 3) == 0) r->ops->claim(r, set, got);
    s->tag[got] = tag;
    slow_use(s, (int)got, true);
    if (kind == REPL_DRRIP) s->rrpv[got] = duelled(set);
    r->ops->insert(r, set, got);
}

static void policies_choose_as_their_definitions_say(void **state)
{
    (void)state;
    for (int kind = 0; kind < REPL_N; kind++) {
        static struct slow slow[SETS];
        struct repl r = policy((enum repl_kind)kind, SETS, WAYS);
        struct rng g;
        rng_seed(&g, 1, (uint64_t)kind);
        for (int round = 0; round < 2; round++) { /* again after a clear */
            memset(slow, 0, sizeof slow);
            duel.misses = -1;
            duel.bimodal = 0;
            for (int i = 0; i < STEPS; i++) {
                uint32_t set = (uint32_t)rng_below(&g, SETS);
                step(&r, &slow[set], (enum repl_kind)kind, set, &g);
            }
            r.ops->clear(&r);
        }
        r.ops->fini(&r);
    }
}

static void every_way_is_offered_once_and_invalid_ones_first(void **state)
{
    (void)state;
    for (int kind = 0; kind < REPL_N; kind++) {
        static const uint32_t sizes[] = {1, 2, 7, 8, 32};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            uint32_t ways = sizes[k], valid = 0, all = (uint32_t)((UINT64_C(1) << ways) - 1);
            if (kind == REPL_PLRU && (ways & (ways - 1))) continue;
            struct repl r = policy((enum repl_kind)kind, 3, ways);
            struct rng g;
            rng_seed(&g, 2, (uint64_t)kind);
            for (int i = 0; i < 1500; i++) {
                uint32_t way = (uint32_t)rng_below(&g, ways), seen = 0;
                if (valid >> way & 1 && rng_below(&g, 4))
                    r.ops->touch(&r, 1, way);
                else if (valid >> way & 1)
                    r.ops->retire(&r, 1, way), valid &= ~(1u << way);
                else
                    r.ops->insert(&r, 1, way), valid |= 1u << way;
                for (uint32_t w = r.ops->first(&r, 1); w != WAY_NONE; w = r.ops->next(&r, 1, w)) {
                    assert_false(seen >> w & 1);
                    seen |= 1u << w;
                    if (!(valid >> w & 1)) assert_int_equal(seen & valid, 0);
                }
                assert_int_equal(seen, all);
            }
            r.ops->fini(&r);
        }
    }
}

/* A cache of one set, through the same door as the cycle model. */
static struct cache one_set(enum repl_kind kind, uint32_t ways)
{
    struct cache c;
    const struct cache_params p = {.sets = 1,
                                   .ways = ways,
                                   .line_bytes = 64,
                                   .sector_bytes = 64,
                                   .repl = kind,
                                   .repl_seed = 5,
                                   .write = WRITE_BACK,
                                   .write_miss = WRITE_MISS_VALIDATE};
    assert_true(cache_init(&c, &p, 1, 0, false));
    return c;
}

static bool reads(struct cache *c, uint64_t line)
{
    struct access a = {.addr = line * 64, .kind = ACCESS_READ};
    struct victim v;
    return cache_touch(c, &a, &v);
}

static void expect_hits(enum repl_kind kind, uint32_t ways, const char *lines, const char *hits)
{
    struct cache c = one_set(kind, ways);
    for (int i = 0; lines[i]; i++)
        if (reads(&c, (uint64_t)lines[i]) != (hits[i] == 'h')) fail_msg("%d: access %d", kind, i);
    cache_fini(&c);
}

static void known_sequences(void **state)
{
    (void)state;
    /* 1 2 3 4 1 2 5 1 2 3 4 5, Belady's anomaly: FIFO misses 9 times with 3 lines, 10 with 4 */
    expect_hits(REPL_FIFO, 3, "123412512345", "mmmmmmmhhmmh");
    expect_hits(REPL_FIFO, 4, "123412512345", "mmmmhhmmmmmm");
    expect_hits(REPL_LRU, 3, "123412512345", "mmmmmmmhhmmm");
    expect_hits(REPL_LRU, 4, "123412512345", "mmmmhhmhhmmm");
    /* the tree is not LRU.  Filled along its bits, a and c share a node, b and d the other: after
     * a b c d c the root leads to b and d, and to b in there, though a is older */
    expect_hits(REPL_PLRU, 4, "abcdceab", "mmmmhmhm");
    expect_hits(REPL_LRU, 4, "abcdceab", "mmmmhmmm");
    /* Jaleel 2010, figure 2 (2-bit SRRIP-HP, 4 ways): a1 a2 a2 a1, a scan of four, a1 a2 */
    expect_hits(REPL_SRRIP, 4, "abbawxyzab", "mmhhmmmmhh");
    expect_hits(REPL_LRU, 4, "abbawxyzab", "mmhhmmmmmm");
}

/* Random: a cycle of N lines through one set of W ways.  A line survives k replacements with the
 * chance (1 - 1/W)^k, and N * miss replacements lie between two uses: m = 1 - (1 - 1/W)^((N-1) m).
 */
static void random_meets_the_fixed_point_of_a_cycle(void **state)
{
    (void)state;
    enum { W = 64, N = 96, ROUNDS = 4000 };
    struct cache c = one_set(REPL_RANDOM, W);
    double m = 0.5, missed = 0;
    for (int i = 0; i < 200; i++)
        m = 1 - pow(1 - 1.0 / W, (N - 1) * m);
    for (int i = 0; i < (ROUNDS + 100) * N; i++)
        if (!reads(&c, (uint64_t)(i % N)) && i >= 100 * N) missed++;
    assert_near(missed / (ROUNDS * N), m, 0.01);
    cache_fini(&c);
}

/* Victims are even over the ways (chi square, 7 degrees of freedom, beyond 0.1 %: 24.3), also where
 * half of them may not leave. */
static void random_victims_are_even(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct repl r = policy(REPL_RANDOM, 1, WAYS);
        double n[WAYS] = {0}, sum = 0, share = 0;
        bool held[WAYS] = {0};
        struct rng g;
        rng_seed(&g, 4, 0);
        for (uint32_t w = 0; w < WAYS; w++)
            r.ops->insert(&r, 0, w);
        for (int i = 0; i < 80000; i++) {
            if (half && i % 16 == 0)
                for (int w = 0; w < WAYS; w++)
                    held[w] = rng_below(&g, 2);
            uint32_t w = best(&r, 0, held);
            if (w == WAY_NONE) continue;
            n[w]++;
            share += 1.0 / WAYS;
            r.ops->insert(&r, 0, w);
        }
        for (int w = 0; w < WAYS; w++)
            sum += (n[w] - share) * (n[w] - share) / share;
        assert_true(sum < (half ? 24.3 * 8 : 24.3)); /* `held` stays for 16 draws */
        r.ops->fini(&r);
    }
}

static void draws_follow_the_seed_alone(void **state)
{
    (void)state;
    struct cache a = one_set(REPL_RANDOM, 8), b = one_set(REPL_RANDOM, 8), c;
    struct cache_params other = a.p;
    struct rng g;
    int differ = 0;
    other.repl_seed = 6;
    assert_true(cache_init(&c, &other, 1, 0, false));
    rng_seed(&g, 9, 0);
    for (int i = 0; i < 2000; i++) {
        uint64_t line = rng_below(&g, 12);
        bool hit = reads(&a, line);
        assert_int_equal(reads(&b, line), hit);
        differ += reads(&c, line) != hit;
    }
    assert_true(differ > 100);
    cache_fini(&a);
    cache_fini(&b);
    cache_fini(&c);
}

/* A warm state keeps the content under every policy, and the choice of victims under all but the
 * drawn ones. */
static void images_restore_what_a_policy_knows(void **state)
{
    (void)state;
    for (int kind = 0; kind < REPL_N; kind++) {
        static struct line_image image[16];
        struct cache a = one_set((enum repl_kind)kind, 16), b = one_set((enum repl_kind)kind, 16);
        struct rng g;
        rng_seed(&g, 3, (uint64_t)kind);
        for (int i = 0; i < 500; i++)
            reads(&a, rng_below(&g, 24));
        uint32_t n = cache_save(&a, image);
        assert_int_equal(n, 16);
        cache_load(&b, image, n);
        assert_true(cache_check(&b));
        for (uint64_t line = 0; line < 24; line++)
            assert_int_equal(cache_find(&a, line) == LINE_NONE, cache_find(&b, line) == LINE_NONE);
        for (int i = 0; kind != REPL_RANDOM && i < 500; i++) {
            uint64_t line = rng_below(&g, 24);
            assert_int_equal(reads(&a, line), reads(&b, line));
        }
        cache_fini(&a);
        cache_fini(&b);
    }
}

/* Sets of as many ways as a fully associative TLB may have: after all were filled, every third one
 * was used and every hundredth emptied, the victims are, in order, the empty ones, last emptied
 * first, then the others by their last use; first in first out knows no use. */
static bool is_emptied(uint32_t way)
{
    return way % 100 == 7;
}

static bool is_used(enum repl_kind kind, uint32_t way)
{
    return kind == REPL_LRU && way % 3 == 0 && !is_emptied(way);
}

static uint32_t next_victim(const struct repl *r, uint32_t *at)
{
    uint32_t was = *at;
    *at = r->ops->next(r, 0, was);
    return was;
}

static void large_sets_keep_their_order(void **state)
{
    static const uint32_t sizes[] = {65534, 65535, 65536, 65537, 98304, 1048576};
    static const enum repl_kind kinds[] = {REPL_LRU, REPL_FIFO};
    (void)state;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint32_t n = sizes[i];
            struct repl r = policy(kinds[k], 1, n);
            for (uint32_t w = 0; w < n; w++)
                r.ops->insert(&r, 0, n - 1 - w);
            for (uint32_t w = 0; w < n; w++)
                if (is_used(kinds[k], w)) r.ops->touch(&r, 0, w);
            for (uint32_t w = 0; w < n; w++)
                if (is_emptied(w)) r.ops->retire(&r, 0, w);
            uint32_t at = r.ops->first(&r, 0);
            for (uint32_t w = n; w-- > 0;)
                if (is_emptied(w)) assert_int_equal(next_victim(&r, &at), w);
            for (uint32_t w = n; w-- > 0;)
                if (!is_emptied(w) && !is_used(kinds[k], w))
                    assert_int_equal(next_victim(&r, &at), w);
            for (uint32_t w = 0; w < n; w++)
                if (is_used(kinds[k], w)) assert_int_equal(next_victim(&r, &at), w);
            assert_int_equal(at, WAY_NONE);
            r.ops->fini(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_choose_as_their_definitions_say),
        cmocka_unit_test(every_way_is_offered_once_and_invalid_ones_first),
        cmocka_unit_test(known_sequences),
        cmocka_unit_test(random_meets_the_fixed_point_of_a_cycle),
        cmocka_unit_test(random_victims_are_even),
        cmocka_unit_test(draws_follow_the_seed_alone),
        cmocka_unit_test(images_restore_what_a_policy_knows),
        cmocka_unit_test(large_sets_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
