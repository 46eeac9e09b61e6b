/* simulate.c - see simulate.h. */
#include "sampler/run/simulate.h"

#include "answer/launch_selection.h"
#include "base/memory/alloc.h"
#include "detailed/core/sim.h"
#include "detailed/counters/site_counters.h"
#include "gpu/energy/account.h"
#include "gpu/energy/peak_power.h"
#include "gpu/machine/machine.h"
#include "trace/program/summary.h"

#include <stdio.h>
#include <string.h>

struct watch {
    struct answer *a;
    const struct program *p;
    const struct run_opts *o;
    bool powered; /* peak power is requested and can be computed */
    struct power_watch power;
    double peak; /* largest over all ranges */
    const struct energy_costs *costs;
    double first_cycle; /* of the range: the cycles of the ranges before it */
    bool begun;
    struct metrics before;    /* of the intervals reported: the counts when the last one ended */
    uint32_t launches, ended; /* selected; of them ended */
    uint64_t ctas;            /* of the running launch: those that the progress has */
};

/* Computes the energy of all counts since the run began, so that the intervals' energies add up. */
static void each_stretch(const struct metrics *now, void *ctx)
{
    struct watch *w = ctx;
    struct metrics all = *now, m;
    if (w->costs->on) energy_account(w->costs, &all);
    if (!w->begun) {
        /* a metric counts from 0 before its first interval */
        memcpy(w->before.has, all.has, sizeof all.has);
        w->before.has_load_latency = all.has_load_latency;
        w->before.has_max_latency = all.has_max_latency;
    }
    w->begun = true;
    if (!(all.v[M_cycles] > w->before.v[M_cycles])) return;
    metrics_diff(&m, &all, &w->before);
    w->o->each(w->first_cycle + w->before.v[M_cycles], w->first_cycle + all.v[M_cycles], &m,
               w->o->each_ctx);
    w->before = all;
}

static void each_window(const struct metrics *now, void *ctx)
{
    struct watch *w = ctx;
    power_window(&w->power, now);
}

/* Counts the CTAs of the running launch that have ended. */
static void each_ctas(uint64_t ended, void *ctx)
{
    struct watch *w = ctx;
    struct progress *p = w->o->progress;
    if (w->launches > 1)
        snprintf(p->part, sizeof p->part, "launch %u of %u", w->ended + 1, w->launches);
    progress_add(p, ended - w->ctas);
    w->ctas = ended;
}

static void each_launch(uint32_t launch, const struct metrics *m, void *ctx)
{
    struct watch *w = ctx;
    struct answer_kernel *k = answer_kernel(w->a, launch);
    struct metrics own = *m;
    if (w->powered) power_launch(&w->power, &own);
    if (k) k->m = own;
    if (w->o->progress) each_ctas(program_launch(w->p, launch)->ctas, w);
    w->ended++;
    w->ctas = 0;
}

/* Each range is a run of its own: it begins with empty caches, and its counts are added to the
 * earlier ones. */
static enum sim_end run_range(struct sim *s, struct launch_range r, uint64_t limit, struct watch *w,
                              struct error *e)
{
    struct metrics m;
    const struct sim_scope scope = {.first_launch = r.first,
                                    .last_launch = r.first + r.n - 1,
                                    .launch_range = true,
                                    .max_instructions = limit};
    if (w->powered) power_begin(&w->power, w->power.costs);
    w->first_cycle = w->a->m.v[M_cycles];
    w->begun = false;
    w->before = (struct metrics){0};
    enum sim_end end = sim_run(s, &scope, each_launch, w, e);
    if (end == SIM_FAILED) return end;
    if (w->power.highest > w->peak) w->peak = w->power.highest;
    sim_metrics(s, &m);
    if (w->o->every) each_stretch(&m, w);
    metrics_accumulate(&w->a->m, &m, 1);
    metrics_finish(&w->a->m);
    w->a->simulated_instructions = (uint64_t)w->a->m.v[M_warp_instructions];
    return end;
}

static enum sim_end run_ranges(struct sim *s, const bool *selected, uint32_t launches,
                               struct watch *w, struct error *e)
{
    uint64_t limit = w->o->max_instructions;
    struct launch_range r = {0};
    enum sim_end end = SIM_DONE;
    while (end == SIM_DONE && launch_selection_next(selected, launches, r.first + r.n, &r)) {
        uint64_t done = w->a->simulated_instructions;
        if (limit && done >= limit) return SIM_LIMIT;
        end = run_range(s, r, limit ? limit - done : 0, w, e);
    }
    return end;
}

/* The progress counts CTAs, as launches may be few or of different sizes. */
static void start_progress(struct sim *s, struct watch *w, const bool *selected)
{
    uint64_t ctas = 0;
    if (!w->o->progress) return;
    for (uint32_t l = 0; l < program_launches(w->p); l++) {
        w->launches += selected[l];
        if (selected[l]) ctas += program_launch(w->p, l)->ctas;
    }
    progress_start(w->o->progress, "CTAs", ctas);
    sim_tell_ctas(s, each_ctas, w);
}

/* Allocates the counters by instruction and buffer; reads the program once to find its buffers. */
static bool answer_sites(struct answer *a, const struct program *p, struct error *e)
{
    struct program_summary sum;
    uint32_t n = 0;
    if (!program_summarize(&sum, p, NULL, e)) return false;
    struct region *region = program_regions(&sum, p, &n);
    program_summary_fini(&sum);
    a->sites = mem_new(1, sizeof *a->sites);
    bool ok = a->sites && site_counters_init(a->sites, region, n);
    mem_free(region);
    return ok || error_no_memory(e);
}

bool simulate_run(const struct machine *m, const struct program *p, const bool *selected,
                  const struct energy_costs *costs, const struct run_opts *o, struct answer *a,
                  struct error *e)
{
    uint32_t launches = program_launches(p);
    uint32_t window = m->energy.window_cycles;
    struct watch w = {
        .a = a, .p = p, .o = o, .costs = costs, .powered = window && peak_power_is_known(costs)};
    if (o->per_kernel && !answer_kernels(a, p, selected, e)) return false;
    if (o->sites && !answer_sites(a, p, e)) return false;
    struct sim *s = sim_new(m, p, e);
    if (!s) return false;
    if (o->sites) sim_count_sites(s, a->sites);
    a->threads = sim_use_threads(s, o->threads ? o->threads : 1, e);
    if (!a->threads) {
        sim_free(s);
        return false;
    }
    start_progress(s, &w, selected);
    power_begin(&w.power, costs);
    if (w.powered) sim_watch(s, window, each_window, &w);
    if (o->every) sim_watch(s, o->every, each_stretch, &w);
    enum sim_end end = run_ranges(s, selected, launches, &w, e);
    sim_free(s);
    if (w.peak > 0) metrics_set(&a->m, M_power_peak, w.peak);
    if (o->progress) progress_finish(o->progress);
    if (end == SIM_FAILED) return false;
    if (end == SIM_DONE || end == SIM_LIMIT) return true;
    error_run(e, "%s: interrupted", program_name(p));
    if (e) e->kind = ERROR_INTERRUPTED;
    return false;
}
