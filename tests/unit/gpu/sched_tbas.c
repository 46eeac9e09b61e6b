/* Thread batch-aware scheduling: figure 37's steps in situations written by hand, and random
 * histories against a reference that finds every batch anew by counting over all slots. */
#include "gpu/policies/sched.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { SLOTS = 24, WARPS = 4, CTAS = SLOTS / WARPS, BATCH_MAX = 4096 };

#define BIT(slot) (UINT64_C(1) << (slot))

struct bench {
    struct sm_params p;
    struct sched s;
    struct sched_batches batches;
    uint64_t age[64], cta[64], resident;
    uint32_t cta_slot[64];
};

static void set_up(struct bench *b, enum tbas_steps steps, uint32_t places, uint64_t batch_blocks)
{
    *b = (struct bench){
        .p = {.scheduler = SCHED_TBAS, .owl_ctas = 1, .tbas_warps = places, .tbas_steps = steps}};
    const struct sched_view v = {.age = b->age,
                                 .cta = b->cta,
                                 .cta_slot = b->cta_slot,
                                 .resident = &b->resident,
                                 .batches = &b->batches};
    sched_init(&b->s, &b->p, &v);
    sched_launch(&b->s, &(struct sched_launch){0, CTAS, batch_blocks});
}

/* Figure 37: four batches of one CTA with two warps each. */
static void set_up_figure(struct bench *b, enum tbas_steps steps)
{
    set_up(b, steps, 2, 1);
    for (uint32_t i = 0; i < 8; i++) {
        b->age[i] = i;
        b->cta[i] = b->cta_slot[i] = i / 2;
        b->resident |= BIT(i);
    }
}

static uint64_t admit(struct bench *b, uint64_t runnable)
{
    return b->s.ops->admit(&b->s, runnable);
}

#define OF(batch) (UINT64_C(3) << 2 * (batch))
#define ALL UINT64_C(0xff)

/* Both warps of a batch run; the next one comes when they wait, and a place that one of them leaves
 * is not idle. */
static void a_batch_runs_until_its_warps_wait(void **state)
{
    (void)state;
    for (int steps = 0; steps < TBAS_STEPS_N; steps++) {
        struct bench b;
        set_up_figure(&b, (enum tbas_steps)steps);
        assert_true(admit(&b, ALL) == OF(0));
        assert_true(admit(&b, ALL & ~BIT(0)) == (BIT(1) | BIT(2)));
        b.s.last = 0;
        assert_int_equal(b.s.ops->pick(&b.s, BIT(1) | BIT(2), b.age), 1);
        assert_true(admit(&b, ALL & ~OF(0)) == OF(1));
        assert_true(admit(&b, ALL & ~OF(0) & ~OF(1)) == OF(2));
    }
}

/* Batches 0 and 1 wait and come back, 1 first; 3 has been ready all the time. When 2 waits,
 * gathering takes them in the order in which they were ready, successor takes 3 and begins again at
 * 0, and older_first goes by age. */
static void the_three_steps_differ(void **state)
{
    (void)state;
    static const uint32_t want[TBAS_STEPS_N][3] = {
        [TBAS_GATHER] = {3, 1, 0}, [TBAS_SUCCESSOR] = {3, 0, 1}, [TBAS_OLDER_FIRST] = {0, 1, 3}};
    for (int steps = 0; steps < TBAS_STEPS_N; steps++) {
        struct bench b;
        set_up_figure(&b, (enum tbas_steps)steps);
        assert_true(admit(&b, ALL) == OF(0));
        assert_true(admit(&b, OF(1) | OF(2) | OF(3)) == OF(1));
        assert_true(admit(&b, OF(2) | OF(3)) == OF(2));
        assert_true(admit(&b, OF(1) | OF(2) | OF(3)) == OF(2));
        assert_true(admit(&b, ALL) == OF(2));
        uint64_t runnable = ALL & ~OF(2);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(admit(&b, runnable) == OF(want[steps][i]));
            runnable &= ~OF(want[steps][i]);
        }
        assert_true(admit(&b, runnable) == 0);
    }
}

/* A batch of which one warp waits is held back, unless nobody else is runnable. */
static void warps_of_a_batch_come_together(void **state)
{
    (void)state;
    struct bench b;
    set_up_figure(&b, TBAS_OLDER_FIRST);
    assert_true(admit(&b, BIT(0) | OF(2)) == OF(2));
    assert_true(admit(&b, OF(0) | BIT(4)) == (BIT(4) | BIT(0)));
    set_up_figure(&b, TBAS_OLDER_FIRST);
    assert_true(admit(&b, BIT(0) | BIT(4)) == BIT(0)); /* one after the other */
    assert_true(admit(&b, BIT(4)) == BIT(4));
}

/* Who waits at a barrier or is stopped does not hold back those that it waits for. */
static void a_barrier_holds_no_batch_back(void **state)
{
    (void)state;
    struct bench b;
    set_up_figure(&b, TBAS_OLDER_FIRST);
    b.s.held_back = BIT(0);
    assert_true(admit(&b, ALL & ~BIT(0)) == (BIT(1) | BIT(2)));
    set_up_figure(&b, TBAS_OLDER_FIRST);
    assert_true(admit(&b, ALL & ~BIT(0)) == OF(1)); /* waits for memory instead */
}

static void a_batch_is_several_ctas(void **state)
{
    (void)state;
    struct bench b;
    set_up_figure(&b, TBAS_SUCCESSOR);
    b.p.tbas_warps = 4;
    sched_launch(&b.s, &(struct sched_launch){0, 4, 2});
    assert_true(admit(&b, ALL) == (OF(0) | OF(1)));
    assert_true(admit(&b, ALL & ~OF(0)) == (OF(1) | OF(2)));
    assert_true(admit(&b, OF(2) | OF(3)) == (OF(2) | OF(3)));
}

/* --- the reference --- */

struct reference {
    bool running[BATCH_MAX], in[SLOTS];
    uint32_t promoted_at[BATCH_MAX]; /* order of promotion */
    uint32_t enough_at[BATCH_MAX];   /* order in which those that could be promoted became so */
    uint32_t promotions, came;
    uint64_t newest, blocks; /* newest: promoted last */
};

static uint64_t number_of(const struct bench *b, const struct reference *r, uint32_t slot)
{
    return b->cta[slot] / r->blocks;
}

struct count {
    uint32_t runnable, waiting;
    uint64_t age;
    bool any;
};

static struct count count_batch(const struct bench *b, const struct reference *r, uint64_t batch,
                                uint64_t runnable)
{
    struct count c = {.age = UINT64_MAX};
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!(b->resident >> i & 1) || number_of(b, r, i) != batch) continue;
        c.any = true;
        if (b->age[i] < c.age) c.age = b->age[i];
        if (runnable >> i & 1)
            c.runnable++;
        else if (!(b->s.held_back >> i & 1))
            c.waiting++;
    }
    return c;
}

static bool could_come(const struct bench *b, const struct reference *r, uint64_t batch,
                       uint64_t runnable)
{
    struct count c = count_batch(b, r, batch, runnable);
    if (r->running[batch] || !c.runnable) return false;
    return !c.waiting || c.runnable >= b->p.tbas_warps;
}

static uint32_t count_in(const struct reference *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        n += r->in[i];
    return n;
}

/* The oldest of the batch's runnable warps take the free places. */
static void reference_fill(const struct bench *b, struct reference *r, uint64_t batch,
                           uint64_t runnable)
{
    while (count_in(r) < b->p.tbas_warps) {
        uint32_t best = SLOTS;
        for (uint32_t i = 0; i < SLOTS; i++)
            if ((runnable >> i & 1) && !r->in[i] && number_of(b, r, i) == batch &&
                (best == SLOTS || b->age[i] < b->age[best]))
                best = i;
        if (best == SLOTS) return;
        r->in[best] = true;
    }
}

/* Whether batch a's turn is before batch c's. */
static bool reference_before(const struct bench *b, const struct reference *r, uint64_t a,
                             uint64_t c, uint64_t runnable)
{
    bool older = count_batch(b, r, a, runnable).age < count_batch(b, r, c, runnable).age;
    bool behind[2] = {a > r->newest, c > r->newest};
    switch (b->p.tbas_steps) {
    case TBAS_GATHER:
        if (r->enough_at[a] == r->enough_at[c]) return older;
        return r->enough_at[a] < r->enough_at[c];
    case TBAS_SUCCESSOR:
        if (r->newest == UINT64_MAX) return a < c;
        return behind[0] != behind[1] ? behind[0] : a < c;
    case TBAS_OLDER_FIRST:
    case TBAS_STEPS_N: break;
    }
    return older;
}

static void reference_promote(const struct bench *b, struct reference *r, uint64_t batch,
                              uint64_t runnable)
{
    r->running[batch] = true;
    r->newest = batch;
    r->promoted_at[batch] = ++r->promotions;
    r->enough_at[batch] = UINT32_MAX;
    reference_fill(b, r, batch, runnable);
}

/* The runnable batches that are running, in the order of promotion. */
static uint64_t nth_running(const struct reference *r, uint32_t after)
{
    uint64_t best = BATCH_MAX;
    for (uint64_t i = 0; i < BATCH_MAX; i++)
        if (r->running[i] && r->promoted_at[i] > after &&
            (best == BATCH_MAX || r->promoted_at[i] < r->promoted_at[best]))
            best = i;
    return best;
}

static void reference_leave(const struct bench *b, struct reference *r, uint64_t runnable)
{
    uint64_t batch;
    for (uint32_t at = 0; (batch = nth_running(r, at)) < BATCH_MAX; at = r->promoted_at[batch]) {
        if (!count_batch(b, r, batch, runnable).runnable) r->running[batch] = false;
    }
}

/* Who has enough from now on, the oldest first. */
static void reference_queue(const struct bench *b, struct reference *r, uint64_t runnable)
{
    for (uint64_t i = 0; i < BATCH_MAX; i++)
        if (r->enough_at[i] != UINT32_MAX && !could_come(b, r, i, runnable))
            r->enough_at[i] = UINT32_MAX;
    for (uint32_t age = 0; age < SLOTS; age++) {
        uint64_t next = BATCH_MAX, least = UINT64_MAX;
        for (uint32_t i = 0; i < SLOTS; i++) {
            uint64_t batch = number_of(b, r, i);
            if (!(b->resident >> i & 1) || r->enough_at[batch] != UINT32_MAX) continue;
            if (!could_come(b, r, batch, runnable) || b->age[i] > least) continue;
            least = b->age[i];
            next = batch;
        }
        if (next < BATCH_MAX) r->enough_at[next] = r->came++;
    }
}

static uint64_t reference_next(const struct bench *b, const struct reference *r, uint64_t runnable)
{
    uint64_t best = BATCH_MAX;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint64_t batch = number_of(b, r, i);
        if (!(b->resident >> i & 1) || !could_come(b, r, batch, runnable)) continue;
        if (best == BATCH_MAX || reference_before(b, r, batch, best, runnable)) best = batch;
    }
    return best;
}

static uint64_t reference_fullest(const struct bench *b, const struct reference *r,
                                  uint64_t runnable)
{
    uint64_t best = BATCH_MAX;
    uint32_t most = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint64_t batch = number_of(b, r, i);
        uint32_t n = count_batch(b, r, batch, runnable).runnable;
        if (!(b->resident >> i & 1) || !n || n < most) continue;
        if (n > most || reference_before(b, r, batch, best, runnable)) best = batch, most = n;
    }
    return best;
}

static uint64_t reference_admit(const struct bench *b, struct reference *r, uint64_t runnable)
{
    uint64_t batch, in = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        r->in[i] = r->in[i] && (runnable >> i & 1);
    reference_leave(b, r, runnable);
    reference_queue(b, r, runnable);
    for (uint32_t at = 0; (batch = nth_running(r, at)) < BATCH_MAX; at = r->promoted_at[batch])
        reference_fill(b, r, batch, runnable);
    while (count_in(r) < b->p.tbas_warps && (batch = reference_next(b, r, runnable)) < BATCH_MAX)
        reference_promote(b, r, batch, runnable);
    if (!count_in(r) && (batch = reference_fullest(b, r, runnable)) < BATCH_MAX)
        reference_promote(b, r, batch, runnable);
    for (uint32_t i = 0; i < SLOTS; i++)
        in |= (uint64_t)r->in[i] << i;
    return in;
}

static uint32_t reference_pick(const struct bench *b, const struct reference *r, uint64_t ready)
{
    uint32_t best = SLOTS;
    if (ready >> b->s.last & 1) return b->s.last;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!(ready >> i & 1)) continue;
        uint32_t turn = r->promoted_at[number_of(b, r, i)];
        uint32_t first = best < SLOTS ? r->promoted_at[number_of(b, r, best)] : UINT32_MAX;
        if (turn < first || (turn == first && b->age[i] < b->age[best])) best = i;
    }
    return best;
}

/* --- random histories --- */

struct history {
    uint64_t waits, at_barrier, stopped; /* slots */
    uint64_t age, ctas;
};

static void begin_cta(struct bench *b, struct history *h, uint32_t place)
{
    for (uint32_t i = place * WARPS; i < (place + 1) * WARPS; i++) {
        b->age[i] = h->age++;
        b->cta[i] = h->ctas;
        b->resident |= BIT(i);
        h->waits &= ~BIT(i);
        h->at_barrier &= ~BIT(i);
    }
    h->ctas++;
}

static void end_warp(struct bench *b, struct reference *r, uint32_t slot)
{
    b->resident &= ~BIT(slot);
    r->in[slot] = false;
    b->s.ops->ended(&b->s, slot);
}

/* Each cycle a few slots change: loads are issued and come back, barriers, ends, new CTAs. */
static void change(struct bench *b, struct reference *r, struct history *h, struct rng *g)
{
    for (uint32_t n = (uint32_t)rng_below(g, 4); n; n--) {
        uint32_t slot = (uint32_t)rng_below(g, SLOTS), place = slot / WARPS;
        uint64_t cta = UINT64_C(15) << place * WARPS;
        uint64_t what = rng_below(g, 40);
        if (!(b->resident & cta)) begin_cta(b, h, place);
        if (!(b->resident >> slot & 1)) continue;
        if (what == 0)
            end_warp(b, r, slot);
        else if (what < 4)
            h->at_barrier ^= BIT(slot);
        else if (what < 7)
            h->stopped ^= BIT(slot);
        else
            h->waits ^= BIT(slot);
    }
}

static void decides_as_the_reference(enum tbas_steps steps, uint32_t places, uint64_t blocks)
{
    static struct bench b;
    static struct reference r;
    struct history h = {0};
    struct rng g;
    uint32_t held = 0;
    set_up(&b, steps, places, blocks);
    r = (struct reference){.newest = UINT64_MAX, .blocks = blocks};
    for (uint32_t i = 0; i < BATCH_MAX; i++)
        r.enough_at[i] = UINT32_MAX;
    rng_seed(&g, (uint64_t)steps, places * 100 + blocks);
    for (uint32_t i = 0; i < CTAS; i++)
        begin_cta(&b, &h, i);
    for (uint32_t now = 0; now < 600; now++) {
        change(&b, &r, &h, &g);
        b.s.held_back = h.at_barrier | h.stopped;
        uint64_t runnable = b.resident & ~h.waits & ~b.s.held_back;
        uint64_t want = reference_admit(&b, &r, runnable), got = admit(&b, runnable);
        assert_true(got == want);
        assert_true(!runnable == !got && !(got & ~runnable));
        assert_true(admit(&b, runnable) == got); /* asking changes nothing */
        held += got != runnable && (uint32_t)__builtin_popcountll(got) < places;
        uint64_t ready = got & rng_next(&g);
        if (!ready) continue;
        uint32_t slot = b.s.ops->pick(&b.s, ready, b.age);
        assert_int_equal(slot, reference_pick(&b, &r, ready));
        b.s.last = slot;
        if (!rng_below(&g, 3)) h.waits |= BIT(slot);
    }
    assert_true(h.ctas < BATCH_MAX);
    if (places > 1) assert_true(held > 0); /* a batch is held back while places are free */
}

static void random_histories_are_decided_as_by_the_reference(void **state)
{
    (void)state;
    for (int steps = 0; steps < TBAS_STEPS_N; steps++)
        for (uint32_t places = 1; places < 9; places += places < 4 ? 1 : 4)
            for (uint64_t blocks = 1; blocks < 4; blocks++)
                decides_as_the_reference((enum tbas_steps)steps, places, blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_runs_until_its_warps_wait),
        cmocka_unit_test(the_three_steps_differ),
        cmocka_unit_test(warps_of_a_batch_come_together),
        cmocka_unit_test(a_barrier_holds_no_batch_back),
        cmocka_unit_test(a_batch_is_several_ctas),
        cmocka_unit_test(random_histories_are_decided_as_by_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
