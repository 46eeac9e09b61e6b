/* power_down.c - power-down of the ranks, and the time of each rank in each power state.
 *
 * A rank without requests and refresh powers down after power_down_idle clocks: active power-down
 * if it has an open row, else precharge power-down. With timed rows it waits until they are closed.
 * A request or a refresh that falls due powers it up again. Only CKE switches, so that the command
 * bus is not used. A rank is active while a row is open; a row that is closed by auto-precharge
 * counts as open until that takes place. Times are counted on change, so that skipped cycles cost
 * nothing. */
#include "detailed/dram/bank_model.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void banks_power_count(struct banks *c, struct rank *k, uint64_t t)
{
    if (t <= k->counted_to) return;
    struct dram_stats *s = &c->base.s;
    uint64_t active_to = later(k->counted_to, k->open ? t : earlier(t, k->open_until));
    *(k->down ? &s->act_pd_cycles : &s->act_standby_cycles) += active_to - k->counted_to;
    *(k->down ? &s->pre_pd_cycles : &s->pre_standby_cycles) += t - active_to;
    k->counted_to = t;
}

void banks_power_init(struct banks *c)
{
    c->power_switch = DRAM_NEVER;
    for (uint32_t i = 0; i < c->n_ranks; i++)
        c->rank[i].switch_at = DRAM_NEVER;
    for (uint32_t i = 0; c->managed && i < c->n_ranks; i++)
        banks_power_settle(c, &c->rank[i], 0);
    banks_settle_upkeep(c);
}

static void plan_switch(struct banks *c, struct rank *k, uint64_t t)
{
    k->switch_at = t;
    c->power_switch = DRAM_NEVER;
    for (uint32_t i = 0; i < c->n_ranks; i++)
        c->power_switch = earlier(c->power_switch, c->rank[i].switch_at);
    banks_settle_upkeep(c);
}

static bool is_idle(const struct banks *c, const struct rank *k)
{
    if (k->requests || (c->timed && k->open)) return false;
    return !c->refresh.pending || &c->rank[banks_refresh_rank(c)] != k;
}

static void come_up(struct banks *c, struct rank *k, uint64_t t)
{
    plan_switch(c, k, later(t, k->switched + c->rules.down));
    k->awake = k->switch_at + c->rules.wake;
    for (uint32_t command = 0; command < READY_N; command++)
        k->at.ready[command] = later(k->at.ready[command], k->awake);
}

void banks_power_settle(struct banks *c, struct rank *k, uint64_t t)
{
    bool planned = k->switch_at != DRAM_NEVER;
    if (is_idle(c, k)) {
        if (k->down || planned) return;
        plan_switch(c, k, later(t + c->base.p.power_down_idle, k->may_go_down));
    } else if (k->down) {
        if (!planned) come_up(c, k, t);
    } else if (planned) {
        plan_switch(c, k, DRAM_NEVER);
    }
}

void banks_power_commanded(struct banks *c, struct rank *k, enum dram_command command, uint64_t t)
{
    uint64_t from = t + c->rules.row_down;
    if (command == DRAM_CMD_RD || command == DRAM_CMD_RDA) from = t + c->rules.rd_down;
    if (command == DRAM_CMD_WR || command == DRAM_CMD_WRA) from = t + c->rules.wr_down;
    if (command == DRAM_CMD_ACT) from = t + c->rules.bus_act;
    k->may_go_down = later(k->may_go_down, later(from, k->open_until));
}

static void tell_log(struct banks *c, const struct rank *k, uint64_t t)
{
    struct dram_log_entry e = {.cycle = t,
                               .command = k->down ? DRAM_CMD_PDE : DRAM_CMD_PDX,
                               .rank = (uint32_t)(k - c->rank)};
    if (c->base.log) c->base.log(&e, c->base.log_ctx);
}

void banks_switch_power(struct banks *c)
{
    uint64_t t = c->power_switch;
    struct rank *k = c->rank;
    while (k->switch_at != t)
        k++;
    banks_power_count(c, k, t);
    k->down = !k->down;
    k->switched = t;
    k->may_go_down = later(k->may_go_down, t + c->rules.down);
    plan_switch(c, k, DRAM_NEVER);
    tell_log(c, k, t);
    banks_power_settle(c, k, t);
}

bool banks_power_check(const struct banks *c)
{
    uint64_t first = DRAM_NEVER;
    for (uint32_t i = 0; i < c->n_ranks; i++) {
        const struct rank *k = &c->rank[i];
        uint32_t n = 0;
        for (uint32_t b = 0; b < c->banks_per_rank; b++) {
            const struct dram_bank *bank = &c->bank[i * c->banks_per_rank + b];
            n += bank->q[READS].n + bank->q[WRITES].n;
        }
        if (c->managed && k->requests != n) return false;
        if (k->down && (n || !is_idle(c, k)) && k->switch_at == DRAM_NEVER) return false;
        first = earlier(first, k->switch_at);
    }
    return c->power_switch == first;
}
