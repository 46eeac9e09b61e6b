/* suite_capture.h - captures the programs of a suite: a process each, several at a time.
 *
 * A capture is made in FOLDER/.making, compared with the digest that the suite records, and only
 * then moved to its place: whatever has its place is whole.  A killed run loses the captures under
 * way; the next one clears .making.  One run at a time works in a folder (a lock). */
#ifndef PLUMB_CLI_TRACE_SUITE_CAPTURE_H
#define PLUMB_CLI_TRACE_SUITE_CAPTURE_H

#include "trace/suite/suite.h"

struct suite_captures {
    const struct suite *suite;
    unsigned processes; /* at a time, >= 1 */
    bool force;         /* also what is there */
    bool accept;        /* also what is not as recorded */
    bool quiet;
    uint32_t made, failed; /* results */
};

/* Tells each capture's end on stdout, each failure on stderr.  Returns the exit status. */
int suite_capture(struct suite_captures *c);

#endif
