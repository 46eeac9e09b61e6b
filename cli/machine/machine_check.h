/* machine_check.h - `plumb machine check`; see machine_check.c. */
#pragma once

#include "cli/parse/args.h"

/* Returns the exit status. */
int machine_check_run(struct args *args);
