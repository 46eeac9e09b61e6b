/* dram.c - the memory alone; see plumb_dram.h. */
#include "libplumb/plumb_dram.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "detailed/dram/channel_set.h"
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { INTERLEAVE_BYTES = 256 }; /* consecutive bytes on one channel, as `plumb dram` has it */

struct plumb_dram {
    struct dram_params p;
    struct channel_set set; /* of each burst in flight: the caller's id */
    uint64_t now;
    bool ticks; /* plumb_dram_tick goes on: `done` may be running */
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

/* Refuses what is neither a file nor the name of a set, with or without a rate, before it becomes a
 * parameter's value. */
static bool known_memory(const char *set, struct errors *all)
{
    struct error e;
    bool path = strchr(set, '/') || strstr(set, ".cfg");
    if (path && file_may_exist(set)) return true;
    char **names = machine_config_names("dram", &e);
    size_t n = 0, length = strcspn(set, "@");
    bool known = false;
    for (; names && names[n]; n++)
        known |= strlen(names[n]) == length && strncasecmp(names[n], set, length) == 0;
    struct text alike = {0};
    bool any = names && text_alike(&alike, set, (const char *const *)names, n);
    if (!names)
        errors_add_error(all, &e);
    else if (!known)
        errors_add(all, "%s: no such timing set; %s%s, and your own is a file (with a / or .cfg)",
                   set, any ? "the closest is " : "'plumb dram --list' shows all",
                   text_str(&alike));
    text_fini(&alike);
    machine_config_dirs_free(names);
    return known;
}

/* The memory of a default machine with one slice, which suits any number of channels. */
bool libplumb_memory(struct dram_params *p, const char *set, const char *const *sets, size_t n,
                     struct errors *all)
{
    char name[512];
    struct machine m;
    if (!known_memory(set, all) || !only_dram(sets, n, all)) return false;
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

static void free_memory(plumb_dram *dram)
{
    if (!dram) return;
    channel_set_close(&dram->set);
    mem_free(dram);
}

plumb_dram *plumb_dram_open(const char *memory, const char *const *set, size_t n,
                            plumb_dram_done *done, void *context)
{
    PLAIN_LOCALE;
    struct errors all = {0};
    struct error e = {0};
    plumb_dram *d = mem_new(1, sizeof *d);
    last_error_clear();
    if (!memory) errors_add(&all, "the memory's name is NULL");
    bool loaded =
        d && settings_are_texts(set, n, &all) && libplumb_memory(&d->p, memory, set, n, &all);
    bool ok = loaded && channel_set_open(&d->set, &d->p, INTERLEAVE_BYTES, &e);
    if (ok && !handle_open(d, HANDLE_DRAM)) ok = error_no_memory(&e);
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
    free_memory(d);
    return NULL;
}

/* What `done` must not do with its own memory. */
static bool is_at_rest(const plumb_dram *dram)
{
    struct error e;
    if (!dram->ticks) return true;
    error_input(&e, "the memory's plumb_dram_tick goes on; its callback may make requests alone");
    last_error_set(&e);
    return false;
}

void plumb_dram_close(plumb_dram *dram)
{
    if (!dram || !handle_is(dram, HANDLE_DRAM) || !is_at_rest(dram)) return;
    if (handle_close(dram, HANDLE_DRAM)) free_memory(dram);
}

uint32_t plumb_dram_burst(const plumb_dram *dram)
{
    if (!handle_is(dram, HANDLE_DRAM)) return 0;
    return dram->p.burst_length * dram->p.bus_bytes;
}

double plumb_dram_clock_ps(const plumb_dram *dram)
{
    if (!handle_is(dram, HANDLE_DRAM)) return 0;
    return 1e9 / dram->p.clock_khz;
}

/* --- running --- */

int plumb_dram_request(plumb_dram *dram, uint64_t address, int write, uint64_t id)
{
    if (!handle_is(dram, HANDLE_DRAM)) return 0;
    struct coord at = map_addr(&dram->set.map, address);
    return dram_can_accept(dram->set.channel[at.channel], write != 0) &&
           channel_set_accept(&dram->set, &at, write != 0, id, dram->now);
}

static void report_done(plumb_dram *d, uint32_t channel)
{
    uint64_t id;
    bool write;
    while (channel_set_done(&d->set, channel, d->now, &id, &write))
        if (d->done) d->done(id, write, d->now, d->context);
}

/* Steps the channels that are due and reports what is complete at this clock. */
static void serve_clock(plumb_dram *d)
{
    for (uint32_t i = 0; i < d->set.n; i++) {
        channel_set_step(&d->set, i, d->now);
        if (dram_next_done(d->set.channel[i]) <= d->now) report_done(d, i);
    }
}

/* The next clock, after this one, at which something happens. */
static uint64_t next_event(const plumb_dram *d)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < d->set.n; i++) {
        uint64_t done = dram_next_done(d->set.channel[i]);
        uint64_t due = d->set.wake[i] < done ? d->set.wake[i] : done;
        if (due < next) next = due;
    }
    return next > d->now ? next : d->now + 1;
}

static void tell_stop(void)
{
    struct error e;
    error_interrupted(&e, "the memory's clocks passed");
    last_error_set(&e);
}

uint64_t plumb_dram_tick(plumb_dram *dram, uint64_t clocks)
{
    if (!handle_is(dram, HANDLE_DRAM) || !is_at_rest(dram)) return 0;
    uint64_t until = clocks < UINT64_MAX - dram->now ? dram->now + clocks : UINT64_MAX;
    dram->ticks = true;
    while (dram->now < until && !plumb_interrupted) {
        serve_clock(dram);
        uint64_t next = next_event(dram);
        dram->now = next < until ? next : until;
    }
    dram->ticks = false;
    if (dram->now < until) tell_stop();
    return dram->now;
}

uint64_t plumb_dram_pending(const plumb_dram *dram)
{
    if (!handle_is(dram, HANDLE_DRAM)) return 0;
    return dram->set.in_flight;
}

void plumb_dram_count(plumb_dram *dram, struct plumb_dram_counts *counts)
{
    struct error e;
    if (!counts) {
        error_input(&e, "the place for the counts is NULL");
        last_error_set(&e);
        return;
    }
    *counts = (struct plumb_dram_counts){0};
    if (!handle_is(dram, HANDLE_DRAM)) return;
    for (uint32_t i = 0; i < dram->set.n; i++) {
        const struct dram_stats *s = dram_stats(dram->set.channel[i], dram->now);
        counts->reads += s->reads;
        counts->writes += s->writes;
        counts->activates += s->activates;
        counts->refreshes += s->refreshes;
        counts->row_hits += s->row_hits;
        counts->busy_clocks += s->busy_cycles;
    }
}
