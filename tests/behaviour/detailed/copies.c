/* Asynchronous copies (cp.async): what a wait for them costs to the cycle, on a machine where
 * nothing else is in the way: one warp whose copies all hit the L1.  The reference issues in order,
 * an instruction per cycle; a copy is complete a constant time after its issue. */
#include "base/memory/rng.h"
#include "tests/support/ask.h"
#include "tests/support/hand.h"

enum { LINE = 128, BASE = 1 << 20, MOST = 160 };

#define LOAD(follows)                                                           \
    {                                                                           \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = BASE, .after = (follows) \
    }
#define COPY                                                                    \
    {                                                                           \
        .cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = BASE, .hint = HINT_ASYNC \
    }
#define COMMIT                \
    {                         \
        .cls = OP_COPY_COMMIT \
    }
#define WAIT(n)                            \
    {                                      \
        .cls = OP_COPY_WAIT, .groups = (n) \
    }
#define BRANCH           \
    {                    \
        .cls = OP_BRANCH \
    }
#define END         \
    {               \
        .cls = OP_N \
    }

/* A warp goes on 4 cycles after a branch. */
#define ONE_SM "sm.count=1", "sm.units.branch.latency=4", "sm.units.branch.interval=1"
static const char *const sets[] = {ONE_SM};
enum { N_SETS = sizeof sets / sizeof *sets };

/* Runs `op` behind two loads of the line, the second of which hits, and waits for the first. */
static uint64_t cycles_with(const char *const *set, size_t n, const struct hand_op *op)
{
    struct hand_op all[MOST + 3] = {LOAD(true), LOAD(true)};
    uint32_t at = 2;
    for (; op[at - 2].cls != OP_N; at++)
        all[at] = op[at - 2];
    all[at] = (struct hand_op)END;
    struct metrics m = hand_run("qv100", set, n, all, 1);
    return (uint64_t)run_value(&m, "cycles");
}

static uint64_t cycles(const struct hand_op *op)
{
    return cycles_with(sets, N_SETS, op);
}

static uint32_t branch_cycles(void)
{
    return run_machine("qv100", sets, N_SETS).sm.branch.latency;
}

/* From the issue of a load or copy that hits to its completion: a chain of loads is longer by it
 * for each. */
static uint32_t hit_cycles(void)
{
    const struct hand_op none[] = {END}, one[] = {LOAD(true), END};
    return (uint32_t)(cycles(one) - cycles(none));
}

/* What the reference adds to the two loads alone. */
static uint64_t reference(const struct hand_op *op, uint32_t hit, uint32_t branch)
{
    uint64_t over[MOST] = {0}, group[MOST], now = 1, last = hit, committed = 0;
    uint32_t copies = 0;
    for (; op->cls != OP_N; op++) {
        if (op->cls == OP_COPY_WAIT)
            for (uint32_t i = 0; i < copies; i++)
                if (group[i] + op->groups < committed && over[i] > now) now = over[i];
        if (op->cls == OP_COPY_COMMIT) committed++;
        if (op->cls == OP_LOAD) {
            group[copies] = committed;
            over[copies++] = now + hit;
            if (now + hit > last) last = now + hit;
        }
        now += op->cls == OP_BRANCH ? branch : 1;
    }
    return (now > last ? now : last) - hit;
}

/* k groups of a copy each, then a wait that leaves n open, and branches that show when it was over.
 */
static void a_wait_is_over_with_its_oldest_groups(void **state)
{
    (void)state;
    enum { SHOWN = 12 };
    const uint32_t hit = hit_cycles(), branch = branch_cycles();
    const struct hand_op none[] = {END};
    uint64_t base = cycles(none);
    assert_true(hit > 16);
    for (uint32_t k = 1; k <= 6; k++)
        for (uint32_t n = 0; n <= 7; n++) {
            struct hand_op op[MOST];
            uint32_t at = 0;
            for (uint32_t i = 0; i < k; i++) {
                op[at++] = (struct hand_op)COPY;
                op[at++] = (struct hand_op)COMMIT;
            }
            op[at++] = (struct hand_op)WAIT((uint8_t)n);
            for (uint32_t i = 0; i < SHOWN; i++)
                op[at++] = (struct hand_op)BRANCH;
            op[at] = (struct hand_op)END;
            /* from the second load: the wait issues when copy k - n - 1 is complete, or behind the
             * last commit */
            uint32_t over = n < k ? 1 + 2 * (k - n - 1) + hit : 1 + 2 * k;
            assert_int_equal(cycles(op) - base, over + 1 + SHOWN * branch - hit);
            assert_int_equal(reference(op, hit, branch), over + 1 + SHOWN * branch - hit);
        }
}

/* A loop that begins the next step's copy and then computes takes the longer of both. */
static void double_buffering_hides_the_shorter(void **state)
{
    (void)state;
    const uint32_t hit = hit_cycles(), branch = branch_cycles();
    for (uint32_t work = 0; work < 3 * hit / branch; work += 2) {
        uint64_t time[2];
        for (uint32_t rounds = 2; rounds <= 4; rounds += 2) {
            struct hand_op op[MOST];
            uint32_t at = 0;
            for (uint32_t r = 0; r < rounds; r++) {
                op[at++] = (struct hand_op)WAIT(0);
                op[at++] = (struct hand_op)COPY;
                op[at++] = (struct hand_op)COMMIT;
                for (uint32_t i = 0; i < work; i++)
                    op[at++] = (struct hand_op)BRANCH;
            }
            op[at] = (struct hand_op)END;
            assert_true(at < MOST);
            time[rounds / 4] = cycles(op);
        }
        uint32_t compute = 3 + work * branch, memory = 1 + hit;
        assert_int_equal(time[1] - time[0], 2 * (compute > memory ? compute : memory));
    }
}

static void random_waits_cost_what_the_reference_says(void **state)
{
    (void)state;
    const uint32_t hit = hit_cycles(), branch = branch_cycles();
    const struct hand_op none[] = {END};
    const uint64_t base = cycles(none);
    struct rng rng;
    rng_seed(&rng, 7, 0);
    for (uint32_t round = 0; round < 150; round++) {
        struct hand_op op[MOST];
        uint32_t n = 1 + (uint32_t)rng_below(&rng, MOST - 1);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t what = (uint32_t)rng_below(&rng, 8);
            op[i] = what < 3    ? (struct hand_op)COPY
                    : what < 5  ? (struct hand_op)COMMIT
                    : what == 5 ? (struct hand_op)WAIT((uint8_t)rng_below(&rng, 6))
                                : (struct hand_op)BRANCH;
        }
        op[n] = (struct hand_op)END;
        assert_int_equal(cycles(op) - base, reference(op, hit, branch));
    }
}

/* Rules of memory waits are for loads: the second load holds back the copy, or the barrier behind
 * it, or nothing; the copy never holds back the barrier and what comes behind it. */
static void other_instructions_do_not_wait(void **state)
{
    (void)state;
    enum { BRANCHES = 18 };
    const uint32_t hit = hit_cycles(), branch = branch_cycles();
    const struct hand_op none[] = {END};
    struct hand_op op[MOST] = {COPY, {.cls = OP_BARRIER}};
    const struct {
        const char *wait;
        uint64_t barrier; /* when it issues, from the issue of the second load */
    } rule[] = {{"sm.memory_wait=block", hit + 1},
                {"sm.memory_wait=wait_all_at_use", hit},
                {"sm.memory_wait=scoreboard", 2}};
    for (uint32_t i = 0; i < BRANCHES; i++)
        op[2 + i] = (struct hand_op)BRANCH;
    op[2 + BRANCHES] = (struct hand_op)END;
    assert_true(BRANCHES * branch > 2 * hit);
    for (uint32_t i = 0; i < 3; i++) {
        const char *const set[] = {ONE_SM, rule[i].wait};
        uint64_t time = cycles_with(set, N_SETS + 1, op) - cycles_with(set, N_SETS + 1, none);
        assert_int_equal(time, rule[i].barrier + 1 + BRANCHES * branch - hit);
    }
}

/* A copy is a load to everything behind the SM, and brings nothing to a register. */
static void copies_load_and_write_no_register(void **state)
{
    (void)state;
    const struct hand_op op[] = {COPY, COMMIT, WAIT(0), COPY, END};
    struct metrics m = hand_run("qv100", sets, N_SETS, op, 1);
    assert_float_equal(run_value(&m, "l1.reads"), 2, 0);
    assert_float_equal(run_value(&m, "l1.misses"), 1, 0);
    assert_float_equal(run_value(&m, "l2.reads"), 1, 0);
}

/* Copies with the hint go past the L1. */
static void hinted_copies_bypass_the_l1(void **state)
{
    (void)state;
    struct hand_op op[] = {COPY, COMMIT, WAIT(0), COPY, END};
    op[0].hint |= HINT_BYPASS_L1;
    op[3].hint |= HINT_BYPASS_L1;
    struct metrics m = hand_run("qv100", sets, N_SETS, op, 1);
    assert_float_equal(run_value(&m, "l1.bypasses"), 2, 0);
    assert_float_equal(run_value(&m, "l2.reads"), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_is_over_with_its_oldest_groups),
        cmocka_unit_test(double_buffering_hides_the_shorter),
        cmocka_unit_test(random_waits_cost_what_the_reference_says),
        cmocka_unit_test(other_instructions_do_not_wait),
        cmocka_unit_test(copies_load_and_write_no_register),
        cmocka_unit_test(hinted_copies_bypass_the_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
