/* Accel-Sim traces: counts known from the addresses, the way out and back. */
#include "base/text/text.h"
#include "tests/support/accelsim_dirs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATA "tests/data/accelsim/"

static const char *const cases[] = {
    "a_copy_f32",          "a_triad_f32",         "b_stride01",          "b_stride02",
    "b_stride04",          "b_stride08",          "b_stride16",          "b_stride32",
    "c_transpose_naive",   "d_matmul_naive",      "e_gather_1m",         "e_gather_64k",
    "f_reduction",         "g_chase_dram_64",     "g_chase_l1_256",      "g_chase_l2_64",
    "h_l1thrash_w08_ws2k", "h_l1thrash_w16_ws2k", "h_l1thrash_w32_ws2k", "i_l2wr_full",
    "i_l2wr_same",         "j_stencil5",
};
enum { N_CASES = sizeof cases / sizeof *cases };

static uint64_t column(const char *header, const char *row, const char *name)
{
    char h[4096], r[4096];
    snprintf(h, sizeof h, "%s", header);
    snprintf(r, sizeof r, "%s", row);
    char *hp = h, *rp = r, *key, *value;
    while ((key = strsep(&hp, ",\n")) && (value = strsep(&rp, ",\n")))
        if (strcmp(key, name) == 0) return strtoull(value, NULL, 10);
    fail_msg("no column %s", name);
    return 0;
}

/* The row of a case under SM7_QV100. */
static void known(const char *name, char header[4096], char row[4096])
{
    char start[128];
    snprintf(start, sizeof start, "SM7_QV100,%s,", name);
    FILE *f = fopen(DATA "results.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(header, 4096, f));
    do
        assert_non_null(fgets(row, 4096, f));
    while (strncmp(row, start, strlen(start)) != 0);
    fclose(f);
}

struct counts {
    uint64_t insts, threads, loads, load_sectors, load_lines, load_bytes, stores, store_sectors,
        store_lines, store_bytes;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t distinct(const struct warp_inst *w, uint64_t grain)
{
    uint64_t v[2 * WARP_MAX_LANES], n = 0, k = 0, d = 0;
    for (uint64_t rest = w->mask; rest; rest &= rest - 1, k++) {
        uint64_t first = warp_inst_addr(w, (uint32_t)k);
        v[n++] = first / grain;
        v[n++] = (first + w->si->width - 1) / grain;
    }
    qsort(v, n, sizeof *v, by_value);
    for (uint64_t i = 0; i < n; i++)
        d += i == 0 || v[i] != v[i - 1];
    return d;
}

static void count_inst(struct counts *n, const struct warp_inst *w)
{
    uint64_t lanes = (uint64_t)__builtin_popcountll(w->mask);
    n->insts++;
    n->threads += lanes;
    if (w->si->cls == OP_LOAD) {
        n->loads++;
        n->load_bytes += lanes * w->si->width;
        n->load_sectors += distinct(w, 32);
        n->load_lines += distinct(w, 128);
    }
    if (w->si->cls == OP_STORE) {
        n->stores++;
        n->store_bytes += lanes * w->si->width;
        n->store_sectors += distinct(w, 32);
        n->store_lines += distinct(w, 128);
    }
}

static void count_program(struct counts *n, const struct program *p)
{
    struct error e;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    enum got g = GOT_END;
    for (uint32_t l = 0; l < program_launches(p); l++)
        for (uint64_t cta = 0; cta < program_launch(p, l)->ctas; cta++)
            for (uint32_t warp = 0; warp < program_launch(p, l)->warps_per_cta; warp++) {
                check_ok(cursor_seek(&c, r, l, cta, warp, 0, &e), &e);
                while ((g = cursor_next(&c, &w, &e)) == GOT_INST)
                    count_inst(n, &w);
                assert_int_equal(g, GOT_END);
            }
    cursor_release(&c);
    reader_free(r);
}

static struct program *open_case(const char *name)
{
    struct error e;
    char dir[128];
    snprintf(dir, sizeof dir, DATA "%s", name);
    struct program *p = program_open(dir, NULL, &e);
    check_ok(p, &e);
    assert_string_equal(program_name(p), name);
    return p;
}

static void counts_are_those_of_the_addresses(void **state)
{
    (void)state;
    char header[4096], row[4096];
    for (unsigned i = 0; i < N_CASES; i++) {
        struct counts n = {0};
        struct program *p = open_case(cases[i]);
        count_program(&n, p);
        program_close(p);
        known(cases[i], header, row);
        assert_int_equal(n.insts, column(header, row, "exact_warp_insts"));
        assert_int_equal(n.insts, column(header, row, "warp_insts"));
        assert_int_equal(n.threads, column(header, row, "exact_thread_insts"));
        assert_int_equal(n.loads, column(header, row, "exact_ld_warp_insts"));
        assert_int_equal(n.load_sectors, column(header, row, "exact_ld_sectors"));
        assert_int_equal(n.load_lines, column(header, row, "exact_ld_lines"));
        assert_int_equal(n.load_bytes, column(header, row, "exact_ld_bytes"));
        assert_int_equal(n.stores, column(header, row, "exact_st_warp_insts"));
        assert_int_equal(n.store_sectors, column(header, row, "exact_st_sectors"));
        assert_int_equal(n.store_lines, column(header, row, "exact_st_lines"));
        assert_int_equal(n.store_bytes, column(header, row, "exact_st_bytes"));
    }
}

static void export_and_import_lose_nothing(void **state)
{
    (void)state;
    static const char *const some[] = {"f_reduction", "d_matmul_naive", "h_l1thrash_w08_ws2k"};
    for (unsigned i = 0; i < 3; i++) {
        struct error e;
        struct text lost = {0};
        const char *dir = scratch_path("exported");
        struct program *p = open_case(some[i]);
        check_ok(accelsim_export(p, dir, false, &lost, &e), &e);
        assert_string_equal(text_str(&lost), "");
        struct program *q = program_open(dir, NULL, &e);
        check_ok(q, &e);
        assert_same_streams(p, q);
        assert_true(digest_equal(program_digest(p), program_digest(q)));
        assert_string_equal(program_launch(p, 0)->header, program_launch(q, 0)->header);
        program_close(p);
        program_close(q);
        text_fini(&lost);
        accelsim_remove_dir(dir);
    }
}

static char *meaningful_line(struct instream *in)
{
    struct error e;
    size_t n;
    char *line = instream_line(in, &n, &e);
    while (line && (n == 0 || strncmp(line, "#traces", 7) == 0))
        line = instream_line(in, &n, &e);
    return line;
}

/* Our directory for each trace is the tracer's, line by line, but for blank lines and the comment.
 */
static void export_is_the_original_text(void **state)
{
    (void)state;
    static const char *const some[] = {"d_matmul_naive", "f_reduction", "e_gather_64k",
                                       "c_transpose_naive"};
    for (unsigned i = 0; i < 4; i++) {
        struct error e;
        struct text lost = {0};
        char original[128], *line;
        const char *dir = scratch_path("text");
        struct program *p = open_case(some[i]);
        check_ok(accelsim_export(p, dir, false, &lost, &e), &e);
        program_close(p);
        snprintf(original, sizeof original, DATA "%s/kernel-1.traceg.xz", some[i]);
        char *path = file_join(dir, "kernel-1.traceg");
        struct instream *a = instream_open(original, &e), *b = instream_open(path, &e);
        while ((line = meaningful_line(a))) {
            char *ours = meaningful_line(b);
            assert_non_null(ours);
            assert_string_equal(ours, line);
        }
        assert_null(meaningful_line(b));
        instream_close(a);
        instream_close(b);
        mem_free(path);
        accelsim_remove_dir(dir);
    }
}

/* Other programs go out only with --lossy, and keep their counts and addresses. */
static void lossy_export_says_what_is_lost(void **state)
{
    (void)state;
    struct error e;
    struct text lost = {0};
    const char *cfg = scratch_path("lossy.cfg"), *dir = scratch_path("lossy");
    FILE *f = fopen(cfg, "w");
    fputs("generator = \"reduction\"; ctas = 3; warps_per_cta = 2; iterations = 3;\n", f);
    fclose(f);
    struct program *p = program_open(cfg, NULL, &e);
    check_ok(p, &e);
    assert_false(accelsim_export(p, dir, false, &lost, &e));
    assert_false(file_exists(dir));
    assert_non_null(strstr(text_str(&lost), "opcodes"));
    text_fini(&lost);
    check_ok(accelsim_export(p, dir, true, &lost, &e), &e);
    text_fini(&lost);
    struct program *q = program_open(dir, NULL, &e);
    check_ok(q, &e);
    struct counts a = {0}, b = {0};
    count_program(&a, p);
    count_program(&b, q);
    assert_memory_equal(&a, &b, sizeof a);
    program_close(p);
    program_close(q);
    accelsim_remove_dir(dir);
    unlink(cfg);
}

static void unwritable_cache_is_no_obstacle(void **state)
{
    (void)state;
    char *before = mem_strdup(getenv("XDG_CACHE_HOME"));
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    struct program *p = open_case("g_chase_l1_256");
    assert_int_equal(program_launches(p), 1);
    program_close(p);
    setenv("XDG_CACHE_HOME", before, 1);
    mem_free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_addresses),
        cmocka_unit_test(export_and_import_lose_nothing),
        cmocka_unit_test(export_is_the_original_text),
        cmocka_unit_test(lossy_export_says_what_is_lost),
        cmocka_unit_test(unwritable_cache_is_no_obstacle),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
