/* dram.c - the memory alone; see plumb_dram.h. */
#include "libplumb/plumb_dram.h"

#include "base/memory/alloc.h"
#include "detailed/dram/dram.h"
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>

enum { INTERLEAVE_BYTES = 256 }; /* consecutive bytes on one channel, as `plumb dram` has it */

struct plumb_dram {
    struct dram_params p;
    struct map map;
    struct dram_channel **channel; /* [p.channels] */
    uint64_t *wake;                /* [p.channels] when the channel must be stepped again */
    uint64_t *id;                  /* [cap] the caller's, by tag */
    uint32_t *free_tag;            /* [cap] */
    size_t cap, n_free;
    uint64_t now, pending;
    plumb_dram_done *done;
    void *context;
};

/* --- parameters --- */

static bool only_dram(const char *const *sets, size_t n, struct errors *all)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(sets[i], "dram.", 5) != 0)
            errors_add(all, "--set %s: not of the memory; paths that begin with dram. are allowed",
                       sets[i]);
    return all->n == 0;
}

/* The memory of a default machine with one slice, which suits any number of channels. */
bool libplumb_memory(struct dram_params *p, const char *set, const char *const *sets, size_t n,
                     struct errors *all)
{
    char name[512];
    struct machine m;
    if (!only_dram(sets, n, all)) return false;
    const char **mine = mem_new(n + 2, sizeof *mine);
    if (!mine) {
        struct error e;
        error_no_memory(&e);
        errors_add_error(all, &e);
        return false;
    }
    snprintf(name, sizeof name, "dram.set=%s", set);
    mine[0] = "l2.banks=1";
    mine[1] = name;
    if (n) memcpy(mine + 2, sets, n * sizeof *mine);
    machine_defaults(&m);
    bool ok = machine_set(&m, mine, n + 2, all);
    mem_free(mine);
    *p = m.dram;
    return ok;
}

/* --- opening --- */

static bool open_channels(plumb_dram *d, struct error *e)
{
    const struct l2_params l2 = {
        .banks = d->p.channels, .interleave_bytes = INTERLEAVE_BYTES, .slice_hash = SLICE_MODULO};
    if (!map_init(&d->map, &l2, &d->p, e)) return false;
    d->channel = mem_new(d->p.channels, sizeof(struct dram_channel *));
    d->wake = mem_new(d->p.channels, sizeof *d->wake);
    if (!d->channel || !d->wake) return error_no_memory(e);
    for (uint32_t i = 0; i < d->p.channels; i++) {
        d->channel[i] = dram_new(&d->p, e);
        if (!d->channel[i]) return false;
        d->wake[i] = UINT64_MAX;
    }
    return true;
}

plumb_dram *plumb_dram_open(const char *memory, const char *const *set, size_t n,
                            plumb_dram_done *done, void *context)
{
    struct errors all = {0};
    struct error e = {0};
    plumb_dram *d = mem_new(1, sizeof *d);
    last_error_clear();
    bool loaded = d && libplumb_memory(&d->p, memory, set, n, &all);
    bool ok = loaded && open_channels(d, &e);
    if (!d) error_no_memory(&e);
    if (!ok && all.n)
        last_error_set_all(&all);
    else if (!ok)
        last_error_set(&e);
    errors_fini(&all);
    if (ok) {
        d->done = done;
        d->context = context;
        return d;
    }
    plumb_dram_close(d);
    return NULL;
}

void plumb_dram_close(plumb_dram *dram)
{
    if (!dram) return;
    for (uint32_t i = 0; dram->channel && i < dram->p.channels; i++)
        dram_free(dram->channel[i]);
    mem_free(dram->channel);
    mem_free(dram->wake);
    mem_free(dram->id);
    mem_free(dram->free_tag);
    mem_free(dram);
}

uint32_t plumb_dram_burst(const plumb_dram *dram)
{
    return dram->p.burst_length * dram->p.bus_bytes;
}

double plumb_dram_clock_ps(const plumb_dram *dram)
{
    return 1e9 / dram->p.clock_khz;
}

/* --- running --- */

static bool new_tag(plumb_dram *d, uint64_t id, uint32_t *tag)
{
    if (d->n_free == 0) {
        size_t old = d->cap, cap = d->cap;
        if (!mem_grow(&d->id, &cap, old + 1, sizeof *d->id)) return false;
        if (!mem_grow(&d->free_tag, &d->cap, cap, sizeof *d->free_tag)) return false;
        for (size_t i = cap; i > old; i--)
            d->free_tag[d->n_free++] = (uint32_t)(i - 1);
    }
    *tag = d->free_tag[--d->n_free];
    d->id[*tag] = id;
    return true;
}

int plumb_dram_request(plumb_dram *dram, uint64_t address, int write, uint64_t id)
{
    struct coord at = map_addr(&dram->map, address);
    struct dram_channel *c = dram->channel[at.channel];
    uint32_t tag;
    if (!dram_can_accept(c, write != 0) || !new_tag(dram, id, &tag)) return 0;
    dram_accept(c, &at, write != 0, tag, dram->now);
    dram->wake[at.channel] = dram->now;
    dram->pending++;
    return 1;
}

static void report_done(plumb_dram *d, uint32_t channel)
{
    uint32_t tag;
    bool write;
    while (dram_done(d->channel[channel], d->now, &tag, &write)) {
        uint64_t id = d->id[tag];
        d->free_tag[d->n_free++] = tag;
        d->pending--;
        if (d->done) d->done(id, write, d->now, d->context);
    }
}

/* Steps the channels that are due and reports what is complete at this clock. */
static void serve_clock(plumb_dram *d)
{
    for (uint32_t i = 0; i < d->p.channels; i++) {
        if (d->wake[i] <= d->now) d->wake[i] = dram_step(d->channel[i], d->now);
        if (dram_next_done(d->channel[i]) <= d->now) report_done(d, i);
    }
}

/* The next clock, after this one, at which something happens. */
static uint64_t next_event(const plumb_dram *d)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < d->p.channels; i++) {
        uint64_t done = dram_next_done(d->channel[i]);
        uint64_t due = d->wake[i] < done ? d->wake[i] : done;
        if (due < next) next = due;
    }
    return next > d->now ? next : d->now + 1;
}

uint64_t plumb_dram_tick(plumb_dram *dram, uint64_t clocks)
{
    uint64_t until = clocks < UINT64_MAX - dram->now ? dram->now + clocks : UINT64_MAX;
    while (dram->now < until) {
        serve_clock(dram);
        uint64_t next = next_event(dram);
        dram->now = next < until ? next : until;
    }
    return dram->now;
}

uint64_t plumb_dram_pending(const plumb_dram *dram)
{
    return dram->pending;
}

void plumb_dram_count(plumb_dram *dram, struct plumb_dram_counts *counts)
{
    *counts = (struct plumb_dram_counts){0};
    for (uint32_t i = 0; i < dram->p.channels; i++) {
        const struct dram_stats *s = dram_stats(dram->channel[i], dram->now);
        counts->reads += s->reads;
        counts->writes += s->writes;
        counts->activates += s->activates;
        counts->refreshes += s->refreshes;
        counts->row_hits += s->row_hits;
        counts->busy_clocks += s->busy_cycles;
    }
}
