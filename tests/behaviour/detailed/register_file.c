/* register_file.c - do instructions on an SM with a register file take the time that their operands
 * and results need, whatever they are and whoever schedules them? Closed forms. */
#include "tests/support/run.h"
#include "tests/support/written.h"

#include <stdio.h>

enum { WIDTH = 32 };

static void add(struct written *t, const struct static_inst *si, const uint64_t *addr)
{
    struct error e;
    assert_true(writer_inst(t->w, 0, writer_code(t->w, si, NULL), UINT32_MAX, addr, &e));
}

static struct written begin(uint32_t ctas)
{
    struct written t = written_begin(WIDTH);
    struct error e = {0};
    const struct launch l = {
        .name = "hand", .grid = {ctas, 1, 1}, .block = {WIDTH, 1, 1}, .registers_per_lane = 16};
    assert_true(writer_launch_begin(t.w, &l, &e));
    return t;
}

static void end_cta(struct written *t)
{
    struct error e = {0};
    const struct static_inst end = {.pc = 4096, .cls = OP_EXIT, .dst = REG_NONE};
    add(t, &end, NULL);
    assert_true(writer_cta_end(t->w, &e));
}

static struct program *finish(struct written *t)
{
    struct error e = {0};
    assert_true(writer_launch_end(t->w, &e));
    return written_end(t);
}

/* n additions of a register to itself, one after the other. */
static struct program *chain(uint32_t n)
{
    struct written t = begin(1);
    struct error e = {0};
    assert_true(writer_cta_begin(t.w, &e));
    for (uint32_t i = 0; i < n; i++) {
        const struct static_inst si = {
            .pc = 16 * i, .cls = OP_FP32, .n_src = 1, .src = {1}, .dst = 1};
        add(&t, &si, NULL);
    }
    end_cta(&t);
    return finish(&t);
}

/* Cycles of each further addition. */
static double cycles_of_one(const struct machine *m)
{
    struct metrics few = run_whole(m, chain(100)), many = run_whole(m, chain(200));
    assert_int_equal((int)run_value(&many, "register_file.reads"), 200);
    assert_int_equal((int)run_value(&many, "register_file.writes"), 200);
    return (run_value(&many, "cycles") - run_value(&few, "cycles")) / 100;
}

/* A core cycle to collect, the unit's latency, and a core cycle to write; racetracks read in one
 * register cycle and write in two, which are a core cycle each at twice the clock, and two at the
 * same. */
static void a_dependent_instruction_waits_for_collection_and_write(void **state)
{
    (void)state;
    static const char *const racetrack[] = {"register_file.cells=racetrack",
                                            "register_file.clock_ratio=1"};
    static const char *const buffer[] = {"register_file.cells=racetrack",
                                         "register_file.write_buffer=32"};
    struct machine sram = run_machine("fermi-rf", NULL, 0);
    struct machine twice = run_machine("fermi-rf", racetrack, 1);
    struct machine same = run_machine("fermi-rf", racetrack, 2);
    struct machine buffered = run_machine("fermi-rf", buffer, 2);
    double latency = sram.sm.fp32.latency;
    assert_true(cycles_of_one(&sram) == 1 + latency + 1);
    assert_true(cycles_of_one(&twice) == 1 + latency + 1);
    assert_true(cycles_of_one(&same) == 1 + latency + 2);
    assert_true(cycles_of_one(&buffered) == 1 + latency + 1);
}

/* Constant loads with an address for each lane, stores that name a destination, a masked-off load,
 * barriers: every warp of some CTAs gets through them, under every scheduler and every front. */
static struct program *mixture(void)
{
    enum { CTAS = 40 };
    struct written t = begin(CTAS);
    struct error e = {0};
    const struct static_inst code[] = {
        {.pc = 0, .cls = OP_INT, .space = SPACE_CONST, .width = 4, .dst = 3},
        {.pc = 16,
         .cls = OP_LOAD,
         .space = SPACE_GLOBAL,
         .width = 16,
         .n_src = 1,
         .src = {3},
         .dst = 4},
        {.pc = 32,
         .cls = OP_STORE,
         .space = SPACE_GLOBAL,
         .width = 16,
         .n_src = 2,
         .src = {4, 3},
         .dst = 1},
        {.pc = 48, .cls = OP_FP64, .n_src = 2, .src = {4, 6}, .dst = 8},
        {.pc = 64, .cls = OP_BARRIER, .dst = REG_NONE},
        {.pc = 80, .cls = OP_SFU, .n_src = 1, .src = {8}, .dst = 8},
        {.pc = 96, .cls = OP_BRANCH, .n_src = 1, .src = {8}, .dst = REG_NONE},
    };
    for (uint32_t c = 0; c < CTAS; c++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t turn = 0; turn < 10; turn++)
            for (uint32_t i = 0; i < sizeof code / sizeof *code; i++) {
                uint64_t addr[WIDTH];
                for (uint32_t lane = 0; lane < WIDTH; lane++)
                    addr[lane] = UINT64_C(4096) * (c + 1) + 64 * ((lane * 7 + i + turn) % 61);
                add(&t, &code[i], inst_has_addresses(&code[i]) ? addr : NULL);
            }
        end_cta(&t);
    }
    return finish(&t);
}

/* scheduler: NULL is the preset's own. Returns the operands read. */
static double run_mixture(const char *preset, const char *scheduler, double instructions)
{
    char set[64];
    const char *sets[] = {set};
    snprintf(set, sizeof set, "sm.scheduler=%s", scheduler ? scheduler : "");
    struct machine m = run_machine(preset, sets, scheduler ? 1 : 0);
    struct metrics r = run_whole(&m, mixture());
    double reads = run_value(&r, "register_file.reads");
    assert_true(run_value(&r, "warp_instructions") == instructions);
    assert_true(run_value(&r, "register_file.bank_reads") <= reads);
    return reads;
}

static void all_instructions_get_through_under_every_scheduler(void **state)
{
    (void)state;
    static const char *const scheduler[] = {"lrr", "gto", "two_level", "intercl", "owl", "tbas"};
    static const char *const preset[] = {"fermi-rf", "fermi-rf-4p", "fermi-rf-remapped",
                                         "fermi-rf-rmws"};
    struct machine off = run_machine("gtx480", NULL, 0);
    struct metrics plain = run_whole(&off, mixture());
    double want = run_value(&plain, "warp_instructions");
    double reads = run_mixture("fermi-rf-rfc", NULL, want);
    assert_true(run_mixture("fermi-rf-rmws", NULL, want) == reads);
    for (uint32_t p = 0; p < 4; p++)
        for (uint32_t k = 0; k < 6; k++)
            assert_true(run_mixture(preset[p], scheduler[k], want) == reads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dependent_instruction_waits_for_collection_and_write),
        cmocka_unit_test(all_instructions_get_through_under_every_scheduler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
