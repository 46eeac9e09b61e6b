/* capture.c - plumb trace capture: parses its options and describes the trace. */
#include "base/memory/alloc.h"
#include "cli/command/cli.h"
#include "cli/cuda/cc.h"
#include "cli/parse/args.h"
#include "cli/trace/capture_run.h"
#include "cli/trace/trace_args.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct capture_options {
    struct args args;
    const char *cuda; /* a source to compile and run; NULL: the words name the program */
    struct capture_request request;
};

static bool add_kernel(struct args *a, const struct cli_option *o, const char *value)
{
    struct capture_request *r = &((struct capture_options *)a)->request;
    (void)o;
    if (*value)
        text_add(&r->kernels, "%s\n", value);
    else
        cli_usage(a->command, "--kernel needs a name");
    return *value;
}

static bool read_launches(struct args *a, const struct cli_option *o, const char *value)
{
    if (capture_is_launches(value)) return option_text(a, o, value);
    cli_usage(a->command, "--launches %s; allowed are lists like 1,3,5-9, from 0", value);
    return false;
}

static bool read_ctas(struct args *a, const struct cli_option *o, const char *value)
{
    if (capture_is_ctas(value)) return option_text(a, o, value);
    cli_usage(a->command, "--ctas %s; allowed are A or A-B, from 0", value);
    return false;
}

/* Compiles the source, runs it with the words as its arguments, and removes it. */
static int capture_source(struct capture_options *o)
{
    struct error e = {0};
    struct capture_request *r = &o->request;
    char program[] = "/tmp/plumb-cuda-XXXXXX";
    int fd = mkstemp(program);
    char **app = mem_new(o->args.n_words + 2u, sizeof *app);
    bool ok = (fd >= 0 && app) || error_run(&e, "%s: cannot be written", program);
    const char *const words[] = {o->cuda, "-o", program};
    if (fd >= 0) close(fd);
    ok = ok && cc_run_words(words, sizeof words / sizeof *words, &e);
    if (app) app[0] = program;
    for (uint32_t i = 0; app && i < o->args.n_words; i++)
        app[i + 1] = (char *)o->args.word[i];
    const char *slash = strrchr(o->cuda, '/');
    r->app = app;
    r->title = slash ? slash + 1 : o->cuda;
    ok = ok && capture_run(r, &e);
    if (fd >= 0) unlink(program);
    mem_free(app);
    return ok ? trace_args_written(r->output) : cli_fail(&e);
}

static int capture(struct args *args)
{
    struct capture_options *o = (struct capture_options *)args;
    struct error e = {0};
    struct capture_request *r = &o->request;
    r->output = o->args.output;
    if (!r->output) return cli_usage(o->args.command, "no -o FILE.plt");
    if (o->cuda) return capture_source(o);
    if (o->args.n_words == 0) return cli_usage(o->args.command, "no program to run behind '--'");
    r->app = (char **)o->args.word;
    return capture_run(r, &e) ? trace_args_written(r->output) : cli_fail(&e);
}

static void free_kernels(struct args *a)
{
    text_fini(&((struct capture_options *)a)->request.kernels);
}

static const struct capture_options start = {.request = {.width = "64", .unroll = 1}};

#define AT(member) offsetof(struct capture_options, request.member)

static const struct cli_option options[] = {
    OPTION_OUTPUT("FILE.plt", "the trace to write"),
    {.name = "cuda",
     .value = "FILE.cu",
     .meaning =
         "compile this CUDA source as 'plumb cc' does, and run it with the words behind '--'",
     .completes = COMPLETES_FILE,
     .read = option_file,
     .at = offsetof(struct capture_options, cuda)},
    {.name = "width",
     .value = "32|64",
     .meaning = "lanes per warp (64: also serves machines of 32 lanes); of CUDA programs always 32",
     .words = "32 64",
     .read = option_text,
     .at = AT(width)},
    {.name = "kernel",
     .value = "NAME",
     .meaning = "only launches of this kernel (may be given again)",
     .read = add_kernel},
    {.name = "launches",
     .value = "LIST",
     .meaning = "only these launches, counted from 0 over all kernels: 1,3,5-9",
     .read = read_launches,
     .at = AT(launches)},
    {.name = "ctas",
     .value = "A-B",
     .meaning = "only these CTAs of each launch; the trace holds a shorter launch",
     .read = read_ctas,
     .at = AT(ctas)},
    OPTION_COUNT("registers", "N", AT(registers), 1, 1024,
                 "32-bit registers per lane of every launch (not known)"),
    OPTION_COUNT("resident-warps", "N", AT(resident_warps), 1, 4096,
                 "at most so many warps of 32 lanes of a launch at a time on an SM, in whole CTAs, "
                 "at least one (no limit)"),
    OPTION_COUNT("unroll", "N", AT(unroll), 1, 64,
                 "unroll loops N times and put loads first, as a GPU's compiler does (1: neither)"),
};

const struct cli_command command_trace_capture = {
    .name = "trace capture",
    .usage = "-o FILE.plt [OPTION]... -- PROGRAM [ARGUMENT]...\n-o FILE.plt --cuda FILE.cu "
             "[OPTION]... -- [ARGUMENT]...",
    .meaning = "run an OpenCL or CUDA program and record it",
    .text = "Runs a program without a GPU and records what its kernels do: an OpenCL program under "
            "Oclgrind, a CUDA program that 'plumb cc' has linked at native speed "
            "(docs/guide/cuda.md).\n"
            "Oclgrind runs some ten million instructions a second: choose small inputs.  The "
            "trace of a program that fails holds the launches that ended before the failure.  "
            "docs/guide/capture.md explains what becomes an instruction.",
    .run = capture,
    .size = sizeof start,
    .start = &start,
    .fini = free_kernels,
    .first = COMPLETES_FILE,
    .others = COMPLETES_FILE,
    .runs_program = true,
    CLI_OPTIONS(options),
};
