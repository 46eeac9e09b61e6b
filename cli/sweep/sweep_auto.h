/* sweep_auto.h - what engine auto tells the user. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_AUTO_H
#define PLUMB_CLI_SWEEP_SWEEP_AUTO_H

#include "base/text/text.h"
#include "sweeps/auto/auto.h"

/* A round's line, to stderr. */
void sweep_auto_note(const char *line, void *ctx);
/* Why it ended, what it cost, how far its answers may be off. */
void sweep_auto_print(struct text *out, const struct plan *p, const struct auto_result *r);

#endif
