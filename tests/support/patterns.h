/* patterns.h - programs of which a test writes what a warp does at one of its steps. */
#pragma once

#include "tests/support/hand.h"

enum { BASE = 1 << 20, TABLE = 1 << 26, LINE = 128 };

/* What a warp does at each of its steps; several launches are alike. */
struct pattern {
    uint64_t copied; /* bytes, to the device, before the first launch */
    uint32_t launches, ctas, warps, steps;
    void (*step)(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width);
};

static inline void vector(struct writer *w, uint32_t warp, struct hand_op op, uint32_t width)
{
    op.lanes = width;
    op.space = SPACE_GLOBAL;
    hand_inst(w, warp, &op, 0);
}

static inline struct program *patterned(const struct pattern *p, uint32_t width)
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
