/* Do kernels that are written as text give the streams that they state, and is what cannot be said
 * refused with its place? */
#include "tests/support/generator_refused.h"
#include "trace/generators/kit.h"
#include "trace/program/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct program *open_text(const char *text, uint32_t width)
{
    struct error e = {0};
    struct program *p =
        program_generate("own", text, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    return p;
}

/* The addresses, classes and masks of all instructions but those of integers and branches. */
static struct digest digest_accesses(const struct program *p)
{
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    struct digest d = {0};
    const struct launch *l = program_launch(p, 0);
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
            while (cursor_next(&c, &w, &e) == GOT_INST) {
                struct event v;
                event_of(&v, &w);
                v.code = w.si->cls;
                if (v.code != OP_INT && v.code != OP_BRANCH)
                    d = digest_join(d, digest_bytes(&v, sizeof v));
            }
        }
    cursor_release(&c);
    reader_free(r);
    return d;
}

static const char *const own_transpose =
    "parameters = { n = 128; }; sizes = ( { let = { tiles = \"n / lanes\"; }; } );\n"
    "grid = { ctas = (\"tiles\", \"tiles\"); threads = \"8 * lanes\"; };\n"
    "define = ( { let = { down = \"cta / tiles * lanes\"; right = \"cta % tiles * lanes\";\n"
    "    rows = \"lanes / warps\"; own = \"warp * rows\"; }; } );\n"
    "arrays = ( { name = \"in\"; bytes = (\"n\", \"n * 4\"); }, { name = \"out\"; bytes = (\"n\", "
    "\"n * "
    "4\"); } );\n"
    "shared_bytes = \"lanes * (lanes + 1) * 4\";\n"
    "loop = (\n"
    "    { for = \"r\"; to = \"rows\"; rows = ( { load = \"r_data + r\"; from = \"in\";\n"
    "        at = \"(down + own + r) * n + right + lane\"; } ); },\n"
    "    { for = \"r\"; to = \"rows\"; rows = ( { write = \"r_data + r\";\n"
    "        at = \"(own + r) * (lanes + 1) + lane\"; } ); },\n"
    "    { op = \"barrier\"; },\n"
    "    { for = \"r\"; to = \"rows\"; rows = ( { read = \"r_data + r\";\n"
    "        at = \"lane * (lanes + 1) + own + r\"; } ); },\n"
    "    { op = \"barrier\"; },\n"
    "    { for = \"r\"; to = \"rows\"; rows = ( { store = \"r_data + r\"; to = \"out\";\n"
    "        at = \"(right + own + r) * n + down + lane\"; } ); }\n"
    ");\n";

static void a_transpose_is_that_of_the_generator(void **state)
{
    (void)state;
    for (uint32_t width = 32; width <= 64; width *= 2) {
        char text[200];
        snprintf(
            text, sizeof text,
            "generator = \"transpose\"; n = 128; warps_per_cta = 8; iterations = 1; ctas = %u;",
            128 / width * (128 / width));
        struct program *p = open_text(own_transpose, width), *q = open_text(text, width);
        assert_true(digest_equal(digest_accesses(p), digest_accesses(q)));
        assert_int_equal(program_launch(p, 0)->shared_bytes, program_launch(q, 0)->shared_bytes);
        program_close(p);
        program_close(q);
    }
}

/* CTA c has c + 1 steps; what each loads is known. */
static void steps_may_differ_between_ctas(void **state)
{
    (void)state;
    struct program *p =
        open_text("grid = { ctas = 5; threads = 64; most_steps = 5; steps = \"cta + 1\"; };\n"
                  "arrays = ( { name = \"a\"; bytes = 65536; } );\n"
                  "loop = ( { load = \"r_data\"; from = \"a\"; at = \"cta * 1000 + step\"; if = "
                  "\"lane < 3\"; } );",
                  32);
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    for (uint64_t cta = 0; cta < 5; cta++) {
        uint64_t step = 0;
        check_ok(cursor_seek(&c, r, 0, cta, 1, 0, &e), &e);
        while (cursor_next(&c, &w, &e) == GOT_INST) {
            if (w.si->cls != OP_LOAD) continue;
            assert_true(w.mask == 7);
            assert_true(warp_inst_addr(&w, 2) == GEN_BASE + 4 * (cta * 1000 + step++));
        }
        assert_int_equal(step, cta + 1);
    }
    cursor_release(&c);
    reader_free(r);
    program_close(p);
}

#define KERNEL(rows) \
    "grid = { ctas = 1; };\narrays = ( { name = \"a\"; bytes = 4096; } );\nloop = ( " rows " );"

/* Rows. */
static const struct refused wrong_rows[] = {
    {KERNEL("{ load = 1; from = \"b\"; at = 0; }"), "names no array"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lane +\"; }"), ":3: \"lane +\": it ends too early"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lone\"; }"), "there is no name lone"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lane / cta\"; }"), "a divisor is a constant"},
    {KERNEL("{ load = 1; from = \"a\"; at = 0; into = 3; }"), "into: a row of this kind has no"},
    {KERNEL("{ load = 999; from = \"a\"; at = 0; }"), "a register is a number"},
    {KERNEL("{ load = 1; from = \"a\"; at = 0; bytes = 3; }"), "1, 2, 4, 8 or 16"},
    {KERNEL("{ lode = 1; }"), "expected a row such as"},
    {KERNEL("{ op = \"mull\"; }"), "no such operation"},
    {KERNEL("{ use = \"none\"; }"), "no such list of rows"},
    {KERNEL("{ use = \"loop\"; }"), "too deep"},
    {KERNEL("{ branch = \"lane < 3\"; }"), "branches stand in the epilogue"},
    {KERNEL("{ for = \"i\"; to = 9999999; rows = (); }"), "too many rows"},
    {KERNEL("{ when = \"lane < 3\"; op = \"add\"; }"), "expected constants"},
    {"grid = { ctas = 2; }; arrays = (); loop = ( { op = \"add\"; } );"
     "epilogue = ( { branch = \"cta < 3\"; } );",
     "the same for all CTAs"},
    {KERNEL("{ op = \"add\"; }") "colour = 3;", "colour: a kernel has parameters"},
};

/* The rest of a text. */
static const struct refused wrong_texts[] = {
    {"grid = 3; arrays = (); loop = ();", "grid: expected a group"},
    {"grid = { ctas = 0; }; arrays = (); loop = ();", "0 CTAs"},
    {"grid = { threads = 4096; }; arrays = (); loop = ();", "1 to 2048 threads"},
    {"arrays = ( 3 ); loop = ();", "an array is"},
    {"parameters = { n = { value = 3; most = 9; }; }; sizes = ( { check = \"n > 5\"; else = "
     "\"n = {n}!\"; } );"
     "grid = {}; arrays = (); loop = ();",
     ": n = 3!"},
    {"grid = { steps = \"warp + 2\"; }; arrays = (); loop = ( { op = \"mac\"; } );",
     "steps differ by cta alone"},
    {"advance = -1; arrays = (); loop = ();", "a step has no instruction"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"zipf(step, 0)\"; }"), "a constant number of items"},
    {"parameters = { mode = { value = \"x\"; choices = (\"x\", \"y\"); meaning = \"m\"; }; };"
     "define = ( { let = { mode = 2; }; } ); arrays = (); loop = ( { op = \"mac\"; } );",
     "mode: this parameter has no such choice"},
    {"parameters = { n = { value = 3; most = 9; meaning = \"rows\"; }; };"
     "define = ( { let = { n = \"n * 4\"; }; } ); arrays = (); loop = ( { op = \"mac\"; } );",
     "n is out of range; allowed are 0 to 9 (rows)"},
    {"parameters = { n = { value = 3; real = true; }; };"
     "define = ( { let = { n = 4; }; } ); arrays = (); loop = ( { op = \"mac\"; } );",
     "n: this parameter cannot be named again"},
    {"define = ( { let = { iterations = 4; }; } ); arrays = (); loop = ( { op = \"mac\"; } );",
     "iterations: the grid follows from this parameter"},
    {KERNEL("{ let = { lane = 3; }; }"), "lane: all kernels have this name"},
    {KERNEL("{ for = \"step\"; to = 3; rows = (); }"), "for: all kernels have this name"},
    {"parameters = { warp = 3; }; arrays = (); loop = ( { op = \"mac\"; } );",
     "warp: all kernels have a value of this name"},
    {"parameters = { n = { valu = 3; }; }; arrays = (); loop = ( { op = \"mac\"; } );",
     "valu: no such setting here; allowed are value, least"},
    {"parameters = { n = { value = \"z\"; choices = (\"x\"); }; };"
     "arrays = (); loop = ( { op = \"mac\"; } );",
     "one of the choices"},
    {"grid = { cta = 3; }; arrays = (); loop = ( { op = \"mac\"; } );",
     "cta: no such setting here; allowed are ctas, threads"},
    {"arrays = ( { name = \"a\"; bytes = 4; byte = 8; } ); loop = ( { op = \"mac\"; } );",
     "byte: no such setting here"},
    {"arrays = ( { name = \"a\"; bytes = 4; }, { name = \"a\"; bytes = 8; } );"
     "loop = ( { op = \"mac\"; } );",
     "another array has this name"},
    {"sizes = ( { op = \"add\"; } ); grid = {}; arrays = (); loop = ( { op = \"mac\"; } );",
     "instructions stand in prologue, loop"},
    {"define = ( { load = 1; from = \"a\"; at = 0; } ); arrays = ( { name = \"a\"; bytes = 4; "
     "} );"
     "loop = ( { op = \"mac\"; } );",
     "instructions stand in prologue, loop"},
    {"sizes = ( { only = \"lane < 3\"; } ); grid = {}; arrays = (); loop = ( { op = \"mac\"; } "
     ");",
     "lanes are chosen in define"},
    {KERNEL("{ only = true; }, { op = \"mac\"; }"), "an expression in quotes"},
    {KERNEL("{ load = 1; from = \"a\"; }"), "an access needs at"},
    {KERNEL("{ load = 1; from = \"a\"; at = 1.5; }"), "an expression in quotes"},
    {KERNEL("{ load = 1; from = \"a\"; at = 0; buffer = 99; }"), "buffer is a number"},
    {KERNEL("{ copy = \"a\"; at = 0; bypass = 1; }"), "expected true or false"},
    {KERNEL("{ op = \"fma\"; set = 1; of = (1, 2, 3); }"), "up to two registers"},
    {KERNEL("{ for = \"i\"; rows = (); }"), "for needs to"},
    {KERNEL("{ op = \"mac\"; }") "addresses = 5;", "addresses is 5"},
    {KERNEL("{ op = \"mac\"; }") "shared_bytes = -1;", "shared_bytes is -1"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"zipf(lane, 9)\"; }"), "needs a parameter exponent"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"below(lane)\"; }"), "has other arguments"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lane * 4611686018427387903 * 4\"; }"),
     "exceed 64 bits"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lane * 4611686018427387903 / 7\"; }"),
     "can be beyond 2^62"},
    {KERNEL("{ load = 1; from = \"a\"; at = \"lane / (4611686018427387903 + 2)\"; }"),
     "at most 2^62"},
};

static void mistakes_are_refused(void **state)
{
    (void)state;
    check_refused(wrong_rows, sizeof wrong_rows / sizeof *wrong_rows);
    check_refused(wrong_texts, sizeof wrong_texts / sizeof *wrong_texts);
}

/* Texts with letters changed either open or are refused in one line. */
static void changed_texts_do_no_harm(void **state)
{
    (void)state;
    uint64_t seed = 1;
    size_t n = strlen(own_transpose);
    for (uint32_t i = 0; i < 3000; i++) {
        char text[4096];
        struct error e = {0};
        snprintf(text, sizeof text, "%s", own_transpose);
        for (uint32_t k = 0; k < 1 + i % 3; k++) {
            seed = rng_splitmix64(seed);
            text[seed % n] = text[seed / 65536 % n];
        }
        struct program *p =
            program_generate("own", text, &(struct program_opts){.warp_width = 32}, &e);
        if (p)
            assert_true(program_launches(p) > 0);
        else
            assert_true(e.kind != ERROR_NONE && *e.text && !strchr(e.text, '\n'));
        program_close(p);
    }
}

/* Whichever allocation fails: an error, or a program that reads. */
static void little_memory_is_an_error(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 600; i++) {
        struct error e = {0};
        shim_fail_after(SHIM_ALLOC, i);
        struct program *p =
            program_generate("own", own_transpose, &(struct program_opts){.warp_width = 32}, &e);
        shim_fail_after(SHIM_ALLOC, 0);
        if (!p) assert_true(e.kind != ERROR_NONE);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transpose_is_that_of_the_generator),
        cmocka_unit_test(steps_may_differ_between_ctas),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(changed_texts_do_no_harm),
        cmocka_unit_test(little_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
