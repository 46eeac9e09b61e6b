/* Which tiles and splits a product gets for a card: by closed forms and by what must not matter. */
#include "tests/support/trace_support.h"

#include <stdlib.h>
#include <string.h>

/* An SM of 1,024 multiply-adds and 64 bytes a cycle; 100 of them get 12 bytes each from the memory.
 */
static const struct program_card card = {.sms = 100,
                                         .lanes = 2048,
                                         .registers = 65536,
                                         .shared_bytes = 164 * 1024,
                                         .matrix_macs = 1024,
                                         .fp32_macs = 64,
                                         .sm_bytes = 64,
                                         .l2_bytes = 4000,
                                         .dram_bytes = 1200,
                                         .latency = 600};

static struct program *open_wide(const struct program_card *c, const char *sizes, uint32_t width)
{
    char text[300];
    struct error e = {0};
    struct program_opts o = {.warp_width = width};
    if (c) o.card = *c;
    snprintf(text, sizeof text, "generator = \"gemm\"; %s", sizes);
    struct program *p = program_generate("product", text, &o, &e);
    check_ok(p, &e);
    return p;
}

static struct program *open_for(const struct program_card *c, const char *sizes)
{
    return open_wide(c, sizes, 32);
}

static long value_of(const struct program *p, const char *name)
{
    struct program_parameter x;
    for (uint32_t i = 0; program_parameter_at(p, i, &x); i++)
        if (strcmp(x.name, name) == 0) return strtol(x.value, NULL, 10);
    fail_msg("no parameter %s", name);
    return 0;
}

static long chosen(const struct program_card *c, const char *sizes, const char *name)
{
    struct program *p = open_for(c, sizes);
    long v = value_of(p, name);
    program_close(p);
    return v;
}

/* What is said stays, and an unknown card leaves the defaults. */
static void says_nothing_where_it_is_told(void **state)
{
    (void)state;
    const char *told = "M = 1; N = 1024; K = 4096; type = \"bf16\"; tile_n = 64;";
    struct program *with = open_for(&card, told), *without = open_for(NULL, told);
    assert_true(digest_equal(program_digest(with), program_digest(without)));
    program_close(with);
    program_close(without);
    assert_int_equal(chosen(NULL, "M = 1; N = 1024; K = 4096; type = \"bf16\";", "split_k"), 1);
    assert_int_equal(chosen(NULL, "M = 1; N = 1024; K = 4096; type = \"bf16\";", "tile_m"), 128);
}

/* A product of 16 tiles is split until the SMs have work: more CTAs than half of them. */
static void splits_what_leaves_sms_idle(void **state)
{
    (void)state;
    struct program *p =
        open_for(&card, "M = 1; N = 1024; K = 4096; type = \"bf16\"; layout = \"tn\";");
    uint64_t ctas = program_launch(p, 0)->ctas;
    assert_in_range(ctas, 50, 100);
    assert_true(value_of(p, "split_k") > 1);
    program_close(p);
    assert_int_equal(chosen(&card, "M = 4096; N = 4096; K = 4096; type = \"bf16\";", "split_k"), 1);
}

/* Parts of K need be no power of two: 32 tiles of 256 x 128 give 100 SMs work in three parts. */
static void splits_into_any_number_of_parts(void **state)
{
    (void)state;
    struct program *p =
        open_for(&card, "M = 256; N = 4096; K = 14336; type = \"bf16\"; layout = \"tn\";");
    assert_in_range(program_launch(p, 0)->ctas, 90, 100);
    program_close(p);
}

/* A step reads no part of a line of a row along K, where the memory would open the row again. */
static void rows_along_k_are_read_in_lines(void **state)
{
    (void)state;
    static const char *const types[] = {"tf32", "fp16", "bf16"};
    for (uint32_t i = 0; i < 30; i++) {
        char text[120];
        snprintf(text, sizeof text, "M = %u; N = %u; K = 4096; type = \"%s\"; layout = \"tn\";",
                 1u << i / 3, 28672u >> i / 3 % 4, types[i % 3]);
        assert_true(chosen(&card, text, "tile_k") * (i % 3 ? 2 : 4) >= 128);
    }
}

/* A large product has tiles of which a step's bytes take no longer than its multiply-adds: with
 * 1,024 of them and 40 bytes of the L2 a cycle, m n / (m + n) >= 51. */
static void large_products_have_tiles_that_the_l2_feeds(void **state)
{
    (void)state;
    struct program *p = open_for(&card, "M = 8192; N = 8192; K = 4096; type = \"bf16\";");
    long m = value_of(p, "tile_m"), n = value_of(p, "tile_n");
    assert_true(m * n / (m + n) >= 51);
    program_close(p);
}

/* Warpgroups divide the warps, fill the shared memory with stages, and share a tile's larger side.
 */
static void warpgroups_have_their_own_tiles(void **state)
{
    (void)state;
    struct program_card hopper = card;
    hopper.warpgroups = true;
    hopper.matrix_macs = 2048;
    hopper.shared_bytes = 228 * 1024;
    struct program *p = open_for(&hopper, "M = 8192; N = 8192; K = 4096; type = \"bf16\";");
    long m = value_of(p, "tile_m"), n = value_of(p, "tile_n"), stages = value_of(p, "stages");
    assert_int_equal(value_of(p, "warpgroup"), 4);
    assert_int_equal(value_of(p, "warps_m") % 4, 0);
    assert_true(stages == 16 || (stages + 1) * (m + n) * 64 * 2 > 228 * 1024);
    assert_int_equal(value_of(p, "cluster_m") * value_of(p, "cluster_n"), 2);
    assert_true(m > n ? value_of(p, "cluster_n") == 2 : value_of(p, "cluster_m") == 2);
    program_close(p);
}

/* Warps of 64 lanes: two buffers of a tile fit into 64 KB; few rows give as many CUs work as 32
 * lanes do; FP32 has no choice. */
static void warps_of_64_lanes_have_tiles_of_their_own(void **state)
{
    (void)state;
    static const char *const sizes[] = {
        "M = 1; N = 4096; K = 4096; type = \"bf16\"; layout = \"tn\";",
        "M = 256; N = 4096; K = 4096; type = \"fp16\"; layout = \"tn\";",
        "M = 8192; N = 8192; K = 4096; type = \"bf16\"; layout = \"tn\";"};
    struct program_card wide = card;
    wide.shared_bytes = 64 * 1024;
    for (uint32_t i = 0; i < 3; i++) {
        struct program *p = open_wide(&wide, sizes[i], 64);
        long m = value_of(p, "tile_m"), n = value_of(p, "tile_n"), k = value_of(p, "tile_k");
        assert_true(value_of(p, "stages") == 2 && 2 * (m + n) * k * 2 <= 64 * 1024);
        assert_true(program_launch(p, 0)->ctas > 50);
        if (i == 2) assert_true(m * n / (m + n) >= 51);
        program_close(p);
    }
    const char *lanes = "M = 1; N = 4096; K = 4096;";
    struct program *with = open_wide(&wide, lanes, 64), *without = open_wide(NULL, lanes, 64);
    assert_true(digest_equal(program_digest(with), program_digest(without)));
    program_close(with);
    program_close(without);
}

/* Whatever the sizes are, a program comes of it. */
static void every_size_has_a_program(void **state)
{
    (void)state;
    static const char *const types[] = {"fp32", "tf32", "bf16"};
    static const uint32_t sizes[] = {1, 2, 7, 64, 130, 1000, 5000};
    enum { N = sizeof sizes / sizeof *sizes };
    struct program_card hopper = card;
    struct program_card wide = card;
    hopper.warpgroups = true;
    wide.shared_bytes = 64 * 1024;
    for (uint32_t i = 0; i < N * N * N * 6; i++) {
        char text[120];
        uint32_t k = sizes[i / N / N % N], t = i / N / N / N;
        snprintf(text, sizeof text, "M = %u; N = %u; K = %u; type = \"%s\"; layout = \"%s\";",
                 sizes[i % N], sizes[i / N % N], t % 3 == 2 ? 2 * k : k, types[t % 3], "tn");
        program_close(open_for(t < 3 ? &card : &hopper, text));
        if (t < 3) program_close(open_wide(&wide, text, 64));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_nothing_where_it_is_told),
        cmocka_unit_test(splits_what_leaves_sms_idle),
        cmocka_unit_test(splits_into_any_number_of_parts),
        cmocka_unit_test(rows_along_k_are_read_in_lines),
        cmocka_unit_test(large_products_have_tiles_that_the_l2_feeds),
        cmocka_unit_test(warpgroups_have_their_own_tiles),
        cmocka_unit_test(warps_of_64_lanes_have_tiles_of_their_own),
        cmocka_unit_test(every_size_has_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
