/* suite.h - `suite:NAME`: a list of programs, configs/workloads/suites/NAME.cfg.
 *
 *   description = "..."; machine = "rx540";
 *   programs = ( "workloads/stream.cfg",
 *                { name = "fwt"; capture = "fwt 262144"; options = "--launches 0-3";
 *                  class = "multi-kernel"; why = "...";
 *                  digest = "..."; instructions = 589824; footprint_kb = 1024; } );
 *
 * A text or `file` is a program that is there: looked for in the configuration directories, then in
 * the cache directory.  `capture` is a program of workloads/ with its arguments, captured once
 * (`plumb trace suite NAME`) into $PLUMB_SUITES, else suites/ in the cache directory, as
 * KEY/NAME.plt.  KEY is made of all that decides what the trace holds; `digest` is what it shall
 * be.
 *
 * Ownership: texts live as long as the suite.  Nothing here captures; see
 * cli/trace/suite_capture.c. */
#ifndef PLUMB_TRACE_SUITE_SUITE_H
#define PLUMB_TRACE_SUITE_SUITE_H

#include "base/error.h"
#include "base/text/digest.h"

#include <stdbool.h>
#include <stdint.h>

/* Raise it when the same program becomes another trace: kept captures are then made anew. */
enum { SUITE_CAPTURE_VERSION = 1 };

struct suite_entry {
    const char *name; /* of a text: the path's last part */
    char *path;       /* for program_open; of a capture: where it lies, once it is made; ""
                 without a folder for captures */
    const char *file; /* as the suite names it; NULL: captured */
    const char *capture, *options;
    const char *class, *why, *digest_hex; /* "" where not told */
    struct digest digest;
    int64_t instructions, footprint_kb; /* as recorded; 0: not */
    uint32_t line;
};

struct suite {
    const char *name, *description, *machine; /* the last two "" where not told */
    char *config;                             /* the suite's file */
    struct suite_entry *entry;
    uint32_t n;
    struct conf *conf; /* keeps the texts */
};

bool suite_is(const char *spec); /* "suite:..." */
/* spec: with its "suite:" or without, kept by the caller while the suite lives.  false: *all has
 * every fault of the file, and there is nothing to free. */
bool suite_load(struct suite *s, const char *spec, struct errors *all);
/* The text of a suite's file. */
bool suite_parse(struct suite *s, const char *text, const char *name, struct errors *all);
/* suite_load for whoever wants to run the programs: captures that are missing are a fault too. */
bool suite_read(struct suite *s, const char *spec, struct error *e);
void suite_fini(struct suite *s);

enum suite_state {
    SUITE_READY,
    SUITE_MISSING, /* not captured yet */
    SUITE_OTHER    /* there, but not what the suite records (and nobody accepted it) */
};
/* found (may be NULL): the digest of what is there. */
enum suite_state suite_state(const struct suite_entry *t, struct digest *found);
/* Where captures are kept; mem_free it.  NULL: there is no cache directory. */
char *suite_folder(void);
/* The file beside a capture that names another digest as good; mem_free it. */
char *suite_accepted_path(const struct suite_entry *t);

#endif
