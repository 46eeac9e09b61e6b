/* Generated kernels whose CTAs, warps or steps differ in length: counts and places against decoding
 * everything. */
#include "trace/generators/gen_kernel.h"
#include "tests/support/trace_support.h"

/* A CTA has (cta * 7) % 5 + 1 steps, and a few have very many. */
static uint64_t steps_of(const struct generator *g, uint64_t cta)
{
    (void)g;
    return cta % 61 == 3 ? 3000 : cta * 7 % 5 + 1;
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    if (g->c.rows > 1 << 25) return error_input(e, "%s: too many rows", path);
    g->c.ctas = g->c.rows;
    g->c.block_threads = 3 * g->width - 5;
    g->c.iterations = 3000;
    return true;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    gen_place_tensors(g, 2, (uint64_t[]){3 << 20, 100});
    gen_prologue(g, 2);
    gen_load(g, GEN_R_DATA, GEN_R_ADDRESS, 4, 1);
    gen_matrix(g, OP_TENSOR, GEN_R_OWN, GEN_R_DATA, GEN_R_DATA2);
    gen_loop_end(g, 1);
    gen_store(g, GEN_R_OWN, GEN_R_ADDRESS + 2, 4, 2);
    gen_exit(g);
    return true;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    uint32_t code = w->g->n_prologue;
    gen_strided(w, code, gen_array(w->g, 0) + (w->cta * 4096 + iteration) * 4, 4);
    gen_plain_range(w, code + 1, code + w->g->n_step);
}

static void epilogue(struct gen_warp *w)
{
    uint32_t code = w->g->n_prologue + w->g->n_step;
    gen_strided(w, code, gen_array(w->g, 1), 4);
    gen_plain(w, code + 1);
}

static const struct gen_param params[] = {
    GEN_PARAM(rows, GEN_INT, 1, 1, 0x1p31, NULL, "CTAs"),
};
static const struct generator_ops uneven = {
    .name = "uneven",
    .params = params,
    .n_params = 1,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .shape = shape,
    .cta_steps = steps_of,
};

/* The same with warps that end at different steps. */
static uint64_t steps_of_warp(const struct generator *g, uint64_t cta, uint32_t warp)
{
    uint64_t steps = steps_of(g, cta + warp);
    return warp == 1 && cta % 3 == 0 ? 1 : steps;
}

/* The same with steps without a load in all but every third, of warps from 1 on. */
static bool is_full(uint32_t warp, uint64_t iteration)
{
    return warp == 0 || iteration % 3 == 0;
}

static void step_of_kind(struct gen_warp *w, uint64_t iteration)
{
    uint32_t code = w->g->n_prologue;
    if (is_full(w->warp, iteration)) step(w, iteration);
    if (!is_full(w->warp, iteration)) gen_plain_range(w, code + 2, code + w->g->n_step);
}

static uint64_t before_of_warp(const struct generator *g, uint32_t warp, uint64_t step)
{
    return step * g->n_step - (warp ? 2 * (step - (step + 2) / 3) : 0);
}

/* The instructions of a CTA's loop, one step after the other. */
static uint64_t count_slowly(const struct generator *g, uint64_t cta)
{
    uint64_t n = 0;
    for (uint32_t warp = 0; warp < g->warps; warp++) {
        uint64_t steps = (uint64_t)g->c.iterations;
        if (g->ops->cta_steps) steps = steps_of(g, cta);
        if (g->ops->warp_steps) steps = steps_of_warp(g, cta, warp);
        for (uint64_t i = 0; i < steps; i++)
            n += g->ops->warp_before && !is_full(warp, i) ? g->n_step - 2 : g->n_step;
    }
    return n;
}

static struct generator_ops kind(unsigned which)
{
    struct generator_ops ops = uneven;
    if (which > 0) ops.cta_steps = NULL;
    if (which == 1) ops.warp_steps = steps_of_warp;
    if (which == 2) ops.step = step_of_kind;
    if (which == 2) ops.warp_before = before_of_warp;
    return ops;
}

static void build_ops(struct gen_kernel *k, const struct generator_ops *ops, int64_t rows,
                      uint32_t width)
{
    struct error e = {0};
    *k = (struct gen_kernel){.g = {.ops = ops, .width = width, .c = {.element_bytes = 4}}};
    k->g.c.rows = rows;
    check_ok(gen_kernel_build(k, "test", &e), &e);
}

static void build(struct gen_kernel *k, int64_t rows, uint32_t width)
{
    build_ops(k, &uneven, rows, width);
}

/* Instructions of a segment, as its encoder counts them. */
static uint64_t count_segment(const struct gen_kernel *k, uint64_t cta, uint32_t segment,
                              struct segment_encoder *s)
{
    struct bytes out = {0};
    gen_kernel_make_segment(k, cta, segment, s);
    assert_true(segment_finish(s, &out));
    bytes_fini(&out);
    return s->instructions;
}

static void starts_are_what_stands_before(void **state)
{
    (void)state;
    static const int64_t ctas[] = {1, 2, 63, 64, 65, 128, 200};
    for (unsigned i = 0; i < 6 * sizeof ctas / sizeof *ctas; i++) {
        struct generator_ops ops = kind(i % 3);
        int64_t n_ctas = ctas[i / 6];
        struct gen_kernel k;
        struct segment_encoder s = {0};
        uint64_t before = 0;
        build_ops(&k, &ops, n_ctas, i / 3 % 2 ? 64 : 32);
        for (uint64_t cta = 0; cta < (uint64_t)n_ctas; cta++) {
            uint64_t own = 0;
            assert_int_equal(gen_kernel_cta_start(&k, cta), before);
            for (uint32_t n = 0; n < gen_kernel_segments(&k, cta); n++) {
                assert_int_equal(gen_kernel_segment_start(&k, cta, n), own);
                own += count_segment(&k, cta, n, &s);
            }
            assert_int_equal(own, 3 * (k.g.n_prologue + 2) + count_slowly(&k.g, cta));
            before += own;
        }
        assert_int_equal(gen_kernel_cta_start(&k, (uint64_t)n_ctas), before);
        assert_int_equal(k.instructions, before);
        segment_encoder_fini(&s);
        gen_kernel_fini(&k);
    }
}

/* The block's threads decide the warps, whatever their width. */
static void threads_become_warps(void **state)
{
    (void)state;
    for (uint32_t width = 32; width <= 64; width *= 2) {
        struct gen_kernel k;
        build(&k, 10, width);
        assert_int_equal(k.g.warps, 3);
        assert_int_equal(k.g.cta_threads, 3 * width - 5);
        gen_kernel_fini(&k);
    }
}

/* Tensors of different sizes stand one behind another. */
static void tensors_are_placed(void **state)
{
    (void)state;
    struct gen_kernel k;
    build(&k, 1, 32);
    assert_true(gen_array(&k.g, 0) == GEN_BASE);
    assert_true(gen_array(&k.g, 1) == GEN_BASE + 2 * GEN_ALIGN);
    gen_kernel_fini(&k);
}

/* A matrix instruction's operands take several registers each: 4 + 4 + 2 of 32 lanes. */
static void matrices_take_registers(void **state)
{
    (void)state;
    uint32_t registers[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct gen_kernel k;
        build(&k, 1, i ? 64 : 32);
        registers[i] = k.g.code.n_registers;
        gen_kernel_fini(&k);
    }
    assert_int_equal(registers[0], registers[1] + GEN_TENSOR_A - GEN_TENSOR_A_64);
    /* the thread, the CTA, two addresses, the counter, and the matrices */
    assert_int_equal(registers[0], 1 + 1 + 2 * 2 + 1 + 4 + 4 + 2);
}

static void sizes_are_refused(void **state)
{
    (void)state;
    static const int64_t wrong[] = {0, -1, (1 << 24) + 1, INT64_C(1) << 31};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        struct gen_kernel k = {.g = {.ops = &uneven, .width = 32, .c = {.element_bytes = 4}}};
        k.g.c.rows = wrong[i];
        assert_false(gen_kernel_build(&k, "test", &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        gen_kernel_fini(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_are_what_stands_before),
        cmocka_unit_test(threads_become_warps),
        cmocka_unit_test(tensors_are_placed),
        cmocka_unit_test(matrices_take_registers),
        cmocka_unit_test(sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
