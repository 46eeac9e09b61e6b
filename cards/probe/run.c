/* run.c - see run.h. */
#include "cards/probe/run.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "cards/constants.h"
#include "cards/probe/measure.h"
#include "cards/probe/points.h"
#include "cards/probe/programs.h"
#include "gpu/machine/machine.h"

#include <stdio.h>
#include <string.h>

struct probe_batch {
    const struct machine *m;
    struct probe_curve *points; /* of all experiments */
    struct probe_job {
        size_t first, n; /* points that run one after another */
    } * job;
    size_t jobs;
    struct error *error; /* [jobs] */
    struct progress *progress;
};

static bool run_job(size_t i, unsigned worker, void *ctx)
{
    struct probe_batch *b = ctx;
    const struct probe_job *job = &b->job[i];
    (void)worker;
    bool ok = !plumb_interrupted &&
              probe_measure(b->m, &b->points->point[job->first], job->n, &b->error[i]);
    if (plumb_interrupted) ok = error_interrupted(&b->error[i], "probing");
    if (ok && b->progress) progress_add(b->progress, job->n);
    return ok;
}

/* The long jobs come first: those of streams, which are all points of one, and else those of the
 * largest x. */
static void share_out(struct probe_batch *b)
{
    const struct probe_curve *c = b->points;
    for (int streams = 1; streams >= 0; streams--)
        for (size_t last = c->n, first; last > 0; last = first) {
            enum probe_id id = c->point[last - 1].id;
            bool stream = probe_experiments[id].kind == PROBE_STREAM;
            first = last - 1;
            while (stream && first > 0 && c->point[first - 1].id == id)
                first--;
            if (stream == streams) b->job[b->jobs++] = (struct probe_job){first, last - first};
        }
}

/* Runs the points and moves them to their curves. */
static bool run_batch(const struct machine *m, const struct probe_options *o,
                      struct probe_curve *points, struct probe_curves *out, struct error *e)
{
    struct probe_batch b = {.m = m, .points = points, .progress = o->progress};
    b.error = mem_new(points->n + 1, sizeof *b.error);
    b.job = mem_new(points->n + 1, sizeof *b.job);
    bool ok = b.error && b.job;
    if (ok)
        share_out(&b);
    else
        error_no_memory(e);
    ok = ok && parallel_map(o->threads, b.jobs, run_job, &b);
    for (size_t i = 0; i < b.jobs && !ok; i++)
        if (b.error[i].kind != ERROR_NONE) {
            *e = b.error[i];
            break;
        }
    for (size_t i = 0; i < points->n && ok; i++)
        ok =
            probe_curve_add(&out->of[points->point[i].id], &points->point[i]) || error_no_memory(e);
    for (uint32_t k = 0; k < PROBE_N; k++)
        probe_curve_sort(&out->of[k]);
    points->n = 0;
    mem_free(b.error);
    mem_free(b.job);
    return ok;
}

/* Says a reason once for all points of an experiment. */
static void note_left_out(enum probe_id id, const struct text *why, struct text *notes)
{
    struct text line = {0};
    text_add(&line, "points of %s are left out: %s\n", probe_experiments[id].name, text_str(why));
    if (!notes->len || !strstr(text_str(notes), text_str(&line)))
        text_add(notes, "%s", text_str(&line));
    text_fini(&line);
}

static bool add_runnable(const struct machine *m, struct probe_point *pt, struct probe_curve *to,
                         struct text *notes, struct error *e)
{
    struct text why = {0};
    bool can = probe_can_run(m, pt, &why), ok = !can || probe_fits(m, pt, &can, &why, e);
    if (ok && can)
        ok = probe_curve_add(to, pt) || error_no_memory(e);
    else if (ok)
        note_left_out(pt->id, &why, notes);
    text_fini(&why);
    return ok;
}

/* The first points of all experiments. */
static bool choose_points(const struct machine *m, const struct probe_options *o,
                          struct probe_curve *to, struct text *notes, struct error *e)
{
    struct probe_point point[PROBE_POINTS_MAX];
    bool ok = true;
    for (uint32_t k = 0; k < PROBE_N; k++) {
        uint32_t most = probe_first_points(k, o->points), n = 0;
        const struct probe_curve *against = o->against ? &o->against->of[k] : NULL;
        if (!o->want[k]) continue;
        if (against && against->n)
            n = probe_points_of_curve(m, against, most, point);
        else if (!against)
            n = probe_default_points(m, k, most, point);
        if (!n && !against)
            text_add(notes, "an SM does not hold the CTAs of %s: it was not run\n",
                     probe_experiments[k].name);
        for (uint32_t i = 0; i < n && ok; i++)
            ok = add_runnable(m, &point[i], to, notes, e);
    }
    return ok;
}

/* Adds points where the curves jump; none are left when *to stays empty. */
static bool refine(const struct machine *m, const struct probe_options *o,
                   const struct probe_curves *have, struct probe_curve *to, struct text *notes,
                   struct error *e)
{
    bool ok = true;
    for (uint32_t k = 0; k < PROBE_N && ok; k++) {
        struct probe_point pt;
        const struct probe_curve *against = o->against ? &o->against->of[k] : NULL;
        size_t n = have->of[k].n, most = probe_all_points(k, o->points);
        if (n < 2 || n >= most || !probe_next_point(&have->of[k], against, &pt)) continue;
        ok = add_runnable(m, &pt, to, notes, e);
    }
    return ok;
}

static void note_drifts(const struct probe_curves *c, struct text *notes)
{
    for (uint32_t k = 0; k < PROBE_N; k++)
        for (size_t i = 0; i < c->of[k].n; i++)
            if (c->of[k].point[i].drift > PROBE_STEADY)
                text_add(notes, "%s at %s = %g is not steady: the halves of it differ by %.0f %%\n",
                         probe_experiments[k].name, probe_experiments[k].x_name,
                         c->of[k].point[i].x, 100 * c->of[k].point[i].drift);
}

bool probe_run(const struct machine *m, const struct probe_options *o, struct probe_curves *out,
               struct text *notes, struct error *e)
{
    struct probe_curve batch = {0};
    *out = (struct probe_curves){0};
    snprintf(out->gpu, sizeof out->gpu, "%s", m->name);
    bool ok = choose_points(m, o, &batch, notes, e);
    if (ok && o->progress) progress_start(o->progress, "points", batch.n);
    while (ok && batch.n) {
        ok = run_batch(m, o, &batch, out, e) && refine(m, o, out, &batch, notes, e);
        if (ok && o->progress) o->progress->total += batch.n;
    }
    if (o->progress) progress_finish(o->progress);
    note_drifts(out, notes);
    mem_free(batch.point);
    return ok;
}
