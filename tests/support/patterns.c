#include "tests/support/patterns.h"

void pattern_vector(struct writer *w, uint32_t warp, struct hand_op op, uint32_t width)
{
    op.lanes = width;
    op.space = SPACE_GLOBAL;
    hand_inst(w, warp, &op, 0);
}

struct program *pattern_program(const struct pattern *p, uint32_t width)
{
    struct written t = written_begin(width);
    struct error e = {0};
    const struct hand_op end = {.cls = OP_EXIT};
    const struct launch l = {
        .name = "pattern", .grid = {p->ctas, 1, 1}, .block = {p->warps * width, 1, 1}};
    if (p->copied) assert_true(writer_copy(t.w, COMMAND_COPY_TO_DEVICE, BASE, p->copied, &e));
    for (uint32_t k = 0; k < p->launches; k++) {
        assert_true(writer_launch_begin(t.w, &l, &e));
        for (uint32_t cta = 0; cta < p->ctas; cta++) {
            assert_true(writer_cta_begin(t.w, &e));
            for (uint32_t warp = 0; warp < p->warps; warp++) {
                for (uint32_t i = 0; i < p->steps; i++)
                    p->step(t.w, cta, warp, i, width);
                hand_inst(t.w, warp, &end, 0);
            }
            assert_true(writer_cta_end(t.w, &e));
        }
        assert_true(writer_launch_end(t.w, &e));
    }
    return written_end(&t);
}
