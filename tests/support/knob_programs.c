#include "tests/support/knob_programs.h"

static uint32_t unit_code(struct writer *w, enum op_class cls, enum mem_space space)
{
    bool dst = cls != OP_SHARED_STORE && cls != OP_BRANCH && cls != OP_EXIT && cls != OP_STORE;
    return writer_code(w,
                       &(struct static_inst){.pc = 16 * (uint32_t)cls,
                                             .cls = (uint8_t)cls,
                                             .space = (uint8_t)space,
                                             .width = space == SPACE_NONE ? 0 : 4,
                                             .n_src = 1,
                                             .src = {2},
                                             .dst = dst ? 2 : REG_NONE},
                       NULL);
}

/* Chains through every execution unit and shared memory (with conflicts), with constants and
 * private memory in between. */
static void units_step(struct writer *w, uint32_t warp, uint32_t step, uint32_t width)
{
    static const enum op_class chain[] = {OP_INT, OP_FP32, OP_FP64, OP_SFU, OP_TENSOR, OP_BRANCH};
    static const struct {
        enum op_class cls;
        enum mem_space space;
        uint32_t stride;
    } memory[] = {{OP_SHARED_STORE, SPACE_SHARED, 128},
                  {OP_SHARED_LOAD, SPACE_SHARED, 64},
                  {OP_LOAD, SPACE_CONST, 0},
                  {OP_STORE, SPACE_LOCAL, 4},
                  {OP_LOAD, SPACE_LOCAL, 4}};
    uint64_t addr[WARP_MAX_LANES], all = width == 64 ? UINT64_MAX : UINT32_MAX;
    struct error e;
    for (uint32_t i = 0; i < sizeof chain / sizeof *chain; i++)
        for (uint32_t k = 0; k < 2; k++)
            assert_true(writer_inst(w, warp, unit_code(w, chain[i], SPACE_NONE), all, NULL, &e));
    for (uint32_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        uint64_t at = memory[i].space == SPACE_SHARED  ? 0
                      : memory[i].space == SPACE_LOCAL ? (1u << 20) + 256u * width * warp
                                                       : 4096 + 64 * (step % 4);
        for (uint32_t lane = 0; lane < width; lane++)
            addr[lane] = at + memory[i].stride * lane;
        assert_true(
            writer_inst(w, warp, unit_code(w, memory[i].cls, memory[i].space), all, addr, &e));
    }
}

static struct program *units_program(uint32_t width)
{
    enum { CTAS = 24, WARPS = 4, STEPS = 6 };
    struct written t = written_begin(width);
    struct error e = {0};
    uint64_t all = width == 64 ? UINT64_MAX : UINT32_MAX;
    const struct launch l = {.name = "units",
                             .grid = {CTAS, 1, 1},
                             .block = {WARPS * width, 1, 1},
                             .shared_bytes = 8192};
    assert_true(writer_launch_begin(t.w, &l, &e));
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            for (uint32_t step = 0; step < STEPS; step++)
                units_step(t.w, warp, step, width);
            assert_true(writer_inst(t.w, warp, unit_code(t.w, OP_EXIT, SPACE_NONE), all, NULL, &e));
        }
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

struct program *knob_program(const char *text, uint32_t width)
{
    return text ? run_program(text, width) : units_program(width);
}
