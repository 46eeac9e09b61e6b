/* follows_warp_policies.c - do estimates put limits, throttles, orders and dispatch in the cycle
 * model's order, on programs where each of them matters? */
#include "tests/support/ask.h"
#include "tests/support/written.h"

#include <math.h>

/* Lines of all warps lie side by side, so that every set, slice and bank has its share. */
enum { LINE = 128, BASE = 1 << 20, SPREAD = 97 };

/* What a warp does: loads of a line each, one after the other, `adds` additions between them. */
struct work {
    uint32_t ctas, warps, adds;
    uint32_t (*lines)(uint32_t cta, uint32_t warp, uint32_t *line); /* at most 512 */
};

static void write_warp(struct writer *out, const struct work *w, uint32_t cta, uint32_t warp)
{
    struct error e = {0};
    struct static_inst load = {
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 1, .n_src = 1, .src = {1}};
    struct static_inst add = {.pc = 8, .cls = OP_INT, .dst = 1, .n_src = 1, .src = {1}};
    struct static_inst end = {.pc = 16, .cls = OP_EXIT, .dst = REG_NONE};
    uint32_t loads = writer_code(out, &load, NULL), adds = writer_code(out, &add, NULL), line[512];
    uint32_t n = w->lines(cta, warp, line);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t addr = BASE + (uint64_t)line[k] * LINE;
        assert_true(writer_inst(out, warp, loads, 1, &addr, &e));
        for (uint32_t i = 0; i < w->adds; i++)
            assert_true(writer_inst(out, warp, adds, UINT32_MAX, NULL, &e));
    }
    assert_true(writer_inst(out, warp, writer_code(out, &end, NULL), 1, NULL, &e));
}

static struct program *program_of(const struct work *w)
{
    struct written t = written_begin(32);
    struct error e = {0};
    const struct launch l = {
        .name = "work", .grid = {w->ctas, 1, 1}, .block = {w->warps * 32, 1, 1}};
    assert_true(writer_launch_begin(t.w, &l, &e));
    for (uint32_t c = 0; c < w->ctas; c++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t i = 0; i < w->warps; i++)
            write_warp(t.w, w, c, i);
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

struct both {
    double simulated, estimated; /* cycles */
    double kept, told;           /* L1 hit rates by either */
};

static double cycles_of(enum engine engine, const struct machine *m, const struct program *p,
                        double *hit_rate)
{
    struct metrics a = ask(engine, m, p);
    *hit_rate = run_value(&a, "l1.hit_rate");
    return run_value(&a, "cycles");
}

enum { SETS = 5 };
struct policy {
    const char *name, *set[SETS];
};

/* Two SMs on one channel behind a small L2: what is missed twice is paid for. */
static struct both look(const struct work *w, const struct policy *policy)
{
    const char *sets[SETS + 4] = {"sm.count=2", "sm.launch_cycles=0", "dram.channels=1",
                                  "l2.bank_kb=16"};
    size_t n = 4;
    for (uint32_t i = 0; i < SETS && policy->set[i]; i++)
        sets[n++] = policy->set[i];
    struct machine m = run_machine("fermi-vws", sets, n);
    struct program *p = program_of(w);
    struct both b;
    b.simulated = cycles_of(ENGINE_SIMULATE, &m, p, &b.kept);
    b.estimated = cycles_of(ENGINE_ESTIMATE, &m, p, &b.told);
    program_close(p);
    print_message("%-12s simulated %8.0f, estimated %8.0f; hit rates %.3f, %.3f\n", policy->name,
                  b.simulated, b.estimated, b.kept, b.told);
    return b;
}

#define FIXED(n) "sm.throttle=fixed", "sm.active_set=cta", "sm.active_warps=" n
static const struct policy policies[] = {
    {"lrr", {NULL}},
    {"gto", {"sm.scheduler=gto"}},
    {"two_level", {"sm.scheduler=two_level", "sm.two_level.warps=4"}},
    {"intercl", {"sm.scheduler=intercl", "sm.intercl.warps=8"}},
    {"1", {FIXED("1")}},
    {"2", {FIXED("2")}},
    {"4", {FIXED("4")}},
    {"8", {FIXED("8")}},
    {"10", {FIXED("10")}},
    {"8 spread", {"sm.throttle=fixed", "sm.active_warps=8"}},
    {"ccws", {"sm.scheduler=gto", "sm.throttle=ccws"}},
    {"iwl", {"sm.throttle=iwl", "sm.active_set=cta"}},
    {"tbas", {"sm.scheduler=tbas", "sm.tbas.warps=8"}},
};
enum { POLICIES = sizeof policies / sizeof policies[0] };

/* Kendall's tau over pairs whose simulated cycles differ by more than 10 %. */
static double tau(const struct both *b, uint32_t n)
{
    double agree = 0, pairs = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            double far = log(b[i].simulated / b[j].simulated);
            double told = far * log(b[i].estimated / b[j].estimated);
            if (fabs(far) < log(1.1)) continue;
            pairs++;
            agree += told > 0 ? 1 : -1;
        }
    assert_true(pairs > n);
    return agree / pairs;
}

/* Each warp goes twenty times over 24 lines of its own: ten of them fit into the L1 of 256 lines,
 * 24 are resident.  Few leave the memory idle, many push each other's lines out. */
static uint32_t own_lines(uint32_t cta, uint32_t warp, uint32_t *line)
{
    enum { OWN = 24, ROUNDS = 20 };
    for (uint32_t k = 0; k < OWN * ROUNDS; k++)
        line[k] = k % OWN * SPREAD + cta * 4 + warp;
    return OWN * ROUNDS;
}

static void throttles_are_ordered(void **state)
{
    (void)state;
    const struct work w = {24, 4, 1, own_lines};
    struct both b[POLICIES];
    uint32_t best = 0, told = 0;
    for (uint32_t i = 0; i < POLICIES; i++) {
        b[i] = look(&w, &policies[i]);
        if (b[i].simulated < b[best].simulated) best = i;
        if (b[i].estimated < b[told].estimated) told = i;
    }
    print_message("tau %.2f\n", tau(b, POLICIES));
    assert_true(b[0].simulated > 1.3 * b[best].simulated); /* it matters */
    assert_true(tau(b, POLICIES) >= 0.85);
    assert_true(b[told].simulated < 1.1 * b[best].simulated);
}

/* Sixteen warps' 384 lines are more than the L1 holds, and while they walk in step none of them is
 * found again.  They drift apart, and half are. */
static void in_step_where_it_hardly_does_not_fit(void **state)
{
    (void)state;
    const struct work w = {24, 4, 1, own_lines};
    const struct policy sixteen = {"16", {FIXED("16")}};
    struct both b = look(&w, &sixteen);
    assert_true(b.kept > 0.4 && fabs(b.kept - b.told) < 0.12);
    assert_true(b.estimated < 1.2 * b.simulated && b.estimated > b.simulated / 1.2);
}

/* Lines that nobody meets again: the more warps the better, and the order is nearly all one. */
static uint32_t new_lines(uint32_t cta, uint32_t warp, uint32_t *line)
{
    for (uint32_t k = 0; k < 32; k++)
        line[k] = k * SPREAD + cta * 4 + warp;
    return 32;
}

static void without_reuse_limits_only_cost(void **state)
{
    (void)state;
    const struct work w = {24, 4, 6, new_lines};
    double before = INFINITY;
    struct both b[5], all = look(&w, &policies[0]);
    for (uint32_t i = 0; i < 5; i++) {
        b[i] = look(&w, &policies[4 + i]); /* 1, 2, 4, 8, 10 */
        assert_true(b[i].estimated < before);
        assert_true(fabs(b[i].estimated / b[i].simulated - 1) < 0.3);
        before = b[i].estimated;
    }
    assert_true(b[0].simulated > 4 * all.simulated && b[0].estimated > 4 * all.estimated);
}

/* --- dispatch --- */

static const struct policy interleaved = {"interleaved", {NULL}},
                           serial = {"serial", {"sm.dispatch=serial"}};

/* Neighbours walk over the same lines: serial dispatch leaves them on one SM. */
static uint32_t shared_with_the_next(uint32_t cta, uint32_t warp, uint32_t *line)
{
    for (uint32_t k = 0; k < 64; k++)
        line[k] = k * SPREAD + cta / 2 * 4 + warp;
    return 64;
}

static void neighbours_gain_from_serial_dispatch(void **state)
{
    (void)state;
    const struct work w = {16, 4, 0, shared_with_the_next};
    static const char *const few = "noc.flit_bytes=9"; /* 16 cycles per line */
    struct policy a = interleaved, b = serial;
    a.set[0] = few;
    b.set[1] = few;
    struct both dealt = look(&w, &a), queued = look(&w, &b);
    double gain = dealt.simulated / queued.simulated, told = dealt.estimated / queued.estimated;
    assert_true(gain > 1.02);
    assert_true(told > 1.02);
}

/* The first half of the CTAs has five times the work of the second. */
static uint32_t work_in_front(uint32_t cta, uint32_t warp, uint32_t *line)
{
    uint32_t n = cta < 8 ? 100 : 20;
    for (uint32_t k = 0; k < n; k++)
        line[k] = k * SPREAD + cta * 4 + warp;
    return n;
}

static void long_ctas_in_one_queue_cost(void **state)
{
    (void)state;
    const struct work w = {16, 4, 6, work_in_front};
    struct both dealt = look(&w, &interleaved), queued = look(&w, &serial);
    double cost = queued.simulated / dealt.simulated, told = queued.estimated / dealt.estimated;
    assert_true(cost > 1.3);
    assert_true(fabs(told / cost - 1) < 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(throttles_are_ordered),
        cmocka_unit_test(in_step_where_it_hardly_does_not_fit),
        cmocka_unit_test(without_reuse_limits_only_cost),
        cmocka_unit_test(neighbours_gain_from_serial_dispatch),
        cmocka_unit_test(long_ctas_in_one_queue_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
