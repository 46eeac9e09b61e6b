/* paths.h - where the files that come with plumb are found.
 *
 * Searched in order: the directories in $PLUMB_CONFIG_PATH (separated by ':'), the configs of the
 * source tree that was built, the installed ones. */
#ifndef PLUMB_BASE_PATHS_H
#define PLUMB_BASE_PATHS_H

/* Path of "gpus/rx540.cfg" and the like; mem_free it.  NULL: not there (or no memory). */
char *paths_config(const char *relative);
/* The i-th directory of the search, mem_free it; NULL behind the last. */
char *paths_config_dir(unsigned i);

#endif
