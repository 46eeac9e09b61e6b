/* The estimator's replay of a channel against the cycle model's channel: the same requests, always
 * as many as the queue takes, no refresh. */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "detailed/dram/dram.h"
#include "estimator/dram/channel_replay.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REQUESTS = 400, DEPTH = 24, MOST_BANKS = 2048 };

/* --- streams --- */

enum pattern { ONE_BANK, ROWS_IN_TURN, RANDOM, RUNS, PATTERNS };

static void make(struct replay_request *r, enum pattern k, const struct dram_params *d,
                 uint32_t writes, uint64_t seed)
{
    uint32_t banks = dram_bank_count(d), bank = 0, row = 0;
    struct rng g;
    rng_seed(&g, seed, k);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        switch (k) {
        case ONE_BANK: row = i / 4; break;
        case ROWS_IN_TURN:
            bank = i % banks;
            row = i / banks;
            break;
        case RANDOM:
            bank = (uint32_t)rng_below(&g, banks);
            row = (uint32_t)rng_below(&g, 64);
            break;
        case RUNS:
            if (i % 8 == 0) bank = (uint32_t)rng_below(&g, banks);
            if (i % 8 == 0) row = (uint32_t)rng_below(&g, 64);
            break;
        case PATTERNS: break;
        }
        r[i] = (struct replay_request){
            .row = row, .bank = bank, .write = writes && rng_below(&g, 100) < writes};
    }
}

/* --- the cycle model --- */

struct columns {
    uint32_t n;
    uint64_t at[REQUESTS];
};

static void note(const struct dram_log_entry *e, void *ctx)
{
    struct columns *c = ctx;
    bool column = e->command >= DRAM_CMD_RD && e->command <= DRAM_CMD_WRA;
    if (column && c->n < REQUESTS) c->at[c->n++] = e->cycle;
}

static struct coord place_of(const struct dram_params *d, const struct replay_request *r)
{
    uint32_t per_rank = d->bankgroups * d->banks_per_group;
    return (struct coord){.rank = r->bank / per_rank,
                          .bankgroup = r->bank % per_rank / d->banks_per_group,
                          .bank = r->bank % d->banks_per_group,
                          .flat_bank = r->bank,
                          .row = r->row,
                          .column = r->column * d->burst_length * d->bus_bytes};
}

/* Rows stand open as the replay takes them to: each bank's first one. */
static void warm(struct dram_channel *c, const struct dram_params *d,
                 const struct replay_request *r)
{
    static bool met[MOST_BANKS];
    memset(met, 0, sizeof met);
    if (d->page_policy == PAGE_CLOSED || d->page_policy == PAGE_CLOSED_AFTER_HITS) return;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        struct coord at = place_of(d, &r[i]);
        if (!met[r[i].bank]) dram_warm_row(c, &at, 0);
        met[r[i].bank] = true;
    }
}

static double simulated(const struct dram_params *d, const struct replay_request *r, uint32_t from,
                        uint32_t stop)
{
    static struct columns seen;
    struct error e = {0};
    struct dram_channel *c = dram_new(d, &e);
    uint64_t now = 1;
    assert_non_null(c);
    seen.n = 0;
    dram_set_log(c, note, &seen);
    warm(c, d, r);
    for (uint32_t next = 0; seen.n < REQUESTS;) {
        uint32_t tag;
        bool write;
        while (next < REQUESTS && dram_can_accept(c, r[next].write)) {
            struct coord at = place_of(d, &r[next]);
            dram_accept(c, &at, r[next].write, next, now);
            next++;
        }
        uint64_t then = dram_step(c, now);
        while (dram_done(c, now, &tag, &write)) {
        }
        assert_true(now < 10000000);
        now = next < REQUESTS || then == UINT64_MAX ? now + 1 : then;
    }
    double clocks = (double)(seen.at[stop - 1] - seen.at[from]) / (stop - 1 - from);
    dram_free(c);
    return clocks;
}

static double replayed(const struct dram_params *d, const struct replay_request *r)
{
    struct replay_sum s = {0};
    channel_replay(&s, d, r, REQUESTS, DEPTH, 1);
    assert_true(s.bursts > 0 && s.looked >= s.hits);
    return s.clocks / s.bursts;
}

/* --- what is compared --- */

struct errors_seen {
    double sum, worst;
    uint32_t n;
};

static void compare(const struct dram_params *d, const char *set, struct errors_seen *x)
{
    uint32_t stop = REQUESTS - DEPTH, from = stop / 4;
    for (uint32_t k = 0; k < PATTERNS; k++)
        for (uint32_t writes = 0; writes <= 40; writes += 40) {
            struct replay_request r[REQUESTS];
            make(r, (enum pattern)k, d, writes, 7);
            double known = simulated(d, r, from, stop), off = replayed(d, r) / known - 1;
            if (fabs(off) > 0.15)
                printf(
                    "%s scheduler %d page %d queue %u pattern %u writes %u: %.2f clocks, %+.1f%%\n",
                    set, (int)d->scheduler, (int)d->page_policy, d->write_queue, k, writes, known,
                    100 * off);
            x->sum += fabs(off);
            x->worst = fmax(x->worst, fabs(off));
            x->n++;
        }
}

static void set_up(struct dram_params *d, const char *set, uint32_t policies)
{
    struct errors all = {0};
    struct machine m;
    char text[PARAM_TEXT_MAX + 16];
    const char *sets[] = {"l2.banks=1", text};
    machine_defaults(&m);
    snprintf(text, sizeof text, "dram.set=%s", set);
    assert_true(machine_set(&m, sets, 2, &all));
    *d = m.dram;
    d->scheduler = (enum dram_sched)(policies % DRAM_SCHED_N);
    d->page_policy = (enum page_policy)(policies / DRAM_SCHED_N % PAGE_N);
    d->page_timeout = 60;
    d->queue = DEPTH;
    d->per_bank_queue = 0;
    d->write_queue = policies / DRAM_SCHED_N / PAGE_N ? 16 : 0;
    d->write_high = 12;
    d->write_low = 4;
    d->forward_writes = false;
    d->power_down_idle = 0;
    d->t.tREFI = d->t.tRFC = 0;
}

/* Every set, scheduler and page policy, with and without a write queue.  The replay has no clock of
 * its own for what enters, so single streams may be off by some clocks at turns and time-outs. */
static void replay_takes_as_long_as_the_channel(void **state)
{
    (void)state;
    struct errors_seen x = {0};
    char **names = machine_config_names("dram", NULL);
    assert_non_null(names);
    for (uint32_t i = 0; names[i]; i++)
        for (uint32_t k = 0; k < 2 * DRAM_SCHED_N * PAGE_N; k++) {
            struct dram_params d;
            set_up(&d, names[i], k);
            compare(&d, names[i], &x);
        }
    machine_config_dirs_free(names);
    printf("%u streams: mean %.2f %%, worst %.1f %%\n", x.n, 100 * x.sum / x.n, 100 * x.worst);
    assert_true(x.n >= 500);
    assert_true(x.sum / x.n < 0.01);
    assert_true(x.worst < 0.25);
}

static void caps_on_row_hits(void **state)
{
    (void)state;
    struct errors_seen x = {0};
    for (uint32_t cap = 1; cap <= 8; cap *= 2) {
        struct dram_params d;
        set_up(&d, "gddr5-table42", DRAM_FR_FCFS);
        d.hit_cap = cap;
        compare(&d, "gddr5-table42", &x);
    }
    assert_true(x.worst < 0.1);
}

/* More banks than the replay has room for: it keeps those that are wanted. */
static void many_banks(void **state)
{
    (void)state;
    struct errors_seen x = {0};
    for (uint32_t policies = 0; policies < DRAM_SCHED_N; policies++) {
        struct dram_params d;
        set_up(&d, "gddr5-table42", policies);
        d.ranks = 16;
        d.banks_per_group = 64;
        assert_true(dram_bank_count(&d) > REPLAY_MOST && dram_bank_count(&d) <= MOST_BANKS);
        compare(&d, "gddr5-table42", &x);
    }
    printf("many banks: mean %.2f %%, worst %.1f %%\n", 100 * x.sum / x.n, 100 * x.worst);
    assert_true(x.sum / x.n < 0.02 && x.worst < 0.25);
}

/* Clocks between two requests that the channel takes, where not all come to a column. */
static double taken(const struct dram_params *d, const struct replay_request *r, uint32_t from,
                    uint32_t stop)
{
    struct error e = {0};
    struct dram_channel *c = dram_new(d, &e);
    uint64_t begun = 0, now = 1;
    assert_non_null(c);
    for (uint32_t next = 0; next < stop; now++) {
        uint32_t tag;
        bool write;
        for (; next < stop && dram_can_accept(c, r[next].write); next++) {
            struct coord at = place_of(d, &r[next]);
            if (next == from) begun = now;
            dram_accept(c, &at, r[next].write, next, now);
        }
        dram_step(c, now);
        while (dram_done(c, now, &tag, &write)) {
        }
    }
    dram_free(c);
    return (double)(now - 1 - begun) / (stop - from);
}

/* Every read asks for what was written `before` requests ago, as often as not still queued. */
static void reads_come_from_queued_writes(void **state)
{
    (void)state;
    for (uint32_t before = 1; before <= 9; before += 4) {
        struct replay_request r[REQUESTS];
        struct dram_params d;
        double clocks[2];
        set_up(&d, "gddr5-table42", DRAM_SCHED_N * PAGE_N);
        for (uint32_t i = 0; i < REQUESTS; i++)
            r[i] = (struct replay_request){
                .row = i * 7 % 31, .bank = i * 5 % 16, .column = (uint16_t)(i % 32), .write = true};
        for (uint32_t i = before; i < REQUESTS; i += 2 * before)
            for (uint32_t k = i; k < i + before && k < REQUESTS; k++)
                r[k] = r[k - before], r[k].write = false;
        for (uint32_t on = 0; on < 2; on++) {
            d.forward_writes = on;
            clocks[on] = replayed(&d, r);
            double known = taken(&d, r, REQUESTS / 4, REQUESTS - DEPTH);
            printf("reads %u behind, forwarded %u: %.2f clocks, %.2f replayed\n", before, on, known,
                   clocks[on]);
            assert_true(fabs(clocks[on] / known - 1) < 0.15);
        }
        assert_true(clocks[1] < 0.8 * clocks[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_takes_as_long_as_the_channel),
        cmocka_unit_test(caps_on_row_hits),
        cmocka_unit_test(many_banks),
        cmocka_unit_test(reads_come_from_queued_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
