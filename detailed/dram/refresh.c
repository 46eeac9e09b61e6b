/* refresh.c - refresh: every tREFI, each unit (all banks of a rank, or with per_bank_refresh one
 * bank) is refreshed once, the units in turn and evenly spaced; refresh k is due at (k + 1) tREFI /
 * units. With per_bank_refresh, the time between two refreshes of a rank is tREFIb if given, and
 * their length tRFCb; a bank may be closed for its refresh while others are still refreshing.
 *
 * From its due time on, the unit's banks accept no new commands; they are precharged as soon as
 * possible, then the refresh is issued, and the banks can be activated tRFC later. */
#include "detailed/dram/bank_model.h"

static uint64_t due_of(const struct banks *c, uint64_t k)
{
    return (k + 1) * c->refresh.interval / c->refresh.units - c->refresh.past;
}

/* The number of refreshes with due_of(k) <= until. */
static uint64_t due_until(const struct banks *c, uint64_t until)
{
    return (c->refresh.past + until) * c->refresh.units / c->refresh.interval;
}

void banks_refresh_init(struct banks *c)
{
    const struct dram_params *p = &c->base.p;
    c->refresh.units = p->per_bank_refresh ? c->n_banks : c->n_ranks;
    c->refresh.unit_banks = c->n_banks / c->refresh.units;
    bool own = p->per_bank_refresh && p->t.tREFIb;
    c->refresh.interval = own ? (uint64_t)p->t.tREFIb * c->banks_per_rank : p->t.tREFI;
    c->refresh.due = p->t.tREFI && c->rules.refresh ? due_of(c, 0) : DRAM_NEVER;
}

void banks_refresh_resume(struct banks *c, uint64_t past)
{
    struct refresh *f = &c->refresh;
    if (f->due == DRAM_NEVER) return;
    f->past = past;
    f->count = due_until(c, 0);
    f->due = due_of(c, f->count);
    banks_settle_upkeep(c);
}

uint64_t banks_refresh_age(const struct banks *c, uint32_t flat_bank)
{
    const struct refresh *f = &c->refresh;
    uint64_t unit = flat_bank / f->unit_banks;
    if (f->due == DRAM_NEVER || f->count <= unit) return DRAM_NEVER;
    uint64_t last = (f->count - 1 - unit) / f->units * f->units + unit;
    return f->past - (last + 1) * f->interval / f->units;
}

static struct dram_bank *unit_first(const struct banks *c)
{
    return &c->bank[c->refresh.unit * c->refresh.unit_banks];
}

/* Counts the refreshes of an idle channel with closed banks without executing them, except the last
 * of each unit: the others have no effect. */
static void skip_idle(struct banks *c, uint64_t until)
{
    struct refresh *f = &c->refresh;
    if (c->n[READS] + c->n[WRITES] || c->open_banks || c->base.log || c->managed) return;
    uint64_t fell_due = due_until(c, until);
    uint64_t keep = 2 * (uint64_t)f->units;
    if (fell_due <= f->count + keep) return;
    uint64_t skipped = fell_due - keep - f->count;
    c->base.s.refreshes += skipped;
    if (c->base.p.per_bank_refresh) c->base.s.bank_refreshes += skipped;
    f->count = fell_due - keep;
    f->due = due_of(c, f->count);
}

void banks_refresh_begin(struct banks *c, uint64_t until)
{
    struct refresh *f = &c->refresh;
    skip_idle(c, until);
    if (c->clock < f->due) c->clock = f->due;
    f->pending = true;
    f->unit = (uint32_t)(f->count++ % f->units);
    f->due = due_of(c, f->count);
    struct dram_bank *first = unit_first(c);
    for (uint32_t i = 0; i < f->unit_banks; i++)
        first[i].blocked = true;
    c->stale = true;
    if (c->managed) banks_power_settle(c, &c->rank[first->rank], c->clock);
    banks_settle_upkeep(c);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Plans the earliest precharge of the unit or, when all its banks are closed, the refresh itself.
 */
struct command_plan banks_refresh_plan(const struct banks *c)
{
    const struct dram_bank *first = unit_first(c);
    const struct rank *k = &c->rank[first->rank];
    uint64_t bus = later(later(c->row_bus, c->clock), k->awake);
    uint64_t all = later(bus, k->refresh_ready);
    struct command_plan close = {.cycle = DRAM_NEVER};
    for (uint32_t i = 0; i < c->refresh.unit_banks; i++) {
        const struct dram_bank *b = &first[i];
        all = later(all, b->at.ready[DRAM_CMD_ACT]);
        if (b->row == NO_ROW) continue;
        uint64_t t = later(bus, later(b->at.ready[DRAM_CMD_PRE], k->at.ready[DRAM_CMD_PRE]));
        if (t >= close.cycle) continue;
        close = (struct command_plan){
            .cycle = t, .bank = bank_index(c, b), .kind = PLAN_REFRESH, .command = DRAM_CMD_PRE};
    }
    if (close.cycle != DRAM_NEVER) return close;
    enum dram_command command = c->base.p.per_bank_refresh ? DRAM_CMD_REF_BANK : DRAM_CMD_REF;
    return (struct command_plan){
        .cycle = all, .bank = bank_index(c, first), .kind = PLAN_REFRESH, .command = command};
}

void banks_refresh_done(struct banks *c)
{
    c->refresh.pending = false;
    struct dram_bank *first = unit_first(c);
    for (uint32_t i = 0; i < c->refresh.unit_banks; i++)
        first[i].blocked = false;
    banks_settle_upkeep(c);
}
