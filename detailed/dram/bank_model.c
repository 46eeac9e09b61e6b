/* bank_model.c - a channel of banks under the full timing set: acceptance, advancing, upkeep. */
#include "detailed/dram/bank_model.h"

#include "base/memory/alloc.h"

#include <assert.h>

static struct banks *banks_of(struct dram_channel *c)
{
    return (struct banks *)c;
}

static const struct banks *of_const(const struct dram_channel *c)
{
    return (const struct banks *)c;
}

/* ---- making ---- */

static void banks_destroy(struct dram_channel *c)
{
    struct banks *b = banks_of(c);
    mem_free(b->bank);
    mem_free(b->group);
    mem_free(b->rank);
    mem_free(b->active);
    mem_free(b->request);
    mem_free(b->order[READS]);
    mem_free(b->order[WRITES]);
    dram_fifo_fini(&c->forwarded);
    dram_fifo_fini(&c->done);
    mem_free(b);
}

static bool allocate_banks(struct banks *c)
{
    const struct dram_params *p = &c->base.p;
    uint32_t flight = c->rules.read_latency + c->rules.write_latency + 2 * c->rules.burst;
    c->n_requests = p->queue + c->n_banks * p->per_bank_queue + p->write_queue;
    c->bank = mem_new(c->n_banks, sizeof *c->bank);
    c->group = mem_new(c->n_groups, sizeof *c->group);
    c->rank = mem_new(c->n_ranks, sizeof *c->rank);
    c->active = mem_new(c->n_banks, sizeof *c->active);
    c->request = mem_new(c->n_requests, sizeof *c->request);
    bool done = dram_fifo_init(&c->base.done, c->n_requests + flight);
    if (p->forward_writes) done &= dram_fifo_init(&c->base.forwarded, c->n_requests);
    for (uint32_t d = 0; c->in_order && d < DIRECTIONS; d++) {
        c->order[d] = mem_new(c->n_requests, sizeof *c->order[d]);
        done &= c->order[d] != NULL;
    }
    return c->bank && c->group && c->rank && c->active && c->request && done;
}

static uint64_t banks_need(const struct dram_params *p)
{
    uint64_t banks = dram_bank_count(p);
    uint64_t requests = p->queue + banks * p->per_bank_queue + p->write_queue;
    uint64_t flight = (uint64_t)p->t.tCL + p->t.tCWL + 2 * (uint64_t)p->t.tAL;
    return sizeof(struct banks) + banks * sizeof(struct dram_bank) +
           requests * sizeof(struct request) + dram_fifo_need(requests + flight) +
           (p->forward_writes ? dram_fifo_need(requests) : 0);
}

static void init_banks(struct banks *c)
{
    static const struct queue empty = {NO_REQUEST, NO_REQUEST, NO_REQUEST, 0, 0, 0};
    for (uint32_t i = 0; i < c->n_banks; i++) {
        struct dram_bank *b = &c->bank[i];
        b->work = NO_REQUEST;
        b->row = NO_ROW;
        b->slot = NO_SLOT;
        b->rank = i / c->banks_per_rank;
        b->group = i / c->base.p.banks_per_group;
        b->bus_rank = b->rank / c->base.p.ranks * c->base.p.ranks;
        b->q[READS] = b->q[WRITES] = empty;
    }
    for (uint32_t r = 0; r < c->n_requests; r++)
        c->request[r].next = r + 1 < c->n_requests ? r + 1 : NO_REQUEST;
}

/* Idle cycles until the last writes are drained: long compared with a row cycle, short compared
 * with a kernel [A]. */
static uint32_t idle_drain(const struct dram_params *p)
{
    return 4 * (p->t.tRC > 16 ? p->t.tRC : 16);
}

static struct dram_channel *banks_make(const struct dram_params *p)
{
    struct banks *c = mem_new(1, sizeof *c);
    if (!c) return NULL;
    c->base.ops = &dram_banks_ops;
    c->base.p = *p;
    c->rules = dram_rules(p);
    c->bus_rest = dram_rest(p);
    c->sched = p->urgent_first ? dram_scheds_urgent_first[p->scheduler] : dram_scheds[p->scheduler];
    c->behind = p->urgent_first ? BANKS_BEHIND : 0;
    c->page = dram_pages[p->page_policy];
    c->in_order = c->sched->in_order;
    c->timed = c->page->timeout;
    c->managed = p->power_down_idle != 0;
    c->banks_per_rank = p->bankgroups * p->banks_per_group;
    c->n_ranks = dram_rank_count(p);
    c->n_groups = c->n_ranks * p->bankgroups;
    c->n_banks = dram_bank_count(p);
    c->idle_drain = idle_drain(p);
    c->stale = true;
    if (!allocate_banks(c)) {
        banks_destroy(&c->base);
        return NULL;
    }
    init_banks(c);
    banks_refresh_init(c);
    banks_power_init(c);
    return &c->base;
}

/* ---- advancing ---- */

static void integrate_time(struct banks *c, uint64_t t)
{
    if (t <= c->counted_to) return;
    if (c->busy_banks) {
        c->base.s.bank_cycles += c->busy_banks * (t - c->counted_to);
        c->base.s.active_cycles += t - c->counted_to;
    }
    c->counted_to = t;
}

static bool bank_busy(const struct dram_bank *b)
{
    return b->q[READS].n || b->q[WRITES].n;
}

static bool closes_row(const struct banks *c, const struct dram_bank *b, uint32_t r)
{
    return c->page->auto_precharge && !(c->page->spares_hits && banks_queue_hits(c, b, r));
}

/* Removes a served request from its bank; in strict order the turn passes to another bank. */
static void finish_request(struct banks *c, struct dram_bank *b, uint32_t r, uint64_t t)
{
    banks_queue_remove(c, r);
    if (!bank_busy(b)) {
        integrate_time(c, t);
        c->busy_banks--;
    }
    bank_settle(c, b);
    if (c->in_order && c->n[c->direction]) {
        uint32_t next = c->order[c->direction][c->order_head[c->direction]];
        bank_settle(c, &c->bank[c->request[next].bank]);
    }
}

static void serve_column(struct banks *c, struct dram_bank *b, uint64_t t)
{
    uint32_t r = b->work;
    const struct request req = c->request[r];
    enum dram_command command = req.write ? DRAM_CMD_WR : DRAM_CMD_RD;
    if (closes_row(c, b, r)) command = req.write ? DRAM_CMD_WRA : DRAM_CMD_RDA;
    uint32_t latency = req.write ? c->rules.write_latency : c->rules.read_latency;
    uint64_t done = t + latency + c->rules.burst;
    banks_issue(c, command, b, req.row, req.column, t);
    dram_fifo_push(&c->base.done, done, req.tag, req.write);
    if (!req.write) c->base.s.latency_sum += done - req.born;
    finish_request(c, b, r, t);
    if (c->base.p.write_queue) banks_direction_served(c);
}

static void execute_plan(struct banks *c)
{
    const struct command_plan plan = c->plan;
    struct dram_bank *b = &c->bank[plan.bank];
    c->stale = true;
    c->clock = plan.cycle;
    switch (plan.kind) {
    case PLAN_REFRESH:
        banks_issue(c, plan.command, b, 0, 0, plan.cycle);
        if (plan.command != DRAM_CMD_PRE) banks_refresh_done(c);
        bank_settle(c, b);
        break;
    case PLAN_COLUMN: serve_column(c, b, plan.cycle); break;
    case PLAN_ROW: {
        uint32_t row = plan.command == DRAM_CMD_ACT ? c->request[b->work].row : 0;
        banks_issue(c, plan.command, b, row, 0, plan.cycle);
        bank_settle(c, b);
        break;
    }
    case PLAN_DRAIN: banks_direction_drain(c); return;
    case PLAN_NONE: return;
    }
    if (c->managed) banks_power_settle(c, &c->rank[b->rank], plan.cycle);
}

static void keep_up(struct banks *c, uint64_t until)
{
    if (c->power_switch == c->upkeep)
        banks_switch_power(c);
    else
        banks_refresh_begin(c, until);
}

/* Executes everything due at or before `until`. */
static void advance_to(struct banks *c, uint64_t until)
{
    for (;;) {
        if (c->stale) banks_make_plan(c);
        bool upkeep = c->upkeep <= c->plan.cycle;
        uint64_t next = upkeep ? c->upkeep : c->plan.cycle;
        if (next > until || next == DRAM_NEVER) return;
        if (upkeep)
            keep_up(c, until);
        else
            execute_plan(c);
    }
}

static uint64_t banks_step(struct dram_channel *ch, uint64_t now)
{
    struct banks *c = banks_of(ch);
    advance_to(c, now);
    if (c->n[READS] + c->n[WRITES] == 0) return DRAM_NEVER;
    return c->upkeep < c->plan.cycle ? c->upkeep : c->plan.cycle;
}

static void banks_integrate(struct dram_channel *ch, uint64_t now)
{
    struct banks *c = banks_of(ch);
    advance_to(c, now);
    integrate_time(c, now);
    for (uint32_t i = 0; i < c->n_ranks; i++)
        banks_power_count(c, &c->rank[i], now);
}

/* ---- acceptance ---- */

static bool banks_can_accept(const struct dram_channel *ch, bool write)
{
    const struct banks *c = of_const(ch);
    const struct dram_params *p = &ch->p;
    if (ch->done.n + c->n[READS] + c->n[WRITES] > ch->done.mask) return false;
    if (dram_fifo_full(&ch->forwarded)) return false;
    if (write && p->write_queue) return c->n[WRITES] < p->write_queue;
    return (p->per_bank_queue ? c->unseen[READS] : c->n[READS]) < p->queue;
}

static uint32_t new_request(struct banks *c, enum dram_client client, const struct coord *at,
                            bool write, uint32_t tag, uint64_t now)
{
    uint32_t r = c->free_request;
    assert(r != NO_REQUEST && at->flat_bank < c->n_banks && at->row < c->base.p.rows);
    c->free_request = c->request[r].next;
    c->request[r] = (struct request){.seq = c->next_seq++ + (client == DRAM_OF_GPU ? c->behind : 0),
                                     .born = now,
                                     .row = at->row,
                                     .column = at->column,
                                     .tag = tag,
                                     .bank = at->flat_bank,
                                     .write = write};
    return r;
}

/* Serves a read from a queued write. */
static void forward_write(struct banks *c, uint32_t tag, uint64_t now)
{
    dram_fifo_push(&c->base.forwarded, now + 1, tag, false);
    c->base.s.forwarded++;
}

static void banks_accept(struct dram_channel *ch, enum dram_client client, const struct coord *at,
                         bool write, uint32_t tag, uint64_t now)
{
    struct banks *c = banks_of(ch);
    struct dram_bank *b = &c->bank[at->flat_bank];
    if (now) advance_to(c, now - 1);
    if (c->clock < now) c->clock = now;
    if (!write && ch->p.forward_writes && banks_queue_covers(c, at)) {
        forward_write(c, tag, now);
        return;
    }
    c->last_accept = now;
    if (!bank_busy(b)) {
        integrate_time(c, now);
        c->busy_banks++;
    }
    banks_queue_add(c, new_request(c, client, at, write, tag, now));
    if (c->managed) banks_power_settle(c, &c->rank[b->rank], now);
    uint32_t work = b->work;
    enum dram_command next = b->next;
    bank_settle(c, b);
    if (b->work != work || b->next != next) banks_offer_plan(c, b);
    if (ch->p.write_queue) banks_direction_accepted(c);
    /* the drain of the last writes is postponed, or must be planned, maybe before a refresh or the
     * end of a row's timeout */
    bool drains = c->direction == READS && !c->n[READS];
    if (drains || c->plan.kind == PLAN_DRAIN || c->plan.kind == PLAN_NONE) c->stale = true;
}

static void banks_warm_clock(struct dram_channel *ch, uint64_t past)
{
    banks_refresh_resume(banks_of(ch), past);
}

static void banks_warm_row(struct dram_channel *ch, const struct coord *at, uint64_t age)
{
    struct banks *c = banks_of(ch);
    struct dram_bank *b = &c->bank[at->flat_bank];
    assert(c->n[READS] + c->n[WRITES] == 0);
    if (banks_refresh_age(c, at->flat_bank) < age) return;
    if (b->row == NO_ROW) {
        c->open_banks++;
        c->rank[b->rank].open++;
    }
    b->row = at->row;
    b->fresh = false;
}

/* ---- upkeep ---- */

static uint32_t banks_queued(const struct dram_channel *ch)
{
    return of_const(ch)->n[READS] + of_const(ch)->n[WRITES];
}

static bool check_queue(const struct banks *c, uint32_t bank, uint32_t direction, uint32_t *unseen)
{
    const struct queue *q = &c->bank[bank].q[direction];
    uint32_t n = 0, visible = 0, prev = NO_REQUEST;
    bool seen = true;
    for (uint32_t r = q->head; r != NO_REQUEST; r = c->request[r].next) {
        const struct request *req = &c->request[r];
        if (r == q->waiting) seen = false;
        if (req->prev != prev || req->bank != bank) return false;
        if (prev != NO_REQUEST && c->request[prev].seq >= req->seq) return false;
        if (c->base.p.write_queue && req->write != (direction == WRITES)) return false;
        n++;
        visible += seen;
        prev = r;
    }
    *unseen += n - visible;
    return prev == q->tail && n == q->n && visible == q->visible;
}

static bool check_active(const struct banks *c)
{
    for (uint32_t i = 0; i < c->n_banks; i++) {
        const struct dram_bank *b = &c->bank[i];
        if ((b->work != NO_REQUEST) != (b->slot != NO_SLOT)) return false;
        if (b->slot != NO_SLOT && (b->slot >= c->n_active || c->active[b->slot] != i)) return false;
    }
    return true;
}

/* Whether the cached plan equals that of a fresh scan. */
static bool check_plan(const struct banks *c)
{
    if (c->stale) return true;
    struct banks fresh = *c;
    banks_make_plan(&fresh);
    return fresh.plan.cycle == c->plan.cycle && fresh.plan.kind == c->plan.kind &&
           fresh.plan.bank == c->plan.bank && fresh.plan.command == c->plan.command;
}

static bool banks_check(const struct dram_channel *ch)
{
    const struct banks *c = of_const(ch);
    uint32_t n[DIRECTIONS] = {0}, unseen[DIRECTIONS] = {0}, open = 0, busy = 0, free_n = 0,
             open_here = 0;
    for (uint32_t i = 0; i < c->n_banks; i++) {
        for (uint32_t d = 0; d < DIRECTIONS; d++) {
            if (!check_queue(c, i, d, &unseen[d])) return false;
            n[d] += c->bank[i].q[d].n;
        }
        open += c->bank[i].row != NO_ROW;
        busy += bank_busy(&c->bank[i]);
        open_here += c->bank[i].row != NO_ROW;
        if ((i + 1) % c->banks_per_rank) continue;
        if (c->rank[c->bank[i].rank].open != open_here) return false;
        open_here = 0;
    }
    for (uint32_t r = c->free_request; r != NO_REQUEST; r = c->request[r].next)
        free_n++;
    bool counts = n[READS] == c->n[READS] && n[WRITES] == c->n[WRITES] && open == c->open_banks &&
                  unseen[READS] == c->unseen[READS] && unseen[WRITES] == c->unseen[WRITES] &&
                  busy == c->busy_banks && free_n + n[READS] + n[WRITES] == c->n_requests;
    return counts && check_active(c) && check_plan(c) && banks_power_check(c);
}

static void banks_stuck(const struct dram_channel *ch, uint64_t now, struct text *out)
{
    static const char *const names[] = {
        [PLAN_NONE] = "nothing",     [PLAN_REFRESH] = "a refresh",     [PLAN_COLUMN] = "a column",
        [PLAN_ROW] = "a row change", [PLAN_DRAIN] = "the write drain",
    };
    const struct banks *c = of_const(ch);
    text_add(out, "memory channel at %llu: %u reads and %u writes queued, %u bursts on their way",
             (unsigned long long)now, c->n[READS], c->n[WRITES], ch->done.n);
    text_add(out, "; %u banks work, %s served, next %s", c->n_active,
             c->direction == WRITES ? "writes" : "reads", names[c->plan.kind]);
    if (c->plan.kind == PLAN_NONE) return;
    text_add(out, " of bank %u at %llu", c->plan.bank, (unsigned long long)c->plan.cycle);
}

static struct dram_idle banks_idle(const struct dram_params *p)
{
    struct dram_rules r = dram_rules(p);
    uint32_t hit = r.read_latency + r.burst;
    return (struct dram_idle){hit, r.act_rd + hit, r.pre_act + r.act_rd + hit};
}

static double banks_peak(const struct dram_params *p)
{
    double buses = (double)dram_pseudo_channels(p) * dram_lockstep(p);
    return buses * p->bus_bytes * p->beats_per_clock * p->clock_khz * 1e-6;
}

const struct dram_ops dram_banks_ops = {
    .make = banks_make,
    .destroy = banks_destroy,
    .can_accept = banks_can_accept,
    .accept = banks_accept,
    .step = banks_step,
    .integrate = banks_integrate,
    .warm_clock = banks_warm_clock,
    .warm_row = banks_warm_row,
    .queued = banks_queued,
    .check = banks_check,
    .stuck = banks_stuck,
    .idle_latency = banks_idle,
    .peak_gbps = banks_peak,
    .need = banks_need,
};
