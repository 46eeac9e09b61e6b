/* sweep_prepare.h - makes the runs that correct a sweep's estimates, before it begins. */
#pragma once

#include "cli/sweep/sweep.h"
#include "sweeps/run/sweep_anchors.h"

/* Tells what is to be made, makes it, and lets the plan's estimates be corrected by it. */
bool sweep_prepare(struct sweep *s, struct store *store, struct progress *progress,
                   struct error *e);
/* "3 programs simulated on rx540 first": what is missing, for the user; "": nothing. */
void sweep_prepare_text(const struct plan *p, const struct sweep_anchors_missing *m,
                        struct text *out);
