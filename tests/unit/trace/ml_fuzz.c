/* Operators of random sizes, many of them absurd: either one clear error, or streams whose
 * instructions are as many as are stated, in the first and the last CTA. */
#include "tests/support/ml_streams.h"
#include "trace/generators/nest_file.h"

#include <unistd.h>

static const double sizes[] = {0,   1,    2,    3,     4,     7,   8,          16,         31,
                               32,  64,   97,   100,   127,   128, 250,        256,        1000,
                               1e3, 1024, 4096, 65536, 65537, 1e6, 2147483647, 2147483648, 1e18};
enum { N_SIZES = sizeof sizes / sizeof *sizes, TRIES = 60 };

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = rng_splitmix64(*state);
    return *state % n;
}

static void add_value(FILE *f, const struct gen_param *p, uint64_t *state)
{
    uint64_t choices = 0, k = draw(state, 10);
    while (p->type == GEN_CHOICE && p->choices[choices])
        choices++;
    /* mostly small values, so that some programs open */
    double v = sizes[k ? draw(state, N_SIZES - 7) : draw(state, N_SIZES)];
    if (p->type == GEN_CHOICE)
        fprintf(f, "%s = \"%s\";\n", p->name, p->choices[draw(state, choices)]);
    else if (p->type == GEN_REAL)
        fprintf(f, "%s = %g;\n", p->name, v > 100 ? 0.7 : v + 0.0625);
    else
        fprintf(f, "%s = %.0f%s;\n", p->name, v, v > 2147483647 ? "L" : "");
}

static void check_cta(const struct program *p, struct reader *r, uint64_t cta)
{
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    uint64_t n = 0;
    for (uint32_t warp = 0; warp < program_launch(p, 0)->warps_per_cta; warp++) {
        check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
        while (cursor_next(&c, &w, &e) == GOT_INST)
            n++;
    }
    assert_int_equal(n, program_cta_start(p, 0, cta + 1) - program_cta_start(p, 0, cta));
    cursor_release(&c);
}

/* A CTA of at most so many instructions is decoded. */
static void check_ctas(const struct program *p)
{
    struct error e = {0};
    uint64_t last = program_launch(p, 0)->ctas - 1;
    struct reader *r = reader_new(p, &e);
    for (uint64_t cta = 0; cta <= last; cta += last ? last : 1)
        if (program_cta_start(p, 0, cta + 1) - program_cta_start(p, 0, cta) < 1 << 20)
            check_cta(p, r, cta);
    reader_free(r);
}

/* Returns whether it opened. */
static bool try_sizes(const struct generator_ops *ops, uint64_t state)
{
    struct error e = {0};
    const char *path = scratch_path("fuzz.cfg");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "generator = \"%s\";\n", ops->name);
    for (uint32_t i = 0; i < ops->n_params; i++)
        if (draw(&state, 3) == 0) add_value(f, &ops->params[i], &state);
    fclose(f);
    struct program *p =
        program_open(path, &(struct program_opts){.warp_width = draw(&state, 2) ? 64 : 32}, &e);
    unlink(path);
    if (p) {
        check_ctas(p);
    } else {
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_non_null(strstr(e.text, "fuzz.cfg"));
    }
    program_close(p);
    return p != NULL;
}

static void sizes_are_refused_or_right(void **state)
{
    (void)state;
    for (uint32_t i = 0; generator_list[i]; i++) {
        uint32_t opened = 0;
        struct error e = {0};
        const struct generator_ops *ops = generator_list[i];
        struct nest_file *text = ops->text ? nest_file_parse(ops, &e) : NULL;
        check_ok(text || !ops->text, &e);
        if (text) ops = nest_file_ops(text);
        for (uint64_t k = 0; k < TRIES && ops->shape; k++)
            opened += try_sizes(ops, k * 1000 + i);
        if (ops->shape && (opened == 0 || opened == TRIES))
            fail_msg("%s: %u of %u open", ops->name, opened, (unsigned)TRIES);
        nest_file_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_refused_or_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
