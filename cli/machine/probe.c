/* probe.c - `plumb machine probe`: microbenchmarks of a machine, beside measured curves. */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "base/text/version.h"
#include "cards/probe/figures.h"
#include "cards/probe/points.h"
#include "cards/probe/run.h"
#include "cli/command/cli.h"
#include "cli/machine/probe_print.h"
#include "cli/parse/args.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"

#include <stdio.h>
#include <string.h>

enum { AGAINST_MOST = 8 };

struct probe_command {
    struct args args;
    const char *gpu;
    const char *against[AGAINST_MOST];
    uint32_t n_against;
    bool want[PROBE_N], named;
};

/* Reads an experiment's name or what several begin with: "stream". */
static bool read_experiment(struct args *a, const struct cli_option *o, const char *value)
{
    struct probe_command *c = (struct probe_command *)a;
    bool found = false;
    (void)o;
    for (uint32_t k = 0; k < PROBE_N; k++) {
        if (!*value || strncmp(probe_experiments[k].name, value, strlen(value)) != 0) continue;
        c->want[k] = found = c->named = true;
    }
    if (found) return true;
    struct text all = {0};
    for (uint32_t k = 0; k < PROBE_N; k++)
        text_add_shown(&all, "%s%s", k ? ", " : "", probe_experiments[k].name);
    cli_usage(a->command, "--experiment %s: no experiment begins with it; allowed are %s", value,
              text_str(&all));
    text_fini(&all);
    return false;
}

static bool read_against(struct args *a, const struct cli_option *o, const char *value)
{
    struct probe_command *c = (struct probe_command *)a;
    (void)o;
    if (c->n_against == AGAINST_MOST) {
        cli_usage(a->command, "--against: at most %d files", AGAINST_MOST);
        return false;
    }
    c->against[c->n_against++] = value;
    return true;
}

static bool load_measured(const struct probe_command *c, struct probe_curves *measured,
                          struct error *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < c->n_against && ok; i++)
        ok = probe_curves_join(measured, c->against[i], c->gpu, e);
    return ok;
}

static void note_missing(const struct probe_command *c, const struct probe_curves *measured,
                         struct text *notes)
{
    for (uint32_t k = 0; k < PROBE_N; k++)
        if (c->want[k] && !measured->of[k].n)
            text_add_shown(notes, "%s has no curve of %s: it was not run\n", c->against[0],
                           probe_experiments[k].name);
}

static void source_text(const struct probe_command *c, struct text *out)
{
    text_add_shown(out, "plumb " PLUMB_VERSION " (SIM %d): machine probe %s", SIM_MODEL_VERSION,
                   c->args.word[0]);
    for (uint32_t i = 0; i < c->args.n_sets; i++)
        text_add_shown(out, " --set %s", c->args.set[i]);
    for (char *s = out->s; s && *s; s++)
        if (*s == ',' || *s == '"' || (unsigned char)*s < ' ') *s = ';';
}

/* Writes the curves' file and pictures. */
static int write_files(const struct probe_command *c, const struct probe_findings *f)
{
    struct text csv = {0}, source = {0};
    struct error e = {0};
    uint32_t written;
    int status = EXIT_OK;
    if (c->args.output) {
        source_text(c, &source);
        probe_curves_csv(f->ours, text_str(&source), &csv);
        csv.failed |= source.failed;
        status = cli_output(&csv, c->args.output);
    }
    if (status == EXIT_OK && c->args.svg &&
        !probe_figures(f->ours, f->measured, c->args.svg, CHART_SVG, &written, &e))
        status = cli_fail(&e);
    text_fini(&csv);
    text_fini(&source);
    return status;
}

static int print_findings(const struct probe_command *c, const struct probe_findings *f)
{
    struct text out = {0};
    if (c->args.format == FORMAT_JSON)
        probe_print_json(f, &out);
    else
        probe_print_table(f, &out);
    out.failed |= f->notes->failed;
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

static int probe_machine(const struct probe_command *c, const struct machine *m,
                         const struct probe_curves *measured)
{
    struct probe_curves ours;
    struct probe_comparison errors = {0};
    struct text notes = {0};
    struct error e = {0};
    struct progress progress = {0};
    struct probe_options o = {.points = c->args.points,
                              .threads = c->args.opts.threads,
                              .against = measured,
                              .progress = &progress};
    memcpy(o.want, c->want, sizeof o.want);
    if (measured) note_missing(c, measured, &notes);
    bar_progress(&progress, c->args.verbosity < 0);
    bool ok = probe_run(m, &o, &ours, &notes, &e) &&
              (!measured || probe_compare(measured, &ours, &errors, &e));
    struct probe_findings f = {&ours, measured, &errors, &notes};
    int status = ok ? write_files(c, &f) : cli_fail(&e);
    if (status == EXIT_OK) status = print_findings(c, &f);
    probe_comparison_fini(&errors);
    probe_curves_fini(&ours);
    text_fini(&notes);
    return status;
}

static int run(struct args *args)
{
    struct probe_command *c = (struct probe_command *)args;
    struct machine *m = mem_new(1, sizeof *m);
    struct probe_curves measured = {0};
    struct errors all = {0};
    struct error e = {0};
    int status = EXIT_INPUT;
    for (uint32_t k = 0; k < PROBE_N && !c->named; k++)
        c->want[k] = true;
    if (c->gpu && !c->n_against) {
        status = cli_usage(args->command, "--gpu is of the file that --against names");
    } else if (!m) {
        error_no_memory(&e);
        status = cli_fail(&e);
    } else if (!machine_load(m, args->word[0], args->set, args->n_sets, &all)) {
        cli_fail_all(&all);
    } else if (!load_measured(c, &measured, &e)) {
        status = cli_fail(&e);
    } else if (!cli_can_write(args->output)) {
        status = EXIT_RUN_FAILED;
    } else {
        status = probe_machine(c, m, c->n_against ? &measured : NULL);
    }
    errors_fini(&all);
    probe_curves_fini(&measured);
    mem_free(m);
    return status;
}

#define AT(member) offsetof(struct probe_command, member)

static const struct cli_option options[] = {
    {.name = "experiment",
     .value = "NAME",
     .meaning = "only the experiments whose names begin with it (all); may be repeated",
     .read = read_experiment},
    {.name = "against",
     .value = "CSV",
     .meaning =
         "measured curves: run at their x, and print the errors; further files have what the "
         "first lacks",
     .completes = COMPLETES_FILE,
     .read = read_against},
    {.name = "gpu",
     .value = "NAME",
     .meaning = "the card of that file, if it has several",
     .read = option_text,
     .at = AT(gpu)},
    OPTION_OUTPUT("FILE.csv", "the curves, as a file of the same kind"),
    OPTION_FOLDER("svg", ARG(svg), "a picture of every curve there"),
    OPTION_SET("override a parameter; may be repeated, the last one wins"),
    OPTION_COUNT("points", "N", ARG(points), 2, PROBE_POINTS_MAX,
                 "points of a curve (latency 30, reads 12, streams 10)"),
    OPTION_THREADS("points at a time (as many as processors)"),
    OPTION_JSON("one JSON object: machine, points, errors, notes"),
    OPTION_QUIET("no progress"),
};

const struct cli_command command_machine_probe = {
    .name = "machine probe",
    .usage = "MACHINE [--experiment NAME]... [--against CSV]... [--gpu NAME] "
             "[-o FILE.csv] [--svg DIR] [--set PATH=VALUE]... [--points N] [--json]",
    .meaning = "microbenchmarks of a machine, beside measured curves",
    .text =
        "Runs microbenchmarks of a memory system on the cycle model: latency of a pointer chase "
        "over the buffer's size, bandwidth of streams over the threads that run, of reads of "
        "cached and of shared buffers over their size, and of strides in the L1.  With --against, "
        "it runs them at x's of curves that were measured on a card, and prints how far plateaus, "
        "knees, saturated bandwidths, ramps and strides are off.\n"
        "CSV has the columns gpu, experiment, x, value and may have x_name, unit, extra, source.",
    .run = run,
    .size = sizeof(struct probe_command),
    .words = 1,
    .first = COMPLETES_MACHINE,
    CLI_OPTIONS(options),
};
