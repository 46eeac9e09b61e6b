/* Do all generators give the streams that they gave before? Digests of small sizes of each, of
 * every segment's bytes, the static code and the launch; and readers that want addresses of global
 * memory alone get the same ones. GENERATOR_DIGESTS=print prints the table. */
#include "tests/support/trace_support.h"
#include "trace/program/source.h"

#include <stdlib.h>

struct row {
    const char *text;
    const char *digest[2]; /* of 32 and of 64 lanes; "": refused */
};

static const struct row rows[] = {
#include "tests/unit/trace/generator_digests.inc"
};
enum { N_ROWS = sizeof rows / sizeof *rows, MOST_CTAS = 40 };

static void join_code(struct digest *d, const struct launch *l)
{
    for (uint32_t i = 0; i < l->n_code; i++) {
        const struct static_inst *si = &l->code[i];
        char text[160];
        snprintf(text, sizeof text, "%u %u %u %u %u %u %u %u %u %u %s", si->pc, si->cls, si->space,
                 si->width, si->hint, si->dst, si->n_src > 0 ? si->src[0] : 0,
                 si->n_src > 1 ? si->src[1] : 0, si->n_src > 2 ? si->src[2] : 0, si->buffer,
                 l->strings + si->opcode);
        *d = digest_join(*d, digest_text(text));
    }
}

static void join_launch(struct digest *d, const struct launch *l)
{
    char text[160];
    snprintf(text, sizeof text, "%u %u %u %u %llu", l->grid[0], l->block[0], l->registers_per_lane,
             l->shared_bytes, (unsigned long long)l->warp_instructions);
    *d = digest_join(*d, digest_text(text));
    join_code(d, l);
}

/* The bytes of a segment. */
static void load_segment(const struct program *p, uint32_t launch, uint64_t cta, uint32_t segment,
                         bool global_only, struct bytes *out)
{
    struct error e = {0};
    struct block_tools tools = {.encoder.global_only = global_only};
    struct segment_place at = p->ops->place(p, launch, cta, segment);
    check_ok(p->ops->load(p, at.block, &tools, out, &e), &e);
    segment_encoder_fini(&tools.encoder);
}

static struct digest digest_streams(const struct program *p)
{
    struct digest d = {0};
    struct bytes b = {0};
    for (uint32_t launch = 0; launch < program_launches(p); launch++) {
        const struct launch *l = program_launch(p, launch);
        join_launch(&d, l);
        for (uint64_t cta = 0; cta < l->ctas; cta += cta < MOST_CTAS ? 1 : l->ctas / MOST_CTAS + 1)
            for (uint32_t s = 0; s < p->ops->segments(p, launch, cta); s++) {
                b.n = 0;
                load_segment(p, launch, cta, s, false, &b);
                d = digest_join(d, digest_bytes(b.p, b.n));
            }
    }
    bytes_fini(&b);
    return d;
}

static void digest_row(const struct row *r, uint32_t width, char out[33])
{
    struct error e = {0};
    struct program *p =
        program_generate("digests", r->text, &(struct program_opts){.warp_width = width}, &e);
    out[0] = '\0';
    if (p) digest_hex(digest_streams(p), out);
    program_close(p);
}

static void print_rows(void)
{
    for (uint32_t i = 0; i < N_ROWS; i++) {
        char d[2][33];
        for (uint32_t k = 0; k < 2; k++)
            digest_row(&rows[i], 32U << k, d[k]);
        printf("{");
        printf("\"");
        for (const char *s = rows[i].text; *s; s++)
            printf(*s == '"' ? "\\\"" : "%c", *s);
        printf("\",\n {\"%s\", \"%s\"}},\n", d[0], d[1]);
    }
}

static void streams_are_as_before(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N_ROWS; i++)
        for (uint32_t k = 0; k < 2; k++) {
            char d[33];
            digest_row(&rows[i], 32U << k, d);
            if (strcmp(d, rows[i].digest[k]) != 0)
                print_error("%s: %u lanes: %s, not %s\n", rows[i].text, 32U << k, d,
                            rows[i].digest[k]);
        }
    for (uint32_t i = 0; i < N_ROWS; i++)
        for (uint32_t k = 0; k < 2; k++) {
            char d[33];
            digest_row(&rows[i], 32U << k, d);
            assert_string_equal(d, rows[i].digest[k]);
        }
}

/* --- addresses of global memory alone --- */

static void compare_warp(struct cursor *full, struct cursor *narrow)
{
    struct error e = {0};
    struct warp_inst a, b;
    while (cursor_next(full, &a, &e) == GOT_INST) {
        assert_int_equal(cursor_next(narrow, &b, &e), GOT_INST);
        assert_int_equal(a.code, b.code);
        if (!inst_op_is_global(a.si->cls)) continue;
        assert_true(a.mask == b.mask);
        for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(a.mask); k++)
            assert_true(warp_inst_addr(&a, k) == warp_inst_addr(&b, k));
    }
    assert_int_not_equal(cursor_next(narrow, &b, &e), GOT_INST);
}

static void compare_program(const struct program *p)
{
    struct error e = {0};
    struct reader *full = reader_new(p, &e), *narrow = reader_new_accesses(p, &e);
    struct cursor a = {0}, b = {0};
    const struct launch *l = program_launch(p, 0);
    for (uint64_t cta = 0; cta < l->ctas; cta += l->ctas / 4 + 1)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            check_ok(cursor_seek(&a, full, 0, cta, warp, 0, &e), &e);
            check_ok(cursor_seek(&b, narrow, 0, cta, warp, 0, &e), &e);
            compare_warp(&a, &b);
        }
    cursor_release(&a);
    cursor_release(&b);
    reader_free(full);
    reader_free(narrow);
}

static void global_addresses_are_the_same(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N_ROWS; i++)
        for (uint32_t k = 0; k < 2; k++) {
            struct error e = {0};
            if (!*rows[i].digest[k]) continue;
            struct program *p = program_generate("digests", rows[i].text,
                                                 &(struct program_opts){.warp_width = 32U << k}, &e);
            check_ok(p, &e);
            compare_program(p);
            program_close(p);
        }
}

int main(void)
{
    const char *mode = getenv("GENERATOR_DIGESTS");
    if (mode && strcmp(mode, "print") == 0) return print_rows(), 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_as_before),
        cmocka_unit_test(global_addresses_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
