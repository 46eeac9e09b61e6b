/* Do the limits of the L1 give the clocks that were measured on silicon, and what a slow count
 * says? */
#include "base/memory/rng.h"
#include "gpu/geometry/l1_instruction.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LINE = 128 };

static uint32_t strided(const struct l1_instruction_params *p, uint64_t base, uint64_t stride,
                        uint32_t width, uint32_t lanes)
{
    struct static_inst si = {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = (uint8_t)width};
    struct warp_inst w = {.si = &si,
                          .form = ADDR_STRIDE,
                          .mask = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1,
                          .base = base,
                          .stride = (int64_t)stride};
    return l1_instruction_cycles(p, LINE, &w);
}

static const struct l1_instruction_params none = {0}, tags = {.lookups = 4},
                                          words = {.word_banks = 32},
                                          bytes = {.bytes_per_cycle = 64},
                                          scattered = {.scattered_lanes = 2},
                                          fold = {.lookups = 4, .lookup_index = LOOKUP_FOLD};

static void limits_follow_their_closed_forms(void **state)
{
    (void)state;
    static const struct {
        const struct l1_instruction_params *p;
        uint32_t stride, width, lanes, want; /* bytes */
    } cases[] = {
        {&none, 4096, 4, 64, 1},     {&tags, 4, 4, 32, 1},        {&tags, 128, 4, 32, 8},
        {&tags, 512, 4, 32, 32},     {&fold, 512, 4, 32, 8},      {&fold, 128, 4, 32, 8},
        {&words, 4, 4, 32, 1},       {&words, 4, 4, 64, 2},       {&words, 8, 4, 32, 2},
        {&words, 12, 4, 32, 1},      {&words, 16, 4, 32, 4},      {&words, 128, 4, 32, 32},
        {&words, 0, 4, 32, 1},       {&words, 8, 8, 32, 2},       {&words, 132, 4, 32, 1},
        {&bytes, 4, 4, 32, 2},       {&bytes, 0, 4, 32, 2},       {&bytes, 16, 16, 32, 8},
        {&scattered, 4, 4, 64, 1},   {&scattered, 0, 4, 64, 1},   {&scattered, 8, 4, 64, 32},
        {&scattered, 12, 4, 64, 48}, {&scattered, 16, 4, 64, 64}, {&scattered, 16, 8, 64, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            strided(cases[i].p, 1 << 20, cases[i].stride, cases[i].width, cases[i].lanes),
            cases[i].want);
}

/* Runs of four lanes of 16 bytes, a line apart, take a cycle of 64 bytes each, where they took one
 * a lane; strides and whole rows take what they did. */
static void runs_of_neighbours_come_together(void **state)
{
    (void)state;
    const struct l1_instruction_params one = {.scattered_lanes = 2, .bytes_per_cycle = 64},
                                       runs = {.scattered_lanes = 2,
                                               .bytes_per_cycle = 64,
                                               .scattered_runs = true};
    struct static_inst si = {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 16};
    uint64_t list[64];
    for (uint32_t run = 2; run <= 32; run *= 2) {
        for (uint32_t k = 0; k < 64; k++)
            list[k] = (1 << 20) + k / run * 4096 + k % run * 16;
        struct warp_inst w = {.si = &si, .form = ADDR_LIST, .mask = UINT64_MAX, .list = list};
        assert_int_equal(l1_instruction_cycles(&one, LINE, &w), 64);
        assert_int_equal(l1_instruction_cycles(&runs, LINE, &w), run < 4 ? 64 / run : 16);
    }
    for (uint32_t width = 4; width <= 16; width *= 2)
        for (uint32_t stride = 0; stride <= 64; stride += 4)
            assert_int_equal(strided(&runs, 1 << 20, stride, width, 64),
                             strided(&one, 1 << 20, stride, width, 64));
}

/* --- what was measured --- */

struct card {
    const char *name;
    struct l1_instruction_params p;
    uint32_t lanes;
};
#define NVIDIA .lookups = 4, .lookup_index = LOOKUP_FOLD, .word_banks = 32
static const struct card cards[] = {
    {"a100", {NVIDIA, .bytes_per_cycle = 128}, 32},
    {"h200", {NVIDIA, .bytes_per_cycle = 128}, 32},
    {"a40", {NVIDIA, .bytes_per_cycle = 64}, 32},
    {"rdna2", {.lookups = 4, .word_banks = 32, .bytes_per_cycle = 128}, 32},
    {"mi210", {.scattered_lanes = 2, .bytes_per_cycle = 64}, 64},
};
enum { CARDS = sizeof cards / sizeof *cards };

/* As the program does it: warps of a block of 64 threads at eight offsets; the buffer begins at any
 * multiple of eight lines. */
static double expected(const struct card *c, uint32_t stride, uint32_t width)
{
    struct rng r;
    double sum = 0, n = 0;
    rng_seed(&r, 7, 0);
    for (uint32_t b = 0; b < 16; b++) {
        uint64_t base = (1 << 24) + rng_below(&r, 1 << 16) * 8 * LINE;
        for (uint32_t first = 0; first < 64; first += c->lanes)
            for (uint32_t offset = 0; offset < 32; offset += 4, n++)
                sum += strided(&c->p, base + ((uint64_t)first * stride + offset) * width,
                               (uint64_t)stride * width, width, c->lanes);
    }
    return sum / n;
}

static void strides_take_the_clocks_that_were_measured(void **state)
{
    (void)state;
    char line[200], name[20];
    uint32_t width, stride, n[CARDS] = {0}, near[CARDS] = {0};
    double clocks, error[CARDS] = {0};
    FILE *f = fopen("tests/data/l1_strides.csv", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%19[^,],%u,%u,%lf", name, &width, &stride, &clocks) != 4) continue;
        for (uint32_t c = 0; c < CARDS; c++) {
            if (strcmp(name, cards[c].name) != 0) continue;
            double off = fabs(expected(&cards[c], stride, width) / clocks - 1);
            n[c]++;
            near[c] += off <= 0.1;
            error[c] += off;
        }
    }
    fclose(f);
    for (uint32_t c = 0; c < CARDS; c++) {
        assert_true(n[c] >= 3);
        assert_true(near[c] >= 0.95 * n[c]);
        assert_true(error[c] / n[c] < 0.03);
    }
}

/* --- a slow count --- */

static uint32_t slow_bank(const struct l1_instruction_params *p, uint64_t line)
{
    uint32_t bank = (uint32_t)(line % p->lookups);
    if (p->lookup_index == LOOKUP_MODULO || p->lookups == 1) return bank;
    for (line /= p->lookups; line; line /= p->lookups)
        bank ^= (uint32_t)(line % p->lookups);
    return bank;
}

/* The most distinct numbers of `block` bytes that lanes touch in one bank. */
static uint32_t slow_turns(const struct warp_inst *w, uint64_t block, uint32_t banks,
                           const struct l1_instruction_params *tag)
{
    uint64_t seen[64 * 32];
    uint32_t n = 0, in[64] = {0}, worst = 0;
    for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(w->mask); k++)
        for (uint32_t i = 0; w->list[k] && i < w->si->width; i++) {
            uint64_t number = (w->list[k] + i) / block;
            bool known = false;
            for (uint32_t j = 0; j < n; j++)
                known |= seen[j] == number;
            if (known) continue;
            seen[n++] = number;
            uint32_t bank = tag ? slow_bank(tag, number) : (uint32_t)(number % banks);
            if (++in[bank] > worst) worst = in[bank];
        }
    return worst;
}

static void random_lanes_take_turns_as_a_slow_count_says(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, 0);
    for (uint32_t i = 0; i < 3000; i++) {
        struct static_inst si = {
            .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = (uint8_t)(1u << rng_below(&r, 5))};
        uint64_t list[64];
        uint32_t lanes = 1 + (uint32_t)rng_below(&r, 64);
        uint64_t reach = UINT64_C(1) << (4 + rng_below(&r, 12));
        for (uint32_t k = 0; k < lanes; k++)
            list[k] = rng_below(&r, 20) ? (1 << 20) + rng_below(&r, reach) : 0;
        struct warp_inst w = {.si = &si,
                              .form = ADDR_LIST,
                              .mask = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1,
                              .list = list};
        struct l1_instruction_params p = {.lookups = 1u << rng_below(&r, 7),
                                          .lookup_index =
                                              rng_below(&r, 2) ? LOOKUP_FOLD : LOOKUP_MODULO,
                                          .word_banks = 1u << rng_below(&r, 7)};
        uint32_t lookups = slow_turns(&w, LINE, p.lookups, &p);
        uint32_t turns = slow_turns(&w, 4, p.word_banks, NULL);
        uint32_t want = lookups > turns ? lookups : turns;
        assert_int_equal(l1_instruction_cycles(&p, LINE, &w), want ? want : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_follow_their_closed_forms),
        cmocka_unit_test(runs_of_neighbours_come_together),
        cmocka_unit_test(strides_take_the_clocks_that_were_measured),
        cmocka_unit_test(random_lanes_take_turns_as_a_slow_count_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
