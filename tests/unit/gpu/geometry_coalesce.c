/* Does the coalescer give the transactions that the rules describe, byte for byte? */
#include "base/memory/rng.h"
#include "gpu/geometry/coalesce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NAIVE_MAX = 64 * 32 };

struct naive {
    uint64_t block[NAIVE_MAX];
    uint8_t byte[NAIVE_MAX][128]; /* 1 + the last lane that asks for it; 0: nobody does */
    uint32_t lanes[NAIVE_MAX];
    uint32_t n;
};

/* Does a lane ask for a byte that the transaction has from another lane? */
static bool clash(const struct naive *v, uint32_t t, uint64_t addr, uint32_t width, uint32_t lane)
{
    for (uint32_t i = 0; i < width; i++) {
        uint64_t at = addr + i - v->block[t];
        if (at < 128 && v->byte[t][at] && v->byte[t][at] != lane + 1) return true;
    }
    return false;
}

/* The rules, byte by byte and lane by lane, with nothing but linear searches. */
static void naive_coalesce(struct naive *v, const struct coalesce_params *p, uint64_t mask,
                           const uint64_t addr[64], uint32_t width)
{
    v->n = 0;
    for (uint32_t group = 0; group < 64; group += p->lanes) {
        uint32_t first = v->n;
        for (uint32_t lane = group; lane < group + p->lanes; lane++) {
            if (!(mask >> lane & 1) || addr[lane] == 0) continue;
            uint64_t seen = UINT64_MAX;
            for (uint32_t i = 0; i < width; i++) {
                uint64_t block = (addr[lane] + i) / p->bytes * p->bytes; /* modulo 2^64 */
                uint32_t t = first;
                while (t < v->n &&
                       (v->block[t] != block || (p->apart && clash(v, t, addr[lane], width, lane))))
                    t++;
                if (t == v->n) {
                    v->block[t] = block;
                    v->lanes[t] = 0;
                    memset(v->byte[t], 0, 128);
                    v->n++;
                }
                if (seen != block) v->lanes[t]++;
                seen = block;
                v->byte[t][addr[lane] + i - block] = (uint8_t)(lane + 1);
            }
        }
    }
}

static void compare(const struct naive *v, const struct txn *t, uint32_t n)
{
    assert_int_equal(n, v->n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(t[i].addr, v->block[i]);
        assert_int_equal(t[i].lanes, v->lanes[i]);
        for (uint32_t b = 0; b < 128; b++)
            assert_int_equal(t[i].mask[b / 64] >> (b % 64) & 1, v->byte[i][b] != 0);
    }
}

static uint64_t random_mask(struct rng *r, uint32_t width)
{
    uint64_t m = rng_next(r);
    if (rng_below(r, 3) == 0) m = UINT64_MAX;
    if (rng_below(r, 4) == 0) m &= rng_next(r) & rng_next(r);
    return width == 64 ? m : m & 0xffffffff;
}

static struct coalesce_params random_params(struct rng *r)
{
    static const uint32_t lanes[] = {8, 16, 32, 64}, bytes[] = {32, 64, 128};
    return (struct coalesce_params){lanes[rng_below(r, 4)], bytes[rng_below(r, 3)],
                                    rng_below(r, 3) == 0};
}

static uint8_t random_width(struct rng *r)
{
    static const uint8_t widths[] = {1, 2, 4, 8, 12, 16};
    return widths[rng_below(r, 6)];
}

static void strides_agree_with_the_rules(void **state)
{
    (void)state;
    static struct naive v;
    struct rng r;
    rng_seed(&r, 1, 0);
    for (int round = 0; round < 4000; round++) {
        struct coalesce_params p = random_params(&r);
        struct static_inst si = {.width = random_width(&r)};
        int64_t stride = rng_below(&r, 2) ? si.width : (int64_t)rng_below(&r, 400) - 150;
        struct warp_inst w = {.si = &si,
                              .form = ADDR_STRIDE,
                              .stride = stride,
                              .mask = random_mask(&r, rng_below(&r, 2) ? 64 : 32),
                              .base = rng_below(&r, 50) ? 1 << 20 | rng_below(&r, 4096) : 0};
        if (w.base == 0 && stride < 0) w.stride = -stride;
        uint64_t addr[64] = {0};
        uint32_t k = 0;
        for (uint32_t lane = 0; lane < 64; lane++)
            if (w.mask >> lane & 1) addr[lane] = w.base + (uint64_t)(w.stride * k++);
        struct txn out[COALESCE_MAX];
        naive_coalesce(&v, &p, w.mask, addr, si.width);
        compare(&v, out, coalesce(&p, &w, out));
    }
}

static void lists_agree_with_the_rules(void **state)
{
    (void)state;
    static struct naive v;
    struct rng r;
    rng_seed(&r, 2, 0);
    for (int round = 0; round < 4000; round++) {
        struct coalesce_params p = random_params(&r);
        struct static_inst si = {.width = random_width(&r)};
        struct warp_inst w = {.si = &si, .form = ADDR_LIST, .mask = random_mask(&r, 64)};
        uint64_t addr[64] = {0}, list[64], range = 1 + rng_below(&r, 6000);
        uint32_t k = 0;
        for (uint32_t lane = 0; lane < 64; lane++) {
            if (!(w.mask >> lane & 1)) continue;
            addr[lane] = rng_below(&r, 20) ? 4096 + rng_below(&r, range) : 0;
            list[k++] = addr[lane];
        }
        w.list = list;
        struct txn out[COALESCE_MAX];
        naive_coalesce(&v, &p, w.mask, addr, si.width);
        compare(&v, out, coalesce(&p, &w, out));
    }
}

/* Addresses are numbers modulo 2^64: runs that pass its end, strides that jump over it. */
static void the_end_of_the_address_space_agrees_with_the_rules(void **state)
{
    (void)state;
    static struct naive v;
    static const int64_t far[] = {INT64_MIN, INT64_MAX, INT64_C(1) << 58, -(INT64_C(1) << 59)};
    struct rng r;
    rng_seed(&r, 4, 0);
    for (int round = 0; round < 4000; round++) {
        struct coalesce_params p = random_params(&r);
        struct static_inst si = {.width = random_width(&r)};
        uint64_t addr[64] = {0}, list[64], kind = rng_below(&r, 4);
        struct warp_inst w = {.si = &si,
                              .form = kind == 3 ? ADDR_LIST : ADDR_STRIDE,
                              .mask = random_mask(&r, rng_below(&r, 2) ? 64 : 32),
                              .base = 0 - rng_below(&r, 3000),
                              .list = list};
        w.stride = kind == 0 ? si.width : (int64_t)rng_below(&r, 400) - 150;
        if (kind == 2) w.stride = far[rng_below(&r, 4)];
        for (uint32_t i = 0; i < 64; i++)
            list[i] = rng_below(&r, 600) - 300;
        for (uint32_t lane = 0, k = 0; lane < 64; lane++)
            if (w.mask >> lane & 1) addr[lane] = warp_inst_addr(&w, k++);
        struct txn out[COALESCE_MAX];
        naive_coalesce(&v, &p, w.mask, addr, si.width);
        compare(&v, out, coalesce(&p, &w, out));
    }
}

/* Khairy II, microbenchmark 1: index = (tid / stride) * 32 + tid % stride floats. */
static uint32_t khairy(uint32_t lanes, uint32_t bytes, uint32_t stride)
{
    struct coalesce_params p = {.lanes = lanes, .bytes = bytes};
    struct static_inst si = {.width = 4};
    uint64_t list[32];
    for (uint32_t t = 0; t < 32; t++)
        list[t] = (1 << 20) + 4 * (uint64_t)(t / stride * 32 + t % stride);
    struct warp_inst w = {.si = &si, .form = ADDR_LIST, .mask = 0xffffffff, .list = list};
    struct txn out[COALESCE_MAX];
    return coalesce(&p, &w, out);
}

static void stride_counts_of_khairy(void **state)
{
    (void)state;
    static const uint32_t stride[] = {1, 2, 4, 8, 16, 32};
    static const uint32_t volta[] = {32, 16, 8, 4, 4, 4}, old[] = {32, 16, 8, 4, 2, 1};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(khairy(8, 32, stride[i]), volta[i]);
        assert_int_equal(khairy(32, 128, stride[i]), old[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_agree_with_the_rules),
        cmocka_unit_test(lists_agree_with_the_rules),
        cmocka_unit_test(the_end_of_the_address_space_agrees_with_the_rules),
        cmocka_unit_test(stride_counts_of_khairy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
