/* Are the stack distances, sector hits and write-backs those of caches that are simulated line by
 * line? */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/profile/sector_reuse.h"
#include "estimator/reuse/nmoesi_sharers.h"
#include "tests/support/check.h"

#include <math.h>

enum { SECTORS = 4, MAX_LINES = 1024 };

/* The obvious set-associative LRU cache with sectors: ways searched one by one, ages counted up. */
struct plain_line {
    uint64_t tag, used;
    bool there, valid[SECTORS], dirty[SECTORS];
};
struct plain {
    uint32_t sets, ways;
    bool hashed;
    uint64_t salt;
    uint64_t clock, writebacks;
    struct plain_line *line;
};

static void plain_init(struct plain *c, uint32_t sets, uint32_t ways, bool hashed)
{
    *c = (struct plain){.sets = sets, .ways = ways, .hashed = hashed};
    c->line = mem_new((size_t)sets * ways, sizeof *c->line);
    assert_non_null(c->line);
}

static struct plain_line *plain_find(struct plain *c, uint64_t tag, bool take)
{
    uint64_t set = (c->hashed ? rng_splitmix64(tag + c->salt) >> 20 : tag) % c->sets;
    struct plain_line *set_lines = &c->line[set * c->ways], *oldest = set_lines;
    c->clock++;
    for (uint32_t w = 0; w < c->ways; w++) {
        struct plain_line *l = &set_lines[w];
        if (l->there && l->tag == tag) {
            l->used = c->clock;
            return l;
        }
        if (!l->there ? oldest->there : (oldest->there && l->used < oldest->used)) oldest = l;
    }
    if (!take) return NULL;
    for (uint32_t s = 0; s < SECTORS; s++)
        c->writebacks += oldest->there && oldest->dirty[s];
    *oldest = (struct plain_line){.tag = tag, .used = c->clock, .there = true};
    return oldest;
}

static bool plain_access(struct plain *c, uint64_t tag, uint32_t sector, bool write)
{
    struct plain_line *l = plain_find(c, tag, true);
    bool hit = l->valid[sector];
    l->valid[sector] = true;
    if (write) l->dirty[sector] = true;
    return hit;
}

/* A stream with reuse at many distances: hot lines, a loop, strides that are powers of two, noise.
 */
static uint64_t next_line(struct rng *r, uint64_t i)
{
    switch (rng_below(r, 4)) {
    case 0: return rng_below(r, 24);
    case 1: return 1000 + i % 300;
    case 2: return 4096 + (i % 40) * 64;
    default: return rng_below(r, 2000);
    }
}

static struct chain_params params(uint32_t bound)
{
    struct chain_params p = {.sectors = SECTORS,
                             .write_miss = WRITE_MISS_VALIDATE,
                             .write_back = true,
                             .nominal_lines = 128,
                             .reuse = {.lines = bound, .n_orgs = 3}};
    p.reuse.org[0] = (struct reuse_org){4, 64};
    p.reuse.org[1] = (struct reuse_org){16, 32};
    p.reuse.org[2] = (struct reuse_org){64, 16};
    return p;
}

static void distances_are_those_of_a_list(void **state)
{
    (void)state;
    enum { N = 20000 };
    static uint64_t stack[N];
    struct reuse r;
    struct reuse_params p = {.lines = 256}; /* small: renumbering and forgetting happen often */
    struct rng g;
    uint32_t depth = 0;
    uint64_t fresh = 0;
    rng_seed(&g, 1, 0);
    assert_true(reuse_init(&r, &p, NULL, NULL));
    for (uint64_t i = 0; i < N; i++) {
        uint64_t line = next_line(&g, i);
        uint32_t at = 0;
        while (at < depth && stack[at] != line)
            at++;
        struct reuse_distance d;
        assert_true(reuse_touch(&r, line, &d));
        if (at < depth && at < 256)
            assert_int_equal(d.global, at);
        else
            assert_true(d.global == REUSE_FAR || (at < depth && d.global == at));
        fresh += d.global == REUSE_FAR;
        assert_int_equal(r.fresh, fresh); /* those that were forgotten again, too */
        if (at == depth) depth++;
        memmove(&stack[1], &stack[0], at * sizeof stack[0]);
        stack[0] = line;
    }
    reuse_fini(&r);
}

static uint32_t org_of(const struct reuse_params *p, uint32_t sets)
{
    uint32_t o = 0;
    while (o < p->n_orgs && p->org[o].sets != sets)
        o++;
    assert_true(o < p->n_orgs);
    return o;
}

struct comparison {
    double read_hits, write_hits, reads, writebacks;
};

static struct comparison simulate(struct plain *c, struct chain *ch, uint64_t seed, uint64_t n,
                                  uint32_t sectors)
{
    struct comparison out = {0};
    struct rng g;
    rng_seed(&g, seed, 0);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t line = next_line(&g, i);
        uint32_t sector = (uint32_t)rng_below(&g, sectors), value[CHAIN_SECTORS];
        bool write = rng_below(&g, 4) == 0;
        bool hit = plain_access(c, line, sector, write);
        out.read_hits += hit && !write;
        out.write_hits += hit && write;
        out.reads += !write;
        if (write)
            chain_write(ch, line, 1u << sector, sector_reuse_parts(1u << sector), value);
        else
            chain_read(ch, line, 1u << sector, value);
    }
    out.writebacks = (double)c->writebacks;
    return out;
}

static void check_full(uint32_t lines)
{
    struct plain c;
    struct chain ch;
    struct chain_params p = params(MAX_LINES);
    plain_init(&c, 1, lines, false);
    assert_true(chain_init(&ch, &p));
    struct comparison want = simulate(&c, &ch, lines, 30000, SECTORS);
    struct curve read, write, back;
    hit_tally_curve(&ch.read[0].distance, &read);
    hit_tally_curve(&ch.write, &write);
    chain_dirty(&ch, &ch.soiled);
    hit_tally_curve(&ch.soiled, &back);
    assert_near(curve_full_hits(&read, lines), want.read_hits, 0);
    assert_near(curve_full_hits(&write, lines), want.write_hits, 0);
    assert_near((double)back.total - curve_full_hits(&back, lines), want.writebacks, 0);
    chain_fini(&ch);
    mem_free(c.line);
}

static void full_associative_counts_are_exact_at_bucket_bounds(void **state)
{
    (void)state;
    check_full(1);
    check_full(13);
    check_full(64);
    check_full(104);
    check_full(256);
    check_full(1024);
}

/* Hit shares: the plain cache's (over several hash functions if hashed) and the curve's. */
static void check_sets(uint32_t sets, uint32_t ways, uint32_t sectors, bool hashed,
                       double tolerance)
{
    double want = 0, got = 0;
    uint32_t trials = hashed ? 8 : 1;
    for (uint32_t k = 0; k < trials; k++) {
        struct plain c;
        struct chain ch;
        struct chain_params p = params(4 * MAX_LINES);
        plain_init(&c, sets, ways, hashed);
        c.salt = k * 1000003;
        assert_true(chain_init(&ch, &p));
        struct comparison n = simulate(&c, &ch, 77, 20000, sectors);
        struct curve read, write, back;
        hit_tally_curve(&ch.read[0].distance, &read);
        hit_tally_curve(&ch.write, &write);
        chain_dirty(&ch, &ch.soiled);
        hit_tally_curve(&ch.soiled, &back);
        struct geometry_view g = {.lines = (double)sets * ways,
                                  .sets = sets,
                                  .org = hashed ? ORG_NONE : org_of(&p.reuse, sets),
                                  .org_ways = REUSE_WAYS};
        struct hit_law law;
        hit_law_init(&law, &g);
        want += n.read_hits / n.reads / trials;
        got += curve_hits(&read, &law) / n.reads / trials;
        if (!hashed) assert_near(curve_hits(&write, &law), n.write_hits, 0);
        if (!hashed) assert_near((double)back.total - curve_hits(&back, &law), n.writebacks, 0);
        chain_fini(&ch);
        mem_free(c.line);
    }
    assert_near(got, want, tolerance);
}

static void modulo_sets_are_exact(void **state)
{
    (void)state;
    check_sets(16, 4, SECTORS, false, 1e-9);
    check_sets(64, 4, SECTORS, false, 1e-9);
    check_sets(4, 32, SECTORS, false, 1e-9);
    check_sets(64, 16, SECTORS, false, 1e-9);
}

static void hashed_sets_follow_the_binomial_law(void **state)
{
    (void)state;
    check_sets(32, 8, 1, true, 0.01);
    check_sets(16, 16, 1, true, 0.01);
    check_sets(64, 4, 1, true, 0.01);
    /* a sector must survive several intervals; the law knows the longest only */
    check_sets(32, 8, SECTORS, true, 0.025);
}

static void binomial_law_is_a_sum_of_terms(void **state)
{
    (void)state;
    /* 10 others over 4 sets: fewer than 3 in ours */
    double q = 0.75, p = 0.25, want = pow(q, 10) + 10 * p * pow(q, 9) + 45 * p * p * pow(q, 8);
    assert_near(hit_curve_binomial(10, 3, 4), want, 1e-12);
    assert_near(hit_curve_binomial(2, 3, 4), 1, 0);
    assert_near(hit_curve_binomial(1e6, 3, 4), 0, 0);
    assert_near(hit_curve_binomial(5, 8, 1), 1, 0);
    assert_near(hit_curve_binomial(8, 8, 1), 0, 0);
}

static void lazy_fetch_reads_of_partial_sectors_miss(void **state)
{
    (void)state;
    struct chain ch;
    struct chain_params p = params(MAX_LINES);
    uint32_t value[CHAIN_SECTORS];
    p.write_miss = WRITE_MISS_LAZY_FETCH;
    assert_true(chain_init(&ch, &p));
    chain_write(&ch, 5, 1, 0, value);
    assert_int_equal(value[0], REUSE_FAR);
    chain_write(&ch, 5, 1, 0, value);
    assert_int_equal(value[0], 0); /* a write finds what an earlier one began */
    chain_read(&ch, 5, 1, value);
    assert_int_equal(value[0], REUSE_FAR); /* but it cannot be read before a fetch */
    chain_read(&ch, 5, 1, value);
    assert_int_equal(value[0], 0);
    chain_write(&ch, 6, 2, sector_reuse_parts(2), value);
    chain_read(&ch, 6, 2, value);
    assert_int_equal(value[1], 0); /* wholly written: no fetch */
    chain_fini(&ch);
}

/* Stores of lanes that lie a line apart write a sector in parts.  Once all are written it can be
 * read without a fetch, in a cache that it has not left since the first of them. */
static void lazy_fetch_joins_the_parts_of_a_sector(void **state)
{
    (void)state;
    struct chain ch;
    struct chain_params p = params(MAX_LINES);
    uint32_t value[CHAIN_SECTORS];
    p.write_miss = WRITE_MISS_LAZY_FETCH;
    assert_true(chain_init(&ch, &p));
    for (uint32_t part = 0; part < CHAIN_PARTS; part += 2)
        for (uint32_t line = 5; line < 8; line++)
            chain_write(&ch, line, 1, 3u << part, value);
    for (uint32_t line = 5; line < 8; line++) {
        chain_read(&ch, line, 1, value);
        assert_int_equal(value[0], 2); /* two lines were between its parts, and are again */
    }
    for (uint32_t part = 0; part < CHAIN_PARTS; part += 2)
        chain_write(&ch, 8, 1, part == 6 ? 3 : 3u << part,
                    value); /* the first again, not the last */
    chain_read(&ch, 8, 1, value);
    assert_int_equal(value[0], REUSE_FAR);
    chain_fini(&ch);
}

/* The ages of reads and writes count the accesses since the fetch; the fetch itself has none. */
static void ages_count_from_the_fetch(void **state)
{
    (void)state;
    struct chain ch;
    struct chain_params p = params(MAX_LINES);
    uint32_t value[CHAIN_SECTORS];
    p.write_miss = WRITE_MISS_FETCH;
    p.nominal_lines = MAX_LINES;
    assert_true(chain_init(&ch, &p));
    ch.counting = true;
    chain_write(&ch, 5, 1, 0, value); /* fetches */
    chain_read(&ch, 6, 1, value);     /* fetches */
    chain_write(&ch, 5, 1, 0, value); /* 2 later */
    chain_read(&ch, 5, 1, value);     /* 3 later */
    chain_write(&ch, 6, 1, 0, value); /* 3 later */
    assert_near(ch.write_age.total, 2, 0);
    assert_near(ch.write_age.near[2] + ch.write_age.near[3], 2, 0);
    assert_near(ch.read[0].age.total, 1, 0);
    assert_near(ch.read[0].age.near[3], 1, 0);
    chain_reset_tallies(&ch); /* another launch, which counts from 0 again */
    ch.now = 0;
    for (uint32_t line = 7; line < 10; line++)
        chain_read(&ch, line, 1, value);
    chain_read(&ch, 5, 1, value); /* fetched by the launch before, at the same place */
    assert_near(ch.read[0].age.total, 1, 0);
    for (uint32_t b = 0; b < 16; b++)
        assert_near(ch.read[0].age.near[b], 0, 0);
    chain_fini(&ch);
}

static void stores_that_take_no_line_insert_none(void **state)
{
    (void)state;
    struct chain ch;
    struct chain_params p = params(MAX_LINES);
    uint32_t value[CHAIN_SECTORS];
    p.write_miss = WRITE_MISS_NO_ALLOCATE;
    p.write_back = false;
    assert_true(chain_init(&ch, &p));
    chain_write(&ch, 5, 1, sector_reuse_parts(1), value);
    chain_read(&ch, 5, 1, value);
    assert_int_equal(value[0], REUSE_FAR);
    chain_write(&ch, 5, 1, sector_reuse_parts(1), value);
    assert_int_equal(value[0], 0);
    chain_fini(&ch);
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 6; k++) { /* bits, tree, index and three set counts */
        struct chain ch;
        struct chain_params p = params(MAX_LINES);
        shim_fail_after(SHIM_ALLOC, k);
        assert_false(chain_init(&ch, &p));
    }
    shim_fail_after(SHIM_ALLOC, 0);
}

static bool is_odd(void *ctx, uint64_t line)
{
    (void)ctx;
    return line % 2 != 0;
}

/* Of 64 lines read, the youngest 16 are held at the nominal capacity: 8 odd ones among them. */
static void lines_that_leave_miss_and_others_stay(void **state)
{
    (void)state;
    struct chain_params p = params(MAX_LINES);
    struct chain c;
    uint32_t value[SECTORS];
    p.nominal_lines = 16;
    assert_true(chain_init(&c, &p));
    for (uint64_t line = 0; line < 64; line++)
        chain_read(&c, line, 1, value);
    assert_int_equal(chain_forget_if(&c, is_odd, NULL), 8);
    assert_int_equal(chain_forget_if(&c, is_odd, NULL), 0);
    for (uint64_t line = 63; line >= 60; line--) {
        chain_read(&c, line, 1, value);
        assert_int_equal(value[0], line % 2 ? REUSE_FAR : 63 - line);
    }
    chain_fini(&c);
}

static void lines_are_shared_from_the_second_reader_to_the_next_owner(void **state)
{
    (void)state;
    struct sharers s;
    assert_true(sharers_init(&s));
    assert_true(sharers_note(&s, 7, 1, SHARERS_STORE)); /* put and gone */
    assert_true(sharers_note(&s, 7, 2, SHARERS_READ) && sharers_note(&s, 7, 2, SHARERS_STORE));
    assert_false(sharers_many(&s, 7) || sharers_many(&s, 8));
    assert_true(sharers_note(&s, 7, 3, SHARERS_STORE) && sharers_many(&s, 7));
    assert_true(sharers_note(&s, 7, 3, SHARERS_OWN));
    assert_false(sharers_many(&s, 7));
    assert_true(sharers_note(&s, 7, 4, SHARERS_READ) && sharers_many(&s, 7));
    sharers_fini(&s);
}

/* Ever new lines, ten times as many again. */
static void memory_does_not_grow(void **state)
{
    (void)state;
    enum { LINES = 8192, N = 100000 };
    const struct reuse_params p = {.lines = LINES};
    static struct reuse r;
    size_t caps[2] = {0};
    uint32_t slots[2] = {0};
    assert_true(reuse_init(&r, &p, NULL, NULL));
    for (uint64_t i = 0; i < 10 * N; i++) {
        struct reuse_distance d;
        assert_true(reuse_touch(&r, i, &d));
        caps[i >= N] = r.line_cap + r.pos_cap + r.spare_cap + r.at_cap;
        slots[i >= N] = r.index.mask;
    }
    assert_int_equal(caps[0], caps[1]);
    assert_int_equal(slots[0], slots[1]);
    assert_true(r.ids <= 2 * LINES);
    reuse_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_list),
        cmocka_unit_test(full_associative_counts_are_exact_at_bucket_bounds),
        cmocka_unit_test(modulo_sets_are_exact),
        cmocka_unit_test(hashed_sets_follow_the_binomial_law),
        cmocka_unit_test(binomial_law_is_a_sum_of_terms),
        cmocka_unit_test(lazy_fetch_reads_of_partial_sectors_miss),
        cmocka_unit_test(lazy_fetch_joins_the_parts_of_a_sector),
        cmocka_unit_test(ages_count_from_the_fetch),
        cmocka_unit_test(stores_that_take_no_line_insert_none),
        cmocka_unit_test(lines_that_leave_miss_and_others_stay),
        cmocka_unit_test(lines_are_shared_from_the_second_reader_to_the_next_owner),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
