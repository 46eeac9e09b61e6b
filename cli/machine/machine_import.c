/* machine_import.c - see machine_import.h. */
#include "cli/machine/machine_import.h"

#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "gpu/machine/import/machine_import.h"

#include <stdio.h>

/* The report goes to standard error, so that the machine can go to a pipe. */
static int run_import(struct args *a)
{
    struct machine_import out;
    struct errors all = {0};
    if (a->n_words == 0)
        return cli_usage("machine import", "it takes a folder, or the files in it");
    bool ok = machine_import_files(a->word, a->n_words, &out, &all);
    int status = ok ? cli_output(&out.machine, a->output) : cli_fail_all(&all);
    const struct text *told = a->verbosity >= 0 ? &out.report : &out.replaced;
    if (ok && status == EXIT_OK) cli_write(true, text_str(told), told->len);
    if (ok) machine_import_fini(&out);
    errors_fini(&all);
    return status;
}

static const struct cli_option import_options[] = {
    OPTION_STDOUT,
    OPTION_QUIET("print only the options that were replaced"),
};

const struct cli_command command_machine_import = {
    .name = "machine import",
    .usage = "DIR|gpgpusim.config [trace.config] [-o FILE.cfg] [-q]",
    .meaning = "a machine from Accel-Sim's configuration",
    .text = "Reads the configuration of Accel-Sim (GPGPU-Sim): the files, or a folder's "
            "gpgpusim.config and trace.config.  Writes a machine file, in which each value has "
            "the option that it follows from as its comment, and prints on standard error what "
            "became of each option: replaced by something else, which changes answers (this comes "
            "first, and with -q, too), carried over, ignored as it changes no answer, or without "
            "counterpart.  A fault is told as FILE:LINE, exit status 2.",
    .run = run_import,
    .size = 0,
    .first = COMPLETES_FILE,
    .others = COMPLETES_FILE,
    CLI_OPTIONS(import_options)};
