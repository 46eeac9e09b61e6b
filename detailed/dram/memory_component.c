/* memory_component.c - the first and the second memory among a simulation's components. */
#include "detailed/dram/memory_controller.h"
#include "detailed/parts/component.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_SETTER(dram, DRAM_STATS)

static uint32_t steps(const struct machine *m)
{
    return m->dram.channels;
}
static uint32_t steps_of_second(const struct machine *m)
{
    return m->second_dram.channels;
}

static uint64_t host_bytes(const struct machine *m)
{
    return m->dram.channels * dram_need(&m->dram);
}
static uint64_t host_bytes_of_second(const struct machine *m)
{
    return m->second_dram.channels * dram_need(&m->second_dram);
}

COMPONENT_OF_PARTS(memory)

static uint64_t progress(const void *object)
{
    const struct memory *m = object;
    return m->is_shared ? 0 : memory_bytes_read(m) + memory_bytes_written(m);
}

/* What both memories have done; times in us. */
struct memory_sums {
    struct dram_stats counts;
    uint64_t hottest; /* bursts of the busiest channel */
    double bytes, latency_us, busy_us, channel_us, bank_us, active_us;
    struct dram_energy energy;
    bool has_banks, has_energy;
};

static void add_memory(const struct memory *memory, const struct objects *o, double time_us,
                       struct memory_sums *to)
{
    const struct dram_params *p = memory->p;
    struct dram_stats sum = {0};
    double cycle_us = (double)memory->dram_period * o->clocks->tick_us;
    for (uint32_t i = 0; i < memory->channels; i++) {
        const struct dram_stats *one =
            dram_stats(memory->channel[i].dram, o->tick / memory->dram_period);
        if (one->reads + one->writes > to->hottest) to->hottest = one->reads + one->writes;
        dram_stats_add(&sum, one);
    }
    dram_stats_add(&to->counts, &sum);
    to->bytes += (double)(sum.reads + sum.writes) * memory->burst_bytes;
    to->latency_us += (double)sum.latency_sum * cycle_us;
    to->has_energy &= p->energy.model != DRAM_ENERGY_NONE && p->model == DRAM_BANKS;
    if (p->model == DRAM_FIXED) return; /* no rows, no banks, no bus */
    to->has_banks = true;
    to->busy_us += (double)sum.busy_cycles * cycle_us;
    to->channel_us += (double)p->channels * dram_pseudo_channels(p) * time_us;
    to->bank_us += (double)sum.bank_cycles * cycle_us;
    to->active_us += (double)sum.active_cycles * cycle_us;
    if (!to->has_energy) return;
    struct dram_activity done = dram_activity(p, &sum);
    struct dram_energy e = dram_energy(&p->energy, &done);
    dram_energy_join(&to->energy, &e);
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct memory *first = o->all, *second = first->second;
    struct memory_sums sum = {.has_energy = true};
    uint32_t channels = first->channels + (second ? second->channels : 0);
    add_memory(first, o, m->v[M_time_us], &sum);
    if (second) add_memory(second, o, m->v[M_time_us], &sum);
    set_dram(second && first->p->model == DRAM_FIXED ? second->p : first->p, &sum.counts, m);
    metrics_set(m, M_dram_bursts, (double)(sum.counts.reads + sum.counts.writes));
    metrics_set(m, M_dram_hottest, (double)sum.hottest * channels);
    metrics_set(m, M_dram_bytes, sum.bytes);
    metrics_set(m, M_dram_latency_sum, sum.latency_us * 1e3);
    if (!sum.has_banks) return;
    metrics_set(m, M_dram_busy, sum.busy_us);
    metrics_set(m, M_dram_channel_us, sum.channel_us);
    metrics_set(m, M_dram_bank_us, sum.bank_us);
    metrics_set(m, M_dram_active_us, sum.active_us);
    if (sum.has_energy) dram_energy_metrics(&sum.energy, m); /* else absent */
}

/* Opens the row that each bank of a memory accessed last, unless the bank has been refreshed since.
 * Banks are identified by their flat number. Refreshes fall due by the pass's clock. */
static void warm_memory(const struct memory *memory, uint64_t core_period,
                        const struct warm_state *w, size_t first)
{
    const struct dram_params *d = memory->p;
    uint64_t period = memory->dram_period;
    uint32_t banks = dram_bank_count(d), groups = d->bankgroups * d->banks_per_group;
    for (uint32_t ch = 0; ch < memory->channels; ch++) {
        struct dram_channel *dram = memory->channel[ch].dram;
        dram_warm_clock(dram, clock_floor(w->cycles, core_period, period));
        if (d->model != DRAM_BANKS || d->page_policy != PAGE_OPEN) continue;
        size_t at = first + (size_t)ch * banks;
        for (uint32_t b = 0; b < banks; b++, at++) {
            struct coord c = {.channel = ch,
                              .flat_bank = b,
                              .row = w->row[at],
                              .rank = b / groups,
                              .bankgroup = b % groups / d->banks_per_group,
                              .bank = b % d->banks_per_group};
            if (c.row == ROW_NONE) continue;
            dram_warm_row(dram, &c, clock_floor(w->idle[at], core_period, period));
        }
    }
}

static void load(const struct objects *o, const struct warm_state *w)
{
    const struct memory *first = o->all;
    size_t banks = (size_t)first->channels * dram_bank_count(first->p);
    warm_memory(first, o->clocks->period[CLOCK_CORE], w, 0);
    if (first->second) warm_memory(first->second, o->clocks->period[CLOCK_CORE], w, banks);
}

/* Counts and rows of the second stand with the first's. */
const struct component_ops memory_component = {.name = "memory",
                                               .size = sizeof(struct memory),
                                               .steps = steps,
                                               .host_bytes = host_bytes,
                                               .progress = progress,
                                               .add_metrics = add_metrics,
                                               .load = load,
                                               COMPONENT_PASSED};
const struct component_ops second_memory_component = {.name = "second memory",
                                                      .size = sizeof(struct memory),
                                                      .steps = steps_of_second,
                                                      .host_bytes = host_bytes_of_second,
                                                      .progress = progress,
                                                      COMPONENT_PASSED};
