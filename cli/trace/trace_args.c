/* trace_args.c - see trace_args.h. */
#include "cli/trace/trace_args.h"

#include "cli/command/cli.h"
#include "cli/print/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct program *trace_args_open(const struct trace_args *o, int *status)
{
    struct error e = {0};
    struct program_opts opts = {.warp_width = o->lanes ? (uint32_t)atoi(o->lanes) : 0,
                                .allow_unknown = o->args.allow_unknown};
    struct program *p = program_open(o->args.word[0], &opts, &e);
    *status = p ? EXIT_OK : cli_fail(&e);
    return p;
}

void trace_args_warn(const struct program *p)
{
    cli_warn_program(NULL, p);
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
    cli_print("%s: %u %s, %" PRIu64 " warp instructions %u lanes wide, %" PRIu64 " bytes\n", path,
              program_launches(p), text_noun(program_launches(p), "launch", "launches"), n,
              program_source_width(p), program_stored_bytes(p));
    program_close(p);
    return EXIT_OK;
}
