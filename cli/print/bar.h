/* bar.h - the line at the foot of the terminal that says what a command is doing: a bar where the
 * library counts (base/run/progress.h), else the command's name, both with the seconds so far.  A
 * thread of its own redraws the line once a second, so that no work is silent, whatever it counts.
 *
 * The line is on standard error, no wider than the terminal, and there only if a second has passed.
 * Where standard error is no terminal, counted work of more than ten seconds has a plain line every
 * ten seconds, and nothing else is shown. Any thread may call these functions. */
#pragma once

#include "base/run/progress.h"

#include <stdbool.h>

/* From now on the line shows the command (its name stays valid) while nothing else is counted. */
void bar_watch(const char *command, bool quiet);
/* Erases the line and holds it back until bar_release, so that something else can be printed; it
 * comes back a second later. rests: only if work is counted again: before standard output, which
 * may be a pager's. No such pair inside another. */
void bar_hold(bool rests);
void bar_release(void);
/* Ends the line: the command has ended. */
void bar_end(void);
/* Makes *p show itself in the line; quiet: makes it silent. */
void bar_progress(struct progress *p, bool quiet);
