/* paths.h - where the files that come with plumb are found.
 *
 * Searched in order: the directories in $PLUMB_CONFIG_PATH (separated by ':'), the configs of the
 * source tree that was built, the installed ones; the last two the other way round for a program
 * that runs outside its build directory. */
#ifndef PLUMB_BASE_PATHS_H
#define PLUMB_BASE_PATHS_H

/* Path of "gpus/rx540.cfg" and the like; mem_free it.  NULL: not there (or no memory). */
char *paths_config(const char *relative);
/* How many directories the search has. */
unsigned paths_config_dirs(void);
/* The i-th of them, mem_free it; NULL behind the last (or no memory). */
char *paths_config_dir(unsigned i);

#endif
