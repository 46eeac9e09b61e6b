/* Are thread batches formed as the thesis draws them (figures 32 and 34), as the mapping of threads
 * to data demands, and as an obvious count over a plain table says? */
#include "trace/analysis/batch_formation.h"
#include "base/memory/rng.h"
#include "tests/support/touched_pages.h"

#include <math.h>
#include <stdlib.h>

/* --- mappings of threads to data --- */

struct shape {
    uint32_t row, rows; /* of the grid */
};

/* Type 1 of the thesis: each CTA has the next `bytes`, and reads `rim` on both sides. */
static struct touched_pages *chunks(uint32_t ctas, uint32_t bytes, uint32_t rim)
{
    struct touched_pages *t = touched_pages_new(4096, ctas);
    for (uint32_t c = 0; c < ctas; c++) {
        uint64_t from = (uint64_t)c * bytes, before = from < rim ? from : rim;
        touched_pages_add(t, c, from - before, bytes + before + rim);
    }
    return t;
}

/* Type 2: tiles of a matrix that lies row by row, with a rim of `rim` rows and `rim` elements of 4
 * bytes. */
static struct touched_pages *tiles(struct shape g, uint32_t width, uint32_t height, uint32_t rim)
{
    struct touched_pages *t = touched_pages_new(4096, g.row * g.rows);
    uint64_t pitch = UINT64_C(4) * width * g.row;
    uint32_t last = height * g.rows - 1;
    for (uint32_t c = 0; c < t->ctas; c++) {
        uint32_t x = c % g.row, y = c / g.row, left = x ? 4 * rim : 0;
        uint32_t right = x + 1 < g.row ? 4 * rim : 0;
        for (uint32_t r = y * height < rim ? 0 : y * height - rim;
             r < (y + 1) * height + rim && r <= last; r++)
            touched_pages_add(t, c, r * pitch + UINT64_C(4) * width * x - left,
                              4 * width + left + right);
    }
    return t;
}

/* Each CTA writes a column of tiles' place of the transposed matrix. */
static struct touched_pages *transposed(struct shape g, uint32_t tile)
{
    struct touched_pages *t = touched_pages_new(4096, g.row * g.rows);
    for (uint32_t c = 0; c < t->ctas; c++)
        for (uint32_t r = 0; r < tile; r++)
            touched_pages_add(
                t, c, UINT64_C(4) * tile * ((uint64_t)g.rows * (c % g.row * tile + r) + c / g.row),
                4 * tile);
    return t;
}

static struct batch_formation formation_of(struct touched_pages *t, uint32_t row)
{
    struct batch_formation f;
    struct page_sets s = touched_pages_sets(t);
    assert_true(batch_formation_find(&f, &s, row));
    page_sets_fini(&s);
    mem_free(t);
    return f;
}

static void assert_stride(struct touched_pages *t, uint32_t row, uint32_t stride)
{
    struct batch_formation f = formation_of(t, row);
    if (f.kind != BATCH_STRIDE || f.stride != stride)
        fail_msg("%s %u, not stride %u", batch_kind_name[f.kind], f.stride, stride);
    assert_int_equal(f.modulus, 0);
}

/* Figure 32: four CTAs of four threads in a grid of two by two; each has a row of the matrix. Rows
 * of 1 KB; pages of one row (c), of two (e). */
static void figure_32(void **state)
{
    (void)state;
    for (uint32_t rows = 1; rows <= 2; rows++) {
        struct touched_pages *t = touched_pages_new(1024 * rows, 4);
        for (uint32_t c = 0; c < 4; c++)
            touched_pages_add(t, c, UINT64_C(1024) * c, 1024);
        assert_stride(t, 2, rows);
    }
}

/* Figure 34: CTAs of two by two threads tile a matrix of four by four; a row is a page. */
static void figure_34(void **state)
{
    (void)state;
    struct touched_pages *t = touched_pages_new(1024, 4);
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t r = 0; r < 2; r++)
            touched_pages_add(t, c, 1024 * (2 * (c / 2) + r) + 512 * (c % 2), 512);
    assert_stride(t, 2, 2);
}

static void chunks_that_fill_pages_together(void **state)
{
    (void)state;
    assert_stride(chunks(256, 1024, 0), 256, 4);
    assert_stride(chunks(256, 4096, 0), 256, 1);
    assert_stride(chunks(256, 3072, 0), 256, 4);
    assert_stride(chunks(256, 8192, 0), 256, 1);
    assert_stride(chunks(4, 2048, 0), 4, 2);
    assert_stride(chunks(1, 2048, 0), 1, 1);
    assert_stride(chunks(2, 2048, 0), 2, 1); /* a page that all share does not count */
}

static void rims_do_not_join_batches(void **state)
{
    (void)state;
    assert_stride(chunks(256, 1024, 4), 256, 4);
    assert_stride(chunks(256, 4096, 64), 256, 1);
    assert_stride(chunks(251, 3072, 4), 251, 4);
    assert_stride(tiles((struct shape){8, 32}, 16, 16, 1), 8, 8);
    assert_stride(tiles((struct shape){64, 8}, 16, 16, 1), 64, 64);
    assert_stride(tiles((struct shape){64, 4}, 16, 16, 2), 64, 64);
}

static void rows_of_tiles_are_batches(void **state)
{
    (void)state;
    assert_stride(tiles((struct shape){8, 32}, 16, 16, 0), 8, 8);
    assert_stride(tiles((struct shape){64, 8}, 16, 16, 0), 64, 64);
    assert_stride(tiles((struct shape){256, 2}, 4, 4, 0), 256, 256);
    assert_stride(tiles((struct shape){7, 40}, 64, 16, 0), 7, 7);
    /* Two rows of tiles fill a page. */
    assert_stride(tiles((struct shape){4, 64}, 64, 2, 0), 4, 8);
}

static void columns_need_a_modulus(void **state)
{
    (void)state;
    struct batch_formation f = formation_of(transposed((struct shape){8, 32}, 32), 8);
    assert_int_equal(f.kind, BATCH_MODULO);
    assert_int_equal(f.modulus, 8);
    assert_int_equal(f.stride, 1);
}

static void scattered_pages_fit_no_formula(void **state)
{
    (void)state;
    struct rng g;
    struct touched_pages *t = touched_pages_new(4096, 256);
    rng_seed(&g, 3, 4);
    for (uint32_t c = 0; c < 256; c++)
        for (uint32_t i = 0; i < 20; i++)
            touched_pages_add(t, c, rng_below(&g, UINT64_C(4096) * TABLE_PAGES), 4);
    struct batch_formation f = formation_of(t, 256);
    assert_int_equal(f.kind, BATCH_NONE);
    assert_int_equal(f.stride, 1);
    assert_int_equal(f.modulus, 0);
}

static void shared_tables_do_not_count(void **state)
{
    (void)state;
    struct touched_pages *t = chunks(128, 1024, 0);
    for (uint32_t c = 0; c < 128; c++)
        touched_pages_add(t, c, 4096 * 100, UINT64_C(4096) * 20);
    assert_stride(t, 128, 4);
    /* Where most pages are shared by all, batches are of no use. */
    t = chunks(128, 1024, 0);
    for (uint32_t c = 0; c < 128; c++)
        touched_pages_add(t, c, 4096 * 100, UINT64_C(4096) * 50);
    assert_int_equal(formation_of(t, 128).kind, BATCH_NONE);
}

/* --- the slow reference --- */

static uint32_t parts_of_batch(const struct touched_pages *t, uint32_t page, uint32_t stride,
                               uint32_t batch)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < t->ctas; c++)
        if (c / stride == batch) n += touched_parts(t, page, c);
    return n;
}

static uint32_t touching(const struct touched_pages *t, uint32_t page)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < t->ctas; c++)
        n += t->parts[page][c] != 0;
    return n;
}

static bool counts(const struct touched_pages *t, uint32_t page)
{
    return touching(t, page) > 0 && touching(t, page) <= t->ctas / 2;
}

static double plain_sharing(const struct touched_pages *t, uint32_t stride)
{
    uint32_t n = (t->ctas + stride - 1) / stride - 1;
    double at[TABLE_CTAS] = {0}, mean = 0, square = 0;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t p = 0; p < TABLE_PAGES; p++) {
            if (!counts(t, p)) continue;
            double a = parts_of_batch(t, p, stride, k), b = parts_of_batch(t, p, stride, k + 1);
            if (a > 0 && b > 0) at[k] += fmin(a, b) / fmax(a, b);
        }
    for (uint32_t k = 0; k < n; k++)
        mean += at[k] / n;
    for (uint32_t k = 0; k < n; k++)
        square += (at[k] - mean) * (at[k] - mean);
    return n > 1 ? mean + 3 * sqrt(square / (n - 1)) / sqrt(n) : mean;
}

static uint32_t plain_stride(const struct touched_pages *t, uint32_t row)
{
    double alone = plain_sharing(t, 1), least = alone;
    uint32_t best = 1, divisor = 1;
    for (uint32_t k = 2; k <= t->ctas / 2; k++) {
        if (k > t->ctas / 8 && k > 8 && k % row != 0) continue;
        double here = plain_sharing(t, k);
        if (here < least - 1e-12) least = here, best = k;
    }
    while (best % divisor != 0 || plain_sharing(t, divisor) > least + alone / 20 + 1e-12)
        divisor++;
    return divisor;
}

static bool plain_fits(const struct touched_pages *t, uint32_t page, uint32_t stride)
{
    uint32_t all = 0, most = 0;
    for (uint32_t k = 0; k * stride < t->ctas; k++) {
        uint32_t here = parts_of_batch(t, page, stride, k);
        uint32_t pair = here + parts_of_batch(t, page, stride, k + 1);
        all += here;
        most = pair > most ? pair : most;
    }
    return 4 * most >= 3 * all;
}

static bool most_fit(const struct touched_pages *t, uint32_t stride)
{
    uint32_t fit = 0, all = 0;
    for (uint32_t p = 0; p < TABLE_PAGES; p++) {
        all += touching(t, p) > 0;
        fit += counts(t, p) && plain_fits(t, p, stride);
    }
    return 2 * fit >= all;
}

static bool plain_modulus(const struct touched_pages *t, uint32_t m)
{
    uint32_t fit = 0, all = 0;
    for (uint32_t p = 0; p < TABLE_PAGES; p++) {
        bool one = true;
        uint32_t class = UINT32_MAX;
        all += touching(t, p) > 0;
        if (!counts(t, p)) continue;
        for (uint32_t c = 0; c < t->ctas; c++) {
            if (!t->parts[p][c]) continue;
            if (class == UINT32_MAX) class = c % m;
            one = one && c % m == class;
        }
        fit += one;
    }
    return 4 * fit >= 3 * all;
}

static void plain_shares(const struct touched_pages *t, uint32_t stride, struct batch_sharing *to)
{
    uint32_t all = (t->ctas + stride - 1) / stride;
    for (uint32_t p = 0; p < TABLE_PAGES; p++) {
        uint32_t n = 0, first = 0, last = 0;
        for (uint32_t k = 0; k < all; k++) {
            if (parts_of_batch(t, p, stride, k) == 0) continue;
            if (n++ == 0) first = k;
            last = k;
        }
        if (n == 0) continue;
        to->pages++;
        if (n == 1)
            to->by_sharer[SHARER_ONE]++;
        else if (n == 2 && last == first + 1)
            to->by_sharer[SHARER_TWO]++;
        else
            to->by_sharer[n >= 3 && 2 * n > all ? SHARER_MOST : SHARER_OTHER]++;
        uint32_t bucket = 0;
        while (bucket + 1 < BATCH_DISTANCES && batch_sharing_distance(bucket + 1) <= last - first)
            bucket++;
        to->by_distance[bucket]++;
    }
}

/* CTAs near a page's place touch it, and some far away. */
static struct touched_pages *random_table(struct rng *g)
{
    uint32_t ctas = 4 + (uint32_t)rng_below(g, 60), spread = 1 + (uint32_t)rng_below(g, 6);
    struct touched_pages *t = touched_pages_new(4096, ctas);
    uint32_t pages = 1 + (uint32_t)rng_below(g, 60), far = (uint32_t)rng_below(g, 3);
    for (uint32_t p = 0; p < pages; p++)
        for (uint32_t i = 0; i < 1 + rng_below(g, 5); i++) {
            uint64_t c = UINT64_C(1) * p * ctas / pages + rng_below(g, spread);
            if (rng_below(g, 4) < far) c = rng_below(g, ctas);
            if (c < ctas)
                touched_pages_add(t, (uint32_t)c, UINT64_C(4096) * p + 128 * rng_below(g, 16),
                                  128 * (1 + rng_below(g, 16)));
        }
    return t;
}

static void random_sets_as_the_reference_says(void **state)
{
    (void)state;
    struct rng g;
    uint32_t kinds[BATCH_KINDS] = {0}, longer = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rng_seed(&g, 21, seed);
        struct touched_pages *t = random_table(&g);
        struct page_sets s = touched_pages_sets(t);
        struct batch_formation f;
        struct batch_sharing got = {0}, want = {0};
        uint32_t row = 1 + (uint32_t)rng_below(&g, 8);
        assert_true(batch_formation_find(&f, &s, row == 1 ? s.ctas : row));
        if (f.kind == BATCH_STRIDE) {
            assert_int_equal(f.stride, plain_stride(t, row == 1 ? s.ctas : row));
            assert_true(s.ctas < 4 || most_fit(t, f.stride));
        }
        for (uint32_t m = f.modulus + 1; f.kind != BATCH_STRIDE && m <= s.ctas / 2; m++)
            assert_true(m == 1 || !plain_modulus(t, m));
        if (f.kind == BATCH_MODULO) assert_true(plain_modulus(t, f.modulus));
        batch_sharing_add(&got, &s, f.stride);
        plain_shares(t, f.stride, &want);
        assert_memory_equal(&got, &want, sizeof got);
        kinds[f.kind]++;
        longer += f.stride > 1;
        page_sets_fini(&s);
        mem_free(t);
    }
    assert_true(kinds[BATCH_STRIDE] > 20 && kinds[BATCH_NONE] > 0 && longer > 5);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    struct batch_formation f;
    struct touched_pages *t = chunks(16, 1024, 0);
    struct page_sets s = touched_pages_sets(t);
    shim_fail_after(SHIM_ALLOC, 1);
    assert_false(batch_formation_find(&f, &s, 16));
    page_sets_fini(&s);
    mem_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_32),
        cmocka_unit_test(figure_34),
        cmocka_unit_test(chunks_that_fill_pages_together),
        cmocka_unit_test(rims_do_not_join_batches),
        cmocka_unit_test(rows_of_tiles_are_batches),
        cmocka_unit_test(columns_need_a_modulus),
        cmocka_unit_test(scattered_pages_fit_no_formula),
        cmocka_unit_test(shared_tables_do_not_count),
        cmocka_unit_test(random_sets_as_the_reference_says),
        cmocka_unit_test(no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
