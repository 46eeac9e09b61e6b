/* Do phases and address samples stand for the stream that they were taken from? */
#include "tests/support/check.h"

#include "estimator/profile/address_sample.h"
#include "estimator/profile/phase.h"

#include <stdlib.h>

static const double lines[PHASE_LEVELS] = {[PHASE_L1] = 256, [PHASE_L2] = 8192};

static double mean_of(const struct phase out[PHASES], enum phase_level l)
{
    double sum = 0;
    for (uint32_t g = 0; g < PHASES; g++)
        sum += out[g].misses[l] / PHASES;
    return sum;
}

static void a_steady_stream_has_one_phase(void **state)
{
    (void)state;
    struct phase_tally t;
    struct phase_curve c;
    struct phase out[PHASES];
    phase_start(&t);
    for (uint32_t i = 0; i < 100000; i++)
        phase_add(&t, (uint32_t[PHASE_LEVELS]){i % 2 ? UINT32_MAX : 0, i % 4 ? 100000 : 0});
    phase_finish(&t, &c);
    phase_find(&c, lines, out);
    for (uint32_t g = 0; g < PHASES; g++)
        for (uint32_t l = 0; l < PHASE_LEVELS; l++)
            assert_near(out[g].misses[l], 1, 0.01);
}

/* The first eighth misses, the rest hits: all misses lie in one quarter of the work. */
static void what_misses_once_misses_in_one_group(void **state)
{
    (void)state;
    for (uint32_t n = 6000; n < 3000000; n = n * 3 + 17) {
        struct phase_tally t;
        struct phase_curve c;
        struct phase out[PHASES];
        phase_start(&t);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t far = i < n / 8 ? UINT32_MAX : 40;
            phase_add(&t, (uint32_t[PHASE_LEVELS]){far, far});
        }
        phase_finish(&t, &c);
        phase_find(&c, lines, out);
        assert_near(mean_of(out, PHASE_L2), 1, 1e-6);
        assert_near(mean_of(out, PHASE_L1), 1, 1e-6);
        assert_near(out[PHASES - 1].misses[PHASE_L2], PHASES, 1e-3);
        assert_near(out[PHASES - 1].misses[PHASE_L1], PHASES, 1e-3);
        assert_near(out[0].misses[PHASE_L2], 0, 1e-3);
    }
}

/* What hits between two capacities is a miss of the smaller one only. */
static void capacities_tell_phases_apart(void **state)
{
    (void)state;
    struct phase_tally t;
    struct phase_curve c;
    struct phase out[PHASES];
    phase_start(&t);
    for (uint32_t i = 0; i < 65536; i++)
        phase_add(&t, (uint32_t[PHASE_LEVELS]){1024, i < 32768 ? 4096 : 65536});
    phase_finish(&t, &c);
    phase_find(&c, lines, out);
    assert_near(out[0].misses[PHASE_L2], 0, 1e-3);
    assert_near(out[PHASES - 1].misses[PHASE_L2], 2, 1e-3);
    phase_find(&c, (const double[PHASE_LEVELS]){[PHASE_L1] = 4096, [PHASE_L2] = 1024}, out);
    assert_near(out[0].misses[PHASE_L2], 1, 1e-3);
    assert_near(out[0].misses[PHASE_L1], 1, 1e-3); /* no misses at all */
}

static void blocks_are_runs_spread_over_the_stream(void **state)
{
    (void)state;
    struct block_sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (uint64_t n = 100; n < 5000000; n = n * 2 + 13) {
        struct block_sampler a;
        block_sampler_start(&a, s);
        for (uint64_t i = 0; i < n; i++)
            block_sampler_offer(&a, &(struct sampled){.addr = i});
        assert_int_equal(s->at[0][0].addr, 0);
        for (uint32_t b = 0; b < s->blocks; b++) {
            assert_true(s->n[b] >= 1 && s->n[b] <= SAMPLE_BLOCK);
            for (uint32_t i = 1; i < s->n[b]; i++)
                assert_int_equal(s->at[b][i].addr, s->at[b][0].addr + i);
            if (b > 1)
                assert_int_equal(s->at[b][0].addr - s->at[b - 1][0].addr, (uint64_t)s->stride);
        }
        /* nothing longer than two strides is left without one */
        uint64_t last = s->at[s->blocks - 1][0].addr;
        assert_true(n <= last + 2 * (uint64_t)s->stride + SAMPLE_BLOCK);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_stream_has_one_phase),
        cmocka_unit_test(what_misses_once_misses_in_one_group),
        cmocka_unit_test(capacities_tell_phases_apart),
        cmocka_unit_test(blocks_are_runs_spread_over_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
