/* follows_first_loads.c - the beginning of a launch: warps that round robin keeps in step work,
 * then load all at once. */
#include "tests/support/ask.h"
#include "tests/support/patterns.h"

#include <math.h>

enum { SMS = 80, WORK = 48 };

/* A line of its own for each warp: four sectors. */
static void load_of(struct writer *w, uint32_t cta, uint32_t warp, uint32_t width)
{
    struct hand_op op = {.cls = OP_LOAD, .pc = 16, .stride = 4, .after = true};
    op.addr = TABLE + (uint64_t)LINE * (cta * 64u + warp);
    pattern_vector(w, warp, op, width);
}

static void use(struct writer *w, uint32_t warp)
{
    hand_inst(w, warp, &(struct hand_op){.cls = OP_INT, .pc = 24, .after = true}, 0);
}

static void loads(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    (void)step;
    load_of(w, cta, warp, width);
    use(w, warp);
}

static void works_and_loads(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step,
                            uint32_t width)
{
    (void)step;
    for (uint32_t i = 0; i < WORK; i++)
        hand_inst(w, warp, &(struct hand_op){.cls = OP_INT, .pc = 8}, 1 + i % 16);
    load_of(w, cta, warp, width);
    use(w, warp);
    for (uint32_t i = 0; i < WORK; i++)
        hand_inst(w, warp, &(struct hand_op){.cls = OP_INT, .pc = 32}, 1 + i % 16);
}

struct both {
    double simulated, estimated;
};

static struct both both_say(const char *path, uint32_t warps,
                            void (*step)(struct writer *, uint32_t, uint32_t, uint32_t, uint32_t))
{
    struct machine m = run_machine("qv100", (const char *[]){"sm.launch_cycles=0"}, 1);
    const struct pattern pattern = {0, 2, SMS, warps, 1, step};
    struct program *p = pattern_program(&pattern, m.sm.warp_width);
    struct metrics s = ask(ENGINE_SIMULATE, &m, p), e = ask(ENGINE_ESTIMATE, &m, p);
    struct both b = {run_value(&s, path), run_value(&e, path)};
    program_close(p);
    print_message("%2u warps, %-17s simulated %6.0f, estimated %6.0f\n", warps, path, b.simulated,
                  b.estimated);
    return b;
}

static void loads_of_all_warps_queue_up(void **state)
{
    (void)state;
    for (uint32_t warps = 4; warps <= 32; warps *= 2) {
        struct both b = both_say("latency.load_mean", warps, loads);
        assert_true(fabs(b.estimated / b.simulated - 1) < 0.15);
    }
}

static void work_in_step_hides_no_memory(void **state)
{
    (void)state;
    for (uint32_t warps = 8; warps <= 32; warps *= 2) {
        struct both b = both_say("cycles", warps, works_and_loads);
        assert_true(fabs(b.estimated / b.simulated - 1) < 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_of_all_warps_queue_up),
                                       cmocka_unit_test(work_in_step_hides_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
