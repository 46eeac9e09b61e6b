/* sweep.h - the subcommands of `plumb sweep`, which the table in sweep_commands.c lists. */
#pragma once

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

int sweep_run(struct args *a);
int sweep_status(struct args *a);
int sweep_export(struct args *a);
int sweep_point(struct args *a);
int sweep_check(struct args *a);
int sweep_merge_shards(struct args *a);
int sweep_submit_array(struct args *a);
int sweep_import_counters(struct args *a);
