/* Does every command keep every timing rule?  The independent checker (dram_checker.h) reads the
 * command log of long random runs over all shipped sets and all controller policies; and it must
 * notice when any single rule of the model is kept one clock short. */
#include "tests/support/dram_checker.h"
#include "base/memory/rng.h"
#include "detailed/dram/bank_model.h"
#include "tests/support/dram_shipped.h"

#include <stdio.h>

/* Devices on which every constraint binds at some time. */
static const struct device strict = {.name = "strict",
                                     .ranks = 2,
                                     .groups = 2,
                                     .banks = 4,
                                     .rcdrd = 14,
                                     .rcdwr = 12,
                                     .rp = 14,
                                     .ras = 30,
                                     .rc = 50,
                                     .cl = 14,
                                     .cwl = 8,
                                     .al = 3,
                                     .ccds = 3,
                                     .ccdl = 5,
                                     .rrds = 4,
                                     .rrdl = 7,
                                     .faw = 24,
                                     .aw32 = 600,
                                     .wtrs = 4,
                                     .wtrl = 8,
                                     .wr = 16,
                                     .rtp = 12,
                                     .rtrs = 2,
                                     .rfc = 100,
                                     .refi = 2000,
                                     .burst = 2,
                                     .ppd = 3,
                                     .cke = 12,
                                     .xp = 6};

/* ---- random runs ---- */

struct wanted { /* what was accepted, by tag */
    struct coord at;
    bool write, served;
    uint64_t born, command; /* command: of its column, UINT64_MAX = none */
};

enum { REQUESTS = 1000 };

/* Shares in percent. */
struct traffic {
    uint32_t writes;
    uint32_t stay;  /* in the last bank; */
    uint32_t hits;  /* in the last row */
    uint32_t pause; /* in 1/1000: requests followed by one */
};

struct run {
    struct dram_channel *c;
    struct checker *k;
    const struct dram_params *p;
    struct wanted want[REQUESTS];
    uint64_t done_at[REQUESTS]; /* in order of completion, as the tags below */
    uint32_t order[REQUESTS], sent, done, forwarded;
    struct traffic traffic;
};

/* Near the last place, so that rows are hit, missed and fought over. */
static struct coord random_place(const struct run *x, struct rng *r, const struct coord *last)
{
    const struct dram_params *p = x->p;
    struct coord c = *last;
    if (rng_below(r, 100) >= x->traffic.stay) {
        c.rank = (uint32_t)rng_below(r, dram_rank_count(p));
        c.bankgroup = (uint32_t)rng_below(r, p->bankgroups);
        c.bank = (uint32_t)rng_below(r, p->banks_per_group);
    }
    if (rng_below(r, 100) >= x->traffic.hits) c.row = (uint32_t)rng_below(r, 4);
    c.flat_bank = (c.rank * p->bankgroups + c.bankgroup) * p->banks_per_group + c.bank;
    c.column = (uint32_t)rng_below(r, 64);
    return c;
}

/* What comes back one clock after it was accepted has seen no bank. */
static void take_done(struct run *x, uint64_t now)
{
    uint32_t tag;
    bool write;
    for (;;) {
        uint64_t at = dram_next_done(x->c);
        if (!dram_done(x->c, now, &tag, &write)) return;
        struct wanted *w = &x->want[tag];
        assert_false(w->served);
        assert_int_equal(write, w->write);
        w->served = true;
        if (x->p->forward_writes && at == w->born + 1) {
            assert_false(write);
            x->forwarded++;
            continue;
        }
        x->order[x->done] = tag;
        x->done_at[x->done++] = at;
    }
}

/* Bursts of requests with pauses, some long enough for the channel to fall idle over refreshes. */
static uint64_t drive(struct run *x, struct rng *r)
{
    struct coord last = {0};
    uint64_t now = 0, resume = 0;
    while (x->done + x->forwarded < REQUESTS) {
        while (now >= resume && x->sent < REQUESTS && rng_below(r, 4)) {
            bool write = rng_below(r, 100) < x->traffic.writes;
            if (!dram_can_accept(x->c, write)) break;
            last = random_place(x, r, &last);
            x->want[x->sent] = (struct wanted){last, write, false, now, UINT64_MAX};
            dram_accept(x->c, &last, write, x->sent++, now);
            if (rng_below(r, 1000) < x->traffic.pause)
                resume = now + rng_below(r, rng_below(r, 5) ? 300 : 9000);
        }
        dram_step(x->c, now);
        if (now % 32 == 0) assert_true(dram_check(x->c));
        take_done(x, now);
        now++;
        assert_true(now < 4000000);
    }
    return now;
}

static int64_t last_beat(const struct device *d, const struct dram_log_entry *e)
{
    return device_data_start(d, e) + d->burst;
}

/* The column commands in order of their last beats. */
static uint32_t sort_columns(const struct checker *k, const struct dram_log_entry **e,
                             uint32_t room)
{
    uint32_t n = 0;
    for (int i = 0; i < k->n; i++) {
        if (!log_is_column(&k->log[i])) continue;
        assert_true(n < room);
        uint32_t at = n++;
        for (; at && last_beat(&k->d, e[at - 1]) > last_beat(&k->d, &k->log[i]); at--)
            e[at] = e[at - 1];
        e[at] = &k->log[i];
    }
    return n;
}

/* The n-th column command serves the n-th completion, whose cycle is its last beat. */
static void check_service(struct run *x)
{
    const struct device *d = &x->k->d;
    static const struct dram_log_entry *column[REQUESTS];
    uint32_t columns = sort_columns(x->k, column, x->done);
    assert_int_equal(columns, x->done);
    for (uint32_t n = 0; n < columns; n++) {
        const struct dram_log_entry *e = column[n];
        struct wanted *w = &x->want[x->order[n]];
        assert_true(w->write == log_is_write(e) && w->at.rank == e->rank && w->at.row == e->row);
        assert_true(w->at.bankgroup == e->bankgroup && w->at.bank == e->bank);
        assert_int_equal(w->at.column, e->column);
        w->command = e->cycle;
        if ((int64_t)x->done_at[n] != last_beat(d, e)) checker_broken(x->k, "time of a completion");
    }
}

/* Forwarded are those reads of whose burst an older write was still queued. */
static void check_forwarding(const struct run *x)
{
    uint32_t burst = x->p->burst_length * x->p->bus_bytes;
    for (uint32_t i = 0; x->p->forward_writes && i < REQUESTS; i++) {
        const struct wanted *w = &x->want[i];
        bool covered = false;
        for (uint32_t k = 0; k < i && !w->write; k++) {
            const struct wanted *o = &x->want[k];
            covered |= o->write && o->command >= w->born && o->at.flat_bank == w->at.flat_bank &&
                       o->at.row == w->at.row && o->at.column / burst == w->at.column / burst;
        }
        assert_int_equal(covered, !w->write && w->command == UINT64_MAX);
    }
}

/* rule: of struct dram_rules, kept one clock short; -1 = none.  Returns the forwarded reads. */
static uint32_t run_rules(const struct device *d, const struct dram_params *p,
                          struct traffic traffic, struct checker *k, uint64_t seed, int rule)
{
    struct error e;
    struct run *x = calloc(1, sizeof *x);
    struct rng r;
    rng_seed(&r, seed, 0);
    k->d = *d;
    k->n = k->broken = 0;
    x->k = k;
    x->p = p;
    x->traffic = traffic;
    x->c = dram_new(p, &e);
    assert_non_null(x->c);
    if (rule >= 0) ((uint32_t *)&((struct banks *)x->c)->rules)[rule]--;
    dram_set_log(x->c, checker_on_command, k);
    uint64_t end = drive(x, &r);
    const struct dram_stats *s = dram_stats(x->c, end);
    checker_check_log(k, end);
    check_service(x);
    if (rule < 0) checker_check_counts(k, s, end);
    check_forwarding(x);
    assert_int_equal(s->forwarded, x->forwarded);
    dram_free(x->c);
    uint32_t forwarded = x->forwarded;
    free(x);
    return forwarded;
}

static const struct traffic mixed = {33, 50, 67, 5};

static uint32_t run_and_check(const struct device *d, const struct dram_params *p,
                              struct traffic traffic, struct checker *k, uint64_t seed)
{
    return run_rules(d, p, traffic, k, seed, -1);
}

static struct dram_params params_of(const struct device *d)
{
    struct dram_params p = {.channels = 1,
                            .clock_khz = 1000000,
                            .clock_mhz = 1000,
                            .bus_bytes = 16,
                            .burst_length = (uint32_t)d->burst * 2,
                            .beats_per_clock = 2,
                            .pseudo_channels = (uint32_t)(d->pseudo ? d->pseudo : 1),
                            .ranks = (uint32_t)d->ranks,
                            .bankgroups = (uint32_t)d->groups,
                            .banks_per_group = (uint32_t)d->banks,
                            .rows = 1024,
                            .row_bytes = 2048,
                            .scheduler = DRAM_FR_FCFS,
                            .queue = 32,
                            .dual_command = d->two_buses,
                            .per_bank_refresh = d->bank_refresh};
    const int *from = &d->rcdrd;
    uint32_t *const to[] = {&p.t.tRCDRD, &p.t.tRCDWR, &p.t.tRP,  &p.t.tRAS,   &p.t.tRC,
                            &p.t.tCL,    &p.t.tCWL,   &p.t.tAL,  &p.t.tCCD_S, &p.t.tCCD_L,
                            &p.t.tRRD_S, &p.t.tRRD_L, &p.t.tFAW, &p.t.t32AW,  &p.t.tWTR_S,
                            &p.t.tWTR_L, &p.t.tWR,    &p.t.tRTP, &p.t.tRTRS,  &p.t.tRTW,
                            &p.t.tRFC,   &p.t.tREFI};
    p.t.tCMD = (uint32_t)(d->cmd ? d->cmd : 1);
    p.t.tCMD_ACT = (uint32_t)d->cmd_act;
    p.t.tRFCb = (uint32_t)d->rfcb;
    p.t.tREFIb = (uint32_t)d->refib;
    p.t.tRREFD = (uint32_t)d->rrefd;
    p.t.tPPD = (uint32_t)d->ppd;
    p.t.tCKE = (uint32_t)d->cke;
    p.t.tXP = (uint32_t)d->xp;
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        *to[i] = (uint32_t)from[i];
    return p;
}

static void expect_clean(const struct checker *k, const char *what)
{
    if (k->broken) fail_msg("%s: %d times broken, first: %s", what, k->broken, k->rule);
}

/* ---- tests ---- */

static struct checker *checker; /* large */

/* A set without a table of its own: its own figures, read by the checker's rules. */
static struct device device_of(const char *name, const struct dram_params *p)
{
    struct device d = {.name = name};
    for (size_t i = 0; i < sizeof dram_devices / sizeof dram_devices[0]; i++)
        if (strcmp(dram_devices[i].name, name) == 0) d = dram_devices[i];
    if (d.burst == 0) {
        const struct dram_timing *t = &p->t;
        const uint32_t from[] = {t->tRCDRD, t->tRCDWR, t->tRP,    t->tRAS,   t->tRC,    t->tCL,
                                 t->tCWL,   t->tAL,    t->tCCD_S, t->tCCD_L, t->tRRD_S, t->tRRD_L,
                                 t->tFAW,   t->t32AW,  t->tWTR_S, t->tWTR_L, t->tWR,    t->tRTP,
                                 t->tRTRS,  t->tRTW,   t->tRFC,   t->tREFI};
        int *to = &d.rcdrd;
        for (size_t i = 0; i < sizeof from / sizeof from[0]; i++)
            to[i] = (int)from[i];
        d.ranks = (int)p->ranks;
        d.groups = (int)p->bankgroups;
        d.banks = (int)p->banks_per_group;
        d.burst = (int)(p->burst_length / p->beats_per_clock);
        d.rfcb = (int)t->tRFCb;
        d.refib = (int)t->tREFIb;
        d.rrefd = (int)t->tRREFD;
        d.ppd = (int)t->tPPD;
        d.cmd = (int)t->tCMD;
        d.cmd_act = (int)t->tCMD_ACT;
        d.pseudo = (int)p->pseudo_channels;
    }
    d.cke = (int)p->t.tCKE;
    d.xp = (int)p->t.tXP;
    d.two_buses = p->dual_command;
    d.bank_refresh = p->per_bank_refresh;
    return d;
}

/* Draws the controller's policies; the set's own timings stay. */
static void draw_policies(struct dram_params *p, struct rng *r)
{
    p->scheduler = (enum dram_sched)rng_below(r, DRAM_SCHED_N);
    p->hit_cap = rng_below(r, 2) ? 0 : 1 + (uint32_t)rng_below(r, 4);
    p->page_policy = (enum page_policy)rng_below(r, PAGE_N);
    p->page_timeout = 1 + (uint32_t)rng_below(r, 200);
    p->dual_command = rng_below(r, 2);
    p->per_bank_refresh = rng_below(r, 2);
    p->per_bank_queue = rng_below(r, 2) ? 4 : 0;
    p->write_queue = rng_below(r, 3) ? 16 : 0;
    p->write_high = 12;
    p->write_low = 4;
    p->forward_writes = p->write_queue && rng_below(r, 2);
    p->power_down_idle = rng_below(r, 2) ? 0 : 1 + (uint32_t)rng_below(r, 60);
}

static struct traffic draw_traffic(struct rng *r)
{
    static const uint32_t share[] = {0, 10, 33, 50, 90, 100}, pause[] = {0, 5, 50, 500};
    return (struct traffic){share[rng_below(r, 6)], share[rng_below(r, 5)], share[rng_below(r, 6)],
                            pause[rng_below(r, 4)]};
}

/* A set's draws depend on its name alone, so that another set changes none. */
static uint64_t number_of_name(const char *name)
{
    uint64_t n = 0;
    for (; *name; name++)
        n = n * 31 + (unsigned char)*name;
    return n;
}

static void shipped_sets_keep_every_rule(void **state)
{
    (void)state;
    struct error e;
    struct rng r;
    char **names = machine_config_names("dram", &e);
    assert_non_null(names);
    for (size_t i = 0; names[i]; i++) {
        struct dram_params p = dram_shipped(names[i]);
        rng_seed(&r, 5, number_of_name(names[i]));
        for (uint64_t v = 0; v < 5; v++) {
            struct device d = device_of(names[i], &p);
            run_and_check(&d, &p, v ? draw_traffic(&r) : mixed, checker, v + 1);
            expect_clean(checker, names[i]);
            draw_policies(&p, &r);
        }
    }
    for (size_t i = 0; i < sizeof dram_devices / sizeof dram_devices[0]; i++) {
        size_t k = 0;
        while (names[k] && strcmp(names[k], dram_devices[i].name) != 0)
            k++;
        assert_non_null(names[k]);
    }
    machine_config_dirs_free(names);
}

static void every_policy_keeps_every_rule(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 6, 0);
    uint64_t seen[DRAM_CMD_N] = {0}, forwarded = 0;
    for (uint32_t v = 0; v < 96; v++) {
        struct device d = strict;
        if (v & 1) d.ranks = 1, d.pseudo = 2;
        if (v & 2) d.cmd = 2, d.cmd_act = 3;
        if (v & 4) d.rfcb = 60, d.refib = 180, d.rrefd = 9;
        struct dram_params p = params_of(&d);
        draw_policies(&p, &r);
        d.two_buses = p.dual_command;
        d.bank_refresh = p.per_bank_refresh;
        forwarded += run_and_check(&d, &p, draw_traffic(&r), checker, v + 100);
        expect_clean(checker, "strict");
        for (int i = 0; i < checker->n; i++)
            seen[checker->log[i].command]++;
    }
    for (int i = 0; i < DRAM_CMD_N; i++)
        assert_true(seen[i] > 500);
    assert_true(forwarded > 500);
}

#define RULES(R)     \
    R(read_latency)  \
    R(write_latency) \
    R(burst)         \
    R(act_rd)        \
    R(act_wr)        \
    R(act_pre)       \
    R(act_act)       \
    R(pre_act)       \
    R(rd_pre)        \
    R(wr_pre)        \
    R(act_act_s)     \
    R(act_act_l)     \
    R(faw)           \
    R(aw32)          \
    R(col_col_s)     \
    R(col_col_l)     \
    R(col_col_o)     \
    R(rd_wr)         \
    R(wr_rd_s)       \
    R(wr_rd_l)       \
    R(wr_rd_o)       \
    R(refresh)       \
    R(ref_ref)       \
    R(act_ref) R(pre_pre) R(bus) R(bus_act) R(down) R(wake) R(rd_down) R(wr_down) R(row_down)

/* Settings under which one or the other rule binds. */
static struct dram_params binding(struct device *d, uint32_t v, struct traffic *traffic)
{
    *d = strict;
    *traffic = mixed;
    if (v == 1) d->rfcb = 60, d->refib = 180, d->rrefd = 9, d->bank_refresh = 1, d->two_buses = 1;
    if (v == 2) d->cmd = 2, d->cmd_act = 3, traffic->pause = 300;
    if (v == 3) d->rtw = 20; /* data alone: 11 */
    if (v == 4) d->ras = 40, d->cke = 30;
    if (v == 5) d->cwl = 20;
    struct dram_params p = params_of(d);
    if (v == 2) p.power_down_idle = 1;
    if (v == 4) p.power_down_idle = 20, p.page_policy = PAGE_CLOSED, traffic->pause = 300;
    return p;
}

/* The other direction: each rule of the model, kept one clock short, is noticed. */
static void a_rule_kept_one_clock_short_is_noticed(void **state)
{
    (void)state;
#define NAME(f) #f,
    static const char *const name[] = {RULES(NAME)};
    enum { RULES_N = sizeof name / sizeof name[0], SETTINGS = 6 };
    _Static_assert(RULES_N == sizeof(struct dram_rules) / sizeof(uint32_t), "all rules are there");
#define OFFSET(f) offsetof(struct dram_rules, f) / sizeof(uint32_t),
    static const size_t at[] = {RULES(OFFSET)};
    for (size_t i = 0; i < RULES_N; i++) {
        uint32_t noticed = 0;
        for (uint32_t v = 0; v < SETTINGS; v++) {
            struct device d;
            struct traffic traffic;
            struct dram_params p = binding(&d, v, &traffic);
            if (i == 0) {
                run_and_check(&d, &p, traffic, checker, 7);
                expect_clean(checker, "before");
            }
            struct dram_rules rules = dram_rules(&p);
            if (((uint32_t *)&rules)[at[i]] == 0) continue; /* no such constraint */
            run_rules(&d, &p, traffic, checker, 7, (int)at[i]);
            noticed += checker->broken > 0;
        }
        if (!noticed) fail_msg("%s kept one clock short, and nobody noticed", name[i]);
    }
}

/* What is no rule of struct dram_rules: the refreshes' interval. */
static void early_refreshes_are_noticed(void **state)
{
    (void)state;
    struct dram_params p = params_of(&strict);
    p.t.tREFI -= 40; /* they may come late */
    run_and_check(&strict, &p, mixed, checker, 7);
    assert_true(checker->broken > 0);
}

static int setup(void **state)
{
    (void)state;
    checker = calloc(1, sizeof *checker);
    return checker == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(checker);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_sets_keep_every_rule),
        cmocka_unit_test(every_policy_keeps_every_rule),
        cmocka_unit_test(a_rule_kept_one_clock_short_is_noticed),
        cmocka_unit_test(early_refreshes_are_noticed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
