/* catalog.h - the programs that come with plumb: what lies below workloads/ in the configuration
 * directories (base/io/paths.h), by name.
 *
 * A program's name is its path below workloads/ without the ending: "fwt", "quick/lud",
 * "khairy/mb1-01".  It stands for a captured .plt, a generator's .cfg or a directory of Accel-Sim
 * traces, looked for in that order; the first configuration directory that has one wins.
 * Suites (workloads/suites) are lists of programs and have names of their own; see suite.h. */
#ifndef PLUMB_TRACE_SUITE_CATALOG_H
#define PLUMB_TRACE_SUITE_CATALOG_H

#include "base/error.h"
#include "base/text/name_list.h"

#include <stdbool.h>

/* The path of the program of that name; mem_free it.  NULL: there is none (or no memory). */
char *catalog_find(const char *name);
/* Every name, sorted; name_list_fini it.  false: *e. */
bool catalog_names(struct name_list *names, struct error *e);
/* The name closest to what somebody wrote: "lud" and "quick/ldu" both mean "quick/lud".  mem_free
 * it; NULL: none is close. */
char *catalog_closest(const char *word);
/* The same of suites. */
char *catalog_closest_suite(const char *word);

#endif
