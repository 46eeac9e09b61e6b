/* The functional machine's wait for asynchronous copies, in front of a memory whose accesses all
 * take LATENCY: a loop that begins the next step's copy and then computes takes the longer of
 * both; without a wait for them, only the warp's end waits for copies. */
#include "gpu/functional/execution/functional.h"
#include "tests/support/hand.h"
#include "tests/support/run.h"

#include <math.h>

enum { LATENCY = 200, MOST = 200 };

/* A memory without state; it notes when the warp has ended. */
struct even_memory {
    double ended;
};

static double access_evenly(void *memory, const struct func_issue *i)
{
    (void)memory;
    return i->time + LATENCY;
}

static void synchronise(void *memory, uint32_t sm, double time)
{
    (void)memory, (void)sm, (void)time;
}

static bool launch(void *memory, const struct launch *l, const struct occupancy *fit)
{
    (void)memory, (void)l, (void)fit;
    return true;
}

static void advance(void *memory, double now)
{
    (void)memory, (void)now;
}

static bool needs_room(const void *memory, const struct warp_inst *inst)
{
    (void)memory, (void)inst;
    return false;
}

static double room_at(const void *memory, uint32_t sm)
{
    (void)memory, (void)sm;
    return 0;
}

static void ends(void *memory, uint32_t warp, double time)
{
    (void)warp;
    ((struct even_memory *)memory)->ended = time;
}

static const struct func_memory_ops even = {.access = access_evenly,
                                            .acquire = synchronise,
                                            .release = synchronise,
                                            .launch = launch,
                                            .advance = advance,
                                            .needs_room = needs_room,
                                            .room_at = room_at,
                                            .ends = ends};

static double end_of(const struct hand_op *op)
{
    const char *const sets[] = {"sm.count=1", "sm.units.branch.latency=4",
                                "sm.units.branch.interval=1"};
    struct machine m = run_machine("qv100", sets, 3);
    struct program *p = hand_program(op, 1, 1, 32);
    struct even_memory memory = {0};
    struct error e = {0};
    struct functional w;
    struct warp_admission *admission = warp_admission_new(&m.sm, 64, 1);
    const struct functional_setup use = {.sm = &m.sm,
                                         .l1 = &m.l1,
                                         .sms = 1,
                                         .l1_blocks = 64,
                                         .step = 1,
                                         .quantum = 1,
                                         .p = p,
                                         .ops = &even,
                                         .memory = &memory,
                                         .admission = admission};
    if (!(admission && functional_init(&w, &use, &e))) fail_msg("%s", e.text);
    if (!(functional_begin_launch(&w, 0, &e))) fail_msg("%s", e.text);
    while (w.launch)
        if (!(functional_step(&w, &e))) fail_msg("%s", e.text);
    functional_fini(&w);
    warp_admission_free(admission, 1);
    program_close(p);
    return memory.ended;
}

static const struct hand_op copy = {
    .cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 4096, .hint = HINT_ASYNC};

/* Rounds of a wait that leaves `open` groups open, a copy, its commit and branches. */
static double loop_end(uint32_t rounds, uint32_t branches, uint8_t open)
{
    struct hand_op op[MOST];
    uint32_t n = 0;
    for (uint32_t r = 0; r < rounds; r++) {
        op[n++] = (struct hand_op){.cls = OP_COPY_WAIT, .groups = open};
        op[n++] = copy;
        op[n++] = (struct hand_op){.cls = OP_COPY_COMMIT};
        for (uint32_t i = 0; i < branches; i++)
            op[n++] = (struct hand_op){.cls = OP_BRANCH};
    }
    assert_true(n < MOST);
    op[n] = (struct hand_op){.cls = OP_N};
    return end_of(op);
}

static void a_step_takes_the_longer_of_copy_and_work(void **state)
{
    (void)state;
    for (uint32_t branches = 0; branches <= 40; branches += 20) {
        double work = 3 + 4 * branches, wait = 1 + LATENCY;
        double step = loop_end(4, branches, 0) - loop_end(3, branches, 0);
        assert_true(fabs(step - (work > wait ? work : wait)) <= 1);
        /* two steps ahead: half the latency each */
        step = (loop_end(4, branches, 1) - loop_end(2, branches, 1)) / 2;
        wait = (1.0 + LATENCY) / 2;
        assert_true(fabs(step - (work > wait ? work : wait)) <= 2);
    }
}

static void a_warp_ends_with_its_copies(void **state)
{
    (void)state;
    const struct hand_op end = {.cls = OP_N}, branch = {.cls = OP_BRANCH};
    const struct hand_op one[] = {copy, branch, branch, end}, none[] = {branch, branch, end};
    assert_true(end_of(none) < LATENCY / 2 && end_of(one) >= LATENCY);
    assert_true(end_of(one) < LATENCY + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_takes_the_longer_of_copy_and_work),
        cmocka_unit_test(a_warp_ends_with_its_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
