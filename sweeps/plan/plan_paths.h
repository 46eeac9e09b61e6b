/* plan_paths.h - finds the files that a sweep file names. */
#pragma once

/* Returns `spec` itself when it is absolute; else searches beside the file `from`, in the current
 * directory and in the configuration directories.  The caller frees it with mem_free; NULL: not
 * found (or no memory). */
char *plan_find_input(const char *from, const char *spec);
