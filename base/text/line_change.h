/* line_change.h - a text as the lines in which it differs from another with as many lines: of each
 * its number, counted from 1, a colon, and what it says.  Both texts end with a new line. */
#pragma once

#include "base/text/text.h"

#include <stdbool.h>

/* false: the texts have not equally many lines. */
bool line_change_find(const char *from, const char *to, struct text *changes);
/* false: these are no changes of that text. */
bool line_change_apply(const char *from, const char *changes, struct text *to);
