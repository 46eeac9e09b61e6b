/* Does every address have one place of its own, and is the load even? */
#include "base/memory/rng.h"
#include "gpu/geometry/address_map_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct l2_params slices(uint32_t n, enum slice_hash hash)
{
    return (struct l2_params){.banks = n, .interleave_bytes = 256, .slice_hash = hash};
}

static struct dram_params channels(uint32_t n, const char *mapping)
{
    struct dram_params d = {.channels = n,
                            .pseudo_channels = 1,
                            .ranks = 1,
                            .bankgroups = 4,
                            .banks_per_group = 4,
                            .rows = 64,
                            .row_bytes = 2048};
    strcpy(d.mapping, mapping);
    return d;
}

static const char *const mappings[] = {
    "row:bank[3]:column[3]:bank[1]:column",
    "row:bank:bankgroup:column",
    "row:bankgroup:bank:column",
    "row:column[4]:bank:column",
    "bank:row:column",
    "row[2]:rank:bank:row[4]:column",
};

/* A place numbered within the whole memory. */
static uint64_t place(const struct map *m, const struct coord *c)
{
    uint64_t banks = m->ranks * m->bankgroups * m->banks_per_group;
    return ((c->channel * banks + c->flat_bank) * m->rows + c->row) * m->row_bytes + c->column;
}

static void check_fields(const struct map *m, const struct coord *c)
{
    assert_true(c->slice < m->slices && c->channel < m->channels && c->row < m->rows);
    assert_true(c->bank < m->banks_per_group && c->bankgroup < m->bankgroups && c->rank < m->ranks);
    assert_true(c->column < m->row_bytes);
    assert_int_equal(c->flat_bank,
                     (c->rank * m->bankgroups + c->bankgroup) * m->banks_per_group + c->bank);
}

/* Is what the table says what the map says, be it linear or not? */
static void check_table(const struct map_table *t, uint64_t addr)
{
    struct coord want = map_addr(t->map, addr), got = map_table_coord(t, addr);
    assert_int_equal(got.row, want.row);
    assert_int_equal(got.column, want.column);
    assert_int_equal(got.flat_bank, want.flat_bank);
}

/* Over exactly the memory's capacity the map is one to one. */
static void bijective(uint32_t n_slices, uint32_t n_channels, enum slice_hash hash,
                      enum bank_hash bank_hash, const char *mapping)
{
    struct l2_params l2 = slices(n_slices, hash);
    struct dram_params d = channels(n_channels, mapping);
    d.bank_hash = bank_hash;
    struct map m;
    struct error e;
    assert_true(map_init(&m, &l2, &d, &e));
    uint64_t capacity = (uint64_t)n_channels * 16 * d.rows * d.row_bytes, step = 64;
    static struct map_table table;
    map_table_init(&table, &m);
    assert_int_equal(table.linear, !(n_slices % 3 == 0 || n_channels % 3 == 0));
    uint8_t *seen = calloc(capacity / step, 1);
    assert_non_null(seen);
    for (uint64_t addr = 0; addr < capacity; addr += step) {
        struct coord c = map_addr(&m, addr);
        check_fields(&m, &c);
        check_table(&table, addr);
        check_table(&table, addr * 0x9E3779B97F4A7C15u);
        assert_int_equal(c.slice, map_slice(&m, addr));
        uint64_t p = place(&m, &c);
        assert_int_equal(p % step, 0);
        assert_int_equal(seen[p / step]++, 0);
    }
    free(seen);
}

static void addresses_have_one_place_each(void **state)
{
    (void)state;
    static const uint32_t shape[][2] = {{4, 4}, {8, 4}, {2, 4}, {6, 3}, {3, 6}, {1, 1}, {6, 6}};
    for (int h = 0; h <= SLICE_IPOLY; h++) { /* channel: geometry_map_named */
        bool pow2_only = h == SLICE_IPOLY;
        for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++)
            if (!pow2_only || (shape[s][0] & (shape[s][0] - 1)) == 0)
                bijective(shape[s][0], shape[s][1], (enum slice_hash)h, BANK_HASH_NONE,
                          mappings[0]);
    }
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++) {
        bijective(2, 1, SLICE_XOR, BANK_HASH_NONE, mappings[i]);
        bijective(2, 1, SLICE_XOR, BANK_HASH_XOR, mappings[i]);
    }
}

/* Any number of slices: every stripe visits each of them once, under whatever stands above. */
static void stripes_visit_every_slice(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 6, 0);
    for (uint32_t n = 1; n <= 80; n++) {
        struct l2_params l2 = slices(n, SLICE_XOR);
        struct dram_params d = channels(n, "row:bank:column");
        struct map m;
        struct error e;
        assert_true(map_init(&m, &l2, &d, &e));
        for (int k = 0; k < 200; k++) {
            uint64_t stripe = rng_next(&r) >> (20 + rng_below(&r, 40));
            uint8_t seen[80] = {0};
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(seen[map_slice(&m, (stripe * n + i) * 256)]++, 0);
        }
    }
}

static void qv100_bits(void **state)
{
    (void)state;
    struct l2_params l2 = slices(1, SLICE_MODULO);
    struct dram_params d = channels(1, "row:bank[3]:column[3]:bank[1]:column");
    d.rows = 8192;
    struct map m;
    struct error e;
    assert_true(map_init(&m, &l2, &d, &e));
    /* RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS */
    struct coord c = map_local(&m, 0, 0x1u << 15 | 5u << 12 | 6u << 9 | 1u << 8 | 0xABu);
    assert_int_equal(c.row, 1);
    assert_int_equal(c.flat_bank, 5 << 1 | 1);
    assert_int_equal(c.bankgroup, 11 / 4);
    assert_int_equal(c.bank, 11 % 4);
    assert_int_equal(c.column, 6u << 8 | 0xAB);
}

static void load_over(const struct map *m, uint64_t stride, uint32_t n, uint32_t *lo, uint32_t *hi)
{
    uint32_t load[64] = {0};
    for (uint64_t i = 0; i < n; i++)
        load[map_slice(m, i * stride)]++;
    *lo = UINT32_MAX;
    *hi = 0;
    for (uint32_t s = 0; s < m->slices; s++) {
        if (load[s] < *lo) *lo = load[s];
        if (load[s] > *hi) *hi = load[s];
    }
}

static void load_is_even_on_power_of_two_strides(void **state)
{
    (void)state;
    static const uint32_t counts[] = {2, 3, 4, 6, 12, 16, 24, 32, 48, 64, 16, 64};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct l2_params l2 = slices(counts[k], k < 10 ? SLICE_XOR : SLICE_IPOLY);
        struct dram_params d = channels(counts[k], "row:bank:column");
        struct map m;
        struct error e;
        assert_true(map_init(&m, &l2, &d, &e));
        bool pow2 = (counts[k] & (counts[k] - 1)) == 0;
        for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) {
            uint32_t lo, hi, each = 256;
            load_over(&m, stride, counts[k] * each, &lo, &hi);
            uint32_t slack = pow2 || stride == 256 ? 0 : each / 10;
            assert_in_range(lo, each - slack, each);
            assert_in_range(hi, each, each + slack);
        }
    }
}

static struct map map_of(uint32_t n, enum slice_hash hash)
{
    struct l2_params l2 = slices(n, hash);
    struct dram_params d = channels(n, "row:bank:column");
    struct map m;
    struct error e;
    assert_true(map_init(&m, &l2, &d, &e));
    return m;
}

/* GPGPU-Sim's matrix for 64, and a few other remainders by hand; the first 16 of 48 serve twice as
 * much as the others. */
static void ipoly_modulo_folds_the_next_power_of_two(void **state)
{
    (void)state;
    struct map m = map_of(48, SLICE_IPOLY_MODULO), whole = map_of(64, SLICE_IPOLY_MODULO),
               ipoly = map_of(64, SLICE_IPOLY);
    assert_int_equal(map_slice(&m, 47 * 256), 47);      /* stripe 0: the block itself */
    assert_int_equal(map_slice(&m, 48 * 256), 3);       /* stripe 1: x^6 = x + 1 */
    assert_int_equal(map_slice(&m, 16 * 48 * 256), 0);  /* x^10 = x^5 + x^4: 48 */
    assert_int_equal(map_slice(&m, 32 * 48 * 256), 35); /* x^11 = x^5 + x + 1 */
    uint32_t load[48] = {0}, each = 1000;
    for (uint64_t block = 0; block < 64u * each; block++) {
        load[map_slice(&m, block * 256)]++;
        assert_int_equal(map_slice(&whole, block * 256), map_slice(&ipoly, block * 256));
    }
    for (uint32_t i = 0; i < 48; i++)
        assert_in_range(load[i], (i < 16 ? 2 : 1) * each * 9 / 10,
                        (i < 16 ? 2 : 1) * each * 11 / 10);
}

static void random_slices_are_even_in_the_mean(void **state)
{
    (void)state;
    static const uint32_t counts[] = {3, 24, 32};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct map m = map_of(counts[k], SLICE_RANDOM);
        static struct map_table table;
        map_table_init(&table, &m);
        for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) {
            uint32_t lo, hi, each = 4000;
            load_over(&m, stride, counts[k] * each, &lo, &hi);
            assert_in_range(lo, each - each / 12, each);
            assert_in_range(hi, each, each + each / 12);
            check_table(&table, stride * 12345);
        }
    }
}

/* Strides of an odd number of blocks: nearly even where stripes are rotated.  XOR alone is not: two
 * equal digits cancel, and blocks slices + 1 apart meet few slices.  Known, and so here. */
static void load_on_odd_strides(void **state)
{
    (void)state;
    static const uint32_t counts[] = {3, 6, 12, 24, 48};
    uint32_t lo, hi;
    struct map m;
    struct error e;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct l2_params l2 = slices(counts[k], SLICE_XOR);
        struct dram_params d = channels(counts[k], "row:bank:column");
        assert_true(map_init(&m, &l2, &d, &e));
        for (uint64_t stride = 1; stride <= 99; stride += 2) {
            load_over(&m, stride * 256, counts[k] * 256, &lo, &hi);
            assert_in_range(lo, 256 - 256 / 4, 256);
            assert_in_range(hi, 256, 256 + 256 / 4);
        }
    }
    struct l2_params l2 = slices(64, SLICE_XOR);
    struct dram_params d = channels(64, "row:bank:column");
    assert_true(map_init(&m, &l2, &d, &e));
    load_over(&m, 65 * 256, 64 * 256, &lo, &hi);
    assert_in_range(hi, 10 * 256, 64 * 256);
}

/* The remainder by the polynomial, division written out bit by bit. */
static uint32_t slow_ipoly(uint64_t block, uint64_t polynomial, uint32_t degree)
{
    for (uint32_t bit = 63; bit >= degree; bit--)
        if (block >> bit & 1) block ^= polynomial << (bit - degree);
    return (uint32_t)block;
}

/* x^6 + x + 1 over 64 slices and x^5 + x^2 + 1 over 32: IPOLY(67) and IPOLY(37) of Rau 1991, which
 * Accel-Sim's QV100 uses for its 64. */
static void ipoly_is_the_remainder_of_the_block(void **state)
{
    (void)state;
    static const struct {
        uint32_t slices, degree;
        uint64_t polynomial;
    } known[] = {{64, 6, 67}, {32, 5, 37}, {4, 2, 7}, {2, 1, 3}};
    struct rng r;
    rng_seed(&r, 12, 0);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        struct l2_params l2 = slices(known[k].slices, SLICE_IPOLY);
        struct dram_params d = channels(known[k].slices, "row:bank:column");
        struct map m;
        struct error e;
        assert_true(map_init(&m, &l2, &d, &e));
        for (int i = 0; i < 5000; i++) {
            uint64_t addr = rng_next(&r) >> rng_below(&r, 60);
            assert_int_equal(map_slice(&m, addr),
                             slow_ipoly(addr / 256, known[k].polynomial, known[k].degree));
        }
    }
    struct l2_params l2 = slices(48, SLICE_IPOLY);
    struct dram_params d = channels(48, "row:bank:column");
    struct map m;
    struct error e;
    assert_false(map_init(&m, &l2, &d, &e));
    assert_non_null(strstr(e.text, "power of two"));
}

/* The plain interleave, in contrast, sends large strides to one slice. */
static void modulo_is_the_plain_interleave(void **state)
{
    (void)state;
    struct l2_params l2 = slices(24, SLICE_MODULO);
    struct dram_params d = channels(24, "row:bank:column");
    struct map m;
    struct error e;
    assert_true(map_init(&m, &l2, &d, &e));
    for (uint64_t i = 0; i < 10000; i++)
        assert_int_equal(map_slice(&m, i * 97), i * 97 / 256 % 24);
}

/* Any number of slices over any number of channels: channel and local block of consecutive blocks
 * are all pairs, one each, and runs of blocks a power of two apart reach all channels alike. */
static void hashed_channels_have_no_gaps(void **state)
{
    static const uint32_t shape[][2] = {{96, 80}, {80, 96}, {7, 3}, {3, 7},
                                        {16, 16}, {12, 64}, {5, 1}};
    (void)state;
    for (uint32_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        uint32_t n = shape[i][1];
        struct l2_params l2 = slices(shape[i][0], SLICE_XOR);
        struct dram_params d = channels(n, mappings[4]);
        struct map m;
        struct error e;
        d.channel_deal = CHANNEL_DEAL_HASH;
        assert_true(map_init(&m, &l2, &d, &e));
        uint64_t blocks = (uint64_t)n * d.rows,
                 locals = d.rows; /* 256-byte blocks, whole stripes */
        uint8_t *seen = calloc(blocks, 1);
        for (uint64_t b = 0; b < blocks; b++) {
            struct coord c = map_addr(&m, b * 256);
            assert_true(c.slice == map_slice(&m, b * 256) && c.channel == map_channel(&m, b * 256));
            uint64_t local = ((uint64_t)c.row * d.row_bytes + c.column) / 256; /* of bank 0 */
            assert_int_equal(c.flat_bank, 0);
            assert_true(c.channel < n && local < locals && !seen[c.channel * locals + local]);
            seen[c.channel * locals + local] = 1;
        }
        free(seen);
        for (uint64_t stride = 1; stride <= 1 << 16; stride *= 2) {
            uint32_t load[256] = {0}, lo = UINT32_MAX, hi = 0;
            for (uint32_t k = 0; k < 256 * n; k++)
                load[map_channel(&m, k * stride * 256)]++;
            for (uint32_t k = 0; k < n; k++) {
                if (load[k] < lo) lo = load[k];
                if (load[k] > hi) hi = load[k];
            }
            if (lo < 128 || hi > 512)
                fail_msg("%u over %u, stride %u: %u to %u", shape[i][0], n, (unsigned)stride, lo,
                         hi);
        }
    }
}

static void refuse(const char *mapping, const char *needle)
{
    struct l2_params l2 = slices(2, SLICE_XOR);
    struct dram_params d = channels(1, mapping);
    struct map m;
    struct error e;
    assert_false(map_init(&m, &l2, &d, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    if (!strstr(e.text, needle)) fail_msg("'%s' lacks '%s'", e.text, needle);
}

static void misfits_are_refused_by_name(void **state)
{
    (void)state;
    refuse("row:bnk:column", "dram.mapping: \"bnk\" is no field");
    refuse("row:bank", "dram.mapping: column is missing");
    refuse("row:bank[5]:column", "bank takes 5 bits; it has exactly 4");
}

/* What is kept per map is found by its bytes. */
static void equal_maps_are_equal_byte_by_byte(void **state)
{
    (void)state;
    struct l2_params l2 = slices(4, SLICE_XOR);
    struct dram_params d = channels(8, "row:bank:column");
    struct map m[2];
    struct error e;
    for (int i = 0; i < 2; i++) {
        memset(&m[i], i ? 0x5a : 0xa5, sizeof m[i]);
        assert_true(map_init(&m[i], &l2, &d, &e));
    }
    assert_memory_equal(&m[0], &m[1], sizeof m[0]);
}

static void shapes_that_do_not_divide_are_refused(void **state)
{
    (void)state;
    struct l2_params l2 = slices(4, SLICE_XOR);
    struct dram_params d = channels(6, "row:bank:column");
    struct map m;
    struct error e;
    assert_false(map_init(&m, &l2, &d, &e));
    assert_non_null(strstr(e.text, "one must divide the other"));
    d.channels = 4;
    d.rows = 1000;
    assert_false(map_init(&m, &l2, &d, &e));
    assert_non_null(strstr(e.text, "dram.rows: 1000; a power of two"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_have_one_place_each),
        cmocka_unit_test(stripes_visit_every_slice),
        cmocka_unit_test(load_on_odd_strides),
        cmocka_unit_test(ipoly_modulo_folds_the_next_power_of_two),
        cmocka_unit_test(random_slices_are_even_in_the_mean),
        cmocka_unit_test(qv100_bits),
        cmocka_unit_test(load_is_even_on_power_of_two_strides),
        cmocka_unit_test(ipoly_is_the_remainder_of_the_block),
        cmocka_unit_test(modulo_is_the_plain_interleave),
        cmocka_unit_test(equal_maps_are_equal_byte_by_byte),
        cmocka_unit_test(hashed_channels_have_no_gaps),
        cmocka_unit_test(misfits_are_refused_by_name),
        cmocka_unit_test(shapes_that_do_not_divide_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
