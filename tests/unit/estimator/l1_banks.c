/* l1_banks.c - does the sum of chances say what a queue in front of banks does? */
#include "estimator/cache/l1_banks.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

/* Accesses per cycle of the queue itself, banks drawn one by one. */
static double played(struct rng *r, uint32_t ports, uint32_t banks, uint32_t bank_ports)
{
    enum { CYCLES = 200000 };
    uint64_t done = 0;
    uint32_t next = (uint32_t)rng_below(r, banks);
    for (uint32_t c = 0; c < CYCLES; c++) {
        uint32_t used[64] = {0};
        for (uint32_t k = 0; k < ports && used[next] < bank_ports; k++) {
            used[next]++;
            done++;
            next = (uint32_t)rng_below(r, banks);
        }
    }
    return (double)done / CYCLES;
}

static void chances_are_those_of_the_queue(void **state)
{
    (void)state;
    static const uint32_t cases[][4] = {/* ports, banks, of one bank, bank bytes */
                                        {4, 4, 1, 32}, {2, 8, 1, 32},   {4, 16, 2, 32},
                                        {8, 4, 3, 64}, {64, 64, 1, 32}, {1, 4, 1, 32},
                                        {4, 8, 1, 16}};
    struct rng r;
    rng_seed(&r, 5, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct l1_params p = {.enabled = true,
                              .ports = cases[i][0],
                              .banks = cases[i][1],
                              .bank_ports = cases[i][2],
                              .bank_bytes = cases[i][3],
                              .cache.sector_bytes = 32};
        uint32_t banks = cases[i][3] < 32 ? cases[i][1] * cases[i][3] / 32 : cases[i][1];
        double want = played(&r, cases[i][0], banks, cases[i][2]);
        assert_near(l1_accesses_per_cycle(&p, 1), want, 0.01 * want);
        p.banks = 1;
        assert_near(l1_accesses_per_cycle(&p, 1), cases[i][0], 0);
    }
}

/* Whole lines over as many banks never meet; runs of two over four banks meet as singles over two.
 */
static void neighbours_do_not_meet(void **state)
{
    (void)state;
    struct l1_params p = {.enabled = true,
                          .ports = 4,
                          .banks = 4,
                          .bank_ports = 1,
                          .bank_bytes = 32,
                          .cache.sector_bytes = 32};
    assert_near(l1_accesses_per_cycle(&p, 4), 4, 1e-12);
    assert_near(l1_accesses_per_cycle(&p, 2), 2 * (1 + 0.5), 1e-12);
    double last = l1_accesses_per_cycle(&p, 1);
    for (double run = 1.01; run < 5; run += 0.01) {
        double now = l1_accesses_per_cycle(&p, run);
        assert_true(now >= last - 1e-12 && now - last < 0.02 * last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chances_are_those_of_the_queue),
                                       cmocka_unit_test(neighbours_do_not_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
