/* capture_run.h - an OpenCL program run under Oclgrind, which loads our plugin.
 *
 * The plugin writes the trace into a folder of its own beside the target and tells over a pipe how
 * it went; only a whole trace of a program that succeeded takes the target's place. */
#ifndef PLUMB_CLI_TRACE_CAPTURE_RUN_H
#define PLUMB_CLI_TRACE_CAPTURE_RUN_H

#include "base/error.h"
#include "base/text/text.h"

struct capture_request {
    const char *output, *width;
    const char *launches,
        *ctas;           /* lists, checked before (trace/capture/launch_filter.h); NULL: all */
    struct text kernels; /* a name a line; empty: all */
    char **app;          /* NULL-terminated */
};

/* Lists that the plugin understands. */
bool capture_is_launches(const char *list); /* 1,3,5-9 */
bool capture_is_ctas(const char *list);     /* A or A-B */
/* The program's own output goes where ours goes.  false: *e says why, and the target is as it was.
 */
bool capture_run(const struct capture_request *r, struct error *e);

#endif
