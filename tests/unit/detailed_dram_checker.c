/* Does every command keep every timing rule?  An independent checker with its own tables, written
 * from the sources, reads the command log of long random runs over all shipped sets and controller
 * policies; and it must notice when any single constraint of the model is lowered.
 *
 * Sources of the tables: gddr5, hbm2, hbm2-1ch, ddr3: DRAMsim3's sets (commit 2981759) after its
 * parser's defaults; gddr5-table42: Candel 2019, table 4.2; hbm-qv100: Accel-Sim's SM7_QV100
 * configuration. */
#include "base/rng.h"
#include "detailed/dram/dram.h"
#include "machine/machine.h"
#include "tests/unit/check.h"

#include <stdio.h>
#include <stdlib.h>

/* What a device allows, in clocks. */
struct device {
    const char *name;
    int ranks, groups, banks; /* banks per group */
    int rcdrd, rcdwr, rp, ras, rc, cl, cwl, al, ccds, ccdl, rrds, rrdl, faw, aw32;
    int wtrs, wtrl, wr, rtp, rtrs, rtw, rfc, refi, burst;
    int two_buses, bank_refresh;
};

static const struct device devices[] = {
    {"gddr5", 1,  1,   16, 24, 20, 24, 56, 80, 24, 7,    0, 2, 2, 10,
     10,      40, 360, 10, 10, 24, 5,  1,  0,  74, 3800, 2, 0, 0},
    {"hbm2", 1,  4, 4, 14, 14, 14, 34, 48, 14,  4,    0, 1, 2, 4,
     6,      30, 0, 6, 8,  16, 5,  2,  0,  260, 3900, 2, 1, 0},
    {"hbm2-1ch", 1,  4, 4, 14, 14, 14, 34, 48, 14,  4,    0, 1, 2, 4,
     6,          30, 0, 6, 8,  16, 5,  2,  0,  260, 3900, 2, 1, 0},
    {"ddr3", 1,  1, 8, 13, 13, 13, 32, 45, 13,  9,    0, 4, 4, 6,
     6,      33, 0, 7, 7,  15, 7,  1,  0,  328, 7290, 4, 0, 0},
    {"gddr5-table42",
     1,
     1,
     16,
     18,
     18,
     18,
     42,
     60,
     18,
     17,
     17,
     3,
     3,
     9,
     9,
     35,
     0,
     8,
     8,
     4,
     3,
     1,
     0,
     278,
     11700,
     8,
     0,
     0},
    {"hbm-qv100", 1, 4, 4, 12, 12, 12, 28, 40, 12, 2, 0, 1, 2, 3,
     3,           0, 0, 3, 3,  10, 3,  0,  0,  0,  0, 1, 1, 0},
};

/* A device on which every constraint binds at some time. */
static const struct device strict = {"strict", 2,  2, 4, 14,  12,   14, 30,  50, 14,
                                     8,        3,  3, 5, 4,   7,    24, 600, 4,  8,
                                     16,       12, 2, 0, 100, 2000, 2,  0,   0};

/* ---- the checker ---- */

enum { LOG_MAX = 1 << 16, LOOK_BACK = 1200 };

struct checker {
    struct device d;
    struct dram_log_entry log[LOG_MAX];
    int n, broken;
    const char *rule; /* the first that was broken */
};

static void broken(struct checker *k, const char *rule)
{
    if (k->broken++ == 0) k->rule = rule;
}

static void on_command(const struct dram_log_entry *e, void *ctx)
{
    struct checker *k = ctx;
    assert_true(k->n < LOG_MAX);
    k->log[k->n++] = *e;
}

static int is_read(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_RD || e->command == DRAM_CMD_RDA;
}

static int is_write(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_WR || e->command == DRAM_CMD_WRA;
}

static int is_column(const struct dram_log_entry *e)
{
    return is_read(e) || is_write(e);
}

static int is_refresh(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_REF || e->command == DRAM_CMD_REF_BANK;
}

static int same_group(const struct dram_log_entry *a, const struct dram_log_entry *b)
{
    return a->rank == b->rank && a->bankgroup == b->bankgroup;
}

/* A refresh of a rank concerns all its banks. */
static int same_bank(const struct dram_log_entry *a, const struct dram_log_entry *b)
{
    if (a->command == DRAM_CMD_REF || b->command == DRAM_CMD_REF) return a->rank == b->rank;
    return same_group(a, b) && a->bank == b->bank;
}

static int64_t data_start(const struct device *d, const struct dram_log_entry *e)
{
    return (int64_t)e->cycle + d->al + (is_read(e) ? d->cl : d->cwl);
}

static void at_least(struct checker *k, int64_t distance, int64_t need, const char *rule)
{
    if (distance < need) broken(k, rule);
}

/* When the auto-precharge of `a`, whose activate was `act`, takes place. */
static int64_t auto_precharge(const struct device *d, const struct dram_log_entry *a, int64_t act)
{
    int64_t column =
        (int64_t)a->cycle + (is_read(a) ? d->al + d->rtp : d->al + d->cwl + d->burst + d->wr);
    return column > act + d->ras ? column : act + d->ras;
}

static int64_t last_act(const struct checker *k, int i, const struct dram_log_entry *bank)
{
    for (; i >= 0; i--)
        if (k->log[i].command == DRAM_CMD_ACT && same_bank(&k->log[i], bank))
            return (int64_t)k->log[i].cycle;
    return -1000000;
}

static void check_bank_pair(struct checker *k, int i, const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    const struct dram_log_entry *a = &k->log[i];
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    int opens = b->command == DRAM_CMD_ACT || is_refresh(b);
    if (a->command == DRAM_CMD_ACT) {
        if (is_read(b)) at_least(k, gap, d->rcdrd - d->al, "ACT to RD");
        if (is_write(b)) at_least(k, gap, d->rcdwr - d->al, "ACT to WR");
        if (b->command == DRAM_CMD_PRE) at_least(k, gap, d->ras, "tRAS");
        if (opens) at_least(k, gap, d->rc, "tRC");
    }
    if (a->command == DRAM_CMD_PRE && opens) at_least(k, gap, d->rp, "tRP");
    if (is_read(a) && b->command == DRAM_CMD_PRE) at_least(k, gap, d->al + d->rtp, "tRTP");
    if (is_write(a) && b->command == DRAM_CMD_PRE)
        at_least(k, gap, d->al + d->cwl + d->burst + d->wr, "tWR");
    if (is_refresh(a) && b->command == DRAM_CMD_ACT) at_least(k, gap, d->rfc, "tRFC");
    if ((a->command == DRAM_CMD_RDA || a->command == DRAM_CMD_WRA) && opens) {
        int64_t closed = auto_precharge(d, a, last_act(k, i, a));
        at_least(k, (int64_t)b->cycle - closed, d->rp, "tRP after auto-precharge");
    }
}

static void check_columns(struct checker *k, const struct dram_log_entry *a,
                          const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    int turn = a->rank != b->rank || (is_read(a) && is_write(b) && !d->rtw);
    at_least(k, data_start(d, b) - data_start(d, a) - d->burst, turn ? d->rtrs : 0, "data bus");
    if (a->rank == b->rank && is_read(a) == is_read(b))
        at_least(k, gap, same_group(a, b) ? d->ccdl : d->ccds, "tCCD");
    if (a->rank == b->rank && is_write(a) && is_read(b)) {
        int64_t after_data = (int64_t)b->cycle - data_start(d, a) - d->burst;
        at_least(k, after_data, same_group(a, b) ? d->wtrl : d->wtrs, "tWTR");
    }
    if (is_read(a) && is_write(b)) at_least(k, gap, d->rtw, "tRTW");
}

static void check_bus(struct checker *k, const struct dram_log_entry *a,
                      const struct dram_log_entry *b)
{
    if (a->cycle > b->cycle) broken(k, "order of the log");
    if (a->cycle != b->cycle) return;
    if (!k->d.two_buses || is_column(a) == is_column(b)) broken(k, "command bus");
}

/* All earlier commands that may still matter, newest first. */
static void check_history(struct checker *k, int n)
{
    const struct device *d = &k->d;
    const struct dram_log_entry *b = &k->log[n];
    int acts = 0;
    for (int i = n - 1; i >= 0 && k->log[i].cycle + LOOK_BACK > b->cycle; i--) {
        const struct dram_log_entry *a = &k->log[i];
        int64_t gap = (int64_t)(b->cycle - a->cycle);
        check_bus(k, a, b);
        if (same_bank(a, b)) check_bank_pair(k, i, b);
        if (is_column(a) && is_column(b)) check_columns(k, a, b);
        if (a->command != DRAM_CMD_ACT || b->command != DRAM_CMD_ACT || a->rank != b->rank)
            continue;
        at_least(k, gap, same_group(a, b) ? d->rrdl : d->rrds, "tRRD");
        acts++;
        if (acts == 4) at_least(k, gap, d->faw, "tFAW");
        if (acts == 32) at_least(k, gap, d->aw32, "t32AW");
    }
}

/* Rows: what is open may be read, what is closed may be opened or refreshed. */
static void check_rows(struct checker *k)
{
    int64_t open[4][4][16];
    memset(open, -1, sizeof open);
    for (int i = 0; i < k->n; i++) {
        const struct dram_log_entry *e = &k->log[i];
        int64_t *row = &open[e->rank][e->bankgroup][e->bank];
        if (e->command == DRAM_CMD_REF) {
            for (int b = 0; b < 64; b++)
                if (open[e->rank][b / 16][b % 16] >= 0) broken(k, "REF with an open bank");
            continue;
        }
        if (is_column(e) ? *row != e->row : (*row >= 0) != (e->command == DRAM_CMD_PRE))
            broken(k, "row state");
        if (e->command == DRAM_CMD_ACT) *row = e->row;
        if (e->command == DRAM_CMD_PRE || e->command == DRAM_CMD_RDA || e->command == DRAM_CMD_WRA)
            *row = -1;
    }
}

/* Refresh k of a unit comes after its due time and at most `late` after it. */
static void check_refreshes(struct checker *k, uint64_t end)
{
    const struct device *d = &k->d;
    if (d->refi == 0) return;
    int per_rank = d->groups * d->banks, units = d->ranks * (d->bank_refresh ? per_rank : 1);
    int64_t late = 600, n = 0;
    for (int i = 0; i < k->n; i++) {
        const struct dram_log_entry *e = &k->log[i];
        if (!is_refresh(e)) continue;
        int64_t due = (n + 1) * d->refi / units;
        int unit = d->bank_refresh
                       ? ((int)e->rank * d->groups + (int)e->bankgroup) * d->banks + (int)e->bank
                       : (int)e->rank;
        if (unit != n % units) broken(k, "turn of the refreshes");
        if ((int64_t)e->cycle < due || (int64_t)e->cycle > due + late)
            broken(k, "time of a refresh");
        n++;
    }
    int64_t want = (int64_t)end * units / d->refi;
    if (n < want - 1 || n > want) broken(k, "number of refreshes");
}

/* Cycles with a row open, of all ranks: marks them one by one. */
static uint64_t active_cycles(const struct checker *k, uint64_t end)
{
    uint64_t n = 0;
    for (uint32_t rank = 0; rank < (uint32_t)k->d.ranks; rank++) {
        bool *open = calloc(end, sizeof *open);
        for (int i = 0; i < k->n; i++) {
            const struct dram_log_entry *a = &k->log[i];
            if (a->command != DRAM_CMD_ACT || a->rank != rank) continue;
            uint64_t until = end;
            for (int j = i + 1; j < k->n && until == end; j++) {
                const struct dram_log_entry *b = &k->log[j];
                if (!same_group(a, b) || a->bank != b->bank) continue;
                if (b->command == DRAM_CMD_PRE) until = b->cycle;
                if (b->command == DRAM_CMD_RDA || b->command == DRAM_CMD_WRA)
                    until = (uint64_t)auto_precharge(&k->d, b, (int64_t)a->cycle);
            }
            for (uint64_t t = a->cycle; t < until && t < end; t++)
                open[t] = true;
        }
        for (uint64_t t = 0; t < end; t++)
            n += open[t];
        free(open);
    }
    return n;
}

static void check_counts(const struct checker *k, const struct dram_stats *s, uint64_t end)
{
    uint64_t n[DRAM_CMD_N] = {0};
    for (int i = 0; i < k->n; i++)
        n[k->log[i].command]++;
    assert_int_equal(s->reads, n[DRAM_CMD_RD] + n[DRAM_CMD_RDA]);
    assert_int_equal(s->writes, n[DRAM_CMD_WR] + n[DRAM_CMD_WRA]);
    assert_int_equal(s->activates, n[DRAM_CMD_ACT]);
    assert_int_equal(s->precharges, n[DRAM_CMD_PRE] + n[DRAM_CMD_RDA] + n[DRAM_CMD_WRA]);
    assert_int_equal(s->refreshes, n[DRAM_CMD_REF] + n[DRAM_CMD_REF_BANK]);
    assert_int_equal(s->bank_refreshes, n[DRAM_CMD_REF_BANK]);
    assert_int_equal(s->act_standby_cycles, active_cycles(k, end));
    assert_int_equal(s->act_standby_cycles + s->pre_standby_cycles, end * (uint64_t)k->d.ranks);
}

static void check_log(struct checker *k, uint64_t end)
{
    for (int i = 0; i < k->n; i++)
        check_history(k, i);
    check_rows(k);
    check_refreshes(k, end);
}

/* ---- random runs ---- */

struct wanted { /* what was accepted, by tag */
    struct coord at;
    bool write, served;
};

enum { REQUESTS = 1000 };

struct run {
    struct dram_channel *c;
    struct checker *k;
    const struct dram_params *p;
    struct wanted want[REQUESTS];
    uint64_t done_at[REQUESTS]; /* in order of completion, as the tags below */
    uint32_t order[REQUESTS], sent, done;
};

/* Half of the time near the last place, so that rows are hit, missed and fought over. */
static struct coord random_place(const struct dram_params *p, struct rng *r,
                                 const struct coord *last)
{
    struct coord c = *last;
    if (rng_below(r, 2)) {
        c.rank = (uint32_t)rng_below(r, p->ranks);
        c.bankgroup = (uint32_t)rng_below(r, p->bankgroups);
        c.bank = (uint32_t)rng_below(r, p->banks_per_group);
    }
    if (rng_below(r, 3) == 0) c.row = (uint32_t)rng_below(r, 4);
    c.flat_bank = (c.rank * p->bankgroups + c.bankgroup) * p->banks_per_group + c.bank;
    c.column = (uint32_t)rng_below(r, 64);
    return c;
}

static void take_done(struct run *x, uint64_t now)
{
    uint32_t tag;
    bool write;
    for (;;) {
        uint64_t at = dram_next_done(x->c);
        if (!dram_done(x->c, now, &tag, &write)) return;
        assert_false(x->want[tag].served);
        assert_int_equal(write, x->want[tag].write);
        x->want[tag].served = true;
        x->order[x->done] = tag;
        x->done_at[x->done++] = at;
    }
}

/* Bursts of requests with pauses, some long enough for the channel to fall idle over refreshes. */
static uint64_t drive(struct run *x, struct rng *r)
{
    struct coord last = {0};
    uint64_t now = 0, resume = 0;
    while (x->done < REQUESTS) {
        while (now >= resume && x->sent < REQUESTS && rng_below(r, 4)) {
            bool write = rng_below(r, 3) == 0;
            if (!dram_can_accept(x->c, write)) break;
            last = random_place(x->p, r, &last);
            x->want[x->sent] = (struct wanted){last, write, false};
            dram_accept(x->c, &last, write, x->sent++, now);
            if (rng_below(r, 200) == 0) resume = now + rng_below(r, rng_below(r, 5) ? 300 : 9000);
        }
        dram_step(x->c, now);
        if (now % 32 == 0) assert_true(dram_check(x->c));
        take_done(x, now);
        now++;
        assert_true(now < 4000000);
    }
    return now;
}

/* The n-th column command of the log serves the n-th completion, whose cycle is its last beat. */
static void check_service(struct run *x)
{
    const struct device *d = &x->k->d;
    uint32_t n = 0;
    for (int i = 0; i < x->k->n; i++) {
        const struct dram_log_entry *e = &x->k->log[i];
        if (!is_column(e)) continue;
        assert_true(n < REQUESTS);
        const struct wanted *w = &x->want[x->order[n]];
        assert_true(w->write == is_write(e) && w->at.rank == e->rank && w->at.row == e->row);
        assert_true(w->at.bankgroup == e->bankgroup && w->at.bank == e->bank);
        assert_int_equal(w->at.column, e->column);
        if ((int64_t)x->done_at[n] != data_start(d, e) + d->burst)
            broken(x->k, "time of a completion");
        n++;
    }
    assert_int_equal(n, REQUESTS);
}

static void run_and_check(const struct device *d, const struct dram_params *p, struct checker *k,
                          uint64_t seed)
{
    struct error e;
    struct run *x = calloc(1, sizeof *x);
    struct rng r;
    rng_seed(&r, seed, 0);
    k->d = *d;
    k->n = k->broken = 0;
    x->k = k;
    x->p = p;
    x->c = dram_new(p, &e);
    assert_non_null(x->c);
    dram_set_log(x->c, on_command, k);
    uint64_t end = drive(x, &r);
    const struct dram_stats *s = dram_stats(x->c, end);
    check_log(k, end);
    check_counts(k, s, end);
    check_service(x);
    dram_free(x->c);
    free(x);
}

static struct dram_params params_of(const struct device *d)
{
    struct dram_params p = {.channels = 1,
                            .clock_khz = 1000000,
                            .clock_mhz = 1000,
                            .bus_bytes = 16,
                            .burst_length = (uint32_t)d->burst * 2,
                            .beats_per_clock = 2,
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
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        *to[i] = (uint32_t)from[i];
    return p;
}

static struct dram_params shipped(const char *name)
{
    char set[64];
    struct machine m;
    struct errors all = {0};
    machine_defaults(&m);
    snprintf(set, sizeof set, "dram.set=%s", name);
    const char *sets[] = {"l2.banks=1", set};
    assert_true(machine_set(&m, sets, 2, &all));
    return m.dram;
}

static void expect_clean(const struct checker *k, const char *what)
{
    if (k->broken) fail_msg("%s: %d times broken, first: %s", what, k->broken, k->rule);
}

/* ---- tests ---- */

static struct checker *checker; /* large */

static void shipped_sets_keep_every_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct dram_params p = shipped(devices[i].name);
        run_and_check(&devices[i], &p, checker, i + 1);
        expect_clean(checker, devices[i].name);
    }
}

static void every_policy_keeps_every_rule(void **state)
{
    (void)state;
    struct device d = strict;
    for (uint32_t v = 0; v < 64; v++) {
        d.two_buses = v & 1;
        d.bank_refresh = v >> 1 & 1;
        struct dram_params p = params_of(&d);
        p.scheduler = v >> 2 & 1 ? DRAM_FCFS : DRAM_FR_FCFS;
        p.page_policy = v >> 3 & 1 ? PAGE_CLOSED : PAGE_OPEN;
        p.per_bank_queue = v >> 4 & 1 ? 4 : 0;
        if (v >> 5 & 1) p.write_queue = 16, p.write_high = 12, p.write_low = 4;
        run_and_check(&d, &p, checker, v + 100);
        expect_clean(checker, "strict");
    }
}

/* The other direction: a constraint that the model keeps one clock short is noticed. */
static void a_lowered_constraint_is_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t offset;
    } knob[] = {
#define KNOB(f) {#f, offsetof(struct dram_timing, f)}
        KNOB(tRCDRD), KNOB(tRCDWR), KNOB(tRP),    KNOB(tRAS),   KNOB(tRC),    KNOB(tCL),
        KNOB(tCWL),   KNOB(tAL),    KNOB(tCCD_S), KNOB(tCCD_L), KNOB(tRRD_S), KNOB(tRRD_L),
        KNOB(tFAW),   KNOB(t32AW),  KNOB(tWTR_S), KNOB(tWTR_L), KNOB(tWR),    KNOB(tRTP),
        KNOB(tRTRS),  KNOB(tRTW),   KNOB(tRFC),   KNOB(tREFI),
    };
    for (size_t i = 0; i < sizeof knob / sizeof knob[0]; i++) {
        struct device d = strict;
        if (strcmp(knob[i].name, "tRTW") == 0) d.rtw = 20; /* data alone: 11 */
        struct dram_params p = params_of(&d);
        if (i == 0 || d.rtw) {
            run_and_check(&d, &p, checker, 7);
            expect_clean(checker, "before");
        }
        uint32_t *v = (uint32_t *)((char *)&p.t + knob[i].offset);
        *v -= strcmp(knob[i].name, "tREFI") == 0 ? 40 : 1; /* refreshes may come late */
        run_and_check(&d, &p, checker, 7);
        if (!checker->broken) fail_msg("%s lowered, and nobody noticed", knob[i].name);
    }
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
        cmocka_unit_test(a_lowered_constraint_is_noticed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
