/* report_serve.h - plumb report --serve: the report of a sweep as a page that follows it. */
#pragma once

#include "cli/sweep/sweep.h"

/* Serves until a signal asks to stop, on the port that the second word names. The first word: a
 * database, or the directory where the workers meet. Returns the exit status. */
int report_serve(struct sweep *s, const char *title);
