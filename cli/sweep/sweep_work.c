/* sweep_work.c - see sweep_work.h. */
#include "cli/sweep/sweep_work.h"

#include "base/run/parallel.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/sweep/sweep_auto.h"
#include "cli/sweep/sweep_work_here.h"
#include "sweeps/workers/work_state.h"
#include "sweeps/workers/worker.h"

#include <signal.h>
#include <stdio.h>

static _Atomic bool told_to_stop;

/* Batch systems announce the end of a job with it. */
static void stop_soon(int sig)
{
    (void)sig;
    told_to_stop = true;
}

static void print_worker(const struct sweep *s, const struct work_result *r)
{
    cli_say("%" PRIu64 " runs done, %" PRIu64 " failed, in %" PRIu32 " chunks, %" PRIu32
            " of them taken over; %" PRIu32 " lost, %" PRIu32 " given back",
            r->done, r->failed, r->chunks, r->taken, r->lost, r->given);
    if (s->args.verbosity > 0 && r->seconds > 0)
        cli_say("%.1f s: %.1f %% making runs, %.1f %% waiting for others, %.2f %% claiming",
                r->seconds, 100 * r->running / r->seconds, 100 * r->waiting / r->seconds,
                100 * (r->seconds - r->running - r->waiting) / r->seconds);
    if (r->complete && !r->left)
        cli_say("all is done; 'plumb sweep merge' takes it into %s", s->plan.output);
}

static int print_chosen(const struct sweep *s, const struct work_result *r)
{
    struct text out = {0};
    if (!r->led || s->args.verbosity < 0) return EXIT_OK;
    sweep_auto_print(&out, &s->plan, &r->chosen);
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

int sweep_work_run(struct sweep *s)
{
    struct work_result r;
    struct error e = {0};
    struct work_request q = {.dir = s->work,
                             .calibration = s->args.cal,
                             .lease = s->lease ? s->lease : WORK_LEASE_SECONDS,
                             .workers = s->workers ? s->workers : WORK_WORKERS,
                             .leave = s->leave,
                             .retry = s->args.retry,
                             .threads = s->args.opts.threads,
                             .stop = &told_to_stop};
    if (s->args.verbosity >= 0) q.say = sweep_auto_note;
    signal(SIGUSR1, stop_soon);
    struct work_dir joined = {.lease = q.lease, .workers = q.workers};
    if (!work_dir_join(&joined, q.dir, &s->plan, q.calibration, &e)) return cli_fail(&e);
    uint64_t again = 0;
    if (q.retry && !work_state_retry(&joined, &s->plan, &again, &e)) return cli_fail(&e);
    if (again && s->args.verbosity >= 0)
        cli_say("%" PRIu64 " chunks that have ended every worker are taken up again", again);
    unsigned threads = parallel_threads(q.threads);
    bool apart = threads > 1 && s->plan.engine == ENGINE_SIMULATE && !s->plan.automatic;
    bool ok =
        apart ? sweep_work_here(&s->plan, &q, threads, &r, &e) : worker_run(&s->plan, &q, &r, &e);
    if (!ok) return e.kind == ERROR_NONE ? EXIT_RUN_FAILED : cli_fail(&e);
    if (s->args.verbosity >= 0) print_worker(s, &r);
    int status = print_chosen(s, &r);
    if (r.left) cli_say(SWEEP_WORK_LEFT, (uint64_t)r.left);
    if (!r.complete && (plumb_interrupted || told_to_stop)) return EXIT_INTERRUPTED;
    return r.failed || r.left ? EXIT_RUN_FAILED : status;
}

int sweep_work_status(const struct sweep *s, const struct work_dir *d)
{
    struct work_state w;
    struct error e = {0};
    if (!work_state_read(&w, d, &s->plan, &e)) return cli_fail(&e);
    cli_print("\nworkers in %s: %" PRIu64 " of %" PRIu64 " chunks done, %" PRIu64
              " being made, %" PRIu64 " given up or back%s\n",
              d->path, w.done, w.chunks, w.held, w.stale, w.last ? "" : "; more will follow");
    if (w.left) cli_print(SWEEP_WORK_LEFT "\n", w.left);
    return EXIT_OK;
}
