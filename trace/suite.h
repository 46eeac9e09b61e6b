/* suite.h - `suite:NAME`: a list of programs, configs/workloads/suites/NAME.cfg.
 *
 *   programs = ( "workloads/stream.cfg", "traces/fwt.plt" );
 *
 * Each is looked for in the configuration directories, then in the cache directory. */
#ifndef PLUMB_TRACE_SUITE_H
#define PLUMB_TRACE_SUITE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct suite {
    char **program; /* paths for program_open */
    uint32_t n;
};

bool suite_is(const char *spec); /* "suite:..." */
/* spec: with its "suite:".  false: *e, and nothing to free. */
bool suite_read(struct suite *s, const char *spec, struct error *e);
void suite_fini(struct suite *s);

#endif
