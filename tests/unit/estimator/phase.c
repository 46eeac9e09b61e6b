/* Do phases and address samples stand for the stream that they were taken from? */
#include "tests/support/check.h"

#include "estimator/constants.h"
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

/* A stream of n accesses, whose blocks begin when its owner says so; each stands for what lies
 * between its beginning and the next one's. */
static void blocks_stand_for_what_follows_them(void **state)
{
    (void)state;
    static struct block_sample s;
    static const uint64_t begins[SAMPLE_BLOCKS] = {0, 10000};
    const uint64_t n = 100000;
    struct block_sampler a;
    uint32_t next = 0;
    block_sampler_start(&a, &s, BLOCK_LEAST);
    for (uint64_t i = 0; i < n; i++) {
        if (next < SAMPLE_BLOCKS && i == begins[next]) {
            block_sampler_begin(&a, (double)i);
            next++;
        }
        block_sampler_add(&a, &(struct sampled){.addr = i});
    }
    block_sampler_finish(&a, (double)n);
    assert_int_equal(s.blocks, SAMPLE_BLOCKS);
    double stood_for = 0;
    for (uint32_t b = 0; b < s.blocks; b++) {
        assert_int_equal(s.n[b], BLOCK_LEAST);
        for (uint32_t i = 0; i < s.n[b]; i++)
            assert_int_equal(s.at[b][i].addr, begins[b] + i);
        stood_for += s.each[b] * s.n[b];
    }
    assert_near(s.each[0], 10000.0 / BLOCK_LEAST, 1e-9);
    assert_near(stood_for, (double)n, 1e-6);
}

/* A block without accesses is not one: the next takes its place. The last one can begin anew. */
static void empty_blocks_are_left_out(void **state)
{
    (void)state;
    static struct block_sample s;
    struct block_sampler a;
    block_sampler_start(&a, &s, BLOCK_LEAST);
    block_sampler_begin(&a, 0);
    block_sampler_begin(&a, 0);
    block_sampler_add(&a, &(struct sampled){.addr = 7});
    block_sampler_begin(&a, 1);
    block_sampler_finish(&a, 1);
    assert_int_equal(s.blocks, 1);
    assert_int_equal(s.n[0], 1);
    assert_int_equal(s.at[0][0].addr, 7);
}

/* A channel's share of a block fills its queue BLOCK_QUEUES times, as far as replays go. */
static void blocks_fill_the_queues_of_all_channels(void **state)
{
    (void)state;
    static const struct {
        uint32_t channels, queue, accesses;
    } known[] = {
        {4, 32, 2048},    /* 96 accesses of four bursts would do */
        {40, 128, 4096},  /* 3,840 */
        {40, 256, 4096},  /* no deeper queue is replayed */
        {80, 128, 8192},  /* 7,680 */
        {128, 128, 8192}, /* 12,288, but no block has more */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct dram_params d = {.channels = known[i].channels,
                                      .queue = known[i].queue,
                                      .bus_bytes = 4,
                                      .burst_length = 8};
        assert_int_equal(profile_block_accesses(&d, 128), known[i].accesses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_stream_has_one_phase),
        cmocka_unit_test(what_misses_once_misses_in_one_group),
        cmocka_unit_test(capacities_tell_phases_apart),
        cmocka_unit_test(blocks_stand_for_what_follows_them),
        cmocka_unit_test(empty_blocks_are_left_out),
        cmocka_unit_test(blocks_fill_the_queues_of_all_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
