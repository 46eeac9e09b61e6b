/* l2_miss_model.c - see l2_miss_model.h. */
#include "estimator/terms/l2_miss_model.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/inclusion_model.h"

#include <math.h>

double l2_miss_blocked_share(double servers, double load)
{
    double free = 1; /* 1 / share blocked */
    if (load <= 0) return 0;
    for (double n = 1; n <= servers && free < 1 / BLOCKED_NEVER; n++)
        free = 1 + n / load * free;
    return servers < 1 ? 1 : 1 / free;
}

static bool is_conventional(const struct launch_model *m)
{
    return m->e->l2->miss_management == MISS_CONVENTIONAL;
}

/* Sectors fetched of a line during its stay, estimated from those that the launch touches first. */
static double sectors_of_line(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct cache_params *l2 = &m->e->l2->cache;
    double lines = m->place->lines_after - m->place->lines_before,
           most = (double)l2->line_bytes / l2->sector_bytes;
    double first = (double)p->l2_read.far;
    if (l2->write_miss != WRITE_MISS_NO_ALLOCATE) first += (double)p->l2_write.far;
    return math_smaller(most, math_larger(1, math_over(first, lines)));
}

/* Finds the lines that misses of the launch allocate, and how many of them were empty. */
void l2_miss_init(struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    const struct l2_params *l2 = m->e->l2;
    struct l2_miss *t = &m->l2_miss;
    double lines = l2->banks * ((double)l2->cache.sets * l2->cache.ways + l2->vc.entries);
    double misses = v->l2.reads - v->l2.read_hits + v->l2.writes - v->l2.write_hits;
    double sectors = sectors_of_line(m), takes = misses / sectors;
    double filled =
        math_smaller(lines, m->place->lines_after) - math_smaller(lines, m->place->lines_before);
    *t = (struct l2_miss){.early = l2->frc.entries ? 1 : 0};
    t->evicts = math_over(math_larger(0, takes - filled), misses);
    t->dirty = math_smaller(1, math_over(v->writebacks / sectors, t->evicts * misses));
}

/* DRAM clocks from a write's command, or its row's activate, to its last beat. */
static double write_clocks(const struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    const struct burst_time *b = &m->memory.burst;
    if (d->model != DRAM_BANKS) return d->fixed_latency;
    return d->t.tCWL + b->data + b->conflict + (1 - b->row_hits) * b->open;
}

/* The mean exit of a victim that no L1 has any more, over clean and dirty ones. */
static struct victim_exit way_out(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct l2_miss *t = &m->l2_miss;
    double told = m->in.dram_cycle + m->in.l2_cycle, go = t->dirty * (1 - t->buffered);
    double ask = l2->clean_victim_notice ? 1 - t->dirty : 0;
    double answer = l2->notice_cycles * m->in.l2_cycle + m->e->dram->extra_latency;
    struct victim_exit w = {.cycles = (go + ask) * told + ask * answer,
                            .waits = (go + ask) * t->outside};
    if (l2->eviction_end == EVICTION_WRITTEN) {
        w.cycles += go * write_clocks(m) * m->in.dram_cycle;
        w.waits += go * (1 - t->outside);
    }
    if (l2->vc.entries) w.cycles += l2->vc.swap_cycles * m->in.l2_cycle;
    return w;
}

/* The share of the wait for memory that is spent before the controllers. */
static double wait_share_outside(const struct launch_model *m)
{
    const struct network_station *s = &m->net.at[AT_DRAM];
    double rate = m->result.throughput * s->visits;
    double queue = rate * launch_memory_wait(m), room = m->e->dram->queue * m->wave.channels;
    return queue > room ? 1 - room / queue : 0;
}

/* Mean time that an MSHR is held if a share `early` of the evicting misses has an FRC entry. */
static double entry_hold_cycles(const struct launch_model *m, double fetch, double out,
                                double early)
{
    const struct l2_miss *t = &m->l2_miss;
    double swap = m->e->l2->frc.swap_cycles * m->in.l2_cycle;
    return fetch + t->evicts * (early * swap + (1 - early) * out);
}

/* The share of the evicting misses that get an FRC entry.  It is the one share that is consistent
 * with the rate that the MSHRs then let through and the entries then refuse, because both fall with
 * it. */
static double early_share(const struct launch_model *m, double fetch, double out)
{
    const struct frc_params *f = &m->e->l2->frc;
    const struct l2_miss *t = &m->l2_miss;
    double ways = f->ways < f->entries ? f->ways : f->entries, sets = f->entries / ways;
    double rate = m->result.throughput * m->r.fetches * t->evicts / m->spread.fetches;
    double bound = math_smaller(1, m->result.utilization[AT_L2_MSHR]), low = 0, high = 1;
    double busy = fetch + f->swap_cycles * m->in.l2_cycle + out,
           was = entry_hold_cycles(m, fetch, out, t->early);
    for (uint32_t i = 0; i < MISS_HALVINGS; i++) {
        double early = 0.5 * (low + high);
        double more = 1 + bound * (was / entry_hold_cycles(m, fetch, out, early) - 1);
        bool finds = 1 - l2_miss_blocked_share(ways, rate * more * busy / sets) > early;
        *(finds ? &low : &high) = early;
    }
    return low;
}

void l2_miss_find(struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    struct l2_miss *t = &m->l2_miss;
    double wait = launch_memory_wait(m);
    if (!is_conventional(m)) return;
    t->recall = m->inclusion.asked * inclusion_wait(m);
    if (m->result.throughput > 0) {
        double fetch = m->latency.dram + wait;
        t->outside = wait_share_outside(m);
        struct victim_exit all = way_out(m);
        double out = t->recall + all.cycles + all.waits * wait;
        if (l2->frc.entries) t->early = early_share(m, fetch, out);
        double rate = m->result.throughput * m->r.memory_writes / m->spread.fetches;
        if (l2->writeback_buffer)
            t->buffered = 1 - l2_miss_blocked_share(l2->writeback_buffer, rate * fetch);
    }
    struct victim_exit out = way_out(m);
    double late = t->evicts * (1 - t->early);
    t->recalled = late * t->recall;
    t->leaving = late * out.cycles;
    t->exit = (struct victim_exit){t->recalled + t->leaving, late * out.waits};
    t->swap = t->evicts * t->early * l2->frc.swap_cycles * m->in.l2_cycle;
    t->lookup = m->in.l2_cycle * ((l2->frc.entries ? l2->frc.lookup_cycles : 0) +
                                  (l2->vc.entries ? l2->vc.lookup_cycles : 0));
}

double l2_miss_entry_cycles(const struct launch_model *m)
{
    const struct burst_time *b = &m->memory.burst;
    const struct l2_miss *t = &m->l2_miss;
    const struct dram_params *d = m->e->dram;
    double writes = math_over(m->r.memory_writes, m->r.fetches), dram = 0;
    double ahead = math_smaller(d->queue, 0.5 * (m->rows.run - 1) * (1 + writes));
    bool conventional = m->e->l2->miss_management == MISS_CONVENTIONAL;
    if (d->model == DRAM_BANKS) dram = ahead * b->data;
    if (conventional && m->e->l2->eviction_end == EVICTION_ACCEPTED && !d->write_queue)
        dram += math_smaller(1, writes) * b->after_write;
    return m->latency.dram + t->exit.cycles + t->swap + dram * m->in.dram_cycle;
}

double l2_miss_entries(const struct l2_params *l2)
{
    double entries = l2->cache.mshr.entries, requests = l2_link_requests(l2);
    return requests > 0 && (entries == 0 || requests < entries) ? requests : entries;
}

double l2_miss_until_full(double sets, double ways)
{
    double low = ways, high = sets * ways + 1;
    for (uint32_t i = 0; i < MISS_HALVINGS; i++) {
        double misses = 0.5 * (low + high);
        double none = pow(hit_curve_binomial(misses, ways + 1, sets), sets);
        *(none > 0.5 ? &low : &high) = misses;
    }
    return low;
}

void l2_miss_lines(struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    const struct cache_params *c = &l2->cache;
    if (is_conventional(m))
        m->lines.l2 = (double)c->sets * c->ways + l2->frc.entries;
    else if (c->alloc == ALLOC_ON_MISS)
        m->lines.l2 = sectors_of_line(m) * l2_miss_until_full(c->sets, c->ways);
}

/* Under conventional management a slice has its share of the misses in flight. */
double l2_miss_capacity(const struct launch_model *m)
{
    double entries = l2_miss_entries(m->e->l2), lines = m->lines.l2;
    double together = m->net.customers * math_larger(1, m->r.fetches);
    if (is_conventional(m))
        lines = math_larger(1, math_smaller(lines, together / m->spread.fetches));
    if (lines == INFINITY) return entries;
    return entries > 0 ? math_smaller(entries, lines) : lines;
}
