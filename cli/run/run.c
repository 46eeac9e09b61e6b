/* run.c - plumb estimate, sample and simulate: one command for three engines. */
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/parse/bank_option.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/programs.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/run/answer_print.h"
#include "cli/run/interval_csv.h"
#include "cli/run/series.h"
#include "engine/program_opts.h"
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>

struct run_job {
    struct args args;
    enum engine engine;
    plumb_machine *machine;
    const struct calibration_set *calibrations; /* NULL: none are asked for */
    struct programs programs;
    struct outcome *outcome;
    uint32_t n; /* outcomes so far */
    struct progress progress;
    struct cli_warnings warnings;
    struct series series;
    struct interval_csv intervals;
};

static int status_of(const struct error *e)
{
    if (e->kind == ERROR_INPUT) return EXIT_INPUT;
    return e->kind == ERROR_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_RUN_FAILED;
}

static void run_one(struct run_job *j, uint32_t at, const struct run_opts *opts)
{
    struct outcome *o = &j->outcome[at];
    if (!file_kinds_is_program(o->program, &o->e)) return;
    plumb_program *p = libplumb_program_open(o->program, j->machine, j->args.allow_unknown, &o->e);
    if (!p) return;
    o->ok = libplumb_run(j->engine, j->machine, p, j->args.cal, opts, &o->a, &o->e);
    o->a.correction.bank = bank_option_is_on(&j->args);
    if (o->ok && j->args.compare_full)
        o->ok = engine_compare_full(&j->machine->m, p->p, opts, &o->a, &o->e);
    if (o->ok && j->calibrations && j->calibrations->n && j->engine != ENGINE_ESTIMATE)
        answer_warn(&o->a, "a calibration changes estimates alone");
    plumb_program_close(p);
    o->a.set = j->args.set;
    o->a.n_sets = j->args.n_sets;
}

/* --- programs in parallel --------------------------------------------------------------------- */

/* Programs that sample simulates whole run in parallel, one thread each. */
struct side_by_side {
    struct run_job *job;
    uint32_t *at;           /* [n] indices of programs, the longest first */
    uint64_t *instructions; /* [programs] */
    uint32_t n;
};

static bool run_beside(size_t i, unsigned worker, void *ctx)
{
    const struct side_by_side *s = ctx;
    struct run_opts o = s->job->args.opts;
    (void)worker;
    o.threads = 1;
    o.progress = NULL;
    run_one(s->job, s->at[i], &o);
    s->job->outcome[s->at[i]].run = true;
    progress_add(&s->job->progress, 1);
    return !plumb_interrupted;
}

/* Finds the programs that sample can only simulate whole, sorted by falling length; skips those
 * that cannot be opened. */
static void find_whole(struct side_by_side *s)
{
    struct run_job *j = s->job;
    for (uint32_t i = 0; i < j->programs.n; i++) {
        struct program_opts opts = program_opts_of(&j->machine->m, j->args.allow_unknown);
        struct error e = {0};
        struct program *p = program_open(j->programs.spec[i], &opts, &e);
        if (!p) continue;
        for (uint32_t l = 0; l < program_launches(p); l++)
            s->instructions[i] += program_cta_start(p, l, program_launch(p, l)->ctas);
        bool whole = !engine_may_sample(&j->machine->m, p, &j->args.opts);
        program_close(p);
        if (!whole) continue;
        uint32_t k = s->n++;
        for (; k > 0 && s->instructions[s->at[k - 1]] < s->instructions[i]; k--)
            s->at[k] = s->at[k - 1];
        s->at[k] = i;
    }
}

static bool run_side_by_side(struct run_job *j, struct error *e)
{
    struct side_by_side s = {.job = j};
    if (j->engine != ENGINE_SAMPLE || j->programs.n < 2) return true;
    s.at = mem_new(j->programs.n, sizeof *s.at);
    s.instructions = mem_new(j->programs.n, sizeof *s.instructions);
    bool ok = (s.at && s.instructions) || error_no_memory(e);
    if (ok) find_whole(&s);
    if (s.n > 1) {
        progress_start(&j->progress, "programs", s.n);
        parallel_map(j->args.opts.threads, s.n, run_beside, &s);
        progress_finish(&j->progress);
    }
    mem_free(s.at);
    mem_free(s.instructions);
    return ok;
}

/* --- programs one after another --------------------------------------------------------------- */

static void warn_interrupted(struct answer *a)
{
    if (!a->has_confidence)
        answer_warn(a, "interrupted: these are the metrics up to there");
    else if (!a->partial)
        answer_warn(a, "interrupted before the whole was simulated");
}

/* Reports a program's outcome; returns its exit status. */
static int report_outcome(struct run_job *j, struct outcome *o)
{
    if (!o->ok && o->e.kind == ERROR_INTERRUPTED && o->a.m.has[M_cycles]) {
        cli_name_program(&o->e, o->program);
        cli_fail(&o->e); /* metrics that are known are printed all the same */
        o->ok = true;
    }
    if (o->ok) {
        if (j->args.verbosity >= 0)
            cli_warn(&j->warnings, o->program, &(struct warned_side){.a = &o->a}, 1,
                     j->args.verbosity > 0);
        if (o->e.kind == ERROR_INTERRUPTED) warn_interrupted(&o->a);
        return EXIT_OK;
    }
    cli_name_program(&o->e, o->program);
    cli_fail(&o->e);
    return status_of(&o->e);
}

/* Returns the worst of the programs' exit statuses: an interrupt, else an input error, else a
 * failed run.  Programs that an interrupt skipped have no outcome. */
static int run_all(struct run_job *j)
{
    int worst = EXIT_OK;
    struct error e = {0};
    if (j->args.verbosity >= 0) cli_warn_cache();
    for (uint32_t i = 0; i < j->programs.n; i++)
        j->outcome[i].program = j->programs.spec[i];
    if (!run_side_by_side(j, &e)) return cli_fail(&e);
    for (uint32_t i = 0; i < j->programs.n; i++) {
        struct outcome *o = &j->outcome[i];
        j->series.program = j->intervals.program = o->program;
        if (!o->run && plumb_interrupted) continue;
        if (!o->run) run_one(j, i, &j->args.opts);
        int status = report_outcome(j, o);
        if (status > worst) worst = status;
        if (j->n < i) {
            j->outcome[j->n] = *o;
            o->a = (struct answer){0};
        }
        j->n++;
    }
    cli_tell_warnings(&j->warnings);
    return plumb_interrupted ? EXIT_INTERRUPTED : worst;
}

static int print_answers(const struct run_job *j)
{
    struct text out = {0};
    int status = EXIT_OK;
    switch (j->args.format) {
    case FORMAT_TABLE:
        answer_print_table(&out, j->outcome, j->n, &j->machine->m, j->args.word[0],
                           j->args.verbosity > 0);
        terminal_fold(&out);
        break;
    case FORMAT_JSON:
        answer_print_json(&out, j->outcome, j->n, programs_are_list(&j->programs));
        break;
    case FORMAT_CSV: answer_print_csv(&out, j->outcome, j->n, j->machine->m.name, j->engine); break;
    }
    if (out.len || out.failed) status = cli_output(&out, j->args.output);
    text_fini(&out);
    return status;
}

/* --every needs a file to write to, and a picture shows a single program. */
static bool can_watch(const struct args *a, int *status)
{
    *status = EXIT_INPUT;
    if (!a->opts.every != !(a->series || a->plot))
        cli_usage(a->command, "--every N goes with --series FILE.csv, --plot FILE.svg, or both");
    else if (a->plot && !series_is_picture(a->plot))
        cli_usage(a->command, "--plot %s: expected a name that ends in .svg or .png", a->plot);
    else if (a->plot && a->n_words > 2)
        cli_usage(a->command, "--plot shows one program");
    else
        *status = cli_can_write(a->series) && cli_can_write(a->plot) ? EXIT_OK : EXIT_RUN_FAILED;
    return *status == EXIT_OK;
}

static int write_series(struct run_job *j)
{
    struct error e = {0};
    if (!j->args.opts.every || series_write(&j->series, j->args.series, j->args.plot, &e))
        return EXIT_OK;
    return cli_fail(&e);
}

static bool load_job(struct run_job *j, int *status)
{
    struct args *a = &j->args;
    struct errors all = {0};
    struct error e = {0};
    j->machine = libplumb_machine_open(a->word[0], a->set, a->n_sets, &all);
    bool ok = j->machine && cli_energy_table(&j->machine->m, a->word[0], &all);
    if (!ok) *status = cli_fail_all(&all);
    errors_fini(&all);
    if (ok && (j->engine == ENGINE_ESTIMATE || a->cal)) {
        j->calibrations = libplumb_calibrations(j->machine, a->cal, &e);
        ok = j->calibrations != NULL;
        if (ok)
            cli_miss_calibrations(j->calibrations, a->verbosity);
        else
            *status = cli_fail(&e);
    }
    if (!ok) return false;
    if (!programs_expand(&j->programs, a->word + 1, a->n_words - 1, &e)) {
        *status = cli_fail(&e);
        return false;
    }
    j->outcome = mem_new(j->programs.n, sizeof *j->outcome);
    if (!j->outcome) error_no_memory(&e);
    if (!j->outcome) *status = cli_fail(&e);
    return j->outcome != NULL;
}

static int run_job(struct args *a)
{
    struct run_job *j = (struct run_job *)a;
    while (strcmp(engine_name[j->engine], a->command) != 0)
        j->engine++;
    int status = EXIT_OK;
    if (j->args.n_words < 2)
        return cli_offer(
            engine_name[j->engine],
            "expected MACHINE and at least one PROGRAM ('plumb program list' names them), such as",
            "plumb %s %s fwt", engine_name[j->engine], j->args.n_words ? j->args.word[0] : "rx540");
    if (!cli_can_write(j->args.output) || !cli_can_write(j->args.intervals)) return EXIT_RUN_FAILED;
    if (j->args.opts.sites && j->args.format == FORMAT_CSV)
        return cli_usage(engine_name[j->engine],
                         "--per-load goes without --csv; --json has it all");
    if (!can_watch(&j->args, &status)) return status;
    if (load_job(j, &status)) {
        bar_progress(&j->progress, j->args.verbosity < 0);
        j->args.opts.progress = &j->progress;
        j->args.opts.causes = j->args.format != FORMAT_CSV;
        j->args.opts.each = series_add;
        j->args.opts.each_ctx = &j->series;
        if (j->args.intervals) j->args.opts.interval = interval_csv_add;
        j->args.opts.interval_ctx = &j->intervals;
        status = run_all(j);
        int printed = print_answers(j);
        if (status == EXIT_OK) status = printed;
        int wrote = write_series(j);
        if (status == EXIT_OK) status = wrote;
        wrote = a->intervals ? cli_output(interval_csv_text(&j->intervals), a->intervals) : EXIT_OK;
        if (status == EXIT_OK) status = wrote;
    }
    for (uint32_t i = 0; i < j->n; i++)
        answer_fini(&j->outcome[i].a);
    series_fini(&j->series);
    interval_csv_fini(&j->intervals);
    mem_free(j->outcome);
    plumb_machine_close(j->machine);
    programs_fini(&j->programs);
    return status;
}

/* -----------------------------------------------------------------------------------------------
 */

#define USAGE "MACHINE PROGRAM... [OPTION]..."
#define PER_KERNEL \
    OPTION_FLAG("per-kernel", ARG(opts.per_kernel), "the metrics of each launch, too")
/* The options in the order of the help. */
#define FIRST_OPTIONS                                                             \
    OPTION_SET("override a parameter of the machine; may be repeated"), OPTION_P, \
        OPTION_ALLOW_UNKNOWN
#define CAL_WITHOUT_EFFECT "taken, but a calibration changes estimates alone"
#define FORMAT_OPTIONS \
    OPTION_JSON("instead of a table; exactly one document"), OPTION_CSV("rows instead of a table")
#define LAST_OPTIONS                                       \
    OPTION_SEED, OPTION_QUIET("no progress, no warnings"), \
        OPTION_VERBOSE("every metric and every station")

static const struct cli_option estimate_options[] = {
    FIRST_OPTIONS,
    OPTION_CAL("a calibration made by 'plumb calibrate' instead of the one that comes with plumb; "
               "none: no calibration; with '--bank none' no correction at all"),
    OPTION_BANK("a bank of runs instead of the user's; none: no bank"),
    OPTION_KERNEL,
    OPTION_MAX_INSTRUCTIONS,
    PER_KERNEL,
    OPTION_CONFIDENCE,
    OPTION_EXACT_PROFILE,
    FORMAT_OPTIONS,
    OPTION_STDOUT,
    OPTION_THREADS("at most so many threads (all processors)"),
    LAST_OPTIONS,
};

static const struct cli_option sample_options[] = {
    FIRST_OPTIONS,
    OPTION_CAL(CAL_WITHOUT_EFFECT),
    OPTION_BANK(BANK_OF_RUNS),
    OPTION_KERNEL,
    OPTION_MAX_INSTRUCTIONS,
    PER_KERNEL,
    OPTION_ERROR,
    OPTION_CONFIDENCE,
    OPTION_BUDGET,
    OPTION_FLAG("compare-full", ARG(compare_full),
                "simulate the whole program, too, and print the sample's error"),
    OPTION_FILE("intervals", "FILE.csv", ARG(intervals),
                "a row for each interval that was run: where it lies, its stratum, its weight in "
                "the estimate, its metrics"),
    FORMAT_OPTIONS,
    OPTION_STDOUT,
    OPTION_THREADS("at most so many threads (all processors)"),
    LAST_OPTIONS,
};

static const struct cli_option simulate_options[] = {
    FIRST_OPTIONS,
    OPTION_CAL(CAL_WITHOUT_EFFECT),
    OPTION_BANK(BANK_OF_RUNS),
    OPTION_KERNEL,
    OPTION_MAX_INSTRUCTIONS,
    PER_KERNEL,
    OPTION_FLAG("per-load", ARG(opts.sites),
                "how often each memory instruction ran, its accesses, hits and latency, and the "
                "accesses to each buffer at both levels"),
    {.name = "every",
     .value = "N",
     .meaning = "also write the metrics of every N core cycles, to --series, --plot or both",
     .read = option_whole,
     .at = ARG(opts.every),
     .low = 1,
     .high = 1000000000000},
    OPTION_FILE("series", "FILE.csv", ARG(series),
                "with --every: a row of all metrics for each stretch of N cycles"),
    OPTION_FILE("plot", "FILE.svg|.png", ARG(plot), "with --every: a picture of the run over time"),
    FORMAT_OPTIONS,
    OPTION_STDOUT,
    OPTION_THREADS("one machine on so many threads, with the same answer (1)"),
    LAST_OPTIONS,
};

#define WORDS .first = COMPLETES_MACHINE, .others = COMPLETES_PROGRAM

const struct cli_command command_estimate = {
    .name = "estimate",
    .usage = USAGE,
    .meaning = "the instant answer of a queueing model",
    .text = "Finds cache hit rates from reuse distances, then solves a closed queueing network.  "
            "Names the station that is the bottleneck, and what would help.",
    .run = run_job,
    .size = sizeof(struct run_job),
    WORDS,
    CLI_OPTIONS(estimate_options),
};

const struct cli_command command_sample = {
    .name = "sample",
    .usage = USAGE,
    .meaning = "intervals of the cycle model, with confidence",
    .text = "A statistical choice of intervals, each run on the cycle model, with the range of the "
            "result.  "
            "Short programs are simulated whole, which costs less.",
    .run = run_job,
    .size = sizeof(struct run_job),
    WORDS,
    CLI_OPTIONS(sample_options),
};

const struct cli_command command_simulate = {
    .name = "simulate",
    .usage = USAGE,
    .meaning = "the cycle model over the whole program",
    .text = "The cycle model over the whole program.",
    .run = run_job,
    .size = sizeof(struct run_job),
    WORDS,
    CLI_OPTIONS(simulate_options),
};
