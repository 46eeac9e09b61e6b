/* capture_find.h - finds Oclgrind and plumb's plugin for it. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

/* The paths are absolute; capture_parts_fini frees them. */
struct capture_parts {
    char *icd;     /* Oclgrind's OpenCL */
    char *plugin;  /* records the trace (trace/oclgrind) */
    char *preload; /* the library that is preloaded into the program */
};

/* Whether the program is one that `plumb cc` has linked; its name may be looked for in $PATH. */
bool capture_is_cuda(const char *program);

/* $PLUMB_OCLGRIND_ICD and $PLUMB_PLUGIN_DIR take precedence over the usual places.  false: *e says
 * what to install; the caller calls capture_parts_fini in either case. */
bool capture_find(struct capture_parts *p, struct error *e);
void capture_parts_fini(struct capture_parts *p);
