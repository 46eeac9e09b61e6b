/* report.c - plumb report: writes a database of results as a page and as figures, or shows it while
 * it grows. */
#include "sweeps/report/report.h"
#include "base/io/file.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/sweep/report_serve.h"
#include "cli/sweep/sweep_parts.h"
#include "sweeps/report/report_figures.h"

#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int write_page(const struct args *a, const struct results *r)
{
    struct text page = {0};
    struct error e = {0};
    int status = report_page(r, base_name(a->word[0]), &page, &e) ? cli_output(&page, a->output)
                                                                  : cli_fail(&e);
    if (status == EXIT_OK && a->verbosity >= 0)
        cli_say("%s is written: open it in a browser", a->output);
    text_fini(&page);
    return status;
}

static int write_figures(const struct args *a, const struct results *r)
{
    struct error e = {0};
    uint32_t written = 0;
    enum chart_format format = a->svg ? CHART_SVG : CHART_PNG;
    const char *folder = a->svg ? a->svg : a->png;
    if (!report_figures(r, format, folder, &written, &e)) return cli_fail(&e);
    if (a->verbosity >= 0) cli_say("%u pictures in %s", written, folder);
    return EXIT_OK;
}

static int write_all(const struct args *a, const struct results *r)
{
    int status = a->output ? write_page(a, r) : EXIT_OK;
    if (status != EXIT_OK || !(a->svg || a->png)) return status;
    return write_figures(a, r);
}

static int report_parts(struct sweep *s)
{
    struct results r = {0};
    struct errors all = {0};
    struct error e = {0};
    int status = EXIT_INPUT;
    if (!sweep_load(s, &all))
        cli_fail_all(&all);
    else if (!sweep_parts_results(s, &r, &e))
        status = cli_fail(&e);
    else
        status = write_all(&s->args, &r);
    results_fini(&r);
    errors_fini(&all);
    sweep_unload(s);
    return status;
}

/* The page beside the database: results.db gives results.html. */
static int told_where(const char *db)
{
    const char *slash = strrchr(db, '/'), *dot = strrchr(db, '.');
    int stem = dot && (!slash || dot > slash + 1) ? (int)(dot - db) : (int)strlen(db);
    while (stem > 1 && db[stem - 1] == '/')
        stem--;
    struct text page = {0};
    text_add(&page, "%.*s.html", stem, db);
    int status = cli_offer("report", "where to? --serve, --svg DIR, --png DIR, or a page:",
                           "plumb report %s -o %s", db, text_str(&page));
    text_fini(&page);
    return status;
}

static int write_report(struct args *a)
{
    struct results r;
    struct error e = {0};
    if (a->serve && a->n_words) return report_serve((struct sweep *)a, base_name(a->word[0]));
    if (a->n_words != 1) return cli_usage("report", "expected one database, RESULTS.db, or DIR");
    if (a->svg && a->png) return cli_usage("report", "takes one of --svg and --png");
    if (!a->output && !a->svg && !a->png) return told_where(a->word[0]);
    if (a->output && !cli_can_write(a->output)) return EXIT_RUN_FAILED;
    if (work_dir_exists(a->word[0])) return report_parts((struct sweep *)a);
    int status = results_read(&r, a->word[0], &e) ? write_all(a, &r) : cli_fail(&e);
    results_fini(&r);
    return status;
}

static const struct cli_option options[] = {
    OPTION_OUTPUT("FILE.html", "the page"),
    OPTION_FOLDER("svg", ARG(svg),
                  "pictures for papers into that folder: the trade-off, the goal along each axis, "
                  "what matters, parallel coordinates, programs by axis, cheaper engines against "
                  "the dearest"),
    OPTION_FOLDER("png", ARG(png), "the same, in pixels"),
    OPTION_FLAG("serve", ARG(serve),
                "show the page at http://127.0.0.1:PORT/ and follow the sweep while it runs, until "
                "Ctrl-C; PORT: 8765 unless given, 0 for any that is free"),
    OPTION_THREADS("taken, without effect"),
    OPTION_QUIET("nothing on standard error but errors"),
    OPTION_VERBOSE("taken, without effect"),
};

const struct cli_command command_report = {
    .name = "report",
    .usage = "RESULTS.db -o FILE.html [--png DIR | --svg DIR]\n"
             "RESULTS.db --png DIR | --svg DIR\n"
             "RESULTS.db --serve [PORT]",
    .size = sizeof(struct sweep),
    .meaning = "a sweep as a page for a browser",
    .text =
        "One self-contained page for any browser, without a network: the sweep's own answers, with "
        "how each is known and how far it may be off.  It shows the trade-off with the Pareto "
        "front, the selected point beside the baseline (and its machine as .cfg), parallel "
        "coordinates, the rounds of engine auto, which axis matters, programs, cycle stacks, a "
        "roofline, why two points differ, cheaper engines against dearer ones, counters of "
        "hardware, and a table to filter and export.  docs/guide/report.md describes each part.  "
        "RESULTS.db may be the directory where the workers of a sweep meet.",
    .run = write_report,
    .first = COMPLETES_DATABASE,
    CLI_OPTIONS(options),
};
