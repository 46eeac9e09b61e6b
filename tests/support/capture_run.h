/* capture_run.h - captures that tests make themselves, where Oclgrind and the plugin are there. */
#pragma once

#include "trace/program/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A group's setup and teardown: a temporary folder. */
int capture_setup(void **state);
int capture_teardown(void **state);

/* Whether Oclgrind, the plugin and the workloads are there. */
bool capture_possible(void);

/* FOLDER/name; valid until the fourth call from here. */
const char *capture_path(const char *name);

/* Captures to the file `trace`; fails where the program fails.  `what`: a workload and its
 * arguments, or a kernel of tests/data/capture ("x.sim"); `set`: variables for the environment. */
void capture_run(const char *trace, const char *set, const char *options, const char *what);

/* Opens a capture; the caller closes the program. */
struct program *capture_open(const char *trace, uint32_t width);
