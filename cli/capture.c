/* capture.c - plumb trace capture: its options, and what it says of the trace. */
#include "cli/capture_run.h"
#include "cli/cli.h"
#include "cli/trace_args.h"
#include "trace/choice.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: plumb trace capture -o FILE.plt [options] -- PROGRAM [ARGUMENT...]\n\n"
    "Runs an OpenCL program without a GPU, under Oclgrind, and records what its kernels do.\n\n"
    "  -o, --output FILE    the trace to write\n"
    "  --width 32|64        lanes per warp (64: also serves machines of 32 lanes)\n"
    "  --kernel NAME        only launches of this kernel (may be given again)\n"
    "  --launches LIST      only these launches, counted from 0 over all kernels: 1,3,5-9\n"
    "  --ctas A-B           only these CTAs of each launch; the trace holds a shorter launch\n\n"
    "Oclgrind runs some ten million instructions a second: choose small inputs.  The program must\n"
    "exit with status 0.  docs/capture.md tells what becomes an instruction.\n";

enum { OPTION_WIDTH = 256, OPTION_KERNEL, OPTION_LAUNCHES, OPTION_CTAS };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"launches", required_argument, NULL, OPTION_LAUNCHES},
    {"ctas", required_argument, NULL, OPTION_CTAS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool is_list(bool read(struct choice *, const char *), const char *text)
{
    struct choice c = {0};
    bool ok = read(&c, text);
    choice_fini(&c);
    return ok;
}

static int take_option(struct capture_request *o, const char *command, int option)
{
    switch (option) {
    case 'o':
        o->output = optarg;
        if (!*optarg) return cli_usage(command, "-o needs the name of a file");
        break;
    case OPTION_KERNEL:
        if (!*optarg) return cli_usage(command, "--kernel needs a name");
        text_add(&o->kernels, "%s\n", optarg);
        break;
    case OPTION_WIDTH:
        o->width = optarg;
        if (strcmp(optarg, "32") != 0 && strcmp(optarg, "64") != 0)
            return cli_usage(command, "--width %s; allowed are 32 and 64", optarg);
        break;
    case OPTION_LAUNCHES:
        o->launches = optarg;
        if (!is_list(choice_launches, optarg))
            return cli_usage(command, "--launches %s; allowed are lists like 1,3,5-9, from 0",
                             optarg);
        break;
    case OPTION_CTAS:
        o->ctas = optarg;
        if (!is_list(choice_ctas, optarg))
            return cli_usage(command, "--ctas %s; allowed are A or A-B, from 0", optarg);
        break;
    default: return cli_usage(command, "unknown option, or a value is missing");
    }
    return EXIT_OK;
}

static int parse(struct capture_request *o, int argc, char **argv)
{
    const char *command = "trace capture";
    int option;
    *o = (struct capture_request){.width = "64"};
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:o:h", long_options, NULL)) != -1) {
        if (option == 'h') return EXIT_OK;
        int status = take_option(o, command, option);
        if (status != EXIT_OK) return status;
    }
    if (!o->output) return cli_usage(command, "no -o FILE.plt");
    if (optind == argc) return cli_usage(command, "no program to run behind '--'");
    o->app = argv + optind;
    return EXIT_OK;
}

static int capture(const struct capture_request *o)
{
    struct error e = {0};
    return capture_run(o, &e) ? trace_args_written(o->output) : cli_fail(&e);
}

int cmd_trace_capture(int argc, char **argv)
{
    struct capture_request o;
    int status = parse(&o, argc, argv);
    if (status == EXIT_OK && o.app)
        status = capture(&o);
    else if (status == EXIT_OK)
        fputs(help, stdout);
    text_fini(&o.kernels);
    return status;
}
