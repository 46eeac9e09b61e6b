/* same_refresh_delay.c - what refreshes cost a lone read: the estimator's closed form is within a
 * twentieth of the read's latency of the cycle model's channel, for sets that refresh all banks of
 * a rank together and for those that refresh one bank after the other, for reads that come at random
 * and for those of which each waits for the one before. */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "detailed/dram/dram.h"
#include "estimator/dram/row_locality.h"
#include "gpu/machine/machine.h"

#include <stdio.h>

enum { READS = 20000, GAP = 1000, GAP_CHAINED = 30 };

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

static void go_on(struct dram_channel *c, uint64_t now, uint64_t until)
{
    uint32_t tag;
    bool write;
    while (now < until) {
        uint64_t then = dram_step(c, now);
        while (dram_done(c, now, &tag, &write)) {
        }
        now = then < until ? then : until;
    }
}

/* Returns the clock at which the only read is done. */
static uint64_t go_on_until_done(struct dram_channel *c, uint64_t now)
{
    uint32_t tag;
    bool write;
    while (dram_next_done(c) == UINT64_MAX)
        now = dram_step(c, now);
    now = dram_next_done(c);
    assert_true(dram_done(c, now, &tag, &write));
    return now;
}

/* Mean clocks of reads of random rows in random banks; they come GAP clocks apart in the mean, by
 * chance, or GAP_CHAINED clocks after the one before is done. */
static double simulated(const struct dram_params *d, bool chained)
{
    struct error e = {0};
    struct dram_channel *c = dram_new(d, &e);
    struct rng g;
    uint64_t now = 1;
    uint32_t per_rank = d->bankgroups * d->banks_per_group;
    assert_non_null(c);
    rng_seed(&g, 1, 0);
    for (uint32_t i = 0; i < READS; i++) {
        uint32_t bank = (uint32_t)rng_below(&g, dram_bank_count(d));
        uint64_t at = now + 1 + rng_below(&g, 2 * (chained ? GAP_CHAINED : GAP));
        go_on(c, now, at);
        const struct coord place = {.rank = bank / per_rank,
                                    .bankgroup = bank % per_rank / d->banks_per_group,
                                    .bank = bank % d->banks_per_group,
                                    .flat_bank = bank,
                                    .row = (uint32_t)rng_below(&g, d->rows)};
        assert_true(dram_can_accept(c, false));
        dram_accept(c, &place, false, i, at);
        now = chained ? go_on_until_done(c, at) : at;
    }
    const struct dram_stats *s = dram_stats(c, now);
    double mean = (double)s->latency_sum / (double)s->reads;
    dram_free(c);
    return mean;
}

/* between: clocks from a read to the next one, which waits for it; 0: they come at random */
static double estimated(const struct dram_params *d, double between)
{
    const struct row_locality r = {.banks = {1, 1, 1}, .service = {8, 8, 8}, .run = 1};
    const struct dram_load load = {.rate = 1 / (between > 0 ? between : GAP),
                                   .depth = 1,
                                   .most = 1,
                                   .room = 1,
                                   .between = between};
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
            for (uint32_t chained = 0; chained < 2; chained++) {
                double free = simulated(&off, chained), s = simulated(&d, chained) - free;
                double between = chained ? free + s + GAP_CHAINED : 0;
                double e = estimated(&d, between) - estimated(&off, between);
                printf("%s, rows %s, %s: %+.2f clocks simulated, %+.2f estimated\n", sets[i],
                       pages[k], chained ? "chained" : "at random", s, e);
                assert_near(e, s, 0.05 * free);
            }
            single += d.per_bank_refresh;
        }
    assert_true(single >= 4 && single <= 12); /* of both kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refreshes_delay_reads_as_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
