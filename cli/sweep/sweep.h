/* sweep.h - the subcommands of `plumb sweep`, which the table in sweep_commands.c lists. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_H
#define PLUMB_CLI_SWEEP_SWEEP_H

#include "cli/parse/args.h"
#include "cli/sweep/sweep_submit.h"
#include "sweeps/plan/plan.h"

#include <stddef.h>

struct sweep {
    struct args args; /* first, see command.h */
    const char *collect;
    bool partial;
    struct slurm slurm;
    struct plan plan;
};
#define SWEEP_ARG(member) offsetof(struct sweep, member)

int sweep_run(const struct cli_command *c, int argc, char **argv);
int sweep_status(const struct cli_command *c, int argc, char **argv);
int sweep_export(const struct cli_command *c, int argc, char **argv);
int sweep_point(const struct cli_command *c, int argc, char **argv);
int sweep_check(const struct cli_command *c, int argc, char **argv);
int sweep_merge_shards(const struct cli_command *c, int argc, char **argv);
int sweep_submit_array(const struct cli_command *c, int argc, char **argv);
int sweep_import_counters(const struct cli_command *c, int argc, char **argv);

#endif
