/* command_issue.c - the effects of each command. The timing rules are listed in timing.h. */
#include "detailed/dram/bank_model.h"

#include <assert.h>

static inline void delay_command(struct level *l, enum dram_command command, uint64_t t)
{
    if (l->ready[command] < t) l->ready[command] = t;
}

/* Closes a row at t, by a precharge that takes place then or later. */
static void close_row(struct banks *c, struct dram_bank *b, uint64_t t, uint64_t precharge)
{
    struct rank *k = &c->rank[b->rank];
    assert(b->row != NO_ROW);
    b->row = NO_ROW;
    c->open_banks--;
    if (k->open == 1) banks_power_count(c, k, t);
    k->open--;
    if (k->open_until < precharge) k->open_until = precharge;
    c->base.s.precharges++;
    delay_command(&b->at, DRAM_CMD_ACT, precharge + c->rules.pre_act);
}

/* Delays the next activate by the window since the n-th last one. */
static void act_window(struct rank *k, uint32_t n, uint32_t length)
{
    if (length == 0 || k->acts < n) return;
    delay_command(&k->at, DRAM_CMD_ACT, k->act[(k->acts - n) % ACT_WINDOW] + length);
}

static void issue_act(struct banks *c, struct dram_bank *b, uint32_t row, uint64_t t)
{
    const struct dram_rules *r = &c->rules;
    struct rank *k = &c->rank[b->rank];
    assert(b->row == NO_ROW);
    b->row = row;
    b->fresh = true;
    c->open_banks++;
    if (k->open == 0) banks_power_count(c, k, t);
    k->open++;
    b->used = t;
    c->base.s.activates++;
    delay_command(&b->at, DRAM_CMD_RD, t + r->act_rd);
    delay_command(&b->at, DRAM_CMD_WR, t + r->act_wr);
    delay_command(&b->at, DRAM_CMD_PRE, t + r->act_pre);
    delay_command(&b->at, DRAM_CMD_ACT, t + r->act_act);
    delay_command(&c->group[b->group], DRAM_CMD_ACT, t + r->act_act_l);
    delay_command(&k->at, DRAM_CMD_ACT, t + r->act_act_s);
    if (k->refresh_ready < t + r->act_ref) k->refresh_ready = t + r->act_ref;
    k->act[k->acts++ % ACT_WINDOW] = t;
    act_window(k, 4, r->faw);
    act_window(k, ACT_WINDOW, r->aw32);
}

/* A data bus that delivers less than its peak rests behind its bursts, by whole clocks once they
 * have come together. */
static void rest_bus(struct banks *c, const struct dram_bank *b, uint64_t t)
{
    uint32_t owed = c->rank[b->bus_rank].rest + c->bus_rest;
    uint64_t next = t + c->rules.burst + owed / DRAM_REST;
    c->rank[b->bus_rank].rest = owed % DRAM_REST;
    for (uint32_t i = b->bus_rank; i < b->bus_rank + c->base.p.ranks; i++) {
        delay_command(&c->rank[i].at, DRAM_CMD_RD, next);
        delay_command(&c->rank[i].at, DRAM_CMD_WR, next);
    }
}

static void count_column(struct banks *c, struct dram_bank *b, uint64_t t)
{
    if (c->bus_rest) rest_bus(c, b, t);
    if (!b->fresh) c->base.s.row_hits++;
    b->fresh = false;
    b->used = t;
    c->base.s.busy_cycles += c->rules.burst;
}

static void issue_read(struct banks *c, struct dram_bank *b, uint64_t t)
{
    const struct dram_rules *r = &c->rules;
    for (uint32_t i = b->bus_rank; i < b->bus_rank + c->base.p.ranks; i++) {
        bool own = i == b->rank;
        delay_command(&c->rank[i].at, DRAM_CMD_RD, t + (own ? r->col_col_s : r->col_col_o));
        delay_command(&c->rank[i].at, DRAM_CMD_WR, t + r->rd_wr);
    }
    delay_command(&c->group[b->group], DRAM_CMD_RD, t + r->col_col_l);
    delay_command(&b->at, DRAM_CMD_PRE, t + r->rd_pre);
    c->base.s.reads++;
    count_column(c, b, t);
}

static void issue_write(struct banks *c, struct dram_bank *b, uint64_t t)
{
    const struct dram_rules *r = &c->rules;
    for (uint32_t i = b->bus_rank; i < b->bus_rank + c->base.p.ranks; i++) {
        bool own = i == b->rank;
        delay_command(&c->rank[i].at, DRAM_CMD_WR, t + (own ? r->col_col_s : r->col_col_o));
        delay_command(&c->rank[i].at, DRAM_CMD_RD, t + (own ? r->wr_rd_s : r->wr_rd_o));
    }
    delay_command(&c->group[b->group], DRAM_CMD_WR, t + r->col_col_l);
    delay_command(&c->group[b->group], DRAM_CMD_RD, t + r->wr_rd_l);
    delay_command(&b->at, DRAM_CMD_PRE, t + r->wr_pre);
    c->base.s.writes++;
    count_column(c, b, t);
}

static void issue_refresh(struct banks *c, struct dram_bank *first, uint32_t n, uint64_t t)
{
    struct rank *k = &c->rank[first->rank];
    if (n == 1) {
        delay_command(&k->at, DRAM_CMD_ACT, t + c->rules.ref_ref);
        if (k->refresh_ready < t + c->rules.ref_ref) k->refresh_ready = t + c->rules.ref_ref;
    }
    for (uint32_t i = 0; i < n; i++) {
        assert(first[i].row == NO_ROW);
        delay_command(&first[i].at, DRAM_CMD_ACT, t + c->rules.refresh);
    }
    c->base.s.refreshes++;
    if (c->base.p.per_bank_refresh) c->base.s.bank_refreshes++;
}

static void take_bus(struct banks *c, enum dram_command command, uint64_t t)
{
    bool column = command >= DRAM_CMD_RD && command <= DRAM_CMD_WRA;
    uint64_t until = t + (command == DRAM_CMD_ACT ? c->rules.bus_act : c->rules.bus);
    assert(t >= (column ? c->column_bus : c->row_bus));
    if (column || !c->base.p.dual_command) c->column_bus = until;
    if (!column || !c->base.p.dual_command) c->row_bus = until;
}

static void tell_log(struct banks *c, enum dram_command command, const struct dram_bank *b,
                     uint32_t row, uint32_t column, uint64_t t)
{
    uint32_t flat = bank_index(c, b) % c->banks_per_rank, per_group = c->base.p.banks_per_group;
    bool one_bank = command != DRAM_CMD_REF;
    struct dram_log_entry e = {.cycle = t,
                               .command = command,
                               .rank = b->rank,
                               .bankgroup = one_bank ? flat / per_group : 0,
                               .bank = one_bank ? flat % per_group : 0,
                               .row = row,
                               .column = column};
    c->base.log(&e, c->base.log_ctx);
}

void banks_issue(struct banks *c, enum dram_command command, struct dram_bank *b, uint32_t row,
                 uint32_t column, uint64_t t)
{
    take_bus(c, command, t);
    if (c->base.log) tell_log(c, command, b, row, column, t);
    switch (command) {
    case DRAM_CMD_ACT: issue_act(c, b, row, t); break;
    case DRAM_CMD_PRE:
        close_row(c, b, t, t);
        delay_command(&c->rank[b->rank].at, DRAM_CMD_PRE, t + c->rules.pre_pre);
        break;
    case DRAM_CMD_RD: issue_read(c, b, t); break;
    case DRAM_CMD_WR: issue_write(c, b, t); break;
    case DRAM_CMD_RDA:
        issue_read(c, b, t);
        close_row(c, b, t, b->at.ready[DRAM_CMD_PRE]);
        break;
    case DRAM_CMD_WRA:
        issue_write(c, b, t);
        close_row(c, b, t, b->at.ready[DRAM_CMD_PRE]);
        break;
    case DRAM_CMD_REF: issue_refresh(c, b, c->banks_per_rank, t); break;
    case DRAM_CMD_REF_BANK: issue_refresh(c, b, 1, t); break;
    case DRAM_CMD_PDE: /* power_down.c */
    case DRAM_CMD_PDX:
    case DRAM_CMD_N: break;
    }
    if (c->managed) banks_power_commanded(c, &c->rank[b->rank], command, t);
}
