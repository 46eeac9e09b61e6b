/* cache.c - tags, sectors, masks, replacement and MSHRs against slow obvious references.
 */
#include "base/memory/rng.h"
#include "gpu/cache/cache_block.h"
#include "tests/support/check.h"

enum { SETS = 8, WAYS = 4, LINE = 128, SECTOR = 32 };

static struct cache_params params(void)
{
    return (struct cache_params){.sets = SETS,
                                 .ways = WAYS,
                                 .line_bytes = LINE,
                                 .sector_bytes = SECTOR,
                                 .repl = REPL_LRU,
                                 .index = INDEX_MODULO,
                                 .alloc = ALLOC_ON_MISS,
                                 .write = WRITE_BACK,
                                 .write_miss = WRITE_MISS_LAZY_FETCH,
                                 .mshr = {4, 2}};
}

/* The slow reference: per set a list of lines, most recent first, with byte states. */
struct slow_line {
    uint64_t tag;
    uint8_t written[LINE], fetched[LINE / SECTOR];
    bool used;
};
static struct slow_line slow[SETS][WAYS];

static bool slow_readable(const struct slow_line *l, uint32_t sector)
{
    bool all = true;
    for (int b = 0; b < SECTOR; b++)
        all = all && l->written[sector * SECTOR + (uint32_t)b];
    return all || l->fetched[sector];
}

/* Returns whether the access hits under lazy fetch on read; *dirty_out = a written line left. */
static bool slow_access(uint64_t addr, bool write, uint32_t from, uint32_t bytes, bool *dirty_out)
{
    uint64_t tag = addr / LINE;
    struct slow_line *set = slow[tag % SETS];
    int at = 0;
    *dirty_out = false;
    while (at < WAYS && !(set[at].used && set[at].tag == tag))
        at++;
    bool present = at < WAYS;
    struct slow_line l = {.tag = tag, .used = true};
    if (present) {
        l = set[at];
    } else {
        at = WAYS - 1;
        for (int b = 0; set[at].used && b < LINE; b++)
            *dirty_out |= set[at].written[b];
    }
    memmove(set + 1, set, (size_t)at * sizeof *set);
    uint32_t sector = (uint32_t)(addr % LINE / SECTOR);
    bool hit = present && slow_readable(&l, sector);
    if (write)
        for (uint32_t b = from; b < from + bytes; b++)
            l.written[sector * SECTOR + b] = 1;
    else
        l.fetched[sector] = 1;
    set[0] = l;
    return hit;
}

static void functional_accesses_equal_the_slow_reference(void **state)
{
    (void)state;
    struct cache c;
    struct cache_params p = params();
    struct rng r;
    rng_seed(&r, 7, 0);
    memset(slow, 0, sizeof slow);
    assert_true(cache_init(&c, &p, 1, 0, false));
    for (int i = 0; i < 200000; i++) {
        uint64_t addr = rng_below(&r, 3 * SETS * WAYS * LINE / SECTOR / 2) * SECTOR;
        bool write = rng_below(&r, 3) == 0, dirty;
        uint32_t from = (uint32_t)rng_below(&r, 4) * 8,
                 bytes = rng_below(&r, 4) ? 8 : SECTOR - from;
        struct access a = {.addr = addr, .kind = write ? ACCESS_WRITE : ACCESS_READ};
        a.mask[0] = write ? ((UINT64_C(1) << bytes) - 1) << from : 0;
        struct victim v;
        bool want = slow_access(addr, write, from, bytes, &dirty);
        uint32_t line = cache_find(&c, cache_tag(&c, addr));
        uint8_t bit = (uint8_t)(1u << cache_sector(&c, addr));
        bool readable = line != LINE_NONE && (c.line[line].valid & bit);
        cache_touch(&c, &a, &v);
        assert_int_equal(readable, want);
        assert_int_equal(v.dirty != 0, dirty);
        if (i % 1000 == 0) assert_true(cache_check(&c));
    }
    cache_fini(&c);
}

/* Sets that lack a way keep as many lines as they have ways, under every policy; a set's last lines
 * are the youngest ones where the policy goes by age. */
static void short_sets_have_one_line_less(void **state)
{
    (void)state;
    static const enum repl_kind kinds[] = {REPL_LRU, REPL_FIFO, REPL_RANDOM, REPL_SRRIP,
                                           REPL_DRRIP};
    enum { SHORT = 2, N = 4 };
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct cache c;
        struct cache_params p = params();
        struct rng r;
        rng_seed(&r, k, 0);
        p.repl = kinds[k];
        p.short_sets = SHORT;
        assert_true(cache_init(&c, &p, 1, 0, false));
        for (uint32_t i = 0; i < 4000; i++) {
            struct access a = {.addr = rng_below(&r, N * SETS * WAYS) * LINE};
            struct victim v;
            cache_touch(&c, &a, &v);
            if (i % 100 == 0) assert_true(cache_check(&c));
        }
        uint32_t kept[SETS] = {0};
        for (uint32_t i = 0; i < c.n_lines; i++)
            kept[i / WAYS] += c.line[i].resident;
        for (uint32_t set = 0; set < SETS; set++)
            assert_int_equal(kept[set], set < SETS - SHORT ? WAYS : WAYS - 1);
        if (kinds[k] == REPL_LRU)
            for (uint32_t i = 0; i < 2 * SETS * WAYS; i++) {
                struct access a = {.addr = i * (uint64_t)LINE};
                struct victim v;
                cache_touch(&c, &a, &v);
            }
        for (uint32_t i = SETS * WAYS; kinds[k] == REPL_LRU && i < 2 * SETS * WAYS; i++) {
            uint32_t set = i % SETS, age = (2 * SETS * WAYS - 1 - i) / SETS;
            uint32_t ways = set < SETS - SHORT ? WAYS : WAYS - 1;
            assert_int_equal(cache_find(&c, i) != LINE_NONE, age < ways);
        }
        cache_fini(&c);
    }
}

static enum verdict plan_of(const struct cache *c, uint64_t addr, enum access_kind kind,
                            uint64_t mask)
{
    struct access a = {.addr = addr, .kind = kind, .mask = {mask, 0}};
    return cache_plan(c, &a).verdict;
}

static uint32_t apply(struct cache *c, uint64_t addr, enum access_kind kind, uint64_t mask)
{
    struct access a = {.addr = addr, .kind = kind, .mask = {mask, 0}};
    struct access_plan p = cache_plan(c, &a);
    struct victim v;
    return cache_apply(c, &p, &a, &v);
}

static void finish(struct cache *c, uint32_t entry)
{
    struct victim v;
    uint32_t w;
    cache_fill(c, entry, &v);
    while (mshr_next_waiter(&c->mshr, entry, &w)) {
    }
    mshr_release(&c->mshr, entry);
}

/* Khairy figure 5: write C[i], write C[i+1], read C[i], read C[i], read C[i+1] (4-byte elements).
 */
static void the_store_load_sequence_of_figure_5(void **state)
{
    (void)state;
    const struct {
        enum write_miss_kind kind;
        enum verdict verdict[5];
    } want[] = {
        /* miss, hit (same sector, bytes added), miss (the read fetches), hit, hit */
        {WRITE_MISS_LAZY_FETCH, {CACHE_ALLOCATE, CACHE_ALLOCATE, CACHE_MISS, CACHE_HIT, CACHE_HIT}},
        /* a sector with any byte written reads as if whole */
        {WRITE_MISS_VALIDATE, {CACHE_ALLOCATE, CACHE_ALLOCATE, CACHE_HIT, CACHE_HIT, CACHE_HIT}},
        /* the first write fetches; everything after it hits */
        {WRITE_MISS_FETCH, {CACHE_MISS, CACHE_HIT, CACHE_HIT, CACHE_HIT, CACHE_HIT}},
    };
    const enum access_kind kind[5] = {ACCESS_WRITE, ACCESS_WRITE, ACCESS_READ, ACCESS_READ,
                                      ACCESS_READ};
    const uint64_t mask[5] = {0xf, 0xf0, 0, 0, 0};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct cache c;
        struct cache_params p = params();
        p.write_miss = want[i].kind;
        assert_true(cache_init(&c, &p, 1, 0, false));
        for (int k = 0; k < 5; k++) {
            assert_int_equal(plan_of(&c, 4096, kind[k], mask[k]), want[i].verdict[k]);
            uint32_t entry = apply(&c, 4096, kind[k], mask[k]);
            if (entry != MSHR_NONE) finish(&c, entry);
        }
        cache_fini(&c);
    }
}

/* A store only counts as a hit where an earlier one began the sector. */
static void writes_to_begun_sectors_are_marked(void **state)
{
    (void)state;
    struct cache c;
    struct cache_params p = params();
    struct access a = {.addr = 64, .kind = ACCESS_WRITE, .mask = {1, 0}};
    assert_true(cache_init(&c, &p, 1, 0, false));
    assert_false(cache_plan(&c, &a).written);
    apply(&c, 64, ACCESS_WRITE, 1);
    assert_true(cache_plan(&c, &a).written);
    a.addr = 96;
    assert_false(cache_plan(&c, &a).written);
    cache_fini(&c);
}

static void stalls_come_from_mshrs_merges_and_lines(void **state)
{
    (void)state;
    struct cache c;
    struct cache_params p = params();
    assert_true(cache_init(&c, &p, 1, 0, false));
    uint32_t entry[4];
    for (uint64_t k = 0; k < 4; k++) { /* one set: lines SETS apart */
        assert_int_equal(plan_of(&c, k * SETS * LINE, ACCESS_READ, 0), CACHE_MISS);
        entry[k] = apply(&c, k * SETS * LINE, ACCESS_READ, 0);
        mshr_wait(&c.mshr, entry[k], 0);
    }
    assert_int_equal(plan_of(&c, 4 * SETS * LINE, ACCESS_READ, 0), CACHE_STALL_MSHR);
    assert_int_equal(plan_of(&c, 0, ACCESS_READ, 0), CACHE_MERGE);
    mshr_wait(&c.mshr, entry[0], 1);
    assert_int_equal(plan_of(&c, 0, ACCESS_READ, 0), CACHE_STALL_MERGE);
    c.mshr.p.entries = 5; /* an entry to be had, but every line of the set is reserved */
    assert_int_equal(plan_of(&c, 4 * SETS * LINE, ACCESS_READ, 0), CACHE_STALL_LINE);
    assert_int_equal(plan_of(&c, LINE, ACCESS_READ, 0), CACHE_MISS);
    c.p.alloc = ALLOC_ON_FILL;
    c.reserves = false;
    assert_int_equal(plan_of(&c, 4 * SETS * LINE, ACCESS_READ, 0), CACHE_MISS);
    assert_true(cache_check(&c));
    cache_fini(&c);
}

static void a_store_that_goes_by_kills_the_fill_it_overtakes(void **state)
{
    (void)state;
    struct cache c;
    struct cache_params p = params();
    p.write = WRITE_THROUGH;
    p.write_miss = WRITE_MISS_NO_ALLOCATE;
    assert_true(cache_init(&c, &p, 1, 0, false));
    uint32_t entry = apply(&c, 0, ACCESS_READ, 0);
    mshr_wait(&c.mshr, entry, 0);
    assert_int_equal(plan_of(&c, 0, ACCESS_WRITE, 1), CACHE_PASS);
    apply(&c, 0, ACCESS_WRITE, 1);
    assert_int_equal(plan_of(&c, 0, ACCESS_READ, 0), CACHE_STALL_MERGE);
    finish(&c, entry);
    assert_int_equal(plan_of(&c, 0, ACCESS_READ, 0), CACHE_MISS);
    assert_true(cache_check(&c));
    cache_fini(&c);
}

static void images_restore_content_and_order(void **state)
{
    (void)state;
    struct cache a, b;
    struct cache_params p = params();
    struct rng r;
    struct victim va, vb;
    static struct line_image image[SETS * WAYS];
    rng_seed(&r, 3, 1);
    assert_true(cache_init(&a, &p, 1, 0, false) && cache_init(&b, &p, 1, 0, false));
    for (int i = 0; i < 5000; i++) {
        struct access x = {.addr = rng_below(&r, 4096) * SECTOR,
                           .kind = rng_below(&r, 2) ? ACCESS_WRITE : ACCESS_READ,
                           .mask = {0xff, 0}};
        cache_touch(&a, &x, &va);
    }
    cache_load(&b, image, cache_save(&a, image));
    assert_true(cache_check(&b));
    for (int i = 0; i < 5000; i++) {
        struct access x = {.addr = rng_below(&r, 4096) * SECTOR,
                           .kind = rng_below(&r, 2) ? ACCESS_WRITE : ACCESS_READ,
                           .mask = {0xff00, 0}};
        assert_int_equal(cache_touch(&a, &x, &va), cache_touch(&b, &x, &vb));
        assert_int_equal(va.dirty, vb.dirty);
    }
    cache_fini(&a);
    cache_fini(&b);
}

/* The same accesses and fills, in any order, with MSHR entries hashed and chained at their lines.
 */
static void chained_fills_are_found_as_hashed_ones_are(void **state)
{
    (void)state;
    struct cache_params p = params();
    p.mshr = (struct mshr_params){24, 3};
    struct cache hashed, chained;
    struct rng r;
    uint32_t flight[24], n = 0, seen[CACHE_STALL_LINE + 1] = {0};
    rng_seed(&r, 11, 1);
    assert_true(cache_init(&hashed, &p, 1, 0, false) && cache_init(&chained, &p, 1, 0, false));
    cache_chain_fills(&chained);
    assert_true(chained.chained && !hashed.chained);
    for (uint32_t i = 0; i < 200000; i++) {
        if (n && rng_below(&r, 100) < 40) {
            uint32_t k = (uint32_t)rng_below(&r, n);
            finish(&hashed, flight[k]);
            finish(&chained, flight[k]);
            flight[k] = flight[--n];
        } else {
            uint64_t addr = rng_below(&r, 3 * SETS * WAYS) * LINE / 2 + rng_below(&r, 2) * SECTOR;
            enum access_kind kind = rng_below(&r, 4) ? ACCESS_READ : ACCESS_WRITE;
            enum verdict v = plan_of(&hashed, addr, kind, 0xf);
            assert_int_equal(plan_of(&chained, addr, kind, 0xf), v);
            seen[v]++;
            if (v >= CACHE_STALL_MSHR) continue;
            uint32_t known = cache_fill_of(&hashed, cache_find(&hashed, cache_tag(&hashed, addr)),
                                           cache_key(&hashed, addr));
            uint32_t entry = apply(&hashed, addr, kind, 0xf);
            assert_int_equal(apply(&chained, addr, kind, 0xf), entry);
            if (v == CACHE_MISS) flight[n++] = known = entry;
            if (v == CACHE_MISS || v == CACHE_MERGE)
                assert_true(mshr_wait(&hashed.mshr, known, i) &&
                            mshr_wait(&chained.mshr, known, i));
        }
        if (i % 100 == 0) assert_true(cache_check(&hashed) && cache_check(&chained));
    }
    for (int v = CACHE_HIT; v <= CACHE_STALL_LINE; v++)
        assert_true(seen[v] > 0 || v == CACHE_PASS);
    cache_fini(&hashed);
    cache_fini(&chained);
}

/* A table of tags: what is there and what is on its way, counted the slow way.  A new line is
 * refused only when the table is full and its set has nothing to give. */
static void tags_bound_lines_there_and_on_their_way(void **state)
{
    (void)state;
    enum { TAGS = 40, FLIGHTS = 4096 };
    struct cache_params p = params();
    p.alloc = ALLOC_ON_FILL;
    p.mshr = (struct mshr_params){0, 0};
    p.tags = TAGS;
    struct cache c;
    struct rng r;
    uint32_t flight[FLIGHTS], n = 0, refused = 0, gave = 0;
    rng_seed(&r, 9, 1);
    assert_true(cache_init(&c, &p, 1, 0, false));
    for (uint32_t i = 0; i < 200000; i++) {
        struct victim v;
        if (n && rng_below(&r, 100) < 45) { /* the data of one of them come, in any order */
            uint32_t k = (uint32_t)rng_below(&r, n), entry = flight[k], waiter;
            flight[k] = flight[--n];
            cache_fill(&c, entry, &v);
            while (mshr_next_waiter(&c.mshr, entry, &waiter))
                ;
            mshr_release(&c.mshr, entry);
        } else {
            struct access a = {.addr = rng_below(&r, 4 * SETS * WAYS) * LINE +
                                       rng_below(&r, LINE / SECTOR) * SECTOR};
            a.kind = rng_below(&r, 8) ? ACCESS_READ : ACCESS_WRITE;
            a.mask[0] = 0xf;
            uint64_t tag = cache_tag(&c, a.addr), of_set = 0, seen[FLIGHTS];
            uint32_t known = 0, there = 0;
            for (uint32_t k = 0; k < n; k++) {
                uint64_t t = c.mshr.entry[flight[k]].key / (LINE / SECTOR);
                bool fresh = cache_find(&c, t) == LINE_NONE;
                for (uint32_t q = 0; q < known; q++)
                    fresh = fresh && seen[q] != t;
                if (fresh) seen[known++] = t;
            }
            for (uint32_t k = 0; k < c.n_lines; k++) {
                there += c.line[k].resident;
                of_set += k / WAYS == tag % SETS && c.line[k].resident && !c.line[k].pending;
            }
            assert_true(known + there <= TAGS);
            struct access_plan plan = cache_plan(&c, &a);
            bool new_line = plan.verdict == CACHE_MISS && !plan.present;
            for (uint32_t q = 0; q < known; q++)
                new_line = new_line && seen[q] != tag;
            if (new_line) assert_int_equal(plan.line != LINE_NONE, known + there == TAGS);
            if (plan.verdict == CACHE_STALL_LINE && a.kind == ACCESS_READ)
                assert_true(known + there == TAGS && of_set == 0);
            gave += new_line && plan.line != LINE_NONE;
            refused += plan.verdict == CACHE_STALL_LINE;
            if (plan.verdict >= CACHE_STALL_MSHR || n == FLIGHTS) continue;
            uint32_t entry = cache_apply(&c, &plan, &a, &v);
            if (entry != MSHR_NONE) flight[n++] = entry;
        }
        if (i % 64 == 0) assert_true(cache_check(&c));
    }
    assert_true(gave > 100 && refused > 100);
    cache_fini(&c);
}

/* What accesses have met, in sectors. */
struct met {
    uint32_t n[CACHE_STALL_LINE + 1];
};

/* Performs an access part by part; returns how many sectors of it were left at a stall. */
static uint32_t perform(struct cache *c, struct access a, uint32_t *flight, uint32_t *flights,
                        struct met *met)
{
    for (;;) {
        struct victim v;
        struct access_plan p = cache_plan(c, &a);
        uint32_t took = 1 + p.more, left = 1 + a.more;
        if (p.verdict >= CACHE_STALL_MSHR) return left;
        met->n[p.verdict] += took;
        uint32_t entry = cache_apply(c, &p, &a, &v);
        if (p.verdict == CACHE_MISS) flight[(*flights)++] = p.entry = entry;
        if (p.verdict == CACHE_MISS || p.verdict == CACHE_MERGE)
            assert_true(mshr_wait(&c->mshr, p.entry, 7));
        if (took == left) return 0;
        a.addr += took * SECTOR;
        a.more -= took;
        bytemask_part(a.mask, took * SECTOR, LINE, a.mask);
    }
}

/* One access to several sectors of a line, and as many to one sector each: the same verdicts and
 * the same lines, whenever fills come. Stores go through, like an L1's. */
static void several_sectors_are_as_one_after_the_other(void **state)
{
    (void)state;
    struct cache_params p = params();
    p.mshr = (struct mshr_params){64, 0};
    p.write = WRITE_THROUGH;
    struct cache whole, apart;
    struct rng r;
    struct met met_whole = {{0}}, met_apart = {{0}};
    uint32_t flight[64], fills = 0, apart_flight[64], apart_fills = 0;
    rng_seed(&r, 17, 1);
    assert_true(cache_init(&whole, &p, 1, 0, false) && cache_init(&apart, &p, 1, 0, false));
    cache_chain_fills(&whole);
    cache_chain_fills(&apart);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t first = (uint32_t)rng_below(&r, 4);
        struct access a = {.addr = rng_below(&r, SETS * WAYS * 2) * LINE + first * SECTOR,
                           .kind = rng_below(&r, 3) ? ACCESS_READ : ACCESS_WRITE,
                           .more = (uint32_t)rng_below(&r, 4 - first),
                           .mask = {rng_below(&r, 2) ? UINT64_MAX : 0xff00ff, UINT64_MAX}};
        bytemask_part(a.mask, 0, (1 + a.more) * SECTOR, a.mask);
        uint32_t left = perform(&whole, a, flight, &fills, &met_whole);
        for (uint32_t k = 0; k + left <= a.more; k++) {
            struct access one = {.addr = a.addr + k * SECTOR, .kind = a.kind};
            bytemask_part(a.mask, k * SECTOR, SECTOR, one.mask);
            assert_int_equal(perform(&apart, one, apart_flight, &apart_fills, &met_apart), 0);
        }
        assert_int_equal(whole.mshr.used, apart.mshr.used);
        assert_memory_equal(&met_whole, &met_apart, sizeof met_whole);
        for (; fills && (whole.mshr.used > 48 || rng_below(&r, 2)); fills--) {
            for (const struct mshr_entry *e = &whole.mshr.entry[flight[fills - 1]];
                 apart_fills &&
                 mshr_covers(e, apart.mshr.entry[apart_flight[apart_fills - 1]].key);)
                finish(&apart, apart_flight[--apart_fills]);
            finish(&whole, flight[fills - 1]);
        }
        for (uint32_t k = 0; k < whole.n_lines; k++) {
            assert_int_equal(whole.line[k].valid, apart.line[k].valid);
            assert_int_equal(whole.line[k].partial, apart.line[k].partial);
            assert_int_equal(whole.line[k].pending, apart.line[k].pending);
        }
        if (i % 100 == 0) assert_true(cache_check(&whole) && cache_check(&apart));
    }
    assert_true(met_whole.n[CACHE_HIT] && met_whole.n[CACHE_MERGE] && met_whole.n[CACHE_ALLOCATE]);
    assert_true(whole.mshr.s.alloc == apart.mshr.s.alloc && met_whole.n[CACHE_MISS]);
    cache_fini(&whole);
    cache_fini(&apart);
}

static void mshr_files_serve_waiters_oldest_first(void **state)
{
    (void)state;
    struct mshr m;
    const struct mshr_params unbounded = {0, 0};
    assert_true(mshr_init(&m, &unbounded));
    uint32_t entry[300], w;
    for (uint32_t i = 0; i < 300; i++) {
        assert_true(mshr_has_room(&m));
        entry[i] = mshr_alloc(&m, 1000 + i);
        for (uint32_t k = 0; k < i % 9 + 1; k++)
            assert_true(mshr_wait(&m, entry[i], 10 * i + k));
        assert_true(mshr_check(&m));
    }
    for (uint32_t i = 0; i < 300; i++) {
        assert_int_equal(mshr_find(&m, 1000 + i), entry[i]);
        for (uint32_t k = 0; k < i % 9 + 1; k++) {
            assert_true(mshr_next_waiter(&m, entry[i], &w));
            assert_int_equal(w, 10 * i + k);
        }
        assert_false(mshr_next_waiter(&m, entry[i], &w));
        mshr_release(&m, entry[i]);
        assert_int_equal(mshr_find(&m, 1000 + i), MSHR_NONE);
    }
    assert_true(mshr_check(&m));
    assert_int_equal(m.s.alloc, 300);
    mshr_fini(&m);
}

/* Stores of eight bytes to a line, and to a copy of it outside the cache, leave the same state. */
static void a_block_outside_the_lines_keeps_stores_as_a_line_does(void **state)
{
    struct cache_params p = params();
    struct cache c;
    struct rng r;
    (void)state;
    p.line_bytes = p.sector_bytes = 64;
    assert_true(cache_init(&c, &p, 1, 0, false));
    rng_seed(&r, 5, 0);
    for (uint32_t tag = 0; tag < 200; tag++) {
        struct access a = {.addr = tag * 64, .kind = ACCESS_WRITE, .mask = {255}};
        struct victim v;
        cache_touch(&c, &a, &v);
        uint32_t line = cache_find(&c, tag);
        struct cache_block b = cache_block_copy(&c, line);
        b.dirty = 0;
        uint32_t written = 1;
        while (!b.valid) {
            uint64_t eighth = rng_below(&r, 8);
            a.mask[0] = UINT64_C(255) << 8 * eighth;
            written |= 1u << eighth;
            cache_block_write(&c, &b, &a);
            cache_write_bytes(&c, line, &a);
            struct cache_block of_line = cache_block_copy(&c, line);
            assert_int_equal(b.dirty, 1);
            assert_int_equal(b.valid, written == 255);
            assert_int_equal(b.valid, of_line.valid);
            assert_int_equal(b.partial, of_line.partial);
            if (b.partial) assert_memory_equal(b.bytes, of_line.bytes, sizeof b.bytes);
        }
    }
    cache_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functional_accesses_equal_the_slow_reference),
        cmocka_unit_test(short_sets_have_one_line_less),
        cmocka_unit_test(the_store_load_sequence_of_figure_5),
        cmocka_unit_test(writes_to_begun_sectors_are_marked),
        cmocka_unit_test(stalls_come_from_mshrs_merges_and_lines),
        cmocka_unit_test(a_store_that_goes_by_kills_the_fill_it_overtakes),
        cmocka_unit_test(images_restore_content_and_order),
        cmocka_unit_test(chained_fills_are_found_as_hashed_ones_are),
        cmocka_unit_test(tags_bound_lines_there_and_on_their_way),
        cmocka_unit_test(a_block_outside_the_lines_keeps_stores_as_a_line_does),
        cmocka_unit_test(several_sectors_are_as_one_after_the_other),
        cmocka_unit_test(mshr_files_serve_waiters_oldest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
