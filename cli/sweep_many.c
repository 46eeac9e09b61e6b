/* sweep_many.c - see sweep_many.h. */
#include "cli/sweep_many.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "sweeps/auto.h"
#include "sweeps/forecast.h"
#include "sweeps/ledger.h"
#include "sweeps/merge.h"
#include "sweeps/runner.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *shard_path(const char *output, uint32_t shard, uint32_t shards)
{
    struct text t = {0};
    size_t n = strlen(output);
    if (n > 3 && strcmp(output + n - 3, ".db") == 0) n -= 3;
    text_add(&t, "%.*s.shard-%" PRIu32 "-of-%" PRIu32 ".db", (int)n, output, shard, shards);
    char *path = t.failed ? NULL : mem_strdup(text_str(&t));
    text_fini(&t);
    return path;
}

/* --- dry run -----------------------------------------------------------------------------------
 */

static void time_text(double seconds, char out[32])
{
    if (seconds < 10)
        snprintf(out, 32, "%.2g s", seconds);
    else if (seconds < 90)
        snprintf(out, 32, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, 32, "%.0f min", seconds / 60);
    else
        snprintf(out, 32, "%.1f h", seconds / 3600);
}

static void say_runs(enum engine engine, double runs, const struct forecast *f, double seconds,
                     unsigned threads)
{
    char whole[32];
    time_text(seconds, whole);
    printf("  %-8s %.0f runs of about %.3g s: %s on %u threads (from %s)\n", engine_name[engine],
           runs, f->run_seconds, whole, threads,
           f->measured ? "trials on points that are left" : "runs stored before");
}

static bool engine_line(const struct plan *p, struct store *s, const struct run_request *q,
                        double runs, struct error *e)
{
    struct forecast f;
    char all[32], making[32];
    unsigned threads = pool_threads(q->threads);
    if (runs == 0) return true;
    if (!forecast_left(&f, p, s, q, e)) return false;
    double profiles = f.profiles * f.profile_seconds;
    say_runs(q->engine, runs, &f, f.seconds - profiles, threads);
    if (f.profiles == 0) return true;
    time_text(profiles, making);
    time_text(f.seconds, all);
    printf("  profiles %" PRIu32 " to make first, one of each program and view, of about %.3g s: %s"
           "; in all %s\n",
           f.profiles, f.profile_seconds, making, all);
    return true;
}

/* Points that auto's core hours pay for, be they stored or not; the first are simulated anyway. */
static double points_paid_for(const struct plan *p, const struct forecast *f)
{
    double point_hours = f->run_seconds * p->n_workloads / 3600;
    if (p->aim.core_hours <= 0) return INFINITY;
    return fmax(auto_first(p), floor(p->aim.core_hours / point_hours));
}

/* Engine auto: at most so many simulations are left. */
static bool simulations_line(const struct plan *p, struct store *s, unsigned threads,
                             struct error *e)
{
    struct forecast f;
    struct run_result r = {0};
    struct run_request q = {.engine = ENGINE_SIMULATE, .count_only = true};
    if (s && !runner_run(p, s, &q, &r, e)) return false;
    double points = auto_limit(p), known = (double)(r.stored + r.failed_before);
    if (points * p->n_workloads <= known) return true;
    if (!forecast_simulations(&f, p, s, e)) return false;
    double left = fmin(points, points_paid_for(p, &f)) * p->n_workloads - known;
    if (left > 0) say_runs(ENGINE_SIMULATE, left, &f, left * f.run_seconds / threads, threads);
    return true;
}

static bool dry_run(const struct args *a, const struct plan *p, struct store *s, struct error *e)
{
    struct run_result r;
    struct store *here = s ? s : store_open(":memory:", true, e);
    struct run_request q = {.engine = p->engine, .count_only = true, .retry = a->retry};
    q.threads = a->opts.threads;
    q.shard = a->shard;
    q.shards = a->shards;
    bool ok = here && runner_run(p, here, &q, &r, e);
    if (!s) store_close(here);
    if (!ok) return false;
    unsigned threads = pool_threads(a->opts.threads);
    printf("%s: %" PRIu32 " points (%" PRIu32 " excluded by constraints, %" PRIu32
           " illegal) x %" PRIu32 " programs, engine %s\n",
           p->file, plan_points(p), p->excluded, p->illegal, p->n_workloads, plan_engine(p));
    printf("  %" PRIu64 " runs: %" PRIu64 " stored, %" PRIu64 " failed before, %" PRIu64 " to do\n",
           r.total, r.stored, r.failed_before, r.left);
    if (!engine_line(p, s, &q, (double)r.left, e)) return false;
    if (!p->automatic) return true;
    return simulations_line(p, s, threads, e);
}

int sweep_dry_run(const struct args *a, const struct plan *p)
{
    struct error e = {0};
    struct store *s = NULL;
    if (file_exists(p->output) && !(s = store_open(p->output, false, &e))) return cli_fail(&e);
    bool ok = dry_run(a, p, s, &e);
    store_close(s);
    return ok ? EXIT_OK : cli_fail(&e);
}

/* --- merge -------------------------------------------------------------------------------------
 */

static bool merge_all(struct store *into, char *const *from, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        struct merge_result r;
        if (!merge_database(into, from[i], &r, e)) return false;
        fprintf(stderr, "plumb: %s: %" PRIu64 " runs taken, %" PRIu64 " were there\n", from[i],
                r.taken, r.known);
    }
    return true;
}

/* For glob: as it stands. */
static void add_literal(struct text *pattern, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("*?[\\", s[i])) text_add(pattern, "\\");
        text_add_bytes(pattern, s + i, 1);
    }
}

/* The shards that lie beside the output; globfree it. */
static bool find_shards(const char *output, glob_t *found, struct error *e)
{
    struct text pattern = {0};
    size_t n = strlen(output);
    if (n > 3 && strcmp(output + n - 3, ".db") == 0) n -= 3;
    add_literal(&pattern, output, n);
    text_add(&pattern, ".shard-*-of-*.db");
    bool ok = !pattern.failed || error_no_memory(e);
    if (ok && glob(text_str(&pattern), 0, NULL, found) != 0)
        ok = error_input(e, "no shards like %.*s.shard-*-of-*.db; name them", (int)n, output);
    text_fini(&pattern);
    return ok;
}

/* The sweep's own rows: what is asked for, and how the points rank now. */
static bool record(const struct plan *p, struct store *s, struct error *e)
{
    struct run_result r;
    struct summary sum = {0};
    struct run_request q = {.engine = p->engine, .plan_only = true};
    bool ok = runner_run(p, s, &q, &r, e) && summary_make(&sum, p, s, e) &&
              ledger_scores(s, r.sweep, p, &sum, e);
    if (ok)
        printf("%s: %" PRIu64 " of %" PRIu64 " runs done, %" PRIu64 " failed, in %s\n", p->file,
               r.stored, r.total, r.failed_before, p->output);
    summary_fini(&sum);
    return ok;
}

static bool merge_into(const struct plan *p, char *const *from, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (!file_exists(from[i])) return error_input(e, "%s: no such database", from[i]);
    struct store *s = store_open(p->output, true, e);
    bool ok = s && merge_all(s, from, n, e) && record(p, s, e);
    store_close(s);
    return ok;
}

int sweep_merge(const struct args *a, const struct plan *p)
{
    glob_t found = {0};
    struct error e = {0};
    bool ok;
    if (a->n_words > 1)
        ok = merge_into(p, (char *const *)(a->word + 1), a->n_words - 1, &e);
    else
        ok =
            find_shards(p->output, &found, &e) && merge_into(p, found.gl_pathv, found.gl_pathc, &e);
    globfree(&found);
    return ok ? EXIT_OK : cli_fail(&e);
}

/* --- submit ------------------------------------------------------------------------------------
 */

/* For the shell: in single quotes. */
static void quoted(struct text *out, const char *s)
{
    text_add(out, "'");
    for (; *s; s++)
        text_add(out, *s == '\'' ? "'\\''" : "%c", *s);
    text_add(out, "'");
}

static void command(struct text *out, const struct args *a, const char *verb)
{
    text_add(out, "plumb sweep %s ", verb);
    quoted(out, a->word[0]);
    if (a->cal) {
        text_add(out, " --cal ");
        quoted(out, a->cal);
    }
    if (a->db) {
        text_add(out, " --db ");
        quoted(out, a->db);
    }
}

int sweep_submit(const struct args *a, const struct plan *p)
{
    struct text out = {0};
    unsigned threads = a->opts.threads ? a->opts.threads : 4;
    if (a->shards == 0) return cli_usage("sweep", "submit needs --shards N");
    if (p->automatic)
        return cli_usage("sweep", "submit: engine auto chooses as it goes; run it on one machine");
    text_add(&out,
             "#!/bin/bash\n"
             "# %s on a Slurm cluster: sbatch THIS-FILE.  Each task runs its shard of the points "
             "into a database of\n"
             "# its own, and resumes it; a second submission does only what is missing.  Then, "
             "once, here or in a job\n"
             "# with --dependency=afterany:JOB:\n#   ",
             p->file);
    command(&out, a, "merge");
    text_add(&out,
             "\n#SBATCH --job-name=plumb-sweep\n#SBATCH --array=1-%" PRIu32
             "\n#SBATCH --cpus-per-task=%u\n#SBATCH --requeue\n"
             "#SBATCH --output=plumb-sweep-%%A-%%a.log\nset -eu\ncd \"${SLURM_SUBMIT_DIR:-.}\"\n",
             a->shards, threads);
    command(&out, a, "run");
    text_add(&out,
             " --shard \"$SLURM_ARRAY_TASK_ID\"/%" PRIu32
             " --threads \"${SLURM_CPUS_PER_TASK:-%u}\" -q\n",
             a->shards, threads);
    int status = cli_output(&out, a->output);
    text_fini(&out);
    return status;
}
