/* fit.c - `plumb machine fit`: fits a machine's latencies to a measured pointer chase. */
#include "cards/probe/fit.h"
#include "base/memory/alloc.h"
#include "base/text/version.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fit_command {
    struct args args;
    const char *against, *gpu;
};

static void print_fit(const struct probe_fit *f, struct text *out)
{
    struct rows r = {0};
    for (uint32_t i = 0; i < f->n; i++) {
        const struct probe_fitted *x = &f->row[i];
        rows_item(&r);
        rows_text(&r, NULL, "parameter", x->path);
        rows_number(&r, NULL, "before", "%.0f", x->before);
        rows_number(&r, NULL, "after", "%.0f", x->after);
        rows_number(&r, NULL, "KB", "%.4g", x->x);
        rows_number(&r, NULL, "measured", "%.1f", x->measured);
        rows_number(&r, NULL, "was", "%.1f", x->was);
        rows_number(&r, NULL, "is", "%.1f", x->is);
    }
    table_rows(out, &r);
}

/* A machine file is named by its whole path, which the new file finds wherever it stands. */
static bool base_of(const char *spec, char base[4096])
{
    size_t n = strlen(spec);
    if (strchr(spec, '/') || (n > 4 && strcmp(spec + n - 4, ".cfg") == 0))
        return realpath(spec, base) != NULL;
    snprintf(base, 4096, "%s", spec);
    return true;
}

static int write_fit(const struct fit_command *c, const struct probe_fit *f, const char *card)
{
    struct text file = {0}, table = {0};
    char base[4096], comment[512];
    const char *slash = strrchr(c->against, '/');
    if (!base_of(c->args.word[0], base)) snprintf(base, sizeof base, "%s", c->args.word[0]);
    snprintf(comment, sizeof comment,
             "Latencies fitted to the pointer chase of %.60s in %.200s by plumb " PLUMB_VERSION
             " (SIM %d) machine fit.",
             card, slash ? slash + 1 : c->against, SIM_MODEL_VERSION);
    probe_fit_file(f, base, comment, &file);
    print_fit(f, &table);
    int status = cli_output(&file, c->args.output);
    if (status == EXIT_OK) status = cli_output(&table, NULL);
    text_fini(&file);
    text_fini(&table);
    return status;
}

static int fit_machine(const struct fit_command *c, struct machine *m,
                       const struct probe_curves *measured)
{
    struct probe_fit fit;
    struct error e = {0};
    if (!measured->of[PROBE_CHASE].n)
        error_input(&e, "%s: has no curve of %s, to which latencies are fitted", c->against,
                    probe_experiments[PROBE_CHASE].name);
    else if (probe_fit_latencies(m, &measured->of[PROBE_CHASE], &fit, &e))
        return write_fit(c, &fit, measured->gpu);
    return cli_fail(&e);
}

static int run(struct args *args)
{
    struct fit_command *c = (struct fit_command *)args;
    struct machine *m = mem_new(1, sizeof *m);
    struct probe_curves measured = {0};
    struct errors all = {0};
    struct error e = {0};
    int status = EXIT_INPUT;
    if (!c->against || !args->output)
        status = cli_usage(args->command, "--against CSV and -o FILE.cfg are needed");
    else if (!m)
        error_no_memory(&e), status = cli_fail(&e);
    else if (!machine_load(m, args->word[0], NULL, 0, &all))
        cli_fail_all(&all);
    else if (!probe_curves_load(&measured, c->against, c->gpu, &e))
        status = cli_fail(&e);
    else if (!cli_can_write(args->output))
        status = EXIT_RUN_FAILED;
    else
        status = fit_machine(c, m, &measured);
    errors_fini(&all);
    probe_curves_fini(&measured);
    mem_free(m);
    return status;
}

#define AT(member) offsetof(struct fit_command, member)

static const struct cli_option options[] = {
    OPTION_FILE("against", "CSV", AT(against), "measured curves, with one of pchase_latency"),
    {.name = "gpu",
     .value = "NAME",
     .meaning = "the card of that file, if it has several",
     .read = option_text,
     .at = AT(gpu)},
    OPTION_OUTPUT("FILE.cfg", "the machine file, with MACHINE as its base"),
};

const struct cli_command command_machine_fit = {
    .name = "machine fit",
    .usage = "MACHINE --against CSV [--gpu NAME] -o FILE.cfg",
    .meaning = "latencies that meet a measured pointer chase",
    .text =
        "Runs the pointer chase in the middle of each plateau of a measured one, and moves the "
        "latency of the level that serves it (l1.latency, l2.extra_latency, l2.link_latency, "
        "l3.latency, dram.extra_latency, tlb.l2_latency; where its range ends, the level's next "
        "one) until they agree to the cycle.  Sizes, bandwidths and everything else stay, so that "
        "'machine probe' with the other experiments judges the machine.",
    .run = run,
    .size = sizeof(struct fit_command),
    .words = 1,
    .first = COMPLETES_MACHINE,
    CLI_OPTIONS(options),
};
