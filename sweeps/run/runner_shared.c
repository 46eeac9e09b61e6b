/* runner_shared.c - runs points of one program on the same sampled intervals (plan_base). */
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "engine/engine.h"
#include "sweeps/run/runner_internal.h"

#include <math.h>
#include <stdio.h>

struct shared {
    struct runner *runner;
    struct machine *machine;     /* the base's machine, then the members' */
    const struct machine **each; /* pointers to them */
    struct task **task;          /* [0] is the base's, NULL if the base is not requested */
    bool *told;
    uint32_t n;
    unsigned threads;
    double begun, since; /* since: when the last run ended */
    double charged;      /* seconds charged to the runs that have ended */
    struct progress within;
};

/* The progress counts a run when it ends; until then it shows how far the current sample is. */
static void show_within(const struct progress *p, double seconds, bool last, void *ctx)
{
    struct runner *r = ctx;
    struct progress *g = r->request->progress;
    unsigned long long done = p->done, total = p->total;
    (void)seconds;
    pthread_mutex_lock(&r->lock);
    if (last)
        g->part[0] = '\0';
    else if (total)
        snprintf(g->part, sizeof g->part, "%llu of %llu %s", done, total, p->what);
    else
        snprintf(g->part, sizeof g->part, "%llu %s", done, p->what);
    progress_add(g, 0);
    pthread_mutex_unlock(&r->lock);
}

static void keep_ratio(const struct runner *r, const struct task *t, const struct answer *a,
                       struct record *rec)
{
    const struct plan *p = r->plan;
    struct machine base;
    struct error e;
    uint32_t point = plan_base(p, t->point, t->workload);
    if (!a->paired.known || !plan_machine(p, point, &base, &e)) return;
    struct run_key k = runner_key(p, point, &base, t->workload, ENGINE_SAMPLE);
    rec->has_ratio = true;
    run_key_text(&k, rec->base);
    rec->ratio = a->paired.ratio;
    rec->ratio_half_width = a->paired.half_width;
    rec->ratio_apart = a->paired.apart;
}

/* The host seconds of all threads that run i is charged for: from its own first interval on, or
 * since the last run ended.  The time before the first interval is charged to the base, if that is
 * requested. */
static double charge_seconds(struct shared *s, uint32_t i, const struct answer *a)
{
    double now = progress_clock_seconds(), from = s->since;
    if (i && a && s->task[0]) from = fmax(from, now - a->seconds);
    double own = i ? now - from : now - s->begun - s->charged;
    s->charged += own;
    s->since = now;
    return own * s->threads;
}

/* Stores the answer or the failure of run i. */
static bool store_shared(uint32_t i, struct answer *a, const struct error *failed, void *ctx)
{
    struct shared *s = ctx;
    struct runner *r = s->runner;
    struct write_batch *b = &r->write_batch[0];
    if (!s->task[i]) return true;
    pthread_mutex_lock(&r->storing);
    struct finished *f = write_batch_next(b);
    f->point = s->task[i]->point;
    f->workload = s->task[i]->workload;
    f->machine = s->machine[i];
    if (failed)
        runner_record_failure(&f->record, failed);
    else
        runner_record_answer(&f->record, a);
    if (!failed) keep_ratio(r, s->task[i], a, &f->record);
    f->record.host_seconds = charge_seconds(s, i, a);
    s->told[i] = true;
    write_batch_add(b);
    bool ok = runner_hand_in(r, b);
    pthread_mutex_unlock(&r->storing);
    return ok;
}

/* The base failed, and so do all runs on its intervals. */
static bool store_failures(struct shared *s, const struct task_group *g, const struct error *why)
{
    struct error e = *why;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->told[i]) continue;
        if (i) error_run(&e, "point %u, whose intervals it shares: %.400s", g->base, why->text);
        if (!store_shared(i, NULL, &e, s)) return false;
    }
    return true;
}

static bool fill_shared(struct shared *s, struct runner *r, const struct task_group *g)
{
    struct error e = {0};
    s->n = 1;
    if (!plan_machine(r->plan, g->base, &s->machine[0], &e)) return runner_note_error(r, &e);
    s->each[0] = &s->machine[0];
    for (size_t i = 0; i < r->n_members; i++) {
        struct task *t = r->member[i];
        uint32_t at = t->point == g->base ? 0 : s->n++;
        s->task[at] = t;
        s->each[at] = &s->machine[at];
        if (!plan_machine(r->plan, t->point, &s->machine[at], &e)) return runner_note_error(r, &e);
    }
    return true;
}

static bool sample_shared(struct shared *s, const struct task_group *g, struct answer *a)
{
    struct runner *r = s->runner;
    const struct plan *p = r->plan;
    struct error e = {0};
    struct run_opts o = p->opts;
    o.threads = s->threads;
    s->within = (struct progress){.show = show_within, .ctx = r};
    o.progress = r->request->progress ? &s->within : NULL;
    s->begun = s->since = progress_clock_seconds();
    bool ok = engine_sample_all(s->each, s->n, g->program, &o, a, store_shared, s, &e);
    if (ok) return store_shared(0, a, NULL, s);
    if (plumb_interrupted || r->first_error.kind != ERROR_NONE) return false;
    return store_failures(s, g, &e);
}

bool runner_shared(struct runner *r, const struct task_group *g)
{
    struct error e = {0};
    struct shared s = {.runner = r, .threads = parallel_threads(r->request->threads)};
    struct answer *a = mem_new(1, sizeof *a);
    s.machine = mem_new(r->n_members + 1, sizeof *s.machine);
    s.each = mem_new(r->n_members + 1, sizeof *s.each);
    s.task = mem_new(r->n_members + 1, sizeof *s.task);
    s.told = mem_new(r->n_members + 1, sizeof *s.told);
    bool ok = a && s.machine && s.each && s.task && s.told;
    if (!ok) {
        error_no_memory(&e);
        runner_note_error(r, &e);
    }
    ok = ok && fill_shared(&s, r, g) && sample_shared(&s, g, a);
    if (a) answer_fini(a);
    mem_free(a);
    mem_free(s.machine);
    mem_free(s.each);
    mem_free(s.task);
    mem_free(s.told);
    return ok;
}
