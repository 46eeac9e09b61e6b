/* bank.c - opens and closes a bank, and what its other files share: lock, statements, errors. */
#include "calibration/bank/bank.h"

#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"
#include "calibration/bank/bank_place.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FAILURES_MOST = 3 }; /* writes that fail in a row before no more are tried */

static const char *const sql[BANK_STATEMENTS] = {
    [BANK_BEGIN_READ] = "BEGIN",
    [BANK_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [BANK_COMMIT] = "COMMIT",
    [BANK_ROLLBACK] = "ROLLBACK",
    [BANK_GET_PROGRAM] = "SELECT id, used FROM programs WHERE digest = ?1",
    [BANK_ADD_PROGRAM] = "INSERT OR IGNORE INTO programs(digest, name, used) VALUES(?1, ?2, ?3)",
    [BANK_USE_PROGRAM] = "UPDATE programs SET used = ?2 WHERE id = ?1",
    [BANK_GET_MACHINE] = "SELECT id FROM machines WHERE digest = ?1",
    [BANK_GET_BASE] = "SELECT id FROM machines WHERE name = ?1 AND base IS NULL ORDER BY id"
                      " LIMIT 1",
    [BANK_ADD_MACHINE] = "INSERT INTO machines(digest, name, preset, base, bytes, config, sum)"
                         " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [BANK_GET_CONFIG] = "SELECT base, bytes, config FROM machines WHERE id = ?1",
    [BANK_DROP_MACHINE] = "DELETE FROM machines WHERE id = ?1",
    [BANK_DROP_RUNS_OF] = "DELETE FROM runs WHERE machine = ?1",
    [BANK_GET_KEYS] = "SELECT id FROM keys WHERE digest = ?1",
    [BANK_ADD_KEYS] = "INSERT OR IGNORE INTO keys(digest, names) VALUES(?1, ?2)",
    [BANK_GET_NAMES] = "SELECT names, digest FROM keys WHERE id = ?1",
    [BANK_GET_RUN] = "SELECT id, log_sd FROM runs WHERE program = ?1 AND machine = ?2"
                     " AND engine = ?3 AND version = ?4",
    [BANK_ADD_RUN] = "INSERT INTO runs(program, machine, engine, version, log_sd, keys, simulated,"
                     " sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
                     " ON CONFLICT(program, machine, engine, version) DO UPDATE SET"
                     " log_sd = ?5, keys = ?6, simulated = ?7, sum = ?8 WHERE log_sd > ?5",
    [BANK_DROP_RUN] = "DELETE FROM runs WHERE id = ?1",
    [BANK_DROP_ESTIMATES_OF] = "DELETE FROM estimates WHERE run = ?1",
    [BANK_FIND_RUNS] =
        "SELECT r.id, r.engine, r.log_sd, r.keys, r.simulated, r.sum, m.id, m.digest, m.name,"
        " m.preset, m.sum, m.base, m.bytes, m.config, e.id, e.keys, e.estimated, e.features, e.sum"
        " FROM runs r INDEXED BY runs_program CROSS JOIN machines m ON m.id = r.machine"
        " LEFT JOIN estimates e ON e.run = r.id AND e.version = ?4"
        " WHERE r.program = ?1 AND ((r.engine = 'simulate' AND r.version = ?2)"
        " OR (r.engine = 'sample' AND r.version = ?3)) ORDER BY r.id DESC LIMIT ?5",
    [BANK_ADD_ESTIMATE] = "INSERT OR REPLACE INTO estimates(run, version, keys, estimated,"
                          " features, sum) SELECT id, ?2, ?3, ?4, ?5, ?6 FROM runs WHERE id = ?1",
    [BANK_DROP_OLD_ESTIMATES] =
        "DELETE FROM estimates WHERE run = ?1 AND id NOT IN"
        " (SELECT id FROM estimates WHERE run = ?1 ORDER BY id DESC LIMIT 3)",
};

/* --- lock ------------------------------------------------------------------------------------- */

void bank_lock(struct bank *b)
{
    sigset_t size, waiting, before;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size, &before);
    pthread_mutex_lock(&b->lock);
    b->signals = before;
    b->size_signal = sigpending(&waiting) == 0 && sigismember(&waiting, SIGXFSZ) == 1;
}

void bank_unlock(struct bank *b)
{
    sigset_t size, waiting, before = b->signals;
    bool ours = !b->size_signal && sigpending(&waiting) == 0 && sigismember(&waiting, SIGXFSZ) == 1;
    pthread_mutex_unlock(&b->lock);
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    const struct timespec now = {0};
    if (ours) sigtimedwait(&size, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- statements ------------------------------------------------------------------------------- */

sqlite3_stmt *bank_query(struct bank *b, enum bank_statement which, int *rc)
{
    *rc = SQLITE_OK;
    if (!b->stmt[which])
        *rc = sqlite3_prepare_v3(b->db, sql[which], -1, SQLITE_PREPARE_PERSISTENT, &b->stmt[which],
                                 NULL);
    return *rc == SQLITE_OK ? b->stmt[which] : NULL;
}

void bank_bind_digest(sqlite3_stmt *q, int at, struct digest d)
{
    unsigned char bytes[16];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(d.hi >> (56 - 8 * i));
        bytes[8 + i] = (unsigned char)(d.lo >> (56 - 8 * i));
    }
    sqlite3_bind_blob(q, at, bytes, sizeof bytes, SQLITE_TRANSIENT);
}

bool bank_read_digest(sqlite3_stmt *q, int at, struct digest *d)
{
    const unsigned char *bytes = sqlite3_column_blob(q, at);
    *d = (struct digest){0};
    if (!bytes || sqlite3_column_bytes(q, at) != 16) return false;
    for (int i = 0; i < 8; i++) {
        d->hi = d->hi << 8 | bytes[i];
        d->lo = d->lo << 8 | bytes[8 + i];
    }
    return true;
}

void bank_bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

int bank_run_query(sqlite3_stmt *q)
{
    int rc = sqlite3_step(q);
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

int bank_run_plain(struct bank *b, enum bank_statement which)
{
    int rc;
    sqlite3_stmt *q = bank_query(b, which, &rc);
    return q ? bank_run_query(q) : rc;
}

int bank_number(sqlite3 *db, const char *text, int64_t *v)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(db, text, -1, &q, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(q);
    if (rc == SQLITE_ROW) *v = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW ? SQLITE_OK : rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
}

/* --- errors ----------------------------------------------------------------------------------- */

void bank_note(struct bank *b, const char *fmt, ...)
{
    va_list args;
    if (b->trouble[0]) return;
    va_start(args, fmt);
    vsnprintf(b->trouble, sizeof b->trouble, fmt, args);
    va_end(args);
}

static bool is_damage(int rc)
{
    return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
}

bool bank_refuse(const struct bank *b, int rc, struct error *e)
{
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_run(e, "%s: another process holds the bank: this run goes on without it",
                         b->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return error_input(e, "%s: damaged, or no bank", b->path);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return error_run(e, "%s: the bank cannot be opened or written: %s", b->path,
                         sqlite3_errstr(rc));
    case SQLITE_NOMEM: return error_no_memory(e);
    case SQLITE_FULL:
        return error_run(e, "%s: the disk is full: the bank does not keep this run", b->path);
    default: return error_run(e, "%s: the bank cannot be used: %s", b->path, sqlite3_errstr(rc));
    }
}

bool bank_conclude(struct bank *b, int rc, struct error *e)
{
    struct error own = {0};
    if (rc == SQLITE_OK || rc == SQLITE_DONE) return true;
    bank_refuse(b, rc, &own);
    b->own_keys = 0;
    if (is_damage(rc)) {
        bank_file_set_aside(b);
        snprintf(own.text, sizeof own.text, "%s", b->trouble);
    }
    bank_note(b, "%s", own.text);
    if (e) *e = own;
    return false;
}

bool bank_may_write(struct bank *b, struct error *e)
{
    if (!b->db) return error_run(e, "%s: there is no bank", b->path);
    if (!b->writable) {
        bank_note(b, "%s: the bank may only be read, and does not keep this run", b->path);
        return error_run(e, "%s: the bank may only be read", b->path);
    }
    if (b->failures < FAILURES_MOST) return true;
    return error_run(e, "%s: the bank could not be written", b->path);
}

/* --- opening ---------------------------------------------------------------------------------- */

struct bank *bank_new(const char *path, enum bank_use use, const struct bank_versions *v)
{
    struct bank *b = mem_new(1, sizeof *b);
    if (!b) return NULL;
    b->version = *v;
    b->use = use;
    b->lock_file = -1;
    b->path = mem_strdup(path);
    b->frame = zstd_frame_new();
    pthread_mutex_init(&b->lock, NULL);
    if (b->path && b->frame) return b;
    bank_close(b);
    return NULL;
}

/* A file that is no database may be somebody's own, unless it lies where only plumb writes. */
static bool may_set_aside(const struct bank *b, int rc, bool own_place)
{
    return b->writable && is_damage(rc) && (own_place || (rc & 0xff) == SQLITE_CORRUPT);
}

static bool open_file(struct bank *b, bool own_place, struct error *e)
{
    struct error why = {0};
    bank_lock(b);
    int rc = bank_file_open(b, &why);
    if (may_set_aside(b, rc, own_place))
        bank_file_set_aside(b);
    else if (rc != SQLITE_OK)
        bank_file_close(b);
    bank_unlock(b);
    if (rc > 0 && !b->db) bank_refuse(b, rc, &why);
    if (b->db) return true;
    if (b->trouble[0]) error_run(&why, "%s", b->trouble);
    if (e) *e = why;
    return false;
}

struct bank *bank_open(const char *path, enum bank_use use, const struct bank_versions *v,
                       struct error *e)
{
    uint64_t bound;
    if (use == BANK_MEMORY) path = ":memory:";
    if (!bank_place_bound(&bound, e)) return NULL;
    char *own = bank_place_default(path ? NULL : e);
    bool in_own = own && (!path || strcmp(path, own) == 0);
    struct bank *b = path || own ? bank_new(path ? path : own, use, v) : NULL;
    if (!b && (path || own)) error_no_memory(e);
    mem_free(own);
    if (!b) return NULL;
    b->bound = bound;
    if (open_file(b, in_own, e)) return b;
    bank_close(b);
    return NULL;
}

void bank_close(struct bank *b)
{
    if (!b) return;
    bank_file_close(b);
    zstd_frame_free(b->frame);
    pthread_mutex_destroy(&b->lock);
    mem_free(b->map);
    mem_free(b->path);
    mem_free(b);
}

const char *bank_path(const struct bank *b)
{
    return b->path;
}

bool bank_writable(const struct bank *b)
{
    return b->writable && b->db;
}

const char *bank_trouble(const struct bank *b)
{
    return b->trouble;
}
