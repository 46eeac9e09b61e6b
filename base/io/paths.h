/* paths.h - finds the files that come with plumb. Searched in order: the directories in
 * $PLUMB_CONFIG_PATH (separated by ':'), then the data of the installation, found relative to the
 * running program or to the library (so that an installation can be moved), then the configs of the
 * source tree from which it was built, then the place where the build was to be installed. A
 * program that runs in its build directory searches the source tree first.
 *
 * What only reproduces a paper stands on a shelf beside each of these directories: papers/NAME/,
 * laid out as the directory itself is, with a file paper.cfg that says which paper it is. A name
 * is looked for in the directory, then in its papers' folders in alphabetical order, then in the
 * next directory. */
#pragma once

#include <stdbool.h>

enum { PATHS_LENGTH = 4096 }; /* of a path, with its NUL */

/* The absolute path of the running program. false: not known, or the file is gone; `out` is "". */
bool paths_program(char out[PATHS_LENGTH]);

/* Path of "gpus/rx540.cfg" and the like; mem_free it. A name in the same case, in whichever
 * directory, goes before one in another case; a name with ".." or a "/" at its beginning is found
 * in its own case alone. NULL: not there (or no memory). */
char *paths_config(const char *relative);
char *paths_config_exact(const char *relative); /* in its own case alone */
/* All directories and papers' folders, in the order in which they are searched, NULL-terminated;
 * paths_config_dirs_free them. NULL: no memory; papers' folders may be missing then, too. */
char **paths_config_dirs(void);
void paths_config_dirs_free(char **dirs);
/* Whether the directory is a paper's folder. */
bool paths_is_paper(const char *dir);
