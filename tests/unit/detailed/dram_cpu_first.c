/* Under cpu_first, do bursts of CPUs go before all others of their bank, and does everything else
 * stay as it is?  Orders by hand, and random streams against the rule itself. */
#include "base/memory/rng.h"
#include "tests/support/dram_hand.h"

struct burst {
    uint32_t bank, row;
    enum dram_client client;
};

static void put_of(struct dram_channel *c, const struct burst *b, bool write, uint32_t tag,
                   uint64_t now)
{
    struct coord at = {
        .flat_bank = b->bank, .bankgroup = b->bank / 2, .bank = b->bank % 2, .row = b->row};
    dram_accept_of(c, b->client, &at, write, tag, now);
    assert_true(dram_check(c));
}

static void serve_all(const struct dram_params *p, const struct burst *b, uint32_t n,
                      uint32_t *order)
{
    struct dram_channel *c = dram_hand_make(p, dram_log_a);
    for (uint32_t i = 0; i < n; i++)
        if (b[i].client == DRAM_OF_CPU)
            put_of(c, &b[i], false, i, 0);
        else
            dram_hand_put(c, b[i].bank, b[i].row, false, i, 0);
    assert_int_equal(dram_hand_finish(c, 0, order), n);
    assert_int_equal(
        dram_hand_count(dram_log_a, DRAM_CMD_RD) + dram_hand_count(dram_log_a, DRAM_CMD_RDA), n);
    dram_free(c);
}

#define GPU DRAM_OF_GPU
#define CPU DRAM_OF_CPU

/* A bank whose row the GPU has open: the CPU's conflict goes before the GPU's hits; the CPUs' own
 * hits go before their older conflict. */
static void a_cpu_goes_before_the_gpus_hits(void **state)
{
    static const struct burst b[] = {{0, 1, GPU}, {0, 1, GPU}, {0, 1, GPU}, {0, 2, CPU},
                                     {0, 3, CPU}, {0, 2, CPU}, {0, 2, GPU}};
    static const uint32_t gpu_first[] = {0, 1, 2, 3, 5, 6, 4}, in_order[] = {3, 4, 5, 0, 1, 2, 6},
                          cpu_first[] = {3, 5, 4, 0, 1, 2, 6};
    struct dram_params p = dram_hand_params;
    uint32_t order[7];
    (void)state;
    serve_all(&p, b, 7, order);
    assert_memory_equal(order, gpu_first, sizeof order);
    p.urgent_first = true;
    serve_all(&p, b, 7, order);
    assert_memory_equal(order, cpu_first, sizeof order);
    p.scheduler = DRAM_FCFS;
    serve_all(&p, b, 7, order);
    assert_memory_equal(order, in_order, sizeof order);
}

/* The scheduler sees two requests of a bank; a CPU's is seen wherever it arrives. */
static void a_cpu_enters_the_window(void **state)
{
    static const struct burst b[] = {{0, 1, GPU}, {0, 1, GPU}, {0, 1, GPU}, {0, 1, GPU},
                                     {0, 2, CPU}, {0, 2, CPU}, {0, 2, CPU}, {0, 1, GPU}};
    static const uint32_t want[] = {4, 5, 6, 0, 1, 2, 3, 7};
    struct dram_params p = dram_hand_params;
    uint32_t order[8];
    (void)state;
    p.urgent_first = true;
    for (p.per_bank_queue = 1; p.per_bank_queue <= 8; p.per_bank_queue++) {
        serve_all(&p, b, 8, order);
        assert_memory_equal(order, want, sizeof order);
    }
}

/* The same stream with all bursts of one kind is served as without cpu_first. */
static void it_changes_nothing_among_bursts_of_one_kind(void **state)
{
    enum { N = 24 };
    (void)state;
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct burst b[N];
        uint32_t order[3][N];
        struct dram_params p = dram_hand_params;
        struct rng r;
        rng_seed(&r, seed, 0);
        p.hit_cap = (uint32_t)rng_below(&r, 3);
        p.per_bank_queue = (uint32_t)rng_below(&r, 4);
        for (uint32_t i = 0; i < N; i++)
            b[i] = (struct burst){(uint32_t)rng_below(&r, 4), (uint32_t)rng_below(&r, 3), GPU};
        serve_all(&p, b, N, order[0]);
        p.urgent_first = true;
        serve_all(&p, b, N, order[1]);
        for (uint32_t i = 0; i < N; i++)
            b[i].client = CPU;
        serve_all(&p, b, N, order[2]);
        assert_memory_equal(order[0], order[1], sizeof order[0]);
        assert_memory_equal(order[0], order[2], sizeof order[0]);
    }
}

/* A read of the GPU is never sent to a bank while one of a CPU waits there. */
static void no_read_passes_a_cpus(void **state)
{
    enum { N = 4000 };
    static struct burst b[N];
    static uint64_t born[N], sent[N];
    (void)state;
    for (uint32_t seed = 0; seed < 12; seed++) {
        struct dram_params p = dram_hand_params;
        struct rng r;
        uint32_t next = 0, done = 0, tag;
        bool write;
        rng_seed(&r, seed, 1);
        p.urgent_first = true;
        p.hit_cap = (uint32_t)rng_below(&r, 4);
        p.per_bank_queue = (uint32_t)rng_below(&r, 3);
        p.scheduler = seed % 2 ? DRAM_FR_FCFS : DRAM_FCFS;
        if (seed % 3 == 0) p.page_policy = PAGE_CLOSED_AFTER_HITS;
        struct dram_channel *c = dram_hand_make(&p, NULL);
        for (uint64_t now = 1; done < N; now++) {
            while (next < N && rng_below(&r, 8) == 0 && dram_can_accept(c, false)) {
                b[next] = (struct burst){(uint32_t)rng_below(&r, 4), (uint32_t)rng_below(&r, 4),
                                         rng_below(&r, 4) ? GPU : CPU};
                born[next] = now;
                put_of(c, &b[next], false, next, now);
                next++;
            }
            dram_step(c, now);
            for (; dram_done(c, now, &tag, &write); done++)
                sent[tag] = now - p.t.tCL - 2;
        }
        dram_free(c);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = i + 1; k < N && born[k] <= sent[i]; k++)
                if (b[i].client == GPU && b[k].client == CPU && b[i].bank == b[k].bank)
                    assert_true(sent[k] < sent[i] || born[k] > sent[i]);
    }
}

/* With a write queue, power-down and timeouts, random streams keep every invariant. */
static void random_streams_keep_the_invariants(void **state)
{
    enum { N = 3000 };
    (void)state;
    for (uint32_t seed = 0; seed < 16; seed++) {
        struct dram_params p = dram_hand_params;
        struct rng r;
        uint32_t sent = 0, done = 0, tag;
        bool write;
        rng_seed(&r, seed, 2);
        p.urgent_first = true;
        p.per_bank_queue = (uint32_t)rng_below(&r, 3);
        p.write_queue = seed % 2 ? 16 : 0;
        p.write_high = 12;
        p.write_low = 4;
        if (seed % 4 == 1) p.page_policy = PAGE_TIMEOUT, p.page_timeout = 50;
        if (seed % 4 == 2) p.power_down_idle = 20, p.t.tCKE = 5, p.t.tXP = 6;
        struct dram_channel *c = dram_hand_make(&p, NULL);
        for (uint64_t now = 1; done < N; now++) {
            bool writes = rng_below(&r, 3) == 0;
            while (sent < N && rng_below(&r, 6) == 0 && dram_can_accept(c, writes)) {
                struct burst b = {(uint32_t)rng_below(&r, 4), (uint32_t)rng_below(&r, 5),
                                  rng_below(&r, 3) ? GPU : CPU};
                put_of(c, &b, writes, sent++, now);
            }
            dram_step(c, now);
            while (dram_done(c, now, &tag, &write))
                done++;
            assert_true(now < 1000000);
        }
        assert_true(dram_check(c));
        dram_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cpu_goes_before_the_gpus_hits),
        cmocka_unit_test(a_cpu_enters_the_window),
        cmocka_unit_test(it_changes_nothing_among_bursts_of_one_kind),
        cmocka_unit_test(no_read_passes_a_cpus),
        cmocka_unit_test(random_streams_keep_the_invariants),
    };
    return cmocka_run_group_tests(tests, dram_hand_setup, dram_hand_teardown);
}
