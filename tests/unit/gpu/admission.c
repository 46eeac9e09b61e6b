/* The admission of warps against a list of CTAs: what the throttle sees of them, whatever order
 * they arrive, wait and end in, and which of them may issue. */
#include "gpu/policies/admission.h"

#include "base/memory/rng.h"
#include "base/memory/serialize.h"
#include "tests/support/check.h"

enum { SUBCORES = 3, CTAS = 6, WARPS = 4, BLOCKS = 256, LIMIT = 5 };

struct listed {
    uint64_t cta, born; /* born: 0 = its slot is free */
    bool there[WARPS], waits[WARPS];
    uint32_t name[WARPS];
};

struct bench {
    struct sm_params p;
    struct admission a;
    struct admission_subcore core[SUBCORES];
    struct listed cta[CTAS];
    uint64_t age, ctas;
};

static void set_up(struct bench *b, enum sched_kind sched, enum throttle_kind throttle,
                   enum active_kind set)
{
    *b = (struct bench){.p = {.subcores = SUBCORES,
                              .max_warps = SUBCORES * 64,
                              .scheduler = sched,
                              .throttle = throttle,
                              .active_set = set,
                              .active_warps = LIMIT,
                              .two_level_warps = 2,
                              .intercl_warps = 2,
                              .owl_ctas = 1,
                              .tbas_warps = 3,
                              .iwl = {0.1, 4, 64, 10, IWL_TRANSACTIONS},
                              .ccws = {16, 8, 100, 8}}};
    assert_true(admission_init(&b->a, &b->p, BLOCKS));
    for (uint32_t k = 0; k < SUBCORES; k++)
        b->a.core[k] = &b->core[k];
    admission_reset(&b->a);
    const struct admission_launch l = {
        .schedulers = {0, CTAS, 2}, .l1_blocks = BLOCKS, .warps = 100};
    admission_launch(&b->a, &l);
}

static void add_cta(struct bench *b, uint32_t slot, struct rng *r)
{
    struct listed *c = &b->cta[slot];
    *c = (struct listed){.cta = b->ctas++, .born = b->age + 1};
    for (uint32_t w = 0; w < WARPS; w++) {
        uint32_t k = (uint32_t)rng_below(r, SUBCORES);
        c->name[w] = k * 64 + (uint32_t)__builtin_ctzll(~b->core[k].resident);
        c->there[w] = true;
        const struct admission_warp born = {c->name[w], slot, c->cta, b->age++};
        admission_born(&b->a, &born);
    }
}

static void end_warp(struct bench *b, struct listed *c, uint32_t w)
{
    bool any = false;
    c->there[w] = c->waits[w] = false;
    admission_ended(&b->a, c->name[w]);
    for (uint32_t i = 0; i < WARPS; i++)
        any = any || c->there[i];
    if (!any) c->born = 0;
}

static void wait_or_go_on(struct bench *b, struct listed *c, uint32_t w)
{
    c->waits[w] = !c->waits[w];
    if (c->waits[w])
        admission_stops(&b->a, c->name[w]);
    else
        admission_continues(&b->a, c->name[w]);
}

static void do_anything(struct bench *b, struct rng *r)
{
    uint32_t slot = (uint32_t)rng_below(r, CTAS), w = (uint32_t)rng_below(r, WARPS);
    struct listed *c = &b->cta[slot];
    if (!c->born)
        add_cta(b, slot, r);
    else if (c->there[w] && rng_below(r, 3))
        wait_or_go_on(b, c, w);
    else if (c->there[w])
        end_warp(b, c, w);
}

/* Each sub-core picks one of the warps that do not wait. */
static void issue(struct bench *b, uint64_t now)
{
    admission_choose(&b->a, now);
    for (uint32_t k = 0; k < SUBCORES; k++) {
        struct sched *s = &b->core[k].sched;
        uint64_t slots = admission_admitted(&b->a, k, b->core[k].resident & ~b->core[k].waits, 0);
        if (slots) s->last = s->ops->pick(s, slots, b->core[k].age);
    }
}

/* CTA after CTA in the order of arrival, found by repeated search. */
static uint32_t reference_roster(const struct bench *b, struct rostered *out)
{
    uint32_t n = 0;
    uint64_t after = 0;
    for (;;) {
        const struct listed *next = NULL;
        for (uint32_t i = 0; i < CTAS; i++)
            if (b->cta[i].born > after && (!next || b->cta[i].born < next->born)) next = &b->cta[i];
        if (!next) return n;
        after = next->born;
        bool first = true;
        for (uint32_t w = 0; w < WARPS; w++) {
            if (!next->there[w]) continue;
            out[n++] = (struct rostered){(uint16_t)next->name[w], next->waits[w], first};
            first = false;
        }
    }
}

/* The throttle of the same name that decides from the reference's roster. */
static void expect_barred(struct bench *b, uint64_t *barred)
{
    struct rostered r[THROTTLE_WARPS];
    struct throttle t;
    assert_true(throttle_init(&t, &b->p, BLOCKS));
    throttle_launch(&t, 100, 0);
    t.ops->choose(&t, r, reference_roster(b, r), 0);
    memcpy(barred, t.barred, SUBCORES * sizeof *barred);
    throttle_fini(&t);
}

static void a_fixed_limit_bars_whom_the_reference_bars(void **state)
{
    (void)state;
    for (int set = 0; set < ACTIVE_N; set++) {
        static struct bench b;
        struct rng r;
        uint64_t want[SUBCORES];
        uint32_t any = 0;
        set_up(&b, SCHED_LRR, THROTTLE_FIXED, (enum active_kind)set);
        rng_seed(&r, 7, (uint64_t)set);
        for (uint64_t now = 1; now < 3000; now++) {
            do_anything(&b, &r);
            expect_barred(&b, want);
            admission_choose(&b.a, now);
            for (uint32_t k = 0; k < SUBCORES; k++) {
                uint64_t admitted = admission_admitted(&b.a, k, b.core[k].resident, 0);
                assert_true(admitted == (b.core[k].resident & ~want[k]));
                any += want[k] != 0;
            }
        }
        assert_true(any > 1000); /* the limit does bite */
        admission_fini(&b.a);
    }
}

/* Whoever loads is kept by no_loads, whoever does not goes; only what was told is stale. */
static void loads_alone_are_kept_from_who_may_not_load(void **state)
{
    (void)state;
    static struct bench b;
    struct rng r;
    set_up(&b, SCHED_LRR, THROTTLE_CCWS, ACTIVE_CTA);
    rng_seed(&r, 1, 1);
    assert_true(b.a.throttle.due == UINT64_MAX);
    add_cta(&b, 0, &r);
    assert_true(b.a.throttle.due == 0);
    admission_choose(&b.a, 5);
    assert_true(b.a.throttle.due > 5);
    uint32_t name = b.cta[0].name[0], k = name / 64;
    throttle_set(b.a.throttle.no_loads, name);
    uint64_t bit = UINT64_C(1) << name % 64, all = b.core[k].resident;
    assert_true(admission_admitted(&b.a, k, all, 0) == all);
    assert_true(admission_admitted(&b.a, k, all, bit) == (all & ~bit));
    assert_true(admission_admitted(&b.a, k, all, all & ~bit) == all);
    admission_fini(&b.a);
}

/* A loaded state decides as the saved one, under every pair of policies. */
static void loaded_state_decides_as_the_saved_one(void **state)
{
    (void)state;
    for (int k = 0; k < SCHED_N * THROTTLE_N; k++) {
        static struct bench a, b;
        static unsigned char block[1 << 20];
        struct serializer save = {.mode = SERIALIZE_SAVE, .block = block};
        struct serializer load = {.mode = SERIALIZE_LOAD, .block = block};
        struct rng r;
        uint64_t issued = 77, read = 0;
        set_up(&a, (enum sched_kind)(k % SCHED_N), (enum throttle_kind)(k / SCHED_N), ACTIVE_CTA);
        set_up(&b, (enum sched_kind)(k % SCHED_N), (enum throttle_kind)(k / SCHED_N), ACTIVE_CTA);
        rng_seed(&r, 3, (uint64_t)k);
        for (uint32_t i = 0; i < 400; i++) {
            do_anything(&a, &r);
            issue(&a, i);
        }
        assert_true(admission_serialize(&a.a, &issued, &save) && save.bytes < sizeof block);
        assert_true(admission_serialize(&b.a, &read, &load) && read == 77);
        assert_true(load.bytes == save.bytes);
        for (uint32_t i = CTAS; i-- > 0;) /* in any order */
            for (uint32_t w = 0; w < WARPS; w++) {
                const struct listed *c = &a.cta[i];
                if (!c->born || !c->there[w]) continue;
                const struct admission_warp known = {c->name[w], i, c->cta, c->born - 1 + w};
                admission_enlist(&b.a, &known);
                if (c->waits[w]) admission_stops(&b.a, c->name[w]);
            }
        assert_true(a.a.n == b.a.n);
        assert_memory_equal(a.a.order, b.a.order, a.a.n * sizeof *a.a.order);
        a.a.throttle.due = b.a.throttle.due = a.a.throttle.ops ? 0 : UINT64_MAX;
        admission_choose(&a.a, 9);
        admission_choose(&b.a, 9);
        for (uint32_t i = 0; i < SUBCORES; i++) {
            uint64_t all = a.core[i].resident & ~a.core[i].waits;
            assert_true(b.core[i].resident == a.core[i].resident);
            uint64_t admitted = admission_admitted(&a.a, i, all, all);
            assert_true(admission_admitted(&b.a, i, all, all) == admitted);
            if (!admitted) continue;
            assert_true(a.core[i].sched.ops->pick(&a.core[i].sched, admitted, a.core[i].age) ==
                        b.core[i].sched.ops->pick(&b.core[i].sched, admitted, b.core[i].age));
        }
        admission_fini(&a.a);
        admission_fini(&b.a);
    }
}

static void what_learns_or_restricts_says_so(void **state)
{
    (void)state;
    assert_false(throttle_learns(THROTTLE_NONE));
    assert_false(throttle_learns(THROTTLE_FIXED));
    assert_true(throttle_learns(THROTTLE_IWL) && throttle_learns(THROTTLE_CCWS));
    assert_true(admission_restricts(&(struct sm_params){.throttle = THROTTLE_CCWS}));
    assert_true(admission_restricts(&(struct sm_params){.scheduler = SCHED_TWO_LEVEL}));
    assert_false(admission_restricts(&(struct sm_params){.scheduler = SCHED_GTO}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_limit_bars_whom_the_reference_bars),
        cmocka_unit_test(loads_alone_are_kept_from_who_may_not_load),
        cmocka_unit_test(loaded_state_decides_as_the_saved_one),
        cmocka_unit_test(what_learns_or_restricts_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
