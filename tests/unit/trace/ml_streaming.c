/* Element-wise operators and reductions of rows: which element is read and written by whom, how
 * often, and between which barriers, against what the heads of their files say. */
#include "tests/support/ml_streams.h"

#include <stdlib.h>
#include <string.h>

/* --- element-wise --- */

struct streamed {
    uint64_t n, inputs, vector, work, block, bytes, in_place;
    uint32_t width;
    struct ml_array array[9];
    uint32_t *read[8], *written;
    uint64_t floats, warps, early; /* FP32 instructions; loads behind a store of their warp */
    uint64_t behind;               /* such loads that each warp should have */
    bool stored;
};

/* Vector v belongs to thread v mod block, to access v / block of the launch, which belongs to a
 * CTA. */
static void see_stream(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct streamed *s = of;
    uint32_t width = (uint32_t)(s->vector * s->bytes), lane = 0;
    if (w->si->cls == OP_EXIT) {
        s->warps++;
        s->stored = false;
    }
    s->floats += w->si->cls == OP_FP32;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    bool store = w->si->cls == OP_STORE;
    s->early += s->stored && !store;
    s->stored |= store;
    uint32_t k = store && !s->in_place ? 8 : w->si->buffer - 1u;
    assert_int_equal(w->si->width, width);
    for (uint32_t i = 0; i < ml_lanes(w); i++, lane++) {
        while (!(w->mask >> lane & 1))
            lane++;
        uint64_t v = ml_offset(&s->array[k], warp_inst_addr(w, i), width) / width;
        (store ? s->written : s->read[k])[v]++;
        assert_int_equal(v % s->block, (uint64_t)warp * s->width + lane);
        assert_int_equal(v / s->block / (s->work / s->vector), cta);
    }
}

static void check_stream(struct streamed s, const char *more, uint64_t floats)
{
    char text[400];
    uint64_t vectors = (s.n + s.vector - 1) / s.vector, size = vectors * s.vector * s.bytes;
    uint64_t bytes[9] = {0};
    snprintf(text, sizeof text,
             "generator = \"vectorized\"; n = %llu; inputs = %llu; vector = %llu; work = %llu; "
             "block_threads = %llu; in_place = %llu; %s",
             (unsigned long long)s.n, (unsigned long long)s.inputs, (unsigned long long)s.vector,
             (unsigned long long)s.work, (unsigned long long)s.block,
             (unsigned long long)s.in_place, more);
    for (uint32_t k = 0; k < s.inputs; k++) {
        bytes[k] = size;
        s.read[k] = ml_counts(vectors);
    }
    bytes[8] = s.in_place ? 0 : size;
    s.written = ml_counts(vectors);
    ml_place(s.array, bytes, 9);
    struct program *p = ml_open(text, s.width);
    ml_visit(p, 0, see_stream, &s);
    for (uint32_t k = 0; k < s.inputs; k++) {
        ml_all_are(s.read[k], vectors, 1, "vector read");
        free(s.read[k]);
    }
    ml_all_are(s.written, vectors, 1, "vector written");
    assert_int_equal(s.early, s.behind * s.warps);
    assert_int_equal(s.floats, floats * s.work * s.warps);
    free(s.written);
    program_close(p);
}

static struct streamed streamed_of(uint64_t n, uint64_t inputs, uint64_t vector, uint64_t work,
                                   uint64_t block, uint64_t bytes, uint64_t in_place,
                                   uint32_t width)
{
    return (struct streamed){.n = n,
                             .inputs = inputs,
                             .vector = vector,
                             .work = work,
                             .block = block,
                             .bytes = bytes,
                             .in_place = in_place,
                             .width = width};
}

static void every_element_is_read_and_written_once(void **state)
{
    (void)state;
    check_stream(streamed_of(4096, 1, 4, 4, 128, 4, 0, 32), "", 1);
    check_stream(streamed_of(99991, 2, 4, 4, 128, 4, 0, 32), "function = \"mul\";", 1);
    check_stream(streamed_of(99991, 3, 2, 8, 96, 4, 0, 32), "", 2);
    check_stream(streamed_of(1, 1, 4, 4, 128, 4, 0, 32), "function = \"relu\";", 3);
    check_stream(streamed_of(5000, 8, 1, 4, 256, 4, 1, 64), "", 7);
    check_stream(streamed_of(7777, 1, 8, 16, 128, 2, 1, 64), "type = \"bf16\";", 3);
    check_stream(streamed_of(1 << 16, 1, 4, 8, 1024, 4, 0, 64), "function = \"pow\";", 64);
}

/* In a loop, a round's loads come behind the stores of the round before. */
static void rounds_wait_for_each_other(void **state)
{
    (void)state;
    struct streamed s = streamed_of(3 * 8 * 1024, 2, 1, 8, 1024, 2, 0, 32);
    s.behind = 2 * 7;
    check_stream(s, "type = \"bf16\"; rounds = 8;", 4);
    s = streamed_of(5 * 8 * 128, 1, 2, 8, 128, 4, 1, 32);
    s.behind = 2;
    check_stream(s, "rounds = 2;", 1);
}

/* --- rows --- */

struct reduced {
    const char *name;
    uint64_t rows, width, bytes;
    uint32_t lanes, passes; /* over the row */
    uint32_t between;       /* barriers from a pass to the next; 0: a warp has the row */
    struct ml_array array[6];
    uint32_t *read[3], *written, *gamma, *beta, *mean, *root;
    uint32_t barriers;
    uint64_t wrong;
};

static void see_access(struct reduced *r, const struct warp_inst *w, uint64_t cta, uint64_t at)
{
    uint32_t k = w->si->buffer - 1u, one = (uint32_t)r->bytes;
    uint32_t pass = r->between ? r->barriers / r->between : 0;
    if (k >= 4) {
        uint64_t row = ml_offset(&r->array[k], at, 4) / 4;
        (k == 4 ? r->mean : r->root)[row]++;
        r->wrong += row != cta || w->si->cls != OP_STORE;
        return;
    }
    for (uint32_t b = 0; b < w->si->width; b += one) {
        uint64_t e = ml_offset(&r->array[k], at + b, one) / one;
        if (k < 2 && r->between) r->wrong += e / r->width != cta;
        if (r->between) r->wrong += r->barriers % r->between != 0;
        r->wrong += (k == 1) != (w->si->cls == OP_STORE) || (k && pass + 1 != r->passes);
        (k == 0 ? r->read[pass] : k == 1 ? r->written : k == 2 ? r->gamma : r->beta)[e]++;
    }
}

static void see_row(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct reduced *r = of;
    (void)warp;
    r->barriers += w->si->cls == OP_BARRIER;
    if (w->si->cls == OP_EXIT) {
        assert_int_equal(r->barriers, r->between * (r->passes - 1));
        r->barriers = 0;
    }
    if (w->si->space != SPACE_GLOBAL) return;
    for (uint32_t i = 0; i < ml_lanes(w); i++)
        see_access(r, w, cta, warp_inst_addr(w, i));
}

static void check_counts(struct reduced *r, bool norm, bool layer)
{
    uint64_t all = r->rows * r->width;
    uint32_t rows = (uint32_t)r->rows;
    for (uint32_t k = 0; k < 3; k++) {
        ml_all_are(r->read[k], all, k < r->passes, "element read in a pass");
        free(r->read[k]);
    }
    ml_all_are(r->written, all, 1, "element written");
    ml_all_are(r->gamma, r->width, norm ? rows : 0, "gamma read");
    ml_all_are(r->beta, r->width, layer ? rows : 0, "beta read");
    ml_all_are(r->mean, r->rows, layer, "mean written");
    ml_all_are(r->root, r->rows, norm, "root written");
    assert_int_equal(r->wrong, 0);
    free(r->written), free(r->gamma), free(r->beta), free(r->mean), free(r->root);
}

/* threads: that a CTA must have. */
static void check_rows(struct reduced r, const char *more, uint32_t threads)
{
    bool norm = strcmp(r.name, "softmax") != 0, layer = strcmp(r.name, "layernorm") == 0;
    uint64_t all = r.rows * r.width, one = r.bytes;
    char text[400];
    const uint64_t bytes[6] = {all * one,
                               all * one,
                               norm ? r.width * one : 0,
                               layer ? r.width * one : 0,
                               layer ? r.rows * 4 : 0,
                               norm ? r.rows * 4 : 0};
    snprintf(text, sizeof text, "generator = \"%s\"; rows = %llu; width = %llu; type = \"%s\"; %s",
             r.name, (unsigned long long)r.rows, (unsigned long long)r.width,
             one == 2 ? "fp16" : "fp32", more);
    ml_place(r.array, bytes, 6);
    for (uint32_t k = 0; k < 3; k++)
        r.read[k] = ml_counts(all);
    r.written = ml_counts(all);
    r.gamma = ml_counts(r.width);
    r.beta = ml_counts(r.width);
    r.mean = ml_counts(r.rows);
    r.root = ml_counts(r.rows);
    struct program *p = ml_open(text, r.lanes);
    assert_int_equal(program_launch(p, 0)->block[0], threads);
    ml_visit(p, 0, see_row, &r);
    check_counts(&r, norm, layer);
    program_close(p);
}

static struct reduced reduced_of(const char *name, uint64_t rows, uint64_t width, uint64_t bytes,
                                 uint32_t lanes, uint32_t passes, uint32_t between)
{
    return (struct reduced){.name = name,
                            .rows = rows,
                            .width = width,
                            .bytes = bytes,
                            .lanes = lanes,
                            .passes = passes,
                            .between = between};
}

/* PyTorch's blocks for these widths: NeuSight's table has them. */
static void softmax_reads_long_rows_three_times(void **state)
{
    (void)state;
    check_rows(reduced_of("softmax", 5, 1280, 4, 32, 3, 4), "", 256);
    check_rows(reduced_of("softmax", 3, 1600, 4, 32, 3, 4), "", 256);
    check_rows(reduced_of("softmax", 2, 2560, 4, 32, 3, 4), "", 512);
    check_rows(reduced_of("softmax", 2, 16384, 4, 32, 3, 4), "", 512);
    check_rows(reduced_of("softmax", 2, 8191, 4, 32, 3, 4), "", 1024);
    check_rows(reduced_of("softmax", 3, 3000, 2, 64, 3, 4), "", 256);
    check_rows(reduced_of("softmax", 3, 100, 4, 32, 3, 4), "method = \"block\";", 32);
    check_rows(reduced_of("softmax", 1, 200000, 4, 32, 3, 4), "block_threads = 64;", 64);
}

static void softmax_keeps_short_rows_in_registers(void **state)
{
    (void)state;
    check_rows(reduced_of("softmax", 9, 1024, 4, 32, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 10, 768, 4, 32, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 37, 100, 4, 32, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 101, 7, 4, 32, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 1, 1, 4, 32, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 77, 50, 2, 64, 1, 0), "", 128);
    check_rows(reduced_of("softmax", 7, 1000, 2, 64, 1, 0), "block_threads = 64;", 64);
}

/* Two barriers a level of four or two warps, and one for the result. */
static void norms_read_rows_twice(void **state)
{
    (void)state;
    check_rows(reduced_of("layernorm", 4, 2048, 4, 32, 2, 5), "", 128);
    check_rows(reduced_of("layernorm", 3, 1600, 4, 32, 2, 5), "", 128);
    check_rows(reduced_of("layernorm", 3, 4096, 2, 64, 2, 3), "", 128);
    check_rows(reduced_of("layernorm", 3, 13, 4, 32, 2, 1), "block_threads = 32;", 32);
    check_rows(reduced_of("rmsnorm", 4, 5120, 2, 32, 2, 5), "", 128);
    check_rows(reduced_of("rmsnorm", 2, 999, 4, 64, 2, 7), "block_threads = 512;", 512);
}

/* PyTorch's kernel of layer norm takes 4 elements of every type at a time. */
static void norms_take_four_elements(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t bytes;
    } cases[] = {{"generator = \"layernorm\"; rows = 2; type = \"fp16\";", 8},
                 {"generator = \"rmsnorm\"; rows = 2; type = \"fp32\";", 16},
                 {"generator = \"rmsnorm\"; rows = 2; type = \"bf16\"; vector = 8;", 16},
                 {"generator = \"softmax\"; rows = 2; type = \"fp16\";", 16}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program *p = ml_open(cases[i].text, 32);
        const struct launch *l = program_launch(p, 0);
        uint32_t widest = 0;
        for (uint32_t k = 0; k < l->n_code; k++)
            if (l->code[k].cls == OP_LOAD && l->code[k].width > widest) widest = l->code[k].width;
        assert_int_equal(widest, cases[i].bytes);
        program_close(p);
    }
}

/* --- how softmax reduces through shared memory, and registers --- */

enum { REDUCED_THREADS = 256, REDUCED_WARPS = REDUCED_THREADS / 32 };
struct reduction {
    uint32_t barriers;
    uint32_t loads[5];                 /* instructions after so many barriers */
    uint32_t read[5][REDUCED_THREADS]; /* lanes that read the word */
};

static void see_shared(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct reduction *r = of;
    (void)cta, (void)warp;
    r->barriers = w->si->cls == OP_EXIT ? 0 : r->barriers + (w->si->cls == OP_BARRIER);
    if (w->si->cls != OP_SHARED_LOAD || r->barriers > 4) return;
    r->loads[r->barriers]++;
    for (uint32_t i = 0; i < ml_lanes(w); i++)
        for (uint32_t b = 0; b < w->si->width; b += 4)
            r->read[r->barriers][(warp_inst_addr(w, i) + b) / 4]++;
}

/* The first warp takes each thread's value once, thread 0 each warp's, and all take the result. */
static void softmax_reduces_by_loads_of_four_words(void **state)
{
    (void)state;
    struct reduction r = {0};
    struct program *p = ml_open("generator = \"softmax\"; rows = 1; width = 2048;", 32);
    ml_visit(p, 0, see_shared, &r);
    for (uint32_t k = 0; k < REDUCED_THREADS; k++) {
        assert_int_equal(r.read[2][k], 1);
        assert_int_equal(r.read[3][k], k < REDUCED_WARPS);
        assert_int_equal(r.read[4][k], k ? 0 : REDUCED_THREADS);
    }
    assert_int_equal(r.loads[2], 32 / 4);
    assert_int_equal(r.loads[3], REDUCED_WARPS / 4);
    program_close(p);
}

/* As nvcc 13.0 says for compute capability 8.0 (ptxas -v), unless the program says another number.
 */
static void rows_have_the_registers_of_pytorch(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t registers;
    } cases[] = {{"generator = \"softmax\"; rows = 2;", 29},
                 {"generator = \"softmax\"; rows = 2; type = \"fp16\";", 38},
                 {"generator = \"layernorm\"; rows = 2;", 32},
                 {"generator = \"layernorm\"; rows = 2; type = \"bf16\";", 31},
                 {"generator = \"layernorm\"; rows = 2; registers = 40;", 40}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program *p = ml_open(cases[i].text, 32);
        assert_int_equal(program_launch(p, 0)->registers_per_lane, cases[i].registers);
        program_close(p);
    }
}

/* --- what is refused --- */

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    static const struct refused wrong[] = {
        {"generator = \"vectorized\"; n = 0;", "n is out of range"},
        {"generator = \"vectorized\"; vector = 3;", "vector = 3"},
        {"generator = \"vectorized\"; vector = 8;", "16 bytes"},
        {"generator = \"vectorized\"; vector = 4; work = 6;", "work = 6"},
        {"generator = \"vectorized\"; n = 70000000000000L; block_threads = 32;", "CTAs"},
        {"generator = \"vectorized\"; function = \"copy\"; inputs = 2;", "a copy has one"},
        {"generator = \"softmax\"; rows = 0;", "rows is out of range"},
        {"generator = \"softmax\"; width = 2049; method = \"warp\";", "1024"},
        {"generator = \"softmax\"; width = 2050; vector = 4;", "divides width"},
        {"generator = \"softmax\"; width = 512; vector = 4;", "method = \"block\""},
        {"generator = \"softmax\"; block_threads = 96;", "power of two"},
        {"generator = \"softmax\"; block_threads = 100;", "multiple of a warp"},
        {"generator = \"layernorm\"; rows = 2147483647; width = 2147483648L;", "2^46"},
        {"generator = \"rmsnorm\"; method = \"warp\";", "no parameter method"},
        {"generator = \"layernorm\"; ctas = 5;", "no parameter ctas"},
    };
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_read_and_written_once),
        cmocka_unit_test(rounds_wait_for_each_other),
        cmocka_unit_test(softmax_reads_long_rows_three_times),
        cmocka_unit_test(softmax_keeps_short_rows_in_registers),
        cmocka_unit_test(norms_read_rows_twice),
        cmocka_unit_test(norms_take_four_elements),
        cmocka_unit_test(softmax_reduces_by_loads_of_four_words),
        cmocka_unit_test(rows_have_the_registers_of_pytorch),
        cmocka_unit_test(bad_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
