/* l1_order.c - who waits before the L1 of the functional pass, and who joins whose fetch there? */
#include "base/memory/alloc.h"
#include "estimator/reuse/reuse_observer.h"
#include "gpu/geometry/occupancy.h"
#include "sampler/strata/est_params.h"
#include "tests/support/check.h"
#include "tests/support/run.h"

enum { WARPS = 4, REGISTERS = 4, LANES = 64, LINE = 64 };

struct sm {
    struct machine m;
    struct profile_view v;
    struct followed_lines followed;
    struct reuse_observer *s;
    struct static_inst si;
};

static void begin(struct sm *t, const char *machine)
{
    static const struct static_inst none;
    const struct launch l = {
        .warps_per_cta = WARPS, .n_registers = REGISTERS, .code = &none, .n_code = 1};
    t->m = run_machine(machine, NULL, 0);
    t->v = est_view_of(&t->m);
    t->followed = (struct followed_lines){.one_in = 1};
    t->s = mem_new(1, sizeof *t->s);
    assert_non_null(t->s);
    assert_true(reuse_observer_init(t->s, &t->v, &t->followed));
    const struct occupancy fit = {.ctas = 1, .l1_kb = 16};
    assert_true(reuse_observer_ops.launch(t->s, &l, &fit));
    for (uint32_t i = 0; i < WARPS; i++)
        reuse_observer_ops.begins(t->s, i, 0);
}

static void end(struct sm *t)
{
    assert_false(t->s->l1.failed);
    reuse_observer_fini(t->s);
    mem_free(t->s);
}

/* A warp's load of lanes that lie `stride` bytes apart. */
static double load(struct sm *t, uint32_t warp, uint64_t base, int64_t stride, double time)
{
    t->si = (struct static_inst){
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 1, .n_src = 0};
    const struct warp_inst w = {
        .si = &t->si, .form = ADDR_STRIDE, .mask = UINT64_MAX, .base = base, .stride = stride};
    const struct func_issue i = {.warp = warp, .name = (uint16_t)warp, .inst = &w, .time = time};
    reuse_observer_ops.issues(t->s, &i);
    return reuse_observer_ops.access(t->s, &i);
}

/* An instruction that needs what the warp's last load brings. */
static void use(struct sm *t, uint32_t warp, double time)
{
    t->si = (struct static_inst){.cls = OP_FP32, .dst = 2, .n_src = 1, .src = {1}};
    const struct warp_inst w = {.si = &t->si, .mask = UINT64_MAX};
    const struct func_issue i = {.warp = warp, .name = (uint16_t)warp, .inst = &w, .time = time};
    reuse_observer_ops.issues(t->s, &i);
}

static double opens(const struct sm *t)
{
    return reuse_observer_ops.room_at(t->s, 0);
}

/* All lines of a load want two sets of four ways, so that each waits for another's fetch. The queue
 * counts accesses, not the cycles for which they wait. */
static void a_queue_holds_accesses(void **state)
{
    struct sm t;
    (void)state;
    begin(&t, "hd7770-fgcs18");
    uint32_t loads = t.v.l1_queue / LANES;
    for (uint32_t i = 0; i + 1 < loads; i++) {
        load(&t, i % WARPS, UINT64_C(1) << (20 + i % WARPS), 32 * LINE, 0);
        assert_true(opens(&t) <= 0);
    }
    assert_true(t.s->door > 4 * t.v.l1_queue);
    for (uint32_t i = 0; i < WARPS; i++)
        load(&t, i, UINT64_C(1) << (25 + i), 32 * LINE, 0);
    assert_true(opens(&t) > 0);
    end(&t);
}

/* The ages of those that may join a fetch, after a second warp's load of the first one's line. */
static double joined(bool has_waited)
{
    struct sm t;
    begin(&t, "rx540");
    double there = load(&t, 0, 1 << 20, 0, 0);
    if (has_waited) use(&t, 0, there);
    load(&t, 1, 1 << 20, 0, has_waited ? there + 4 : 4);
    double n = t.s->l1.read[0].age.total;
    end(&t);
    return n;
}

static void who_comes_after_a_wait_joins_nobody(void **state)
{
    (void)state;
    assert_true(joined(false) == 1);
    assert_true(joined(true) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_holds_accesses),
        cmocka_unit_test(who_comes_after_a_wait_joins_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
