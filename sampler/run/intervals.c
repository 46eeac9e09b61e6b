/* intervals.c - see intervals.h. */
#include "sampler/run/intervals.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "detailed/core/sim.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/machine/machine.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Runs sorted by the moment at which they start. */
struct slot {
    uint64_t moment;
    uint32_t run;
};

struct worker {
    struct intervals_worker at;
    struct error error;
};

struct batch {
    const struct intervals *w;
    struct interval_run *run;
    uint32_t n;
    uint32_t *order;       /* [n] sorted by the moment at which they start */
    struct worker *worker; /* [threads] */
    _Atomic bool walked;
};

static int by_moment(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
    return x->run < y->run ? -1 : x->run > y->run;
}

/* Beyond the end of any launch, yet additions to it do not overflow. */
#define TO_THE_END (UINT64_MAX / 2)

/* The pass advances all warps by one instruction at a time, so that a snapshot may lie that much
 * late; the warm-up is shortened by it. */
static struct interval window_of(const struct snapshot *s, const struct interval_run *r)
{
    struct interval w = s->interval;
    w.warmup_instructions = s->launch_done < r->unit->begin ? r->unit->begin - s->launch_done : 0;
    w.measure_instructions = r->unit->to_end ? TO_THE_END : r->unit->length;
    return w;
}

/* A window stops at the end of the cycle in which it is full, a few instructions late: this scales
 * all counts to the unit's length.  A unit that runs to its launch's end is not scaled. */
static void scale_to_length(struct interval_run *r, uint64_t warmup)
{
    double got = r->m.v[M_warp_instructions];
    struct metrics whole = r->m;
    r->cost = warmup + (uint64_t)got;
    if (!r->unit->to_end && got > 0) {
        r->m = (struct metrics){0};
        metrics_accumulate(&r->m, &whole, (double)r->unit->length / got);
    }
    metrics_finish(&r->m);
}

static bool run_window(const struct intervals *w, struct sim *sim, struct interval_run *r,
                       const struct snapshot *s, struct error *e)
{
    if (s->interval.launch != r->unit->launch)
        return error_run(e, "the functional pass left launch %u before its last interval",
                         r->unit->launch);
    struct interval window = window_of(s, r);
    enum sim_end end = sim_interval(sim, &window, s->warm, &r->m, e);
    if (end == SIM_INTERRUPTED) {
        error_run(e, "interrupted");
        e->kind = ERROR_INTERRUPTED;
    }
    if (end == SIM_INTERRUPTED || end == SIM_FAILED) return false;
    scale_to_length(r, window.warmup_instructions);
    if (w->progress) progress_add(w->progress, 1);
    return true;
}

uint64_t intervals_moment(const uint64_t *before, const struct interval_run *r)
{
    return before[r->unit->launch] + r->unit->begin - r->warmup;
}

bool intervals_order(const uint64_t *before, const struct interval_run *run, uint32_t n,
                     uint32_t *order)
{
    struct slot *slot = mem_new((size_t)n + 1, sizeof(*slot));
    if (!slot) return false;
    for (uint32_t i = 0; i < n; i++)
        slot[i] = (struct slot){.moment = intervals_moment(before, &run[i]), .run = i};
    qsort(slot, n, sizeof(*slot), by_moment);
    for (uint32_t i = 0; i < n; i++)
        order[i] = slot[i].run;
    mem_free(slot);
    return true;
}

bool intervals_run_one(const struct intervals *w, struct intervals_worker *k,
                       struct interval_run *run, struct error *e)
{
    struct snapshot s;
    if (!k->sim && !(k->sim = sim_new(w->machine, w->program, e))) return false;
    if (!k->walker && !(k->walker = checkpoint_runner_new(w->track, e))) return false;
    if (!checkpoint_runner_snapshot(k->walker, intervals_moment(w->before, run), &s, e))
        return false;
    bool ok = run_window(w, k->sim, run, &s, e);
    snapshot_fini(&s);
    return ok;
}

void intervals_worker_fini(struct intervals_worker *k)
{
    sim_free(k->sim);
    checkpoint_runner_free(k->walker);
    *k = (struct intervals_worker){0};
}

/* The first job that needs it advances the pass; windows wait until the pass has reached their
 * start. */
static bool run_job(size_t i, unsigned worker, void *ctx)
{
    struct batch *b = ctx;
    struct worker *k = &b->worker[worker];
    if (!atomic_exchange(&b->walked, true) &&
        !checkpoints_reach(b->w->track, intervals_moment(b->w->before, &b->run[b->order[b->n - 1]]),
                           &k->error))
        return false;
    return intervals_run_one(b->w, &k->at, &b->run[b->order[i]], &k->error);
}

static void first_error(const struct batch *b, unsigned threads, struct error *e)
{
    for (unsigned t = 0; t < threads; t++) {
        if (b->worker[t].error.kind == ERROR_NONE) continue;
        if (e) *e = b->worker[t].error;
        return;
    }
}

static bool prepare_batch(struct batch *b, unsigned threads)
{
    b->order = mem_new(b->n, sizeof(*b->order));
    b->worker = mem_new(threads, sizeof(*b->worker));
    return b->order && b->worker && intervals_order(b->w->before, b->run, b->n, b->order);
}

bool intervals_run(const struct intervals *w, struct interval_run *run, uint32_t n, struct error *e)
{
    unsigned threads = parallel_threads(w->threads);
    struct batch b = {.w = w, .run = run, .n = n};
    if (!n) return true;
    bool ok = prepare_batch(&b, threads);
    if (!ok) error_no_memory(e);
    if (ok && !parallel_map(threads, n, run_job, &b)) {
        first_error(&b, threads, e);
        ok = false;
    }
    for (unsigned t = 0; b.worker && t < threads; t++)
        intervals_worker_fini(&b.worker[t].at);
    mem_free(b.order);
    mem_free(b.worker);
    return ok;
}
