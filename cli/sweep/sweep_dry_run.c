/* sweep_dry_run.c - see sweep_dry_run.h. */
#include "cli/sweep/sweep_dry_run.h"

#include "base/io/file.h"
#include "base/run/parallel.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/sweep/sweep_prepare.h"
#include "engine/engine.h"
#include "sweeps/auto/auto.h"
#include "sweeps/run/runner.h"
#include "sweeps/run/time_left.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void say_runs(enum engine engine, double runs, const struct forecast *f, double seconds,
                     unsigned threads)
{
    char whole[NUMBER_MAX];
    table_time_text(seconds, whole);
    cli_print("  %-8s %.0f runs of about %.3g s: %s on %u threads (from %s)\n", engine_name[engine],
              runs, f->run_seconds, whole, threads,
              f->measured ? "trials on points that are left" : "runs stored before");
}

static void engine_line(const struct run_request *q, double runs, const struct forecast *f)
{
    char all[NUMBER_MAX], making[NUMBER_MAX];
    double profiles = f->profiles * f->profile_seconds;
    say_runs(q->engine, runs, f, f->seconds - profiles, parallel_threads(q->threads));
    if (f->profiles == 0) return;
    table_time_text(profiles, making);
    table_time_text(f->seconds, all);
    cli_print("  profiles %" PRIu32 " to make first, of about %.3g s each: %s"
              "; in all %s\n",
              f->profiles, f->profile_seconds, making, all);
}

/* How many points auto's core hours pay for, stored or not; the first points are simulated in any
 * case. */
static double points_paid_for(const struct plan *p, const struct forecast *f)
{
    double point_hours = f->run_seconds * p->n_workloads / 3600;
    if (p->aim.core_hours <= 0) return INFINITY;
    return fmax(auto_first(p), floor(p->aim.core_hours / point_hours));
}

/* Engine auto: the most simulations that are left. */
static bool count_simulations(const struct plan *p, struct store *s, struct forecast *f,
                              double *left, struct error *e)
{
    struct run_result r = {0};
    struct run_request q = {.engine = ENGINE_SIMULATE, .count_only = true};
    *left = 0;
    if (s && !runner_run(p, s, &q, &r, e)) return false;
    double points = auto_limit(p), known = (double)(r.stored + r.failed_before);
    if (points * p->n_workloads <= known) return true;
    if (!forecast_simulations(f, p, s, e)) return false;
    *left = fmin(points, points_paid_for(p, f)) * p->n_workloads - known;
    return true;
}

static bool say_anchors(const struct plan *p, struct store *s, struct error *e)
{
    struct sweep_anchors_missing m;
    struct text what = {0};
    if (!sweep_anchors_count(p, s, &m, e)) return false;
    sweep_prepare_text(p, &m, &what);
    if (what.len) cli_print("  anchors first: %s\n", text_str(&what));
    text_fini(&what);
    return true;
}

static bool dry_run(const struct args *a, const struct plan *p, struct store *s, struct error *e)
{
    struct run_result r;
    struct forecast runs, simulations;
    double left = 0; /* simulations */
    struct store *here = s ? s : store_open(":memory:", true, e);
    struct run_request q = {.engine = p->engine, .count_only = true, .retry = a->retry};
    q.threads = a->opts.threads;
    q.shard = a->shard;
    q.shards = a->shards;
    bool ok = here && runner_run(p, here, &q, &r, e);
    if (!s) store_close(here);
    /* Trials take a while, and the line that says so rests once something is printed. */
    ok = ok && (r.left == 0 || forecast_left(&runs, p, s, &q, e)) &&
         (!p->automatic || count_simulations(p, s, &simulations, &left, e));
    if (!ok) return false;
    unsigned threads = parallel_threads(a->opts.threads);
    cli_print("%s: %" PRIu32 " points (%" PRIu32 " excluded by constraints, %" PRIu32
              " illegal) x %" PRIu32 " %s, engine %s\n",
              p->file, plan_points(p), p->excluded, p->illegal, p->n_workloads,
              text_noun(p->n_workloads, "program", "programs"), plan_engine(p));
    cli_print("  %" PRIu64 " %s: %" PRIu64 " stored, %" PRIu64 " failed before, %" PRIu64
              " to do\n",
              r.total, text_noun(r.total, "run", "runs"), r.stored, r.failed_before, r.left);
    if (!say_anchors(p, s, e)) return false;
    if (r.left > 0) engine_line(&q, (double)r.left, &runs);
    if (left > 0)
        say_runs(ENGINE_SIMULATE, left, &simulations, left * simulations.run_seconds / threads,
                 threads);
    return true;
}

int sweep_dry_run(const struct args *a, const struct plan *p)
{
    struct error e = {0};
    struct store *s = NULL;
    if (file_may_exist(p->output) && !(s = store_open(p->output, false, &e))) return cli_fail(&e);
    bool ok = dry_run(a, p, s, &e);
    store_close(s);
    return ok ? EXIT_OK : cli_fail(&e);
}
