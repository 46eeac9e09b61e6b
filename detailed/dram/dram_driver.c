/* dram_driver.c - see dram_driver.h. */
#include "detailed/dram/dram_driver.h"

#include "base/io/file.h"
#include "base/memory/rng.h"
#include "base/run/progress.h"
#include "detailed/dram/channel_set.h"
#include "detailed/dram/request_trace.h"

const char *const dram_pattern_name[DRAM_PATTERN_N] = {
    [DRAM_PATTERN_SEQ] = "seq",         [DRAM_PATTERN_RAND] = "rand",
    [DRAM_PATTERN_MIX21] = "mix21",     [DRAM_PATTERN_CONF] = "conf",
    [DRAM_PATTERN_ROWSTEP] = "rowstep",
};

enum { RAND_RANGE_BYTES = 256 << 20, LOOPS_PER_LOOK = 4096 };

/* Long pauses are crossed in leaps of this many cycles, since ranks in power-down wake for each
 * refresh. */
#define LEAP_CYCLES (UINT64_C(1) << 34)

/* A request that its channel has not accepted yet. */
struct offer {
    struct coord at;
    uint64_t due;
    bool write;
};

struct driver {
    const struct dram_params *p;
    const struct dram_traffic *t;
    struct dram_result *out;
    struct channel_set set; /* of each burst in flight: when it was accepted */
    struct instream *trace;
    uint64_t made; /* requests taken from the source */
    struct offer next;
    bool have_next;
};

/* ---- sources ---- */

static struct coord pattern_coord(const struct driver *d, uint64_t i)
{
    const struct dram_params *p = d->p;
    uint64_t burst = (uint64_t)p->burst_length * p->bus_bytes;
    uint32_t banks = dram_bank_count(p);
    uint32_t per_rank = p->bankgroups * p->banks_per_group;
    uint32_t flat = 0;
    switch (d->t->pattern) {
    case DRAM_PATTERN_SEQ:
    case DRAM_PATTERN_MIX21: return map_addr(&d->set.map, i * burst);
    case DRAM_PATTERN_RAND:
        return map_addr(&d->set.map, rng_splitmix64(i + 1) % (RAND_RANGE_BYTES / burst) * burst);
    case DRAM_PATTERN_ROWSTEP: flat = (uint32_t)(i % banks); break;
    case DRAM_PATTERN_CONF:
    case DRAM_PATTERN_N: break;
    }
    return (struct coord){.row = (uint32_t)(i % p->rows),
                          .flat_bank = flat,
                          .rank = flat / per_rank,
                          .bankgroup = flat % per_rank / p->banks_per_group,
                          .bank = flat % p->banks_per_group};
}

static bool next_of_pattern(struct driver *d)
{
    uint64_t i = d->made;
    if (i == d->t->requests) return false;
    bool write = d->t->pattern == DRAM_PATTERN_MIX21 && i % 3 == 2;
    d->next = (struct offer){pattern_coord(d, i), i * d->t->gap, write};
    return true;
}

/* false with *e unset: the trace has ended. */
static bool next_of_trace(struct driver *d, struct error *e)
{
    struct trace_request r;
    uint64_t least = d->made ? d->next.due : 0;
    if (request_trace_next(d->trace, d->t->trace, least, &r, e) != TRACE_REQUEST) return false;
    d->next = (struct offer){map_addr(&d->set.map, r.addr), r.cycle, r.write};
    return true;
}

static bool fetch_next(struct driver *d, struct error *e)
{
    e->kind = ERROR_NONE;
    d->have_next = d->trace ? next_of_trace(d, e) : next_of_pattern(d);
    d->made += d->have_next;
    return e->kind == ERROR_NONE;
}

/* ---- the loop ---- */

/* Takes all completions that are known, even if they are not due yet. */
static void collect_done(struct driver *d, uint32_t channel)
{
    uint64_t born, done;
    bool write;
    while ((done = dram_next_done(d->set.channel[channel])) != UINT64_MAX &&
           channel_set_done(&d->set, channel, done, &born, &write)) {
        if (!write) histogram_add(&d->out->latency, done - born, 1);
        if (done > d->out->cycles) d->out->cycles = done;
    }
}

/* Lets the channels accept all requests that the source offers now. *blocked: a channel is full. */
static bool accept_offers(struct driver *d, uint64_t now, bool *blocked, struct error *e)
{
    *blocked = false;
    for (uint32_t k = 0; k < d->t->percycle && d->have_next && d->next.due <= now; k++) {
        *blocked = !dram_can_accept(d->set.channel[d->next.at.channel], d->next.write);
        if (*blocked) return true;
        if (!channel_set_accept(&d->set, &d->next.at, d->next.write, now, now))
            return error_no_memory(e);
        d->out->requests++;
        if (!fetch_next(d, e)) return false;
    }
    return true;
}

/* Steps the channels that are due; returns the next cycle at which one is. */
static uint64_t step_channels(struct driver *d, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < d->p->channels; i++) {
        if (channel_set_step(&d->set, i, now)) collect_done(d, i);
        if (d->set.wake[i] < next) next = d->set.wake[i];
    }
    return next;
}

/* Crosses a part of a long pause, so that interrupts are noticed in between. */
static uint64_t leap_to_next(struct driver *d, uint64_t now)
{
    for (uint32_t i = 0; i < d->p->channels; i++)
        d->set.wake[i] = now + LEAP_CYCLES;
    return now + LEAP_CYCLES;
}

static bool run_driver(struct driver *d, struct error *e)
{
    uint64_t now = 0, loops = 0;
    bool leapt = false;
    if (!fetch_next(d, e)) return false;
    while (d->have_next || d->set.in_flight) {
        if ((leapt || ++loops % LOOPS_PER_LOOK == 0) && plumb_interrupted)
            return error_interrupted(e, "serving requests");
        bool blocked;
        if (!accept_offers(d, now, &blocked, e)) return false;
        uint64_t next = step_channels(d, now);
        uint64_t due = d->have_next && !blocked ? d->next.due : UINT64_MAX;
        if (due < next) next = due;
        leapt = next > now && next - now > LEAP_CYCLES;
        now = leapt ? leap_to_next(d, now) : next > now ? next : now + 1;
    }
    return true;
}

/* ---- set-up and results ---- */

static bool set_up(struct driver *d, struct error *e)
{
    if (!channel_set_open(&d->set, d->p, d->t->interleave_bytes, e)) return false;
    if (d->t->log) dram_set_log(d->set.channel[0], d->t->log, d->t->log_ctx);
    if (!d->t->trace) return true;
    d->trace = instream_open(d->t->trace, e);
    return d->trace != NULL;
}

static void sum_up(struct driver *d)
{
    struct dram_result *r = d->out;
    const struct dram_params *p = d->p;
    for (uint32_t i = 0; i < p->channels; i++)
        dram_stats_add(&r->stats, dram_stats(d->set.channel[i], r->cycles));
    r->idle = dram_idle_latency(p);
    double bursts = (double)(r->stats.reads + r->stats.writes), cycles = (double)r->cycles;
    if (bursts == 0) return;
    r->gbps = bursts * p->burst_length * p->bus_bytes * p->clock_khz * 1e-6 / cycles;
    r->utilization =
        (double)r->stats.busy_cycles / (cycles * p->channels * dram_pseudo_channels(p));
    r->row_hit_rate = (double)r->stats.row_hits / bursts;
    if (p->energy.model == DRAM_ENERGY_NONE) return;
    struct dram_activity done = dram_activity(p, &r->stats);
    r->energy = dram_energy(&p->energy, &done);
    r->pj_per_bit = dram_energy_total(&r->energy) / (8 * bursts * done.burst_bytes);
}

bool dram_drive(const struct dram_params *p, const struct dram_traffic *t, struct dram_result *out,
                struct error *e)
{
    struct driver d = {.p = p, .t = t, .out = out};
    *out = (struct dram_result){0};
    bool ok = set_up(&d, e) && run_driver(&d, e);
    if (ok) sum_up(&d);
    channel_set_close(&d.set);
    if (d.trace) instream_close(d.trace);
    return ok;
}
