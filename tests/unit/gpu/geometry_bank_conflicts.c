/* Are bank conflicts of shared memory those that counting finds, remembered or not? */
#include "base/memory/rng.h"
#include "gpu/geometry/bank_conflicts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint8_t random_width(struct rng *r)
{
    static const uint8_t widths[] = {1, 2, 4, 8, 12, 16};
    return widths[rng_below(r, 6)];
}

static uint64_t random_mask(struct rng *r, uint32_t width)
{
    uint64_t m = rng_next(r);
    if (rng_below(r, 3) == 0) m = UINT64_MAX;
    if (rng_below(r, 4) == 0) m &= rng_next(r) & rng_next(r);
    return width == 64 ? m : m & 0xffffffff;
}

/* Distinct words per bank counted by brute force over all pairs of lanes. */
static uint32_t naive_conflicts(const struct warp_inst *w, uint32_t banks)
{
    uint32_t cycles = 0, k = 0;
    for (uint32_t lane = 0; lane < 64; lane += banks) {
        uint64_t words[64 * 5];
        uint32_t n = 0, worst = 0;
        for (uint32_t l = lane; l < lane + banks && l < 64; l++) {
            if (!(w->mask >> l & 1)) continue;
            uint64_t a = warp_inst_addr(w, k++);
            for (uint32_t b = 0; b < w->si->width; b++) {
                uint64_t x = (a + b) / 4; /* modulo 2^64 */
                uint32_t i = 0;
                while (i < n && words[i] != x)
                    i++;
                if (i == n) words[n++] = x;
            }
        }
        for (uint32_t b = 0; b < banks; b++) {
            uint32_t c = 0;
            for (uint32_t i = 0; i < n; i++)
                c += words[i] % banks == b;
            if (c > worst) worst = c;
        }
        cycles += worst;
    }
    return cycles ? cycles : 1;
}

static void conflicts_agree_with_counting(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, 0);
    for (int round = 0; round < 4000; round++) {
        struct static_inst si = {.width = random_width(&r)};
        uint64_t list[64];
        for (int i = 0; i < 64; i++)
            list[i] = rng_below(&r, 1 + rng_below(&r, 16384)) - 64 * rng_below(&r, 2);
        struct warp_inst w = {.si = &si,
                              .mask = random_mask(&r, 64),
                              .list = list,
                              .form = rng_below(&r, 2) ? ADDR_LIST : ADDR_STRIDE,
                              .base = rng_below(&r, 64),
                              .stride = (int64_t)rng_below(&r, 140)};
        uint32_t banks = rng_below(&r, 2) ? 32 : 16;
        assert_int_equal(bank_conflict_cycles(&w, banks), naive_conflicts(&w, banks));
    }
}

static void textbook_cases(void **state)
{
    (void)state;
    struct static_inst si = {.width = 4};
    static const int64_t stride[] = {0, 4, 8, 16, 128, 132};
    static const uint32_t want[] = {1, 1, 2, 4, 32, 1};
    for (int i = 0; i < 6; i++) {
        struct warp_inst w = {
            .si = &si, .form = ADDR_STRIDE, .mask = 0xffffffff, .stride = stride[i]};
        assert_int_equal(bank_conflict_cycles(&w, 32), want[i]);
    }
    struct warp_inst wide = {.si = &si, .form = ADDR_STRIDE, .mask = UINT64_MAX, .stride = 4};
    assert_int_equal(bank_conflict_cycles(&wide, 32), 2);
}

/* Instructions that share places in the memo come back with patterns of their own, moved or with a
 * lane, a mask or a width changed. */
static void remembered_conflicts_agree_with_counting(void **state)
{
    (void)state;
    struct conflict_memo memo = {0};
    struct rng r;
    rng_seed(&r, 4, 0);
    uint64_t list[64], moved[64];
    struct static_inst si = {.width = 4};
    struct warp_inst w = {.si = &si, .mask = UINT32_MAX, .form = ADDR_LIST, .list = moved};
    memset(list, 0, sizeof list);
    for (int round = 0; round < 20000; round++) {
        uint64_t by = rng_below(&r, 4) ? 4 * rng_below(&r, 1000) : rng_below(&r, 4000);
        uint32_t change = (uint32_t)rng_below(&r, 12);
        if (change == 0) list[rng_below(&r, 64)] = rng_below(&r, 4096);
        if (change == 1) w.mask = random_mask(&r, 64);
        if (change == 2) si.width = random_width(&r);
        if (change == 3) w.code = (uint32_t)rng_below(&r, 3) * CONFLICT_PATTERNS;
        for (int k = 0; k < 64; k++)
            moved[k] = list[k] + by;
        assert_int_equal(conflict_memo_cycles(&memo, &w, 32), naive_conflicts(&w, 32));
    }
    conflict_memo_fini(&memo);
}

/* Four vectors of 16 bytes that 32 lanes share have 64 bytes in different banks; 512 bytes go to
 * the registers. */
static void shared_words_still_fill_the_registers_of_every_lane(void **state)
{
    (void)state;
    struct conflict_memo memo = {0};
    uint64_t list[32];
    struct static_inst si = {.width = 16};
    struct warp_inst w = {.si = &si, .mask = UINT32_MAX, .form = ADDR_LIST, .list = list};
    for (uint32_t k = 0; k < 32; k++)
        list[k] = k % 4 * 16;
    assert_int_equal(conflict_memo_shared_cycles(&memo, &w, 32, 0), 1);
    assert_int_equal(conflict_memo_shared_cycles(&memo, &w, 32, 128), 4);
    assert_int_equal(conflict_memo_shared_cycles(&memo, &w, 32, 64), 8);
    for (uint32_t k = 0; k < 32; k++)
        list[k] = k * 128;
    assert_int_equal(conflict_memo_shared_cycles(&memo, &w, 32, 128), 32);
    conflict_memo_fini(&memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conflicts_agree_with_counting),
        cmocka_unit_test(textbook_cases),
        cmocka_unit_test(remembered_conflicts_agree_with_counting),
        cmocka_unit_test(shared_words_still_fill_the_registers_of_every_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
