/* suite_capture.h - captures the programs of a suite, each in a process of its own, several at a
 * time.
 *
 * A capture is made in FOLDER/.making, compared with the digest that the suite records, and only
 * then moved to its place, so that every file in its place is complete.  A killed run loses the
 * captures under way; the next run clears .making.  A lock lets one run at a time work in a
 * folder. */
#pragma once

#include "trace/suite/suite.h"

struct suite_captures {
    const struct suite *suite;
    unsigned processes; /* at a time; >= 1 */
    bool force;         /* capture again what exists */
    bool accept;        /* accept traces that differ from the recorded digest */
    bool quiet;
    uint32_t made, failed; /* results */
};

/* Reports each finished capture on stdout, each failure on stderr.  Returns the exit status. */
int suite_capture(struct suite_captures *c);
