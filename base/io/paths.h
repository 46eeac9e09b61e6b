/* paths.h - finds the files that come with plumb. Searched in order: the directories in
 * $PLUMB_CONFIG_PATH (separated by ':'), then the data of the installation, found relative to the
 * running program or to the library (so that an installation can be moved), then the configs of the
 * source tree from which it was built, then the place where the build was to be installed. A
 * program that runs in its build directory searches the source tree first. */
#pragma once

#include <stdbool.h>

enum { PATHS_LENGTH = 4096 }; /* of a path, with its NUL */

/* The absolute path of the running program. false: not known, or the file is gone; `out` is "". */
bool paths_program(char out[PATHS_LENGTH]);

/* Path of "gpus/rx540.cfg" and the like; mem_free it.  NULL: not there (or no memory). */
char *paths_config(const char *relative);
/* The number of directories that are searched. */
unsigned paths_config_dirs(void);
/* The i-th directory, to be freed with mem_free; NULL after the last (or no memory). */
char *paths_config_dir(unsigned i);
