/* suite.h - `suite:NAME`: a list of programs, workloads/suites/NAME.cfg in configs.
 *
 *   description = "..."; machine = "rx540";
 *   programs = ( "workloads/stream.cfg",
 *                { name = "fwt"; capture = "fwt 262144"; options = "--launches 0-3";
 *                  class = "multi-kernel"; why = "...";
 *                  digest = "..."; instructions = 589824; footprint_kb = 1024; } );
 *
 * A text or `file` is an existing program, looked for in the configuration directories, then in the
 * cache directory. `capture` is a program of workloads/ with its arguments; it is captured once
 * (`plumb trace suite NAME`) into $PLUMB_SUITES, else suites/ in the cache directory, as
 * KEY/NAME.plt. KEY is a digest of everything that determines the trace; `digest` is the expected
 * digest of the trace.
 *
 * Ownership: texts live as long as the suite. This module captures nothing; see
 * cli/trace/suite_capture.c. */
#pragma once

#include "base/error.h"
#include "base/text/digest.h"

#include <stdbool.h>
#include <stdint.h>

/* Raise it when the same program gives another trace: stored captures are then made anew. */
enum { SUITE_CAPTURE_VERSION = 1 };

struct suite_entry {
    const char *name; /* for an entry that is a text: the last part of the path */
    char *path; /* for program_open; of a capture: its path once it has been made; "" without a
                   folder for captures */
    const char *file; /* as the suite names it; NULL: captured */
    const char *capture, *options;
    const char *class, *why, *digest_hex; /* "" if not given */
    struct digest digest;
    int64_t instructions, footprint_kb; /* as recorded in the suite; 0: not recorded */
    uint32_t line;
};

struct suite {
    const char *name, *description, *machine; /* the last two "" if not given */
    char *config;                             /* the suite's file */
    struct suite_entry *entry;
    uint32_t n;
    struct conf *conf; /* owns the texts */
};

bool suite_is(const char *spec);         /* "suite:..." */
bool suite_is_program(const char *spec); /* "suite:NAME/PROGRAM" */
/* Loads a suite. spec: with or without "suite:"; the caller keeps it while the suite lives. false:
 * *all has every error of the file, and nothing needs to be freed. */
bool suite_load(struct suite *s, const char *spec, struct errors *all);
/* The text of a suite's file. */
bool suite_parse(struct suite *s, const char *text, const char *name, struct errors *all);
/* suite_load for running the programs: missing captures are errors, too.  spec: "suite:NAME", or
 * "suite:NAME/PROGRAM" for one program of it. */
bool suite_read(struct suite *s, const char *spec, struct error *e);
void suite_fini(struct suite *s);

enum suite_state {
    SUITE_READY,
    SUITE_MISSING, /* not captured yet */
    SUITE_OTHER    /* captured, but not as the suite records it (and not accepted) */
};
/* found (may be NULL): the digest of the capture. */
enum suite_state suite_state(const struct suite_entry *t, struct digest *found);
/* The folder of captures, to be freed with mem_free; NULL: there is no cache directory. */
char *suite_folder(void);
/* The path of the file next to a capture that accepts another digest; to be freed with mem_free. */
char *suite_accepted_path(const struct suite_entry *t);
