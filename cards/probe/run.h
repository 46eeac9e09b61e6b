/* run.h - runs experiments on a machine: chooses the points, runs them in parallel, and adds points
 * where a curve jumps. */
#pragma once

#include "base/error.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "cards/probe/curve.h"

struct machine;

struct probe_options {
    bool want[PROBE_N];
    uint32_t points;                    /* of a curve; 0: as many as are usual */
    unsigned threads;                   /* 0: as many as the host has */
    const struct probe_curves *against; /* its x's are run; NULL: the machine's sizes give them */
    struct progress *progress;          /* NULL: silent */
};

/* *notes: lines on points that cannot run and on points whose rate was not steady.  Call
 * probe_curves_fini on *out even if it fails. */
bool probe_run(const struct machine *m, const struct probe_options *o, struct probe_curves *out,
               struct text *notes, struct error *e);
