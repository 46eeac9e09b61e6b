/* sweep_submit.h - plumb sweep submit: scripts that start a sweep's workers on a cluster, and their
 * submission to Slurm. */
#pragma once

#include "cli/sweep/sweep.h"

/* Slurm's default MaxArraySize.  The numbers of an array's tasks are below it, and begin with 1
 * here: an array has one task less. */
enum { SLURM_ARRAY_SIZE = 1001 };

/* Writes a script, with the files' names as the user gave them, or submits it. */
int sweep_submit_run(struct sweep *s);

/* For sweep_submit_slurm.c: adds the command `plumb sweep VERB` of the script,
 * by the absolute path of the running plumb. */
void sweep_submit_command(struct text *out, const struct sweep *s, const char *verb);
/* The script that each task of a Slurm array runs. */
void sweep_submit_script(struct text *out, const struct sweep *s);
/* Submits the script as arrays of at most as many tasks as the cluster allows, and a merge after
 * them; or only prints what it would submit. */
int sweep_submit_slurm(const struct sweep *s);
