/* trace_args.h - the arguments that the commands of `plumb trace` share. */
#pragma once

#include "cli/parse/args.h"
#include "trace/program/program.h"

struct trace_args {
    struct args args;
    const char *sections;
    const char *lanes; /* "32", "64" or NULL */
    bool lossy, brief;
    uint32_t warps, page_bytes; /* 0: not given */
};

#define TRACE_ARG(member) offsetof(struct trace_args, member)
#define OPTION_WIDTH(MEANING)                                                    \
    {                                                                            \
        .name = "width", .value = "32|64", .meaning = MEANING, .words = "32 64", \
        .read = option_text, .at = TRACE_ARG(lanes)                              \
    }

/* Opens the program that the first word names; NULL: an error was printed, *status is the exit
 * status. */
struct program *trace_args_open(const struct trace_args *o, int *status);
void trace_args_warn(const struct program *p); /* prints its warnings to stderr */
int trace_args_written(const char *path);      /* prints what the file just written contains */
