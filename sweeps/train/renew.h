/* renew.h - estimates the runs of a calibration again, with today's estimator.
 *
 * A calibration says how far estimates are off, so that it serves one version of the estimator. Its
 * file has what was simulated, too: as long as the cycle model is the same, only the estimates have
 * to be made anew.  Machines are rebuilt from the file's parameters around the machine that it was
 * made for.  Programs are found by digest: among those that the request names, then among the
 * programs and suites that come with plumb, those of the name that the file has. */
#pragma once

#include "base/run/progress.h"
#include "calibration/calibrate.h"

struct renew_request {
    const char *file;                 /* the calibration's, for messages */
    const struct machine *base;       /* the machine that it was made for */
    const struct range_model *ranges; /* NULL: there are none */
    const char *const *program;       /* [n_programs] */
    uint32_t n_programs;
    bool leave_out; /* the runs of programs that are not found; false: they are an error */
    unsigned threads;
    struct progress *progress;
};

struct renewal {
    struct calibration calibration;
    uint32_t left_out;   /* runs */
    struct text missing; /* the programs that were not found: "a, b and c" */
    uint32_t n_missing;
    /* No run is of the machine as it is now: the parameters in which the nearest one differs. */
    struct text moved;
};

/* The caller calls renewal_fini in either case. */
bool renew(struct renewal *out, const struct calibration *from, const struct renew_request *q,
           struct error *e);
void renewal_fini(struct renewal *r);
