/* capture_find.h - where Oclgrind and our plugin lie. */
#ifndef PLUMB_CLI_TRACE_CAPTURE_FIND_H
#define PLUMB_CLI_TRACE_CAPTURE_FIND_H

#include "base/error.h"

/* Absolute paths, owned. */
struct capture_parts {
    char *icd;     /* Oclgrind's OpenCL */
    char *plugin;  /* records (trace/oclgrind) */
    char *preload; /* loaded into the program ahead of everything */
};

/* $PLUMB_OCLGRIND_ICD and $PLUMB_PLUGIN_DIR go before the usual places.  false: *e says what to
 * install; the parts are to be freed all the same. */
bool capture_find(struct capture_parts *p, struct error *e);
void capture_parts_fini(struct capture_parts *p);

#endif
