/* capture_run.h - runs an OpenCL program under Oclgrind, which loads plumb's plugin, or a CUDA
 * program that `plumb cc` has linked, whose runtime records it. Which of them a program is, its
 * file says.
 *
 * The recorder writes the trace into a temporary folder beside the target and reports its status
 * over a pipe; only a complete trace replaces the target. A program that fails when its kernels
 * have run leaves one, too, with a note of how it ended. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

#include <stdint.h>

struct capture_request {
    const char *output, *width;
    const char *launches,
        *ctas; /* lists, checked by the caller (trace/capture/launch_filter.h); NULL: all */
    uint32_t registers, resident_warps; /* of every launch; 0: not said */
    uint32_t unroll;                    /* rounds of a loop per round; 1: as they stand */
    struct text kernels;                /* one name per line; empty: all */
    char **app;                         /* NULL-terminated */
    const char *title;                  /* what the trace's note calls it; NULL: its file's name */
};

/* Whether the plugin understands the list. */
bool capture_is_launches(const char *list); /* 1,3,5-9 */
bool capture_is_ctas(const char *list);     /* A or A-B */
/* The program inherits stdout.  false: *e says why, and the target is unchanged. */
bool capture_run(const struct capture_request *r, struct error *e);
