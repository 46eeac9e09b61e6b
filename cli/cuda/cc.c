/* cc.c - plumb cc: the command. */
#include "cli/cuda/cc.h"

#include "cli/command/cli.h"
#include "cli/parse/args.h"

static int compile(struct args *a)
{
    struct error e = {0};
    struct cc_job j;
    bool ok = cc_read(&j, a->word, a->n_words, &e);
    if (ok && j.show_version)
        cli_print("plumb cc: compiles CUDA with clang 14\nCuda compilation tools, release 11.5, "
                  "V11.5.0\n");
    else
        ok = ok && cc_run(&j, &e);
    cc_fini(&j);
    return ok ? EXIT_OK : cli_fail(&e);
}

const struct cli_command command_cc = {
    .name = "cc",
    .usage = "[OPTION]... SOURCE.cu...",
    .meaning = "compile a CUDA program, in the place of nvcc",
    .text = "Compiles and links CUDA programs with clang 14 and plumb's own headers.  They run on "
            "the CPU, and 'plumb trace capture' records them.  Takes the options of nvcc that "
            "makefiles pass; plumb-nvcc is the same command.  docs/guide/cuda.md lists what works.",
    .run = compile,
    .first = COMPLETES_FILE,
    .others = COMPLETES_FILE,
    .takes_all = true,
};
