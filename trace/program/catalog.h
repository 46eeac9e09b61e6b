/* catalog.h - the programs that come with plumb, by name: those below workloads/ in the
 * configuration directories (base/io/paths.h). A program's name is its path below workloads/
 * without the extension: "fwt", "quick/lud", "khairy/mb1-01". It is a captured .plt, a generator's
 * .cfg or a directory of Accel-Sim traces, looked for in that order; the first configuration
 * directory that has one wins. Suites (workloads/suites) are lists of programs and have names of
 * their own; see suite.h. */
#pragma once

#include "base/error.h"
#include "base/text/name_list.h"
#include "base/text/text.h"

#include <stdbool.h>

/* The path of the program of that name; mem_free it.  NULL: there is none (or no memory). */
char *catalog_find(const char *name);
/* Every name, sorted; name_list_fini it.  false: *e. */
bool catalog_names(struct name_list *names, struct error *e);
/* Adds the names that a word may stand for: "lud" and "quick/ldu" both give "quick/lud", "ml/conv"
 * all that begin so (base/text/text.h). false: none is close. */
bool catalog_alike(struct text *t, const char *word);
/* The same of suites. */
bool catalog_alike_suite(struct text *t, const char *word);
