/* each.h - benches of one machine and many programs: what stands behind the command line. */
#pragma once

#include "gpu/machine/machine.h"

/* Calls `one` for each program of "NAME MACHINE PROGRAM..."; the worst status, 2: wrong input. */
int bench_each(const char *name, int argc, char **argv,
               int (*one)(const struct machine *m, const char *spec));
