/* sweep_study.h - plumb sweep check STUDY.sql: compares a study's results with the papers'
 * claims. */
#pragma once

#include "cli/parse/args.h"

bool sweep_is_study(const char *word); /* whether it ends in .sql */
int sweep_study(const struct args *a); /* returns the exit status */
