/* Layers: several operators in one program, with tensors in one address space. */
#include "tests/support/trace_support.h"

#include "trace/generators/nest_file.h"

#include <unistd.h>

#define MATMUL "op = \"tiled_matmul\"; ctas = 4; warps_per_cta = 4; n = 128; tile = 32; "

static struct program *open_layer(const char *text)
{
    struct error e = {0};
    struct program *p =
        program_generate("layer", text, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    return p;
}

/* The lowest and highest address of the launch's accesses to its k-th tensor. */
struct extent {
    uint64_t low, high;
};

/* The tensor-th buffer, from 1 on, that the launch's code names. */
static uint32_t find_buffer(const struct launch *l, uint32_t tensor)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < l->n_code; i++) {
        uint32_t b = l->code[i].buffer;
        bool seen = b == 0;
        for (uint32_t k = 0; k < i; k++)
            seen |= l->code[k].buffer == b;
        if (!seen && --tensor == 0) last = b;
    }
    assert_int_not_equal(last, 0);
    return last;
}

static struct extent find_extent(const struct program *p, uint32_t launch, uint32_t tensor)
{
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    struct extent x = {UINT64_MAX, 0};
    check_ok(r, &e);
    const struct launch *l = program_launch(p, launch);
    uint32_t buffer = find_buffer(l, tensor);
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            check_ok(cursor_seek(&c, r, launch, cta, warp, 0, &e), &e);
            while (cursor_next(&c, &w, &e) == GOT_INST) {
                if (!inst_op_is_global(w.si->cls) || w.si->buffer != buffer) continue;
                for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(w.mask); k++) {
                    uint64_t at = warp_inst_addr(&w, k);
                    if (at < x.low) x.low = at;
                    if (at > x.high) x.high = at;
                }
            }
        }
    cursor_release(&c);
    reader_free(r);
    return x;
}

/* What one operator writes is what the next one reads; everything else is elsewhere. */
static void buffers_of_one_name_are_one_memory(void **state)
{
    (void)state;
    struct program *p = open_layer("layer = ( { " MATMUL "name = \"up\"; a = \"x\"; c = \"h\"; }, "
                                   "{ " MATMUL "name = \"down\"; a = \"h\"; c = \"x\"; } );");
    struct extent t[2][3];
    assert_int_equal(program_launches(p), 2);
    assert_string_equal(program_launch(p, 0)->name, "up");
    assert_string_equal(program_launch(p, 1)->name, "down");
    for (uint32_t launch = 0; launch < 2; launch++)
        for (uint32_t k = 0; k < 3; k++)
            t[launch][k] = find_extent(p, launch, k + 1);
    assert_true(t[0][0].low == t[1][2].low && t[0][2].low == t[1][0].low);
    for (uint32_t a = 0; a < 6; a++)
        for (uint32_t b = 0; b < a; b++) {
            const struct extent *x = &t[a / 3][a % 3], *y = &t[b / 3][b % 3];
            assert_true(x->low == y->low || x->low > y->high || x->high < y->low);
            assert_int_equal(x->low % GEN_ALIGN, 0);
        }
    program_close(p);
}

/* The largest user decides how much memory a buffer has. */
static void the_largest_user_decides(void **state)
{
    (void)state;
    struct program *p =
        open_layer("layer = ( { " MATMUL "a = \"x\"; }, "
                   "{ op = \"tiled_matmul\"; ctas = 1024; warps_per_cta = 4; n = 2048; tile = 32; "
                   "b = \"y\"; c = \"x\"; }, { " MATMUL "a = \"x\"; } );");
    struct extent x = find_extent(p, 0, 1), y = find_extent(p, 1, 3), b = find_extent(p, 0, 2);
    assert_true(x.low == y.low && y.high > x.high + GEN_ALIGN);
    assert_true(b.low > y.high);
    program_close(p);
}

/* Rounds have weights of their own where the name has #, and share the other buffers. */
static void rounds_have_their_own_weights(void **state)
{
    (void)state;
    struct program *p = open_layer(
        "parameters = { blocks = 2; }; layer = ( { repeat = \"blocks\"; layer = ( { " MATMUL
        "times = 3; a = \"x\"; b = \"w#\"; c = \"y\"; } ); }, { " MATMUL
        "a = \"x\"; b = \"w1\"; c = \"y\"; } );");
    assert_int_equal(program_launches(p), 7);
    for (uint32_t k = 1; k <= 3; k++) {
        uint64_t first = find_extent(p, 0, k).low, second = find_extent(p, 3, k).low;
        assert_true(first == find_extent(p, 2, k).low && second == find_extent(p, 6, k).low);
        assert_true((first == second) == (k != 2));
    }
    program_close(p);
}

/* A program of several kernels whose launches have different numbers of segments holds what its
 * index says. */
static void layers_are_verified(void **state)
{
    (void)state;
    struct error e = {0};
    struct program *p =
        open_layer("layer = ( { " MATMUL "times = 2; }, { " MATMUL
                   "iterations = 40; c = \"z\"; }, { " MATMUL "a = \"z\"; stages = 1; } );");
    check_ok(program_verify(p, &e), &e);
    program_close(p);
}

static struct digest digest_of(const char *spec)
{
    struct error e = {0};
    struct program *p = program_open(spec, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    struct digest d = program_digest(p);
    program_close(p);
    return d;
}

static const char *write_layer(const char *text)
{
    const char *path = scratch_path("layer.cfg");
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    return path;
}

/* Behind the program's name, values of declared parameters; they reach the operators. */
static void parameters_are_replaced(void **state)
{
    (void)state;
    const char *path = write_layer(
        "parameters = { tiles = 2; order = 64; };\nlayer = ( { op = \"tiled_matmul\"; "
        "warps_per_cta = 4; tile = 32; n = \"tiles * order\"; ctas = \"tiles*tiles\"; } );");
    char spec[300], other[300];
    snprintf(spec, sizeof spec, "%s tiles=4", path);
    snprintf(other, sizeof other, "%s  order=64   tiles=4 ", path);
    struct error e = {0};
    struct program *p = program_open(spec, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    struct program_parameter x;
    assert_true(program_parameter_at(p, 0, &x));
    assert_string_equal(x.name, "tiles");
    assert_string_equal(x.value, "4");
    assert_true(program_parameter_at(p, 1, &x) && !program_parameter_at(p, 2, &x));
    assert_int_equal(program_launch(p, 0)->ctas, 16);
    assert_non_null(strstr(program_name(p), "layer tiles=4"));
    program_close(p);
    assert_true(digest_equal(digest_of(spec), digest_of(other)));
    assert_false(digest_equal(digest_of(spec), digest_of(path)));
    unlink(path);
}

static void wrong_layers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *params, *said;
    } wrong[] = {
        {"layer = 3;", "", ":1: layer: expected a list of operators"},
        {"layer = ( );", "", "expected a list of operators"},
        {"layer = ( 3 );", "", "expected a list of operators"},
        {"layer = ( { ctas = 3; } );", "", ":1: an operator of a layer has op"},
        {"layer = ( { op = \"stream\"; } );", "", "no named tensors"},
        {"layer = ( { op = \"tiled\"; } );", "", "allowed are \"stream\""},
        {"layer = ( { " MATMUL "d = \"x\"; } );", "", "has no parameter d"},
        {"layer = ( { " MATMUL "a = 3; } );", "", "a: expected the name of a buffer"},
        {"layer = ( { " MATMUL "warp_width = 32; } );", "", "the machine's width"},
        {"layer = ( { " MATMUL "stages = \"two\"; } );", "", "stages: not an allowed value"},
        {"layer = ( { " MATMUL "times = 0; } );", "", "launches is out of range"},
        {"parameters = { two = 2; };\nlayer = ( {\n" MATMUL "stages = \"too*1\"; } );", "",
         ":3: stages: the layer has no parameter too; did you mean two"},
        {"layer = ( { " MATMUL "stages = \"2*\"; } );", "", "expected a product"},
        {"layer = ( { " MATMUL "stages = \"4611686018427387904*4\"; } );", "", "too large"},
        {"parameters = { w = \"x\"; };\nlayer = ( { " MATMUL "stages = \"w*2\"; } );", "",
         "of whole numbers"},
        {"parameters = 3; layer = ( { " MATMUL "} );", "", "parameters: expected a group"},
        {"parameters = { a = ( 1 ); }; layer = ( { " MATMUL "} );", "", "a: expected a number"},
        {"generator = \"stream\"; layer = ( { " MATMUL "} );", "", "a layer file has layer"},
        {"layer = ( { repeat = -1; layer = ( { " MATMUL "} ); } );", "", "from 0 to 4096"},
        {"layer = ( { repeat = 0; layer = ( { " MATMUL "} ); } );", "", "at least one operator"},
        {"layer = ( { repeat = 2; } );", "", "expected { repeat = N; layer"},
        {"layer = ( { repeat = 2; layer = ( ); } );", "", "expected a list of operators"},
        {"layer = ( { repeat = 4096; layer = ( { " MATMUL "}, { " MATMUL "} ); } );", "",
         "at most 4096 operators"},
        {"layer = ( { repeat = 9; layer = ( { " MATMUL "times = 4096; }, { " MATMUL
         "times = 4096; } ); } );",
         "", "at most 65536 launches"},
        {"parameters = { batch = 1; }; layer = ( { " MATMUL "} );", " bach=2",
         "bach: the layer has no parameter bach; did you mean batch"},
        {"layer = ( { " MATMUL "} );", " batch=2", "it declares none"},
        {"parameters = { batch = 1; }; layer = ( { " MATMUL "} );", " batch=two",
         "batch: not an allowed value; a whole number"},
        {"parameters = { share = 0.5; }; layer = ( { " MATMUL "} );", " share=some",
         "share: not an allowed value; a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char spec[300];
        struct error e = {0};
        const char *path = write_layer(wrong[i].text);
        snprintf(spec, sizeof spec, "%s%s", path, wrong[i].params);
        assert_null(program_open(spec, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said) || !strstr(e.text, "layer.cfg"))
            fail_msg("'%s' should say '%s'", e.text, wrong[i].said);
        unlink(path);
    }
}

/* An entry of a layer has both in one group. */
static void tensors_are_called_unlike_parameters(void **state)
{
    (void)state;
    for (uint32_t i = 0; generator_list[i]; i++) {
        struct error e = {0};
        const struct generator_ops *ops = generator_list[i];
        struct nest_file *text = ops->text ? nest_file_parse(ops, &e) : NULL;
        check_ok(text || !ops->text, &e);
        if (text) ops = nest_file_ops(text);
        const struct gen_param *p;
        for (uint32_t k = 0; ops->tensors && ops->tensors[k]; k++) {
            assert_true(k < GEN_MAX_TENSORS);
            for (uint32_t n = 0; (p = gen_params_at(ops, n)); n++)
                if (strcmp(p->name, ops->tensors[k]) == 0)
                    fail_msg("%s: %s is a tensor and a parameter", ops->name, p->name);
        }
        nest_file_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_of_one_name_are_one_memory),
        cmocka_unit_test(the_largest_user_decides),
        cmocka_unit_test(rounds_have_their_own_weights),
        cmocka_unit_test(layers_are_verified),
        cmocka_unit_test(parameters_are_replaced),
        cmocka_unit_test(wrong_layers_are_refused),
        cmocka_unit_test(tensors_are_called_unlike_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
