/* launch_model.c - see launch_model_solve.h. */
#include "estimator/model/launch_model_solve.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/model/term_list.h"

#include <math.h>
#include <string.h>

/* --- input --- */

static double clock_ratio(const struct clocks *c, enum clock_domain d)
{
    return (double)c->period[d] / (double)c->period[CLOCK_CORE];
}

struct launch_samples launch_samples_of(const struct profile *f, uint32_t launch)
{
    const struct address_samples *s = profile_samples(f, launch);
    return (struct launch_samples){.spread = &s->spread,
                                   .each = math_larger(1, s->spread.apart),
                                   .rows = s->rows,
                                   .lines = &s->lines,
                                   .content = &f->sampled[f->place[launch].samples]};
}

/* What has an effect where nothing is found: lines are no limit. */
static void set_neutral(struct launch_model *m)
{
    m->lines.l1 = m->lines.l2 = INFINITY;
}

bool launch_model_init(struct launch_model *m, const struct profile *f, uint32_t launch,
                       const struct est_params *e, const struct map *map,
                       struct placed_pages *pages, struct error *err)
{
    memset(m, 0, sizeof *m);
    m->p = profile_launch(f, launch);
    m->place = &f->place[launch];
    m->shape = &f->shape[launch];
    m->e = e;
    if (pages) placed_pages_find(pages, f, launch);
    m->in = (struct launch_input){
        .f = f,
        .launch = launch,
        .map = map,
        .pages = pages,
        .samples = launch_samples_of(f, launch),
        .launching = sm_launch_cycles(e->sm, launch > 0),
        .occ = occupancy(e->sm, e->l1, m->shape),
        .l2_cycle = clock_ratio(&e->clocks, CLOCK_L2),
        .noc_cycle = clock_ratio(&e->clocks, CLOCK_NOC),
        .dram_cycle = clock_ratio(&e->clocks, CLOCK_DRAM),
        .bursts = math_larger(1, (double)e->l2->cache.sector_bytes /
                                     ((double)e->dram->bus_bytes * e->dram->burst_length))};
    if (!m->in.occ.ctas)
        return error_input(err, "launch %u: a CTA of %u warps does not fit on an SM", m->shape->id,
                           m->shape->warps_per_cta);
    set_neutral(m);
    term_list_run(m, TERM_TRAFFIC);
    return true;
}

/* --- phases --- */

static void phase_lines(const struct launch_model *m, double lines[PHASE_LEVELS])
{
    lines[PHASE_L1] = m->levels.l1.effective_lines;
    lines[PHASE_L2] = m->levels.l2.effective_lines;
}

double launch_model_part(const struct launch_model *m, uint32_t part, struct phase *out)
{
    double lines[PHASE_LEVELS];
    phase_lines(m, lines);
    return phase_of_part(&m->p->phase, lines, part, out);
}

uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES])
{
    double lines[PHASE_LEVELS];
    phase_lines(m, lines);
    phase_find(&m->p->phase, lines, phase);
    if (phase[PHASES - 1].misses[PHASE_L2] - phase[0].misses[PHASE_L2] > PHASES_DIFFER)
        return PHASES;
    phase[0] = (struct phase){{1, 1}};
    return 1;
}

/* --- the fixed point --- */

static void build(struct launch_model *m, double ctas)
{
    m->wave.ctas = ctas;
    term_list_run(m, TERM_STATIONS);
}

/* Builds the network from the last solution, solves it, and takes from it what the next needs. */
static double wave(struct launch_model *m, double ctas)
{
    for (uint32_t k = 0; k < MODEL_PASSES; k++) {
        build(m, ctas);
        network_solve(&m->net, m->result.throughput > 0 ? m->result.throughput : m->wave.near,
                      &m->result);
        term_list_run(m, TERM_WAVE);
        term_list_run(m, TERM_LOAD);
    }
    return m->cycles.wave;
}

/* The CTAs that do not fill the machine run first, as a smaller wave. */
struct waves {
    double rest, slots; /* CTAs of that wave, 0: there is none; and of a full one */
    double full;        /* number of full waves */
};

static struct waves waves_of(const struct launch_model *m)
{
    double slots = (double)m->in.occ.ctas * m->e->sm->count, full = floor(m->p->ctas / slots);
    return (struct waves){.rest = m->p->ctas - full * slots, .slots = slots, .full = full};
}

/* The cycles including start and end. */
static void finish(struct launch_model *m, double run)
{
    m->cycles.all = m->cycles.run = run;
    term_list_run(m, TERM_LAUNCH);
}

void launch_model_solve(struct launch_model *m, const struct phase *phase)
{
    struct waves w = waves_of(m);
    cache_levels_in_phase(&m->levels, phase);
    term_list_run(m, TERM_ROUND);
    double cycles = w.rest > 0 ? wave(m, w.rest) : 0;
    if (w.full > 0) cycles += w.full * wave(m, w.slots);
    finish(m, cycles);
}

/* --- without stations --- */

static bool has_visits(const struct network *n, uint32_t stations)
{
    for (uint32_t i = 0; i < AT_N; i++)
        if (stations >> i & 1 && n->at[i].visits > 0) return true;
    return false;
}

static double wave_of_built(struct launch_model *m, uint32_t without)
{
    for (uint32_t i = 0; i < AT_N; i++)
        if (without >> i & 1) m->net.at[i].visits = 0;
    network_solve(&m->net, m->result.throughput, &m->result);
    term_list_run(m, TERM_WAVE);
    return m->cycles.wave;
}

/* The cycles of all waves without stations; *m: the network of the first is built. */
static double waves_without(struct launch_model *m, const struct waves *w, uint32_t without)
{
    if (w->rest <= 0) return w->full * wave_of_built(m, without);
    double cycles = wave_of_built(m, without);
    if (w->full <= 0) return cycles;
    build(m, w->slots);
    return cycles + w->full * wave_of_built(m, without);
}

void launch_model_cycles_without(const struct launch_model *m, const uint32_t *without, uint32_t n,
                                 double *cycles)
{
    struct waves w = waves_of(m);
    bool several = w.rest > 0 && w.full > 0;
    struct launch_model room = *m, built;
    double unchanged = NAN;
    build(&room, w.rest > 0 ? w.rest : w.slots);
    const struct network net = room.net;
    if (several) built = room;
    for (uint32_t i = 0; i < n; i++) {
        bool changes = has_visits(&net, without[i]);
        cycles[i] = unchanged;
        if (!changes && !isnan(unchanged)) continue;
        if (several) room = built; /* the second wave's network was built there */
        room.net = net;
        room.result.throughput = m->result.throughput;
        finish(&room, waves_without(&room, &w, without[i]));
        cycles[i] = room.cycles.all;
        if (!changes) unchanged = cycles[i];
    }
}
