/* fixed_model.c - memory of a constant latency behind a bandwidth limit, without banks (Multi2Sim's
 * model).
 *
 * The clock is dram.clock_mhz; fixed_latency counts its cycles, so a machine whose latency is given
 * in core cycles sets dram.clock_mhz to the core's.  A burst occupies the channel for
 * burst_bytes / fixed_gbps, one after the other, and completes fixed_latency after its turn.
 * `queue` bounds the bursts that wait for their turn. */
#include "base/memory/alloc.h"
#include "detailed/dram/channel.h"

#include <math.h>

/* Bursts in flight: as many as can start within one latency at 4 per cycle. */
enum { STARTS_PER_CYCLE = 4 };

struct fixed {
    struct dram_channel base;
    double service; /* cycles per burst */
    double free_at; /* when the channel takes the next burst */
    double busy;    /* cycles of the data bus */
    uint64_t now;
    uint64_t busy_until; /* active_cycles are counted up to here */
};

static struct fixed *fixed_of(struct dram_channel *c)
{
    return (struct fixed *)c;
}

static const struct fixed *of_const(const struct dram_channel *c)
{
    return (const struct fixed *)c;
}

static double service_cycles(const struct dram_params *p)
{
    double bytes_per_cycle = p->fixed_gbps * 1e6 / (double)p->clock_khz;
    return p->fixed_gbps > 0 ? p->burst_length * p->bus_bytes / bytes_per_cycle : 0;
}

static uint32_t queue_room(const struct dram_params *p)
{
    return p->queue + STARTS_PER_CYCLE * (p->fixed_latency + 1);
}

static uint64_t fixed_need(const struct dram_params *p)
{
    return sizeof(struct fixed) + dram_fifo_need(queue_room(p));
}

static struct dram_channel *fixed_make(const struct dram_params *p)
{
    struct fixed *f = mem_new(1, sizeof *f);
    if (!f) return NULL;
    f->base.ops = &dram_fixed_ops;
    f->base.p = *p;
    f->service = service_cycles(p);
    if (!dram_fifo_init(&f->base.done, queue_room(p))) {
        mem_free(f);
        return NULL;
    }
    return &f->base;
}

static void fixed_destroy(struct dram_channel *c)
{
    dram_fifo_fini(&c->done);
    mem_free(fixed_of(c));
}

static uint32_t fixed_queued(const struct dram_channel *c)
{
    const struct fixed *f = of_const(c);
    double behind = f->free_at - (double)f->now;
    return behind > f->service && f->service > 0 ? (uint32_t)(behind / f->service) : 0;
}

static bool fixed_can_accept(const struct dram_channel *c, bool write)
{
    (void)write;
    return !dram_fifo_full(&c->done) && fixed_queued(c) < c->p.queue;
}

static void count_access(struct fixed *f, bool write, uint64_t start, uint64_t done, uint64_t now)
{
    struct dram_stats *s = &f->base.s;
    if (write) {
        s->writes++;
    } else {
        s->reads++;
        s->latency_sum += done - now;
    }
    f->busy += f->service;
    s->busy_cycles = (uint64_t)f->busy;
    uint64_t from = start > f->busy_until ? start : f->busy_until;
    if (done > from) s->active_cycles += done - from;
    if (done > f->busy_until) f->busy_until = done;
    s->bank_cycles = s->active_cycles; /* one server */
}

static void fixed_accept(struct dram_channel *c, enum dram_client client, const struct coord *at,
                         bool write, uint32_t tag, uint64_t now)
{
    (void)client;
    (void)at;
    struct fixed *f = fixed_of(c);
    f->now = now;
    double start = f->free_at > (double)now ? f->free_at : (double)now;
    f->free_at = start + f->service;
    uint64_t done = (uint64_t)ceil(f->free_at) + c->p.fixed_latency;
    dram_fifo_push(&c->done, done, tag, write);
    count_access(f, write, (uint64_t)start, done, now);
}

/* While bursts wait, room may appear at the next service. */
static uint64_t fixed_step(struct dram_channel *c, uint64_t now)
{
    struct fixed *f = fixed_of(c);
    f->now = now;
    if (fixed_queued(c) == 0) return DRAM_NEVER;
    uint64_t next = (uint64_t)ceil((double)now + f->service);
    return next > now ? next : now + 1;
}

static void fixed_integrate(struct dram_channel *c, uint64_t now)
{
    fixed_of(c)->now = now;
}

static void fixed_warm_clock(struct dram_channel *c, uint64_t past)
{
    (void)c;
    (void)past;
}

static void fixed_warm_row(struct dram_channel *c, const struct coord *at, uint64_t age)
{
    (void)c;
    (void)at;
    (void)age;
}

static bool fixed_check(const struct dram_channel *c)
{
    return c->done.n <= c->done.mask + 1;
}

static void fixed_stuck(const struct dram_channel *c, uint64_t now, struct text *out)
{
    text_add(out, "fixed-latency memory at %llu: %u bursts wait for bandwidth, %u on their way",
             (unsigned long long)now, fixed_queued(c), c->done.n);
}

static struct dram_idle fixed_idle(const struct dram_params *p)
{
    uint32_t latency = (uint32_t)ceil(service_cycles(p)) + p->fixed_latency;
    return (struct dram_idle){latency, latency, latency};
}

static double fixed_peak(const struct dram_params *p)
{
    return p->fixed_gbps;
}

const struct dram_ops dram_fixed_ops = {
    .make = fixed_make,
    .destroy = fixed_destroy,
    .can_accept = fixed_can_accept,
    .accept = fixed_accept,
    .step = fixed_step,
    .integrate = fixed_integrate,
    .warm_clock = fixed_warm_clock,
    .warm_row = fixed_warm_row,
    .queued = fixed_queued,
    .check = fixed_check,
    .stuck = fixed_stuck,
    .idle_latency = fixed_idle,
    .peak_gbps = fixed_peak,
    .need = fixed_need,
};
