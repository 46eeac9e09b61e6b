/* The traffic of operators in closed form: what comes from memory when the L2 holds everything, and
 * what comes when it holds next to nothing; and an L2 between that, by Che's approximation. */
#include "tests/support/ask.h"
#include "tests/support/ml_streams.h"

#include <math.h>
#include <stdlib.h>

enum { SECTOR = 32 };

/* One SM of a V100, one CTA at a time and no L1; its L2 has 4 MB, which hold all, or 8 KB. */
static struct machine machine_with(bool large)
{
    const char *const sets[] = {"sm.count=1",
                                "sm.max_ctas=1",
                                "l1.enabled=false",
                                "l2.banks=1",
                                "dram.channels=1",
                                large ? "l2.bank_kb=4096" : "l2.bank_kb=8",
                                large ? "l2.ways=32" : "l2.ways=4"};
    return run_machine("qv100", sets, sizeof sets / sizeof *sets);
}

/* Sectors that a simulation reads from memory. */
static double read_sectors(const char *program, bool large)
{
    struct machine m = machine_with(large);
    struct metrics a = ask_of(ENGINE_SIMULATE, &m, program);
    return run_value(&a, "dram.reads");
}

static void check_reads(const char *program, double all, double none)
{
    double read = read_sectors(program, true);
    if (fabs(read - all / SECTOR) > 0.5)
        fail_msg("%s: %g sectors, not %g", program, read, all / SECTOR);
    read = read_sectors(program, false);
    if (fabs(read - none / SECTOR) > 0.002 * none / SECTOR)
        fail_msg("%s: %g sectors without an L2, not %g", program, read, none / SECTOR);
}

/* Queries, keys and values once; or keys and values again for each block of queries. */
static void attention_reads_keys_for_each_block(void **state)
{
    (void)state;
    double row = 64 * 2, q = 512 * 2 * row, kv = 512 * row;
    check_reads(
        "generator = \"attention\"; type = \"bf16\"; heads = 2; kv_heads = 1; queries = 512;",
        q + 2 * kv, q + 2 * kv * 2 * 512 / 128);
    /* causal: block m of 128 queries sees m + 1 of 4 tiles of keys */
    check_reads("generator = \"attention\"; type = \"bf16\"; heads = 1; queries = 512; causal = "
                "\"yes\";",
                3 * kv, kv + 2 * kv / 4 * (1 + 2 + 3 + 4));
}

/* Of a cache that is in pages, every key and value once; and the table: of 64 pages a sequence 256
 * bytes, which each of the two heads reads twice for each of two tiles. */
static void decoding_reads_the_cache_once(void **state)
{
    (void)state;
    double row = 128 * 2, q = 2 * 8 * row, kv = 2 * 1024 * 2 * row, table = 2 * 64 * 4;
    check_reads(
        "generator = \"attention_decode\"; type = \"fp16\"; batch = 2; heads = 8; kv_heads = "
        "2; keys = 1024;",
        q + 2 * kv + table, q + 2 * kv + 2 * 2 * table);
}

/* Rows of tokens once, or once for each of their experts; and the map of the places, of which a
 * sector is read for each row where the L2 does not hold it. */
static void experts_read_tokens(void **state)
{
    (void)state;
    double row = 2048 * 2, copies = 64 * 4;
    check_reads(
        "generator = \"moe_gather\"; type = \"bf16\"; tokens = 64; width = 2048; experts = 8; "
        "top_k = 4;",
        64 * row + copies * 4, copies * row + copies * SECTOR);
}

struct touched_rows {
    struct ml_array tables;
    uint32_t *seen;
    uint64_t rows, lookups;
};

static void touch_row(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct touched_rows *t = of;
    (void)cta, (void)warp;
    if (w->si->cls != OP_LOAD || w->si->buffer != 3 || !w->mask) return;
    uint64_t row = ml_offset(&t->tables, warp_inst_addr(w, 0), 16) / 512;
    t->rows += !t->seen[row]++;
    t->lookups++;
}

/* The rows that the seeded draw touches, once; offsets and indices, once. */
static void bags_read_distinct_rows(void **state)
{
    (void)state;
    static const char program[] = "generator = \"embedding\"; tables = 1; rows = 3000; bags = 64; "
                                  "lookups = 20; width = 128; exponent = 0.9;";
    struct touched_rows t = {.seen = ml_counts(3000)};
    struct ml_array arrays[3];
    ml_place(arrays, (uint64_t[]){65 * 8, 64 * 20 * 8, 3000 * 512}, 3);
    t.tables = arrays[2];
    struct program *p = ml_open(program, 32);
    ml_visit(p, 0, touch_row, &t);
    program_close(p);
    assert_int_equal(t.lookups, 64 * 20);
    assert_true(t.rows > 400 && t.rows < 1000);
    double streams = ceil(65 * 8 / 32.0) * 32 + 64 * 20 * 8;
    double read = read_sectors(program, true), wanted = ((double)t.rows * 512 + streams) / SECTOR;
    if (read != wanted) fail_msg("%g sectors of %g rows, not %g", read, (double)t.rows, wanted);
    free(t.seen);
}

/* Che's approximation of an LRU cache (Che, Tung, Wang 2002) of `lines`, where rows are drawn by
 * density r^-exponent and have 4 lines each, and `stream` lines that nobody uses again come with
 * each of n look-ups: a row hits if its last use is at most t look-ups ago. */
static double che(double rows, double exponent, double lines, double stream, double n)
{
    double lo = 1, hi = 1e9, q = 1 - exponent, hits = 0;
    for (int i = 0; i < 100; i++) {
        double t = sqrt(lo * hi), held = stream * t;
        for (double r = 1; r <= rows; r++)
            held += 4 * -expm1(-t * (pow(r + 1, q) - pow(r, q)) / (pow(rows + 1, q) - 1));
        *(held < lines ? &lo : &hi) = t;
    }
    for (double r = 1; r <= rows; r++) {
        double p = (pow(r + 1, q) - pow(r, q)) / (pow(rows + 1, q) - 1), t = lo < n ? lo : n;
        hits += p * (t + expm1(-p * t) / p - (n - t) * expm1(-p * lo));
    }
    return hits / n;
}

/* An L2 of 384 KB under a table of 2 MB. */
static void hit_rates_follow_zipf(void **state)
{
    (void)state;
    static const double exponents[] = {0.01, 0.5, 0.8, 1.1};
    const char *const sets[] = {"l1.bypass=all", "sm.count=8", "l2.banks=4", "dram.channels=2",
                                "l2.mshr.max_merge=0"};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    double before = 0;
    for (unsigned i = 0; i < 4; i++) {
        char program[200];
        snprintf(program, sizeof program,
                 "generator = \"embedding\"; tables = 1; rows = 4000; bags = 1500; lookups = 20; "
                 "width = 128; exponent = %g;",
                 exponents[i]);
        struct metrics s = ask_of(ENGINE_SIMULATE, &m, program);
        struct metrics e = ask_of(ENGINE_ESTIMATE, &m, program);
        double read = run_value(&s, "l2.reads"), rows = 1500 * 20 * 512.0 / SECTOR;
        double hits = rows * che(4000, exponents[i], 384 * 8, (8 + 25.6 + 0.4) / 128, 30000) / read;
        double sim = run_value(&s, "l2.hit_rate_as_rocprof");
        double est = run_value(&e, "l2.hit_rate_as_rocprof");
        if (fabs(sim - hits) > 0.05 || fabs(est - hits) > 0.08 || sim <= before)
            fail_msg("exponent %g: %.3f, estimated %.3f, by Che %.3f", exponents[i], sim, est,
                     hits);
        before = sim;
    }
}

/* Each non-zero reads its row of B; together, each row that has one is read once. */
static void sparse_products_read_rows_of_b(void **state)
{
    (void)state;
    /* regular rows of 8 of 64 columns: with 512 non-zeros each column has some (1 - 3e-4) */
    double nonzeros = 256 * 8, offsets = ceil(257 * 4 / 32.0) * 32, row = 64 * 4;
    double streams = nonzeros * 8 + offsets;
    double read =
        read_sectors("generator = \"spmm\"; rows = 256; columns = 64; width = 64; degrees = "
                     "\"regular\"; degree = 8.0;",
                     true);
    assert_true(fabs(read - (64 * row + streams) / SECTOR) < 0.5);
}

/* Every input once, wherever the L2 stands; rows once, or once for each pass, with gamma and beta
 * again for each row. */
static void streams_read_rows_for_each_pass(void **state)
{
    (void)state;
    double n = 100000 * 4, row = 4096 * 4;
    check_reads("generator = \"vectorized\"; n = 100000; inputs = 2;", 2 * n, 2 * n);
    check_reads("generator = \"softmax\"; rows = 16; width = 4096;", 16 * row, 3 * 16 * row);
    check_reads("generator = \"softmax\"; rows = 64; width = 1024;", 16 * row, 16 * row);
    check_reads("generator = \"layernorm\"; rows = 16; width = 4096;", 18 * row, 4 * 16 * row);
    check_reads("generator = \"rmsnorm\"; rows = 16; width = 4096;", 17 * row, 3 * 16 * row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_read_rows_for_each_pass),
        cmocka_unit_test(attention_reads_keys_for_each_block),
        cmocka_unit_test(decoding_reads_the_cache_once),
        cmocka_unit_test(experts_read_tokens),
        cmocka_unit_test(bags_read_distinct_rows),
        cmocka_unit_test(hit_rates_follow_zipf),
        cmocka_unit_test(sparse_products_read_rows_of_b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
