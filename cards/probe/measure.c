/* measure.c - see measure.h. */
#include "cards/probe/measure.h"

#include "base/memory/alloc.h"
#include "cards/constants.h"
#include "cards/probe/programs.h"
#include "detailed/core/sim.h"
#include "gpu/functional/state/snapshot.h"
#include "gpu/functional/warming/warming_pass.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <math.h>

/* Where points are measured: the functional machine, and the program that it stands in. */
struct probe_bench {
    const struct machine *m;
    struct warming_pass *pass; /* NULL: it has not begun */
    struct program *p;
};

/* Looks at the progress of an interval: cycles, lanes' requests and memory's bytes since it began.
 */
struct probe_watch {
    struct probe_look {
        double cycles, instructions, lanes, memory_bytes;
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
    w->look[w->n++] = (struct probe_look){now->v[M_cycles], now->v[M_warp_instructions],
                                          now->v[M_lane_requests], now->v[M_dram_bytes]};
}

/* Rates per cycle of a measured part, and by how much those of its halves differ; 0 where it is too
 * short for looks. */
struct probe_rates {
    double requests, memory_bytes;
    double requests_drift, memory_drift;
};

static double difference(double early, double late)
{
    return early + late > 0 ? 2 * fabs(early - late) / (early + late) : 0;
}

static struct probe_rates rates_of(const struct probe_watch *w, uint64_t settle,
                                   const struct metrics *x)
{
    struct probe_rates r = {.requests = x->v[M_lane_requests] / x->v[M_cycles],
                            .memory_bytes = x->v[M_dram_bytes] / x->v[M_cycles]};
    size_t first = 0;
    while (first < w->n && w->look[first].instructions < (double)settle)
        first++;
    if (w->n < first + 4) return r;
    const struct probe_look *a = &w->look[first], *b = &w->look[w->n - 1], *middle = a;
    while (middle->cycles < (a->cycles + b->cycles) / 2)
        middle++;
    double early = middle->cycles - a->cycles, late = b->cycles - middle->cycles;
    r.requests_drift =
        difference((middle->lanes - a->lanes) / early, (b->lanes - middle->lanes) / late);
    r.memory_drift = difference((middle->memory_bytes - a->memory_bytes) / early,
                                (b->memory_bytes - middle->memory_bytes) / late);
    return r;
}

/* The rate of requests if it is steady and memory moves what it needs; else that of memory, if that
 * is steady: the queues in front of it then fill with stores, or run empty.  Sets the point's
 * drift. */
static double steady_rate(struct probe_point *pt, const struct probe_rates *r)
{
    double bytes = probe_memory_bytes(pt);
    double memory = bytes > 0 && r->memory_bytes > 0 ? r->memory_bytes / bytes : INFINITY;
    bool steady = r->memory_drift <= PROBE_STEADY,
         enough = r->requests <= memory * (1 + PROBE_STEADY);
    pt->drift = r->requests_drift;
    if (enough && r->requests_drift <= PROBE_STEADY)
        return steady ? fmin(memory, r->requests) : r->requests;
    if (isinf(memory)) return r->requests;
    pt->drift = r->memory_drift;
    return steady ? memory : fmin(memory, r->requests);
}

static void bench_clear(struct probe_bench *b)
{
    if (b->pass) warming_pass_fini(b->pass);
    mem_free(b->pass);
    program_close(b->p);
    b->pass = NULL;
    b->p = NULL;
}

/* Begins with `fill`, unless that is NULL, and executes it to its end. */
static bool bench_begin(struct probe_bench *b, struct program *fill, struct program *p,
                        struct error *e)
{
    b->pass = mem_new(1, sizeof *b->pass);
    if (!b->pass) return error_no_memory(e);
    return warming_pass_init(b->pass, b->m, fill ? fill : p, true, e) &&
           (!fill || warming_pass_next(b->pass, p, e));
}

/* Executes the program, which it takes over, up to a moment; before it, `fill`. */
static bool warm_up(struct probe_bench *b, struct program *fill, struct program *p, uint64_t moment,
                    struct snapshot *s, struct error *e)
{
    struct program *before = b->p;
    b->p = p;
    bool ok = b->pass ? warming_pass_leave(b->pass, p, e) : bench_begin(b, fill, p, e);
    program_close(before);
    return ok && functional_run_until(&b->pass->functional, moment, e) &&
           warming_pass_snapshot(b->pass, s, e);
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
                             &(struct program_opts){.warp_width = m->sm.warp_width}, e);
    text_fini(&config);
    *ok = *ok && (p || none);
    return p;
}

static bool measure_program(struct probe_bench *b, struct program *fill, struct program *p,
                            struct probe_point *pt, struct error *e)
{
    const struct machine *m = b->m;
    const struct probe_program *program = probe_program_of(pt->id);
    struct probe_lengths length;
    struct probe_watch w = {0};
    struct snapshot s = {0};
    struct metrics x = {0};
    program->lengths(m, pt, program_launch(p, 0), &length);
    bool ok = warm_up(b, fill, p, length.warm, &s, e) && run_interval(m, p, &s, &length, &w, &x, e);
    if (ok && w.failed) ok = error_no_memory(e);
    if (ok && !(x.v[M_lane_requests] > 0 && x.v[M_cycles] > 0))
        ok = error_run(e, "%s at %g: the program ended before it was measured",
                       probe_experiments[pt->id].name, pt->x);
    if (ok) {
        struct probe_rates rates = rates_of(&w, length.settle, &x);
        x.v[M_lane_requests] = steady_rate(pt, &rates) * x.v[M_cycles];
        program->value(m, pt, &x);
    }
    snapshot_fini(&s);
    mem_free(w.look);
    return ok;
}

static bool measure_once(struct probe_bench *b, struct probe_point *pt, struct error *e)
{
    const struct probe_program *program = probe_program_of(pt->id);
    bool ok = true;
    struct program *p = program_of(b->m, pt, program->config, &ok, e);
    struct program *fill = ok && !b->pass ? program_of(b->m, pt, program->fill, &ok, e) : NULL;
    if (ok)
        ok = measure_program(b, fill, p, pt, e);
    else
        program_close(p);
    program_close(fill);
    if (program->elements)
        pt->used += program->elements(b->m, pt);
    else
        bench_clear(b);
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
static bool measure_point(struct probe_bench *b, struct probe_point *pt, struct error *e)
{
    bool ok = true;
    pt->longer = 1;
    pt->drift = INFINITY;
    while (ok && pt->drift > PROBE_STEADY && pt->longer <= PROBE_LONGEST) {
        ok = measure_once(b, pt, e);
        if (pt->drift > PROBE_STEADY) pt->longer *= PROBE_LONGER;
    }
    return ok;
}

bool probe_measure(const struct machine *m, struct probe_point *pt, size_t n, struct error *e)
{
    struct probe_bench b = {.m = m};
    bool ok = true;
    uint64_t used = 0;
    for (size_t i = 0; i < n && ok; i++) {
        pt[i].used = used;
        ok = measure_point(&b, &pt[i], e);
        used = pt[i].used;
    }
    bench_clear(&b);
    return ok;
}
