/* The generator of sparse products: every non-zero once, warps as long as their rows, and whether
 * what is drawn follows its law. */
#include "tests/support/ml_streams.h"

#include <math.h>
#include <stdlib.h>

struct sparse {
    uint64_t rows, columns, width, lanes;
    struct ml_array array[5]; /* offsets, columns, values, b, c */
    uint32_t *nonzeros[2], *stored, *degree;
    uint64_t loaded, multiplied, near, band, wrong, exits;
    uint64_t instructions, least, most; /* of a warp */
};

static uint64_t row_of(const struct sparse *s, uint64_t cta, uint32_t warp)
{
    return cta % ((s->rows + 7) / 8) * 8 + warp;
}

/* A row of B: whether it is near the row's place, and whether columns are this CTA's. */
static void read_b(struct sparse *s, const struct warp_inst *w, uint64_t cta, uint32_t warp)
{
    if (!w->mask) return;
    uint64_t at = ml_offset(&s->array[3], warp_inst_addr(w, 0), 4) / 4, row = row_of(s, cta, warp);
    uint64_t column = at / s->width, piece = at % s->width, across = 2 * s->lanes;
    uint64_t place = row * s->columns / s->rows;
    s->wrong += piece / across != cta / ((s->rows + 7) / 8) || piece % s->lanes;
    s->wrong += piece + ml_lanes(w) > s->width;
    s->near += (column > place ? column - place : place - column) <= s->band;
    s->loaded++;
    for (uint32_t k = 0; k < ml_lanes(w); k++)
        s->wrong += (warp_inst_addr(w, k) - s->array[3].at) / 4 != at + k;
}

static void multiply(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct sparse *s = of;
    uint64_t row = row_of(s, cta, warp);
    s->instructions++;
    s->multiplied += w->si->cls == OP_FP32 && w->mask;
    if (w->si->cls == OP_EXIT) {
        if (s->instructions < s->least) s->least = s->instructions;
        if (s->instructions > s->most) s->most = s->instructions;
        s->instructions = 0;
        s->exits++;
    }
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    uint32_t array = w->si->buffer - 1u;
    if (array == 3) read_b(s, w, cta, warp);
    for (uint32_t k = 0; k < ml_lanes(w) && array != 3; k++) {
        uint64_t at = ml_offset(&s->array[array], warp_inst_addr(w, k), 4) / 4;
        if (array == 0) s->wrong += at != row && at != row + 1;
        if (array == 1) s->degree[row]++;
        if (array == 1 || array == 2) s->nonzeros[array - 1][at]++;
        if (array == 4) s->stored[at]++;
        if (array == 4) s->wrong += at / s->width != row;
    }
}

/* Columns that the warps of the first pieces load. */
static void count_columns(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct sparse *s = of;
    (void)warp;
    if (w->si->cls == OP_LOAD && w->si->buffer == 2 && cta < (s->rows + 7) / 8)
        s->loaded += ml_lanes(w);
}

/* Returns the non-zeros. */
static uint64_t visit_sparse(struct sparse *s, const char *more)
{
    char text[300];
    snprintf(text, sizeof text,
             "generator = \"spmm\"; rows = %llu; columns = %llu; width = %llu; %s",
             (unsigned long long)s->rows, (unsigned long long)s->columns,
             (unsigned long long)s->width, more);
    struct program *p = ml_open(text, (uint32_t)s->lanes);
    ml_visit(p, 0, count_columns, s);
    uint64_t n = s->loaded;
    s->loaded = 0;
    ml_place(s->array,
             (uint64_t[]){(s->rows + 1) * 4, n * 4, n * 4, s->columns * s->width * 4,
                          s->rows * s->width * 4},
             5);
    s->nonzeros[0] = ml_counts(n);
    s->nonzeros[1] = ml_counts(n);
    s->stored = ml_counts(s->rows * s->width);
    s->degree = ml_counts(s->rows);
    s->least = UINT64_MAX;
    ml_visit(p, 0, multiply, s);
    assert_int_equal(s->wrong, 0);
    program_close(p);
    return n;
}

static void close_sparse(struct sparse *s)
{
    free(s->nonzeros[0]), free(s->nonzeros[1]), free(s->stored), free(s->degree);
}

static void every_nonzero_is_multiplied_once(void **state)
{
    (void)state;
    static const struct {
        struct sparse s;
        const char *more;
    } cases[] = {
        {{100, 100, 64, .lanes = 32}, "degree = 5.5;"},
        {{1, 1, 1, .lanes = 32}, "degree = 1.0; degrees = \"regular\";"},
        {{77, 1000, 200, .lanes = 32}, "degree = 40.0; unroll = 8; locality = 0.5; band = 10;"},
        {{50, 30, 33, .lanes = 32}, "degree = 0.5; degrees = \"regular\"; unroll = 1;"},
        {{64, 500, 100, .lanes = 64}, "degree = 70.0; popularity = 1.0; exponent = 1.5;"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sparse s = cases[i].s;
        uint64_t n = visit_sparse(&s, cases[i].more), across = 2 * s.lanes;
        uint64_t tiles = (s.width + across - 1) / across,
                 pieces = (s.width + s.lanes - 1) / s.lanes;
        ml_all_are(s.nonzeros[0], n, (uint32_t)tiles, "column");
        ml_all_are(s.nonzeros[1], n, (uint32_t)tiles, "value");
        ml_all_are(s.stored, s.rows * s.width, 1, "element of the result");
        assert_int_equal(s.loaded, n * pieces);
        assert_int_equal(s.multiplied, 2 * n * tiles);
        assert_int_equal(s.exits, tiles * ((s.rows + 7) / 8) * 8);
        close_sparse(&s);
    }
}

/* Warps end with their rows: a row of 4 u non-zeros has u steps at unroll = 4. */
static void warps_are_as_long_as_their_rows(void **state)
{
    (void)state;
    struct sparse s = {4000, 4000, 32, .lanes = 32};
    visit_sparse(&s, "degree = 8.0; exponent = 2.2;");
    uint32_t least = UINT32_MAX, most = 0;
    for (uint64_t r = 0; r < s.rows; r++) {
        if (s.degree[r] < least) least = s.degree[r];
        if (s.degree[r] > most) most = s.degree[r];
    }
    uint64_t steps = (most + 3) / 4 - (least + 3) / 4;
    assert_true(most > 200 && steps > 50);
    /* 4 for the columns and values, per non-zero 3, two loads, two products; counter, branch */
    assert_int_equal(s.most - s.least, steps * (4 + 4 * 7 + 2));
    close_sparse(&s);
}

/* The mean is the one asked for; the share of rows above x is that of a bounded power law. */
static void degrees_follow_their_law(void **state)
{
    (void)state;
    struct sparse s = {20000, 3000, 1, .lanes = 32};
    double n = (double)visit_sparse(&s, "degree = 16.0; exponent = 2.5;"), rows = 20000;
    /* 1 - a = -1.5: least and most give the mean 3 (l^-0.5 - m^-0.5) / (l^-1.5 - m^-1.5) */
    double lo = 1, hi = 16;
    for (int i = 0; i < 100; i++) {
        double l = (lo + hi) / 2;
        double mean = 3 * (pow(l, -0.5) - pow(3000, -0.5)) / (pow(l, -1.5) - pow(3000, -1.5));
        *(mean < 16 ? &lo : &hi) = l;
    }
    if (fabs(n / rows - 16) > 1.0) fail_msg("mean %g", n / rows);
    for (double x = 10; x < 500; x *= 3) {
        double above = 0,
               tail = (pow(x, -1.5) - pow(3000, -1.5)) / (pow(lo, -1.5) - pow(3000, -1.5));
        for (uint64_t r = 0; r < s.rows; r++)
            above += s.degree[r] > x;
        /* parts of a non-zero are rounded either way: half a non-zero of x */
        double error = 4 * sqrt(rows * tail) + rows * tail * 1.5 * 0.5 / x;
        if (fabs(above - rows * tail) > error)
            fail_msg("above %g: %g rows, not %g +- %g", x, above, rows * tail, error);
    }
    close_sparse(&s);
}

static void the_band_has_its_share(void **state)
{
    (void)state;
    struct sparse s = {2000, 8000, 1, .lanes = 32, .band = 50};
    double n = (double)visit_sparse(&s, "degree = 10.0; degrees = \"regular\"; locality = 0.7; "
                                        "band = 100;");
    assert_int_equal(n, 20000);
    double share = 0.7 + 0.3 * 100 / 8000;
    if (fabs((double)s.near / n - share) > 4 * sqrt(share / n))
        fail_msg("%g in the band, not %g", (double)s.near / n, share);
    close_sparse(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_nonzero_is_multiplied_once),
        cmocka_unit_test(warps_are_as_long_as_their_rows),
        cmocka_unit_test(degrees_follow_their_law),
        cmocka_unit_test(the_band_has_its_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
