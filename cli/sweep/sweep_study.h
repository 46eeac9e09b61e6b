/* sweep_study.h - plumb sweep check STUDY.sql: a study's results beside the papers' claims. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_STUDY_H
#define PLUMB_CLI_SWEEP_SWEEP_STUDY_H

#include "cli/parse/args.h"

bool sweep_is_study(const char *word); /* it ends in .sql */
int sweep_study(const struct args *a); /* exit status */

#endif
