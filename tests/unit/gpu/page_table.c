/* The page table: frames in order and in the banks of SMs, shares of two memories, rows for CPUs;
 * the worked example of Mao's figure 32; and the inverse of the address map. */
#include "gpu/pages/page_table.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "base/memory/serialize.h"
#include "tests/support/check.h"

#include <stdio.h>

enum { PAGE = 4096, SMS = 4 };

static struct map map_of(uint32_t channels, uint32_t banks, uint32_t rows, uint32_t row_bytes,
                         const char *mapping, enum bank_hash hash)
{
    const struct l2_params l2 = {.banks = channels, .interleave_bytes = row_bytes};
    struct dram_params d = {.channels = channels,
                            .ranks = 1,
                            .bankgroups = 1,
                            .banks_per_group = banks,
                            .rows = rows,
                            .row_bytes = row_bytes,
                            .bank_hash = hash};
    struct map m;
    struct error e;
    snprintf(d.mapping, sizeof d.mapping, "%s", mapping);
    assert_true(map_init(&m, &l2, &d, &e));
    return m;
}

/* 2 channels x 4 banks x 8 rows of two pages: two banks an SM, 16 pages a bank. */
static struct map coloured(void)
{
    return map_of(2, 4, 8, 2 * PAGE, "row:bank:channel:column", BANK_HASH_NONE);
}

static struct page_table table_of(const struct pages_params *p, uint32_t sms,
                                  const struct map *first, const struct map *second)
{
    struct page_table t;
    const struct map *maps[PAGE_MEMORIES] = {first, second};
    const double gbps[PAGE_MEMORIES] = {30, 10};
    assert_true(page_table_init(&t, p, sms, maps, gbps));
    return t;
}

static uint32_t bank_of(const struct map *m, uint64_t physical)
{
    struct coord at = map_addr(m, physical & (MAP_SECOND_MEMORY - 1));
    return at.flat_bank * m->channels + at.channel;
}

static void the_inverse_finds_every_address(void **state)
{
    (void)state;
    static const char *const mappings[] = {"row:bank:channel:column",
                                           "row[2]:column[2]:bank:row:channel:column",
                                           "channel:row:column[3]:bank:column"};
    for (uint32_t k = 0; k < 6; k++) {
        struct map m =
            map_of(4, 8, 64, 2048, mappings[k % 3], k < 3 ? BANK_HASH_NONE : BANK_HASH_XOR);
        struct rng r;
        rng_seed(&r, k, 0);
        for (uint32_t i = 0; i < 2000; i++) {
            uint64_t addr = rng_below(&r, 4 * 8 * 64 * 2048);
            struct coord at = map_addr(&m, addr);
            assert_int_equal(map_inverse(&m, &at), addr);
        }
    }
}

static void frames_in_order_follow_the_first_touches(void **state)
{
    (void)state;
    struct map m = coloured();
    struct pages_params p = {.placement = PLACE_LOCAL, .kb = 4};
    struct page_table t = table_of(&p, SMS, &m, NULL);
    assert_int_equal(page_table_touch(&t, 0x7000123, 2), 0x123);
    assert_int_equal(page_table_touch(&t, 0x3000456, 1), PAGE + 0x456);
    assert_int_equal(page_table_touch(&t, 0x7000fff, 0), 0xfff);
    uint64_t physical;
    assert_true(page_table_find(&t, 0x3000001, &physical));
    assert_int_equal(physical, PAGE + 1);
    assert_false(page_table_find(&t, 0x9000000, &physical));
    page_table_clear(&t);
    assert_false(page_table_find(&t, 0x3000001, &physical));
    page_table_fini(&t);
}

static void pages_lie_in_the_banks_of_their_sm(void **state)
{
    (void)state;
    struct map m = coloured();
    struct pages_params p = {.placement = PLACE_LOCAL, .frames = FRAMES_SM_BANKS, .kb = 4};
    struct page_table t = table_of(&p, SMS, &m, NULL);
    for (uint32_t i = 0; i < 2 * 16; i++) {
        uint64_t a = page_table_touch(&t, (uint64_t)i * PAGE + 8, 3);
        struct coord at = map_addr(&m, a);
        assert_int_equal(bank_of(&m, a), 6 + i % 2); /* its two banks in turn */
        assert_int_equal(at.row, i / 2 / 2);         /* two pages a row */
        assert_int_equal(at.column, i / 2 % 2 * PAGE + 8);
        assert_true(page_table_is_local(&t, a, 3));
        assert_false(page_table_is_local(&t, a, 2));
    }
    /* its banks are full: the one behind them */
    uint64_t a = page_table_touch(&t, UINT64_C(1) << 30, 3);
    assert_int_equal(bank_of(&m, a), 0);
    page_table_fini(&t);
}

static void all_pages_of_memory_are_apart(void **state)
{
    (void)state;
    struct map m = coloured();
    for (uint32_t frames = 0; frames < FRAMES_N; frames++) {
        struct pages_params p = {
            .placement = PLACE_LOCAL, .frames = (enum page_frames)frames, .kb = 4};
        struct page_table t = table_of(&p, SMS, &m, NULL);
        bool taken[2 * 4 * 8 * 2] = {false};
        for (uint32_t i = 0; i < sizeof taken; i++) {
            uint64_t frame = page_table_touch(&t, (uint64_t)i * PAGE, i % 7 % SMS) / PAGE;
            assert_true(frame < sizeof taken && !taken[frame]);
            taken[frame] = true;
        }
        /* beyond the capacity, frames are used again */
        assert_true(page_table_touch(&t, UINT64_C(1) << 40, 0) / PAGE < sizeof taken);
        page_table_fini(&t);
    }
}

static void more_sms_than_banks_share_them(void **state)
{
    (void)state;
    struct map m = coloured();
    struct pages_params p = {.placement = PLACE_LOCAL, .frames = FRAMES_SM_BANKS, .kb = 4};
    struct page_table t = table_of(&p, 16, &m, NULL);
    for (uint32_t sm = 0; sm < 16; sm++) {
        uint64_t a = page_table_touch(&t, (uint64_t)sm * PAGE, sm);
        assert_int_equal(bank_of(&m, a), sm / 2);
        assert_true(page_table_is_local(&t, a, sm ^ 1));
        assert_false(page_table_is_local(&t, a, (sm + 2) % 16));
    }
    page_table_fini(&t);
}

static uint32_t count_second(struct page_table *t, uint32_t pages, uint32_t client)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pages; i++)
        n += page_table_touch(t, (uint64_t)i * PAGE, client) >= MAP_SECOND_MEMORY;
    return n;
}

static void memories_get_their_shares(void **state)
{
    (void)state;
    static const uint32_t wanted[PLACE_N] = {
        [PLACE_LOCAL] = 0, [PLACE_INTERLEAVED] = 20, [PLACE_BANDWIDTH_AWARE] = 10};
    struct map first = coloured(),
               second = map_of(1, 8, 64, 2 * PAGE, "row:bank:channel:column", BANK_HASH_NONE);
    for (uint32_t k = PLACE_LOCAL; k < PLACE_N; k++) {
        struct pages_params p = {.placement = (enum page_placement)k, .kb = 4};
        struct page_table t = table_of(&p, SMS, &first, &second);
        assert_int_equal(count_second(&t, 40, 0), wanted[k]);
        page_table_clear(&t);
        assert_int_equal(count_second(&t, 40, SMS), 10); /* CPUs' by bandwidth */
        page_table_fini(&t);
    }
    /* a local memory that is full */
    struct pages_params p = {.placement = PLACE_LOCAL, .kb = 4};
    struct page_table t = table_of(&p, SMS, &first, &second);
    assert_int_equal(count_second(&t, 2 * 4 * 8 * 2 + 5, 0), 5);
    page_table_fini(&t);
}

static void cpus_have_the_upper_rows(void **state)
{
    (void)state;
    struct map m = coloured();
    for (uint32_t frames = 0; frames < FRAMES_N; frames++) {
        struct pages_params p = {.placement = PLACE_LOCAL,
                                 .frames = (enum page_frames)frames,
                                 .kb = 4,
                                 .rows_apart = true};
        struct page_table t = table_of(&p, SMS, &m, NULL);
        uint32_t lowest = UINT32_MAX, highest = 0;
        for (uint32_t i = 0; i < 32; i++) {
            uint64_t gpu = page_table_touch(&t, (uint64_t)i * PAGE, i % SMS);
            uint64_t cpu = page_table_touch(&t, (UINT64_C(1) << 40) + (uint64_t)i * PAGE, SMS);
            if (map_addr(&m, gpu).row > highest) highest = map_addr(&m, gpu).row;
            if (map_addr(&m, cpu).row < lowest) lowest = map_addr(&m, cpu).row;
        }
        assert_int_equal(highest, 1);
        assert_int_equal(lowest, 6);
        page_table_fini(&t);
    }
}

/* Figure 32: four blocks, each of which accesses one row of a matrix; a page holds two rows. Two
 * SMs with a bank each. (d) Blocks alternate between the SMs; (e) batches of two blocks. */
static uint32_t remote_accesses(const uint32_t sm_of[4])
{
    struct map m = map_of(2, 1, 8, PAGE, "row:bank:channel:column", BANK_HASH_NONE);
    struct pages_params p = {.placement = PLACE_LOCAL, .frames = FRAMES_SM_BANKS, .kb = 4};
    struct page_table t = table_of(&p, 2, &m, NULL);
    uint32_t remote = 0;
    for (uint32_t block = 0; block < 4; block++) {
        uint64_t a = page_table_touch(&t, (uint64_t)block * (PAGE / 2), sm_of[block]);
        remote += !page_table_is_local(&t, a, sm_of[block]);
    }
    page_table_fini(&t);
    return remote;
}

static void batches_separate_the_banks_of_figure_32(void **state)
{
    (void)state;
    assert_int_equal(remote_accesses((const uint32_t[4]){0, 1, 0, 1}), 2);
    assert_int_equal(remote_accesses((const uint32_t[4]){0, 0, 1, 1}), 0);
    print_message("TEMP-EX-FIG32,%d\n", 1); /* each SM touches one bank, its own */
}

static void a_loaded_table_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    struct map m = coloured();
    struct pages_params p = {.placement = PLACE_LOCAL, .frames = FRAMES_SM_BANKS, .kb = 4};
    struct page_table t = table_of(&p, SMS, &m, NULL), u = table_of(&p, SMS, &m, NULL);
    for (uint32_t i = 0; i < 50; i++)
        page_table_touch(&t, (uint64_t)(i * i) * PAGE, i % SMS);
    struct serializer s = {.mode = SERIALIZE_MEASURE};
    assert_true(page_table_serialize(&t, &s));
    unsigned char *block = mem_new(1, s.bytes);
    assert_non_null(block);
    s = (struct serializer){.mode = SERIALIZE_SAVE, .block = block};
    assert_true(page_table_serialize(&t, &s));
    page_table_touch(&u, 0x55000, 1);
    s = (struct serializer){.mode = SERIALIZE_LOAD, .block = block};
    assert_true(page_table_serialize(&u, &s));
    for (uint32_t i = 0; i < 80; i++)
        assert_int_equal(page_table_touch(&u, (uint64_t)i * PAGE, i % 3),
                         page_table_touch(&t, (uint64_t)i * PAGE, i % 3));
    mem_free(block);
    page_table_fini(&t);
    page_table_fini(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inverse_finds_every_address),
        cmocka_unit_test(frames_in_order_follow_the_first_touches),
        cmocka_unit_test(pages_lie_in_the_banks_of_their_sm),
        cmocka_unit_test(all_pages_of_memory_are_apart),
        cmocka_unit_test(more_sms_than_banks_share_them),
        cmocka_unit_test(memories_get_their_shares),
        cmocka_unit_test(cpus_have_the_upper_rows),
        cmocka_unit_test(batches_separate_the_banks_of_figure_32),
        cmocka_unit_test(a_loaded_table_goes_on_as_the_saved_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
