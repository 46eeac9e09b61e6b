/* store.h - results in one SQLite file: runs are stored whole or not at all, so that a killed sweep
 * loses at most what was under way, and resumes.  The schema is documented in
 * docs/guide/database.md.
 *
 * A run's key is the digest of everything that its metrics depend on: machine, program, engine with
 * its model version, calibration, settings and seed.  Equal keys mean equal metrics, so nothing
 * stale is ever mixed in.
 *
 * Threads: store_put and store_put_all may be called from several threads at once; the other
 * functions by one thread at a time.  A database of an older schema is brought up to date when it
 * is opened.  Errors: a file that is not ours, broken, of another schema version or locked is an
 * ERROR_INPUT; a full disk an ERROR_RUN. */
#ifndef PLUMB_SWEEPS_STORE_STORE_H
#define PLUMB_SWEEPS_STORE_STORE_H

#include "base/error.h"
#include "base/text/digest.h"
#include "engine/engine.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

enum { STORE_SCHEMA = 6 };

struct run_key {
    struct digest machine, program;
    struct digest calibration; /* zero: none, or not used by the engine */
    enum engine engine;
    int version;        /* of the engine's model */
    uint64_t seed;      /* 0 unless sampled */
    char settings[224]; /* "max_instructions=0" ...: what else changes the answer */
};
void run_key_text(const struct run_key *k, char out[33]);

/* What is kept of a run.  value[i] belongs to metrics_key(i). */
struct record {
    bool failed;
    char error[512];
    double value[METRICS_KEYS_MAX];
    bool has[METRICS_KEYS_MAX];
    bool has_confidence;
    double level, half_width, simulated_share;
    uint32_t intervals;
    /* Sampled on another run's intervals (engine_sample_all): its cycles over that run's. */
    bool has_ratio;
    char base[33];                               /* that run's key */
    double ratio, ratio_half_width, ratio_apart; /* absolute; apart: had both had their own */
    char bottleneck[32];
    struct station station[STATION_MAX]; /* written, not read back */
    uint32_t n_stations;
    double host_seconds; /* not part of any export that is compared */
};

double record_metric(const struct record *r, const char *name); /* NaN: not there */

/* Where a run comes from: stored once per machine and program.  machine_config NULL: the machine
 * and its place on the axes are stored already. */
struct provenance {
    const char *machine_name,
        *machine_config; /* the effective configuration, as machine_dump writes it */
    const char *program_name, *program_spec;
    const char *calibration_file;           /* NULL: none */
    const char *const *path, *const *value; /* the point's place on the sweep's axes */
    uint32_t n_axes;
};

struct store; /* heap, opaque */
/* create: makes the file if it is not there.  Without it a file that may only be read, and that
 * nobody writes, serves for reading: writes to it are refused. */
struct store *store_open(const char *path, bool create, struct error *e);
void store_close(struct store *s);

enum stored { STORED_NO, STORED_DONE, STORED_FAILED, STORED_ERROR };
/* *r may be NULL: only whether it is there. */
enum stored store_get(struct store *s, const struct run_key *k, struct record *r, struct error *e);
/* A run that has ended. */
struct stored_run {
    struct run_key key;
    struct provenance from;
    const struct record *record;
};

/* One transaction: all n or, with *e, none.  A record with the same key is replaced. */
bool store_put_all(struct store *s, const struct stored_run *run, size_t n, struct error *e);
bool store_put(struct store *s, const struct run_key *k, const struct provenance *p,
               const struct record *r, struct error *e);

#endif
