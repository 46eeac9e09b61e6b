/* calibrate.c - plumb calibrate: calibrates the estimator with sampled runs and prints what it
 * found. */
#include "cli/run/calibrate.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/programs.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "sweeps/train/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 8 };

static void print_rows(struct text *out, const struct plan *p, const struct training *t)
{
    text_add_shown(out, "  %-18s %-44s %12s %7s %12s %12s\n", "program", "machine", "sampled",
                   "\u00b1 %", "before", "from others");
    for (uint32_t i = 0; i < t->n; i++) {
        const struct train_row *r = &t->row[i];
        char at[512] = "";
        size_t used = 0;
        for (uint32_t k = 0; k < p->n_axes && used < sizeof at; k++)
            used += (size_t)snprintf(at + used, sizeof at - used, "%s%s", k ? " " : "",
                                     plan_value(p, r->point, k));
        text_add_shown(out, "  %-18s %-44s %12.0f %6.1f %12.0f %12.0f\n",
                       plan_workload(p, r->workload), at, r->sampled, 100 * r->half_width, r->raw,
                       r->fitted);
    }
    text_add(out, "  (machine:");
    for (uint32_t k = 0; k < p->n_axes; k++)
        text_add_shown(out, " %s", p->axis[k].path);
    text_add(out, ")\n\n");
}

/* Converts a mean |log ratio| to the factor it stands for, in per cent. */
static double percent_of(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

void calibrate_print_errors(struct text *out, const struct calibration *c, const char *path)
{
    text_add(
        out,
        "  mean error of the cycles: %.1f %% before, %.1f %% cross-validated (worst %.1f %%)\n",
        percent_of(c->raw_error), percent_of(c->cv_error), percent_of(c->cv_worst));
    if (c->cv_error > c->raw_error)
        text_add(out, "  this calibration does not improve machines that were not run; more points "
                      "(--points N) may\n");
    text_add_shown(out, "  written to %s\n", path);
}

static void print_training(struct text *out, const struct plan *p, const struct training *t,
                           const char *path, bool verbose)
{
    if (verbose) print_rows(out, p, t);
    text_add_shown(out, "  %u sampled %s at %u %s%s\n", t->n, text_noun(t->n, "run", "runs"),
                   t->points, text_noun(t->points, "machine", "machines"),
                   t->failed ? "" : ", none failed");
    if (t->failed)
        text_add_shown(out, "  %u sampled runs failed and were left out; the first: %s\n",
                       t->failed, t->first_failure);
    calibrate_print_errors(out, &t->calibration, path);
}

static bool is_sweep(const struct args *a)
{
    return a->n_words == 1;
}

/* Errors and budgets of sampled runs on the command line override the sweep's. */
static void merge_opts(struct plan *p, const struct args *a)
{
    if (a->given & GIVEN_ERROR) p->opts.error = a->opts.error;
    if (a->given & GIVEN_CONFIDENCE) p->opts.confidence = a->opts.confidence;
    if (a->given & GIVEN_BUDGET) p->opts.budget = a->opts.budget;
    if (a->given & GIVEN_SEED) p->opts.seed = a->opts.seed;
    p->opts.bank = a->opts.bank;
    if (a->opts.max_instructions) p->opts.max_instructions = a->opts.max_instructions;
}

static bool make_plan(struct plan *p, const struct args *a, struct programs *programs,
                      struct errors *all)
{
    struct error e = {0};
    bool ok;
    if (is_sweep(a)) {
        struct plan_overrides over = {.output = "-", .no_calibration = true};
        ok = plan_load(p, a->word[0], &over, all);
    } else {
        ok = programs_expand(programs, a->word + 1, a->n_words - 1, &e);
        for (uint32_t i = 0; ok && i < programs->n; i++)
            ok = file_kinds_is_program(programs->spec[i], &e);
        if (!ok) errors_add_error(all, &e);
        ok = ok && plan_around(p, a->word[0], a->set, a->n_sets,
                               (const char *const *)programs->spec, programs->n, all);
    }
    if (ok) merge_opts(p, a);
    return ok && plan_energy_known(p, all);
}

/* false: an error was printed. */
static bool read_choice(const struct args *a, enum train_choice *choice)
{
    static const char *const names[] = {
        [TRAIN_SPREAD] = "spread", [TRAIN_ACTIVE] = "active", [TRAIN_RANDOM] = "random"};
    *choice = TRAIN_SPREAD;
    for (int i = 0; a->choose && i <= TRAIN_RANDOM; i++)
        if (strcmp(a->choose, names[i]) == 0) *choice = (enum train_choice)i;
    if (!a->minutes || *choice == TRAIN_ACTIVE) return true;
    cli_usage("calibrate", "--minutes goes with --choose active");
    return false;
}

static int train_calibration(const struct plan *p, const struct args *a, enum train_choice choose)
{
    struct training t;
    struct error e = {0};
    struct progress progress;
    struct text out = {0};
    int status = EXIT_OK;
    bar_progress(&progress, a->verbosity < 0);
    struct train_request q = {.points = a->points ? a->points : POINTS,
                              .choose = choose,
                              .runs = a->db,
                              .seed = p->opts.seed,
                              .seconds = 60.0 * a->minutes,
                              .threads = a->opts.threads,
                              .progress = &progress};
    if (!train(&t, p, &q, &e) || !calibration_save(&t.calibration, a->output, &e)) {
        status = cli_fail(&e);
    } else {
        print_training(&out, p, &t, a->output, a->verbosity > 0);
        terminal_fold(&out);
        terminal_hang(&out, 4);
        status = cli_output(&out, NULL);
    }
    train_fini(&t);
    text_fini(&out);
    return status;
}

static int told_where(const char *name)
{
    struct text file = {0};
    text_add(&file, "%s.cal", name);
    int status = cli_offer("calibrate", "where to? -o FILE.cal, such as", "-o %s", text_str(&file));
    text_fini(&file);
    return status;
}

static int calibrate_plan(struct args *a)
{
    struct plan p = {0};
    struct programs programs = {0};
    struct errors all = {0};
    enum train_choice choose;
    int status;
    if (a->renew) return calibrate_renew(a);
    if (a->n_words == 0) return cli_usage("calibrate", "expected SWEEP, or MACHINE and PROGRAM...");
    if (!a->output) return told_where(is_sweep(a) ? "sweep" : a->word[0]);
    if (is_sweep(a) && a->n_sets)
        return cli_usage("calibrate",
                         "--set goes with MACHINE PROGRAM...; a sweep file has its own 'set'");
    if (!read_choice(a, &choose)) return EXIT_INPUT;
    if (!cli_can_write(a->output)) return EXIT_RUN_FAILED;
    bool made = make_plan(&p, a, &programs, &all);
    if (made && a->verbosity >= 0) cli_warn_plan(&p);
    if (made)
        status = train_calibration(&p, a, choose);
    else
        status = cli_fail_all(&all);
    errors_fini(&all);
    plan_fini(&p);
    programs_fini(&programs);
    return status;
}

static const struct cli_option options[] = {
    OPTION_OUTPUT("FILE.cal", "where the calibration goes"),
    {.name = "renew",
     .value = "FILE.cal",
     .meaning = "estimate the runs of a calibration of an earlier version again and simulate "
                "nothing; into FILE.cal, or -o",
     .completes = COMPLETES_FILE,
     .read = option_file,
     .at = ARG(renew)},
    {.name = "machine",
     .value = "MACHINE",
     .meaning = "with --renew: the machine that FILE.cal was made for, if that is no preset",
     .completes = COMPLETES_MACHINE,
     .read = option_file,
     .at = ARG(machine)},
    OPTION_SET("override a parameter of MACHINE; may be repeated"),
    OPTION_P,
    OPTION_FILE("db", "FILE", ARG(db),
                "keep the sampled runs there; those that it has are not repeated"),
    OPTION_COUNT("points", "N", ARG(points), 1, 100000, "machines, each with every program (8)"),
    {.name = "choose",
     .value = "HOW",
     .meaning =
         "how machines are chosen: spread evenly (the default), random, or active: after a third "
         "of the runs, each further run is that of the program and machine which is expected to "
         "lower the error most",
     .words = "spread random active",
     .read = option_text,
     .at = ARG(choose)},
    OPTION_COUNT("minutes", "M", ARG(minutes), 1, 100000,
                 "with --choose active: begin no run that would end after M minutes"),
    OPTION_BANK(BANK_OF_RUNS),
    OPTION_ERROR,
    OPTION_CONFIDENCE,
    OPTION_BUDGET,
    OPTION_MAX_INSTRUCTIONS,
    OPTION_THREADS("at most so many threads (all processors)"),
    OPTION_SEED,
    OPTION_QUIET("no progress"),
    OPTION_VERBOSE("every sampled run"),
};

const struct cli_command command_calibrate = {
    .name = "calibrate",
    .usage = "SWEEP -o FILE.cal [OPTION]...\n"
             "MACHINE PROGRAM... -o FILE.cal [--set PATH=VALUE]... [OPTION]...\n"
             "--renew FILE.cal [PROGRAM...] [-o OUT.cal] [--machine MACHINE]",
    .meaning = "teaches the estimator by sampled runs",
    .text = "Samples a few machines with the cycle model, drawn evenly from the sweep's axes or, "
            "for MACHINE, from a few memory parameters around it; learns the error of "
            "their estimates over the varied parameters.  Prints the error without the "
            "calibration, and with it as cross-validated (each run predicted from the others).\n"
            "A calibration serves one version of the estimator.  As long as the cycle model stays "
            "the same, --renew makes the calibration for a new version from the old file, without "
            "a simulation.  It looks for the programs among PROGRAM and those that come with "
            "plumb.",
    .run = calibrate_plan,
    .first = COMPLETES_MACHINE_OR_SWEEP,
    .others = COMPLETES_PROGRAM,
    CLI_OPTIONS(options),
};
