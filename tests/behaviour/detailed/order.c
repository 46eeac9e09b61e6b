/* order.c - does a warp see its own accesses to one address in program order?
 *
 * Of two accesses of one work-item to one address neither is reordered (OpenCL's relaxed model,
 * Candel 3.5.3).  One warp draws loads, stores and atomics of a block and has them all in flight at
 * once; another one fills queues and MSHR files with loads of other blocks.  The slow reference: a
 * load is served the version of the newest store in front of it.  Loads may be served in any order,
 * so that the two lists are compared sorted.  Machines: every combination of what stores, misses
 * and full files may do. */
#include "base/memory/rng.h"
#include "tests/support/litmus.h"

#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 60, RUNS = 12, OPS = 14 };

static struct litmus draw(struct rng *r)
{
    static const struct op kinds[] = {LD(VAR_X),       LD(VAR_X),     LD(VAR_X), ST(VAR_X),
                                      ST_WHOLE(VAR_X), ATOMIC(VAR_X), DELAY(7)};
    struct litmus t = {0};
    for (uint32_t i = 0; i < OPS; i++) {
        struct op *o = &t.warp[1][i];
        *o = kinds[rng_below(r, sizeof kinds / sizeof *kinds)];
        if (o->cls == OP_LOAD) o->whole = rng_below(r, 2);
        if (o->cls == OP_LOAD && rng_below(r, 4) == 0) o->var = VAR_Y;
        t.warp[0][i] = (struct op)LD_HINT(rng_below(r, 2) ? VAR_Y : VAR_FLAG, GLC);
        t.warp[0][i].whole = true;
    }
    return t;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Versions count accesses as they leave the L1: a store of all lanes makes one for each block. */
static uint32_t expected(const struct litmus *t, uint32_t block_bytes, uint32_t out[OPS])
{
    uint32_t n = 0, newest = 0, made = 0;
    for (uint32_t i = 0; i < OPS; i++) {
        const struct op *o = &t->warp[1][i];
        if (o->cls == OP_LOAD && o->var == VAR_X) out[n++] = newest;
        if (o->cls != OP_STORE && o->cls != OP_ATOMIC) continue;
        newest = made + 1;
        made += o->whole ? LITMUS_LANES * 4 / block_bytes : 1;
    }
    return n;
}

static uint32_t served(const struct seen *s, uint32_t out[SEEN_MAX])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n[1]; i++)
        if (s->load[1][i].var == VAR_X) out[n++] = s->load[1][i].version;
    qsort(out, n, sizeof *out, by_number);
    return n;
}

static struct drawn {
    struct litmus t;
    struct program *p;
} drawn[PROGRAMS];

static bool in_order(const struct machine *m, const struct drawn *d)
{
    uint32_t want[OPS], got[SEEN_MAX], n = expected(&d->t, m->l1.cache.sector_bytes, want);
    struct seen s;
    bool ok = litmus_run(m, d->p, NULL, NULL, &s);
    return ok && served(&s, got) == n && memcmp(want, got, n * sizeof *want) == 0;
}

static void explain(const struct litmus *t)
{
    static const char *const name[OP_N] = {
        [OP_LOAD] = "load", [OP_STORE] = "store", [OP_ATOMIC] = "atomic", [OP_INT] = "delay"};
    for (uint32_t i = 0; i < OPS; i++)
        fprintf(stderr, " %s%s%s", name[t->warp[1][i].cls], t->warp[1][i].whole ? " whole" : "",
                t->warp[1][i].var == VAR_Y ? " of y" : "");
    fprintf(stderr, "\n");
}

static uint32_t failures(const char *const *sets, size_t n, uint32_t first)
{
    uint32_t failed = 0;
    struct machine m = run_machine("rx540", sets, n);
    for (uint32_t i = first; i < first + RUNS; i++) {
        const struct drawn *d = &drawn[i % PROGRAMS];
        if (in_order(&m, d)) continue;
        if (failed++ == 0) explain(&d->t);
    }
    if (!failed) return 0;
    fprintf(stderr, "%u of %d with", failed, RUNS);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %s", sets[i]);
    fprintf(stderr, "\n");
    return failed;
}

enum { N_MISS = 2, N_STORES = 3, N_L1 = 6, N_FULL = 6, N_SMALL = 5 };
static const char *const miss[N_MISS] = {"l2.miss_management=conventional",
                                         "l2.miss_management=replace_at_once"};
static const char *const stores[N_STORES] = {"l2.write_miss=fetch", "l2.write_miss=lazy_fetch",
                                             "l2.write_miss=validate"};
/* what an L1 does with a store, or the protocol */
static const char *const l1[N_L1][2] = {
    {"l1.write=through", "l1.write_miss=no_allocate"},
    {"l1.write=through", "l1.write_miss=lazy_fetch"},
    {"l1.write=through", "l1.write_miss=validate"},
    {"l1.write=evict", "l1.write_miss=no_allocate"},
    {"l1.alloc=on_fill", "l1.write_miss=no_allocate"},
    {"coherence.protocol=si", "l1.write_miss=no_allocate"},
};
static const char *const full[N_FULL][6] = {
    {"l1.mshr.entries=0", "l2.mshr.entries=0"},
    {"l1.mshr.entries=1", "l2.mshr.entries=0"},
    {"l1.mshr.entries=1", "l2.mshr.entries=0", "l1.mshr.wait_aside=true"},
    {"l1.mshr.entries=2", "l2.mshr.entries=1"},
    {"l1.mshr.entries=2", "l2.mshr.entries=1", "l2.nack_releases_l1_mshr=true"},
    {"l1.mshr.entries=2", "l2.mshr.entries=1", "l2.nack_releases_l1_mshr=true",
     "l1.mshr.wait_aside=true", "l1.mshr.max_merge=1"},
};
/* One or two lines for all blocks: requests wait at lines in transition. */
static const char *const small[N_SMALL][4] = {
    {"l2.ways=1", "l2.victim_rule=lru", "l2.mshr.entries=0", "dram.queue=32"},
    {"l2.ways=2", "l2.victim_rule=lru", "l2.mshr.entries=2", "dram.queue=32"},
    {"l2.ways=2", "l2.victim_rule=lru_ext", "l2.mshr.entries=0", "dram.queue=32"},
    {"l2.ways=2", "l2.victim_rule=lru_ext", "l2.mshr.entries=2", "dram.queue=32"},
    {"l2.ways=2", "l2.memory_full=nack", "l2.miss_queue=1", "dram.queue=1"},
};

static uint32_t over_all(bool nack)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < N_MISS * N_STORES * N_L1 * N_FULL; i++) {
        const char *const *f = full[i % N_FULL], *const *of_l1 = l1[i / N_FULL % N_L1];
        bool replaces = i / N_FULL / N_L1 % N_MISS;
        const char *sets[12] = {"sm.count=2", miss[replaces], stores[i / N_FULL / N_L1 / N_MISS],
                                of_l1[0], of_l1[1]};
        size_t n = 5;
        for (; f[n - 5]; n++)
            sets[n] = f[n - 5];
        if (nack && !replaces) continue; /* conventional management always does */
        if (nack) sets[n++] = "l2.nack=true";
        failed += failures(sets, n, i * RUNS);
    }
    return failed;
}

static void and_where_lines_are_in_transition(void **state)
{
    uint32_t failed = 0;
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < N_STORES * N_L1 * N_SMALL; i++) {
        const char *const *of_l1 = l1[i / N_SMALL % N_L1], *const *l2 = small[i % N_SMALL];
        const char *sets[] = {"sm.count=2", miss[0],  stores[i / N_SMALL / N_L1],
                              of_l1[0],     of_l1[1], "l2.bank_kb=1",
                              l2[0],        l2[1],    l2[2],
                              l2[3]};
        failed += failures(sets, sizeof sets / sizeof *sets, i * RUNS);
    }
    assert_int_equal(failed, 0);
}

/* One line for all blocks of an L1, whose FRC fetches others, or whose lines are taken at the fill:
 * what a store leaves in the line may be gone when the fill comes that it has overtaken. */
static void and_where_fills_have_no_line(void **state)
{
    static const char *const frc[][2] = {{"l1.frc.entries=1", "l1.frc.swap_cycles=3"},
                                         {"l1.frc.entries=8", "l1.frc.swap_cycles=0"},
                                         {"l1.frc.entries=8", "l1.frc.swap_cycles=90"},
                                         {"l1.alloc=on_fill", "l1.mshr.entries=0"}};
    enum { N_WRITES = 4, N_FRC = sizeof frc / sizeof *frc };
    uint32_t failed = 0;
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < N_STORES * N_WRITES * N_FRC * N_MISS; i++) {
        const char *const *of_l1 = l1[i % N_WRITES], *const *f = frc[i / N_WRITES % N_FRC];
        const char *sets[] = {"sm.count=2",
                              "l1.kb=1",
                              "l1.ways=1",
                              f[0],
                              f[1],
                              of_l1[0],
                              of_l1[1],
                              stores[i / N_WRITES / N_FRC % N_STORES],
                              miss[i / N_WRITES / N_FRC / N_STORES]};
        failed += failures(sets, sizeof sets / sizeof *sets, i * RUNS);
    }
    assert_int_equal(failed, 0);
}

/* An inclusive L2 of few lines: questions and answers cross what is in flight, and answers wake who
 * waits behind a line's eviction while others, sent back before, come again. */
static void and_under_an_inclusive_l2(void **state)
{
    static const char *const of_sms[][2] = {{"l1.kb=16", "l1.mshr.entries=0"},
                                            {"l1.kb=1", "l1.ways=1"}};
    static const char *const waits[] = {"l2.line_wait=queue", "l2.line_wait=nack"};
    enum { N_WRITES = 4, N_SMS = 2, N_WAYS = 2, N_WAITS = 2 };
    uint32_t failed = 0;
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < N_STORES * N_WRITES * N_SMS * N_WAYS * (N_WAITS + 1); i++) {
        const char *const *of_l1 = l1[i % N_WRITES], *const *sm = of_sms[i / N_WRITES % N_SMS];
        uint32_t wait = i / N_WRITES / N_SMS / N_WAYS / N_STORES;
        const char *sets[] = {"sm.count=2",
                              "l2.inclusion=inclusive",
                              "l2.bank_kb=1",
                              "l2.banks=1",
                              i / N_WRITES / N_SMS % N_WAYS ? "l2.ways=1" : "l2.ways=2",
                              sm[0],
                              sm[1],
                              of_l1[0],
                              of_l1[1],
                              stores[i / N_WRITES / N_SMS / N_WAYS % N_STORES],
                              miss[wait == N_WAITS],
                              waits[wait % N_WAITS]};
        failed += failures(sets, wait == N_WAITS ? 11 : 12, i * RUNS);
    }
    assert_int_equal(failed, 0);
}

static int draw_all(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 5, 0);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        drawn[i].t = draw(&r);
        drawn[i].p = litmus_program(&drawn[i].t);
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PROGRAMS; i++)
        program_close(drawn[i].p);
    return 0;
}

static void a_warp_sees_its_own_accesses_in_order(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    assert_int_equal(over_all(false), 0);
}

static void and_where_the_l2_sends_back(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    assert_int_equal(over_all(true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_sees_its_own_accesses_in_order),
        cmocka_unit_test(and_where_the_l2_sends_back),
        cmocka_unit_test(and_where_lines_are_in_transition),
        cmocka_unit_test(and_where_fills_have_no_line),
        cmocka_unit_test(and_under_an_inclusive_l2),
    };
    return cmocka_run_group_tests(tests, draw_all, close_all);
}
