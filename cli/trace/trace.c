/* trace.c - plumb trace: inspects, checks, makes and converts programs. */
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/trace/trace_args.h"
#include "trace/accelsim/accelsim.h"
#include "trace/plt/repack.h"

#include <stdio.h>
#include <string.h>

/* --- check --- */

static int run_check(struct args *args)
{
    struct trace_args *o = (struct trace_args *)args;
    struct error e = {0};
    int status;
    struct program *p = trace_args_open(o, &status);
    if (!p) return status;
    trace_args_warn(p);
    if (program_verify(p, &e))
        cli_print("%s: whole: %u %s\n", program_name(p), program_launches(p),
                  text_noun(program_launches(p), "launch", "launches"));
    else
        status = cli_fail(&e);
    program_close(p);
    return status;
}

/* --- import, generate, export --- */

static int run_import(struct args *args)
{
    struct trace_args *o = (struct trace_args *)args;
    struct error e = {0};
    const char *output = o->args.output;
    if (!output) return cli_usage("trace import", "-o FILE.plt is missing");
    return accelsim_import(o->args.word[0], o->args.allow_unknown, output, &e)
               ? trace_args_written(output)
               : cli_fail(&e);
}

static int run_generate(struct args *args)
{
    struct trace_args *o = (struct trace_args *)args;
    struct error e = {0};
    int status;
    const char *output = o->args.output;
    if (!output) return cli_usage("trace generate", "-o FILE.plt is missing");
    struct program *p = trace_args_open(o, &status);
    if (!p) return status;
    bool ok = program_repack(p, output, program_note(p), &e);
    program_close(p);
    return ok ? trace_args_written(output) : cli_fail(&e);
}

static void print_losses(const char *lost)
{
    while (*lost) {
        int n = (int)strcspn(lost, "\n");
        cli_say("lost: %.*s", n, lost);
        lost += n + (lost[n] == '\n');
    }
}

static int run_export(struct args *args)
{
    struct trace_args *o = (struct trace_args *)args;
    struct error e = {0};
    struct text lost = {0};
    int status;
    o->lanes = "32"; /* the format has no other width */
    struct program *p = trace_args_open(o, &status);
    if (!p) return status;
    bool ok = accelsim_export(p, o->args.word[1], o->lossy, &lost, &e);
    if (ok) print_losses(text_str(&lost));
    if (!ok) status = cli_fail(&e);
    text_fini(&lost);
    program_close(p);
    return status;
}

/* --- the table --- */

static const struct cli_option check_options[] = {
    OPTION_P,
    OPTION_ALLOW_UNKNOWN,
    OPTION_WIDTH("as a machine of that warp width sees it"),
};
static const struct cli_option import_options[] = {
    OPTION_OUTPUT("FILE.plt", "the trace to write"),
    OPTION_ALLOW_UNKNOWN,
};
static const struct cli_option generate_options[] = {
    OPTION_OUTPUT("FILE.plt", "the trace to write"),
    OPTION_P,
    OPTION_WIDTH("lanes of a warp (default: the generator's)"),
};
static const struct cli_option export_options[] = {
    OPTION_P,
    OPTION_ALLOW_UNKNOWN,
    OPTION_FLAG("lossy", TRACE_ARG(lossy), "also what the format cannot hold whole; it is named"),
};

static const struct cli_command
    command_check = {.name = "trace check",
                     .usage = "PROGRAM [OPTION]...",
                     .meaning = "read everything, compare with checksums and counts",
                     .text = "Reads everything once and compares it with the counts, checksums and "
                             "digest of the file.",
                     .run = run_check,
                     .size = sizeof(struct trace_args),
                     .words = 1,
                     .first = COMPLETES_PROGRAM,
                     CLI_OPTIONS(check_options)},
    command_import = {.name = "trace import",
                      .usage = "DIRECTORY -o FILE.plt",
                      .meaning = "pack Accel-Sim traces",
                      .text =
                          "Packs a directory of Accel-Sim traces (kernelslist.g, *.traceg plain "
                          "or packed with xz, gzip or zstd) into one file.",
                      .run = run_import,
                      .size = sizeof(struct trace_args),
                      .words = 1,
                      .first = COMPLETES_FOLDER,
                      CLI_OPTIONS(import_options)},
    command_generate = {.name = "trace generate",
                        .usage = "PROGRAM -o FILE.plt [OPTION]...",
                        .meaning = "write what a generator makes",
                        .text = "Writes what a generator makes into a file.  Commands that take a "
                                "PROGRAM take the .cfg itself just as well.",
                        .run = run_generate,
                        .size = sizeof(struct trace_args),
                        .words = 1,
                        .first = COMPLETES_PROGRAM,
                        CLI_OPTIONS(generate_options)},
    command_export = {.name = "trace export",
                      .usage = "PROGRAM DIRECTORY [OPTION]...",
                      .meaning = "write as Accel-Sim traces",
                      .text = "Writes a program as a directory of Accel-Sim traces.  Programs that "
                              "came from there go back without loss; for others --lossy is needed, "
                              "and what the format cannot hold is named.",
                      .run = run_export,
                      .size = sizeof(struct trace_args),
                      .words = 2,
                      .first = COMPLETES_PROGRAM,
                      .others = COMPLETES_FOLDER,
                      CLI_OPTIONS(export_options)};

static const struct cli_command *const subcommands[] = {
    &command_trace_info,    &command_trace_profile, &command_check,
    &command_import,        &command_export,        &command_generate,
    &command_trace_capture, &command_trace_suite,   NULL};

const struct cli_command command_trace = {
    .name = "trace",
    .usage = "info|profile|check|import|export|generate|capture|suite ...",
    .meaning = "programs and where they come from",
    .sub = subcommands,
};
