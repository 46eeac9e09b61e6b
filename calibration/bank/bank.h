/* bank.h - the bank of runs: what was ever simulated or sampled whole, kept in one SQLite file for
 * later estimates of the same programs.
 *
 * A run is kept once for each program, machine, engine and version of that engine's model; of two
 * samples, the more exact one.  An estimate of the same machine may be kept beside it: it has a
 * version of its own, because the estimator changes while the simulation stays valid.
 *
 * Place: $XDG_CACHE_HOME/plumb/bank.db (bank_place.h says who may choose another or none).
 * Size: bank_put and bank_import keep the file below a bound: runs of other versions leave first,
 * then those of the program that was not used for longest, its oldest first.
 * Failures: a bank is a help and never a need.  Whoever cannot open, read or write it goes on
 * without it; bank_trouble has the one line that the user is to read.  A damaged bank is renamed to
 * FILE.damaged and a new one begun.  A file of another kind or schema, a link and a device are
 * refused and stay as they are.  A bank that belongs to another user, or that may not be written,
 * is only read.
 * Several processes may use a bank at once, and each may be killed at any time: a run is there
 * whole or not at all. Threads: any thread may call any function but bank_close; a bank has a lock
 * of its own.  A process that forks opens its own.
 *
 * The content of the file is not trusted: texts, sizes and numbers are checked when they are read,
 * and rows that are not sound are left out.  Source of the schema: bank_schema.c. */
#pragma once

#include "answer/answer.h"
#include "base/error.h"
#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;
struct bank; /* heap, opaque */

enum {
    BANK_SCHEMA = 1,
    BANK_MOST = 256,          /* runs of a program that estimates are corrected by */
    BANK_MOST_EVER = 1 << 16, /* that bank_find returns, whatever it is asked for */
    BANK_FEATURES_MAX = 1024, /* of an estimate */
    BANK_TEXT_MAX = 1 << 20,  /* bytes of a configuration */
    BANK_NAME_MAX = 256       /* bytes of a name or a version, with its NUL */
};

/* The versions of the engines' models (engine_version); runs of others are not found. */
struct bank_versions {
    int of[ENGINE_N];
};

enum bank_use {
    BANK_MAKE,     /* made if it is not there */
    BANK_IF_THERE, /* read and written if it is there */
    BANK_READ,     /* never written */
    BANK_MEMORY    /* in memory, until it is closed; path: NULL */
};
/* path: NULL: the default place, else a file.  NULL: *e says in one line why there is no bank, or
 * is ERROR_NONE where none is there to be read; the caller goes on without. */
struct bank *bank_open(const char *path, enum bank_use use, const struct bank_versions *v,
                       struct error *e);
void bank_close(struct bank *b); /* b may be NULL */
const char *bank_path(const struct bank *b);
bool bank_writable(const struct bank *b);
/* The first trouble since the bank was opened, as one line for the user; "": none. */
const char *bank_trouble(const struct bank *b);

/* --- runs ------------------------------------------------------------------------------------- */

struct bank_put {
    const struct machine *machine;
    struct digest program; /* program_digest */
    const char *program_name;
    enum engine engine; /* ENGINE_SIMULATE or ENGINE_SAMPLE */
    const struct metrics *metrics;
    double log_sd; /* standard error of log(cycles); 0: exact */
};
/* The log_sd of a sample whose relative half width of cycles holds at that level. */
double bank_log_sd(double half_width, double level);
/* Keeps a whole run; one that is there already stays, unless the new one is more exact. */
bool bank_put(struct bank *b, const struct bank_put *run, struct error *e);

/* A run that was found.  Texts and arrays belong to its struct bank_runs. */
struct bank_run {
    int64_t id; /* never used again, even when the run has left the bank */
    struct digest machine;
    const char *machine_name, *preset; /* preset: "": the machine builds on none */
    const char *config;                /* as machine_dump writes it; runs of one machine share it */
    enum engine engine;
    double log_sd;           /* of cycles; 0: exact */
    const double *simulated; /* [METRICS_KEYS_MAX] by metrics_key's index; NaN: not there */
    /* The estimate of the version asked for; NULL: there is none. */
    const double *estimated; /* [METRICS_KEYS_MAX], likewise */
    const double *feature;   /* [features] */
    uint32_t features;
};
struct bank_runs {
    struct bank_run *run; /* newest first */
    size_t n;
    struct arena memory;
};
/* Finds the newest runs of a program of the bank's versions, at most `most`; none is no error.
 * estimator: the version of the estimates wanted (any text below BANK_NAME_MAX that names all that
 * an estimate depends on besides machine and program); NULL: none.  The caller calls bank_runs_fini
 * in either case; on false *r is empty. */
bool bank_find(struct bank *b, struct digest program, const char *estimator, size_t most,
               struct bank_runs *r, struct error *e);
void bank_runs_fini(struct bank_runs *r);
/* Of the runs' machines, engines and metrics, whatever their order; 0: there is none.  Estimates
 * do not count. */
struct digest bank_runs_digest(const struct bank_runs *r);

/* An estimate of a run's machine and program. */
struct bank_estimate {
    int64_t run;             /* bank_run.id */
    const double *estimated; /* [METRICS_KEYS_MAX], as in bank_run */
    const double *feature;   /* [features] */
    uint32_t features;       /* at most BANK_FEATURES_MAX */
};
/* Keeps n estimates of that version; those of runs that have left the bank are left out. */
bool bank_put_estimates(struct bank *b, const char *estimator, const struct bank_estimate *item,
                        size_t n, struct error *e);
/* The values of all keys, NaN where there is none. */
void bank_values(const struct metrics *m, double out[METRICS_KEYS_MAX]);

/* --- upkeep ----------------------------------------------------------------------------------- */

struct bank_program {
    char name[BANK_NAME_MAX];
    uint64_t runs, machines; /* of today's versions */
};
enum { BANK_TOP = 10 };
struct bank_status {
    uint64_t runs, of_engine[ENGINE_N]; /* of today's versions */
    uint64_t stale;                     /* of other versions */
    uint64_t programs, machines, estimates;
    uint64_t bytes, bound;             /* of the file; the bound that it keeps */
    struct bank_program top[BANK_TOP]; /* with the most runs */
    uint32_t n_top;
};
bool bank_status(struct bank *b, struct bank_status *s, struct error *e);
/* Removes runs until the file has at most so many bytes; *removed: their number. */
bool bank_trim(struct bank *b, uint64_t bytes, uint64_t *removed, struct error *e);
bool bank_clear(struct bank *b, struct error *e); /* removes all runs */
/* Writes a copy to a file, which is replaced whole or not at all. */
bool bank_export(struct bank *b, const char *file, struct error *e);
/* Adds the runs of today's versions that another bank or a sweep's database holds; runs that are
 * there already stay. */
struct bank_import {
    uint64_t added, present, left_out; /* left_out: of other versions, partial or not sound */
};
bool bank_import(struct bank *b, const char *file, struct bank_import *n, struct error *e);
