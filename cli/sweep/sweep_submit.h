/* sweep_submit.h - plumb sweep submit: a script for a Slurm job array. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_SUBMIT_H
#define PLUMB_CLI_SWEEP_SWEEP_SUBMIT_H

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"

/* What becomes #SBATCH lines, as the user gave it; NULL: left to the cluster. */
struct slurm {
    const char *time, *mem, *partition, *account;
    uint32_t at_once; /* tasks that run at the same time; 0: no limit */
};

/* Writes the script; file and db are as the user gave them. */
int sweep_submit(const struct args *a, const struct plan *p, const struct slurm *s);

#endif
