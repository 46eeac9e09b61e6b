/* sweep.h - the subcommands of `plumb sweep`, which the table in sweep_commands.c lists. */
#pragma once

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"
#include "sweeps/workers/work_dir.h"

#include <stddef.h>

/* What a cluster is asked for, as the user gave it; NULL: its default. */
struct cluster {
    const char *time, *mem, *partition, *account;
    uint32_t at_once; /* workers at the same time; 0: no limit */
    bool slurm, pbs, parallel;
};

struct sweep {
    struct args args; /* first, see command.h */
    const char *collect;
    bool partial, leave;
    const char *dir;         /* where workers meet, as given */
    uint32_t lease, workers; /* 0: not given */
    struct cluster cluster;
    struct plan plan;
    /* Where the sweep's workers meet, whether they do or not: the sweep itself was named by this
     * directory, or dir, or the one beside the output. */
    char *work;
    struct work_dir named; /* the directory by which the sweep was named */
};
#define SWEEP_ARG(member) offsetof(struct sweep, member)

/* Loads the sweep that the first word names: a file, or the directory where its workers meet.  The
 * caller calls sweep_unload in either case. */
bool sweep_load(struct sweep *s, struct errors *all);
void sweep_unload(struct sweep *s);

int sweep_run(struct args *a);
int sweep_status(struct args *a);
int sweep_export(struct args *a);
int sweep_point(struct args *a);
int sweep_check(struct args *a);
int sweep_work(struct args *a);
int sweep_merge(struct args *a);
int sweep_submit(struct args *a);
int sweep_import_counters(struct args *a);
