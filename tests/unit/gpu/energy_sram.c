/* Do figures come from the tables as they should: entries as they stand, between them how far off,
 * beyond them not at all? */
#include "base/memory/alloc.h"
#include "gpu/energy/sram_model.h"
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

static const struct sram_tables *tables(void)
{
    struct error e;
    const struct sram_tables *t = sram_tables("caches", &e);
    if (!t) fail_msg("%s", e.text);
    return t;
}

static const struct sram_table *areas(void)
{
    struct error e;
    const struct sram_table *t = sram_areas(tables(), &e);
    if (!t) fail_msg("%s", e.text);
    return t;
}

static struct sram_cache slice(uint64_t bytes)
{
    return (struct sram_cache){.tech_nm = 32,
                               .line_bytes = 64,
                               .sector_bytes = 64,
                               .ways = 32,
                               .bytes = bytes,
                               .mode = SRAM_SEQUENTIAL};
}

static struct sram_cache_figures figures(struct sram_cache c)
{
    struct sram_cache_figures f;
    struct error e;
    if (!sram_cache_figures(tables(), &c, &f, &e)) fail_msg("%s", e.text);
    return f;
}

/* The bank that was chosen at 32 nm, and its leakage over the nodes, as CACTI gave them. */
static void entries_stand_as_they_are(void **state)
{
    static const double leaks[][2] = {{90, 118}, {65, 353}, {45, 314}, {32, 103}, {22, 45}};
    (void)state;
    struct sram_cache_figures f = figures(slice(262144));
    assert_near(f.area_mm2, 1.036, 5e-4);
    assert_near(f.lines.v[SRAM_access_ns], 0.959, 5e-4);
    assert_near(f.lines.v[SRAM_read_nj], 0.096, 5e-4);
    assert_near(f.lines.v[SRAM_write_nj], 0.177, 5e-4);
    assert_near(f.tag_read_nj + f.data_read_nj, f.lines.v[SRAM_read_nj], 1e-5);
    assert_near(f.tag_write_nj + f.data_write_nj, f.lines.v[SRAM_write_nj], 1e-5);
    assert_true(f.split && f.lines.below == f.lines.above && f.lines.area == AREA_ENTRY);
    for (size_t i = 0; i < sizeof leaks / sizeof *leaks; i++) {
        struct sram_cache c = slice(262144);
        c.tech_nm = (uint32_t)leaks[i][0];
        assert_near(figures(c).leakage_mw, leaks[i][1], 0.5);
    }
}

/* Relative to the bank of 256 KiB: Candel 6.6.5 has 84.2, 251.9 and 7.3 %. */
static void areas_beside_the_paper(void **state)
{
    (void)state;
    double bank = figures(slice(262144)).area_mm2;
    struct sram_cache frc = {.tech_nm = 32,
                             .line_bytes = 64,
                             .sector_bytes = 64,
                             .ways = 8,
                             .bytes = 512 * 64,
                             .mode = SRAM_SEQUENTIAL};
    assert_near(figures(slice(524288)).area_mm2 / bank - 1, 0.833, 1e-3);
    assert_near(figures(slice(1048576)).area_mm2 / bank - 1, 2.629, 1e-3);
    assert_near(figures(frc).area_mm2 / bank, 0.0839, 1e-4);
    frc.ways = 4, frc.bytes = 4 * 64; /* one set: fully associative */
    assert_near(figures(frc).area_mm2 / bank, 0.0605, 1e-4);
    assert_string_equal(figures(frc).lines.table, tables()->caches.name);
}

/* Half way on a logarithmic scale lies the geometric mean. */
static void between_entries_by_hand(void **state)
{
    (void)state;
    uint64_t middle = 370728; /* 2^18.5, rounded to whole bytes */
    struct sram_cache_figures a = figures(slice(262144)), b = figures(slice(524288)),
                              f = figures(slice(middle));
    assert_near(f.leakage_mw, sqrt(a.leakage_mw * b.leakage_mw), 1e-3 * f.leakage_mw);
    assert_near(f.data_read_nj, sqrt(a.data_read_nj * b.data_read_nj), 1e-3 * f.data_read_nj);
    assert_near(f.tag_write_nj, sqrt(a.tag_write_nj * b.tag_write_nj), 1e-3 * f.tag_write_nj);
    assert_int_equal(f.lines.below, 262144);
    assert_int_equal(f.lines.above, 524288);
    assert_int_equal(f.lines.area, AREA_MINIMUM);
    struct sram_cache small = slice(262144);
    struct sram_key key = {.structure = "cache", .tech_nm = 32, .line_bytes = 64, .ways = 32};
    uint32_t first, n = sram_family(areas(), &key, &first);
    double mm2[2] = {0};
    for (uint32_t i = first; i < first + n; i++)
        for (int k = 0; k < 2; k++)
            if (areas()->row[i].key.bytes == small.bytes << k)
                mm2[k] = areas()->row[i].v[SRAM_area_mm2];
    assert_near(f.area_mm2, sqrt(mm2[0] * mm2[1]), 1e-3 * f.area_mm2);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread {
    double median, worst;
};

/* Every entry that has neighbours, looked up in a table without it. */
static struct spread left_out(const struct sram_table *from, enum sram_quantity q,
                              enum sram_mode mode)
{
    double *off = mem_new(from->n, sizeof *off);
    struct sram_row *rest = mem_new(from->n, sizeof *rest);
    uint32_t n = 0;
    assert_true(off && rest);
    for (uint32_t i = 1; i + 1 < from->n; i++) {
        const struct sram_row *r = &from->row[i];
        if (r->key.mode != mode || isnan(r->v[q]) || !sram_same_family(&r[-1].key, &r->key) ||
            !sram_same_family(&r[1].key, &r->key))
            continue;
        memcpy(rest, from->row, i * sizeof *rest);
        memcpy(rest + i, r + 1, (from->n - i - 1) * sizeof *rest);
        struct sram_tables t = {.caches = {.row = rest, .n = from->n - 1},
                                .areas = {.row = rest, .n = from->n - 1},
                                .rams = {.row = rest, .n = from->n - 1}};
        struct sram_figures f;
        struct error e;
        if (!sram_find(&t, &r->key, &f, &e)) fail_msg("%s", e.text);
        off[n++] = fabs(f.v[q] / r->v[q] - 1);
    }
    assert_true(n > 10);
    qsort(off, n, sizeof *off, by_value);
    struct spread s = {n % 2 ? off[n / 2] : (off[n / 2 - 1] + off[n / 2]) / 2, off[n - 1]};
    mem_free(off);
    mem_free(rest);
    return s;
}

/* Per cent, as a program that shares nothing with this one but the tables found them. */
static void how_far_interpolation_is_off(void **state)
{
    static const struct {
        enum sram_quantity q;
        double median, worst;
    } known[] = {{SRAM_leakage_mw, 1.77, 15.8}, {SRAM_access_ns, 3.36, 22.5},
                 {SRAM_read_nj, 3.68, 35.8},    {SRAM_write_nj, 5.48, 29.7},
                 {SRAM_cycle_ns, 5.43, 109.1},  {SRAM_tag_read_nj, 9.02, 222.7}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct spread s = left_out(&tables()->caches, known[i].q, SRAM_SEQUENTIAL);
        assert_near(100 * s.median, known[i].median, 0.006);
        assert_near(100 * s.worst, known[i].worst, 0.06);
    }
    assert_near(100 * left_out(areas(), SRAM_area_mm2, SRAM_SEQUENTIAL).worst, 19, 0.6);
    assert_near(100 * left_out(&tables()->rams, SRAM_leakage_mw, SRAM_FA).worst, 17.5, 0.06);
    assert_near(100 * left_out(&tables()->rams, SRAM_search_nj, SRAM_FA).worst, 25.9, 0.06);
}

static void beyond_the_tables_there_is_nothing(void **state)
{
    static const struct {
        uint32_t tech, line, sector, ways;
        uint64_t bytes;
        enum sram_mode mode;
        const char *why;
    } cases[] = {
        {28, 64, 64, 32, 262144, SRAM_SEQUENTIAL, "28 nm; the table has 22, 32, 45, 65, 90"},
        {32, 256, 256, 32, 262144, SRAM_SEQUENTIAL, "256 byte lines; the table has 32, 64, 128"},
        {32, 64, 64, 48, 98304, SRAM_SEQUENTIAL, "48 ways; the table has 1, 2, 4, 8, 16, 32"},
        {32, 128, 128, 100, 409600, SRAM_SEQUENTIAL, "100 ways; the table has 1, 2, 4, 8"},
        {32, 128, 128, 24, 12288, SRAM_NORMAL, "24 ways"},
        {45, 64, 32, 8, 65536, SRAM_SEQUENTIAL, NULL}, /* accesses of 64 bytes stand for it */
        {32, 64, 64, 32, 16777216, SRAM_SEQUENTIAL, "the table has 4096 to 8388608"},
        {32, 128, 128, 64, 33554432, SRAM_SEQUENTIAL, "the table has 16384 to 16777216"},
        {32, 64, 64, 64, 4096 * 3 / 2, SRAM_SEQUENTIAL, "64 ways"},
        {32, 64, 64, 32, 262144, SRAM_NORMAL, "the table has 8192 to 32768"},
        {32, 64, 64, 4, 24576, SRAM_NORMAL, "normal access is not interpolated"},
        {32, 64, 64, 4096, 262144, SRAM_SEQUENTIAL, "the table has 256 to 65536"},
        {32, 64, 64, 48, 3072, SRAM_SEQUENTIAL, "fa access is not interpolated"},
        {32, 128, 32, 8, 1024, SRAM_SEQUENTIAL, "fully associative cache with sectors"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sram_cache c = {.tech_nm = cases[i].tech,
                                     .line_bytes = cases[i].line,
                                     .sector_bytes = cases[i].sector,
                                     .ways = cases[i].ways,
                                     .bytes = cases[i].bytes,
                                     .mode = cases[i].mode};
        struct sram_cache_figures f;
        struct error e = {0};
        assert_int_equal(sram_cache_figures(tables(), &c, &f, &e), !cases[i].why);
        if (cases[i].why && !strstr(e.text, cases[i].why)) fail_msg("case %zu: %s", i, e.text);
    }
}

/* The data of a sector are read from lines of a sector, the tags are those of lines. */
static void sectors_read_less(void **state)
{
    (void)state;
    struct sram_cache lines = slice(262144), sectors, small;
    lines.line_bytes = lines.sector_bytes = 128;
    sectors = lines, sectors.sector_bytes = 32;
    small = lines, small.line_bytes = small.sector_bytes = 32;
    struct sram_cache_figures a = figures(lines), b = figures(sectors), c = figures(small);
    assert_near(b.tag_read_nj, a.tag_read_nj, 0);
    assert_near(b.leakage_mw, a.leakage_mw, 0);
    assert_near(b.data_read_nj, c.data_read_nj, 0);
    assert_true(b.data_read_nj < a.data_read_nj);
    struct sram_cache at_once = lines;
    at_once.bytes = 16384, at_once.ways = 8, at_once.mode = SRAM_NORMAL;
    struct sram_cache_figures d = figures(at_once);
    assert_near(d.tag_read_nj, d.lines.v[SRAM_read_nj], 0); /* a miss has read the data, too */
    assert_near(d.data_read_nj, 0, 0);
}

/* qv100: entries of CACTI by hand from the table.  The data of 32-byte accesses are those of 32
 * ways, for the table has no 64 of them; CACTI refuses 24 ways. */
static void what_is_near_stands_in(void **state)
{
    const struct sram_cache l1 = {.tech_nm = 32,
                                  .line_bytes = 128,
                                  .sector_bytes = 32,
                                  .ways = 64,
                                  .bytes = 32768,
                                  .mode = SRAM_SEQUENTIAL};
    struct sram_cache slice = l1, even = l1, fine = l1;
    (void)state;
    struct sram_cache_figures f = figures(l1);
    assert_near(f.tag_read_nj, 0.0120611, 1e-9);
    assert_near(f.data_read_nj, 0.0144021, 1e-9);
    assert_near(f.data_write_nj, 0.0259036, 1e-9);
    assert_near(f.leakage_mw, 42.3723, 1e-9);
    assert_true(f.ways == 64 && f.access_bytes == 32 && f.lines.beyond);
    slice.ways = 24, slice.bytes = 98304;
    even = slice, even.ways = 32;
    struct sram_cache_figures g = figures(slice), h = figures(even);
    assert_int_equal(g.ways, 32);
    assert_near(g.tag_read_nj, 0.00577229, 1e-9);
    assert_near(g.leakage_mw, 42.8068, 1e-9);
    assert_memory_equal(&g, &h, sizeof g);
    fine.tech_nm = 22; /* no lines below 64 bytes there */
    assert_int_equal(figures(fine).access_bytes, 64);
    fine.sector_bytes = 64;
    assert_near(figures(fine).data_read_nj, 0.0108438, 1e-9);
    assert_int_equal(figures(fine).access_bytes, 64);
}

/* What lets data of fewer ways stand in. */
static void data_hardly_depend_on_the_ways(void **state)
{
    const struct sram_table *t = &tables()->caches;
    uint32_t pairs = 0, differ = 0;
    (void)state;
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = i + 1; k < t->n; k++) {
            const struct sram_key *a = &t->row[i].key, *b = &t->row[k].key;
            if (a->mode != SRAM_SEQUENTIAL || b->mode != SRAM_SEQUENTIAL ||
                a->tech_nm != b->tech_nm || a->line_bytes != b->line_bytes || a->bytes != b->bytes)
                continue;
            pairs++;
            differ += t->row[i].v[SRAM_data_read_nj] != t->row[k].v[SRAM_data_read_nj];
            assert_true(a->tech_nm != 32 ||
                        t->row[i].v[SRAM_data_read_nj] == t->row[k].v[SRAM_data_read_nj]);
        }
    assert_true(pairs > 1000 && differ < pairs / 100);
}

/* The jump between tiny structures: entries that stock CACTI does not solve are marked. */
static void tiny_structures_are_marked(void **state)
{
    (void)state;
    struct sram_cache tiny = {.tech_nm = 32,
                              .line_bytes = 64,
                              .sector_bytes = 64,
                              .ways = 8,
                              .bytes = 1024,
                              .mode = SRAM_SEQUENTIAL};
    assert_true(figures(tiny).lines.beyond);
    assert_false(figures(slice(262144)).lines.beyond);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_stand_as_they_are),
        cmocka_unit_test(areas_beside_the_paper),
        cmocka_unit_test(between_entries_by_hand),
        cmocka_unit_test(how_far_interpolation_is_off),
        cmocka_unit_test(beyond_the_tables_there_is_nothing),
        cmocka_unit_test(sectors_read_less),
        cmocka_unit_test(what_is_near_stands_in),
        cmocka_unit_test(data_hardly_depend_on_the_ways),
        cmocka_unit_test(tiny_structures_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
