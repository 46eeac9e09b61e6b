/* plan_paths.h - where the files named in a sweep file lie. */
#ifndef PLUMB_SWEEPS_PLAN_PLAN_PATHS_H
#define PLUMB_SWEEPS_PLAN_PLAN_PATHS_H

/* `spec` itself when absolute; else beside the file `from`, in the current directory, in the
 * configuration directories.  mem_free it; NULL: nowhere (or no memory). */
char *plan_find_input(const char *from, const char *spec);

#endif
