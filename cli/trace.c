/* trace.c - plumb trace: programs looked at, checked, made and converted. */
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/trace_args.h"
#include "trace/accelsim.h"
#include "trace/repack.h"

#include <stdio.h>
#include <string.h>

static int say(const char *text)
{
    fputs(text, stdout);
    return EXIT_OK;
}

/* --- check --- */

static const char check_help[] =
    "Usage: plumb trace check PROGRAM\n\n"
    "Reads everything once and compares it with the counts, checksums and digest of the file.\n";

static int check(int argc, char **argv)
{
    struct trace_args o;
    struct error e = {0};
    int status = trace_args_parse(&o, "trace check", argc, argv, TAKES_WIDTH, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(check_help);
    struct program *p = trace_args_open(&o, &status);
    if (!p) return status;
    trace_args_warn(p);
    if (program_verify(p, &e))
        printf("%s: whole: %u launches\n", program_name(p), program_launches(p));
    else
        status = cli_fail(&e);
    program_close(p);
    return status;
}

/* --- import, generate, export --- */

static const char import_help[] =
    "Usage: plumb trace import DIRECTORY -o FILE.plt\n\n"
    "Packs a directory of Accel-Sim traces (kernelslist.g, *.traceg plain or packed with xz, gzip\n"
    "or zstd) into one file.\n";

static const char generate_help[] =
    "Usage: plumb trace generate CONFIG.cfg -o FILE.plt [--width 32|64]\n\n"
    "Writes what a generator makes into a file.  Commands that take a PROGRAM take the .cfg "
    "itself\n"
    "just as well.\n";

static int import(int argc, char **argv)
{
    struct trace_args o;
    struct error e = {0};
    int status = trace_args_parse(&o, "trace import", argc, argv, TAKES_OUTPUT, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(import_help);
    if (!o.output) return cli_usage("trace import", "-o FILE.plt is missing");
    return accelsim_import(o.word[0], o.output, &e) ? trace_args_written(o.output) : cli_fail(&e);
}

static int generate(int argc, char **argv)
{
    struct trace_args o;
    struct error e = {0};
    int status = trace_args_parse(&o, "trace generate", argc, argv, TAKES_OUTPUT | TAKES_WIDTH, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(generate_help);
    if (!o.output) return cli_usage("trace generate", "-o FILE.plt is missing");
    struct program *p = trace_args_open(&o, &status);
    if (!p) return status;
    bool ok = program_repack(p, o.output, program_note(p), &e);
    program_close(p);
    return ok ? trace_args_written(o.output) : cli_fail(&e);
}

static const char export_help[] =
    "Usage: plumb trace export PROGRAM DIRECTORY [--lossy]\n\n"
    "Writes a program as a directory of Accel-Sim traces.  Programs that came from there go back\n"
    "without loss; for others --lossy is needed, and what the format cannot hold is named.\n";

static void print_losses(const char *lost)
{
    while (*lost) {
        int n = (int)strcspn(lost, "\n");
        fprintf(stderr, "plumb: lost: %.*s\n", n, lost);
        lost += n + (lost[n] == '\n');
    }
}

static int export(int argc, char **argv)
{
    struct trace_args o;
    struct error e = {0};
    struct text lost = {0};
    int status = trace_args_parse(&o, "trace export", argc, argv, TAKES_LOSSY, 2);
    if (status != EXIT_OK) return status;
    if (o.help) return say(export_help);
    o.width = 32; /* the format has no other */
    struct program *p = trace_args_open(&o, &status);
    if (!p) return status;
    bool ok = accelsim_export(p, o.word[1], o.lossy, &lost, &e);
    if (ok) print_losses(text_str(&lost));
    if (!ok) status = cli_fail(&e);
    text_fini(&lost);
    program_close(p);
    return status;
}

static const char trace_help[] =
    "Usage: plumb trace COMMAND ...\n\n"
    "  info PROGRAM                  what it consists of and does with memory, kernel by kernel\n"
    "  profile PROGRAM               make the estimator's profile now\n"
    "  check PROGRAM                 read everything, compare with checksums and counts\n"
    "  import DIRECTORY -o FILE.plt  pack Accel-Sim traces\n"
    "  export PROGRAM DIRECTORY      write as Accel-Sim traces\n"
    "  generate FILE.cfg -o FILE.plt write what a generator makes\n"
    "  capture -o FILE.plt -- APP    run an OpenCL program and record it\n"
    "  suite [NAME]                  capture the programs of a suite\n\n"
    "plumb trace COMMAND --help says more.\n";

int cmd_trace(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int, char **);
    } commands[] = {{"info", cmd_trace_info},   {"check", check},
                    {"import", import},         {"export", export},
                    {"generate", generate},     {"capture", cmd_trace_capture},
                    {"suite", cmd_trace_suite}, {"profile", cmd_trace_profile}};
    enum { N = sizeof commands / sizeof *commands };
    const char *names[N];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(trace_help, argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_INPUT : EXIT_OK;
    }
    for (unsigned i = 0; i < N; i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], names[i]) == 0) return commands[i].run(argc - 1, argv + 1);
    }
    const char *closest = text_closest(argv[1], names, N);
    if (closest)
        return cli_usage("trace", "there is no command %s; did you mean %s", argv[1], closest);
    return cli_usage("trace", "there is no command %s", argv[1]);
}
