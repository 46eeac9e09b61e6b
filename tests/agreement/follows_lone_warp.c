/* follows_lone_warp.c - how long is a warp alone on its SM without memory?  Units of two classes
 * work side by side, one of them takes an instruction per interval, and results take their time. */
#include "tests/support/ask.h"
#include "tests/support/written.h"

#include <string.h>

enum { ROUNDS = 256, OWN = 8 /* registers of a round */, LOWER = 'a' - 'A' };

/* One letter per instruction: i (integer), f (float), b (branch), s (shared load); upper case: it
 * needs the result of the one before it. Rounds that are near have registers of their own. */
static struct static_inst inst_of(const char *pattern, uint32_t round, uint32_t at)
{
    static const struct {
        char letter;
        uint8_t cls;
    } letters[] = {{'i', OP_INT}, {'f', OP_FP32}, {'b', OP_BRANCH}, {'s', OP_SHARED_LOAD}};
    bool needs = pattern[at] < 'a';
    uint32_t k = 0, first = round % OWN * (uint32_t)strlen(pattern);
    while (letters[k].letter != (needs ? pattern[at] + LOWER : pattern[at]))
        k++;
    struct static_inst si = {.pc = 8 * at, .cls = letters[k].cls, .dst = (uint16_t)(first + at)};
    if (si.cls == OP_BRANCH) si.dst = REG_NONE;
    if (si.cls == OP_SHARED_LOAD) si.space = SPACE_SHARED, si.width = 4;
    if (needs) si.n_src = 1, si.src[0] = (uint16_t)(first + at - 1);
    return si;
}

static struct program *program_of(const char *pattern)
{
    struct written t = written_begin(32);
    struct error e = {0};
    const struct launch l = {.name = pattern, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct static_inst end = {.pc = 1024, .cls = OP_EXIT, .dst = REG_NONE};
    const uint64_t addr[32] = {0};
    assert_true(writer_launch_begin(t.w, &l, &e) && writer_cta_begin(t.w, &e));
    for (uint32_t r = 0; r < ROUNDS; r++) {
        for (uint32_t i = 0; pattern[i]; i++) {
            struct static_inst si = inst_of(pattern, r, i);
            bool shared = si.cls == OP_SHARED_LOAD;
            assert_true(writer_inst(t.w, 0, writer_code(t.w, &si, NULL), shared ? 1 : UINT32_MAX,
                                    shared ? addr : NULL, &e));
        }
    }
    assert_true(writer_inst(t.w, 0, writer_code(t.w, &end, NULL), 1, NULL, &e));
    assert_true(writer_cta_end(t.w, &e) && writer_launch_end(t.w, &e));
    return written_end(&t);
}

static void a_warp_alone_takes_as_long_as_in_the_cycle_model(void **state)
{
    static const char *const patterns[] = {"if", "iiff", "iiiF", "iI", "ibiB", "iIfFb", "iBiIsFib"};
    static const char *const machines[] = {"rx540", "qv100"};
    (void)state;
    for (uint32_t i = 0; i < 2 * sizeof patterns / sizeof *patterns; i++) {
        struct machine m = run_machine(machines[i % 2], (const char *[]){"sm.launch_cycles=0"}, 1);
        struct program *p = program_of(patterns[i / 2]);
        struct metrics s = ask(ENGINE_SIMULATE, &m, p), e = ask(ENGINE_ESTIMATE, &m, p);
        double simulated = run_value(&s, "cycles"), estimated = run_value(&e, "cycles");
        program_close(p);
        print_message("%-6s %-8s simulated %6.0f, estimated %6.0f\n", machines[i % 2],
                      patterns[i / 2], simulated, estimated);
        assert_true(estimated > 0.85 * simulated && estimated < 1.25 * simulated);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_alone_takes_as_long_as_in_the_cycle_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
