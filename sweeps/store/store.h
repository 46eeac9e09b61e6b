/* store.h - results in one SQLite file.  Runs are stored whole or not at all, so that a killed
 * sweep loses at most the runs under way, and resumes.  docs/guide/database.md documents the
 * schema.
 *
 * A run's key is the digest of everything that its metrics depend on: machine, program, engine with
 * its model version, calibration, settings and seed.  Equal keys mean equal metrics, so stale
 * results are never used.
 *
 * Threads: several threads may call store_put_all at once; only one thread at a time
 * may call the other functions.  A database of an older schema is brought up to date when it is
 * opened. Errors: a file that is no plumb database, is broken, has another schema version or is
 * locked gives an ERROR_INPUT; a full disk gives an ERROR_RUN. */
#pragma once

#include "base/error.h"
#include "base/text/digest.h"
#include "engine/engine.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

enum { STORE_SCHEMA = 10 };

struct run_key {
    struct digest machine, program;
    struct digest calibration; /* zero: none, or not used by the engine */
    enum engine engine;
    int version;        /* of the engine's model */
    uint64_t seed;      /* 0 unless the engine samples */
    char settings[224]; /* "max_instructions=0" ...: all other settings that change the answer */
};
void run_key_text(const struct run_key *k, char out[33]);

/* The stored result of a run.  value[i] belongs to metrics_key(i). */
struct record {
    bool failed;
    char error[512];
    double value[METRICS_KEYS_MAX];
    bool has[METRICS_KEYS_MAX];
    bool has_confidence;
    double level, half_width, simulated_share;
    uint32_t intervals;
    /* For a run sampled on another run's intervals (engine_sample_all): its cycles over that
     * run's. */
    bool has_ratio;
    char base[33]; /* that run's key */
    /* absolute half-widths; apart: if each run had its own intervals */
    double ratio, ratio_half_width, ratio_apart;
    bool has_place; /* of an estimate: what ratios of two of them need */
    struct answer_place place;
    char bottleneck[32];
    struct station station[STATION_MAX]; /* written, not read back */
    uint32_t n_stations;
    double host_seconds; /* left out of exports that are compared */
};

double record_metric(const struct record *r, const char *name); /* NaN: not there */

/* A machine in whose difference others are stored. */
struct machine_text {
    char digest[33];
    const char *name, *config;
};

/* The origin of a run, stored once per machine and program.  machine_config NULL: the machine and
 * its values on the axes are stored already. */
struct provenance {
    const char *machine_name,
        *machine_config;             /* the effective configuration, as machine_dump writes it */
    const struct machine_text *like; /* a machine much like it; NULL: none */
    const char *program_name, *program_spec;
    const char *calibration_file; /* NULL: none */
    /* the point's values on the axes; none where the database records the sweep */
    const char *const *path, *const *value;
    uint32_t n_axes;
};

struct store; /* heap, opaque */
/* create: makes the file if it does not exist.  Without it, a file without write permission that
 * nobody writes can be opened for reading; writes to it are refused. */
struct store *store_open(const char *path, bool create, struct error *e);
/* Makes the file if it does not exist, for one writer and readers on several hosts: with a rollback
 * journal, as a WAL needs memory that they share. */
struct store *store_open_shared(const char *path, struct error *e);
/* Replaces all that the store holds by what the database at that path holds. */
bool store_copy(struct store *into, const char *path, struct error *e);
void store_close(struct store *s);

enum stored { STORED_NO, STORED_DONE, STORED_FAILED, STORED_ERROR };
/* r NULL: only checks whether the run is stored. */
enum stored store_get(struct store *s, const struct run_key *k, struct record *r, struct error *e);
/* Reads of the metrics only those of n names. */
enum stored store_get_some(struct store *s, const struct run_key *k, const char *const *name,
                           uint32_t n, struct record *r, struct error *e);
/* Reads only where an estimate lies. */
bool store_get_place(struct store *s, const struct run_key *k, struct answer_place *out,
                     bool *there, struct error *e);
/* A finished run. */
struct stored_run {
    struct run_key key;
    struct provenance from;
    const struct record *record;
};

/* Store all n runs in one transaction or, with *e, none.  A record with the same key is
 * replaced. */
bool store_put_all(struct store *s, const struct stored_run *run, size_t n, struct error *e);
