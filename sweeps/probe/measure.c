/* measure.c - see measure.h. */
#include "sweeps/probe/measure.h"

#include "base/memory/alloc.h"
#include "detailed/core/sim.h"
#include "gpu/functional/warming/warming_pass.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/load/machine.h"
#include "sweeps/constants.h"
#include "sweeps/probe/programs.h"
#include "trace/program/program.h"

#include <math.h>

/* Looks at the progress of an interval: cycles and lanes' requests since it began. */
struct probe_watch {
    struct probe_look {
        double cycles, instructions, lanes;
    } * look;
    size_t n, cap;
    bool failed;
};

static void note_look(const struct metrics *now, void *ctx)
{
    struct probe_watch *w = ctx;
    if (!mem_grow(&w->look, &w->cap, w->n + 1, sizeof *w->look)) {
        w->failed = true;
        return;
    }
    w->look[w->n++] =
        (struct probe_look){now->v[M_cycles], now->v[M_warp_instructions], now->v[M_lane_requests]};
}

/* Of the rates of the measured part's halves; 0 where it is too short for looks. */
static double drift_of(const struct probe_watch *w, uint64_t settle)
{
    size_t first = 0;
    while (first < w->n && w->look[first].instructions < (double)settle)
        first++;
    if (w->n < first + 4) return 0;
    const struct probe_look *a = &w->look[first], *b = &w->look[w->n - 1], *middle = a;
    while (middle->cycles < (a->cycles + b->cycles) / 2)
        middle++;
    double early = (middle->lanes - a->lanes) / (middle->cycles - a->cycles);
    double late = (b->lanes - middle->lanes) / (b->cycles - middle->cycles);
    return early + late > 0 ? 2 * fabs(early - late) / (early + late) : 0;
}

/* Executes the program up to a moment; before it, `fill` to its end unless that is NULL. */
static bool warm_up(const struct machine *m, const struct program *fill, const struct program *p,
                    uint64_t moment, struct snapshot *s, struct error *e)
{
    struct warming_pass *w = mem_new(1, sizeof *w);
    if (!w) return error_no_memory(e);
    bool ok = warming_pass_init(w, m, fill ? fill : p, true, e);
    ok = ok && (!fill || warming_pass_next(w, p, e));
    ok = ok && functional_run_until(&w->functional, moment, e) && warming_pass_snapshot(w, s, e);
    warming_pass_fini(w);
    mem_free(w);
    return ok;
}

static bool run_interval(const struct machine *m, const struct program *p, const struct snapshot *s,
                         const struct probe_lengths *length, struct probe_watch *w,
                         struct metrics *x, struct error *e)
{
    struct interval part = s->interval;
    part.warmup_instructions = length->settle;
    part.measure_instructions = length->measure;
    struct sim *sim = sim_new(m, p, e);
    if (!sim) return false;
    sim_watch(sim, PROBE_WATCH, note_look, w);
    enum sim_end end = sim_interval(sim, &part, s->warm, x, e);
    sim_free(sim);
    if (end == SIM_INTERRUPTED) return error_interrupted(e, "probing");
    return end != SIM_FAILED;
}

/* A program of a point that `add` describes; NULL with *ok: there is none. */
static struct program *program_of(const struct machine *m, const struct probe_point *pt,
                                  void (*add)(const struct machine *m, const struct probe_point *pt,
                                              struct text *out),
                                  bool *ok, struct error *e)
{
    struct text config = {0};
    struct program *p = NULL;
    if (add) add(m, pt, &config);
    bool none = config.len == 0 && !config.failed;
    if (config.failed)
        error_no_memory(e);
    else if (!none)
        p = program_generate(probe_experiments[pt->id].name, text_str(&config),
                             &(struct program_opts){m->sm.warp_width}, e);
    text_fini(&config);
    *ok = *ok && (p || none);
    return p;
}

static bool measure_program(const struct machine *m, const struct program *fill,
                            const struct program *p, struct probe_point *pt, struct error *e)
{
    const struct probe_program *program = probe_program_of(pt->id);
    struct probe_lengths length;
    struct probe_watch w = {0};
    struct snapshot s = {0};
    struct metrics x = {0};
    program->lengths(m, pt, program_launch(p, 0), &length);
    bool ok = warm_up(m, fill, p, length.warm, &s, e) && run_interval(m, p, &s, &length, &w, &x, e);
    if (ok && w.failed) ok = error_no_memory(e);
    if (ok && !(x.v[M_lane_requests] > 0 && x.v[M_cycles] > 0))
        ok = error_run(e, "%s at %g: the program ended before it was measured",
                       probe_experiments[pt->id].name, pt->x);
    if (ok) {
        program->value(m, pt, &x);
        pt->drift = drift_of(&w, length.settle);
    }
    snapshot_fini(&s);
    mem_free(w.look);
    return ok;
}

static bool measure_once(const struct machine *m, struct probe_point *pt, struct error *e)
{
    const struct probe_program *program = probe_program_of(pt->id);
    bool ok = true;
    struct program *p = program_of(m, pt, program->config, &ok, e);
    struct program *fill = ok ? program_of(m, pt, program->fill, &ok, e) : NULL;
    ok = ok && measure_program(m, fill, p, pt, e);
    program_close(fill);
    program_close(p);
    return ok;
}

bool probe_fits(const struct machine *m, const struct probe_point *pt, bool *fits, struct text *why,
                struct error *e)
{
    bool ok = true;
    struct program *p = program_of(m, pt, probe_program_of(pt->id)->config, &ok, e);
    if (!p) return false;
    const struct launch *l = program_launch(p, 0);
    uint32_t ctas = occupancy(&m->sm, &m->l1, l).ctas;
    *fits = ctas >= pt->ctas;
    if (!ctas)
        occupancy_refusal(&m->sm, &m->l1, l, why);
    else if (!*fits)
        text_add(why, "%u CTAs do not fit on an SM; it holds %u of them", pt->ctas, ctas);
    program_close(p);
    return true;
}

/* A point that is not steady is run again, longer. */
bool probe_measure(const struct machine *m, struct probe_point *pt, struct error *e)
{
    bool ok = true;
    pt->longer = 1;
    pt->drift = INFINITY;
    while (ok && pt->drift > PROBE_STEADY && pt->longer <= PROBE_LONGEST) {
        ok = measure_once(m, pt, e);
        if (pt->drift > PROBE_STEADY) pt->longer *= PROBE_LONGER;
    }
    return ok;
}
