/* trace_args.h - what the commands of `plumb trace` have in common on their command line. */
#ifndef PLUMB_CLI_TRACE_ARGS_H
#define PLUMB_CLI_TRACE_ARGS_H

#include "trace/program.h"

/* Which options a command takes; the others are refused.  All take --help. */
enum {
    TAKES_JSON = 1,
    TAKES_OUTPUT = 2,
    TAKES_LOSSY = 4,
    TAKES_WIDTH = 8,
    TAKES_INFO = 16 /* --brief, --section, --warps, --png, --svg, -q */
};

struct trace_args {
    const char *output, *sections, *png, *svg;
    const char *word[2];
    int n_words;
    bool json, lossy, brief, quiet, help;
    unsigned width, warps; /* 0: not given */
};

/* EXIT_OK: *o is filled; look at o->help first.  Else the user has been told. */
int trace_args_parse(struct trace_args *o, const char *command, int argc, char **argv,
                     unsigned takes, int words);
/* The first word's program; NULL: told, *status is the exit status. */
struct program *trace_args_open(const struct trace_args *o, int *status);
void trace_args_warn(const struct program *p); /* its warnings to stderr */
int trace_args_written(const char *path);      /* says what a file just written holds */

#endif
