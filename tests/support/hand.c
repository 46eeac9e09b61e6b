#include "tests/support/hand.h"

uint64_t hand_addr(const struct hand_op *o, uint32_t lane)
{
    if (!o->column) return o->addr + o->stride * lane;
    return o->addr + o->stride * (lane % o->column) + UINT64_C(4) * (lane / o->column);
}

void hand_inst(struct writer *w, uint32_t warp, const struct hand_op *o, uint32_t nth)
{
    struct error e;
    uint32_t lanes = o->lanes ? o->lanes : 1;
    bool memory = inst_op_is_memory(o->cls), loads = o->cls == OP_LOAD || o->cls == OP_SHARED_LOAD;
    if (o->hint & HINT_ASYNC) loads = false;
    uint16_t reg = o->after ? 2 : (uint16_t)(4 + nth % 60);
    struct static_inst si = {.pc = o->pc,
                             .cls = o->cls,
                             .space = memory ? o->space : SPACE_NONE,
                             .width = memory ? 4 : o->groups,
                             .hint = o->hint,
                             .n_src = o->after ? 1 : 0,
                             .src = {2},
                             .dst = loads ? reg : REG_NONE};
    uint64_t addr[WARP_MAX_LANES];
    for (uint32_t i = 0; i < lanes; i++)
        addr[i] = hand_addr(o, i);
    uint64_t mask = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
    assert_true(writer_inst(w, warp, writer_code(w, &si, NULL), mask, memory ? addr : NULL, &e));
}

struct program *hand_program(const struct hand_op *op, uint32_t ctas, uint32_t warps,
                             uint32_t width)
{
    struct written t = written_begin(width);
    struct error e = {0};
    const struct hand_op end = {.cls = OP_EXIT};
    const struct launch l = {.name = "hand", .grid = {ctas, 1, 1}, .block = {warps * width, 1, 1}};
    assert_true(writer_launch_begin(t.w, &l, &e));
    for (uint32_t c = 0; c < ctas; c++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t warp = 0; warp < warps; warp++) {
            for (uint32_t i = 0; op[i].cls != OP_N; i++)
                hand_inst(t.w, warp, &op[i], i);
            hand_inst(t.w, warp, &end, 0);
        }
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

struct metrics hand_run(const char *preset, const char *const *sets, size_t n,
                        const struct hand_op *op, uint32_t warps)
{
    struct machine m = run_machine(preset, sets, n);
    return run_whole(&m, hand_program(op, 1, warps, m.sm.warp_width));
}
