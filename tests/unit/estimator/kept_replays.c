/* Is a replay that is kept the one that would be made anew, whatever was replayed before? */
#include "base/memory/rng.h"
#include "base/memory/thread_block.h"
#include "estimator/constants.h"
#include "estimator/dram/row_locality.h"
#include "tests/support/estimator_support.h"

#include <pthread.h>

enum { ASKED = 6 };

static struct block_sample sample;
static struct map map;

/* Reads and stores of 64 MB by chance, whose stack distances are of all sizes. */
static void fill(void)
{
    struct rng r;
    rng_seed(&r, 3, 0);
    sample.blocks = SAMPLE_BLOCKS;
    for (uint32_t b = 0; b < SAMPLE_BLOCKS; b++) {
        sample.n[b] = BLOCK_LEAST;
        sample.each[b] = 1 + b;
        for (uint32_t i = 0; i < BLOCK_LEAST; i++)
            sample.at[b][i] =
                (struct sampled){.addr = 64 * rng_below(&r, 1 << 20),
                                 .l1 = (uint16_t)rng_below(&r, SAMPLE_BUCKETS),
                                 .l2 = (uint16_t)rng_below(&r, SAMPLE_BUCKETS),
                                 .kind = rng_below(&r, 4) ? SAMPLED_READ : SAMPLED_WRITE,
                                 .sectors = 2};
    }
}

/* Differ in what passes the caches, in write-backs, and in the DRAM's time for a row. */
static void ask(uint32_t i, const struct dram_params *of, struct row_locality *r)
{
    static const double lines[ASKED] = {1e3, 1e4, 1e3, 1e3, 1e4, 1e3};
    struct dram_params d = *of;
    const struct row_stream f = {.l1_lines = 10,
                                 .l2_lines = lines[i],
                                 .bursts_per_sector = 1,
                                 .writebacks = i == 2 ? 0.5 : 0,
                                 .behind = 1 << 20,
                                 .together = 256,
                                 .block = BLOCK_LEAST};
    if (i == 3) d.t.tRP *= 4;
    memset(r, 0, sizeof *r);
    row_locality_find(r, &sample, &map, &d, &f);
}

struct anew {
    const struct dram_params *d;
    uint32_t i;
    struct row_locality r;
};

static void *ask_anew(void *ctx)
{
    struct anew *a = ctx;
    if (thread_blocks_reserve()) ask(a->i, a->d, &a->r);
    return NULL;
}

/* A thread of its own has nothing kept. */
static void kept_is_what_is_made_anew(void **state)
{
    (void)state;
    struct error e = {0};
    struct bed b;
    struct row_locality r[ASKED];
    bed_machine(&b, "rx540", NULL, 0);
    assert_true(map_init(&map, &b.m.l2, &b.m.dram, &e));
    fill();
    for (uint32_t i = 0; i < ASKED; i++) {
        struct anew a = {.d = &b.m.dram, .i = i};
        pthread_t t;
        ask(i, &b.m.dram, &r[i]);
        assert_int_equal(pthread_create(&t, NULL, ask_anew, &a), 0);
        pthread_join(t, NULL);
        assert_memory_equal(&r[i], &a.r, sizeof a.r);
    }
    assert_memory_equal(&r[0], &r[5], sizeof r[0]);
    assert_memory_equal(&r[1], &r[4], sizeof r[1]);
    for (uint32_t i = 1; i < 4; i++) /* or the test asks for nothing */
        assert_memory_not_equal(&r[i], &r[0], sizeof r[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_is_what_is_made_anew)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
