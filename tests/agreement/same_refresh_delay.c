/* same_refresh_delay.c - what refreshes cost a lone read: the estimator's closed form is within a
 * twentieth of the read's latency of the cycle model's channel, for sets that refresh all banks of
 * a rank together and for those that refresh one bank after the other. */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "detailed/dram/dram.h"
#include "estimator/dram/row_locality.h"
#include "gpu/machine/machine.h"

#include <stdio.h>

enum { READS = 20000, GAP = 1000 };

static void set_up(struct dram_params *d, const char *set, const char *page)
{
    struct errors all = {0};
    struct machine m;
    char text[2][PARAM_TEXT_MAX];
    const char *sets[] = {"l2.banks=1", text[0], text[1]};
    machine_defaults(&m);
    snprintf(text[0], sizeof text[0], "dram.set=%s", set);
    snprintf(text[1], sizeof text[1], "dram.page_policy=%s", page);
    assert_true(machine_set(&m, sets, 3, &all));
    *d = m.dram;
    d->power_down_idle = 0;
}

/* Mean clocks of reads of random rows in random banks, by chance GAP clocks apart. */
static double simulated(const struct dram_params *d)
{
    struct error e = {0};
    struct dram_channel *c = dram_new(d, &e);
    struct rng g;
    uint64_t now = 1;
    uint32_t per_rank = d->bankgroups * d->banks_per_group;
    assert_non_null(c);
    rng_seed(&g, 1, 0);
    for (uint32_t i = 0; i < READS; i++) {
        uint32_t tag, bank = (uint32_t)rng_below(&g, dram_bank_count(d));
        uint64_t at = now + 1 + rng_below(&g, 2 * GAP);
        bool write;
        while (now < at) {
            uint64_t then = dram_step(c, now);
            while (dram_done(c, now, &tag, &write)) {
            }
            now = then < at ? then : at;
        }
        const struct coord place = {.rank = bank / per_rank,
                                    .bankgroup = bank % per_rank / d->banks_per_group,
                                    .bank = bank % d->banks_per_group,
                                    .flat_bank = bank,
                                    .row = (uint32_t)rng_below(&g, d->rows)};
        assert_true(dram_can_accept(c, false));
        dram_accept(c, &place, false, i, now);
    }
    const struct dram_stats *s = dram_stats(c, now);
    double mean = (double)s->latency_sum / (double)s->reads;
    dram_free(c);
    return mean;
}

static double estimated(const struct dram_params *d)
{
    const struct row_locality r = {.banks = {1, 1, 1}, .service = {8, 8, 8}, .run = 1};
    const struct dram_load load = {.rate = 1.0 / GAP, .depth = 1, .most = 1, .room = 1};
    struct burst_time b;
    burst_time_find(&b, &r, d, &load);
    return b.latency;
}

static void refreshes_delay_reads_as_much(void **state)
{
    static const char *const sets[] = {"hbm2",  "hbm2-pc", "hbm2e", "hbm3",
                                       "gddr5", "gddr6",   "ddr4",  "ddr5-4800"};
    static const char *const pages[] = {"open", "closed"};
    uint32_t single = 0;
    (void)state;
    for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t k = 0; k < 2; k++) {
            struct dram_params d, off;
            set_up(&d, sets[i], pages[k]);
            off = d;
            off.t.tREFI = off.t.tRFC = off.t.tRFCb = off.t.tREFIb = 0;
            double s = simulated(&d) - simulated(&off), e = estimated(&d) - estimated(&off);
            printf("%s, rows %s: %+.2f clocks simulated, %+.2f estimated\n", sets[i], pages[k], s,
                   e);
            assert_near(e, s, 0.05 * estimated(&off));
            single += d.per_bank_refresh;
        }
    assert_true(single >= 4 && single <= 12); /* of both kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refreshes_delay_reads_as_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
