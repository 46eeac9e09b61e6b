/* Does DRRIP do what Jaleel et al. 2010, section 4, say?  Against a slow cache written from the
 * paper, and by what it is for: some of a cycle larger than the cache stays, and nothing is lost
 * elsewhere. */
#include "base/memory/rng.h"
#include "gpu/cache/cache.h"
#include "tests/support/check.h"

#include <string.h>

enum { SETS = 256, WAYS = 4, LINES = SETS * WAYS };

/* The paper's cache: 32 sets for each policy, here one of each in every group of eight. */
struct paper {
    uint64_t tag[SETS][WAYS];
    int rrpv[SETS][WAYS]; /* -1: empty */
    int psel, throttle;
    int leads[SETS]; /* 1: SRRIP's, 2: BRRIP's */
};

static void paper_init(struct paper *p)
{
    memset(p, 0, sizeof *p);
    memset(p->rrpv, -1, sizeof p->rrpv);
    p->psel = 511;
    for (int group = 0; group < 32; group++) {
        p->leads[8 * group + group % 8] = 1;
        p->leads[8 * group + (group + 4) % 8] = 2;
    }
}

static int paper_victim(int rrpv[WAYS])
{
    for (int w = 0; w < WAYS; w++)
        if (rrpv[w] == -1) return w;
    for (;;) {
        for (int w = 0; w < WAYS; w++)
            if (rrpv[w] == 3) return w;
        for (int w = 0; w < WAYS; w++)
            rrpv[w]++;
    }
}

static bool paper_reads(struct paper *p, uint64_t line)
{
    int set = (int)(line % SETS);
    for (int w = 0; w < WAYS; w++)
        if (p->rrpv[set][w] >= 0 && p->tag[set][w] == line) {
            p->rrpv[set][w] = 0;
            return true;
        }
    if (p->leads[set] == 1 && p->psel < 1023) p->psel++;
    if (p->leads[set] == 2 && p->psel > 0) p->psel--;
    bool bimodal = p->leads[set] == 2 || (p->leads[set] == 0 && p->psel >= 512);
    int w = paper_victim(p->rrpv[set]);
    p->tag[set][w] = line;
    p->rrpv[set][w] = 2;
    if (bimodal && ++p->throttle % 32) p->rrpv[set][w] = 3;
    return false;
}

static struct cache cache_of(enum repl_kind kind)
{
    struct cache c;
    const struct cache_params p = {.sets = SETS,
                                   .ways = WAYS,
                                   .line_bytes = 64,
                                   .sector_bytes = 64,
                                   .repl = kind,
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

/* Phases of reuse, of a cycle too large, and of both mixed; the counter meets both ends. */
static uint64_t next_line(struct rng *g, int i)
{
    uint64_t cycle = (uint64_t)i % (2 * LINES), random = 100000 + rng_below(g, LINES * 3 / 2);
    switch (i / 40000 % 3) {
    case 0: return cycle;
    case 1: return random;
    default: return rng_below(g, 2) ? cycle : random;
    }
}

static void each_access_does_as_in_the_paper(void **state)
{
    (void)state;
    static struct paper p;
    struct cache c = cache_of(REPL_DRRIP);
    struct rng g;
    paper_init(&p);
    rng_seed(&g, 4, 0);
    int lowest = 1023, highest = 0;
    for (int i = 0; i < 360000; i++) {
        uint64_t line = next_line(&g, i);
        assert_int_equal(reads(&c, line), paper_reads(&p, line));
        lowest = p.psel < lowest ? p.psel : lowest;
        highest = p.psel > highest ? p.psel : highest;
    }
    assert_int_equal(highest, 1023);
    assert_true(lowest < 512);
    cache_fini(&c);
}

static double hit_rate(enum repl_kind kind, uint64_t lines, int accesses)
{
    struct cache c = cache_of(kind);
    int hits = 0;
    for (int i = 0; i < accesses; i++)
        hits += reads(&c, (uint64_t)i % lines) && i >= accesses / 2;
    cache_fini(&c);
    return 2.0 * hits / accesses;
}

/* Of twice its lines in a cycle a set keeps what stands nearer than the one way in which new lines
 * come and go: 3 of 8 hit, less one in 32 that is put in their place, and less the 32 sets that are
 * SRRIP's.  SRRIP and LRU keep nothing; of a cycle that fits, all three keep all. */
static void a_cycle_too_large_keeps_its_part(void **state)
{
    (void)state;
    assert_near(hit_rate(REPL_SRRIP, 2 * LINES, 80 * LINES), 0, 0);
    double most = 3.0 / 8 * (SETS - 32) / SETS, is = hit_rate(REPL_DRRIP, 2 * LINES, 80 * LINES);
    assert_true(is <= most);
    assert_true(is >= 0.7 * most);
    assert_near(hit_rate(REPL_DRRIP, LINES, 80 * LINES), 1, 0);
}

/* An interval begins with the policy that leads, and its lines' predictions. */
static void an_image_keeps_the_leading_policy(void **state)
{
    (void)state;
    static struct line_image image[LINES];
    for (int cycle = 0; cycle < 2; cycle++) {
        struct cache a = cache_of(REPL_DRRIP), b = cache_of(REPL_DRRIP);
        for (int i = 0; i < 20 * LINES; i++)
            reads(&a, (uint64_t)i % (cycle ? 2 * LINES : LINES));
        cache_load(&b, image, cache_save(&a, image));
        int hits = 0;
        for (int i = 0; i < 40 * LINES; i++)
            hits += reads(&b, (uint64_t)i % (2 * LINES)) && i < 8 * LINES;
        if (cycle) assert_true(hits > LINES);
        cache_fini(&a);
        cache_fini(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_access_does_as_in_the_paper),
        cmocka_unit_test(a_cycle_too_large_keeps_its_part),
        cmocka_unit_test(an_image_keeps_the_leading_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
