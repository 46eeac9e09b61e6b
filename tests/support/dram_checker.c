#include "tests/support/dram_checker.h"

#include "tests/support/check.h"

enum { LOOK_BACK = 1200 }; /* cycles: no rule reaches farther */

void checker_broken(struct checker *k, const char *rule)
{
    if (k->broken++ == 0) k->rule = rule;
}

void checker_on_command(const struct dram_log_entry *e, void *ctx)
{
    struct checker *k = ctx;
    assert_true(k->n < LOG_MAX);
    k->log[k->n++] = *e;
}

static int is_read(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_RD || e->command == DRAM_CMD_RDA;
}

int log_is_write(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_WR || e->command == DRAM_CMD_WRA;
}

static int is_auto(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_RDA || e->command == DRAM_CMD_WRA;
}

static int is_power(const struct dram_log_entry *e)
{
    return e->command == DRAM_CMD_PDE || e->command == DRAM_CMD_PDX;
}

int log_is_column(const struct dram_log_entry *e)
{
    return is_read(e) || log_is_write(e);
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
    if (is_power(a) || is_power(b)) return 0;
    if (a->command == DRAM_CMD_REF || b->command == DRAM_CMD_REF) return a->rank == b->rank;
    return same_group(a, b) && a->bank == b->bank;
}

static int ranks_of(const struct device *d)
{
    return d->ranks * (d->pseudo ? d->pseudo : 1);
}

int64_t device_data_start(const struct device *d, const struct dram_log_entry *e)
{
    return (int64_t)e->cycle + d->al + (is_read(e) ? d->cl : d->cwl);
}

static void at_least(struct checker *k, int64_t distance, int64_t need, const char *rule)
{
    if (distance < need) checker_broken(k, rule);
}

/* When the auto-precharge with command i takes place: what its row's accesses and its activate
 * allow. */
static int64_t auto_precharge(const struct checker *k, int i)
{
    const struct device *d = &k->d;
    const struct dram_log_entry *bank = &k->log[i];
    int64_t at = 0, t;
    for (; i >= 0; i--) {
        const struct dram_log_entry *a = &k->log[i];
        if (is_refresh(a) || is_power(a) || !same_bank(a, bank)) continue;
        t = (int64_t)a->cycle + d->al;
        if (a->command == DRAM_CMD_ACT) t = (int64_t)a->cycle + d->ras;
        if (is_read(a)) t += d->rtp;
        if (log_is_write(a)) t += d->cwl + d->burst + d->wr;
        if (t > at) at = t;
        if (a->command == DRAM_CMD_ACT) break;
    }
    return at;
}

static void check_bank_pair(struct checker *k, int i, const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    const struct dram_log_entry *a = &k->log[i];
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    int opens = b->command == DRAM_CMD_ACT || is_refresh(b);
    if (a->command == DRAM_CMD_ACT) {
        if (is_read(b)) at_least(k, gap, d->rcdrd - d->al, "ACT to RD");
        if (log_is_write(b)) at_least(k, gap, d->rcdwr - d->al, "ACT to WR");
        if (b->command == DRAM_CMD_PRE) at_least(k, gap, d->ras, "tRAS");
        if (opens) at_least(k, gap, d->rc, "tRC");
    }
    if (a->command == DRAM_CMD_PRE && opens) at_least(k, gap, d->rp, "tRP");
    if (is_read(a) && b->command == DRAM_CMD_PRE) at_least(k, gap, d->al + d->rtp, "tRTP");
    if (log_is_write(a) && b->command == DRAM_CMD_PRE)
        at_least(k, gap, d->al + d->cwl + d->burst + d->wr, "tWR");
    if (is_refresh(a) && b->command == DRAM_CMD_ACT)
        at_least(k, gap, d->bank_refresh && d->rfcb ? d->rfcb : d->rfc, "tRFC");
    if (is_auto(a) && opens) {
        int64_t closed = auto_precharge(k, i);
        at_least(k, (int64_t)b->cycle - closed, d->rp, "tRP after auto-precharge");
    }
}

static void check_columns(struct checker *k, const struct dram_log_entry *a,
                          const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    if ((int)a->rank / d->ranks != (int)b->rank / d->ranks) return; /* pseudo-channels */
    int turn = a->rank != b->rank || (is_read(a) && log_is_write(b) && !d->rtw);
    at_least(k, device_data_start(d, b) - device_data_start(d, a) - d->burst, turn ? d->rtrs : 0,
             "data bus");
    if (a->rank == b->rank && is_read(a) == is_read(b))
        at_least(k, gap, same_group(a, b) ? d->ccdl : d->ccds, "tCCD");
    if (a->rank == b->rank && log_is_write(a) && is_read(b)) {
        int64_t after_data = (int64_t)b->cycle - device_data_start(d, a) - d->burst;
        at_least(k, after_data, same_group(a, b) ? d->wtrl : d->wtrs, "tWTR");
    }
    if (is_read(a) && log_is_write(b)) at_least(k, gap, d->rtw, "tRTW");
}

static void check_bus(struct checker *k, const struct dram_log_entry *a,
                      const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    if (a->cycle > b->cycle) checker_broken(k, "order of the log");
    if (is_power(a) || is_power(b)) return;
    int one = d->cmd ? d->cmd : 1, act = d->cmd_act ? d->cmd_act : one;
    if (d->two_buses && log_is_column(a) != log_is_column(b)) return;
    at_least(k, (int64_t)(b->cycle - a->cycle), a->command == DRAM_CMD_ACT ? act : one,
             "command bus");
}

/* Of one rank, different banks: what refreshes of single banks and precharges ask of each other. */
static void check_neighbours(struct checker *k, const struct dram_log_entry *a,
                             const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    if (a->command == DRAM_CMD_PRE && b->command == DRAM_CMD_PRE) at_least(k, gap, d->ppd, "tPPD");
    if (d->rrefd == 0) return;
    int from = a->command == DRAM_CMD_REF_BANK, to = b->command == DRAM_CMD_REF_BANK;
    if (from && (to || b->command == DRAM_CMD_ACT)) at_least(k, gap, d->rrefd, "tRREFD");
    if (a->command == DRAM_CMD_ACT && to)
        at_least(k, gap, same_group(a, b) ? d->rrdl : d->rrds, "tRRD before a refresh");
}

/* b switches the clock enable, or a did; i: a's place. */
static void check_power(struct checker *k, int i, const struct dram_log_entry *b)
{
    const struct device *d = &k->d;
    const struct dram_log_entry *a = &k->log[i];
    int64_t gap = (int64_t)(b->cycle - a->cycle);
    if (is_power(a) && is_power(b)) at_least(k, gap, d->cke, "tCKE");
    if (a->command == DRAM_CMD_PDX && !is_power(b)) at_least(k, gap, d->xp, "tXP");
    if (b->command != DRAM_CMD_PDE || is_power(a)) return;
    int one = d->cmd ? d->cmd : 1;
    at_least(k, gap, a->command == DRAM_CMD_ACT && d->cmd_act ? d->cmd_act : one, "power-down");
    if (is_read(a)) at_least(k, gap, d->al + d->cl + d->burst + 1, "RD to power-down");
    if (log_is_write(a))
        at_least(k, gap, d->al + d->cwl + d->burst + d->wr + 1, "WR to power-down");
    if (is_auto(a) && auto_precharge(k, i) > (int64_t)b->cycle)
        checker_broken(k, "power-down before the auto-precharge");
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
        if (a->rank == b->rank && (is_power(a) || is_power(b))) check_power(k, i, b);
        if (a->rank == b->rank && !same_bank(a, b)) check_neighbours(k, a, b);
        if (log_is_column(a) && log_is_column(b)) check_columns(k, a, b);
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
    int64_t open[8][8][16];
    int down[8] = {0};
    memset(open, -1, sizeof open);
    for (int i = 0; i < k->n; i++) {
        const struct dram_log_entry *e = &k->log[i];
        int64_t *row = &open[e->rank][e->bankgroup][e->bank];
        if (down[e->rank] != (e->command == DRAM_CMD_PDX)) checker_broken(k, "power-down state");
        if (is_power(e)) {
            down[e->rank] = e->command == DRAM_CMD_PDE;
            continue;
        }
        if (e->command == DRAM_CMD_REF) {
            for (int b = 0; b < 128; b++)
                if (open[e->rank][b / 16][b % 16] >= 0) checker_broken(k, "REF with an open bank");
            continue;
        }
        if (log_is_column(e) ? *row != e->row : (*row >= 0) != (e->command == DRAM_CMD_PRE))
            checker_broken(k, "row state");
        if (e->command == DRAM_CMD_ACT) *row = e->row;
        if (e->command == DRAM_CMD_PRE || is_auto(e)) *row = -1;
    }
}

/* Refresh k of a unit comes after its due time and at most `late` after it. */
static void check_refreshes(struct checker *k, uint64_t end)
{
    const struct device *d = &k->d;
    if (d->refi == 0) return;
    int per_rank = d->groups * d->banks, ranks = ranks_of(d);
    int units = ranks * (d->bank_refresh ? per_rank : 1);
    int64_t interval = d->bank_refresh && d->refib ? d->refib * per_rank : d->refi;
    int64_t late = 600, n = 0;
    for (int i = 0; i < k->n; i++) {
        const struct dram_log_entry *e = &k->log[i];
        if (!is_refresh(e)) continue;
        int64_t due = (n + 1) * interval / units;
        int unit = d->bank_refresh
                       ? ((int)e->rank * d->groups + (int)e->bankgroup) * d->banks + (int)e->bank
                       : (int)e->rank;
        if (unit != n % units) checker_broken(k, "turn of the refreshes");
        if ((int64_t)e->cycle < due || (int64_t)e->cycle > due + late)
            checker_broken(k, "time of a refresh");
        n++;
    }
    int64_t want = (int64_t)end * units / interval;
    if (n < want - 1 - late * units / interval || n > want)
        checker_broken(k, "number of refreshes");
}

/* Cycles of the ranks in each state of power: [a row open][clock enabled]; marks them one by one.
 */
struct states {
    uint64_t n[2][2];
};

static void mark(bool *at, uint64_t from, uint64_t until, uint64_t end)
{
    for (uint64_t t = from; t < until && t < end; t++)
        at[t] = true;
}

static void mark_rank(const struct checker *k, uint32_t rank, bool *open, bool *down, uint64_t end)
{
    for (int i = 0; i < k->n; i++) {
        const struct dram_log_entry *a = &k->log[i];
        if (a->rank != rank || (a->command != DRAM_CMD_ACT && a->command != DRAM_CMD_PDE)) continue;
        uint64_t until = end;
        for (int j = i + 1; j < k->n && until == end; j++) {
            const struct dram_log_entry *b = &k->log[j];
            if (a->command == DRAM_CMD_PDE) {
                if (b->rank == rank && b->command == DRAM_CMD_PDX) until = b->cycle;
                continue;
            }
            if (is_power(b) || !same_group(a, b) || a->bank != b->bank) continue;
            if (b->command == DRAM_CMD_PRE) until = b->cycle;
            if (is_auto(b)) until = (uint64_t)auto_precharge(k, j);
        }
        mark(a->command == DRAM_CMD_PDE ? down : open, a->cycle, until, end);
    }
}

static struct states count_states(const struct checker *k, uint64_t end)
{
    struct states s = {0};
    for (uint32_t rank = 0; rank < (uint32_t)ranks_of(&k->d); rank++) {
        bool *open = calloc(end, sizeof *open), *down = calloc(end, sizeof *down);
        assert_true(open && down);
        mark_rank(k, rank, open, down, end);
        for (uint64_t t = 0; t < end; t++)
            s.n[open[t]][!down[t]]++;
        free(open);
        free(down);
    }
    return s;
}

void checker_check_counts(const struct checker *k, const struct dram_stats *s, uint64_t end)
{
    uint64_t n[DRAM_CMD_N] = {0};
    for (int i = 0; i < k->n; i++)
        n[k->log[i].command]++;
    struct states in = count_states(k, end);
    assert_int_equal(s->reads, n[DRAM_CMD_RD] + n[DRAM_CMD_RDA]);
    assert_int_equal(s->writes, n[DRAM_CMD_WR] + n[DRAM_CMD_WRA]);
    assert_int_equal(s->activates, n[DRAM_CMD_ACT]);
    assert_int_equal(s->precharges, n[DRAM_CMD_PRE] + n[DRAM_CMD_RDA] + n[DRAM_CMD_WRA]);
    assert_int_equal(s->refreshes, n[DRAM_CMD_REF] + n[DRAM_CMD_REF_BANK]);
    assert_int_equal(s->bank_refreshes, n[DRAM_CMD_REF_BANK]);
    assert_int_equal(s->act_standby_cycles, in.n[1][1]);
    assert_int_equal(s->pre_standby_cycles, in.n[0][1]);
    assert_int_equal(s->act_pd_cycles, in.n[1][0]);
    assert_int_equal(s->pre_pd_cycles, in.n[0][0]);
}

void checker_check_log(struct checker *k, uint64_t end)
{
    for (int i = 0; i < k->n; i++)
        check_history(k, i);
    check_rows(k);
    check_refreshes(k, end);
}
