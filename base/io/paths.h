/* paths.h - where the files that come with plumb are found.
 *
 * Searched in order: the directories in $PLUMB_CONFIG_PATH (separated by ':'), then the data of the
 * installation, found from where the running program lies (so that an installation can be moved),
 * then the configs of the source tree that it was built from.  A program that runs in its build
 * directory searches the source tree first. */
#ifndef PLUMB_BASE_IO_PATHS_H
#define PLUMB_BASE_IO_PATHS_H

/* Path of "gpus/rx540.cfg" and the like; mem_free it.  NULL: not there (or no memory). */
char *paths_config(const char *relative);
/* How many directories the search has. */
unsigned paths_config_dirs(void);
/* The i-th of them, mem_free it; NULL behind the last (or no memory). */
char *paths_config_dir(unsigned i);

#endif
