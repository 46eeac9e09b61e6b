/* machine_check.h - `plumb machine check`; see machine_check.c. */
#pragma once

#include "cli/parse/args.h"
#include "gpu/machine/load/evidence.h"

/* Returns the exit status. */
int machine_check_run(struct args *args);
/* Loads a machine with its evidence and the settings of the command line. false: the user was told
 * why not. */
bool machine_check_loads(struct machine *m, struct machine_evidence *ev, const char *spec,
                         const struct args *args);
