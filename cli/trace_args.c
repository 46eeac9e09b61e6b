/* trace_args.c - see trace_args.h. */
#include "cli/trace_args.h"

#include "cli/cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_WIDTH = 256,
    OPTION_JSON,
    OPTION_LOSSY,
    OPTION_BRIEF,
    OPTION_SECTION,
    OPTION_WARPS,
    OPTION_PNG,
    OPTION_SVG
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"lossy", no_argument, NULL, OPTION_LOSSY},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"brief", no_argument, NULL, OPTION_BRIEF},
    {"section", required_argument, NULL, OPTION_SECTION},
    {"warps", required_argument, NULL, OPTION_WARPS},
    {"png", required_argument, NULL, OPTION_PNG},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static unsigned needed_for(int option)
{
    switch (option) {
    case 'o': return TAKES_OUTPUT;
    case OPTION_JSON: return TAKES_JSON;
    case OPTION_LOSSY: return TAKES_LOSSY;
    case OPTION_WIDTH: return TAKES_WIDTH;
    case 'q':
    case OPTION_BRIEF:
    case OPTION_SECTION:
    case OPTION_WARPS:
    case OPTION_PNG:
    case OPTION_SVG: return TAKES_INFO;
    default: return 0;
    }
}

static bool parse_width(struct trace_args *o, const char *v)
{
    o->width = strcmp(v, "32") == 0 ? 32 : strcmp(v, "64") == 0 ? 64 : 0;
    return o->width != 0;
}

static bool parse_warps(struct trace_args *o, const char *v)
{
    char *end;
    unsigned long n = *v >= '0' && *v <= '9' ? strtoul(v, &end, 10) : 0;
    if (n == 0 || n > 65536 || *end != '\0') return false;
    o->warps = (unsigned)n;
    return true;
}

/* EXIT_OK: go on; else the user has been told. */
static int take_option(struct trace_args *o, const char *command, unsigned takes, int option)
{
    if (option == '?' || option == ':')
        return cli_usage(command, "unknown option, or a value is missing");
    if (needed_for(option) & ~takes)
        return cli_usage(command, "this command does not take that option");
    if (option == OPTION_WIDTH && !parse_width(o, optarg))
        return cli_usage(command, "--width %s; allowed are 32 and 64", optarg);
    if (option == OPTION_WARPS && !parse_warps(o, optarg))
        return cli_usage(command, "--warps %s; a whole number from 1 to 65536 is allowed", optarg);
    if ((option == 'o' || option == OPTION_PNG || option == OPTION_SVG) && !*optarg)
        return cli_usage(command, "the name of a file to write is empty");
    o->help |= option == 'h';
    o->quiet |= option == 'q';
    o->json |= option == OPTION_JSON;
    o->lossy |= option == OPTION_LOSSY;
    o->brief |= option == OPTION_BRIEF;
    if (option == OPTION_SECTION) o->sections = optarg;
    if (option == OPTION_PNG) o->png = optarg;
    if (option == OPTION_SVG) o->svg = optarg;
    if (option == 'o') o->output = optarg;
    return EXIT_OK;
}

int trace_args_parse(struct trace_args *o, const char *command, int argc, char **argv,
                     unsigned takes, int words)
{
    int option, status = EXIT_OK;
    *o = (struct trace_args){0};
    optind = 0;
    opterr = 0;
    while (status == EXIT_OK &&
           (option = getopt_long(argc, argv, ":o:hq", long_options, NULL)) != -1)
        status = take_option(o, command, takes, option);
    if (status != EXIT_OK || o->help) return status;
    if (argc - optind != words)
        return cli_usage(command, "%d argument%s expected, %d given", words, words == 1 ? "" : "s",
                         argc - optind);
    while (optind < argc)
        o->word[o->n_words++] = argv[optind++];
    return EXIT_OK;
}

struct program *trace_args_open(const struct trace_args *o, int *status)
{
    struct error e = {0};
    struct program *p = program_open(o->word[0], &(struct program_opts){o->width}, &e);
    *status = p ? EXIT_OK : cli_fail(&e);
    return p;
}

void trace_args_warn(const struct program *p)
{
    for (uint32_t i = 0; i < program_warnings(p); i++)
        fprintf(stderr, "plumb: warning: %s\n", program_warning(p, i));
}

int trace_args_written(const char *path)
{
    struct error e = {0};
    struct program *p = program_open(path, NULL, &e);
    if (!p) return cli_fail(&e);
    uint64_t n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += program_launch(p, i)->warp_instructions;
    trace_args_warn(p);
    printf("%s: %u launches, %" PRIu64 " warp instructions %u lanes wide, %" PRIu64 " bytes\n",
           path, program_launches(p), n, program_source_width(p), program_stored_bytes(p));
    program_close(p);
    return EXIT_OK;
}
