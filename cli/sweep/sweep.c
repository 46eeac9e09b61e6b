/* sweep.c - plumb sweep: the subcommands run, work, status, export, point, check, merge,
 * submit, import. */
#include "cli/sweep/sweep.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/sweep/sweep_auto.h"
#include "cli/sweep/sweep_dry_run.h"
#include "cli/sweep/sweep_import.h"
#include "cli/sweep/sweep_parts.h"
#include "cli/sweep/sweep_point.h"
#include "cli/sweep/sweep_prepare.h"
#include "cli/sweep/sweep_print.h"
#include "cli/sweep/sweep_submit.h"
#include "cli/sweep/sweep_work.h"
#include "sweeps/analyse/accuracy_check.h"
#include "sweeps/analyse/export.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/run/runner.h"
#include "sweeps/store/sweep_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct store *open_store(const struct sweep *s, bool create, int *status)
{
    struct error e = {0};
    struct store *store = store_open(s->plan.output, create, &e);
    if (!store) *status = cli_fail(&e);
    return store;
}

/* --- status ------------------------------------------------------------------------------------
 */

static int print_status(const struct sweep *s, struct store *store)
{
    struct summary sum;
    struct error e = {0};
    struct text out = {0};
    int status;
    if (summary_make(&sum, &s->plan, store, &e)) {
        sweep_print_summary(&out, &s->plan, &sum, s->args.verbosity > 0);
        terminal_fold(&out);
        status = cli_output(&out, NULL);
    } else {
        status = cli_fail(&e);
    }
    summary_fini(&sum);
    text_fini(&out);
    return status;
}

static int status_command(struct sweep *s)
{
    int status = EXIT_OK;
    struct sweep_parts parts;
    struct error e = {0};
    if (!sweep_parts_open(s, &parts, &e)) return cli_fail(&e);
    if (!parts.store && !file_may_exist(s->plan.output)) return print_status(s, NULL);
    if (!parts.store) parts.store = open_store(s, false, &status);
    if (!parts.store) return status;
    status = sweep_anchors_teach(&s->plan, parts.store, &e) ? print_status(s, parts.store)
                                                            : cli_fail(&e);
    store_close(parts.store);
    if (parts.shards)
        cli_print("\nwith %" PRIu32 " shards beside %s; 'plumb sweep merge' takes them into it\n",
                  parts.shards, s->plan.output);
    if (parts.work && status == EXIT_OK) status = sweep_work_status(s, &parts.dir);
    return status;
}

/* --- run ---------------------------------------------------------------------------------------
 */

static int keep_scores(const struct sweep *s, struct store *store, int64_t sweep)
{
    struct summary sum;
    struct error e = {0};
    bool ok =
        summary_make(&sum, &s->plan, store, &e) && summary_save(&sum, &s->plan, store, sweep, &e);
    summary_fini(&sum);
    return ok ? EXIT_OK : cli_fail(&e);
}

/* Reports failed runs even when quiet. */
static void say_failed(uint64_t n, const char *output)
{
    if (n)
        cli_say("%" PRIu64 " %s failed; 'plumb sweep status' tells why (%s)", n,
                text_noun(n, "run", "runs"), output);
}

static int after_run(const struct sweep *s, struct store *store, const struct run_result *r)
{
    if (s->args.verbosity >= 0)
        cli_say("%" PRIu64 " %s done, %" PRIu64 " failed, %" PRIu64 " stored before; results in %s",
                r->done, text_noun(r->done, "run", "runs"), r->failed, r->stored, s->plan.output);
    if (s->args.verbosity >= 0 && r->done) {
        struct text command = {0};
        quote_command(&command, "plumb report %s -o FILE.html", s->plan.output);
        cli_say("for a page of them: %s", text_str(&command));
        text_fini(&command);
    }
    if (s->args.verbosity >= 0 && r->failed_before)
        cli_say("%" PRIu64 " failed before and were left; --retry runs them again",
                r->failed_before);
    int status = keep_scores(s, store, r->sweep);
    if (s->args.verbosity >= 0 && status == EXIT_OK) status = print_status(s, store);
    if (r->interrupted) return EXIT_INTERRUPTED;
    if (s->args.verbosity < 0) say_failed(r->failed + r->failed_before, s->plan.output);
    return r->failed || r->failed_before ? EXIT_RUN_FAILED : status;
}

static int run_auto(const struct sweep *s, struct store *store, struct progress *progress)
{
    struct auto_result r;
    struct error e = {0};
    struct text out = {0};
    struct auto_request q = {.threads = s->args.opts.threads, .progress = progress};
    if (s->args.verbosity >= 0) q.say = sweep_auto_note;
    if (!auto_run(&s->plan, store, &q, &r, &e)) return cli_fail(&e);
    int status = EXIT_OK;
    if (s->args.verbosity >= 0) {
        sweep_auto_print(&out, &s->plan, &r);
        terminal_fold(&out);
        status = cli_output(&out, NULL);
        text_fini(&out);
        if (status == EXIT_OK) status = print_status(s, store);
    }
    if (r.end == AUTO_INTERRUPTED) return EXIT_INTERRUPTED;
    if (s->args.verbosity < 0) say_failed(r.failed, s->plan.output);
    return r.failed ? EXIT_RUN_FAILED : status;
}

static int run_engine(struct sweep *s, struct store *store, struct progress *progress)
{
    struct run_result result;
    struct error e = {0};
    if (!sweep_prepare(s, store, progress, &e)) return cli_fail(&e);
    struct run_request q = {
        .engine = s->plan.engine, .threads = s->args.opts.threads, .progress = progress};
    q.shard = s->args.shard;
    q.shards = s->args.shards;
    q.retry = s->args.retry;
    if (!runner_run(&s->plan, store, &q, &result, &e)) return cli_fail(&e);
    return after_run(s, store, &result);
}

/* Notes that the sweep file has changed since it was last used with this database. */
static void note_change(const struct sweep *s, struct store *store)
{
    char planned[32];
    struct error e = {0};
    if (s->args.verbosity < 0 || !sweep_tables_other(store, &s->plan, planned, &e) || !planned[0])
        return;
    cli_say("%s has changed since %s, or what it names: runs that it still asks for are used, "
            "the others stay in the database",
            s->plan.file, planned);
}

/* Energy tables that cannot be read are told of before the first run. */
static int work_command(struct sweep *s)
{
    int status = EXIT_OK;
    struct errors all = {0};
    if (!plan_energy_known(&s->plan, &all)) status = cli_fail_all(&all);
    errors_fini(&all);
    return status == EXIT_OK ? sweep_work_run(s) : status;
}

static int import_command(struct sweep *s)
{
    return sweep_import(&s->args, &s->plan);
}

static int run_command(struct sweep *s)
{
    struct progress progress;
    int status = EXIT_OK;
    if (s->plan.automatic && s->args.shards)
        return cli_usage(s->args.command,
                         "--shard: engine auto chooses as it goes; 'plumb sweep work' runs it "
                         "on any number of hosts");
    if (s->args.dry_run) return sweep_dry_run(&s->args, &s->plan);
    struct errors all = {0};
    if (!plan_energy_known(&s->plan, &all)) status = cli_fail_all(&all);
    errors_fini(&all);
    if (status != EXIT_OK) return status;
    struct store *store = open_store(s, true, &status);
    if (!store) return status;
    note_change(s, store);
    bar_progress(&progress, s->args.verbosity < 0);
    status = s->plan.automatic ? run_auto(s, store, &progress) : run_engine(s, store, &progress);
    store_close(store);
    return status;
}

/* --- export ------------------------------------------------------------------------------------
 */

/* The points with their objectives: as text, or a row for each. */
static bool export_summary(const struct sweep *s, struct store *store, struct text *out,
                           struct error *e)
{
    struct summary sum;
    bool ok = summary_make(&sum, &s->plan, store, e);
    if (ok && s->args.table)
        sweep_print_points(out, &s->plan, &sum, false, UINT32_MAX);
    else if (ok && s->args.format == FORMAT_JSON)
        ok = export_points_json(&s->plan, &sum, out, e);
    else if (ok)
        ok = export_points_csv(&s->plan, &sum, out, e);
    summary_fini(&sum);
    return ok;
}

static bool make_export(const struct sweep *s, struct store *store, struct text *out,
                        struct error *e)
{
    enum engine engine = s->args.n_engines ? s->args.engine[0] : s->plan.engine;
    if (s->args.table || s->args.by_point) return export_summary(s, store, out, e);
    if (s->plan.automatic && !s->args.n_engines)
        return s->args.format == FORMAT_JSON ? export_auto_json(&s->plan, store, out, e)
                                             : export_auto_csv(&s->plan, store, out, e);
    return s->args.format == FORMAT_JSON ? export_json(&s->plan, store, engine, out, e)
                                         : export_csv(&s->plan, store, engine, out, e);
}

static int export_command(struct sweep *s)
{
    struct error e = {0};
    struct text out = {0};
    int status = EXIT_OK;
    if (s->args.n_engines > 1) return cli_usage("sweep", "export takes one --engine");
    if (s->args.table && (s->args.format != FORMAT_TABLE || s->args.n_engines || s->args.by_point))
        return cli_usage("sweep", "--table goes without --points, --json, --csv and --engine");
    if (s->args.by_point && s->args.n_engines)
        return cli_usage("sweep", "--points goes without --engine: objectives are of the sweep's");
    struct sweep_parts parts = {0};
    if (s->named.path[0] && !sweep_parts_open(s, &parts, &e)) return cli_fail(&e);
    struct store *store = parts.store ? parts.store : open_store(s, false, &status);
    if (!store) return status;
    status = make_export(s, store, &out, &e) ? cli_output(&out, s->args.output) : cli_fail(&e);
    text_fini(&out);
    store_close(store);
    return status;
}

static int point_command(struct sweep *s)
{
    return sweep_point_machine(s);
}

/* --- check -------------------------------------------------------------------------------------
 */

static int print_plan(const struct sweep *s)
{
    const struct plan *p = &s->plan;
    struct text on = {0};
    uint64_t runs = (uint64_t)plan_points(p) * p->n_workloads;
    for (uint32_t i = 0; i < p->n_machines; i++)
        text_add(&on, "%s%s", i ? ", " : "", p->base[i].name);
    cli_print(
        "%s: sound: %" PRIu32 " points x %" PRIu32 " %s = %" PRIu64 " %s of '%s' on %s, into %s\n",
        p->file, plan_points(p), p->n_workloads, text_noun(p->n_workloads, "program", "programs"),
        runs, text_noun(runs, "run", "runs"), plan_engine(p), text_str(&on), p->output);
    text_fini(&on);
    return EXIT_OK;
}

static int print_check(const struct sweep *s, const struct accuracy_check *c)
{
    struct text out = {0};
    if (s->args.format == FORMAT_JSON)
        sweep_print_check_json(&out, &s->plan, c, s->args.opts.seed);
    else
        sweep_print_check_table(&out, &s->plan, c, s->args.opts.seed);
    if (s->args.format == FORMAT_TABLE) terminal_fold(&out);
    if (s->args.format == FORMAT_TABLE) terminal_hang(&out, 4);
    int status = cli_output(&out, s->args.output);
    text_fini(&out);
    if (plumb_interrupted) return EXIT_INTERRUPTED;
    return status == EXIT_OK && c->failed ? EXIT_RUN_FAILED : status;
}

static int check_command(struct sweep *s)
{
    struct accuracy_check c = {0};
    struct progress progress;
    struct error e = {0};
    int status = EXIT_OK;
    if (s->args.simulate == 0) return print_plan(s);
    if (s->plan.engine == ENGINE_SIMULATE)
        return cli_usage("sweep", "check --simulate: this sweep simulates every point already");
    if (!cli_can_write(s->args.output)) return EXIT_RUN_FAILED;
    struct store *store = open_store(s, true, &status);
    if (!store) return status;
    bar_progress(&progress, s->args.verbosity < 0);
    if (sweep_prepare(s, store, &progress, &e) &&
        accuracy_check_run(&c, &s->plan, store, s->args.simulate, s->args.opts.seed,
                           s->args.opts.threads, &progress, &e))
        status = print_check(s, &c);
    else
        status = cli_fail(&e);
    accuracy_check_fini(&c);
    store_close(store);
    return status;
}

/* -----------------------------------------------------------------------------------------------
 */

typedef int verb(struct sweep *);

/* A shard has a database of its own beside the sweep's output. */
static int run_on_output(verb *v, struct sweep *s, char **shard)
{
    if (v == run_command && s->args.shards) {
        *shard = sweep_shard_path(s->plan.output, s->args.shard, s->args.shards);
        if (*shard) s->plan.output = *shard;
    }
    return v(s);
}

bool sweep_load(struct sweep *s, struct errors *all)
{
    struct error e = {0};
    const struct args *a = &s->args;
    const char *file = a->word[0];
    struct plan_overrides over = {.output = a->db, .calibration = a->cal};
    if (work_dir_exists(file)) {
        if (!work_dir_read(&s->named, file, &e)) {
            errors_add_error(all, &e);
            return false;
        }
        file = s->named.file;
        if (!over.calibration && s->named.calibration[0]) over.calibration = s->named.calibration;
    }
    if (!plan_load(&s->plan, file, &over, all)) return false;
    s->plan.opts.bank = a->opts.bank;
    if (s->named.path[0] && !work_dir_check(&s->named, &s->plan, &e)) {
        errors_add_error(all, &e);
        return false;
    }
    s->work = s->named.path[0] ? mem_strdup(s->named.path)
              : s->dir         ? mem_strdup(s->dir)
                               : work_dir_beside(s->plan.output);
    if (!s->work) errors_add(all, "out of memory");
    if (s->work && a->verbosity >= 0) cli_warn_plan(&s->plan);
    return s->work != NULL;
}

void sweep_unload(struct sweep *s)
{
    plan_fini(&s->plan);
    mem_free(s->work);
}

static bool is_study(const char *word)
{
    size_t n = strlen(word);
    return n > 4 && strcmp(word + n - 4, ".sql") == 0;
}

/* files: the command takes further words after the sweep file */
static int run_verb(verb *v, struct sweep *s, bool files)
{
    struct errors all = {0};
    const struct args *a = &s->args;
    if (v == import_command && s->collect) return sweep_what_to_collect(s->collect);
    if (a->n_words == 0 || (a->n_words > 1 && !files))
        return cli_usage(a->command, "expected one SWEEP file");
    if (v == check_command && is_study(a->word[0]))
        return cli_usage(a->command, "%s: papers/verdicts.sh STUDY.sql [FOLDER] judges studies",
                         a->word[0]);
    char *shard = NULL;
    int status;
    if (sweep_load(s, &all)) {
        if (s->plan.engine == ENGINE_ESTIMATE) /* no other engine's answers are corrected */
            cli_miss_calibrations(&s->plan.calibrations, a->verbosity);
        status = run_on_output(v, s, &shard);
    } else {
        status = cli_fail_all(&all);
    }
    errors_fini(&all);
    sweep_unload(s);
    mem_free(shard);
    return status;
}

int sweep_run(struct args *a)
{
    return run_verb(run_command, (struct sweep *)a, false);
}

int sweep_status(struct args *a)
{
    return run_verb(status_command, (struct sweep *)a, false);
}

int sweep_export(struct args *a)
{
    return run_verb(export_command, (struct sweep *)a, false);
}

int sweep_check(struct args *a)
{
    return run_verb(check_command, (struct sweep *)a, false);
}

int sweep_work(struct args *a)
{
    return run_verb(work_command, (struct sweep *)a, false);
}

int sweep_merge(struct args *a)
{
    return run_verb(sweep_parts_merge, (struct sweep *)a, true);
}

int sweep_import_counters(struct args *a)
{
    return run_verb(import_command, (struct sweep *)a, true);
}

int sweep_submit(struct args *a)
{
    return run_verb(sweep_submit_run, (struct sweep *)a, false);
}

int sweep_point(struct args *a)
{
    return run_verb(point_command, (struct sweep *)a, true);
}
