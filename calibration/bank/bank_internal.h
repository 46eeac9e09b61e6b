/* bank_internal.h - shared by the files of the bank: the connection, its statements, its lock.
 *
 * Between bank_lock and bank_unlock, a function steps statements and sets rc; bank_conclude turns
 * what SQLite said into the user's line and mends a damaged file. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/text/zstd_frame.h"
#include "calibration/bank/bank.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>

enum bank_statement {
    BANK_BEGIN_READ,
    BANK_BEGIN_WRITE,
    BANK_COMMIT,
    BANK_ROLLBACK,
    BANK_GET_PROGRAM,
    BANK_ADD_PROGRAM,
    BANK_USE_PROGRAM,
    BANK_GET_MACHINE,
    BANK_GET_BASE,
    BANK_ADD_MACHINE,
    BANK_GET_CONFIG,
    BANK_DROP_MACHINE,
    BANK_DROP_RUNS_OF,
    BANK_GET_KEYS,
    BANK_ADD_KEYS,
    BANK_GET_NAMES,
    BANK_GET_RUN,
    BANK_ADD_RUN,
    BANK_DROP_RUN,
    BANK_DROP_ESTIMATES_OF,
    BANK_FIND_RUNS,
    BANK_ADD_ESTIMATE,
    BANK_DROP_OLD_ESTIMATES,
    BANK_STATEMENTS
};

/* A list of metrics that rows of the file have: file's index -> metrics_key's, or METRICS_KEYS_MAX
 * for a metric that this plumb has not. */
struct bank_keys {
    int64_t id;
    uint32_t *key; /* [n], owned */
    uint32_t n;
};
enum { BANK_FILE_KEYS_MAX = 4096 };

struct bank {
    sqlite3 *db; /* NULL: a damaged file could not be replaced; every function fails */
    sqlite3_stmt *stmt[BANK_STATEMENTS];
    char *path;
    enum bank_use use;
    bool writable, is_new;
    int lock_file; /* shared while the file is open, exclusive to set it aside; -1: none */
    struct bank_versions version;
    uint64_t bound;        /* bytes */
    struct bank_keys *map; /* [n_maps] */
    size_t n_maps, maps_cap;
    int64_t own_keys; /* the row of today's list of metrics; 0: not known yet */
    struct zstd_frame *frame;
    unsigned failures; /* writes that failed in a row */
    char trouble[512];
    pthread_mutex_t lock;
    sigset_t signals; /* of the thread that has the lock, before it took it */
    bool size_signal; /* it had a SIGXFSZ waiting */
};

/* While the lock is held, a write beyond the limit of the size of files is an error and no
 * signal. */
void bank_lock(struct bank *b);
void bank_unlock(struct bank *b);

/* The statement, prepared when it is first used; NULL: *rc says why. */
sqlite3_stmt *bank_query(struct bank *b, enum bank_statement which, int *rc);
void bank_bind_digest(sqlite3_stmt *q, int at, struct digest d);
void bank_bind_text(sqlite3_stmt *q, int at, const char *text);
bool bank_read_digest(sqlite3_stmt *q, int at, struct digest *d); /* false: it is none */
/* Steps a statement that is bound and returns no rows, then resets it: SQLITE_OK or the error. */
int bank_run_query(sqlite3_stmt *q);
/* The same for one without values to bind. */
int bank_run_plain(struct bank *b, enum bank_statement which);
/* The whole number that a separate statement gives. */
int bank_number(sqlite3 *db, const char *sql, int64_t *v);

/* Ends a piece of work: SQLITE_OK or SQLITE_DONE give true; else *e gets the user's line, which is
 * kept as the bank's trouble if it has none, and a damaged file is set aside. */
bool bank_conclude(struct bank *b, int rc, struct error *e);
void bank_note(struct bank *b, const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* Whether the bank may be written; false: *e says why not. */
bool bank_may_write(struct bank *b, struct error *e);

/* bank_file.c: opening and setting aside */
/* Opens b->path as b->use says, checks it and makes its tables: SQLITE_OK, or -1 with *e, or an
 * error of SQLite. */
int bank_file_open(struct bank *b, struct error *e);
/* Opens any database for reading; its tables are not checked. */
int bank_file_open_any(struct bank *b, struct error *e);
void bank_file_close(struct bank *b);
/* Renames a damaged file and opens a new one; what happened becomes the trouble. */
void bank_file_set_aside(struct bank *b);

/* A machine and a run, as their rows have them. */
struct bank_machine {
    struct digest digest;
    const char *name, *preset, *config;
};
struct bank_row {
    struct digest program_digest, machine_digest;
    int64_t program, machine, keys;
    enum engine engine;
    int version;
    double log_sd;
    const void *blob;
    size_t bytes;
};

/* bank_blob.c: metrics and configurations as they lie in the file */
/* Packs the values of all keys; returns the bytes, at most BANK_BLOB_MAX. */
enum { BANK_BLOB_MAX = BANK_FILE_KEYS_MAX / 8 + BANK_FILE_KEYS_MAX * 8 };
size_t bank_blob_pack(const double value[METRICS_KEYS_MAX],
                      unsigned char out[static BANK_BLOB_MAX]);
/* Unpacks values by a list of metrics; false: not sound. */
bool bank_blob_unpack(const struct bank_keys *k, const void *blob, size_t n,
                      double value[METRICS_KEYS_MAX]);
/* Checksums that are kept beside what they are of. */
int64_t bank_sum_run(const struct bank_row *r);
int64_t bank_sum_machine(const struct bank_machine *m);
int64_t bank_sum_estimate(int64_t run, const char *version, const void *blob, size_t n,
                          const void *feature, size_t feature_n);
/* The list of that row, read once and kept; NULL with SQLITE_OK: not sound. */
const struct bank_keys *bank_keys_of(struct bank *b, int64_t id, int *rc);
/* The row of a list of names, one a line, which is added if it is not there. */
int64_t bank_keys_add(struct bank *b, const char *names, int *rc);
/* The row of today's list. */
int64_t bank_keys_own(struct bank *b, int *rc);

/* bank.c */
struct bank *bank_new(const char *path, enum bank_use use, const struct bank_versions *v);
/* The user's line for what SQLite said; false. */
bool bank_refuse(const struct bank *b, int rc, struct error *e);

/* bank_write.c: parts of a transaction that adds runs */
int64_t bank_write_machine(struct bank *b, const struct bank_machine *m, int *rc);
int64_t bank_write_program(struct bank *b, struct digest program, const char *name, int *rc);
/* *added: it was not there, or was less exact. */
void bank_write_row(struct bank *b, const struct bank_row *r, bool *added, int *rc);
/* Ends a transaction that wrote and keeps the bound; counts failures in a row. */
bool bank_write_end(struct bank *b, int rc, struct error *e);
/* Keeps the bound, after a transaction. */
int bank_keep_bound(struct bank *b);

/* bank_import_sweep.c: the runs of a sweep's database, within a transaction of b */
int bank_import_sweep(struct bank *b, struct bank *from, struct bank_import *n);

/* bank_config.c */
/* Configurations that others are packed with, as they are met. */
struct bank_bases {
    struct hash_map at; /* row -> index */
    char **text;        /* NULL: not sound */
    size_t n, cap;
};
bool bank_bases_init(struct bank_bases *bases); /* false: no memory */
void bank_bases_fini(struct bank_bases *bases);
/* The configuration in the present row, whose columns base, bytes and config begin at `at`; NULL
 * with SQLITE_OK: not sound.  bases: NULL: only one that is packed alone.  memory: holds it; NULL:
 * mem_free it. */
char *bank_config_read(struct bank *b, sqlite3_stmt *q, int at, struct bank_bases *bases,
                       struct arena *memory, int *rc);
/* The configuration of a machine that is packed alone, to be freed with mem_free. */
char *bank_config_of(struct bank *b, int64_t machine, int *rc);
