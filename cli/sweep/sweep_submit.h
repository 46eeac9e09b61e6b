/* sweep_submit.h - plumb sweep submit: writes a script for a Slurm job array. */
#pragma once

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"

/* Values of #SBATCH lines, as the user gave them; NULL: the cluster's default. */
struct slurm {
    const char *time, *mem, *partition, *account;
    uint32_t at_once; /* tasks that run at the same time; 0: no limit */
};

/* Writes the script, with the files' names as the user gave them. */
int sweep_submit(const struct args *a, const struct plan *p, const struct slurm *s);
