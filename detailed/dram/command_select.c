/* command_select.c - selects the channel's next command: the earliest of those that its banks, its
 * refresh and an idle write queue need. In a scan, the hot part is three loads and two maxima per
 * bank with work. */
#include "detailed/dram/bank_model.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline bool plan_precedes(const struct command_plan *a, const struct command_plan *b)
{
    if (a->cycle != b->cycle) return a->cycle < b->cycle;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->seq < b->seq;
}

/* The cycle before which no bank's command can issue, whatever the bank. */
static inline uint64_t shared_cycle(const struct banks *c, enum dram_command command)
{
    return later(command >= DRAM_CMD_RD ? c->column_bus : c->row_bus, c->clock);
}

/* The cycle at which the bank's command can issue. */
static inline uint64_t bank_cycle(const struct banks *c, const struct dram_bank *b)
{
    enum dram_command command = b->next;
    uint64_t t = later(b->at.ready[command], c->group[b->group].ready[command]);
    t = later(t, c->rank[b->rank].at.ready[command]);
    return later(t, shared_cycle(c, command));
}

static inline struct command_plan bank_plan(const struct banks *c, uint32_t i, uint64_t cycle)
{
    const struct dram_bank *b = &c->bank[i];
    enum dram_command command = b->next;
    bool column = command >= DRAM_CMD_RD;
    return (struct command_plan){.cycle = cycle,
                                 .seq = b->seq,
                                 .bank = i,
                                 .kind = column ? PLAN_COLUMN : PLAN_ROW,
                                 .command = command};
}

/* Whether an activate must wait for the refresh of a bank of its rank: activates one after the
 * other could delay it for ever. */
static inline bool yields_to_refresh(const struct banks *c, const struct command_plan *p,
                                     const struct command_plan *refresh)
{
    return p->command == DRAM_CMD_ACT && refresh->command == DRAM_CMD_REF_BANK &&
           c->bank[p->bank].rank == c->bank[refresh->bank].rank &&
           p->cycle + c->rules.act_ref > refresh->cycle;
}

/* Plans the drain of the last writes after an idle time. */
static struct command_plan idle_drain_plan(const struct banks *c)
{
    return (struct command_plan){.cycle = later(c->clock, c->last_accept + c->idle_drain),
                                 .kind = PLAN_DRAIN};
}

/* Plans to close the first row whose timeout has expired. */
static struct command_plan timeout_plan(const struct banks *c)
{
    struct command_plan best = {.cycle = DRAM_NEVER, .kind = PLAN_NONE};
    for (uint32_t i = 0; i < c->n_banks; i++) {
        const struct dram_bank *b = &c->bank[i];
        if (b->row == NO_ROW || b->work != NO_REQUEST || b->blocked) continue;
        uint64_t t = later(b->used + c->base.p.page_timeout, b->at.ready[DRAM_CMD_PRE]);
        t = later(t, later(c->rank[b->rank].at.ready[DRAM_CMD_PRE], c->row_bus));
        struct command_plan p = {.cycle = later(t, c->clock),
                                 .seq = UINT64_MAX,
                                 .bank = i,
                                 .kind = PLAN_ROW,
                                 .command = DRAM_CMD_PRE};
        if (plan_precedes(&p, &best)) best = p;
    }
    return best;
}

void banks_make_plan(struct banks *c)
{
    struct command_plan best = {.cycle = DRAM_NEVER, .kind = PLAN_NONE};
    if (c->refresh.pending) best = banks_refresh_plan(c);
    const struct command_plan refresh = best;
    const bool pending = c->refresh.pending, spaced = pending && c->rules.act_ref;
    const uint32_t n = c->n_active;
    uint64_t from[READY_N];
    for (uint32_t k = 0; k < READY_N; k++)
        from[k] = shared_cycle(c, (enum dram_command)k);
    for (uint32_t k = 0; k < n; k++) {
        const struct dram_bank *b = &c->bank[c->active[k]];
        uint64_t cycle = later(b->at.ready[b->next], from[b->next]);
        if (cycle > best.cycle || (pending && b->blocked)) continue;
        cycle = later(cycle, c->group[b->group].ready[b->next]);
        cycle = later(cycle, c->rank[b->rank].at.ready[b->next]);
        if (cycle > best.cycle) continue;
        struct command_plan p = bank_plan(c, c->active[k], cycle);
        if (plan_precedes(&p, &best) && !(spaced && yields_to_refresh(c, &p, &refresh))) best = p;
    }
    if (c->timed) {
        struct command_plan p = timeout_plan(c);
        if (plan_precedes(&p, &best)) best = p;
    }
    if (c->direction == READS && c->n[READS] == 0 && c->n[WRITES]) {
        struct command_plan p = idle_drain_plan(c);
        if (plan_precedes(&p, &best)) best = p;
    }
    c->plan = best;
    c->stale = false;
}

void banks_offer_plan(struct banks *c, struct dram_bank *b)
{
    if (c->stale) return;
    uint32_t i = bank_index(c, b);
    bool planned = c->plan.bank == i && c->plan.kind != PLAN_NONE;
    if (c->plan.kind == PLAN_DRAIN || planned || (c->refresh.pending && c->rules.act_ref)) {
        c->stale =
            true; /* the planned command may be obsolete, or the new work must yield to a refresh */
        return;
    }
    if (b->slot == NO_SLOT || b->blocked) return;
    struct command_plan p = bank_plan(c, i, bank_cycle(c, b));
    if (plan_precedes(&p, &c->plan)) c->plan = p;
}
