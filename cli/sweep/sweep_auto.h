/* sweep_auto.h - prints the progress and the result of engine auto. */
#pragma once

#include "base/text/text.h"
#include "sweeps/auto/auto.h"

/* Prints a round's line to stderr. */
void sweep_auto_note(const char *line, void *ctx);
/* Prints why it ended, what it cost, and the stated error of its answers. */
void sweep_auto_print(struct text *out, const struct plan *p, const struct auto_result *r);
