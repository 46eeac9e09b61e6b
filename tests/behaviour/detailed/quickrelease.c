/* quickrelease.c - litmus programs on the APU of QuickRelease, under its protocol and with
 * write-through caches: message passing, store buffering, independent reads of independent writes
 * (IRIW), causality over three warps, two SMs' bytes in one block. Each is run at many offsets, and
 * again without what it needs to hold, and must then show what it must not.
 *
 * All SMs begin with copies of the variables in their L1s. A load of a whole block behind a store
 * to a part of it pushes the store to the L2 without a release. */
#include "base/memory/rng.h"
#include "gpu/coherence/quickrelease_states.h"
#include "tests/support/litmus.h"

#include <stdio.h>

enum { OFFSETS = 40, STEP = 6, WARM = 80, RANDOM_RUNS = 200 };

#define DELAYED DELAY(UINT32_MAX) /* as long as the run's offset */
#define COPIES LD(VAR_X), LD(VAR_Y), LD(VAR_FLAG), DELAY(WARM)
#define RELEASE SYNC(OP_RELEASE)
#define ACQUIRE SYNC(OP_ACQUIRE)

struct trial {
    const char *name;
    struct litmus t;
    bool (*runs)(const struct seen *s); /* NULL: always; whether the offset is of interest */
    bool (*violates)(const struct seen *s);
};

/* --- what was seen --- */

static bool flag_seen(const struct seen *s)
{
    return litmus_version(s, 1, VAR_FLAG, 1) != 0;
}

static bool message_lost(const struct seen *s)
{
    return flag_seen(s) && litmus_version(s, 1, VAR_X, 1) == 0;
}

static bool both_stores_missed(const struct seen *s)
{
    return !litmus_version(s, 0, VAR_Y, 1) && !litmus_version(s, 1, VAR_X, 1);
}

static bool second_store_seen(const struct seen *s)
{
    return litmus_version(s, 1, VAR_X, 1) != 0;
}

static bool both_orders_possible(const struct seen *s)
{
    return litmus_version(s, 2, VAR_X, 1) && litmus_version(s, 3, VAR_Y, 1);
}

static bool orders_differ(const struct seen *s)
{
    return both_orders_possible(s) && !litmus_version(s, 2, VAR_Y, 1) &&
           !litmus_version(s, 3, VAR_X, 1);
}

static bool chain_seen(const struct seen *s)
{
    return litmus_version(s, 1, VAR_X, 1) && litmus_version(s, 2, VAR_FLAG, 1);
}

static bool cause_lost(const struct seen *s)
{
    return chain_seen(s) && litmus_version(s, 2, VAR_X, 1) == 0;
}

/* Warp 1 has loaded the block behind its own store, and again behind the other's. */
static bool other_bytes_lost(const struct seen *s)
{
    uint32_t own = litmus_version(s, 1, VAR_X, 1);
    return own == 0 || (flag_seen(s) && litmus_version(s, 1, VAR_X, 2) <= own);
}

/* --- programs; warp 1 watches --- */

static const struct trial message = {
    "message passing",
    {{{COPIES, ST(VAR_X), RELEASE, ST(VAR_FLAG), LD_WHOLE(VAR_FLAG), DELAY(WARM)},
      {COPIES, DELAYED, LD_HINT(VAR_FLAG, GLC), ACQUIRE, LD(VAR_X)}}},
    flag_seen,
    message_lost};

static const struct trial message_by_plain_loads = {
    "message passing, plain loads of the flag",
    {{{COPIES, ST_WHOLE(VAR_X), RELEASE, ST(VAR_FLAG), LD_WHOLE(VAR_FLAG), DELAY(WARM)},
      {COPIES, DELAYED, LD(VAR_FLAG), ACQUIRE, LD(VAR_X)}}},
    flag_seen,
    message_lost};

static const struct trial message_by_atomic = {
    "message passing, an atomic on the flag",
    {{{COPIES, ST(VAR_X), RELEASE, ATOMIC(VAR_FLAG), DELAY(WARM)},
      {COPIES, DELAYED, LD_HINT(VAR_FLAG, GLC), ACQUIRE, LD(VAR_X)}}},
    flag_seen,
    message_lost};

static const struct trial buffering = {
    "store buffering",
    {{{COPIES, ST(VAR_X), RELEASE, ACQUIRE, LD(VAR_Y), DELAY(WARM)},
      {LD(VAR_X), LD(VAR_Y), DELAYED, ST(VAR_Y), RELEASE, ACQUIRE, LD(VAR_X), DELAY(WARM)}}},
    second_store_seen,
    both_stores_missed};

/* Stores of whole blocks, which the L2's write cache serves before their old copies are gone. */
static const struct trial iriw = {
    "IRIW",
    {{{COPIES, ST_WHOLE(VAR_X), LD_HINT(VAR_X, GLC), DELAY(4 * WARM)},
      {COPIES, ST_WHOLE(VAR_Y), LD_HINT(VAR_Y, GLC), DELAY(4 * WARM)},
      {COPIES, DELAYED, LD_HINT(VAR_X, GLC), RELEASE, ACQUIRE, LD(VAR_Y)},
      {COPIES, DELAYED, LD_HINT(VAR_Y, GLC), RELEASE, ACQUIRE, LD(VAR_X)}}},
    both_orders_possible,
    orders_differ};

/* The second warp's release covers what it has seen. */
static const struct trial causality = {
    "causality over three warps",
    {{{COPIES, ST_WHOLE(VAR_X), LD_HINT(VAR_X, GLC), DELAY(9 * WARM)},
      {COPIES, DELAY(40), LD_HINT(VAR_X, GLC), RELEASE, ST(VAR_FLAG), LD_WHOLE(VAR_FLAG),
       DELAY(WARM)},
      {COPIES, DELAY(WARM), DELAYED, LD_HINT(VAR_FLAG, GLC), ACQUIRE, LD(VAR_X)}}},
    chain_seen,
    cause_lost};

/* The first warp stores to the first bytes, the second to others and keeps the block's copy. */
static const struct trial two_parts = {
    "two SMs' bytes in one block",
    {{{COPIES, DELAY(2 * WARM), ST(VAR_X), RELEASE, ST(VAR_FLAG), LD_WHOLE(VAR_FLAG), DELAY(WARM)},
      {COPIES, ST_LANE(VAR_X, 1), LD(VAR_X), DELAY(WARM), DELAYED, LD_HINT(VAR_FLAG, GLC), ACQUIRE,
       LD(VAR_X)}}},
    flag_seen,
    other_bytes_lost};

static const struct trial *const trials[] = {
    &message,  &message_by_plain_loads, &message_by_atomic, &buffering, &iriw, &causality,
    &two_parts};
enum { TRIALS = sizeof trials / sizeof *trials };

/* --- runs --- */

static struct machine machine_of(const char *protocol, const char *slice_hash)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "l2.slice_hash=%s", slice_hash);
    const char *const sets[] = {a, b, "sm.count=4"};
    return run_machine("apu-quickrelease", sets, 3);
}

/* The program at an offset, with delays in place of a class of instructions. */
static struct litmus program_at(const struct litmus *t, uint32_t offset, enum op_class without)
{
    struct litmus out = *t;
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t i = 0; i < LITMUS_OPS; i++) {
            struct op *o = &out.warp[w][i];
            if (o->times == UINT32_MAX) o->times = 1 + offset * STEP;
            if (o->set && o->cls == without && without != OP_INT) *o = (struct op)DELAY(1);
        }
    return out;
}

/* At how many offsets the programs ran as is of interest, and at how many they showed what they
 * must not. */
struct outcomes {
    uint32_t runs, violated;
};

static struct outcomes try_out(const struct machine *m, const struct trial *t,
                               enum op_class without, litmus_change *change)
{
    struct outcomes n = {0, 0};
    for (uint32_t k = 0; k < OFFSETS; k++) {
        struct litmus at = program_at(&t->t, k, without);
        struct program *p = litmus_program(&at);
        struct seen s;
        assert_true(litmus_run(m, p, change, NULL, &s));
        program_close(p);
        n.runs += t->runs(&s);
        n.violated += t->violates(&s);
    }
    print_message("%s: of %d runs %u of interest, %u wrong\n", t->name, OFFSETS, n.runs,
                  n.violated);
    return n;
}

/* With write-through caches a plain load sees its old copy of the flag until an acquire. */
static bool is_for(const struct trial *t, const char *protocol)
{
    return strcmp(protocol, "none") != 0 || t != &message_by_plain_loads;
}

static void all_hold(const char *protocol)
{
    static const char *const hashes[] = {"modulo", "xor"}; /* one slice; one for each variable */
    for (uint32_t h = 0; h < 2; h++) {
        struct machine m = machine_of(protocol, hashes[h]);
        for (uint32_t i = 0; i < TRIALS; i++) {
            if (!is_for(trials[i], protocol)) continue;
            struct outcomes n = try_out(&m, trials[i], OP_INT, NULL);
            if (n.violated) fail_msg("%s, %s, slices %s", protocol, trials[i]->name, hashes[h]);
            assert_in_range(n.runs, 3, OFFSETS);
        }
    }
}

static void all_hold_under_quickrelease(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    all_hold("quickrelease");
}

static void all_hold_with_write_through_caches(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    all_hold("none");
}

/* Under QuickRelease all is the release's doing, and an acquire does nothing. */
static void nothing_holds_without_releases(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("quickrelease", "modulo");
    for (uint32_t i = 0; i < TRIALS; i++) {
        assert_int_equal(try_out(&m, trials[i], OP_ACQUIRE, NULL).violated, 0);
        assert_in_range(try_out(&m, trials[i], OP_RELEASE, NULL).violated, 1, OFFSETS);
    }
}

/* With write-through caches an acquire drops the old copies. */
static void write_through_needs_acquires(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("none", "modulo");
    for (uint32_t i = 0; i < TRIALS; i++)
        if (is_for(trials[i], "none"))
            assert_in_range(try_out(&m, trials[i], OP_ACQUIRE, NULL).violated, 1, OFFSETS);
}

static void send_no_invalidations(struct coherence *c, const void *how)
{
    (void)how;
    for (uint32_t s = 0; s < TABLE_STATES_MAX; s++)
        for (uint32_t e = 0; e < TABLE_EVENTS_MAX; e++)
            c->home.at[s][e].action &= ~(uint32_t)DO_INVALIDATE;
}

static void releases_need_invalidations(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("quickrelease", "modulo");
    for (uint32_t i = 0; i < TRIALS; i++)
        if (trials[i] != &message_by_plain_loads) /* the flag's old copy would stay */
            assert_in_range(try_out(&m, trials[i], OP_INT, send_no_invalidations).violated, 1,
                            OFFSETS);
}

/* --- two warps of one SM --- */

/* The third warp, on the first's SM, has seen the first's store and releases. */
static const struct trial same_sm = {
    "causality within an SM",
    {{{ST(VAR_X), DELAY(9 * WARM)},
      {LD(VAR_X), LD(VAR_FLAG), DELAYED, LD_HINT(VAR_FLAG, GLC), ACQUIRE, LD(VAR_X)},
      {DELAY(WARM), LD(VAR_X), RELEASE, ST(VAR_FLAG), LD_WHOLE(VAR_FLAG), DELAY(WARM)}}},
    flag_seen,
    message_lost};

/* "such a split [...] breaks the transitivity property" (section 3) */
static void s_fifos_of_warps_lose_causality(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("quickrelease", "modulo");
    m.sm.count = 2;
    struct outcomes n = try_out(&m, &same_sm, OP_INT, NULL);
    assert_in_range(n.runs, 3, OFFSETS);
    assert_int_equal(n.violated, 0);
    m.coherence.fifo_scope = FIFO_OF_WARP;
    assert_in_range(try_out(&m, &same_sm, OP_INT, NULL).violated, 1, OFFSETS);
    m.coherence.fifo_scope = FIFO_OF_CTA; /* of one warp each */
    assert_in_range(try_out(&m, &same_sm, OP_INT, NULL).violated, 1, OFFSETS);
}

/* --- one warp --- */

static bool always(const struct seen *s)
{
    (void)s;
    return true;
}

/* Loads, after the first, behind one, one and two of the warp's stores. */
static bool own_store_lost(const struct seen *s)
{
    return litmus_version(s, 1, VAR_X, 1) < 1 || litmus_version(s, 1, VAR_X, 2) < 1 ||
           litmus_version(s, 1, VAR_X, 3) < 2;
}

static const struct trial own_stores = {
    "own stores to parts of a block",
    {{{DELAY(1)},
      {LD(VAR_X), DELAYED, ST_LANE(VAR_X, 1), LD_WHOLE(VAR_X), DELAYED, LD_LANE(VAR_X, 1),
       ST(VAR_X), LD_WHOLE(VAR_X)}}},
    always,
    own_store_lost};

static void load_past_dirty_bytes(struct coherence *c, const void *how)
{
    (void)how;
    c->agent.at[SYNC_D][SYNC_LOAD].action &= ~(uint32_t)DO_CLEAN;
    c->agent.at[SYNC_W][SYNC_LOAD].action &= ~(uint32_t)DO_CLEAN;
}

static void dirty_bytes_go_ahead_of_a_load(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("quickrelease", "modulo");
    assert_int_equal(try_out(&m, &own_stores, OP_INT, NULL).violated, 0);
    assert_in_range(try_out(&m, &own_stores, OP_INT, load_past_dirty_bytes).violated, 1, OFFSETS);
}

/* --- anything --- */

static struct litmus random_litmus(struct rng *r)
{
    static const struct op kinds[] = {
        LD(VAR_X),     LD_LANE(VAR_X, 3), LD_WHOLE(VAR_X),    LD_HINT(VAR_X, GLC),
        ST(VAR_X),     ST_LANE(VAR_X, 3), ST_WHOLE(VAR_X),    ST_HINT(VAR_X, GLC),
        ATOMIC(VAR_X), SYNC(OP_RELEASE),  SYNC(OP_FENCE),     SYNC(OP_ACQUIRE),
        DELAY(9),      SYNC(OP_BARRIER),  ST_HINT(VAR_X, SLC)};
    struct litmus t = {0};
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t i = 0; i < LITMUS_OPS; i++) {
            t.warp[w][i] = kinds[rng_below(r, sizeof kinds / sizeof *kinds)];
            t.warp[w][i].var = (enum var)rng_below(r, VAR_N);
        }
    return t;
}

static void draw_write_cache(struct write_cache_params *p, struct rng *r)
{
    p->kb = 1;
    p->ways = 1u << rng_below(r, 3);
    p->fifo = 1 + (uint32_t)rng_below(r, 5);
}

/* Small write caches, S-FIFOs and queues: nothing hangs, and the checks of the run hold. */
static void any_mixture_runs(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 12, 0);
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        struct machine m = machine_of("quickrelease", i % 2 ? "modulo" : "xor");
        m.coherence.fifo_scope = (enum fifo_scope)rng_below(&r, 3);
        m.sm.count = 2 + 2 * (uint32_t)rng_below(&r, 2);
        if (rng_below(&r, 2)) draw_write_cache(&m.l1.write_cache, &r);
        if (rng_below(&r, 2)) draw_write_cache(&m.l2.write_cache, &r);
        if (rng_below(&r, 2)) m.l3.write_cache.fifo = m.dram.channels;
        if (rng_below(&r, 2)) m.l1.miss_queue = 2, m.noc.input_queue = 1;
        if (rng_below(&r, 2)) m.l1.cache.mshr.entries = 1 + (uint32_t)rng_below(&r, 3);
        struct litmus t = random_litmus(&r);
        struct program *p = litmus_program(&t);
        struct seen s;
        assert_true(litmus_run(&m, p, NULL, NULL, &s));
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_hold_under_quickrelease),
        cmocka_unit_test(all_hold_with_write_through_caches),
        cmocka_unit_test(nothing_holds_without_releases),
        cmocka_unit_test(write_through_needs_acquires),
        cmocka_unit_test(releases_need_invalidations),
        cmocka_unit_test(s_fifos_of_warps_lose_causality),
        cmocka_unit_test(dirty_bytes_go_ahead_of_a_load),
        cmocka_unit_test(any_mixture_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
