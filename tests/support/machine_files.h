/* machine_files.h - machine files of a test, in a folder of its own. */
#pragma once

#include "gpu/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Where it is. */
extern char machine_files_dir[64];

/* A group's setup and teardown. */
int machine_files_make(void **state);
int machine_files_remove(void **state);

/* Writes a file.  The teardown removes those named a.cfg, b.cfg, c.cfg, set.cfg and part.cfg. */
void machine_files_put(const char *name, const char *text);

/* Loads the machine of that file. */
bool machine_files_load(struct machine *m, const char *name, struct errors *all);
