/* dram.c - the interface of a channel: forwards to the model that the parameters name. */
#include "detailed/dram/dram.h"

#include "base/memory/alloc.h"
#include "detailed/dram/channel.h"

#include <assert.h>

static const struct dram_ops *const models[DRAM_MODEL_N] = {
    [DRAM_BANKS] = &dram_banks_ops,
    [DRAM_FIXED] = &dram_fixed_ops,
};

uint64_t dram_fifo_need(uint64_t room)
{
    uint64_t size = 16;
    while (size < room)
        size *= 2;
    return size * sizeof(struct dram_completion);
}

bool dram_fifo_init(struct dram_done_fifo *f, uint32_t room)
{
    uint32_t size = 16;
    while (size < room)
        size *= 2;
    *f = (struct dram_done_fifo){.item = mem_new(size, sizeof *f->item), .mask = size - 1};
    return f->item != NULL;
}

void dram_fifo_fini(struct dram_done_fifo *f)
{
    mem_free(f->item);
}

void dram_fifo_push(struct dram_done_fifo *f, uint64_t cycle, uint32_t tag, bool write)
{
    assert(!dram_fifo_full(f));
    uint32_t at = f->head + f->n++;
    for (; at != f->head && f->item[(at - 1) & f->mask].cycle > cycle; at--)
        f->item[at & f->mask] = f->item[(at - 1) & f->mask];
    f->item[at & f->mask] = (struct dram_completion){cycle, tag, write};
}

struct dram_channel *dram_new(const struct dram_params *p, struct error *e)
{
    struct dram_channel *c = models[p->model]->make(p);
    if (!c) error_no_memory(e);
    return c;
}

void dram_free(struct dram_channel *c)
{
    if (c) c->ops->destroy(c);
}

void dram_set_log(struct dram_channel *c, dram_log_fn *fn, void *ctx)
{
    c->log = fn;
    c->log_ctx = ctx;
}

bool dram_can_accept(const struct dram_channel *c, bool write)
{
    return c->ops->can_accept(c, write);
}

void dram_accept_of(struct dram_channel *c, enum dram_client client, const struct coord *at,
                    bool write, uint32_t tag, uint64_t now)
{
    assert(dram_can_accept(c, write));
    c->ops->accept(c, client, at, write, tag, now);
}

void dram_accept(struct dram_channel *c, const struct coord *at, bool write, uint32_t tag,
                 uint64_t now)
{
    dram_accept_of(c, DRAM_OF_GPU, at, write, tag, now);
}

uint64_t dram_step(struct dram_channel *c, uint64_t now)
{
    return c->ops->step(c, now);
}

static inline uint64_t fifo_next(const struct dram_done_fifo *f)
{
    return f->n ? f->item[f->head & f->mask].cycle : DRAM_NEVER;
}

uint64_t dram_next_done(const struct dram_channel *c)
{
    uint64_t bank = fifo_next(&c->done), queue = fifo_next(&c->forwarded);
    return bank < queue ? bank : queue;
}

bool dram_done(struct dram_channel *c, uint64_t now, uint32_t *tag, bool *write)
{
    bool forwarded = c->forwarded.n && fifo_next(&c->forwarded) < fifo_next(&c->done);
    struct dram_done_fifo *f = forwarded ? &c->forwarded : &c->done;
    if (f->n == 0) return false;
    const struct dram_completion *oldest = &f->item[f->head & f->mask];
    if (oldest->cycle > now) return false;
    *tag = oldest->tag;
    *write = oldest->write;
    f->head++;
    f->n--;
    return true;
}

struct dram_idle dram_idle_latency(const struct dram_params *p)
{
    return models[p->model]->idle_latency(p);
}

uint64_t dram_need(const struct dram_params *p)
{
    return models[p->model]->need(p);
}

double dram_peak_gbps(const struct dram_params *p)
{
    return models[p->model]->peak_gbps(p);
}

const struct dram_stats *dram_stats(struct dram_channel *c, uint64_t now)
{
    c->ops->integrate(c, now);
    return &c->s;
}

const struct dram_stats *dram_counted(const struct dram_channel *c)
{
    return &c->s;
}

void dram_warm_clock(struct dram_channel *c, uint64_t past)
{
    c->ops->warm_clock(c, past);
}

void dram_warm_row(struct dram_channel *c, const struct coord *at, uint64_t age)
{
    c->ops->warm_row(c, at, age);
}

uint32_t dram_queued(const struct dram_channel *c)
{
    return c->ops->queued(c);
}

bool dram_check(const struct dram_channel *c)
{
    return c->ops->check(c);
}

void dram_stuck(const struct dram_channel *c, uint64_t now, struct text *out)
{
    c->ops->stuck(c, now, out);
}

void dram_stats_add(struct dram_stats *to, const struct dram_stats *from)
{
    STATS_ADD(DRAM_STATS)
}

struct dram_activity dram_activity(const struct dram_params *p, const struct dram_stats *s)
{
    double width = dram_lockstep(p), clock_ns = 1e6 / (double)p->clock_khz;
    return (struct dram_activity){
        .activates = width * (double)s->activates,
        .reads = (double)s->reads,
        .writes = (double)s->writes,
        .rank_refreshes = width * (double)(s->refreshes - s->bank_refreshes),
        .bank_refreshes = width * (double)s->bank_refreshes,
        .burst_bytes = (double)p->burst_length * p->bus_bytes,
        .act_standby_ns = width * (double)s->act_standby_cycles * clock_ns,
        .pre_standby_ns = width * (double)s->pre_standby_cycles * clock_ns,
        .act_powerdown_ns = width * (double)s->act_pd_cycles * clock_ns,
        .pre_powerdown_ns = width * (double)s->pre_pd_cycles * clock_ns,
    };
}
